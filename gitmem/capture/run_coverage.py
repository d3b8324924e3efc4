"""Did a run that still fails get to where a failure was, or is the failure only hidden? Pure.

``pytest -x``, ``make -j`` and a syntax error hide what comes after them. A failure that is
missing from a run that still fails is gone only where something shows that its place was
reached: its test passed, or one tool that always says everything said nothing of that place.
What another program starts (``make``, ``tox``, a script) is never certain: a part of it may
not have been started at all.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from gitmem.capture.commands import (
    asks,
    covers,
    includes,
    leaves_tests_out,
    masks_failure,
    program_of,
    runs_script,
    words_of,
)
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.runs import Run
from gitmem.lazy_pattern import lazily
from gitmem.output.cases import FAILED, SKIPPED
from gitmem.output.failure import Failure


class _Tool(NamedTuple):
    """A tool that names all failures before it ends.

    Attributes:
        codes: how it exits when it came to its end and something failed.
        early: options with which it ends earlier, or leaves out what did not fail last time.
        apart: its failures are independent; without, a new one may change what others say.
        files: it is asked about files: what it says of one does not hang on which others.
        called: how its failures name it, where that is another name.

    """

    codes: frozenset[int]
    early: re.Pattern[str]
    apart: bool
    files: bool = False
    called: str = ""


_NEVER = lazily(r"(?!)")
_PYTEST = r"-(?!r)[a-zA-Z]*x.*|--(exitfirst|maxfail|sw|stepwise|lf|last-failed|fail-?fast)\b.*"
_EARLY = lazily(
    rf"{_PYTEST}|-b|-j.*|--jobs.*|--bail.*|-failfast|--fail-?fast|--stop-on-.*|--test-only|-t|--rerun.*"
)
"""Options with which a runner of tests ends early, or does not run all of them."""
_TOOLS = {
    "pytest": _Tool(frozenset({1}), lazily(_PYTEST), apart=True),
    # Without apart: a class or a module that can't be set up hides all of its tests.
    "unittest": _Tool(frozenset({1}), lazily(r"-[a-z]*f[a-z]*|--failfast"), apart=False),
    # Without apart: it ends with the first file in which something failed.
    "doctest": _Tool(frozenset({1}), _NEVER, apart=False),
    "ruff": _Tool(frozenset({1}), _NEVER, apart=True, files=True),
    "eslint": _Tool(frozenset({1}), _NEVER, apart=True, files=True),
    "mypy": _Tool(frozenset({1}), _NEVER, apart=False, files=True),
    "pyright": _Tool(frozenset({1}), _NEVER, apart=False, files=True),
    "tsc": _Tool(frozenset({1, 2}), _NEVER, apart=False, called="typescript"),
}
_UNREADABLE = frozenset({None, "", "invalid-syntax", "E999", "syntax-error"})
"""Rules of linters that say that they can't read a file."""

_UNREAD = frozenset({"SyntaxError", "IndentationError", "TabError"})
"""What Python calls it."""

# What tools say when they stop before the end, or could not look at everything.
STOPPED = (
    b"stopping after ",  # pytest -x, --maxfail, with xdist, too
    b"Interrupted: ",  # pytest, after errors while it collects
    b"INTERNALERROR",
    b"aiting for unfinished jobs",  # make -j
    b"aiting for other jobs",  # cargo
    b"build stopped",  # ninja
    b"too many errors",
    b"prevented further checking",  # mypy, after a syntax error
    b"ompilation terminated",
    b"only showing the first",  # javac
)
_LONGEST = max(map(len, STOPPED))


class Listener:
    """Listens to an output for a tool that says that it stopped before the end."""

    def __init__(self) -> None:
        self.stopped = False
        self._tail = b""

    def feed(self, data: bytes) -> None:
        """Take the next piece of the output."""
        if not self.stopped:
            text = self._tail + data
            self.stopped = any(mark in text for mark in STOPPED)
            self._tail = text[-_LONGEST:]


