"""Read failures from the output of a command, in one go or as it comes.

The stream is cut into blocks of whole lines. In a block the hot lines are found in one
pass; only there parsers look closer, and they see the block before and the block
after. So memory is three blocks, and the result is the same for every way to cut the stream.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import EXIT, TOOL, basis
from gitmem.matching.collect import MOST, FailureCollection, says
from gitmem.matching.headed_names import behind_names, headed_names, unplaced
from gitmem.matching.outcomes.reader import OutcomeReader
from gitmem.matching.registry import EventStream, WordLookup, order, reader
from gitmem.matching.test_names import parent_test, tail  # noqa: TID253  every output needs it
from gitmem.matching.text import BarrenLines, Blocks, TextBlock, clean
from gitmem.output.cases import ERROR, Report
from gitmem.output.failure import MAX_MESSAGE, Failure, ParserResult, Test, excerpt
from gitmem.tools.choice import pattern, values

if TYPE_CHECKING:
    from gitmem.matching.prefixes import PrefixReader
    from gitmem.tools.matchers.reader import Matchers

BEFORE: Final = 600
"""Lines of the block before that a parser can look back to."""
_PIECE: Final = 1 << 20
_LAST_LINES: Final = 40
_MOST_BEHIND: Final = 600
"""Lines of an output of which it is tried what stands behind their first columns."""
_LEAST: Final = 3
_FEW: Final = 24
"""Lines of a flat list that may all bear something before their places."""
_OPENS: Final = lazily(r"\d|^(?:{|##\[|std)")


class Parser:
    """Takes an output as it comes; ``trace`` has one that tells of every line.

    Args:
        command: what was run, if it is known: its parsers are tried first.
        most: how many failures are kept.
        matchers: that the repository describes its own tools with; None: none.

    """

    def __init__(
        self, command: str | None = None, *, most: int = MOST, matchers: "Matchers | None" = None
    ) -> None:
        self._matchers = matchers.reader() if matchers else None
        self._command = command
        self._blocks = Blocks()
        self._events = EventStream()
        self._prefix_reader: PrefixReader | None = None
        self._before = TextBlock("")
        self._now: TextBlock | None = None
        self._first = 0  # number of the first line of the block at hand
        self._free = 0  # number of the first line that no failure has used
        self._found = FailureCollection(most)
        self._outcomes = OutcomeReader()
        self._failures: list[Failure] = []
        self._understood: Mapping[int, bool] = {}  # of the last block, what told how tests ended
        self._barren = BarrenLines()
        self._lines_behind = _MOST_BEHIND
        self.examined = 0  # hot lines looked at, for tests of the amount of work

    @cached_property
    def _lookup(self) -> WordLookup:
        return WordLookup(order(self._command))

    @property
    def more(self) -> int:
        """How many failures were seen beyond those that are kept."""
        return self._found.more

    def feed(self, data: bytes | str) -> None:
        """Take the next piece of the output."""
        for text in self._blocks.feed(data):
            self._next(TextBlock(self._events.plain(text)))

    def close(self, *, passed: bool = False) -> list[Failure]:
        """Give the failures, in order of appearance.

        Args:
            passed: the command succeeded, so what no tool says is no failure.

        """
        for text in self._blocks.close():
            self._next(TextBlock(self._events.plain(text)))
        if rest := self._events.rest():
            self._next(TextBlock(rest))
        self._next(TextBlock(""))
        self._name_tests()
        self._failures = _without_wrappers(self._found.result())
        if self._before.text and not passed:
            self._failures = self._found.together(self._general(self._failures) or self._failures)
        self._failures = self._found.headed(self._failures)
        return self._failures

    def _general(self, failures: list[Failure]) -> list[Failure]:
        """Give what an output of an unknown tool says by its form, rather than a closing line."""
        lines = self._before.lines
        causing = [item for item in failures if item.severity not in ("consequence", "ending")]
        by_tool = any(basis(item) == TOOL and says(item) for item in causing)
        failures = list(filter(says, failures))  # a trace that gives no reason may have one
        if by_tool:
            return self._of_tests(failures, lines)
        if tests := self._failing_tests(lines):
            from gitmem.matching.joined_tests import beside

            return [*beside(failures, tests), *tests]
        first = self._first - len(lines)
        # What a runner says of its tests, those that pass or are skipped too, is no list of faults.
        report = self._outcomes.report(failures)
        if report is None and (listed := self._listed(failures, lines, first)):
            self._found.instead(listed)
            return [failure for _, failure in listed]
        causing = list(filter(says, causing))
        guessed = any(basis(item) != EXIT or item.tool or item.error_type for item in causing)
        steps = sum(item.severity == "ending" for item in failures)
        if steps > 1 or (guessed and (len(failures) > 1 or failures[0].severity != "hint")):
            return failures
        from gitmem.matching.general import SURE, statement

        telling = [lines[at] for at in self._telling(len(lines))]
        plain = self._without_prefixes(telling, range(len(telling)))
        stated = statement(plain or telling, least=SURE if guessed else 0)
        if stated is None or (guessed and stated[1].location is None):
            return failures
        at, failure = stated
        self._found.instead([(first + self._telling(len(lines))[at], failure)])
        return [failure]

    def _of_tests(self, failures: list[Failure], lines: list[str]) -> list[Failure]:
        """Name the tests of a runner that nobody knows, whose language somebody does."""
        named = [item for item in failures if item.test]
        if all(item.location for item in named) and (named or self._outcomes.failing()):
            return failures
        from gitmem.matching.joined_tests import joined

        return joined(failures, self._failing_tests(lines))

    def _listed(
        self, failures: list[Failure], lines: list[str], first: int
    ) -> list[tuple[int, Failure]]:
        """Give the faults that an output lists, and the guesses that are of none of them."""
        from gitmem.matching.fault_lists import faults

        plain = None if failures else self._without_prefixes(lines, range(len(lines)))
        listed = faults(plain or lines)
        sure = listed or any(item.severity != "hint" for item in failures)
        if not sure and len(lines) <= _FEW:
            listed = next(filter(None, map(faults, self._behind(lines, 0))), [])
        if listed:
            from gitmem.matching.tested_faults import with_tests

            listed = with_tests(listed, plain or lines)
        spans = [range(first + each.start, first + each.end) for each in listed]
        others = [
            (line, item)
            for item in failures
            if item.severity == "error"
            and basis(item) != EXIT
            and (line := self._found.line_of(item)) is not None
            and not any(line in span for span in spans)
        ]
        if others and all(each.mild for each in listed):
            return []
        numbered = [(first + each.start, each.failure) for each in listed]
        return sorted([*numbered, *others], key=lambda pair: pair[0]) if listed else []

    def _failing_tests(self, lines: list[str]) -> list[Failure]:
        if len(lines) < _LEAST:  # a headline, what is wrong below it, and a count
            return []
        from gitmem.matching.general_tests import failing_tests

        return failing_tests(self._without_prefixes(lines, range(len(lines))) or lines)

    def _behind(self, lines: Sequence[str], at: int, *, named: bool = False) -> Iterator[list[str]]:
        """Give the lines as they are if something was put before one of them."""
        if not self._lines_behind:
            return iter(())
        self._lines_behind -= 1
        from gitmem.matching.shared_heads import without_heads

        return without_heads(lines, at, named=named)

    def _without_prefixes(self, lines: list[str], hot: Iterable[int]) -> list[str] | None:
        """Take off what services and logs put before the lines; None: nothing does."""
        if self._prefix_reader is None:
            # A few lines bear the same only if it is a time or a mark; one may be a JSON record.
            if len(lines) < _LEAST and not any(_OPENS.search(line[:3]) for line in lines):
                return None
            from gitmem.matching.prefixes import PrefixReader

            self._prefix_reader = PrefixReader()
        return self._prefix_reader.plain(lines, hot)

    def _name_tests(self) -> None:
        """Make failures of tests that are only told to have failed; give others their tests."""
        tested = [item for item in self._found.result() if item.test]
        tails = {tail(item.test.name, item.language) for item in tested if item.test}
        rows = (item for item in tested if item.test and parent_test(item.test.name))
        tails |= {tail(parent_test(item.test.name), item.language) for item in rows if item.test}
        for line, end, outcome in self._outcomes.failing():
            name = tail(outcome.name, outcome.tool)
            if name in tails or (end and self._found.within(line, end, outcome)):
                continue
            test = Test(outcome.name, "error" if outcome.status == ERROR else "failed")
            message = outcome.said or f"{outcome.name} failed"
            self._found.add(line, Failure(outcome.tool, message=message, test=test))
            tails.add(name)

    def report(self) -> Report | None:
        """Say how the tests of the output ended, once it is closed; None if it tells of none."""
        return self._outcomes.report(self._failures)

    def uncaught(self) -> Failure | None:
        """Give what ended a program at the end of its output; None if that tells of no such end."""
        from gitmem.tools.common.closing import is_closing

        first = self._first - len(self._before.lines)
        below = self._before.lines[max(0, self._free - first) :]
        last = self._failures[-1] if self._failures else None
        if last is None or any(line.strip() and not is_closing(line) for line in below):
            return None
        return last if pattern("ending.uncaught", re.MULTILINE).search(last.excerpt) else None

    def ending(self, name: str, exit_code: int) -> Failure:
        """Give the failure of a command that failed, by its last lines, once it is closed.

        For an output in which no failure was found: its ``basis`` is never a tool.
        """
        from gitmem.matching.ending import ending

        return ending(
            [self._before.lines[at] for at in self._telling(_LAST_LINES)], name, exit_code
        )

    def _telling(self, most: int) -> list[int]:
        """Number the last lines; of a summary of tests none: it says that some failed, not what."""
        count = len(self._before.lines)
        return [at for at in range(max(0, count - most), count) if at not in self._understood]

    def _next(self, after: TextBlock) -> None:
        now, self._now = self._now, after
        if now is None:
            return
        hot = now.hot()
        if hot and (plain := self._without_prefixes(now.lines, hot)) is not None:
            now = TextBlock(self._events.plain("\n".join(plain) + "\n"))
            hot = now.hot()
        understood = self._outcomes.feed(now.text, now.lines)
        if now.text:
            self._understood = understood
        self._examine(now, after, hot, understood)
        self._first += now.count
        self._before = now

    def _examine(
        self, now: TextBlock, after: TextBlock, hot: Sequence[int], understood: Mapping[int, bool]
    ) -> None:
        special = self._matchers.lines_in(now.text).difference(hot) if self._matchers else set()
        if (hot or special) and self._found.full:
            self._found.more += len(hot) + len(special)
        elif hot or special:
            self._look(now, after, hot, special, understood)

    def _look(
        self,
        now: TextBlock,
        after: TextBlock,
        hot: Sequence[int],
        special: Collection[int],
        understood: Mapping[int, bool],
    ) -> None:
        """Look at the lines that hold a stem, and at those that only a matcher could know."""
        before = self._before.lines[-BEFORE:] if self._before.text else []
        lines = before + now.lines + (after.lines if after.text else [])
        base = self._first - len(before)  # number of the window's first line
        unclaimed: list[int] = []
        for number in sorted([*hot, *special]) if special else hot:
            at = number + len(before)
            floor = max(0, self._free - base)
            if at < floor:
                continue
            if special and number in special:
                if result := self._try_matchers(lines, at, floor):
                    unclaimed = self._take(result, unclaimed, base)
                continue
            # A test that passed is no failure, whatever its name says.
            if understood.get(number) or self._barren.has(lines, at):
                continue
            self.examined += 1
            result = self._surely_placed(lines, at, floor, self._try(lines, at, floor))
            if result is None and number in understood:
                continue  # how a test ended; what went wrong in it stands elsewhere
            if result is None:
                unclaimed.append(at)
                self._barren.add(lines, at)
                continue
            unclaimed = self._take(result, unclaimed, base)
        end = 0
        for at in unclaimed:
            if at >= end and (guess := self._guess(lines, at, base)):
                end = guess.end

    def _take(self, result: ParserResult, unclaimed: list[int], base: int) -> list[int]:
        """Add what was read; give the lines that are still nobody's."""
        self._free = base + result.end
        for failure in result.failures:
            self._found.add(base + result.start, failure)
        return [line for line in unclaimed if line < result.start]

    def _try(self, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        for entry in self._lookup.tools_in(lines[at]):
            if entry.may_stand(lines):
                result = self._read(entry.name, lines, at, floor)
                if result and result.end > at:
                    return result
        return self._match(lines, at, floor)

    def _surely_placed(
        self, lines: Sequence[str], at: int, floor: int, reading: ParserResult | None
    ) -> ParserResult | None:
        """Read a line behind what somebody may have put before it, where its place tells that."""
        headed = headed_names(reading, lines, at) if reading else set()
        if reading and not headed:
            return reading
        first = None
        named = behind_names(headed, lines, at) if headed else ()
        for bare in chain(named, self._behind(lines, at)):
            behind = self._try(bare, at, floor)
            if behind is None or not behind.failures or headed_names(behind, bare, at):
                continue
            if behind.failures[0].location:
                return behind
            first = first or behind
        return first or (unplaced(reading, headed) if reading else None)

    def _try_matchers(self, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        """Read a line that nobody but a matcher could know."""
        return self._match(lines, at, floor)

    def _match(self, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        return self._matchers.read(lines, at, floor) if self._matchers else None

    def _read(self, tool: str, lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
        return reader(tool)(lines, at, floor)

    def _guess(self, lines: Sequence[str], at: int, base: int) -> ParserResult | None:
        from gitmem.matching import generic

        if self._found.guessed_enough and not generic.may_be_sure(lines[at]):
            self._found.more += 1
            return None
        result = generic.parse(lines, at, at)
        if result is None or result.failures[0].severity == "hint":
            behind = (generic.surely(bare, at) for bare in self._behind(lines, at, named=True))
            result = next(filter(None, behind), result)
        for failure in result.failures if result else ():
            self._found.add(base + at, failure)
        placed = result and result.failures[0].location
        # What stands in a list of faults around one whose words are known.
        for number in generic.beside(lines, at) if placed else ():
            own = number >= max(0, self._free - base)
            each = generic.placed_fault(lines, number) if own else None
            for failure in each.failures if each else ():
                self._found.add(base + number, failure)
        return result


def _without_wrappers(failures: list[Failure]) -> list[Failure]:
    """Leave out the test that only ran those of another runner, and failed with them."""
    by_tool = values("tests.wrapped_by")
    wrapping = {tool for item in failures for tool in by_tool.get(item.tool, ())}
    return [
        item
        for item in failures
        if not (item.tool in wrapping and item.test and item.message == f"{item.test.name} failed")
    ]


def parse(
    output: bytes | str | Iterable[bytes | str],
    command: str | None = None,
    matchers: "Matchers | None" = None,
) -> list[Failure]:
    """Read the failures from an output.

    Args:
        output: the whole, or pieces of it in order.
        command: what was run, if it is known.
        matchers: as for ``Parser``.

    """
    parser = Parser(command, matchers=matchers)
    for piece in _pieces(output):
        parser.feed(piece)
    return parser.close()


def _pieces(output: bytes | str | Iterable[bytes | str]) -> Iterator[bytes | str]:
    if not isinstance(output, bytes | str):
        yield from output
        return
    for at in range(0, len(output), _PIECE):
        yield output[at : at + _PIECE]


def main_failure(
    text: str, command: str | None = None, matchers: "Matchers | None" = None
) -> Failure:
    """Give the failure that a pasted text speaks of: the first one, or the text as message."""
    from gitmem.matching.generic import placed_fault

    failures = parse(text, command, matchers)
    if failures:
        return failures[0]
    plain = clean(text[: MAX_MESSAGE * 2]).strip()
    lines = plain.split("\n")
    failure = Failure(message=plain[:MAX_MESSAGE], excerpt=excerpt(lines, 0, len(lines)))
    placed = placed_fault(lines, 0)
    if placed is None:
        return failure
    message = "\n".join([placed.failures[0].message, *lines[1:]])[:MAX_MESSAGE]
    return failure._replace(message=message, location=placed.failures[0].location)
