"""Did code run past the place at which it failed before? Then that failure is over. Pure."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from gitmem.capture.commands import asks, runs_script, tool_named, words_of
from gitmem.capture.episodes import episodes, live_episodes
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch
from gitmem.capture.run_coverage import still_open, went
from gitmem.capture.runs import Run
from gitmem.lazy_pattern import lazily
from gitmem.output.cases import leaf_of, same_file
from gitmem.tools.choice import by_program, values

_WHILE: Final = "During handling of the above exception"
_NOT_STARTED: Final = (126, 127)
"""How a shell says that a program is not there, or may not be run."""
_UNREAD: Final = lazily(
    r"(?i)\b(?:syntax|pars(?:e|er|ing)|lexical|indentation|unterminated|unclosed|unexpected"
    r"|premature|end of (?:file|input)|expected .{1,80}(?:before|after|found))\b"
)
"""What a compiler says of a text that it can't read: then it has looked at nothing yet."""

_OPEN: Final = lazily(r"[(\[{,\\]\s*$")
_CHAINED: Final = lazily(r"\s*[.&|?:)\]}]")
"""Lines of one statement: what stands first in it does not run first."""
_AGAIN: Final = lazily(
    r"\b(?:for|foreach|while|until|loop|each\w*|forEach|times|upto|map|every|some|all|any|select"
    r"|filter|reduce|sum)\b"
)
"""What runs code several times."""


def sites_past(
    timeline: Sequence[Run],
    run: Run,
    patch_between: Callable[[str, str], Patch],
    text_of: Callable[[str, str, str], str | None],
) -> Iterator[str]:
    """Name the failures that are over in a run that fails in another way: the code came further.

    Of a test that fails still, its frames tell. A line of shell may not have got to it.

    Args:
        timeline: the runs before it, oldest first: what failed in them may still be open.
        run: the run, of the same question; it shows other failures.
        patch_between: gives the patch from one tree to another.
        text_of: gives a file's text by tree, folder and name.

    """
    if not run.evidence or not run.failures or runs_script(run.command):
        return
    wanted = asks(run.command, run.folder)
    for episode in live_episodes(episodes(timeline)):
        failure, red = episode.seen, episode.reds[-1]
        if wanted not in episode.asked or failure.site in run.sites:
            continue
        if failure.fields.get("test"):
            if _are_set_up(failure, run) or _its_like_went(failure, red, run, wanted):
                yield failure.site
                continue
            since = patch_between(red.left, run.tree)
            now = partial(text_of, run.tree, run.folder)
            on = [other for other in run.failures if _went_on(failure, other, since, now)]
            if on and not _repeats(failure, on[0], partial(text_of, red.left, red.folder)):
                yield failure.site
            continue
        if red.exit_code in _NOT_STARTED and run.exit_code not in _NOT_STARTED:
            yield failure.site
            continue
        framed = bool(failure.fields.get("frames"))
        if _came_to_tests(red, run) or _came_to_run(failure, run) or _came_to_link(failure, run):
            yield failure.site
        elif framed:
            since = patch_between(red.left, run.tree)
            if any(is_past(failure, other, since) for other in run.failures):
                yield failure.site


def _its_like_went(
    failure: FingerprintedFailure, red: Run, run: Run, wanted: tuple[str, ...]
) -> bool:
    """Tell whether all that said the same of other tests is gone; its own test fails otherwise."""
    like = [
        other
        for other in red.failures
        if other.site != failure.site
        and failure.template
        and (other.template, other.kind) == (failure.template, failure.kind)
    ]
    return bool(like) and all(went(other, run, red, {wanted}) for other in like)


def _are_set_up(failure: FingerprintedFailure, run: Run) -> bool:
    """Tell whether the tests fail by themselves now that could not be set up before."""
    left = still_open(failure, failure.places, run) or failure.places
    return bool(left) and all(
        any(_is_set_up(failure, place, other) for other in run.failures) for place in left
    )


def _is_set_up(failure: FingerprintedFailure, place: str, other: FingerprintedFailure) -> bool:
    unprepared = values("ending.unprepared").get(str(failure.fields.get("tool")), "")
    if unprepared and (whole := re.fullmatch(unprepared, place)):
        start = f"{next(filter(None, whole.groups()))}."
        return any(
            name.startswith(start) and not re.fullmatch(unprepared, name) for name in other.places
        )
    here, there = _own_places(failure), _own_places(other)
    if place not in other.places or not (here and there and here[0].get("function")):
        return False
    # The runner called something else before, such as a fixture.
    return bool(there[0].get("function") == leaf_of(place) != here[0]["function"])


def _went_on(
    failure: FingerprintedFailure,
    other: FingerprintedFailure,
    since: Patch,
    text_of: Callable[[str], str | None],
) -> bool:
    """Tell whether the one test of a failure fails in another way now, behind where it did.

    What was called returned, where the line that called it fails itself, and nobody edited that.

    Args:
        failure: where it failed before.
        other: where it fails now.
        since: what was edited in between.
        text_of: gives a file's text as it is now.

    """
    if len(failure.places) != 1 or other.places != failure.places:
        return False
    if _WHILE in str(other.fields.get("excerpt")):
        return False  # what came first may be the one before
    here, there = map(_own_places, (failure, other))
    for level, (before, after) in enumerate(zip(here, there, strict=False)):
        file, first, last = _file_of(before), before.get("line"), after.get("line")
        # Runners name the function of a test in several ways.
        same = not level or before.get("function") == after.get("function")
        if not same or _file_of(after) != file or not first or not last:
            return False
        now = since.moved(file, first)
        if last != now:
            lines = (text_of(file) or "").splitlines()
            return bool(last > now) and _one_after_the_other(lines, now, last)
    if failure.fields.get("error_type") == other.fields.get("error_type"):
        return False
    return _is_behind(here[: len(there)], there, since, framed=bool(failure.fields.get("frames")))


