"""A patch in a line: what it swaps, or the functions that it changes, in which files. Pure."""

from collections.abc import Collection, Sequence

from gitmem.capture.patches import COMMENT, Line, Patch, functions_around
from gitmem.capture.renaming import as_moved, new_names, without_layout
from gitmem.capture.roles import is_document, is_test
from gitmem.diffs import ADDED, REMOVED, FileDiff, read_files
from gitmem.lazy_pattern import lazily
from gitmem.plurals import counted

_EMPTY = lazily(
    r"(?:const|let|var|return|else|try|do|finally|begin|then|case|default|new|await)?[\W_]*$"
    r"|(?:import|from|use|using|require|include)\b"
)
_IMPORT = lazily(r"#?\s*(?:import|from|use|using|require|include)\b")
_OF_ANOTHER = lazily(r"(?:fixup|squash|amend)! |(?i:\[?wip\b)")
_SCOPE = lazily(r"^\w+(?:\([^)]*\))?!?: ")
_WORDS = lazily(r"[^\W_][\w.'-]*")
_VAGUE = frozenset({
    "a", "again", "all", "an", "and", "another", "bug", "bugfix", "bugs", "build", "change",
    "changes", "check", "checkpoint", "cleanup", "code", "commit", "done", "edit", "error",
    "errors", "final", "fix", "fixed", "fixes", "fixing", "for", "forgot", "hotfix", "in", "issue",
    "issues", "it", "last", "little", "minor", "misc", "more", "my", "new", "now", "of", "oops",
    "ops", "patch", "pr", "problem", "problems", "progress", "push", "quick", "quickfix",
    "refactor", "review", "save", "several", "small", "some", "stuff", "stupid", "temp", "test",
    "tests", "the", "things", "this", "tmp", "try", "trying", "tweak", "typo", "typos", "up",
    "update", "updated", "updates", "various", "version", "wip", "work", "working", "works",
})  # fmt: skip
"""Words of subjects that say nothing without others."""
_SUBPROJECT = "Subproject commit "
_COMMIT = 10
"""Characters by which a commit is named."""
_LINK = "120000"
"""The mode of a link."""
_SMALL = 3
_MOST_FILES = 3
_MOST_FUNCTIONS = 2
_LONGEST_TITLE = 160
_LONGEST_LINE = 70
_AROUND = 20
"""Letters shown around what differs in a line."""


def title(patch: Patch, own: Collection[str] = (), *, prefix: str = "") -> str:
    """Give one line that names a fix.

    Args:
        patch: what it changes.
        own: files in which the failure stood: they are named first.
        prefix: what stands before it, such as ``did not help``.

    """
    patch, moves = as_moved(_without_layout(patch))
    own = {*own, *(new for new, old in moves.items() if old in own)}
    files = _told(patch, own)
    patch, own, others = _of_own(patch, own)
    text = _approach(patch, own).partition("\n")[0]
    start = f"{prefix}: " if prefix else ""
    end = f" (also {_files(others)})" if others else ""
    end += "".join(
        f" (moved from {moves[file]})" for file in files if file in moves and patch.lines
    )
    if len(start + text + end) > _LONGEST_TITLE:
        text = _swap(patch, own) or _change(patch, own)
    return shortened(start + text + end)


def says_nothing(subject: str) -> bool:
    """Tell whether a commit's subject does not say what it changes: ``wip``, ``fix tests``."""
    if _OF_ANOTHER.match(subject):
        return True
    words = [word.lower() for word in _WORDS.findall(_SCOPE.sub("", subject))]
    # ``Update cart.rb`` only names a file.
    return len(words) <= 1 or all(word in _VAGUE or "." in word.strip(".") for word in words)


def shortened(text: str) -> str:
    """Cut a title that is too long."""
    return text if len(text) <= _LONGEST_TITLE else text[: _LONGEST_TITLE - 1] + "…"


def approach(patch: Patch, own: Collection[str] = ()) -> str:
    """Say in a line what a patch does: the lines it swaps if they are few, else what it changes.

    Args:
        patch: what is changed.
        own: files in which the failure stood: they are named first.

    """
    patch, own, others = _of_own(_without_layout(patch), own)
    text = _approach(patch, own)
    return f"{text} (also {_files(others)})" if others else text


