"""What of a rule's matches a change brings, and which rules of a clone are read at all."""

from typing import Any

import pytest

from gitmem.diffs import read_files
from gitmem.guards.rules import LONGEST, RuleMatch, brought, parts_of, rule_in
from gitmem.syntax.languages import language_of

CALL = "load("


def told(diff: str) -> list[tuple[str, int]]:
    """Hold a rule that matches each line with ``load(`` against a diff."""
    parts = parts_of(read_files(diff), language_of)
    sources = [source for part in parts for source in (part.before, part.after)]
    matches = [
        RuleMatch(number, at, at, line.strip())
        for number, source in enumerate(sources)
        for at, line in enumerate(source.text.split("\n"), 1)
        if CALL in line
    ]
    return brought(parts, matches)


def change(path: str, *lines: str, start: int = 1) -> str:
    old = sum(line[0] != "+" for line in lines)
    new = sum(line[0] != "-" for line in lines)
    body = "".join(f"{line}\n" for line in lines)
    head = f"--- a/{path}\n+++ b/{path}\n@@ -{start},{old} +{start},{new} @@\n"
    return f"diff --git a/{path} b/{path}\n{head}{body}"


def test_only_what_comes_is_told_with_its_line() -> None:
    diff = change("a.py", " a = load(x)", " pass", "+b = load(y)", start=7)
    assert told(diff) == [("a.py", 9)]


def test_what_goes_or_stays_is_not_told() -> None:
    assert told(change("a.py", " a = load(x)", "-b = load(y)", "+b = safe(y)")) == []


def test_code_that_moves_to_another_file_is_no_news() -> None:
    here = change("a.py", " import x", "-b = load(y)")
    there = change("b.py", " import x", "+b = load( y )")
    assert told(here + there) == []
    assert told(there) == [("b.py", 2)]


def test_a_line_in_another_form_is_no_news_in_its_file_and_is_in_another() -> None:
    """Whoever only renames a variable beside an old call must not be told of that call."""
    assert told(change("a.py", "-b = load(y)", "+c = load(z, 1)")) == []
    moved = change("a.py", "-b = load(y)", "+pass") + change("b.py", "-pass", "+c = load(z, 1)")
    assert told(moved) == [("b.py", 1)]


def test_of_two_that_are_the_same_the_new_line_is_told() -> None:
    diff = change("a.py", "+b = load(y)", " pass", " b = load(y)")
    assert told(diff) == [("a.py", 1)]


@pytest.mark.parametrize(
    "guard",
    [
        None,
        "yaml.load($A)",
        {"language": "python"},
        {"language": 3, "pattern": "x"},
        {"language": "python", "pattern": ["x"]},
        {"language": "python", "pattern": "  "},
        {"language": "python", "rule": "x"},
        {"language": "python", "pattern": "x", "tool": "rm"},
        {"language": "python", "pattern": "x" * (LONGEST + 1)},
        {"language": "python", "rule": {"any": ["x" * LONGEST]}},
    ],
)
def test_what_is_no_rule_is_not_read(guard: Any) -> None:
    assert rule_in({"guard": guard}) is None


def test_a_rule_is_read_as_records_hold_it() -> None:
    pattern = {"tool": "ast-grep", "language": "python", "pattern": "yaml.load($A)"}
    whole = {"tool": "semgrep", "language": "go", "rule": {"patterns": [{"pattern": "x"}]}}
    for data in (pattern, whole):
        rule = rule_in({"guard": data})
        assert rule is not None
        assert rule.as_data() == data
    assert rule_in({"guard": {"language": "go", "pattern": "x"}}) == rule_in(
        {"guard": {"tool": "ast-grep", "language": "go", "pattern": "x"}}
    )
