"""Put failures together: each once, in order, no more than asked for, guesses only if needed."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import EXIT, TOOL, basis
from gitmem.matching.test_names import (  # noqa: TID253  every output needs it
    file_of,
    parent_test,
    tail,
)
from gitmem.output.cases import CaseOutcome, same_file
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, StackFrame, Test
from gitmem.tools.choice import values

MOST: Final = 200
_RECIPE: Final = 12
"""Lines above make's word that a recipe failed which are taken for that recipe's."""
_SENTENCE: Final = 4
_NAME: Final = lazily(r"['\"`\u2018(]([^'\"`\u2019()\n]{2,200})['\"`\u2019)]")
_BLOCK: Final = 2
"""Guesses that may be of one block."""
_BESIDE: Final = 3
"""Lines between two guesses that may be of one failure."""
_DIGITS: Final = dict.fromkeys(map(ord, "0123456789"))
Key = tuple[object, ...]


class _Step(NamedTuple):
    """A step of a build that failed: the line that says so, whose step it was, its target."""

    end: int
    tool: str
    target: str


class FailureCollection:
    """The failures of one output.

    Args:
        most: how many of each severity are kept; the rest is counted in ``more``.

    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: list[tuple[int, Failure]] = []
        self._known: dict[Key, list[int]] = {}
        self._steps: list[_Step] = []
        self._counts: Counter[str] = Counter()  # by severity: what is loud never hides the rest
        self.more = 0

    @property
    def full(self) -> bool:
        """Tell whether looking closely at more lines is still worth it."""
        return self._counts["error"] >= self._most

    @property
    def guessed_enough(self) -> bool:
        """Tell whether one more faint guess would not be kept."""
        return self._counts["hint"] >= self._most

    def add(self, line: int, failure: Failure) -> None:
        """Take a failure that starts at a line, unless it is already here."""
        failure = _finished(failure)
        ends = failure.severity in ("ending", "consequence")
        if ends and failure.tool in values("output.ends_step"):
            target = failure.message.partition("] ")[0] + "] "
            self._steps.append(_Step(line, failure.tool, target))
        keys = _keys(failure)
        if self._named(failure):
            return
        for key in keys:
            for at in self._known.get(key, ()):
                above, earlier = self._kept[at]
                if _one_place(earlier, failure):
                    self._kept[at] = above, _merged(earlier, failure)
                    return
        if self._counts[failure.severity] >= self._most:
            self.more += 1
            return
        for key in keys:
            self._known.setdefault(key, []).append(len(self._kept))
        self._kept.append((line, failure))
        self._counts[failure.severity] += 1

    def headed(self, failures: list[Failure]) -> list[Failure]:
        """Put a recipe's target before what was said in it, where nothing else tells the place.

        The same words of two recipes are two errors.
        """
        return [self._headed(failure) for failure in failures] if self._steps else failures

    def _headed(self, failure: Failure) -> Failure:
        somewhere = failure.location or failure.frames or failure.test or failure.code
        general = not failure.tool or failure.tool in values("output.of_lines")
        line = self.line_of(failure)
        if somewhere or not general or line is None or failure.message.startswith("["):
            return failure
        steps = (step for step in self._steps if step.end - _RECIPE <= line < step.end)
        step = next(steps, None)
        if step is None:
            return failure
        tool = failure.tool or ("" if failure.error_type else step.tool)
        return failure._replace(tool=tool, message=step.target + failure.message)

    def _named(self, failure: Failure) -> bool:
        """Give a failure without a test its name, if this is the summary's line for it."""
        test = failure.test
        if test is None or failure.frames or failure.location:
            return False
        says = bool(failure.message or failure.error_type)
        for at, (line, earlier) in enumerate(self._kept):
            if (
                earlier.test is None
                and ((says and earlier.tool == failure.tool) or _is_through(earlier, test.name))
                and (not says or earlier.error_type == failure.error_type)
                and earlier.message.startswith(failure.message)
            ):
                self._kept[at] = line, earlier._replace(test=test)
                return True
        return False

    def within(self, start: int, end: int, outcome: CaseOutcome) -> bool:
        """Say that what was printed between two lines, both not counted, is of a test.

        Returns:
            Whether anything there had gone wrong that no other test of its tool was named for;
            a program that ctest runs may have tests of its own.

        """
        has_failures = False
        for at, (line, failure) in enumerate(self._kept):
            if not start < line < end or failure.severity != "error":
                continue
            if failure.test is None:
                test = Test(outcome.name, message=_first(failure))
                self._kept[at] = line, failure._replace(test=test)
            has_failures |= failure.test is None or failure.tool != outcome.tool
        return has_failures

    def instead(self, numbered: Sequence[tuple[int, Failure]]) -> None:
        """Take failures, with their lines, in the place of all others: these say less."""
        self._kept = list(numbered)

    def together(self, failures: list[Failure]) -> list[Failure]:
        """Put guesses of the result that are of one block together."""
        if len(failures) < _BLOCK or all(basis(item) == TOOL for item in failures):
            return failures
        from gitmem.matching.guess_blocks import together

        lines = [self.line_of(item) for item in failures]
        numbered = [
            (line, item) for line, item in zip(lines, failures, strict=True) if line is not None
        ]
        joined = together(numbered)
        if len(numbered) < len(failures) or joined == numbered:
            return failures
        self.instead(joined)
        return [item for _, item in joined]

    def line_of(self, failure: Failure) -> int | None:
        """Give the number of the line at which a failure of the result starts, from 0.

        None: it is of no line, but what all of an output says.
        """
        return next((line for line, own in self._kept if own is failure), None)

    def result(self) -> list[Failure]:
        """Give the failures in order, of the best kind that there is.

        Errors, with guesses beside them, if a tool is known for one; else how the steps of a
        build ended; else guesses alone, warnings, the faintest of guesses and consequences.
        """
        failures = _without_echoes(sorted(self._kept, key=lambda numbered: numbered[0]))
        errors = _without_parents([item for item in failures if item.severity == "error"])
        if not any(basis(item) == TOOL and says(item) for item in errors):
            guesses = [item for item in failures if _is_hint(item) and says(item)]
            errors = [item for item in errors if says(item)] or ([] if guesses else errors)
        kinds = [
            errors if any(basis(item) == TOOL and says(item) for item in errors) else [],
            self._of_steps(list(filter(says, errors)), list(filter(_is_hint, failures))),
            errors,
            *(
                [item for item in failures if item.severity == wanted]
                for wanted in ("warning", "hint", "consequence")
            ),
        ]
        # What only closes a run is told where there is nothing else.
        telling = ([item for item in kind if basis(item) != EXIT] for kind in kinds)
        best = next(filter(None, telling), None) or next(filter(None, kinds), [])
        self.more += max(0, len(best) - self._most)
        return best[: self._most]

    def _of_steps(self, errors: list[Failure], hints: list[Failure]) -> list[Failure]:
        """Give how the steps of a build ended; of a guess in such a step that instead.

        The last line that a step printed says less than the one that sounds like its failure.
        """
        ends = [(line, item) for line, item in self._kept if item.severity == "ending"]
        steps: list[tuple[int, Failure]] = []
        begin = 0
        for end, ending in sorted(ends, key=lambda numbered: numbered[0]):
            begin = max(begin, end - _RECIPE)
            numbered = ([(self.line_of(item), item) for item in each] for each in (errors, hints))
            own = (
                [(line, item) for line, item in each if line is not None and begin <= line < end]
                for each in numbered
            )
            steps += next(filter(None, own), [(end, ending)])
            begin = end
        return [item for _, item in sorted(steps, key=lambda numbered: numbered[0])]


