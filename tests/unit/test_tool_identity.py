"""What tools say of their messages can be joined, and is asked whichever tool a failure bears."""

import re

import pytest

from gitmem.matching.basis import tells_only_the_end
from gitmem.matching.site import is_assertion
from gitmem.matching.titles import title_of
from gitmem.tools.choice import names, pattern, tool_of, values

_PATTERNS = [
    "identity.compares", "identity.compares_unmasked", "identity.silent", "identity.crash",
    "title.matcher", "title.detail", "title.left", "title.right", "title.differences",
    "title.filler",
]  # fmt: skip


@pytest.mark.parametrize("field", _PATTERNS)
def test_patterns_are_joined_in_the_order_of_the_tools(field: str) -> None:
    texts = values(field)
    assert list(texts) == [name for name in names() if name in texts]
    assert pattern(field).pattern == "|".join(texts.values())
    re.compile(pattern(field).pattern)


@pytest.mark.parametrize(
    "field", ["title.matcher", "title.detail", "title.left", "title.right", "title.cause"]
)
def test_a_pattern_of_a_value_has_one_group_without_a_name(field: str) -> None:
    for text in values(field).values():
        compiled = re.compile(text)
        assert (compiled.groups, compiled.groupindex) == (1, {})


def test_codes_or_words_tell() -> None:
    assert set(values("identity.code_tells").values()) == {"code", "words"}
    assert set(values("identity.origin")) <= set(values("identity.compares"))
    assert all(tool_of(name) for name in values("identity.counts_as").values())


@pytest.mark.parametrize("name", ["AssertionError", "ComparisonFailure", "Failed"])
def test_types_of_failed_assertions(name: str) -> None:
    assert is_assertion(name)
    assert not is_assertion("ValueError")


@pytest.mark.parametrize(
    ("tool", "message", "title"),
    [
        ("ctest", "Timeout", "suite: Timeout"),
        ("gradle", "It failed.\n> A problem\n   > the cause ", "It failed: the cause"),
        ("rustc", "mismatched types", "E0308: mismatched types"),
        ("", "expect(received).toBe(expected)", "toBe: expected 1, received 2"),
        ("", "cannot find symbol\n  symbol:   class Foo", "cannot find symbol: class Foo"),
        ("", "assertion failed\n  left: 1\n right: 2", "assertion failed: 1 and 2"),
        ("", "differ:\n+ actual - expected\n+ 1\n- 2", "differ: 2, got 1"),
    ],
)
def test_titles(tool: str, message: str, title: str) -> None:
    test = {"name": "suite", "expected": "1", "actual": "2"}
    assert title_of({"tool": tool, "code": "E0308", "message": message, "test": test}) == title


def test_a_crash_tells_only_the_end_whoever_says_it() -> None:
    assert tells_only_the_end({"tool": "", "message": "app: signal: 11, SIGSEGV"})
    assert tells_only_the_end({"frames": [{"file": "a.py", "line": 3}]})  # what failed is not said
    assert tells_only_the_end({"tool": "ctest", "message": "Failed"})
    assert not tells_only_the_end({"tool": "pytest", "message": "Failed"})
