"""What people are told of a tool follows from its room."""

from gitmem.tools.choice import load, names
from gitmem.tools.knowledge import all_knowledge, details, fields_of, gaps, knowledge_of


def test_every_tool_is_told_of_once() -> None:
    assert [tool.name for tool in all_knowledge()] == sorted(names())


def test_failures_are_read_by_a_tool_itself_or_by_those_that_print_the_same() -> None:
    for name in names():
        output = load(name).output
        own = (name,) if output.parse else ()
        assert knowledge_of(name).failures == (*own, *output.like)


def test_what_a_tool_says_is_shown_in_plain_words() -> None:
    shown = dict(details("mypy"))
    assert shown["programs"] == "mypy, dmypy"
    assert shown["looks at lines with"] == '": error: "'
    assert dict(details("make"))["knows lines that only close an output"] == "yes"


def test_what_is_not_said_is_a_gap_and_what_is_said_none() -> None:
    for tool in all_knowledge():
        missing = dict(gaps(tool))
        assert ("failures" in missing) == (not tool.failures)
        assert ("counts" in missing) == (not tool.counts)
        assert ("exits" in missing) == (not load(tool.name).ending.codes)


def test_fields_at_their_defaults_are_not_shown() -> None:
    assert "output.events" not in fields_of("mypy")
    assert "output.words" in fields_of("mypy")
