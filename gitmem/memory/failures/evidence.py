"""Whether a fix is in the code: the evidence that an error came back in spite of it."""

from typing import TYPE_CHECKING, Final

from gitmem.capture.applying import PatchRefusedError, read_patch
from gitmem.matching.relocate import FileText, telling
from gitmem.memory.core.shown import read_data
from gitmem.worktree import read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.catalog.rows import Row
    from gitmem.diffs import FileDiff
    from gitmem.memory.core.workspace import Workspace

_MOST_FILES: Final = 20
_MOST_BYTES: Final = 2_000_000


def is_in_the_code(
    workspace: "Workspace", row: "Row", text_of: "Callable[[str], FileText | None] | None" = None
) -> bool:
    """Tell whether a fix's patch is in the code: all lines that it added and that mean themselves.

    Where it added none of these, as one that changes a sign does, it is in the code where each of
    its places looks as the patch left it.

    Args:
        workspace: of the memory.
        row: the fix.
        text_of: gives a file as the code has it; None: as it is now.

    """
    if text_of is None:
        root = workspace.site.repository_root

        def text_of(path: str) -> FileText | None:
            text = read_text(root, path, _MOST_BYTES)
            return None if text is None else FileText(text)

    files = _files(str(read_data(workspace, row.path).get("patch", "")))
    wanted = [(path, [[line] for line in lines]) for path, lines in _added(files)]
    wanted = wanted or [(file.new, _places(file)) for file in files if file.new]
    texts = ((text_of(path), places) for path, places in wanted)
    return bool(wanted) and all(
        text is not None and places and all(_stands(text, lines) for lines in places)
        for text, places in texts
    )


def _stands(text: FileText, lines: list[str]) -> bool:
    return next(text.starts_of(lines), None) is not None


def added_lines(patch: str) -> "list[tuple[str, list[str]]]":
    """Give for each file of a patch the lines that it added, and that mean themselves.

    Lines that it also removed, and those that stand anywhere (a bracket, ``pass``), are left out.
    """
    return _added(_files(patch))


def _files(patch: str) -> "list[FileDiff]":
    try:
        return read_patch(patch)[:_MOST_FILES] if patch.strip() else []
    except PatchRefusedError:
        return []


def _added(files: "list[FileDiff]") -> "list[tuple[str, list[str]]]":
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


def _places(file: "FileDiff") -> list[list[str]]:
    """Give what a patch left at each of its places; nothing where that may stand anywhere."""
    places = [[line for sign, line in hunk.lines if sign in "+ "] for hunk in file.hunks]
    return places if all(telling(" ".join(lines)) for lines in places) else []
