"""Pairing red with green: from the runs of one command to what fixed which failure. Pure.

A wrong attribution is worse than a gap, so everything that is not certain is left out:

- Only runs of the same command in the same folder are compared, and only those that can be
  told something from (``Run.evidence``).
- A failure that is missing from a run that still fails counts as gone only if that run shows
  that its place was reached (``run_coverage.py``): others may hide it (a syntax error hides type
  errors, ``-x`` stops at the first, ``make -j`` at any).
- Red and green on one tree is flaky, before or after: it is never fixed by an edit. A red run
  counts here even if it was stopped.
- A green run after a checkout of other code, or with other people's commits, pairs with nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import pairwise, permutations
from typing import NamedTuple

from gitmem.capture.patches import Line, Patch, taken_back
from gitmem.capture.run_coverage import passed, went
from gitmem.capture.runs import FingerprintedFailure, Run, more_places

_TAKEN_BACK = 0.5


class Attempt(NamedTuple):
    """An edit between two red runs, or between the last red and the green one.

    Attributes:
        before, after: the runs around it.
        patch: what was changed.
        failed: the failure was still there, and the edit was taken back before the last run.

    """

    before: Run
    after: Run
    patch: Patch
    failed: bool


class Episode(NamedTuple):
    """One failure of one command, from its first red run to the green one.

    Attributes:
        seen: the failure as its newest red run showed it, with the places of all red runs.
        reds: the runs that showed it, oldest first.
        green: the run that showed it gone; None while it is live.
        flaky: red and green were seen on one tree.
        doubtful: it was missing once on the tree of a red run: flaky, or hidden by others.

    """

    seen: FingerprintedFailure
    reds: tuple[Run, ...]
    green: Run | None = None
    flaky: bool = False
    doubtful: bool = False

    @property
    def fixed(self) -> bool:
        """It is gone, by an edit."""
        return self.green is not None and not self.flaky


def episodes(runs: Iterable[Run]) -> list[Episode]:
    """Fold the runs of one command, oldest first, into episodes in the order they began."""
    done: list[Episode] = []
    live: dict[str, Episode] = {}
    before: Run | None = None
    runs = list(runs)
    for run in runs:
        if not run.evidence:
            continue
        gone = [
            site
            for site, one in live.items()
            if site not in run.sites and went(one.seen, run, before)
        ]
        done.extend(live.pop(site)._replace(green=run) for site in gone)
        for seen in run.failures:
            old = live.get(seen.site)
            live[seen.site] = _longer(old, seen, run) if old else Episode(seen, (run,))
        before = run
    found = sorted([*done, *live.values()], key=lambda one: (one.reds[0].at, one.reds[0].id))
    flaky, doubtful = _unsteady(runs)
    return [
        one._replace(flaky=one.seen.site in flaky, doubtful=one.seen.site in doubtful)
        for one in found
    ]


def _longer(episode: Episode, seen: FingerprintedFailure, run: Run) -> Episode:
    places = more_places(episode.seen.places, seen.places)
    reds = episode.reds if episode.reds[-1] is run else (*episode.reds, run)
    return episode._replace(seen=seen._replace(places=places), reds=reds)


def _unsteady(runs: Iterable[Run]) -> tuple[set[str], set[str]]:
    """Name the failures that were there and not there on one tree, whichever came first.

    Gives those that are flaky for sure, and those that may only have been hidden.
    """
    by_tree: dict[str, dict[tuple[object, ...], Run]] = {}
    for run in runs:
        if run.evidence or (run.tree and run.exit_code):
            alike = (run.sites, run.evidence, run.stopped, run.tests and run.tests.ok)
            by_tree.setdefault(run.tree, {}).setdefault(alike, run)
    flaky: set[str] = set()
    doubtful: set[str] = set()
    for results in by_tree.values():
        for some, more in permutations(results.values(), 2):
            for seen in more.failures if some.evidence else ():
                if seen.site in some.sites:
                    continue
                if went(seen, some, more):
                    flaky.add(seen.site)
                elif some.sites < more.sites and passed(seen, some) is None:
                    doubtful.add(seen.site)
    return flaky, doubtful


def attempts(
    episode: Episode,
    patch_between: Callable[[str, str], Patch],
    flaky: frozenset[str] = frozenset(),
) -> list[Attempt]:
    """List the edits of an episode, oldest first; the last one of a fixed episode worked.

    Going back to code that was red before tries nothing.

    Args:
        episode: a failure with its runs.
        patch_between: gives the patch from one tree to another.
        flaky: failures that come and go by themselves.

    """
    chain: list[Run] = [*episode.reds, *([episode.green] if episode.green else [])]
    found = []
    known: set[str] = set()
    for before, after in pairwise(chain):
        known.add(before.tree)
        if after.tree in known or not (patch := patch_between(before.tree, after.tree)):
            continue
        worked = after is episode.green
        if worked or not meant_for_another(patch, episode.seen, before, after, flaky):
            since = patch_between(after.tree, chain[-1].tree)
            failed = not worked and taken_back(patch, since) > _TAKEN_BACK
            found.append(Attempt(before, after, patch, failed))
    return found


def meant_for_another(
    patch: Patch,
    seen: FingerprintedFailure,
    before: Run,
    after: Run,
    flaky: frozenset[str] = frozenset(),
) -> bool:
    """Tell whether an edit was made for another failure: one that was gone after it.

    Whether that one was fixed or is only hidden does not matter: it is no attempt that failed.
    But where the edit also went to a file in which ``seen`` stands, and none of those that
    were gone, it was an attempt at both.

    Args:
        patch: the edit.
        seen: a failure that was there before and after it.
        before: the run before it.
        after: the run after it.
        flaky: failures that come and go by themselves.

    """
    gone = [one for one in before.failures if one.site not in after.sites | flaky]
    theirs = {file for one in gone for file in _files_of(one, patch)}
    return bool(gone) and _files_of(seen, patch) <= theirs


def _files_of(seen: FingerprintedFailure, patch: Patch) -> set[str]:
    """Name the files of a patch in which a failure stands; a tool may name them by full path."""
    places = [seen.fields.get("location") or {}, *(seen.fields.get("frames") or [])]
    named = [f"/{place.get('file', '')}" for place in places]
    return {file for file in patch.files if any(name.endswith(f"/{file}") for name in named)}


def certain_part(
    episode: Episode,
    own_work: Callable[[str, str, datetime], bool],
    committed: Callable[[Run], bool],
) -> Episode | None:
    """Give the part of a fixed episode in which only the developer changed the code; None if none.

    Where other people's commits came in, or other code was checked out, what was before tells
    nothing. Still, what turned red code into green code is known if the next red run was on
    committed code: no half of the fix is missing, since that code is everybody's.

    Args:
        episode: one that is fixed.
        own_work: tells for two commits whether only the developer's own work lies between, and
            all of it was done since a time.
        committed: tells whether a run was on committed code, without edits.

    """
    if episode.green is None or episode.flaky or episode.doubtful:
        return None
    chain = [*episode.reds, episode.green]
    others = [
        n for n, (a, b) in enumerate(pairwise(chain), 1) if not own_work(a.head, b.head, a.at)
    ]
    if not others:
        return episode
    rest = episode.reds[others[-1] :]
    return episode._replace(reds=rest) if rest and committed(rest[0]) else None


def fixing_patch(episode: Episode, patch_between: Callable[[str, str], Patch]) -> Patch | None:
    """Give the edit that fixed an episode: everything changed from its first red run to green.

    The whole stretch and not only the last step, since an earlier edit that stayed may be
    needed too; what was taken back in between is not in it. None where nothing was changed.
    """
    if episode.green is None:
        return None
    return patch_between(episode.reds[0].tree, episode.green.tree) or None


def lines_for_others(
    episode: Episode,
    patch_between: Callable[[str, str], Patch],
    flaky: frozenset[str] = frozenset(),
) -> frozenset[Line]:
    """Give what was changed, while a failure was red, for others: they were gone after it."""
    found: set[Line] = set()
    for before, after in pairwise(episode.reds):
        patch = patch_between(before.tree, after.tree)
        if meant_for_another(patch, episode.seen, before, after, flaky):
            found |= patch.lines
    return frozenset(found)


def live_episodes(found: Sequence[Episode]) -> list[Episode]:
    """Pick the failures that are there now."""
    return [one for one in found if one.green is None]


def unsteady(found: Iterable[Episode]) -> frozenset[str]:
    """Name the failures among these that come and go by themselves."""
    return frozenset(one.seen.site for one in found if one.flaky)
