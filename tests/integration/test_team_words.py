"""Other words for what is typed: those that everybody uses, and the team's."""

from typing import TYPE_CHECKING

import pytest

from gitmem import Memory
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from tests.conftest import Checkout

WORDS = """\
  search.synonyms:
    - kraken = billing service
    - psp = Payment Provider
"""


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Give a repository with a memory that speaks of billing and of Kubernetes."""
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        memory.add("note", {"title": "The billing service rounds half up"})
        memory.add("note", {"title": "Kubernetes evicts pods without limits"})
        memory.add("note", {"title": "Colours of the shop window"})
    return repo


def settle(shop: "Checkout", *settings: str) -> None:
    shop.add(".memory/gitmem.yaml", "format: 1\nsettings:\n" + "".join(settings))


def titles(shop: "Checkout", question: str) -> list[str]:
    with Memory.open(str(shop)) as memory:
        return [hit.row.title for hit in memory.search(question).hits]


def test_an_abbreviation_finds_what_it_stands_for(shop: "Checkout") -> None:
    assert titles(shop, "k8s") == ["Kubernetes evicts pods without limits"]
    assert titles(shop, "k8s -pods") == []
    assert titles(shop, '"k8s"') == []


def test_a_team_has_words_of_its_own(shop: "Checkout") -> None:
    assert titles(shop, "kraken") == []
    settle(shop, WORDS)
    assert titles(shop, "kraken") == ["The billing service rounds half up"]
    with Memory.open(str(shop)) as memory:
        assert memory.workspace.settings.get("search.synonyms") == (
            ("kraken = billing service", "psp = Payment Provider"),
            "team",
        )


def test_lines_that_are_no_good_are_told_of_and_passed_over(shop: "Checkout") -> None:
    settle(shop, WORDS, "    - alone\n", "    - {a: b}\n", "    - 'a ='\n", "    - k = kraken\n")
    with Memory.open(str(shop)) as memory:
        found = [one for one in memory.checks.files() if one.code == "bad-setting"]
        assert [(one.path, one.line) for one in found] == [("gitmem.yaml", n) for n in (6, 7, 8)]
        assert all("with = between them" in one.message for one in found)
    assert titles(shop, "kraken") == ["The billing service rounds half up"]


def test_no_other_layer_sets_them(shop: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITMEM_SEARCH_SYNONYMS", "kraken = billing")
    assert titles(shop, "kraken") == []
    with (
        Memory.open(str(shop)) as memory,
        pytest.raises(UsageError, match=r"search\.synonyms is a list"),
    ):
        memory.workspace.settings.set("search.synonyms", "a = b", "team")