def _of_own(patch: Patch, own: Collection[str]) -> tuple[Patch, Collection[str], list[str]]:
    """Give what a patch changes where the failure stood, these files, and the others it changes.

    Lines of several files, run together, say less than those of the one where it failed.
    """
    files = _told(patch, own)
    telling = {file for file, _, line in patch.lines if not _IMPORT.match(line.strip())}
    if telling and telling.isdisjoint(own):
        own = telling & set(files)  # where it failed, only the name of what is imported changed
        files = _told(patch, own)
    leading = [file for file in files if file in own]
    changed = {file for file, _, _ in patch.lines}
    others = [file for file in files if file not in own] if leading else []
    if changed.isdisjoint(others):
        return patch, own, []
    lines = frozenset(line for line in patch.lines if line[0] in leading)
    return patch.only(leading)._replace(lines=lines), own, others


def _approach(patch: Patch, own: Collection[str]) -> str:
    shown = _told(patch, own)
    removed, added = _swapped(patch, shown)
    where = _files(shown)
    if other := _another_version(patch, shown):
        return other
    if len(removed) <= _SMALL and len(added) <= _SMALL and (removed or added):
        if removed and added:
            return f"{where}: replace {_code(removed)} by {_code(added)}"
        return f"{where}: add {_code(added)}" if added else f"{where}: remove {_code(removed)}"
    heads = [(file.path, file.header) for file in read_files(patch.text)]
    if modes := [
        _mode(path, head.new_mode) for path, head in heads if head.old_mode and head.new_mode
    ]:
        return ", ".join(modes)
    if not patch.lines and (moves := [_move(file) for file in read_files(patch.text)]):
        return ", ".join(moves)
    return _change(patch, own)


def _without_layout(patch: Patch) -> Patch:
    """Leave out the lines that only look otherwise now; where nothing else changed, they are it."""
    alike: dict[tuple[str, str], dict[str, list[Line]]] = {}
    for line in patch.lines:
        file, sign, text = line
        alike.setdefault((file, without_layout(text)), {}).setdefault(sign, []).append(line)
    left = patch.lines.difference(
        *(lines for both in alike.values() if len(both) > 1 for lines in both.values())
    )
    if not left or left == patch.lines:
        return patch
    files = {file for file, _, _ in left} | (patch.files - {file for file, _, _ in patch.lines})
    return patch._replace(lines=left, files=frozenset(files))


def _another_version(patch: Patch, files: Sequence[str]) -> str:
    """Say what became of a link, or of a repository within this one; empty for other files."""
    diffs = [diff for diff in read_files(patch.text) if diff.path in files]
    if len(diffs) != 1 or len(diffs[0].hunks) != 1:
        return ""
    path, hunk = diffs[0].path, diffs[0].hunks[0]
    if len(lines := dict(hunk.lines)) != len(hunk.lines) or lines.keys() != {REMOVED, ADDED}:
        return ""
    old, new = lines[REMOVED], lines[ADDED]
    if old.startswith(_SUBPROJECT) and new.startswith(_SUBPROJECT):
        old, new = (line.removeprefix(_SUBPROJECT)[:_COMMIT] for line in (old, new))
        return f"{path}: its commit {new} took the place of {old}"
    if diffs[0].header.mode == _LINK:
        return f"{path}: link to `{new}` instead of `{old}`"
    return ""


def _told(patch: Patch, own: Collection[str]) -> list[str]:
    """Name the files that tell what was done: those of the failure first, documents only alone."""
    code = [file for file in patch.files if not is_test(file) and not is_document(file)]
    files = code or [file for file in patch.files if not is_document(file)] or patch.files
    return sorted(files, key=lambda file: (file not in own, file))


def _swapped(patch: Patch, files: Sequence[str]) -> tuple[list[str], list[str]]:
    """Give the lines that were taken out of files, and those that came, without imports.

    One that went without another in its place is what was done.
    """
    removed, added = (_changed(patch, files, sign) for sign in (REMOVED, ADDED))
    removed, added = (list(dict.fromkeys(lines)) for lines in (removed, added))
    if any(_IMPORT.match(line.strip()) for line in added):
        removed = _without_imports(removed)
    return removed, _without_imports(added)