def _file_of(place: Mapping[str, Any]) -> str:
    return posixpath.normpath(str(place.get("file")))


def _one_after_the_other(lines: Sequence[str], first: int, last: int) -> bool:
    """Tell whether two lines, from 1, are statements of one block, by how it is indented."""
    if not 0 < first < last <= len(lines):
        return False
    between = [line for line in lines[first - 1 : last] if line.strip()]
    least = min(_indent(lines[first - 1]), _indent(lines[last - 1]))
    goes_on = _OPEN.search(lines[first - 1]) or _CHAINED.match(lines[last - 1])
    return not goes_on and all(_indent(line) >= least for line in between)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _repeats(
    failure: FingerprintedFailure, other: FingerprintedFailure, text_of: Callable[[str], str | None]
) -> bool:
    """Tell whether code that both came through may run again: an earlier row may fail now."""
    for place, _ in zip(*map(_own_places, (failure, other)), strict=False):
        lines = (text_of(str(place.get("file"))) or "").splitlines()[: place.get("line") or 0]
        if not lines:
            return True
        least = len(lines[-1])
        for line in reversed(lines):
            indent = _indent(line)
            if line.strip() and (indent < least or line is lines[-1]):
                least = indent
                if _AGAIN.search(line):
                    return True
    return False


def _came_to_run(failure: FingerprintedFailure, run: Run) -> bool:
    """Tell whether code runs now of which a compiler said something: it is built before it runs."""
    program, arguments = words_of(run.command)
    word = by_program("ending.runs_built").get(program)
    compiled = not failure.fields.get("frames") and bool(failure.fields.get("location"))
    if not word or arguments[:1] != [word] or not compiled:
        return False
    return any(
        frame.get("in_app") and frame.get("function")
        for other in run.failures
        for frame in other.fields.get("frames") or ()
    )


def _came_to_link(failure: FingerprintedFailure, run: Run) -> bool:
    """Tell whether a linker says something of a file that could not be compiled before."""
    linkers = {name for names in values("ending.linkers").values() for name in names}
    file = str((failure.fields.get("location") or {}).get("file") or "")
    if not file or failure.fields.get("tool") in linkers:
        return False
    return any(
        other.fields.get("tool") in linkers and same_file(file, place)
        for other in run.failures
        if (place := str((other.fields.get("location") or {}).get("file") or ""))
    )


def _came_to_tests(before: Run, after: Run) -> bool:
    """Tell whether a command that ended before it came to a test fails by tests alone now."""
    tested = all(failure.fields.get("test") for failure in after.failures)
    came = before.tests is None or not any(before.tests.counts.values())
    if after.tests is None or not (
        tool_named(after.command) or after.tests.counted or after.tests.complete
    ):
        return False  # a runner that counts, or reports, would have done so before
    return came and before.whole and tested


def is_past(failure: FingerprintedFailure, other: FingerprintedFailure, since: Patch) -> bool:
    """Tell whether code failed behind the line at which it failed before, in the same function.

    Or at that line itself, in another way, though nobody edited it: the code came as far. So did
    a compiler that says something of a later line of a file; but not if it can't read that.

    Args:
        failure: where it failed before.
        other: where it fails now.
        since: what was edited in between.

    """
    if _WHILE in str(other.fields.get("excerpt")):
        return False  # what came first may be the one before
    here, there = map(_own_places, (failure, other))
    readable = not _UNREAD.search(_message_of(other))
    framed = bool(failure.fields.get("frames"))
    return _is_behind(here, there, since, framed=framed, readable=readable)


def _is_behind(
    here: Sequence[Mapping[str, Any]],
    there: Sequence[Mapping[str, Any]],
    since: Patch,
    *,
    framed: bool,
    readable: bool = True,
) -> bool:
    for before, after in zip(here, there, strict=False):
        if any(before.get(key) != after.get(key) for key in ("file", "function")):
            return False
        file, first, last = str(before.get("file")), before.get("line"), after.get("line")
        if not first or not last:
            return False
        if last != since.moved(file, first):
            return bool(last > since.moved(file, first) and (before.get("function") or readable))
    ran = bool(here) and len(here) == len(there) and framed
    return ran and not since.changes(str(here[-1]["file"]), int(here[-1]["line"]))


def _own_places(failure: FingerprintedFailure) -> list[Mapping[str, Any]]:
    """Give the own frames, outermost first; where there are no frames, the place that is told."""
    frames = failure.fields.get("frames") or ()
    place = failure.fields.get("location") or {}
    own = [frame for frame in frames if frame.get("in_app")]
    return own if frames or not place.get("file") else [place]


def _message_of(failure: FingerprintedFailure) -> str:
    return str(failure.fields.get("message", ""))