def _is_through(failure: Failure, test: str) -> bool:
    """Tell whether a trace, such as one that an interpreter printed, goes through a test."""
    file, _, inner = test.partition("::")
    function = inner.rpartition("::")[2].partition("[")[0]
    return bool(function) and any(
        frame.function == function and f"/{frame.file}".endswith(f"/{file}")
        for frame in failure.frames
    )


def _first(failure: Failure) -> str:
    return failure.message.partition("\n")[0][:1_000]


def _is_hint(failure: Failure) -> bool:
    return failure.severity == "hint"


def _without_echoes(numbered: list[tuple[int, Failure]]) -> list[Failure]:
    """Leave out guesses that say of the very names of the guess before what followed from it."""
    own_faults: list[Failure] = []
    last, names = -_BESIDE, frozenset[str]()
    for line, failure in numbered:
        plain = not (failure.tool or failure.location or failure.error_type or failure.test)
        own = frozenset(_NAME.findall(failure.message)) if plain else frozenset()
        if own and own == names and line - last <= _BESIDE:
            continue
        own_faults.append(failure)
        last, names = line, own
    return own_faults


def _without_parents(failures: list[Failure]) -> list[Failure]:
    """Leave out a test of which nothing is told but that one of its subtests failed."""
    names = [failure.test.name for failure in failures if failure.test]
    above = {name[:at] for name in names for at, sign in enumerate(name) if sign == "/" and at}
    messages: dict[str, set[str]] = {name: set() for name in above}
    for failure in failures:
        if failure.test and (parent := parent_test(failure.test.name)):
            for name in (parent, tail(parent, failure.language)):
                messages.setdefault(name, set()).add(_first(failure))
    return [failure for failure in failures if not _is_parent(failure, messages)]


