"""Types, codes and tools have one name in fingerprints, however people write them."""

import pytest

from gitmem.matching.naming import same_type, with_canonical_names
from gitmem.output.failure import Failure


@pytest.mark.parametrize(
    ("tool", "kind", "code", "canonical"),
    [
        ("", "ts2322", "", ("typescript", "", "TS2322")),
        ("ts", "", "2322", ("typescript", "", "TS2322")),
        ("", "ts(2322)", "", ("typescript", "", "TS2322")),
        ("tsc", "", "error TS2322", ("typescript", "", "TS2322")),
        ("", "error[E0382]", "", ("", "", "E0382")),
        ("cargo", "", "e0382", ("rustc", "", "E0382")),
        ("", "cs0103", "", ("dotnet", "", "CS0103")),
        ("psql", "", "42601", ("psql", "", "42601")),
        ("mypy", "", "[attr-defined]", ("mypy", "", "attr-defined")),
        ("Pylance", "", "reportCallIssue", ("pyright", "", "reportCallIssue")),
        ("", "<class 'ValueError'>", "", ("", "ValueError", "")),
        ("", "Uncaught TypeError", "", ("", "TypeError", "")),
        ("", "Http404", "", ("", "Http404", "")),
        ("node", "Error", "ERR_MODULE_NOT_FOUND", ("node", "Error", "ERR_MODULE_NOT_FOUND")),
    ],
)
def test_names(tool: str, kind: str, code: str, canonical: tuple[str, str, str]) -> None:
    named = with_canonical_names(Failure(tool, error_type=kind, code=code))
    assert (named.tool, named.error_type, named.code) == canonical


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("builtins.ValueError", "valueerror", True),
        ("java.lang.NullPointerException", "NullPointerException", True),
        ("EnvironmentError", "OSError", True),
        ("TS2322", "ts(2322)", True),
        ("std::num::ParseIntError", "ParseIntError", True),
        ("ValueError", "TypeError", False),
        ("TS2322", "TS2345", False),
        ("Http404", "Http405", False),
    ],
)
def test_two_spellings(one: str, other: str, same: bool) -> None:  # noqa: FBT001  a case
    assert same_type(one, other) is same