def _without_imports(lines: list[str]) -> list[str]:
    """Leave out the imports that other lines need; where nothing else changed, they are it."""
    return [line for line in lines if not _IMPORT.match(line.strip())] or lines


def _changed(patch: Patch, files: Sequence[str], sign: str) -> list[str]:
    return [line for file, mark, line in sorted(patch.lines) if mark == sign and file in files]


def _change(patch: Patch, own: Collection[str]) -> str:
    shown = _told(patch, own)
    more, less = (len(_changed(patch, shown, sign)) for sign in (ADDED, REMOVED))
    if not patch.lines:
        more += sum(change[1] for change in patch.made)
        less += sum(change[2] for change in patch.made)
    size = f"(+{more} -{less} lines)"
    where = _files(shown)
    if len(new := new_names(file for file in read_files(patch.text) if file.path in shown)) == 1:
        ((old, now),) = new.items()
        return f"{where}: `{old}` is `{now}` now, in {counted(more, 'line')}"
    functions, line = _functions(patch, shown), _first_line(patch, shown)
    if functions:
        where += f", {', '.join(functions)}"
    return f"{where}: {line} … {size}" if line else f"change {where} {size}"


def _functions(patch: Patch, files: Sequence[str]) -> list[str]:
    """Name the functions and classes that a patch changes, in the order of the files."""
    by_file = {diff.path: diff for diff in read_files(patch.text)}
    hunks = (hunk for file in files if file in by_file for hunk in by_file[file].hunks)
    names = dict.fromkeys(
        name
        for hunk in hunks
        for name, (mark, line) in zip(functions_around(hunk), hunk.lines, strict=True)
        if name and mark in (ADDED, REMOVED) and line.strip()
    )
    return list(names)[:_MOST_FUNCTIONS]


def _first_line(patch: Patch, files: Sequence[str]) -> str:
    """Show the first line that says something: one that is added, else one that is removed."""
    by_file = {diff.path: diff for diff in read_files(patch.text)}
    hunks = (hunk for file in files if file in by_file for hunk in by_file[file].hunks)
    lines = [(mark, " ".join(line.split())) for hunk in hunks for mark, line in hunk.lines]
    for sign, verb in ((ADDED, "add"), (REMOVED, "remove")):
        for mark, text in lines:
            if mark == sign and not _EMPTY.match(text) and not COMMENT.match(text):
                cut = text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 1] + "…"
                return f"{verb} `{cut}`"
    return ""


def _move(file: FileDiff) -> str:
    """Say what happened to a file in which no line changed."""
    if not file.old:
        return f"add {file.new}"
    if not file.new:
        return f"delete {file.old}"
    return f"rename {file.old} to {file.new}" if file.old != file.new else f"change {file.new}"


def _mode(file: str, mode: str) -> str:
    return f"make {file} {'executable' if mode.endswith('755') else 'not executable'}"


def _swap(patch: Patch, own: Collection[str]) -> str:
    """Of one line that took the place of another: what differs, with a little around it."""
    shown = _told(patch, own)
    removed, added = _swapped(patch, shown)
    if len(removed) != 1 or len(added) != 1:
        return ""
    (old,), (new,) = removed, added
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])

    def part(line: str) -> str:
        first, last = max(start - _AROUND, 0), min(len(line) - end + _AROUND, len(line))
        middle = line[first:last].strip()
        return ("…" if first else "") + middle + ("…" if last < len(line) else "")

    return f"{_files(shown)}: replace {_code([part(old)])} by {_code([part(new)])}"


def _alike(text: str, other: str) -> int:
    """Count the letters that two texts begin with alike."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(text), len(other)))


def _code(lines: Sequence[str]) -> str:
    return " / ".join(f"`{line}`" for line in lines)


def _files(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_FILES])
    return shown if len(names) <= _MOST_FILES else f"{shown} and {len(names) - _MOST_FILES} more"