def _is_parent(failure: Failure, messages: dict[str, set[str]]) -> bool:
    """Tell whether of a test only is told that a row failed, or what that row says itself."""
    if not failure.test or failure.frames or failure.location:
        return False
    name = failure.test.name
    rows = messages.get(name)
    rows = messages.get(tail(name, failure.language)) if rows is None else rows
    return rows is not None and failure.message in {"", f"{name} failed", *rows}


def _one_place(earlier: Failure, again: Failure) -> bool:
    """Tell whether two reports with one name can be of one test: tests of two files are two."""
    if not earlier.test or not again.test:
        return True
    first, second = file_of(earlier.test.name), file_of(again.test.name)
    if first and second:
        return same_file(first, second)
    files, others = _files(earlier), _files(again)
    if first or second:
        own_files = others if first else files
        return not own_files or any(same_file(first or second, file) for file in own_files)
    if earlier.location and again.location:
        return same_file(earlier.location.file, again.location.file)
    return True


def _files(failure: Failure) -> set[str]:
    """Name the project's own files that a failure tells of."""
    from gitmem.tools.common.frames import foreign

    files = {frame.file for frame in failure.frames if frame.in_app}
    place = failure.location
    own = place and not foreign(StackFrame(place.file), failure.language)
    return files | {place.file} if place and own else files


def _finished(failure: Failure) -> Failure:
    from gitmem.tools.common.frames import marked

    frames = marked(failure.frames, failure.language)
    own = next((frame for frame in reversed(frames) if frame.in_app and frame.file), None)
    place = failure.location
    if place is None and failure.test and own:
        place = FailureLocation(own.file, own.line, None, own.code)
    return failure._replace(
        message=failure.message.strip()[:MAX_MESSAGE],
        frames=frames,
        location=place,
        causes=tuple(map(_finished, failure.causes)),
    )


def _keys(failure: Failure) -> list[Key]:
    """Give what makes two reports of one output the same."""
    if failure.test and failure.test.name:
        return [
            (failure.language or failure.tool, "test", tail(failure.test.name, failure.language))
        ]
    if not failure.tool:
        # A log's own line: with other numbers it is the same.
        message = failure.message.translate(_DIGITS)
        return [(failure.error_type, message), *_said_again(failure, message)]
    place = failure.location
    where = (place.file, place.line, place.column) if place else ()
    last = failure.frames[-3:]
    stack = tuple((frame.file, frame.function, frame.line) for frame in last)
    key = (failure.error_type, failure.code, failure.message, where, stack)
    return [key, *_said_again(failure, failure.message)] if not (where or stack) else [key]


def _said_again(failure: Failure, message: str) -> list[Key]:
    """Give what is said behind a speaker as another key: another may say it again.

    So does a summary at the end; a few words, or a name, any two programs may say.
    """
    general = not failure.tool or failure.tool in values("output.of_lines")
    before, _, rest = message.rpartition(": ") if general and "\n" not in message else ("", "", "")
    if ": " in before and not (_NAME.search(rest) or any(map(str.isdigit, rest))):
        return []  # what it is about stands between the speaker and what is said of anything
    return [(failure.error_type, rest)] if len(rest.split()) >= _SENTENCE else []


def _merged(first: Failure, again: Failure) -> Failure:
    """Take what the second report knows better: the whole name of the test, a type."""
    fuller, other = (again, first) if _weight(again) > _weight(first) else (first, again)
    if other.test and (fuller.test is None or len(other.test.name) > len(fuller.test.name)):
        test = fuller.test or other.test
        fuller = fuller._replace(test=test._replace(name=other.test.name))
    return fuller


def _weight(failure: Failure) -> tuple[bool, bool, int]:
    placed = failure.location is not None
    return bool(failure.frames), placed, 0 if placed else len(failure.message)


def says(failure: Failure) -> bool:
    """Tell whether more is known than where it stood: the end of a trace may be torn off."""
    return bool(failure.message or failure.error_type or failure.code or failure.test)
