"""Pairing red with green: from the runs of one command to what fixed which failure. Pure.

A wrong attribution is worse than a gap, so everything that is not certain is left out:

- Only runs of the same command in the same folder are compared, and only those that can be
  told something from (``Run.evidence``).
- A failure that is missing from a run that still fails counts as gone only if that run shows
  nothing that the run before did not show: a new failure may have hidden it (a syntax error
  hides type errors, ``-x`` stops at the first).
- Red and green on one tree is flaky, before or after: it is never fixed by an edit. A red run
  counts here even if it was stopped.
- A green run after a checkout of other code, or with other people's commits, pairs with nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import pairwise, permutations
from typing import NamedTuple

from gitmem.capture.patches import Patch, taken_back
from gitmem.capture.runs import Run, Seen

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
        seen: the failure as its newest red run showed it.
        reds: the runs that showed it, oldest first.
        green: the run that showed it gone; None while it is live.
        flaky: red and green were seen on one tree.

    """

    seen: Seen
    reds: tuple[Run, ...]
    green: Run | None = None
    flaky: bool = False

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
        done.extend(live.pop(site)._replace(green=run) for site in _gone(live, run, before))
        for seen in run.failures:
            old = live.get(seen.site)
            if old is None or old.reds[-1] is not run:
                live[seen.site] = Episode(seen, ((*old.reds, run) if old else (run,)))
        before = run
    found = sorted([*done, *live.values()], key=lambda one: (one.reds[0].at, one.reds[0].id))
    unsure = _flaky(runs)
    return [one._replace(flaky=one.seen.site in unsure) for one in found]


def _flaky(runs: Iterable[Run]) -> set[str]:
    """Name the failures that were there and not there on one tree, whichever came first."""
    by_tree: dict[str, set[tuple[frozenset[str], bool]]] = {}
    for run in runs:
        if run.evidence or (run.tree and run.exit_code):
            by_tree.setdefault(run.tree, set()).add((run.sites, run.evidence))
    found: set[str] = set()
    for results in by_tree.values():
        for (some, sure), (more, _) in permutations(results, 2):
            # As with what is gone: where something else shows instead, that may hide it.
            if sure and some < more:
                found |= more - some
    return found


def _gone(live: dict[str, Episode], run: Run, before: Run | None) -> list[str]:
    missing = [site for site in live if site not in run.sites]
    if run.green:
        return missing
    # What is missing was seen just before, together with everything that is still there.
    if before is not None and run.sites < before.sites:
        return [site for site in missing if site in before.sites]
    return []


def attempts(episode: Episode, patch_between: Callable[[str, str], Patch]) -> list[Attempt]:
    """List the edits of an episode, oldest first; the last one of a fixed episode worked.

    Args:
        episode: a failure with its runs.
        patch_between: gives the patch from one tree to another.

    """
    chain: list[Run] = [*episode.reds, *([episode.green] if episode.green else [])]
    found = []
    for before, after in pairwise(chain):
        if before.tree != after.tree and (patch := patch_between(before.tree, after.tree)):
            since = patch_between(after.tree, chain[-1].tree)
            failed = after is not episode.green and taken_back(patch, since) > _TAKEN_BACK
            found.append(Attempt(before, after, patch, failed))
    return found


def fixing_patch(
    episode: Episode,
    patch_between: Callable[[str, str], Patch],
    own_work: Callable[[str, str, datetime], bool],
) -> Patch | None:
    """Give the edit that fixed an episode: everything changed from its first red run to green.

    The whole stretch and not only the last step, since an earlier edit that stayed may be
    needed too; what was taken back in between is not in it. None where it can't be told.

    Args:
        episode: one that is fixed.
        patch_between: gives the patch from one tree to another.
        own_work: tells for two commits whether only the developer's own work lies between, and
            all of it was done since a time.

    """
    if episode.green is None or episode.flaky:
        return None
    chain = [*episode.reds, episode.green]
    if not all(own_work(a.head, b.head, a.at) for a, b in pairwise(chain)):
        return None
    return patch_between(chain[0].tree, chain[-1].tree) or None


def live_episodes(found: Sequence[Episode]) -> list[Episode]:
    """Pick the failures that are there now."""
    return [one for one in found if one.green is None]