def tool_of(command: Sequence[str]) -> tuple[str, list[str]]:
    """Name the tool that a command starts itself, with its arguments; empty if none is known."""
    name, arguments = ("", []) if runs_script(command) else words_of(command)
    return (name, arguments) if name in _TOOLS else ("", [])


def says_it_fails(failure: Failure, command: Sequence[str]) -> bool:
    """Tell whether what an output shows makes its tool fail, whatever hides the exit code."""
    tool = _TOOLS.get(program_of(command))
    return bool(failure.test) or (tool is not None and failure.tool in _called(command, tool))


def went(
    failure: FingerprintedFailure,
    run: Run,
    before: Run | None,
    questions: Collection[tuple[str, ...]] = (),
) -> bool:
    """Tell whether a run that does not show a failure shows that it is gone.

    Where every test that ran is known, its tests must have passed: one that was left out or
    skipped says nothing, not even in a run that is green.

    Args:
        failure: the failure, with all places where it stood.
        run: the run in question, which does not show it.
        before: the run before that asked for the same; None if there is none.
        questions: what was asked for when it showed (``commands.asks``); empty: the same.

    """
    has_passed = passed(failure, run)
    if has_passed is not None:
        return has_passed
    if _fails_by_another_name(failure, run, before):
        return False
    wanted = asks(run.command, run.folder)
    # What shows one test shows it again; of several each may have been asked for elsewhere.
    enough = any if len(failure.places) == 1 and "" not in failure.places else all
    if questions and not enough(includes(wanted, other) for other in questions):
        return _looked_at(failure, run, wanted, questions)
    hidden = masks_failure(run.command) and not _counts_as_many(run, before)
    if run.green and (hidden or _left_tests_out(failure, run, before)):
        return False  # what failed may have been cut off, or not run
    shown = is_gone(failure, run, before) or _is_left_out(failure, run, before)
    return run.green or shown or _was_read(failure, run)


def _fails_by_another_name(failure: FingerprintedFailure, run: Run, before: Run | None) -> bool:
    """Tell whether a test that did not fail before says now what one said that is not there."""
    if not failure.fields.get("test") or not failure.title:
        return False
    earlier = before.sites if before else frozenset()
    return any(
        other.fields.get("test") and other.site not in earlier and other.is_titled(failure.title)
        for other in run.failures
    )


def may_tell(run: Run, question: tuple[str, ...]) -> bool:
    """Tell whether a run may show something gone that another question showed; see ``went``.

    Args:
        run: the run.
        question: what the other run asked for (``commands.asks``), which is not the same.

    """
    names_tests = run.tests is not None and (run.tests.complete or bool(run.tests.ok))
    return run.green or names_tests or includes(asks(run.command, run.folder), question)


def _is_left_out(failure: FingerprintedFailure, run: Run, before: Run | None) -> bool:
    """Tell whether a runner of tests, that goes on after a failure, shows the others only."""
    if before is None or run.stopped or not failure.fields.get("test"):
        return False
    if failure.site not in before.sites or not run.sites or _left_tests_out(failure, run, before):
        return False
    shown = {place for other in run.failures for place in other.places}
    if any(place in shown for place in with_files(failure.places)):
        return False  # its test fails still, and says something else
    if (_shows_all(run) and _counts(run) >= _counts(before) > 0) or _go_lists_all(run):
        return True
    if masks_failure(run.command):
        return False  # a pipe may have cut it off
    if not run.sites < before.sites:
        return False
    tools = {other.fields.get("tool") for other in before.failures}
    tested = all(other.fields.get("test") and other.places for other in before.failures)
    words = " ".join(run.command).split()
    return tested and len(tools) == 1 and not any(map(_EARLY.fullmatch, words))


def _was_read(failure: FingerprintedFailure, run: Run) -> bool:
    """Tell whether code ran of a file that Python could not read: it failed in another way."""
    if failure.fields.get("language") != "python" or not _is_unread(failure):
        return False
    file = (failure.fields.get("location") or {}).get("file")
    if not file or file in _files_that_ran(failure):
        return False  # it ran, and read another text
    return any(file in _files_that_ran(other) for other in run.failures if not _is_unread(other))


