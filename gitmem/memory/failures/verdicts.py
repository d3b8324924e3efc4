"""What came of fix attempts: one verdict, carried on rows and printed by every face.

The catalog gives what the record and its verification say. Whether a fix held is told only by
evidence: the same error was recorded after it, and all that the fix added is in the code.
"""

import os
from typing import TYPE_CHECKING, Final

from gitmem.capture.applying import PatchRefusedError, read_patch
from gitmem.matching.relocate import telling
from gitmem.memory.anchors.anchoring import read_text
from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers import SearchResult, Shown
    from gitmem.capture.recognising import Match
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

DID_NOT_HOLD: Final = "did not hold"
_MOST_FILES: Final = 20


def judged(workspace: "Workspace", fixes: "Sequence[Row]") -> "list[Row]":
    """Give fix attempts with the verdict that evidence allows; other rows as they are."""
    helped = [fix.id for fix in fixes if fix.helped]
    if not helped:
        return list(fixes)
    again = workspace.ask(lambda now: now.catalog.recorded_again(helped))
    return [
        fix._replace(verdict=DID_NOT_HOLD)
        if fix.id in again and _is_in_the_code(workspace, fix)
        else fix
        for fix in fixes
    ]


def judged_matches(workspace: "Workspace", matches: "Sequence[Match]") -> "list[Match]":
    """Give matches whose attempts carry their verdicts."""
    rows = _by_id(workspace, [fix for match in matches for fix in match.attempts])
    return [
        match._replace(attempts=tuple(rows[fix.id] for fix in match.attempts)) for match in matches
    ]


def judged_hits(workspace: "Workspace", result: "SearchResult") -> "SearchResult":
    """Give hits whose attempts, or which themselves, carry their verdicts."""
    rows = _by_id(workspace, [row for hit in result.hits for row in (hit.row, *hit.attempts)])
    hits = [
        hit._replace(row=rows[hit.row.id], attempts=tuple(rows[fix.id] for fix in hit.attempts))
        for hit in result.hits
    ]
    return result._replace(hits=hits)


def judged_page(workspace: "Workspace", shown: "Shown") -> "Shown":
    """Give a record's page; the attempts around it, and itself, carry their verdicts."""
    if shown.layer:
        return shown
    around = [row for _, row in shown.backlinks]
    rows = _by_id(workspace, [shown.row, *around])
    backlinks = [(relation, rows[row.id]) for relation, row in shown.backlinks]
    return shown._replace(row=rows[shown.row.id], backlinks=backlinks)


def _by_id(workspace: "Workspace", rows: "Sequence[Row]") -> "dict[str, Row]":
    return {row.id: row for row in judged(workspace, rows)}


def _is_in_the_code(workspace: "Workspace", row: "Row") -> bool:
    """Tell whether all lines that a fix's patch added are in the files as they are."""
    fix = read_record(workspace, row)
    if not isinstance(fix, Fix) or not fix.patch.strip():
        return False
    added = added_lines(fix.patch)
    root = workspace.site.repository_root
    for path, lines in added:
        text = read_text(os.path.join(root, path))
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
