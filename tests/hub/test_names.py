"""Names of repositories in a hub have one grammar, seen at the door."""

from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("payments/api", True), ("api", True), ("Zahlungen/Über-sicht_2.0", True), ("../up", False),
        ("a;b", False), ("%2e%2e/x", False), ("a/../b", False), ("/a", False), ("a/", False),
        ("a//b", False), ("-x", False), ("a\\b", False), ("$(touch x)", False), (".git", False),
        ("a\nb", False), ("a/.git", False), (" a", False), ("a ", False), ("", False),
    ],
)  # fmt: skip
def test_a_name_leads_nowhere_and_says_nothing_to_a_shell(
    repo: "Checkout",
    name: str,
    is_one: bool,  # noqa: FBT001  a row's outcome
) -> None:
    """``../up``, ``a;b`` and ``%2e%2e/x`` were accepted as names."""
    done = run(repo, "hub", "--at", "hub", "add", "--", name, "https://git.example.com/x.git")
    assert ("is not a name" in done.err) is not is_one, done
