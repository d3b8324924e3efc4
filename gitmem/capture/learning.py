"""From the runs of a command to drafts: what this run fixed, and what was tried before."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gitmem.capture.causes import Cause, Mended, beside, causes, without_others
from gitmem.capture.composing import (
    error_fields,
    failed_fields,
    other_cases,
    silenced_fields,
    test_changed_fields,
    worked_fields,
)
from gitmem.capture.episodes import (
    Episode,
    attempts,
    episodes,
    files_in,
    live_episodes,
    unsteady,
)
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.following_tests import follows_code, mends_what_tests_share
from gitmem.capture.learnt import MOST_TESTS, Draft, GoneRemark, RunLessons
from gitmem.capture.made_by_commands import made_by_command, mended_by_run
from gitmem.capture.outside import is_around, is_beside, resolves_conflict, what_differs
from gitmem.capture.own_slips import broken_since, is_own_slip, only_looks, told_as_broken
from gitmem.capture.own_work import (
    OwnPart,
    doubt,
    is_by_variable,
    is_linked,
    own_part,
    why_unknown,
    without,
    without_other_commits,
)
from gitmem.capture.patches import Patch
from gitmem.capture.recording_policy import (
    RecordingPolicy,
    reasons,
    says_little,
    stood_in_committed_code,
)
from gitmem.capture.roles import is_test
from gitmem.capture.run_coverage import passed
from gitmem.capture.runs import Run
from gitmem.capture.silenced_beside import apart_from_silenced
from gitmem.capture.silencing import changes_test, silenced_by
from gitmem.capture.steps import fixing_patch
from gitmem.capture.worktree import WorkTree
from gitmem.matching.basis import GUESS, basis_of, tells_only_the_end
from gitmem.matching.labels import is_placed
from gitmem.plurals import counted

_SEVERAL = 2
_SHORT: Final = 10
"""Characters by which a commit is named."""


def learn(
    runs: Sequence[Run],
    work_tree: WorkTree,
    known_ids: Callable[[FingerprintedFailure], list[str]],
    rule: RecordingPolicy,
) -> RunLessons:
    """Tell what the newest of ``runs`` fixed.

    Args:
        runs: all runs in a work tree, oldest first.
        work_tree: answers what git knows.
        known_ids: gives the ids of error records that the memory has for a failure.
        rule: what is worth remembering.

    """
    all_episodes = episodes(runs)
    newest = runs[-1]
    flaky = unsteady(all_episodes)
    unsteady_failures = [episode.seen for episode in all_episodes if episode.flaky]
    learnt = RunLessons([], [], [], _known_flaky(all_episodes, newest), unsteady_failures)
    mended: list[Mended] = []
    doubts: dict[str, str] = {}
    made_by: dict[str, str] = {}
    ended = _ended(all_episodes)
    sites_told = set(newest.heard)  # what stands there still, and the command passes
    for episode in all_episodes:
        if episode.green is not newest or episode.seen.site in sites_told:
            continue
        sites_told.add(episode.seen.site)
        own = own_part(episode, work_tree)
        part = own.episode
        patch = _fix(part, runs, own, work_tree, flaky, ended) if part else None
        if (
            part
            and patch is None
            and (by_command := made_by_command(part, runs, work_tree.patch, work_tree.text))
        ):
            patch, made_by[part.seen.site] = by_command
        by_variable = part and patch and is_by_variable(part, patch, runs, work_tree)
        if part and (text := mended_by_run(part, runs, work_tree.patch)):
            learnt.remarks.append(GoneRemark("gone", episode.seen, text))
        elif part is None or patch is None or by_variable or is_beside(episode.seen, patch):
            _not_by_an_edit(episode, runs, learnt, work_tree, own, by_variable=bool(by_variable))
        elif text := _no_lesson(part, patch, runs, work_tree):
            learnt.remarks.append(GoneRemark("gone", episode.seen, text))
        else:
            broken = broken_since(part.reds[-1], newest, all_episodes)
            new = [each for each in broken if each.site not in sites_told]
            sites_told.update(each.site for each in new)
            learnt.remarks.extend(told_as_broken(new, patch))
            others = [*broken, *_asked_apart(part, all_episodes)]
            mended.append(without_others(Mended(part, patch), others))
            doubts[part.seen.site] = doubt(own, patch) or _little(part)
    for item in beside(mended, lambda item: is_linked(*item, work_tree)):
        mended.remove(item)
        text = "no longer failing; another failure explains the edit, so this one may come and go"
        learnt.remarks.append(GoneRemark("gone", item.seen, text))
    mended, silenced = apart_from_silenced(mended)
    for item, how in silenced:
        learnt.remarks.append(GoneRemark("silenced", item.seen, f"by {how}, not fixed"))
    for cause in causes(mended, _test_files(all_episodes)):
        first = cause.failures[0].episode
        edits = without(work_tree.patch, written_by_runs(first, runs, work_tree))
        draft = _draft(cause, all_episodes, edits, work_tree, known_ids, rule)
        learnt.drafts.append(_doubted(draft, made_by, doubts))
    for draft in learnt.drafts:
        if draft.silenced:
            failure = next(
                candidate.seen for candidate in mended if candidate.seen.site == draft.site
            )
            text = f"by {draft.silenced}, not fixed"
            learnt.remarks.append(GoneRemark("silenced", failure, text))
    return learnt


def _asked_apart(part: Episode, all_episodes: Sequence[Episode]) -> list[FingerprintedFailure]:
    """Give the failures that are open, and that none of the runs of another one asked for."""
    sites = {site for red in part.reds for site in red.sites}
    return [
        episode.seen
        for episode in live_episodes(all_episodes)
        if episode.seen.site not in sites and part.asked.isdisjoint(episode.asked)
    ]


def _no_lesson(part: Episode, patch: Patch, runs: Sequence[Run], work_tree: WorkTree) -> str:
    """Say why an edit that ended a failure teaches nothing; empty where it does."""
    if _is_taken_back(part, patch, work_tree):
        return "you undid this edit"
    if is_own_slip(part, patch, runs, work_tree):
        return "an edit made it, and the next one took it away"
    return "a merge conflict was resolved" if resolves_conflict(patch) else ""


def _ended(all_episodes: Sequence[Episode]) -> dict[str, list[FingerprintedFailure]]:
    """Give by id of each run the failures that it has shown to be mended."""
    ended: dict[str, list[FingerprintedFailure]] = {}
    for episode in all_episodes:
        if episode.green and episode.fixed:
            ended.setdefault(episode.green.id, []).append(episode.seen)
    return ended


def _fix(
    episode: Episode,
    runs: Sequence[Run],
    own: OwnPart,
    work_tree: WorkTree,
    flaky: frozenset[str],
    ended: Mapping[str, Sequence[FingerprintedFailure]],
) -> Patch | None:
    """Give the edit that fixed an episode, without what others and other commits changed."""
    between = without(work_tree.patch, own.aside)
    passing = written_by_runs(episode, runs, work_tree)
    patch = fixing_patch(episode, runs, between, flaky, passing, ended)
    return without_other_commits(episode, patch, work_tree) if patch else None


def _doubted(draft: Draft, made_by: Mapping[str, str], doubts: Mapping[str, str]) -> Draft:
    """Name the command that made what fixed a failure, and keep here what is in doubt."""
    if command := made_by.get(draft.site):
        fixes = [*draft.fixes[:-1], {**draft.fixes[-1], "title": command}]
        draft = draft._replace(fixes=fixes)
    if draft.reasons and (why := doubts[draft.site]):
        draft = draft._replace(reasons=[], doubt=why)
    return draft


def _test_files(all_episodes: Sequence[Episode]) -> dict[str, frozenset[str]]:
    """Name the files of tests in which each failure was ever seen, by fingerprint."""
    files: dict[str, frozenset[str]] = {}
    for episode in all_episodes:
        named = (place.partition("::")[0] for place in episode.seen.places if "::" in place)
        tests = frozenset(file for file in named if is_test(file))
        files[episode.seen.site] = files.get(episode.seen.site, frozenset()) | tests
    return files


def _known_flaky(all_episodes: Sequence[Episode], newest: Run) -> list[GoneRemark]:
    """Tell of failures that the newest run shows and that came and went before."""
    remarks = []
    for failure in newest.failures:
        ended = [episode for episode in all_episodes if episode.flaky and episode.green is not None]
        times = sum(episode.seen.site == failure.site for episode in ended)
        if times >= _SEVERAL:
            text = f"known flaky, passed {counted(times, 'time')} without a code change"
            remarks.append(GoneRemark("flaky", failure, text))
    return remarks


def _not_by_an_edit(
    episode: Episode,
    runs: Sequence[Run],
    learnt: RunLessons,
    work_tree: WorkTree,
    own: OwnPart,
    *,
    by_variable: bool,
) -> None:
    """Note a failure that is gone without an edit that could have fixed it."""
    red, green = episode.reds[-1], episode.green
    around = what_differs(episode, runs)
    same = green is not None and red.left == green.tree
    outside = is_around(episode.seen) and not own.text
    if outside or ((same or by_variable) and around and green is not None and green.green):
        words = shlex.quote("; ".join(around) or "what was done")
        what = "no tracked file changed" if same else "no edit explains it"
        text = f"passes, and {what}: what did it? gitmem resolve --last {words}"
        learnt.remarks.append(GoneRemark("passes", episode.seen, text, tuple(around)))
    elif episode.flaky:
        learnt.flaky.append(episode.seen)
    elif text := _mending_commit(episode, work_tree):
        by = _silenced_since(episode, work_tree)
        mark, text = ("silenced", f"by {by}, not fixed") if by else ("gone", text)
        learnt.remarks.append(GoneRemark(mark, episode.seen, text))
    elif why := why_unknown(episode, own, work_tree):
        learnt.remarks.append(GoneRemark("gone", episode.seen, why))
    else:
        learnt.gaps.append(episode.seen)


def _silenced_since(episode: Episode, work_tree: WorkTree) -> str:
    """Say how a failure was silenced since its last red run; empty if it was not."""
    red, green = episode.reds[-1], episode.green or episode.reds[-1]
    patch, proven = work_tree.patch(red.left, green.tree), bool(passed(episode.seen, green))
    return silenced_by(patch, episode.seen, proven=proven)


def _mending_commit(episode: Episode, work_tree: WorkTree) -> str:
    """Say which commit mended a failure; empty if others or an edit can have done it, too.

    What failed in one run only may come and go by itself: then the commit is a guess.
    """
    red, green = episode.reds[-1], episode.green
    if green is None or not (work_tree.committed(red) and work_tree.committed(green)):
        return ""
    came, commit = work_tree.commit_for(
        red.head, green.head, lambda paths: files_in(episode.seen, paths)
    )
    if not commit:
        return ""
    name, subject = commit.id[:_SHORT], shlex.quote(commit.subject.strip())
    record = f"git show --format= {name} | gitmem resolve --last {subject} --patch-from -"
    how = "" if came == 1 else f", the only one of {came} that edits where it failed"
    if len(episode.reds) < _SEVERAL:
        return (
            f"maybe fixed by commit {name}{how}: it failed in one run only, so it may come and go;"
            f" to record it: {record}"
        )
    return f"fixed by commit {name}{how}; to record it: {record}"


def _draft(
    cause: Cause,
    all_episodes: Sequence[Episode],
    edits: Callable[[str, str], Patch],
    work_tree: WorkTree,
    known_ids: Callable[[FingerprintedFailure], list[str]],
    rule: RecordingPolicy,
) -> Draft:
    """Make a draft of what was mended, with the attempts that failed before."""
    flaky = unsteady(all_episodes)
    first, ended = cause.failures[0].episode, cause.all_failures
    green = first.green or first.reds[-1]
    tries = [
        attempt
        for attempt in attempts(first, edits, flaky)
        if not only_looks(attempt.patch)
        and (attempt.failed or not attempt.patch.lines.isdisjoint(cause.patch.lines))
    ]
    failed = [failed_fields(attempt) for attempt in tries if attempt.failed]
    proven = all(passed(item.seen, green) for item in ended)
    renamed = not proven and _is_renamed(first, work_tree)
    silenced = silenced_by(cause.patch, first.seen, proven=proven, renamed=renamed)
    subject = work_tree.subject_of(first.reds[-1].head, green.head, cause.patch)
    others = [each.failures[0].seen for each in cause.shared]
    worked = worked_fields(first, cause.patch, subject, others)
    if cause.unclear:
        worked["notes"] = "Which part of it mended which failure is not known."
    ids = [item for each in cause.failures for item in known_ids(each.seen)]
    sites = [item.seen.site for item in ended]
    earlier = any(
        _is_same(each.seen, item.seen) and item.green is not None and item.green is not green
        for item in all_episodes
        for each in ended
    )
    why = reasons(
        first,
        len(tries),
        committed=any(_stood(item.episode, cause.patch, work_tree) for item in ended),
        is_known=bool(ids) or earlier,
        rule=rule,
    )
    in_test = all(changes_test(cause.patch, item.seen) for item in ended)
    test_changed = in_test or all(map(is_test, cause.patch.files))
    failures = [item.seen for item in ended]
    test_changed &= not follows_code(cause.patch, failures)
    test_changed &= not mends_what_tests_share(cause.patch, failures)
    test_changed &= not silenced
    local = bool(silenced) or test_changed
    if silenced:
        worked = silenced_fields(worked, silenced)
    elif test_changed:
        worked = test_changed_fields(worked, cause.patch)
    return Draft(
        id=os.urandom(4).hex(),
        site=first.seen.site,
        error=_error_of(cause),
        fixes=[*failed, worked],
        known=list(dict.fromkeys(ids)),
        reasons=[] if local else why,
        silenced=silenced,
        test_changed=test_changed,
        all_tests=cause.names_all_tests,
        sites=tuple(sites[1:]),
        shared=tuple(
            ([name for each in item.failures for name in known_ids(each.seen)], _error_of(item))
            for item in cause.shared
        ),
    )


def _little(episode: Episode) -> str:
    """Say that nothing is known of a failure but how its command ended."""
    if not says_little(episode.seen):
        return ""
    if basis_of(episode.seen.fields) == GUESS:
        return "gitmem does not know what printed this, so it may be read wrong"
    return "the command says no more than that it failed"


def _is_renamed(episode: Episode, work_tree: WorkTree) -> bool:
    """Tell whether the test that failed is there by another name."""
    name = str((episode.seen.fields.get("test") or {}).get("name", ""))
    red, green = episode.reds[-1], episode.green
    return bool(name and green and work_tree.renamed_tests([name], red.left, green.tree))


def _error_of(cause: Cause) -> dict[str, Any]:
    """Describe the first failure of a cause, with the tests that failed of it, and their words."""
    error = error_fields(cause.failures[0].episode)
    if len(cause.tests) <= 1:
        return error
    also = other_cases([item.seen for item in cause.failures])
    return {**error, "tests": cause.tests[:MOST_TESTS], **({"also": also} if also else {})}


def _stood(episode: Episode, patch: Patch, work_tree: WorkTree) -> bool:
    """Tell whether what an edit mended stood in committed code in one of the red runs."""
    if any(map(work_tree.committed, episode.reds)):
        return True
    # A part of the edit may have been there in the last one.
    return any(
        _stood_in(red, episode, patch, work_tree) for red in (*episode.reds[:1], *episode.reds[-1:])
    )


def _stood_in(red: Run, episode: Episode, patch: Patch, work_tree: WorkTree) -> bool:
    modified = work_tree.modified(red)
    if modified is None:
        return False
    # An edit of something else in a file, such as of the failure before, leaves the bug committed.
    others = modified - work_tree.with_committed_lines(episode.seen, patch, red.head)
    return stood_in_committed_code(
        episode.seen, patch, others, lambda path: work_tree.is_new(red.head, path)
    )


def _is_taken_back(episode: Episode, patch: Patch, work_tree: WorkTree) -> bool:
    """Tell whether an edit only restored what is committed: the developer's own was undone."""
    red, green = episode.reds[-1], episode.green
    if green is None or red.head != green.head or not patch.names:
        return False
    before, after = work_tree.modified(red), work_tree.modified(green)
    if before is None or after is None:
        return False
    return patch.names <= before and patch.names.isdisjoint(after)


def written_by_runs(episode: Episode, runs: Sequence[Run], work_tree: WorkTree) -> frozenset[str]:
    """Name the files that watched commands wrote: outputs, and new files that are in no commit.

    Args:
        episode: a failure with its runs.
        runs: all runs in the work tree.
        work_tree: answers what git knows.

    """
    green = episode.green or episode.reds[-1]
    during = [run for run in runs if episode.reds[0].at <= run.at <= green.at]
    outputs = {path for run in during for path in run.outputs}
    written = {
        path
        for run in during
        if run.end and run.tree and run.end != run.tree
        for path in work_tree.patch(run.tree, run.end).files
    }
    return frozenset(outputs | {path for path in written if work_tree.is_new(green.head, path)})


def _is_same(failure: FingerprintedFailure, other: FingerprintedFailure) -> bool:
    """Tell whether one is the other again: of its place or, without one, of its message."""
    if tells_only_the_end(failure.fields) or failure.site != other.site:
        return False
    return is_placed(failure.fields) or failure.message == other.message
