"""Confirms drafts by commit: drafts are kept when a commit holds their edit and calls it a fix."""

import re
from typing import TYPE_CHECKING, Final

from gitmem.capture.drafts import KEPT
from gitmem.capture.patches import kept_in, parse_patch
from gitmem.errors import GitmemError
from gitmem.git.repository import Repository, unified_diff
from gitmem.memory.failures.recording import keep
from gitmem.memory.history.hooks import SAYS_FIX

if TYPE_CHECKING:
    from gitmem.memory.failures.access import RecordAccess

_WHOLE: Final = 0.8
_EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def keep_committed(records: "RecordAccess") -> list[str]:
    """Keep the drafts whose fix is in the commit that is checked out; give the records' ids.

    The commit's subject becomes the title of the fix.
    """
    git_dirs = records.workspace.site.git_dirs
    unasked = records.workspace.site.config.capture_assistants == "auto"
    drafts = [
        draft
        for draft in records.workspace.drafts.open()
        if (unasked or not draft.actor)
        and draft.fixes
        and not draft.silenced
        and draft.fixes[-1].get("outcome") == "worked"
    ]
    if git_dirs is None or not drafts or records.workspace.site.config.capture_mode != "auto":
        return []
    with Repository(git_dirs.root) as repository:
        commit = repository.commit("HEAD")
        if len(commit.parents) > 1:
            return []
        if not re.search(SAYS_FIX, repository.message_of(commit.id), re.IGNORECASE):
            return []
    before = (*commit.parents, _EMPTY_TREE)[0]
    whole = parse_patch(unified_diff(git_dirs.root, before, commit.id))
    written: list[str] = []
    for draft in drafts:
        patch = parse_patch(str(draft.fixes[-1].get("patch", "")))
        if not patch.lines or kept_in(patch, whole) < _WHOLE:
            continue
        fix = {**draft.fixes[-1], "title": commit.subject.strip() or draft.fixes[-1]["title"]}
        named = draft._replace(fixes=[*draft.fixes[:-1], fix])
        try:
            ids = keep(records, named)
        except GitmemError as error:
            records.workspace.notices.append(f"{draft.id} stays a draft: {error.message}")
            continue
        records.workspace.drafts.mark(draft, KEPT, ids)
        written += ids
    return written
