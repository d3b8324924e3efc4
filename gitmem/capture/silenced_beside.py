"""Failures that an edit only silenced, where it mended others: these have the rest of it. Pure."""

from collections.abc import Sequence

from gitmem.capture.causes import Mended
from gitmem.capture.patch_hunks import hunks_of, patch_of
from gitmem.capture.silencing import silenced_by


def apart_from_silenced(mended: Sequence[Mended]) -> tuple[list[Mended], list[tuple[Mended, str]]]:
    """Part what an edit mended from what it silenced; where it did only one, nothing is parted.

    Only of what a linter or a compiler says: tests that are left out have not passed.

    Args:
        mended: the failures that are gone, each with its edit.

    Returns:
        What is mended, and what is only silenced, each with the words for how.

    """
    left, silenced = list(mended), list[tuple[Mended, str]]()
    for patch in {item.patch.lines: item.patch for item in mended}.values():
        group = [item for item in mended if item.patch.lines == patch.lines]
        how = {
            item.seen.site: words
            for item in group
            if not item.seen.fields.get("test") and (words := silenced_by(patch, item.seen))
        }
        silent = [item for item in group if item.seen.site in how]
        hunks = [
            hunk
            for hunk in hunks_of(patch)
            if not any(silenced_by(patch_of([hunk]), item.seen) for item in silent)
        ]
        if not silent or len(silent) == len(group) or not hunks:
            continue
        rest = patch_of(hunks)
        left = [
            item._replace(patch=rest) if item in group else item
            for item in left
            if item not in silent
        ]
        silenced += [(item, how[item.seen.site]) for item in silent]
    return left, silenced
