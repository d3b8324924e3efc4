"""How often the files of a memory are compared in a run: in a large one each time is felt."""

from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.failures.matching import match
from gitmem.memory.failures.observing import Observer
from gitmem.sync import comparison, difference
from gitmem.sync.comparison import Comparison
from tests.depth import sampled
from tests.integration.test_sync_git import RACY_NS, sealed
from tests.observing import COMMAND, drafts, failure, observe

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.sync.comparison import PendingCheck
    from gitmem.sync.difference import Difference
    from tests.conftest import Checkout

NAMES = ("cart", "basket", "order", "invoice", "refund")


class Counted(Comparison):
    """Asks git from the first record on, and counts."""

    git_from = 1
    times = 0

    def changes(self, catalog: "Catalog", doubt: "PendingCheck | None") -> "Difference":
        Counted.times += 1
        return super().changes(catalog, doubt)


@pytest.fixture
def shop(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Give a repository whose memory has a few errors and is in step, as git knows it."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("gitmem.sync.derived.Comparison", Counted)
    for module in (comparison, difference):
        monkeypatch.setattr(module, "RACY_NS", RACY_NS)
    repo.add("app.py", "start\n")
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        for name in NAMES:
            memory.add("error", {"title": f"{name} fell", "message": f"{name} is not there"})
    repo.commit()
    sealed(repo)
    with Memory.open(str(repo)) as memory:
        memory.search("nothing yet")  # now the index is in step, too
    return repo


def compared(shop: "Checkout") -> int:
    """Give how often the files were compared since this was asked last."""
    times, Counted.times = Counted.times, 0
    return times


def test_several_failures_that_nobody_knows_are_looked_up_at_once(shop: "Checkout") -> None:
    with Memory.open(str(shop)) as memory:
        seen = [fingerprinted(memory.workspace, failure(name)) for name in NAMES]
        compared(shop)
        found = match(memory.records.reader, seen)
        assert compared(shop) == 1
    assert [one.label for one in found] == [""] * len(NAMES)


@sampled(1)
@pytest.mark.parametrize("behind", [False, True])
def test_a_record_that_came_while_it_was_looked_up_is_found(
    shop: "Checkout",
    behind: bool,  # noqa: FBT001  by name
) -> None:
    """What is answered while git compares the files is answered again if they differ.

    An index that is behind the catalog has to follow in the middle of it.
    """
    with Memory.open(str(shop)) as other:
        fields = dict(fingerprinted(other.workspace, failure("parcel")).fields)
    with Memory.open(str(shop)) as memory:
        memory.list()
        with Memory.open(str(shop)) as other:
            if behind:
                other.add("error", {"title": "another", "message": "it is not this one"})
                other.list()
            made = other.add("error", {"title": "parcel fell", **fields})
        (found,) = match(
            memory.records.reader,
            [fingerprinted(memory.workspace, failure("parcel"))],
        )
    assert [row.id for row in found.errors] == [made.id]


def test_a_run_that_passes_as_before_compares_nothing(shop: "Checkout") -> None:
    observe(shop)
    compared(shop)
    observe(shop)
    assert compared(shop) == 0


def test_what_several_failures_were_is_looked_up_at_once(shop: "Checkout") -> None:
    environ = {"GITMEM_CAPTURE_MODE": "draft"}
    observe(shop, *NAMES, environ=environ)
    shop.add("app.py", "good\n")
    compared(shop)
    observe(shop, environ=environ)
    assert compared(shop) == 2  # for what was tried before it ran, and for what is known after it
    (draft,) = drafts(shop)  # one edit mended them all: one cause
    assert len({draft.site, *draft.sites}) == len(NAMES)


def test_what_was_tried_on_several_failures_is_looked_up_at_once(shop: "Checkout") -> None:
    """The command waits for this."""
    shop.add("app.py", "bug\n")
    observe(shop, *NAMES)
    shop.add("app.py", "tried\n")
    observe(shop, *NAMES)
    with Memory.open(str(shop)) as memory:
        error = memory.add("error", dict(fingerprinted(memory.workspace, failure("cart")).fields))
        for number in range(3):
            patch = f"--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-bug\n+wrong {number}\n"
            memory.add(
                "fix",
                {"title": f"try {number}", "outcome": "failed", "patch": patch,
                 "links": {"fixes": [error.id]}},
            )  # fmt: skip
    shop.commit()
    sealed(shop)
    shop.add("app.py", "wrong 2\n")
    with Memory.open(str(shop)) as memory:
        observer = Observer(memory.records, COMMAND)
        compared(shop)
        tried = observer.before()
        assert compared(shop) == 1
    assert any(one.seen.title.endswith("cart is broken") for one in tried)
