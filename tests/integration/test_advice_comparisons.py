"""Advice and context are one question each: the files of a memory are compared once for it."""

from typing import TYPE_CHECKING

from gitmem.memory import Memory
from tests.integration.test_run_comparisons import NAMES, compared, shop
from tests.integration.test_sync_git import sealed
from tests.observing import observe

if TYPE_CHECKING:
    from tests.conftest import Checkout

__all__ = ["shop"]
OUTPUT = "ValueError: cart is broken"


def test_the_files_are_compared_once(shop: "Checkout") -> None:
    observe(shop, *NAMES)
    with Memory.open(str(shop), settings={"packs.off": "all"}) as memory:
        memory.add("decision", {"title": "carts", "decision": "x", "governs": ["app.py"]})
        memory.search("nothing yet")
    shop.commit()
    sealed(shop)
    with Memory.open(str(shop), settings={"packs.off": "all"}) as memory:
        memory.search("nothing yet")
        asked = (
            lambda: memory.advice.advise(OUTPUT), lambda: memory.advice.advise("cart basket"),
            lambda: memory.advice.advise(path="app.py"),
            lambda: memory.advice.advise(task={"description": "mend the cart", "category": "x"}),
            memory.advice.advise, lambda: memory.advice.recommend({"description": "mend the cart"}),
            memory.advice.context, lambda: memory.advice.context(OUTPUT),
            lambda: memory.advice.context("app.py"),
            lambda: memory.advice.context("cart basket"),
        )  # fmt: skip
        for ask in asked:
            compared(shop)
            ask()
            assert compared(shop) == 1


def test_what_came_while_a_question_in_a_question_was_answered_is_found(
    shop: "Checkout",
) -> None:
    with Memory.open(str(shop), settings={"packs.off": "all"}) as memory:
        memory.list()
        with Memory.open(str(shop)) as other:
            made = other.add("error", {"title": "parcel fell", "message": "parcel is not there"})
        found = memory.workspace.derived.mended(lambda: memory.search("parcel").hits)
        assert [hit.row.id for hit in found] == [made.id]
