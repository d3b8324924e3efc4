"""Fixes of which the failure is back in this work tree, as watched runs show, and not recorded yet.

It is where it fails now, or failed until an edit that is a draft; and where the code that failed
had the fix in it. What somebody broke and took back again says nothing of a fix.
"""

from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from gitmem.capture.episodes import episodes
from gitmem.capture.history import RunHistory
from gitmem.errors import GitmemError
from gitmem.git.objects import Objects
from gitmem.matching.labels import is_placed
from gitmem.matching.relocate import FileText
from gitmem.memory.core.team_rules import mask_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitmem.capture.episodes import Episode
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace


def failing_again(workspace: "Workspace", fixes: "Sequence[Row]") -> set[str]:
    """Name those fixes of which the failure was seen again here, with the fix in the code."""
    since = {fix.id: datetime.fromisoformat(fix.created) for fix in fixes}
    git_dirs = workspace.site.git_dirs
    name = git_dirs.git_dir if git_dirs else workspace.site.root
    history = RunHistory(
        workspace.journal, name, partial(mask_rules, workspace.site, workspace.notices)
    )
    mended = {site for draft in workspace.drafts.open() for site in draft.all_sites}
    newest = history.newest(min(since.values()))
    red = mended.union(*(run.sites for run in newest))
    if not red:
        return set()
    fixed = workspace.ask(lambda now: now.catalog.fixed_prints(since))
    red.intersection_update(prints.get("site") for each in fixed.values() for prints in each)
    if not red:
        return set()
    back = [
        episode
        for episode in episodes(history.timeline())
        if episode.seen.site in red and not episode.flaky
        if episode.green is None or episode.seen.site in mended
    ]
    return {
        fix.id
        for fix in fixes
        if any(
            _is_same(episode.seen, fixed.get(fix.id, ()))
            and _had(workspace, episode, fix, since[fix.id])
            for episode in back
        )
    }


def _is_same(failure: "FingerprintedFailure", errors: "Iterable[Mapping[str, str]]") -> bool:
    """Tell whether a failure is one of some errors: at one place another message is another one.

    Where the site is no place, it may be the same message in another file; and a test program that
    crashes says nothing of what crashed it.
    """
    is_told = bool(failure.message) and is_placed(failure.fields)
    return any(
        failure.exact == prints.get("exact", "-")
        or (
            is_told
            and failure.site == prints.get("site")
            and failure.message == prints.get("message")
        )
        for prints in errors
    )


def _had(workspace: "Workspace", episode: "Episode", fix: "Row", since: datetime) -> bool:
    """Tell whether a failure was seen after a fix was recorded, in code that had the fix."""
    git_dirs = workspace.site.git_dirs
    red = episode.reds[-1]
    if git_dirs is None or not red.tree or red.at.astimezone(UTC) <= since:
        return False
    from gitmem.memory.failures.evidence import is_in_the_code

    def text_of(path: str) -> FileText | None:
        try:
            text = objects.text(red.tree, path)
        except GitmemError:
            return None
        return None if text is None else FileText(text)

    with closing(Objects(git_dirs)) as objects:
        return is_in_the_code(workspace, fix, text_of)
