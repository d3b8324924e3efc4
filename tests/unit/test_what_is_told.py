"""What a line announces is what is told, and what a person wrote is no output of a tool."""

import pytest

from benchmarks.identity import ask_by_fingerprints, strongest
from gitmem.matching.naming import names_of
from gitmem.matching.parse import main_failure, parse
from gitmem.output.failure import Failure

REPORTS = (
    "```py\nIn [3]: (x/y)**t\n```\n\nAlso, when it prints, the baseline is not valid here.",
    (
        "Paths are isolated now.\n\nExample:\n\nmvn verify -Djob.id=1\n\n"
        "- Root tests must be disabled to stop them cleaning up\n  the paths of other runs.\n"
    ),
)
BELOW = (
    ("Schema validation errors were encountered.\n  a.json::$.name: 3 is not of type 'string'\n",
     "$.name: 3 is not of type 'string'"),
    (("Validation failed!\nError validating data 'a.yaml' with schema 's.yaml'\n"
     "\tname: '3' is not a str.\n"), "name: '3' is not a str."),
    (("\u256d\u2500 Error \u2500\u2500\u2500\u256e\n"
     "\u2502 Missing argument \u2502\n\u2502 'price'. \u2502\n\u2570\u2500\u256f\n"),
     "Missing argument 'price'."),
    ("a.coffee:3:5: error: unmatched )\nx = )\n    ^\n", "unmatched )"),
)  # fmt: skip


@pytest.mark.parametrize("text", REPORTS)
def test_a_point_of_a_report_is_no_failure(text: str) -> None:
    assert parse(text) == []
    assert main_failure(text).message == text.strip()


@pytest.mark.parametrize(("text", "message"), BELOW)
def test_what_a_closing_line_announces_is_told(text: str, message: str) -> None:
    assert [failure.message for failure in parse(text)] == [message]


def test_a_list_of_counts_says_nothing() -> None:
    """Two runs with other findings were one: their lists of counts are alike."""
    head = "Validating...\na.rst:4: D002 Trailing whitespace\nDetailed error counts:\n"
    counts = "    - Endings = 0\n    - Whitespace = 1\n"
    (failure,) = parse(head + counts)
    assert (failure.code, failure.message) == ("D002", "Trailing whitespace")
    other = (head + counts).replace("D002 Trailing whitespace", "D003 Tabulation used")
    answers = ask_by_fingerprints({"a": head + counts, "other": [other]})
    assert strongest(answers.texts["other"][0]) not in {"error", "message"}


def test_what_one_wording_alone_quotes_is_no_name() -> None:
    ty = "Cannot subscript object of type `None` with no `__getitem__` method"
    assert names_of(Failure(tool="ty", message=ty)) == names_of(
        Failure(tool="pyrefly", message="`None` is not subscriptable")
    )
    semicolon, bracket = (
        names_of(Failure(tool="gcc", message=f"expected '{sign}' before '}}' token"))
        for sign in ";)"
    )
    assert semicolon != bracket
