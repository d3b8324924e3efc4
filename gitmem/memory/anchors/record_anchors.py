"""The locations that a record names: anchors, lines of errors, files that decisions govern."""

import fnmatch
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gitmem.answers.places import RecordAnchor
from gitmem.capture.around import LONGEST_LINE, NEIGHBOURS
from gitmem.matching.relocate import SoughtLines, digest_seen
from gitmem.memory.anchors.anchor_finder import anchored
from gitmem.records.kinds import Error
from gitmem.records.parts import Location

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.records.kinds import Record
    from gitmem.records.parts import Frame


def wanted_of(row: "Row", record: "Record", *, errors: bool = True) -> list[RecordAnchor]:
    """List the places that a record names.

    Args:
        row: the record.
        record: the same, whole.
        errors: also where an error showed.

    """
    wanted = [anchored(row, anchor) for anchor in record.anchors]
    if errors and isinstance(record, Error):
        # Innermost frame first: that is where it went wrong.
        for location in (
            *reversed([frame for frame in record.frames if frame.in_app]),
            record.location,
        ):
            if location and location.line:
                # Without its text a line can't be told from what has moved there since.
                if text := text_of(location):
                    seen_by_tool = _noted_hash(record.location, location.file, location.line)
                    target = SoughtLines(location.line, location.line, seen_by_tool, text)
                    path = location.file.replace("\\", "/").removeprefix("./")
                    if _is_inside(path):
                        wanted.append(RecordAnchor(row, path, target, why="error"))
                break
    return wanted


def _noted_hash(location: "Location | None", file: str, line: int) -> str:
    """Give the hash of a line with its neighbours, if they were noted where the error showed."""
    if location is None or not location.around or (location.file, location.line) != (file, line):
        return ""
    around = location.around.split("\n")
    at = min(line - 1, NEIGHBOURS)
    cut = any(len(line) >= LONGEST_LINE for line in around)
    return "" if cut or at >= len(around) else digest_seen(around, at)


def _is_inside(path: str) -> bool:
    """Tell whether a path that a tool printed can be one of this repository."""
    outside = path.startswith(("/", "~", "<")) or path[1:2] == ":" or "\0" in path
    return bool(path) and not outside and os.pardir not in path.split("/")


def text_of(location: "Frame | Location") -> str:
    """Give the text of the line that failed: as the tool printed it, or as the file had it."""
    code = location.code.strip().partition("\n")[0].strip()
    around = (
        location.around.split("\n") if isinstance(location, Location) and location.around else []
    )
    middle = min((location.line or 1) - 1, NEIGHBOURS)
    return code or (around[middle].strip() if middle < len(around) else "")


def governs(record: "Record", path: str, former: Iterable[str] = ()) -> bool:
    """Tell whether a decision governs a file, as the catalog does: a bracket is a bracket.

    Args:
        record: any record.
        path: the file.
        former: the names that it had; one that the decision names itself counts, no pattern.

    """
    for glob in getattr(record, "governs", ()):
        if glob in former:
            return True
        plain = glob.rstrip("/").replace("[", "[[]")
        if fnmatch.fnmatchcase(path, plain) or fnmatch.fnmatchcase(path, f"{plain}/*"):
            return True
    return False
