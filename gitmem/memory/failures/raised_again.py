"""The same message from the same function is the same error, however much of its stack is told.

A site is told by the functions that led there. A program and its test come to one function by
different ways, and an editor's diagnostic names nothing but the line: their sites differ.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from gitmem.capture.observed import Match
from gitmem.matching.labels import SAME_ERROR, SAME_MESSAGE
from gitmem.matching.naming import type_name
from gitmem.matching.recorded import from_fields
from gitmem.matching.site import is_assertion
from gitmem.matching.symbols import symbol_at
from gitmem.matching.test_names import tail
from gitmem.memory.core.shown import read_data
from gitmem.memory.core.workspace import Workspace
from gitmem.tools.common.frames import asserting, file_key, function_name, raising
from gitmem.worktree import read_text

_MOST_READ: Final = 5
"""The newest records of a message: each has to be read."""
_MOST_TEXT: Final = 1 << 20


class _Raised(NamedTuple):
    """Where an error was raised: the file's key, the function, its line; both may be unknown.

    And the test in which it was; empty: in none.
    """

    file: str
    function: str
    line: str
    test: str = ""

    def is_at(self, other: "_Raised") -> bool:
        # Each of two tests has its own error: nobody says that what mends one mends the other.
        if self.file != other.file or (self.test and other.test and self.test != other.test):
            return False
        if self.function and other.function:
            return self.function == other.function
        return bool(self.line) and self.line == other.line


def raised_again(workspace: Workspace, matches: list[Match]) -> list[Match]:
    """Call failures the same error that were raised where one of their message was before."""
    return [
        match._replace(label=SAME_ERROR) if _is_same(workspace, match) else match
        for match in matches
    ]


def _is_same(workspace: Workspace, match: Match) -> bool:
    fields = match.seen.fields
    if match.label != SAME_MESSAGE or not _is_thrown(fields):
        return False
    here = _raised(fields) or _raised_in_file(workspace, fields)
    return here is not None and any(here.is_at(there) for there in _recorded(workspace, match))


def _is_thrown(fields: Mapping[str, Any]) -> bool:
    """Tell whether code raised it; where values are compared, the test says which error it is."""
    name = type_name(str(fields.get("error_type", "")))
    return bool(name) and not is_assertion(name)


def _recorded(workspace: Workspace, match: Match) -> Iterator[_Raised]:
    records = (read_data(workspace, row.path) for row in match.errors[-_MOST_READ:])
    drafts = (draft.error for draft in match.drafts)
    yield from filter(None, map(_raised, (*records, *drafts)))


def _raised(fields: Mapping[str, Any]) -> _Raised | None:
    """Give the innermost own frame that is no helper; None: no stack was told.

    A callback without a name is a part of the function that it is written in.
    """
    frames = [frame for frame in from_fields(fields).frames if frame.file and frame.in_app]
    useful = [frame for frame in frames if not (asserting(frame) or raising(frame))]
    if not useful:
        return None
    last, file = useful[-1], file_key(useful[-1].file)
    here = (frame for frame in reversed(useful) if file_key(frame.file) == file)
    names = filter(None, (_short(function_name(frame.function)) for frame in here))
    test = tail(str((fields.get("test") or {}).get("name", "")))
    return _Raised(file, next(names, ""), _line(last.code), test)


def _raised_in_file(workspace: Workspace, fields: Mapping[str, Any]) -> _Raised | None:
    """Give the same of a line that is named alone: the file tells which function it is in."""
    place = fields.get("location") or {}
    path, number, code = str(place.get("file", "")), place.get("line"), _line(place.get("code"))
    if not path or not number:
        return None
    text = read_text(workspace.site.root, path, _MOST_TEXT)
    lines = text.split("\n") if text else []
    if code and not (number <= len(lines) and _line(lines[number - 1]) == code):
        return _Raised(file_key(path), "", code)  # the editor's text is not saved
    return _Raised(file_key(path), _short(symbol_at(path, lines, number, number)), code)


def _short(name: str) -> str:
    return name.rsplit(".", 1)[-1].rsplit("::", 1)[-1].rsplit("#", 1)[-1]


def _line(code: object) -> str:
    return " ".join(str(code or "").split())
