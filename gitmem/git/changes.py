"""What changed between two trees, file by file."""

from collections.abc import Collection, Iterator
from typing import Final, Literal

from gitmem.git.changed_paths import diff_tree
from gitmem.records.parts import Change

_Action = Literal["create", "edit", "delete", "rename"]
_ACTIONS: Final[dict[bytes, _Action]] = {
    b"A": "create",
    b"C": "create",
    b"D": "delete",
    b"R": "rename",
}
_SUBMODULE = b"160000"
_LONGEST = 4096
_MOST_PATHS = 2000  # on one command line
_ESCAPES = {0x07: "a", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0B: "v", 0x0C: "f", 0x0D: "r",
            0x22: '"', 0x5C: "\\"}  # fmt: skip


def changes(
    root: str,
    tree_a: str,
    tree_b: str,
    exclude: str = ".memory",
    *,
    only: Collection[bytes] | None = None,
) -> tuple[Change, ...]:
    """List the files that differ between two trees or commits, by path.

    Binary files and submodules have no line counts. A path that a record can't hold as it is
    (a line break, bytes that are no UTF-8, a leading ``~``) is written as git quotes it.

    Args:
        root: the work tree's top.
        tree_a: the older tree.
        tree_b: the newer tree.
        exclude: the memory's folder, which is never listed; empty for none.
        only: look at no other paths, also when pairing renames; None for all.

    Raises:
        EnvironmentProblem: git is missing, or one of the trees is not here.

    """
    if tree_a == tree_b:
        return ()
    options = ("-M", "-l1000", "--raw", "--numstat", "--no-abbrev")
    paths = sorted(only) if only is not None else []
    batches = range(0, len(paths), _MOST_PATHS) if only is not None else (0,)
    found_changes: list[Change] = []
    for first in batches:
        batch = paths[first : first + _MOST_PATHS]
        output = diff_tree(root, *options, trees=(tree_a, tree_b), exclude=exclude, only=batch)
        found_changes += _parse(output)
    return tuple(sorted(found_changes, key=lambda change: change.path))


def _parse(output: bytes) -> Iterator[Change]:
    """Read git's answer: first all raw entries, then all line counts, both keyed by path."""
    fields = iter(output.split(b"\0"))
    raw: dict[bytes, tuple[bytes, bytes | None, bool]] = {}
    counts: dict[bytes, tuple[int | None, int | None]] = {}
    for field in fields:
        if field.startswith(b":"):
            old_mode, new_mode, _, _, status = field[1:].split(b" ")
            path = next(fields)
            before, path = (path, next(fields)) if status[:1] in b"RC" else (None, path)
            raw[path] = (status[:1], before, _SUBMODULE in (old_mode, new_mode))
        elif field:
            added, removed, path = field.split(b"\t", 2)
            if not path:  # a rename: the old path and the new one follow
                next(fields)
                path = next(fields)
            counts[path] = (_count(added), _count(removed))
    for path, (status, before, submodule) in raw.items():
        lines = (None, None) if submodule else counts.get(path, (None, None))
        yield Change(
            path=written_path(path),
            action=_ACTIONS.get(status, "edit"),
            renamed_from=written_path(before) if before is not None else None,
            added=lines[0],
            removed=lines[1],
        )


def _count(text: bytes) -> int | None:
    return None if text == b"-" else int(text)


def written_path(path: bytes) -> str:
    """Write a path as a record holds it: as it is, or in git's quotes where that can't be."""
    try:
        text = path.decode()
    except UnicodeDecodeError:
        return _quoted(path)
    odd = text.startswith(("/", "\\", "~", '"')) or not text.strip()
    if odd or "\\..\\" in f"\\{text}\\" or any(char in text for char in "\n\r"):
        return _quoted(path)
    return text


def _quoted(path: bytes) -> str:
    """Quote as C does. Dots too where two meet, so that nothing looks like a way up."""
    body = path.replace(b"..", b"\0")
    text = "".join(_character(byte) for byte in body)
    return f'"{text}"'[:_LONGEST]


def _character(byte: int) -> str:
    if byte == 0:  # stands for two dots; no path holds a NUL
        return r"\056\056"
    if byte in _ESCAPES:
        return "\\" + _ESCAPES[byte]
    printable = 0x20 <= byte < 0x7F  # noqa: PLR2004  ASCII
    return chr(byte) if printable else f"\\{byte:03o}"
