"""Did a run that still fails get to where a failure was, or is the failure only hidden? Pure.

``pytest -x``, ``make -j`` and a syntax error hide what comes after them. A failure that is
missing from a run that still fails is gone only where something shows that its place was
reached: its test passed, or one tool that always says everything said nothing of that place.
What another program starts (``make``, ``tox``, a script) is never certain: a part of it may
not have been started at all.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise

from gitmem.capture.cases import Tests
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
from gitmem.matching.test_names import parent_test  # noqa: TID253  every run needs it
from gitmem.output.cases import FAILED, SKIPPED
from gitmem.output.failure import Failure
from gitmem.tools.choice import by_program, pattern, values


@cache
def _unreadable_types() -> Mapping[str, Collection[str]]:
    """Name the types of errors in code that nobody can read, by its language."""
    languages = values("language")
    return {languages[name]: types for name, types in values("ending.unreadable_types").items()}


@cache
def stopped_marks() -> tuple[bytes, ...]:
    """Give what tools say when they stop before the end, or could not look at everything."""
    texts = dict.fromkeys(chain.from_iterable(values("ending.stopped").values()))
    return tuple(text.encode() for text in texts)


class Listener:
    """Listens to an output for a tool that says that it stopped before the end."""

    def __init__(self) -> None:
        self.stopped = False
        self._marks = stopped_marks()
        self._longest = max(map(len, self._marks))
        self._tail = b""

    def feed(self, data: bytes) -> None:
        """Take the next piece of the output."""
        if not self.stopped:
            text = self._tail + data
            self.stopped = any(mark in text for mark in self._marks)
            self._tail = text[-self._longest :]


def tool_of(command: Sequence[str]) -> tuple[str, list[str]]:
    """Name the tool that a command starts itself, with its arguments; empty if none is known."""
    name, arguments = ("", []) if runs_script(command) else words_of(command)
    return (name, arguments) if name in by_program("ending.codes") else ("", [])


def says_it_fails(failure: Failure, command: Sequence[str]) -> bool:
    """Tell whether what an output shows makes its tool fail, whatever hides the exit code."""
    program = program_of(command)
    names_all = program in by_program("ending.codes")
    return bool(failure.test) or (names_all and failure.tool in _tools_of(program))


def without_interruptions(failures: Sequence[Failure]) -> tuple[bool, list[Failure]]:
    """Leave out what only says that somebody stopped a command; tell whether there was any."""
    types = frozenset[str]().union(*values("ending.interrupted").values())
    left = [failure for failure in failures if failure.error_type not in types]
    return len(left) < len(failures), left


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
    if failure.site in run.past:
        return True
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
    if (shows_all(run) and tests_of(run) >= tests_of(before) > 0) or lists_all(run):
        return True
    if masks_failure(run.command):
        return False  # a pipe may have cut it off
    if not run.sites < before.sites:
        return False
    tools = {other.fields.get("tool") for other in before.failures}
    tested = all(other.fields.get("test") and other.places for other in before.failures)
    words = " ".join(run.command).split()
    return tested and len(tools) == 1 and not any(map(pattern("ending.early").fullmatch, words))


def _was_read(failure: FingerprintedFailure, run: Run) -> bool:
    """Tell whether code ran of a file that could not be read: it failed in another way."""
    types = _unreadable_types().get(failure.fields.get("language") or "", ())
    if failure.fields.get("error_type") not in types:
        return False
    file = (failure.fields.get("location") or {}).get("file")
    if not file or file in _files_that_ran(failure):
        return False  # it ran, and read another text
    others = [other for other in run.failures if other.fields.get("error_type") not in types]
    return any(file in _files_that_ran(other) for other in others)


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
    return tests_of(run) >= tests_of(before) > 0 and not run.tests.bad


def tests_of(run: Run) -> int:
    """Give how many tests ran; 0 if nobody knows."""
    return (run.tests.ran or 0) if run.tests else 0


def shows_all(run: Run) -> bool:
    """Tell whether a runner counts no more failures than were read, each with its test."""
    if run.tests is None or not run.tests.counted:
        return False
    named = {case.name for case in run.tests.failing if case.name}
    tested = all(failure.fields.get("test") and all(failure.places) for failure in run.failures)
    return tested and 0 < run.tests.bad == len(named)


def lists_all(run: Run) -> bool:
    """Tell whether a runner lists every test that failed: none of them ended it."""
    program, arguments = words_of(run.command)
    word = by_program("ending.lists_all").get(program)
    if not word or arguments[:1] != [word] or masks_failure(run.command):
        return False
    fields = [failure.fields for failure in run.failures]
    tested = all(each.get("test") and not each.get("error_type") for each in fields)
    return tested and not _ends_early(program, arguments)


def ran_last_failed(failure: FingerprintedFailure, run: Run, last: Run | None) -> bool:
    """Tell whether a run of what failed last ran all of it, and a failure of that is gone.

    Args:
        failure: the failure.
        run: the run.
        last: the run before of the same program, of which the program remembers what failed.

    """
    if last is None or failure.site not in last.sites or not (run.green or shows_all(run)):
        return False
    shown = {place for other in run.failures for place in other.places}
    if not shown.isdisjoint(with_files(failure.places)):
        return False
    tests = last.tests
    return tests is not None and shows_all(last) and tests_of(run) == tests.counts.get(FAILED, 0)


def _names_its_tests(failure: FingerprintedFailure, run: Run) -> bool:
    """Tell whether a run that passed was asked for the tests of a failure by name, and ran them."""
    name, arguments = words_of(run.command)
    mark, option = (by_program(f"ending.{field}").get(name) for field in ("by_name", "by_option"))
    if not mark or not run.green or run.tests is None or masks_failure(run.command):
        return False
    named = {word.strip("^$") for first, word in pairwise(arguments) if first == option}
    if run.tests.counts.get(SKIPPED) or run.tests.ran == 0 or not (named or run.tests.ran):
        return False
    if not option and any(leaves_tests_out(word, program_of(run.command)) for word in arguments):
        return False  # a name among them may be one that is left out
    files = {posixpath.normpath(f"{run.folder}/{word}") for word in arguments if "::" in word}
    named = named or files or {word for word in arguments if mark in word}
    return bool(failure.places) and all(
        place in named or any(place.startswith(f"{word}{mark}") for word in named)
        for place in failure.places
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
    if not run.green or name not in by_program("ending.by_file"):
        return False
    if failure.fields.get("tool") not in _tools_of(name):
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
    left = tuple(place for place in places if not _has_passed(place, run.tests))
    return left if run.tests.complete or not left else None


def _has_passed(place: str, tests: Tests) -> bool:
    """Tell whether a test passed; where it is one row of a test, all of that may have."""
    whole = parent_test(place)
    return tests.passed(place) or bool(whole and tests.passed(whole))


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
    from gitmem.capture.hiding import hides_nothing, may_hide

    tools = _tools_of(name)
    if failure.fields.get("tool") not in tools:
        return False
    early = not past and _ends_early(name, arguments)
    if early or run.exit_code not in by_program("ending.codes")[name]:
        return False
    own = all(other.places and other.fields.get("tool") in tools for other in run.failures)
    apart = name in by_program("ending.apart")
    by_rule = apart and name in by_program("ending.by_file")
    earlier = before.sites if before else frozenset()
    harmless = {other.site for other in run.failures if hides_nothing(other, failure, earlier)}
    shown = {
        place
        for other in run.failures
        if other.site not in harmless and (not by_rule or may_hide(other, failure, earlier))
        for place in other.places
    }
    if not own or "" in shown or any(map(shown.__contains__, with_files(failure.places))):
        return False
    if not {_bare(place) for place in shown}.isdisjoint(map(_bare, failure.places)):
        return False
    return apart or (failure.site in earlier and run.sites - harmless < earlier)


def _went_past(
    failure: FingerprintedFailure, run: Run, before: Run | None, arguments: Sequence[str]
) -> bool:
    """Tell whether a runner that ends at the first failing test came to a later one.

    It counts more tests then: one that fails anew may stand before the other. Several at once
    come to their tests in no order.
    """
    return (
        before is not None
        and before.stopped
        and run.stopped
        and before.sites == {failure.site}
        and tests_of(run) > tests_of(before) > 0
        and not any(map(pattern("ending.at_once").fullmatch, arguments))
        and all(each.fields.get("test") for each in (failure, *run.failures))
    )


def _ends_early(program: str, arguments: Sequence[str]) -> bool:
    """Tell whether a tool is told to end before it has named all failures."""
    fields = ("ending.early", "ending.early_alone")
    patterns = [by_program(field)[program] for field in fields if program in by_program(field)]
    return any(re.fullmatch(each, word) for each in patterns for word in arguments)


def _tools_of(program: str) -> set[str]:
    """Name the tools that a program starts as their failures do; some bear the program's name."""
    programs = values("command.programs")
    return {program, *(tool for tool, names in programs.items() if names[0] == program)}


def with_files(places: Sequence[str]) -> Iterator[str]:
    """Name places, and the files around tests: one that can't be imported hides all of them."""
    for place in places:
        yield place
        yield place.partition("::")[0]


def _bare(place: str) -> str:
    """Name a test without its file: of two tests of one name an output may tell only one."""
    return place.partition("::")[2] or place
