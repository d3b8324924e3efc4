"""Pairing red with green: from the runs in one work tree to what fixed which failure. Pure.

A wrong attribution is worse than a gap, so everything that is not certain is left out:

- Failures are paired by what fails: a test is green when it was run and passed, in whichever
  run. Where nobody says which tests passed, only runs that ask for the same are compared
  (``commands.asks``), and only those that can be told something from (``Run.evidence``).
- A failure that is missing from a run that still fails counts as gone only if that run shows
  that its place was reached (``run_coverage.py``): others may hide it (a syntax error hides type
  errors, ``-x`` stops at the first, ``make -j`` at any).
- Red and green on one tree is flaky, before or after: it is never fixed by an edit. A red run
  counts here even if it was stopped.
- A green run after a checkout of other code, or with other people's commits, pairs with nothing.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from gitmem.capture.commands import asks, asks_for_last_failed, program_of
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch, taken_back
from gitmem.capture.run_coverage import may_tell, passed, ran_last_failed, still_open, went
from gitmem.capture.runs import Run, more_places

_TAKEN_BACK = 0.5
_BASES = 6
"""So many red runs back an edit may have begun."""


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
    """One failure, from its first red run to the green one.

    Attributes:
        seen: the failure as its newest red run showed it, with the places of all red runs.
        reds: the runs that showed it, oldest first.
        green: the run that showed it gone; None while it is live.
        flaky: red and green were seen on one tree.
        doubtful: it was missing once on the tree of a red run: flaky, or hidden by others.
        asked: what the red runs asked for (``commands.asks``).
        left: its tests that were not seen to pass since the last red run.
        turned: the first run since then in which one of its tests passed.

    """

    seen: FingerprintedFailure
    reds: tuple[Run, ...]
    green: Run | None = None
    flaky: bool = False
    doubtful: bool = False
    asked: frozenset[tuple[str, ...]] = frozenset()
    left: tuple[str, ...] = ()
    turned: Run | None = None

    @property
    def fixed(self) -> bool:
        """It is gone, by an edit."""
        return self.green is not None and not self.flaky


_Key = tuple[str, tuple[str, ...]]


def episodes(runs: Iterable[Run]) -> list[Episode]:
    """Fold the runs in a work tree, oldest first, into episodes in the order they began."""
    done: list[Episode] = []
    live: dict[_Key, Episode] = {}
    aside: dict[_Key, tuple[Episode, Episode]] = {}  # as it was, and as it passed elsewhere
    before: dict[tuple[str, ...], Run] = {}
    newest: dict[str, Run] = {}
    runs = list(runs)
    for run in runs:
        program = program_of(run.command)
        last, newest[program] = newest.get(program), run
        if not (run.evidence or run.partial):
            continue
        wanted = asks(run.command, run.folder)
        led = {key: each.seen for key, each in live.items() if each.seen.led_to(run.failures)}
        shown = led | {_key(failure, wanted): failure for failure in run.failures}
        if not run.evidence:
            for key, failure in shown.items():
                live[key] = _longer(live.get(key), failure, run, wanted)
            continue
        for key, episode in list(live.items()):
            if key in shown:
                continue
            live[key] = after = _after(episode, run, before.get(wanted), last)
            if after.green:
                done.append(live.pop(key))
                aside |= {key: (episode, after)} if _passed_elsewhere(after) else {}
        for key in aside.keys() & shown.keys():
            live.setdefault(key, aside.pop(key)[0])
        for key, (episode, elsewhere) in list(aside.items()):
            after = _after(episode, run, before.get(wanted), last)
            if elsewhere.green is not run and _is_edited_where_it_failed(after):
                done[done.index(elsewhere)] = after
                del aside[key]
        for key, failure in shown.items():
            live[key] = _longer(live.get(key), failure, run, wanted)
        before[wanted] = run
    all_episodes = [*done, *live.values()]
    all_episodes.sort(key=lambda episode: (episode.reds[0].at, episode.reds[0].id))
    flaky, doubtful = _unsteady(runs)
    return [
        episode._replace(flaky=episode.seen.site in flaky, doubtful=episode.seen.site in doubtful)
        for episode in all_episodes
    ]


def _passed_elsewhere(episode: Episode) -> bool:
    """Tell whether a failure was gone on the same code because a variable was another: it stays."""
    red, green = episode.reds[-1], episode.green
    if green is None or red.left != green.tree:
        return False
    return any(words.startswith("$") for words in _changes_around(red, green))


def _is_edited_where_it_failed(episode: Episode) -> bool:
    """Tell whether it is gone on other code, with the variables with which it failed."""
    red, green = episode.reds[-1], episode.green
    if green is None or green.tree in {
        tree for run in episode.reds for tree in (run.tree, run.left)
    }:
        return False
    return not any(words.startswith("$") for words in _changes_around(red, green))


def _key(failure: FingerprintedFailure, wanted: tuple[str, ...]) -> _Key:
    """Tell failures apart: a test is one wherever it runs, what else fails by what was asked."""
    named = bool(failure.fields.get("test")) and any(failure.places)
    return (failure.site, () if named else wanted)


def _after(episode: Episode, run: Run, before: Run | None, last: Run | None) -> Episode:
    """Go on with an episode after a run that does not show its failure.

    Args:
        episode: the failure.
        run: the run.
        before: the run before that asked for the same.
        last: the run before of the same program.

    """
    left = () if episode.seen.site in run.past else still_open(episode.seen, episode.left, run)
    if left is None:
        # What failed last is another question after each run.
        of_last = asks_for_last_failed(run.command)
        gone = of_last and ran_last_failed(episode.seen, run, last)
        if not gone and (not of_last or last is episode.reds[-1]):
            gone = went(episode.seen, run, before, episode.asked)
        return episode._replace(green=run) if gone else episode
    if not left:
        return episode._replace(green=run, left=left, turned=episode.turned or run)
    if len(left) < len(episode.left):
        return episode._replace(left=left, turned=episode.turned or run)
    return episode


def _longer(
    episode: Episode | None, failure: FingerprintedFailure, run: Run, wanted: tuple[str, ...]
) -> Episode:
    if episode is None:
        return Episode(failure, (run,), asked=frozenset({wanted}), left=failure.places)
    places = more_places(episode.seen.places, failure.places)
    reds = episode.reds if episode.reds[-1] is run else (*episode.reds, run)
    left = more_places(episode.left, failure.places) if episode.left else failure.places
    longer = failure._replace(places=places)
    return episode._replace(
        seen=longer,
        reds=reds,
        asked=episode.asked | {wanted},
        left=still_open(longer, left, run) or left,
        turned=None,
    )


class _Outcome(NamedTuple):
    """A run, what it asked for, and the failures that it showed, by fingerprint."""

    run: Run
    wanted: tuple[str, ...]
    sites: frozenset[str]


def _unsteady(runs: Iterable[Run]) -> tuple[set[str], set[str]]:
    """Name the failures that were there and not there on one tree, whichever came first.

    Gives those that are flaky for sure, and others that may only have been hidden.
    """
    by_tree: dict[str, dict[tuple[object, ...], _Outcome]] = {}
    for run in runs:
        if run.evidence or (run.tree and run.exit_code):
            outcome = _Outcome(run, asks(run.command, run.folder), run.sites)
            passing = run.tests and run.tests.ok
            alike = (*outcome[1:], run.evidence, run.stopped, passing)
            by_tree.setdefault(run.tree, {}).setdefault(alike, outcome)
    flaky: set[str] = set()
    doubtful: set[str] = set()
    for outcomes in by_tree.values():
        by_question: dict[tuple[str, ...], list[_Outcome]] = {}
        for outcome in outcomes.values():
            if outcome.sites:
                by_question.setdefault(outcome.wanted, []).append(outcome)
        for some in outcomes.values():
            if some.run.evidence:
                for wanted, shown in by_question.items():
                    if wanted == some.wanted or may_tell(some.run, wanted):
                        _compare(some, shown, flaky, doubtful)
    return flaky, doubtful - flaky


def _changes_around(before: Run, after: Run) -> list[str]:
    """Say what differs in what two runs ran in."""
    if before.around == after.around:
        return []
    from gitmem.capture.surroundings import differences

    return differences(before.around, after.around)


def _compare(
    some: _Outcome, shown: Iterable[_Outcome], flaky: set[str], doubtful: set[str]
) -> None:
    """Sort out the failures of runs that asked for one thing, and that another did not show."""
    for more in shown:
        same = more.wanted == some.wanted
        before, rewrote = (more.run, False) if same else (None, some.run.rewrote > more.run.rewrote)
        hidden = same and some.sites < more.sites
        for failure in more.run.failures:
            if failure.site in some.sites or failure.site in flaky:
                continue
            if rewrote or _changes_around(more.run, some.run):
                continue  # what lies around the code is not the same, or was rewritten now
            if went(failure, some.run, before, {more.wanted}):
                flaky.add(failure.site)
            elif hidden and passed(failure, some.run) is None:
                doubtful.add(failure.site)


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
    edits = []
    trees: set[str] = set()
    for number, (before, after) in enumerate(pairwise(chain)):
        trees |= {before.tree} if before.edited else {before.tree, before.left}
        if after.tree in trees:
            continue
        base, patch = _from_nearest(chain[: number + 1], after, patch_between)
        if not patch:
            continue
        worked = after is episode.green
        if worked or not meant_for_another(patch, episode.seen, before, after, flaky):
            since = edits_since(after, chain[-1].tree, patch_between)
            failed = not worked and taken_back(patch, since) > _TAKEN_BACK
            edits.append(Attempt(base, after, patch, failed))
    return edits


def edits_since(before: Run, tree: str, patch_between: Callable[[str, str], Patch]) -> Patch:
    """Give what was edited from a run to a snapshot: since its end, and by hand while it ran."""
    patch = patch_between(before.left, tree)
    if not before.edited:
        return patch
    return patch_between(before.tree, tree).only(patch.names.union(before.edited))


def _from_nearest(
    reds: Sequence[Run], after: Run, patch_between: Callable[[str, str], Patch]
) -> tuple[Run, Patch]:
    """Give the difference from the red code that an edit was made on, with that run.

    That is the code of the run before, or what the developer went back to in between: an older
    red one from which less differs.
    """
    best = reds[-1]
    patch = edits_since(best, after.tree, patch_between)
    if not any(sign == "-" for _, sign, _ in patch.lines):
        return best, patch
    for red in reversed(reds[-_BASES:-1]):
        if not red.sites <= best.sites:
            continue  # what mended another failure since is no part of it
        other = edits_since(red, after.tree, patch_between)
        if other and len(other.lines) < len(patch.lines):
            best, patch = red, other
    return best, patch


def meant_for_another(
    patch: Patch,
    failure: FingerprintedFailure,
    before: Run,
    after: Run,
    flaky: frozenset[str] = frozenset(),
) -> bool:
    """Tell whether an edit was made for another failure: one that was gone after it.

    Whether that one was fixed or is only hidden does not matter: it is no attempt that failed.
    But where the edit also went to a place at which ``failure`` stands, in a file in which none of
    those that were gone does, it was an attempt at both. An edit of nothing but files in which
    others stand, and not this one, was made for these even where it did not help. So was one that
    went to other places of its file.

    Args:
        patch: the edit.
        failure: a failure that was there before and after it.
        before: the run before it.
        after: the run after it.
        flaky: failures that come and go by themselves.

    """
    own = _files_of(failure, patch)
    others = [other for other in before.failures if other.site not in flaky | {failure.site}]
    gone = [other for other in others if other.site not in after.sites]
    theirs = {file for other in gone for file in _files_of(other, patch)}
    if gone and not touched(failure, own - theirs, patch):
        return True
    if others and own and not touched(failure, own, patch):
        return True
    where = {file for other in others for file in _files_of(other, patch)}
    return not own and bool(where) and where == patch.files


def _files_of(failure: FingerprintedFailure, patch: Patch) -> set[str]:
    """Name the files of a patch in which a failure stands; a tool may name them by full path."""
    return files_in(failure, patch.files)


def files_in(
    failure: FingerprintedFailure, files: Iterable[str], *, tests: bool = False
) -> set[str]:
    """Name those of some files in which a failure stands; a tool may name them by full path.

    Args:
        failure: the failure.
        files: relative to the work tree.
        tests: also where it is only a test of the file that failed.

    """
    places = [failure.fields.get("location") or {}, *(failure.fields.get("frames") or [])]
    named = [f"/{place.get('file', '')}" for place in places]
    if tests:
        named += [f"/{place.partition('::')[0]}" for place in failure.places]
    return {file for file in files if any(name.endswith(f"/{file}") for name in named)}


def touched(failure: FingerprintedFailure, files: Collection[str], patch: Patch) -> bool:
    """Tell whether an edit of some files in which a failure stands is near to where it does.

    A file without a line of the failure is near as a whole.
    """
    places = [failure.fields.get("location") or {}, *(failure.fields.get("frames") or [])]
    for file in files:
        lines = [
            place.get("line")
            for place in places
            if f"/{place.get('file', '')}".endswith(f"/{file}")
        ]
        if not lines or not all(lines) or any(patch.is_near(file, line) for line in lines):
            return True
    return False


def may_teach(runs: Sequence[Run]) -> bool:
    """Tell whether the newest of some runs ended a failure, or some came and went in them."""
    return any(episode.flaky or episode.green is runs[-1] for episode in episodes(runs))


def open_elsewhere(runs: Sequence[Run], tree: str) -> bool:
    """Tell whether a failure is open that was last seen on other code than a tree."""
    last = [episode.reds[-1] for episode in live_episodes(episodes(runs))]
    return any(tree not in {run.tree, run.left} for run in last)


def live_episodes(episodes_of_runs: Sequence[Episode]) -> list[Episode]:
    """Pick the failures that are there now."""
    return [episode for episode in episodes_of_runs if episode.green is None]


def lost_tests(runs: Sequence[Run], names: Collection[str]) -> dict[str, Run]:
    """Give the failing tests that are not among some names, each with the last run of it."""
    return {
        place: next(run for run in reversed(episode.reds) if place in _places_in(run, episode))
        for episode in live_episodes(episodes(runs))
        if episode.seen.fields.get("test")
        for place in episode.left
        if place and place not in names
    }


def _places_in(run: Run, episode: Episode) -> set[str]:
    return {
        place
        for failure in run.failures
        if failure.site == episode.seen.site
        for place in failure.places
    }


def still_there(failures: Iterable[FingerprintedFailure], runs: Sequence[Run]) -> set[str]:
    """Name the failures, by site, that earlier runs showed and no run since showed gone.

    Args:
        failures: of the newest run.
        runs: those before, of whichever commands.

    """
    live = [episode.seen for episode in live_episodes(episodes(runs))]
    sites = {failure.site for failure in live}
    of_tests = {(place, failure.title) for failure in live for place in failure.places if place}
    return {
        failure.site
        for failure in failures
        if failure.site in sites
        or any(place in failure.places and failure.is_titled(title) for place, title in of_tests)
    }


def unsteady(episodes_of_runs: Iterable[Episode]) -> frozenset[str]:
    """Name the failures among these that come and go by themselves."""
    return frozenset(episode.seen.site for episode in episodes_of_runs if episode.flaky)
