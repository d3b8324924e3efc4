"""Applies a stored patch to the files as they are now, in an editor or on disk."""

import os
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.capture.applying import (
    PatchRefusedError,
    Splice,
    new_text,
    patched,
    read_patch,
    splices,
)
from gitmem.diffs import FileDiff
from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.git.text_merge import blob, merged
from gitmem.memory.codebase.self_running import runs_by_itself
from gitmem.worktree import read_file

if TYPE_CHECKING:
    from gitmem.memory.core.site import Site

_MOST_BYTES: Final = 2_000_000
TextOf = Callable[[str], str | None]
"""Gives the text of a file that is open in an editor, by its absolute path; None: it is not."""


class FileChange(NamedTuple):
    """What is to be done to one file.

    Attributes:
        path: the file, absolute.
        action: ``edit``, ``create``, ``delete`` or ``rename``.
        splices: lines to replace in its present text, top down.
        text: the present text; of a new file, its whole text.
        to: of a renamed file, its new path.
        exact: the text still has every line that the patch knew, the context included.
        name: the file as the patch calls it; of a renamed one, its new name.
        asks: nobody should do this unseen: a file is made, deleted or renamed, or tools run what
            stands in it by themselves.

    """

    path: str
    action: str
    splices: tuple[Splice, ...] = ()
    text: str = ""
    to: str = ""
    exact: bool = True
    name: str = ""
    asks: bool = False


def applied(site: "Site", patch: str, text_of: TextOf) -> tuple[FileChange, ...]:
    """Find what a patch does to the files as they are now. Nothing is written.

    Args:
        site: of the memory; paths in the patch are relative to its repository.
        patch: a unified diff.
        text_of: gives the texts of an editor.

    Raises:
        ConflictError: it does not apply, is already applied, or leads out of the repository.

    """
    root = os.path.realpath(site.repository_root)
    try:
        parts = [_named(_change(site, root, part, text_of), part) for part in read_patch(patch)]
    except PatchRefusedError as error:
        raise ConflictError(f"the patch does not apply: {error}", "look at it instead") from None
    changes = tuple(change for change in parts if change)
    if not changes:
        raise ConflictError("the patch is already applied", "there is nothing to do")
    if len(changes) < len(parts):
        raise ConflictError("a part of the patch is already applied", "look at it instead")
    return changes


def _named(change: FileChange | None, part: FileDiff) -> FileChange | None:
    asks = (change is not None and change.action != "edit") or any(
        runs_by_itself(name) for name in (part.old, part.new) if name
    )
    return change and change._replace(name=part.new or part.old or "", asks=asks)


def _change(site: "Site", root: str, part: FileDiff, text_of: TextOf) -> FileChange | None:
    old = _inside(site, root, part.old) if part.old else ""
    new = _inside(site, root, part.new) if part.new else ""
    if not old:
        return _created(root, new, part, text_of)
    text = _text(root, old, text_of)
    if text is None:
        if not new:
            return None
        raise PatchRefusedError(f"{part.old} is not there")
    if not new:
        if patched(text, splices(text, part.hunks)).strip():
            raise PatchRefusedError(f"{part.old} has changes that the patch does not know")
        return FileChange(old, "delete", text=text)
    if new != old and os.path.lexists(new):
        raise PatchRefusedError(f"{part.new} already exists")
    placed, exact = _placed(site, part, text)
    if new != old:
        return FileChange(old, "rename", tuple(placed), text, new, exact)
    return FileChange(old, "edit", tuple(placed), text, exact=exact) if placed else None


def _placed(site: "Site", part: FileDiff, text: str) -> tuple[list[Splice], bool]:
    """Give what is to be replaced, and whether the text is still as the patch knew it."""
    try:
        return splices(text, part.hunks, fuzz=0), True
    except PatchRefusedError:
        pass
    try:
        return splices(text, part.hunks), False
    except PatchRefusedError:
        merged = _three_way(site, part, text)
        if merged is None:
            raise
        return _between(text, merged), False


def _created(root: str, path: str, part: FileDiff, text_of: TextOf) -> FileChange | None:
    text = new_text(part)
    present = _text(root, path, text_of)
    if present is None and not os.path.lexists(path):
        return FileChange(path, "create", text=text)
    if present is not None and present.replace("\r\n", "\n") == text:
        return None
    raise PatchRefusedError(f"{part.new} already exists")


def _inside(site: "Site", root: str, name: str) -> str:
    """Give the absolute path of a patch's file; refuse what lies elsewhere, or is not code."""
    parts = name.split("/")
    odd = "\0" in name or "\\" in name or os.path.isabs(name) or {"", ".", ".."} & {*parts}
    path = os.path.join(root, *parts)
    real = os.path.realpath(path)
    if odd or os.path.commonpath([root, real]) != root or any(map(_is_git, parts)):
        raise PatchRefusedError(f"{name!r} is outside the repository")
    folder = os.path.realpath(site.folder)
    if os.path.commonpath([folder, real]) == folder:
        raise PatchRefusedError(f"{name!r} is a record")
    return path


def _is_git(name: str) -> bool:
    """Tell whether a folder of this name is git's own on some system, which passes over signs."""
    plain = "".join(sign for sign in name if sign.isprintable()).casefold()
    return plain.partition(":")[0].rstrip(" .") in {".git", "git~1"}


def _text(root: str, path: str, text_of: TextOf) -> str | None:
    held = text_of(path)
    if held is not None:
        return held
    try:
        return read_file(root, path, _MOST_BYTES).decode()
    except UnicodeDecodeError:
        raise PatchRefusedError(f"{os.path.basename(path)} is not UTF-8 text") from None
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PatchRefusedError(f"{os.path.basename(path)}: {reason}") from None


def _three_way(site: "Site", part: FileDiff, text: str) -> str | None:
    """Merge what was done since with the patch, from the text that it was made for."""
    if site.git_dirs is None or not part.header.old_blob.strip("0"):
        return None
    try:
        base = blob(site.git_dirs, part.header.old_blob)
        if base is None:
            return None
        theirs = patched(base, splices(base, part.hunks))
        return merged(site.git_dirs, text, base, theirs)
    except (PatchRefusedError, EnvironmentProblem):
        return None


def _between(old: str, new: str) -> list[Splice]:
    before, after = (text.replace("\r\n", "\n").split("\n") for text in (old, new))
    return [
        Splice(start, end, tuple(after[low:high]))
        for tag, start, end, low, high in SequenceMatcher(
            None, before, after, autojunk=False
        ).get_opcodes()
        if tag != "equal"
    ]
