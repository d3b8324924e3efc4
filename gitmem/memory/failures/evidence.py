"""Whether what a fix added is in the code: the evidence that an error came back in spite of it."""

from typing import TYPE_CHECKING, Final

from gitmem.capture.applying import PatchRefusedError, read_patch
from gitmem.matching.relocate import telling
from gitmem.memory.anchors.anchor_finder import file_text
from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

_MOST_FILES: Final = 20


def is_in_the_code(workspace: "Workspace", row: "Row") -> bool:
    """Tell whether all lines that a fix's patch added are in the files as they are."""
    fix = read_record(workspace, row)
    if not isinstance(fix, Fix) or not fix.patch.strip():
        return False
    added = added_lines(fix.patch)
    root = workspace.site.repository_root
    for path, lines in added:
        text = file_text(root, path)
        if text is None or any(line not in text.counts for line in lines):
            return False
    return bool(added)


def added_lines(patch: str) -> "list[tuple[str, list[str]]]":
    """Give for each file of a patch the lines that it added, and that mean themselves.

    Lines that it also removed, and those that stand anywhere (a bracket, ``pass``), are left out.
    """
    try:
        files = read_patch(patch)[:_MOST_FILES] if patch.strip() else []
    except PatchRefusedError:
        return []
    added = []
    for file in files:
        gone = {line for hunk in file.hunks for sign, line in hunk.lines if sign == "-"}
        lines = [
            line
            for hunk in file.hunks
            for sign, line in hunk.lines
            if sign == "+" and telling(line) and line not in gone
        ]
        if file.new and lines:
            added.append((file.new, list(dict.fromkeys(lines))))
    return added
