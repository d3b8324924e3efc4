"""What is read of tools, and of an output, as text and as JSON."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from gitmem.matching.recorded import from_fields
from gitmem.matching.titles import title_of
from gitmem.matching.trace import (
    ALIKE,
    GUESS,
    NOT_EXAMINED,
    NOTHING,
    PASSED_OVER,
    READ,
    TEST,
    WITHIN,
)
from gitmem.output.failure import Failure, as_fields
from gitmem.plurals import counted
from gitmem.redaction import redact, redact_data
from gitmem.render.text import Painter, one_line
from gitmem.tools.knowledge import details, gaps

if TYPE_CHECKING:
    from gitmem.matching.trace import LineTrace, OutputTrace
    from gitmem.tools.knowledge import ToolKnowledge

_NUMBER: Final = 7
_TOOL: Final = 11
_MOST_LINES: Final = 200
_MOST_FAILURES: Final = 20
_WORDS: Final = 3


def readings(knowledge: "ToolKnowledge") -> tuple[str, ...]:
    """Name what of a tool is read, in the words of the columns of the documentation."""
    like = [name for name in knowledge.failures if name != knowledge.name]
    own = knowledge.name in knowledge.failures
    failures = "failures" if own else f"failures as {' and '.join(like)}" if like else ""
    read = {
        failures: bool(failures),
        "tests": knowledge.tests,
        "counts": knowledge.counts,
        "reports": knowledge.reports,
        "editors": bool(knowledge.editor),
        "files": knowledge.files,
    }
    return tuple(word for word, has in read.items() if has)


def listing(
    tools: "Iterable[ToolKnowledge]", refused: Iterable[tuple[str, str]], painter: Painter
) -> Iterator[str]:
    """One line a tool: its name, the language, who describes it, what is read; what is not used."""
    each = list(tools)
    widest = max(len(tool.name) for tool in each)
    language = max(len(tool.language) for tool in each)
    for tool in each:
        yield painter.line(
            0,
            [
                (f"{tool.name:<{widest}}", ("bold",)),
                (f"{tool.language:<{language}}", ("dim",)),
                (tool.origin, ("dim",)),
                (", ".join(readings(tool)) or "only its name", ()),
            ],
        )
    for origin, reason in refused:
        text = f"{one_line(origin)}: {one_line(reason)}"
        yield painter.line(0, [("not used", ("yellow",)), (text, ("dim",))])


def room(tool: "ToolKnowledge", painter: Painter) -> Iterator[str]:
    """All that is known of one tool, and what is missing."""
    about = ", ".join(filter(None, (tool.language, tool.origin)))
    yield painter.line(0, [(tool.name, ("bold",)), (about, ("dim",))])
    yield painter.line(2, [(f"read: {', '.join(readings(tool)) or 'only its name'}", ())])
    for label, value in details(tool.name):
        text = label if value == "yes" else f"{label}: {one_line(value)}"
        yield painter.line(2, [(text, ())])
    missing = list(gaps(tool))
    if missing:
        yield painter.line(0, [("missing", ("bold",))])
    for part, consequence in missing:
        yield painter.line(2, [(f"{part}: {consequence}", ("dim",))])


def without_secrets(trace: "OutputTrace", environ: Mapping[str, str]) -> "OutputTrace":
    """Take the secrets out of what is shown: such lines are pasted into issues."""

    def clean(text: str) -> str:
        return redact(text, environ=environ).text

    def cleaned(failure: Failure) -> Failure:
        return from_fields(redact_data(as_fields(failure), environ=environ)[0])

    return trace._replace(
        lines=tuple(
            line._replace(text=clean(line.text), unkept=tuple(map(cleaned, line.unkept)))
            for line in trace.lines
        ),
        failures=tuple((line, cleaned(failure)) for line, failure in trace.failures),
    )


def traced(trace: "OutputTrace", painter: Painter) -> Iterator[str]:
    """What came of each line of an output, and of all of it."""
    runs = [list(lines) for _, lines in groupby(trace.lines, _together)]
    for lines in runs[:_MOST_LINES]:
        first, last = lines[0], lines[-1]
        numbers = str(first.number) + (f"-{last.number}" if last is not first else "")
        colour = {READ: "red", GUESS: "yellow", NOTHING: "yellow"}.get(first.outcome, "dim")
        texts = [_told(at, trace.failures[at - 1][1]) for at in first.failures] or [_came(first)]
        for text in texts:
            parts = [(numbers, ("dim",)), (f"{first.tool:<{_TOOL}}", ("bold",)), (text, (colour,))]
            yield painter.line(_NUMBER - len(numbers), parts)
        if first.outcome in (NOTHING, PASSED_OVER, TEST):
            yield painter.line(_NUMBER + 2, [("", ()), (one_line(first.text), ("dim",))])
    rest = sum(map(len, runs[_MOST_LINES:])) + trace.unlisted
    if rest:
        yield painter.line(0, [(f"… and {counted(rest, 'line')} more; all: --json", ("dim",))])
    yield from _summary(trace, painter)


def _together(line: "LineTrace") -> tuple[object, ...]:
    """Tell which lines in a row are shown as one: those of one block, or of which one is told."""
    alone = line.number if line.outcome in (READ, GUESS, NOTHING, PASSED_OVER) else 0
    return line.outcome, line.tool, line.start, alone


def _came(line: "LineTrace") -> str:
    if line.outcome in (READ, GUESS):
        lead = "told better elsewhere" if line.outcome == READ else "a guess, not needed"
        return f"{lead}: {_title(line.unkept[0])}"
    return {
        PASSED_OVER: "passed over: no failure, as this tool knows",
        WITHIN: f"belongs to line {line.start}",
        TEST: "how tests ended",
        NOTHING: f"looked at, nothing read ({_asked(line)})",
        ALIKE: "as a line above in which nothing was read",
        NOT_EXAMINED: "not looked at: there are failures enough",
    }[line.outcome]


def _asked(line: "LineTrace") -> str:
    words = [
        f'{tool} for "{word}"' if tool else f'for "{word}"' for tool, word in line.words[:_WORDS]
    ]
    more = len(line.words) - _WORDS
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")


def _title(failure: Failure) -> str:
    return one_line(title_of(as_fields(failure)))


def _told(number: int, failure: Failure) -> str:
    guess = "" if failure.tool else "a guess, "
    test = f"test {failure.test.name}" if failure.test else ""
    where = ", ".join(filter(None, (_place(failure), test)))
    return f"{guess}failure {number}: {_title(failure)}" + (
        f" ({one_line(where)})" if where else ""
    )


def _place(failure: Failure) -> str:
    place = failure.location
    file, line = (place.file, place.line) if place else ("", None)
    own = next((frame for frame in reversed(failure.frames) if frame.in_app), None)
    if not file and own:
        file, line = own.file, own.line
    return f"{file}:{line}" if file and line else file


def _summary(trace: "OutputTrace", painter: Painter) -> Iterator[str]:
    examined = sum(line.outcome != TEST for line in trace.lines)
    lines = f"{counted(trace.total, 'line')}, {examined} with a word of trouble"
    failures = counted(len(trace.failures) + trace.more, "failure")
    yield painter.line(0, [(f"{lines}, {failures}", ("bold",))])
    shown = {number for line in trace.lines for number in line.failures}
    apart = [pair for pair in enumerate(trace.failures, 1) if pair[0] not in shown]
    for number, (line, failure) in apart[:_MOST_FAILURES]:
        where = ", ".join(filter(None, (f"line {line}", failure.tool)))
        yield painter.line(2, [(f"{where}: {_told(number, failure)}", ())])
    if len(apart) > _MOST_FAILURES:
        yield painter.line(2, [(f"and {len(apart) - _MOST_FAILURES} more", ("dim",))])
    report = trace.report
    if report:
        ended = ", ".join(f"{number} {status}" for status, number in _counts(trace).items())
        all_named = "" if report.complete else ", not all named"
        yield painter.line(2, [(f"tests: {ended or 'told in groups'}{all_named}", ())])
    if trace.reason:
        lead = "" if trace.failures else "nothing was found: "
        yield painter.line(2, [(lead + trace.reason, ("yellow",))])


def _counts(trace: "OutputTrace") -> dict[str, int]:
    report = trace.report
    if report is None:
        return {}
    if report.counts is not None:
        return {status: number for status, number in report.counts.items() if number}
    counts: dict[str, int] = {}
    for case in report.cases:
        counts[case.status] = counts.get(case.status, 0) + 1
    return counts


def tool_json(tool: "ToolKnowledge", *, whole: bool = False) -> dict[str, Any]:
    """One tool for programs; whole: with its values and what is missing."""
    shown = tool._asdict()
    if whole:
        shown |= {"details": dict(details(tool.name)), "missing": dict(gaps(tool))}
    return shown


def trace_json(trace: "OutputTrace") -> dict[str, Any]:
    """What was read of an output, for programs."""
    return {
        "total": trace.total,
        "lines": [
            {
                "number": line.number,
                "text": line.text,
                "outcome": line.outcome,
                "tool": line.tool,
                "words": [{"tool": tool, "word": word} for tool, word in line.words],
                "start": line.start,
                "failures": list(line.failures),
            }
            for line in trace.lines
        ],
        "unlisted": trace.unlisted,
        "failures": [
            {"line": line, "title": _title(failure), **as_fields(failure)}
            for line, failure in trace.failures
        ],
        "more": trace.more,
        "tests": _counts(trace) if trace.report else None,
        "reason": trace.reason,
    }