def _is_unread(failure: FingerprintedFailure) -> bool:
    return failure.fields.get("error_type") in _UNREAD


def _files_that_ran(failure: FingerprintedFailure) -> set[str]:
    frames = failure.fields.get("frames") or ()
    return {str(frame.get("file")) for frame in frames if frame.get("function")}


def _left_tests_out(failure: FingerprintedFailure, run: Run, before: Run | None) -> bool:
    """Tell whether fewer tests ran than in the run before, or none at all."""
    if not failure.fields.get("test") or run.tests is None or run.tests.ran is None:
        return False
    ran = before.tests.ran if before and before.tests else None
    return run.tests.ran == 0 or (ran is not None and run.tests.ran < ran)


def _counts_as_many(run: Run, before: Run | None) -> bool:
    """Tell whether a runner says that as many tests passed as ran before, and none failed."""
    if before is None or run.tests is None:
        return False
    return _counts(run) >= _counts(before) > 0 and not run.tests.bad


def _counts(run: Run) -> int:
    """Give how many tests ran; 0 if nobody knows."""
    return (run.tests.ran or 0) if run.tests else 0


def _shows_all(run: Run) -> bool:
    """Tell whether a runner counts no more failures than were read, each with its test."""
    if run.tests is None or not run.tests.counted:
        return False
    named = {case.name for case in run.tests.failing if case.name}
    tested = all(failure.fields.get("test") and all(failure.places) for failure in run.failures)
    return tested and 0 < run.tests.bad == len(named)


def _go_lists_all(run: Run) -> bool:
    """Tell whether ``go test`` lists every test that failed: no panic ended it."""
    name, arguments = words_of(run.command)
    if (name, arguments[:1]) != ("go", ["test"]) or masks_failure(run.command):
        return False
    fields = [failure.fields for failure in run.failures]
    ended = all(each.get("test") and not each.get("error_type") for each in fields)
    return ended and "-failfast" not in arguments


def ran_last_failed(failure: FingerprintedFailure, run: Run, last: Run | None) -> bool:
    """Tell whether a run of what failed last ran all of it, and a failure of that is gone.

    Args:
        failure: the failure.
        run: the run.
        last: the run before of the same program, of which the program remembers what failed.

    """
    if last is None or failure.site not in last.sites or not (run.green or _shows_all(run)):
        return False
    shown = {place for other in run.failures for place in other.places}
    if not shown.isdisjoint(with_files(failure.places)):
        return False
    tests = last.tests
    return tests is not None and _shows_all(last) and _counts(run) == tests.counts.get(FAILED, 0)


def _names_its_tests(failure: FingerprintedFailure, run: Run) -> bool:
    """Tell whether a run that passed was asked for the tests of a failure by name, and ran them."""
    name, arguments = words_of(run.command)
    if name != "pytest" or not run.green or run.tests is None or not run.tests.ran:
        return False
    if run.tests.counts.get(SKIPPED) or masks_failure(run.command):
        return False
    if any(map(leaves_tests_out, arguments)):
        return False  # a name among them may be one that is left out
    named = {posixpath.normpath(f"{run.folder}/{word}") for word in arguments if "::" in word}
    return bool(failure.places) and all(
        "::" in place and place in named for place in failure.places
    )


def _looked_at(
    failure: FingerprintedFailure,
    run: Run,
    wanted: tuple[str, ...],
    questions: Collection[tuple[str, ...]],
) -> bool:
    """Tell whether a tool that is asked about files passed, and looked at those of a failure."""
    if _names_its_tests(failure, run):
        return True
    name, _ = tool_of(run.command)
    if not run.green or not name or not _TOOLS[name].files or name != failure.fields.get("tool"):
        return False
    return bool(failure.places) and all(
        place and any(covers(wanted, other, place) for other in questions)
        for place in failure.places
    )


