"""What is read of an output, line by line: which tool looked at a line, and what came of it.

It is the parser itself that reads; here is only noted what it does.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.matching.parse import BEFORE, Parser  # noqa: TID253  it is one
from gitmem.matching.registry import order, stems
from gitmem.matching.text import TextBlock
from gitmem.output.cases import Report
from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.choice import pattern

if TYPE_CHECKING:
    from gitmem.tools.matchers.reader import Matchers

READ: Final = "read"
GUESS: Final = "guess"
PASSED_OVER: Final = "passed over"
WITHIN: Final = "within"
TEST: Final = "test"
NOTHING: Final = "nothing"
ALIKE: Final = "alike"
NOT_EXAMINED: Final = "not examined"
MOST_LINES: Final = 20_000
"""Lines that are told of; of a longer output only how many there are."""
_MOST_TEXT: Final = 300


class LineTrace(NamedTuple):
    """What came of one line.

    Attributes:
        number: of the line, from 1.
        text: the line itself.
        outcome: ``read`` (a failure that a tool knows), ``guess`` (a failure that none knows),
            ``passed over`` (a tool knows it, and that it is no failure), ``within`` (belongs to
            what begins at ``start``), ``test`` (how tests ended), ``nothing`` (looked at in
            vain), ``alike`` (as one in vain before it) or ``not examined`` (there are enough).
        tool: whose room read it.
        words: words that made it worth a look, with the tools that they are of; the general
            ones where no tool has a word in it.
        start: the first line of what it belongs to.
        failures: numbers of the failures that begin here, from 1.
        unkept: what was read here and told better elsewhere: a summary, a consequence.
    """

    number: int
    text: str
    outcome: str
    tool: str = ""
    words: tuple[tuple[str, str], ...] = ()
    start: int = 0
    failures: tuple[int, ...] = ()
    unkept: tuple[Failure, ...] = ()


class OutputTrace(NamedTuple):
    """What was read of an output.

    Attributes:
        total: how many lines it has.
        lines: those that were looked at, or that told how tests ended.
        unlisted: how many more of these there are.
        failures: as a watched run would have them, each with the line that it begins at.
        more: failures beyond those that are kept.
        report: how its tests ended.
        reason: why nothing was found, or only guesses; empty otherwise.
    """

    total: int
    lines: tuple[LineTrace, ...]
    unlisted: int
    failures: tuple[tuple[int, Failure], ...]
    more: int
    report: Report | None
    reason: str


class _Span(NamedTuple):
    """Lines that a tool, or a guess, has used up; numbers of the whole output, from 0."""

    start: int
    end: int
    at: int
    tool: str
    result: ParserResult
    outcome: str


def trace(
    output: bytes | str, command: str | None = None, matchers: "Matchers | None" = None
) -> OutputTrace:
    """Read an output, and tell what came of each of its lines.

    Args:
        output: the whole.
        command: what was run, if it is known.
        matchers: as for ``Parser``.

    """
    parser = _TracedParser(command, matchers)
    parser.feed(output)
    failures = parser.close()
    return parser.trace(failures)


class _TracedParser(Parser):
    """A parser that notes what it does."""

    def __init__(self, command: str | None, matchers: "Matchers | None") -> None:
        super().__init__(command, matchers=matchers)
        self._tools = order(command)
        self._noted: list[LineTrace] = []
        self._unlisted = 0
        self._spans: list[_Span] = []
        self._tried: set[int] = set()
        self._matched: set[int] = set()  # numbers in the block at hand
        self._answered = ""
        self._window = 0  # number of the first line of the lines that tools are shown

    def _examine(
        self, now: TextBlock, after: TextBlock, hot: Sequence[int], understood: Mapping[int, bool]
    ) -> None:
        above = self._before.lines[-BEFORE:] if self._before.text else []
        self._window = self._first - len(above)
        self._tried, self._matched = set(), set()
        used = self._free
        self._spans = [span for span in self._spans if span.end >= used]
        enough = self._found.full
        super()._examine(now, after, hot, understood)
        for at in sorted({*hot, *understood, *self._matched}):
            if len(self._noted) >= MOST_LINES:
                self._unlisted += 1
            else:
                outcome = NOT_EXAMINED if enough and at in hot else ""
                self._noted.append(self._line(now.lines[at], at, outcome, at in understood))

    def _try(self, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        self._tried.add(self._window + at)
        result = super()._try(lines, at, floor)
        if result:
            self._note(at, self._answered, result, READ if result.failures else PASSED_OVER)
        return result

    def _try_matchers(self, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        result = super()._try_matchers(lines, at, floor)
        if result:
            self._tried.add(self._window + at)
            self._matched.add(self._window + at - self._first)
            self._note(at, self._answered, result, READ)
        return result

    def _match(self, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        result = super()._match(lines, at, floor)
        if result:
            self._answered = result.failures[0].tool
        return result

    def _read(self, tool: str, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        self._answered = tool
        return super()._read(tool, lines, at, floor)

    def _guess(self, lines: Sequence[str], at: int, base: int) -> ParserResult | None:
        result = super()._guess(lines, at, base)
        if result:
            self._note(at, "", result, GUESS)
        return result

    def _note(self, at: int, tool: str, result: ParserResult, outcome: str) -> None:
        base = self._window
        self._spans.append(
            _Span(base + result.start, base + result.end, base + at, tool, result, outcome)
        )

    def _line(self, text: str, at: int, outcome: str, understood: bool) -> LineTrace:  # noqa: FBT001  one of two facts of a line
        number = self._first + at
        line = LineTrace(number + 1, text[:_MOST_TEXT], outcome, words=self._words(text))
        if outcome:
            return line
        own = next((span for span in self._spans if span.at == number), None)
        if own:
            return line._replace(
                outcome=own.outcome, tool=own.tool, start=own.start + 1, unkept=own.result.failures
            )
        around = next((span for span in self._spans if span.start <= number < span.end), None)
        if around and around.outcome != GUESS:
            return line._replace(outcome=WITHIN, tool=around.tool, start=around.at + 1)
        if understood:
            return line._replace(outcome=TEST)
        return line._replace(outcome=NOTHING if number in self._tried else ALIKE)

    def _words(self, text: str) -> tuple[tuple[str, str], ...]:
        own = [(tool.name, word) for tool in self._tools for word in tool.words if word in text]
        first_of_each = tuple({tool: (tool, word) for tool, word in reversed(own)}.values())
        return first_of_each[::-1] or tuple(("", stem) for stem in stems() if stem in text)

    def _line_of(self, failure: Failure) -> int:
        """Give the line of a failure; of what all of an output says the line that says it."""
        line = self._found.line_of(failure)
        if line is not None:
            return line
        lines, wording = self._before.lines, failure.message.partition("\n")[0]
        at = next((at for at in range(len(lines) - 1, 0, -1) if wording in lines[at]), 0)
        return max(0, self._first - len(lines)) + at

    def _with_ends(self, numbered: Iterable[tuple[int, Failure]]) -> list[LineTrace]:
        """Add the lines of failures that were read once all of the output was known."""
        noted = {line.number: line for line in self._noted}
        begun = {line.start for line in self._noted}
        lines = self._before.lines
        first = self._first - len(lines)
        for start, _ in numbered:
            number = start + 1
            if number in begun:
                continue
            text = lines[start - first][:_MOST_TEXT] if 0 <= start - first < len(lines) else ""
            line = noted.get(number) or LineTrace(number, text, GUESS)
            noted[number] = line._replace(outcome=GUESS, start=number)
        return [noted[number] for number in sorted(noted)]

    def trace(self, failures: Sequence[Failure]) -> OutputTrace:
        """Put together what was noted, once the output is closed."""
        numbered = tuple((self._line_of(failure), failure) for failure in failures)
        noted = self._with_ends(numbered)
        lines = tuple(_numbered(line, numbered) for line in noted)
        report = self.report()
        return OutputTrace(
            self._first,
            lines,
            self._unlisted,
            tuple((line + 1, failure) for line, failure in numbered),
            self.more,
            report,
            _reason(failures, lines, report, self._first),
        )


def _numbered(line: LineTrace, failures: Iterable[tuple[int, Failure]]) -> LineTrace:
    """Say which failures begin at a line; what is none of them was told better elsewhere."""
    if line.outcome not in (READ, GUESS):
        return line
    own = tuple(number for number, (start, _) in enumerate(failures, 1) if start == line.start - 1)
    return line._replace(failures=own, unkept=() if own else line.unkept)


def _reason(
    failures: Sequence[Failure], lines: Sequence[LineTrace], report: Report | None, total: int
) -> str:
    """Say why nothing was found."""
    if any(failure.tool for failure in failures):
        return ""
    if failures:
        return "no tool knows these lines: what is shown is a guess from single lines"
    if not total:
        return "the output is empty"
    examined = [line for line in lines if line.outcome != TEST]
    if not examined and report:
        return "it only tells how tests ended, and of none that failed"
    if not examined:
        return "no line holds a word of trouble, such as error, failed or exception"
    closing = pattern("output.closing")
    if all(line.outcome == PASSED_OVER or closing.match(line.text) for line in examined):
        return "the lines with words of trouble only close an output, or say what is no failure"
    return "lines hold words of trouble, but are in no form that a tool is known to print"
