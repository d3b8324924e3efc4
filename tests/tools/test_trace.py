"""A trace tells of an output what the parser reads of it, and why it reads nothing."""

import pytest

from gitmem.matching import trace as tracing
from gitmem.matching.parse import Parser, parse
from gitmem.matching.trace import (
    ALIKE,
    GUESS,
    NOTHING,
    PASSED_OVER,
    READ,
    TEST,
    WITHIN,
    LineTrace,
    trace,
)
from tests.tools.test_corpus import EACH, Sample


def came(text: str, command: str | None = None) -> dict[int, str]:
    return {line.number: line.outcome for line in trace(text, command).lines}


@EACH
def test_it_reads_what_the_parser_reads(sample: Sample) -> None:
    parser = Parser(sample.command)
    parser.feed(sample.output)
    failures = parser.close()
    seen = trace(sample.output, sample.command)
    assert [failure for _, failure in seen.failures] == failures
    assert (seen.report, seen.more) == (parser.report(), parser.more)
    assert (seen.reason == "") == any(failure.tool for failure in failures)
    begun = {number for line in seen.lines for number in line.failures}
    assert begun <= set(range(1, len(failures) + 1))


@EACH
def test_every_failure_begins_at_a_line_that_is_told_of(sample: Sample) -> None:
    seen = trace(sample.output, sample.command)
    numbers = [line.number for line in seen.lines]
    assert numbers == sorted(set(numbers))
    starts = {line.start for line in seen.lines} | set(numbers)
    for line, _ in seen.failures:
        assert line in starts


def test_a_failure_and_the_lines_that_belong_to_it() -> None:
    text = (
        "ok\na.py:3: error: no [call]\n"
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\n'
        "ValueError: bad\n"
    )
    seen = trace(text)
    assert came(text) == {2: READ, 3: READ, 4: WITHIN, 6: WITHIN}
    assert [(line.tool, line.failures) for line in seen.lines if line.outcome == READ] == [
        ("mypy", (1,)),
        ("python", (2,)),
    ]
    assert {line.start for line in seen.lines if line.outcome == WITHIN} == {3}


def test_lines_in_vain_say_which_word_made_them_looked_at() -> None:
    seen = trace("".join(f"reading {at} files, 0 errors so far\n" for at in range(12, 19)))
    assert seen.lines[0].outcome == NOTHING
    assert {line.outcome for line in seen.lines[2:-1]} == {ALIKE}
    assert {word for _, word in seen.lines[0].words} == {"rror", " error"}
    assert "in no form" in seen.reason


def test_the_line_that_states_what_is_wrong_is_named() -> None:
    seen = trace("summing up\nread: 12 rows\ncheck: wrong sum of row 3\ndone\n")
    assert [(line, failure.message) for line, failure in seen.failures] == [
        (3, "check: wrong sum of row 3")
    ]


def test_a_word_of_no_tool_is_one_of_trouble() -> None:
    (line,) = trace("the raceback\n").lines
    assert line.words == (("", "raceback"),)


def test_how_tests_ended() -> None:
    seen = trace("tests/test_a.py::test_b PASSED    [100%]\n===== 1 passed in 0.01s =====\n")
    assert {line.outcome for line in seen.lines} == {TEST}
    assert seen.report
    assert seen.reason == "it only tells how tests ended, and of none that failed"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the output is empty"),
        ("all is well\n", "no line holds a word of trouble, such as error, failed or exception"),
        (
            "make[1]: Leaving directory '/tests/fail'\nBUILD FAILED\n",
            "the lines with words of trouble only close an output, or say",
        ),
    ],
)
def test_why_nothing_was_found(text: str, reason: str) -> None:
    seen = trace(text)
    assert seen.failures == ()
    assert seen.reason.startswith(reason)


def test_what_all_of_an_output_says_has_a_line() -> None:
    seen = trace("compiling\nmoon: a.moon:2: attempt to add a nil value (field 'price')\n")
    ((line, failure),) = seen.failures
    assert (line, failure.tool) == (2, "")
    assert "attempt to add" in failure.message


def test_a_guess_is_called_one() -> None:
    seen = trace("frobnicate: error: cannot open device\n")
    assert [line.outcome for line in seen.lines] == [GUESS]
    assert seen.lines[0].failures == (1,)
    assert seen.reason.startswith("no tool knows these lines")


def test_what_a_tool_passes_over_is_no_failure() -> None:
    text = "Failures:\n\n  1) Cart waits\n     # soon\n     Failure/Error: expect(1).to eq(2)\n"
    assert PASSED_OVER in came(text, "rspec").values() or parse(text, "rspec")


def test_the_same_in_many_blocks() -> None:
    text = "".join(f"line {at}: fine\n" for at in range(60_000)) + "a.py:3: error: no [call]\n"
    seen = trace(text)
    assert (seen.total, [line for line, _ in seen.failures]) == (60_001, [60_001])
    assert seen.lines[-1].number == 60_001
    assert seen.lines[-1].text == "a.py:3: error: no [call]"


def test_no_more_lines_are_told_of_than_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MOST_LINES", 5)
    seen = trace("".join(f"tests/test_a.py::test_{at} PASSED\n" for at in range(9)))
    assert (len(seen.lines), seen.unlisted) == (5, 4)
    assert isinstance(seen.lines[0], LineTrace)