def passed(failure: FingerprintedFailure, run: Run) -> bool | None:
    """Tell whether the tests of a failure ran and passed; None if that is not known."""
    open_places = still_open(failure, failure.places, run)
    return None if open_places is None else not open_places


def still_open(
    failure: FingerprintedFailure, places: Collection[str], run: Run
) -> tuple[str, ...] | None:
    """Name the tests among ``places`` that a run does not show to have passed.

    None where nothing can be told: it names no tests that passed, or a name is not whole.
    """
    if run.tests is None or not failure.fields.get("test") or not failure.places:
        return None
    if not run.tests.complete and not run.tests.ok:
        return None
    # Names that were only read from an output may lack the file: they are no names to look up.
    classes = failure.fields.get("language") == "java"  # and no file, in a report neither
    whole = all(
        "::" in place or place.endswith(".py") or (classes and "." in place)
        for place in failure.places
    )
    if not whole and run.tests.complete:
        return None
    left = tuple(place for place in places if not run.tests.passed(place))
    return left if run.tests.complete or not left else None


def is_gone(failure: FingerprintedFailure, run: Run, before: Run | None) -> bool:
    """Tell whether a run that still fails shows that a failure is gone, and not only hidden.

    Args:
        failure: the failure, with all places where it stood.
        run: the run in question, which does not show it.
        before: the run before; None if there is none that can be compared.

    """
    if not failure.places or "" in failure.places:
        return False
    name, arguments = tool_of(run.command)
    past = _went_past(failure, run, before, arguments)
    if not name or (run.stopped and not past):
        return False
    tool = _TOOLS[name]
    called = _called(run.command, tool)
    if failure.fields.get("tool") not in called:
        return False
    early = not past and any(map(tool.early.fullmatch, arguments))
    if early or run.exit_code not in tool.codes:
        return False
    own = all(other.places and other.fields.get("tool") in called for other in run.failures)
    apart = tool.apart and tool.files
    shown = {
        place
        for other in run.failures
        if not apart or _may_hide(other, failure, before)
        for place in other.places
    }
    if not own or "" in shown or any(map(shown.__contains__, with_files(failure.places))):
        return False
    if not {_bare(place) for place in shown}.isdisjoint(map(_bare, failure.places)):
        return False
    return tool.apart or (
        before is not None and failure.site in before.sites and run.sites < before.sites
    )


def _went_past(
    failure: FingerprintedFailure, run: Run, before: Run | None, arguments: Sequence[str]
) -> bool:
    """Tell whether a runner that ends at the first failing test came to a later one.

    It counts more tests then: one that fails anew may stand before the other. Several at once
    (pytest-xdist) come to their tests in no order.
    """
    return (
        before is not None
        and before.stopped
        and run.stopped
        and before.sites == {failure.site}
        and _counts(run) > _counts(before) > 0
        and not any(argument.startswith(("-n", "--numprocesses")) for argument in arguments)
        and all(each.fields.get("test") for each in (failure, *run.failures))
    )


def _may_hide(
    other: FingerprintedFailure, failure: FingerprintedFailure, before: Run | None
) -> bool:
    """Tell whether a linter may say something of a file in the place of something else.

    What it can't read hides all of a file; the same rule may be broken in other words.
    """
    rule = other.fields.get("code")
    was_there = before is not None and other.site in before.sites
    return rule in _UNREADABLE or (not was_there and rule == failure.fields.get("code"))


def _called(command: Sequence[str], tool: _Tool) -> set[str]:
    """Give the names by which the failures of a command's tool know it."""
    return {program_of(command), tool.called} - {""}


def with_files(places: Sequence[str]) -> Iterator[str]:
    """Name places, and the files around tests: one that can't be imported hides all of them."""
    for place in places:
        yield place
        yield place.partition("::")[0]


def _bare(place: str) -> str:
    """Name a test without its file: of two tests of one name an output may tell only one."""
    return place.partition("::")[2] or place
