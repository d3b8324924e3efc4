"""What rooms of tools say is joined to one pattern: each alternative once, no group in it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gitmem.capture.own_words import test_words as words_of_tests
from gitmem.tools import choice
from gitmem.tools.base import ToolFrames, ToolSilence
from gitmem.tools.choice import alternatives, values
from gitmem.tools.common.frames import function_name

WORDS = {"defines", "groups", "covers", "files", "nameless"}
"""Fields that hold no patterns."""
APART = {"definition"}
"""Fields whose patterns are asked one by one, see ``test_tool_fields``."""


def texts_of(said: Any) -> Iterator[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        yield from (text for pair in said.items() for text in texts_of(pair[1]) if text)
        yield from (name for name, more in said.items() if isinstance(more, bool))
    elif isinstance(said, tuple):
        for each in said:
            yield from texts_of(each[1] if isinstance(each, tuple) else each)


PATTERNS = [
    (field, tool, text)
    for part, named in (("silence", ToolSilence), ("frames", ToolFrames))
    for name in named._fields
    if name not in WORDS | APART
    for field in [f"{part}.{name}"]
    for tool, said in values(field).items()
    for text in texts_of(said)
]


@pytest.mark.parametrize(("field", "tool", "text"), PATTERNS)
def test_a_pattern_of_a_tool_can_be_joined_with_others(field: str, tool: str, text: str) -> None:
    compiled = re.compile(text)
    assert not compiled.groupindex
    assert field == "frames.clean" or not compiled.groups, tool
    assert compiled.fullmatch("") is None, "it would match anywhere"


def test_alternatives_stand_once_in_the_order_of_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"frames.folders": {"a": ("x", "y"), "b": "z", "c": ("y", "w")}}
    monkeypatch.setattr(choice, "values", lambda field: fields.get(field, {}))
    assert alternatives.__wrapped__("frames.folders") == "x|y|z|w"
    assert re.search(alternatives.__wrapped__("frames.paths"), "x") is None


def test_words_that_define_a_test_are_those_of_all_runners() -> None:
    assert words_of_tests() == "it|specify|test|test_that"


@pytest.mark.parametrize(
    ("function", "name"),
    [("Object.func1 [as run]", "func1"), ("a.func1 [as run]", "a.func1"),
     ("shop.Run.func1", "shop.Run"), ("new <Main>b__0(int)", "Main"),
     ("block (2 levels) in total", "total")],
)  # fmt: skip
def test_what_is_around_a_name_is_taken_away_in_one_order(function: str, name: str) -> None:
    assert function_name(function) == name
