"""Which edits fixed a failure: the step that did, and what came before it in its own files. Pure.

Between the first red run and the green one other commands may have run and other failures may
have been mended. Each stretch between two watched runs is a step; of a step counts

- after the last red run everything, unless it was clearly made for others that were gone
  after it, or one of the failure's tests had passed before;
- before it only what touches the failure's own files, or those of the steps after it, was not
  made for others, and did not go back to code that was red before.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from gitmem.capture.commands import asks, includes
from gitmem.capture.episodes import Episode, edits_since, files_in, touched
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.outside import files_named
from gitmem.capture.passed_places import is_past  # noqa: TID253  loaded where runs are paired
from gitmem.capture.patch_hunks import hunks_of, runs_through
from gitmem.capture.patches import Patch, defined_by, parse_patch
from gitmem.capture.run_coverage import with_files
from gitmem.capture.runs import Run
from gitmem.diffs import ADDED


class Step(NamedTuple):
    """What was edited between two runs, and which files of that belong to a fix.

    Before the last red run it is told from the red run before the edit, not from one between them.
    """

    before: Run
    after: Run
    patch: Patch
    files: frozenset[str]


def fixing_patch(
    episode: Episode,
    runs: Sequence[Run],
    patch_between: Callable[[str, str], Patch],
    flaky: frozenset[str] = frozenset(),
    passing: Collection[str] = (),
    ended: Mapping[str, Sequence[FingerprintedFailure]] = MappingProxyType({}),
) -> Patch | None:
    """Give the edit that fixed an episode; None where nothing was changed.

    What was taken back in between is not in it.

    Args:
        episode: one that is fixed.
        runs: all runs in the work tree, oldest first.
        patch_between: gives the patch from one tree to another.
        flaky: failures that come and go by themselves.
        passing: files that are no edits: programs wrote them.
        ended: by id of a run, failures of whichever command that it has shown to be mended.

    """
    if episode.green is None:
        return None
    steps = _steps(episode, runs, patch_between, flaky, ended)
    red = episode.reds[-1]
    changed = edits_since(red, episode.green.tree, patch_between).names
    stretches: dict[str, tuple[Run, Run]] = {}
    for step in steps:
        # What was checked out for other work in between, and back again, is not in the edit.
        back = step.patch.names - changed if step.before.at >= red.at else frozenset()
        for file in step.files.difference(passing, back):
            start, _ = stretches.get(file, (step.before, step.after))
            stretches[file] = (start, step.after)
    parts = {}
    for start, end in {(a.id, b.id): (a, b) for a, b in stretches.values()}.values():
        mine = {file for file, (a, b) in stretches.items() if a is start and b is end}
        part = edits_since(start, end.tree, patch_between).only(mine)
        whole = edits_since(start, episode.green.tree, patch_between).only(mine)
        went_on = _went_on_for_others(steps, mine, end) and len(whole.lines) >= len(part.lines)
        if not part.lines <= whole.lines and not went_on:
            part = whole  # something of it was taken back by a later step
        if part:
            parts[min(mine)] = part.text
    text = "".join(parts[name] for name in sorted(parts))
    return parse_patch(text) if text else None


def _went_on_for_others(steps: Sequence[Step], files: Collection[str], end: Run) -> bool:
    """Tell whether a step after a run went on with some files, and not for the failure."""
    later = steps[next(at for at, step in enumerate(steps) if step.after is end) + 1 :]
    return any(step.patch.names.difference(step.files).intersection(files) for step in later)


def _steps(
    episode: Episode,
    runs: Sequence[Run],
    patch_between: Callable[[str, str], Patch],
    flaky: frozenset[str],
    ended: Mapping[str, Sequence[FingerprintedFailure]],
) -> list[Step]:
    ids = [run.id for run in runs]
    green = episode.green or episode.reds[-1]
    first, last = ids.index(episode.reds[0].id), ids.index(green.id)
    chain = [run for run in runs[first : last + 1] if run.tree]
    at = [run.id for run in chain]
    red = at.index(episode.reds[-1].id)
    turned = at.index(episode.turned.id) if episode.turned else len(chain)
    edits = [
        (number, before, after, patch)
        for number, (before, after) in enumerate(pairwise(chain))
        if (patch := edits_since(before, after.tree, patch_between))
    ]
    reds = {run.id for run in episode.reds}
    mended: set[str] = set()
    own_later = False  # a later step went to the failure's own files
    run_later: list[Patch] = []  # and these to a function that it ran through
    steps: list[Step] = []
    for number, before, after, patch in reversed(edits):
        start = before
        own = frozenset(files_in(episode.seen, patch.files, tests=True))
        if number >= turned:
            gone = _gone(episode.seen, before, after, flaky, ended)
            files = own.difference(*(files_in(failure, own, tests=True) for failure in gone))
        elif number >= red:
            since = edits_since(chain[red], before.tree, patch_between)
            elsewhere = _mended_elsewhere(episode, before, ended.get(after.id, ()))
            gone = _gone(episode.seen, before, after, flaky, ended)
            others = _for_others(
                patch, episode, before, after, gone, since, elsewhere, own_later=own_later
            ) or (
                bool(run_later and [*gone, *elsewhere])
                and not _is_run(patch, episode.seen)
                and not _is_used(patch, run_later)
            )
            files = frozenset() if others else patch.names
            mended |= files
        else:
            # Back to code that was red before, an edit took out what another one had tried.
            went_back = after.tree in {run.tree for run in chain[:number] if run.id in reds}
            # Where it was gone in between, an edit that brought it back mends nothing.
            start = next(run for run in reversed(chain[: number + 1]) if run.id in reds)
            fewer = _places(episode.seen, start) - _places(episode.seen, after)
            there = files_in(episode.seen._replace(fields={}, places=tuple(fewer)), own, tests=True)
            helped = after.id in reds and bool(there)
            gone = _gone(episode.seen, before, after, flaky, ended)
            others = not helped and _only_for_others(patch, episode.seen, before, after, gone)
            files = frozenset() if others or went_back else own | (patch.names & mended)
            files |= there if helped else frozenset()
        # What came before an edit that is left out can't be told without it.
        mended -= patch.names - files
        own_later = own_later or bool(own)
        run_later += [patch] if number >= red and _is_run(patch, episode.seen) else []
        steps.append(Step(start, after, patch, files))
    return steps[::-1]


def _for_others(
    patch: Patch,
    episode: Episode,
    before: Run,
    after: Run,
    gone: Sequence[FingerprintedFailure],
    since: Patch,
    elsewhere: Sequence[FingerprintedFailure],
    *,
    own_later: bool,
) -> bool:
    """Tell whether an edit only went to files of failures that were gone after it.

    Where it went to no file of the failure, and another edit did later, it was made for those that
    were gone after it.

    Args:
        patch: the edit.
        episode: a failure with its runs.
        before: the run before the edit.
        after: the run after it.
        gone: other failures that were gone after it.
        since: what was edited from the last red run to ``before``.
        elsewhere: failures of other commands that were mended by then.
        own_later: a later edit went to files of the failure.

    """
    failure = episode.seen
    if _was_over(episode, before, since):
        return True
    was_shown = failure.site in before.sites or failure.led_to(before.failures)
    if not was_shown and files_in(failure, since.files):
        # It was worked on, and seen no more: what came next was for what still showed.
        stayed = any(other.site in episode.reds[-1].sites for other in gone)
        own = files_in(failure, patch.files, tests=True)
        if not own and (stayed or _is_named(patch, gone)):
            return True
        # Its line was mended, and the next edit of its file left that alone.
        if stayed and _is_run(since, failure) and not _is_run(patch, failure, since):
            return True
    if any(_hides(other, episode, before, since) for other in gone):
        return False
    gone = [*gone, *elsewhere]
    own = files_in(failure, patch.files, tests=True)
    if own_later and gone and not own:
        return True
    if was_shown and failure.site not in after.sites:
        return False
    theirs = {file for other in gone for file in files_in(other, patch.files, tests=True)}
    return bool(theirs) and theirs == patch.files and not own


def _is_named(patch: Patch, failures: Sequence[FingerprintedFailure]) -> bool:
    """Tell whether an edit went to nothing but files in which some failures stand, or name."""
    theirs = {
        file
        for other in failures
        for file in files_in(other, patch.files, tests=True) | files_named(other, patch.files)
    }
    return bool(theirs) and theirs == patch.files


def _mended_elsewhere(
    episode: Episode, before: Run, ended: Sequence[FingerprintedFailure]
) -> list[FingerprintedFailure]:
    """Pick what another command showed, such as one in a second terminal, and a run has ended."""
    return [
        other
        for other in ended
        if other.site != episode.seen.site and other.site not in before.sites
    ]


def _hides(other: FingerprintedFailure, episode: Episode, run: Run, since: Patch) -> bool:
    """Tell whether a failure came up while one was worked on, and a run shows it in its place.

    The same test fails in another way, or nothing could be run at all: what mends that goes on
    with the work on the first. But where the code ran past the place of the first, that is over.
    """
    if other.site in episode.reds[-1].sites or is_past(episode.seen, other, since):
        return False
    if not other.fields.get("test"):
        return asks(run.command, run.folder) in episode.asked
    return not set(with_files(episode.seen.places)).isdisjoint(other.places)


def _was_over(episode: Episode, run: Run, since: Patch) -> bool:
    """Tell whether what failed in the place of a failure says that it was gone by then.

    Args:
        episode: the failure with its runs.
        run: a later one.
        since: what was edited from the last red run to that one.

    """
    if episode.seen.site in run.sites or asks(run.command, run.folder) not in episode.asked:
        return False
    return any(is_past(episode.seen, other, since) for other in run.failures)


def _only_for_others(
    patch: Patch,
    failure: FingerprintedFailure,
    before: Run,
    after: Run,
    gone: Sequence[FingerprintedFailure],
) -> bool:
    """Tell whether others were gone after an edit, and it went to no other place of a failure."""
    fewer = _places(failure, before) - _places(failure, after)
    mended = files_in(failure._replace(fields={}, places=tuple(fewer)), patch.files, tests=True)
    theirs = {file for other in gone for file in files_in(other, patch.files, tests=True)}
    own = files_in(failure, patch.files, tests=True)
    return bool(gone) and not mended and not touched(failure, own - theirs, patch)


def _places(failure: FingerprintedFailure, run: Run) -> set[str]:
    """Name where a run shows a failure."""
    return {place for shown in run.failures if shown.site == failure.site for place in shown.places}


def _is_run(patch: Patch, failure: FingerprintedFailure, since: Patch | None = None) -> bool:
    """Tell whether a failure ran through a function that an edit changed, or calls one.

    Args:
        patch: the edit.
        failure: the failure.
        since: what was edited before it, since the failure was seen: that moved lines.

    """
    if any(runs_through(hunk, failure) for hunk in hunks_of(patch)):
        return True
    places = [failure.fields.get("location") or {}, *(failure.fields.get("frames") or ())]
    for place in places:
        file, line = str(place.get("file")), place.get("line") or 0
        if patch.changes(file, since.moved(file, line) if since else line):
            return True
    return False


def _is_used(patch: Patch, later: Sequence[Patch]) -> bool:
    """Tell whether later edits use what an edit defined."""
    names = [defined_by(line).removesuffix("()") for _, sign, line in patch.lines if sign == ADDED]
    words = {
        word
        for each in later
        for _, sign, line in each.lines
        if sign == ADDED
        for word in re.findall(r"\w+", line)
    }
    return any(name in words for name in names if name)


def _gone(
    failure: FingerprintedFailure,
    before: Run,
    after: Run,
    flaky: frozenset[str],
    ended: Mapping[str, Sequence[FingerprintedFailure]],
) -> list[FingerprintedFailure]:
    """List the other failures that were gone after an edit.

    A run that was asked for something else tells only of those that it has shown to be mended.
    """
    if not after.evidence:
        return []
    others = [
        other for other in before.failures if other.site not in after.sites | flaky | {failure.site}
    ]
    if includes(*(asks(run.command, run.folder) for run in (after, before))):
        return others
    mended = {other.site for other in ended.get(after.id, ())}
    return [other for other in others if other.site in mended]
