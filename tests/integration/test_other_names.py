"""A word finds what has another name for it, and not what only has that name's words."""

from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
NOTES = {
    "Reports": "Each time the report is out, tell the team.",
    "Out of the box": "Memory is not of interest here.",
    "Billing": "The request to\nbilling timed out.",
    "The worker died": "It was out of memory.",
}


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("timeout", {"Billing"}),
        ("oom", {"The worker died"}),
        ("timeout report", {"Billing", "Reports"}),
        ("timeout oom", {"Billing", "The worker died"}),
    ],
)
def test_another_name_counts_as_a_whole(repo: "Checkout", words: str, titles: set[str]) -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        for title, body in NOTES.items():
            memory.add("note", {"title": title, "body": body})
        hits = memory.search(words).hits
    assert {hit.row.title for hit in hits if not hit.layer} == titles
