"""What came of fix attempts: one verdict, carried on rows and printed by every face.

The catalog gives what the record and its verification say. Whether a fix held is told only by
evidence: the same error was recorded after it, or is seen here now, and the fix is in the code.
"""

import os
from typing import TYPE_CHECKING, Final

from gitmem.memory.reading.circumstances import tallies_of
from gitmem.query import Filters
from gitmem.search.facts import saturated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.answers.found import SearchResult
    from gitmem.capture.observed import Match
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

DID_NOT_HOLD: Final = "did not hold"
SUPERSEDED: Final = "superseded"
_HELPED: Final = Filters(kinds=("fix",), statuses=("worked", "claimed"))


def judged(workspace: "Workspace", fixes: "Sequence[Row]") -> "list[Row]":
    """Give fix attempts with the verdict that evidence allows; other rows as they are."""
    helped = [fix for fix in fixes if fix.helped]
    if not helped:
        return list(fixes)
    replaced = workspace.ask(lambda now: now.catalog.superseded(fix.id for fix in helped))
    verdicts = dict.fromkeys(replaced, SUPERSEDED)
    verdicts |= dict.fromkeys(_lost(workspace, helped), DID_NOT_HOLD)
    return [fix._replace(verdict=verdicts[fix.id]) if fix.id in verdicts else fix for fix in fixes]


def _lost(workspace: "Workspace", helped: "Sequence[Row]") -> set[str]:
    """Name the fixes that helped and did not hold."""
    again = workspace.ask(lambda now: now.catalog.recorded_again(fix.id for fix in helped))
    again = _with_files(workspace, [fix for fix in helped if fix.id in again])
    lost = set()
    if again:
        from gitmem.memory.failures.evidence import is_in_the_code

        lost = {fix.id for fix in helped if fix.id in again and is_in_the_code(workspace, fix)}
    # Where no command was watched, nothing failed here that gitmem knows of.
    if workspace.has_runs:
        there = _with_files(workspace, [fix for fix in helped if fix.id not in lost])
        if there:
            from gitmem.memory.failures.failing_again import failing_again

            lost |= failing_again(workspace, [fix for fix in helped if fix.id in there])
    return lost


def fixes_of(workspace: "Workspace", catalog: "Catalog", error: "Row") -> "tuple[Row, ...]":
    """Give the fix attempts that name an error, with their verdicts."""
    linking = catalog.linking_to(error.id)
    fixes = [row for relation, row in linking if relation == "fixes" and row.kind == "fix"]
    return tuple(judged(workspace, fixes))


def not_held(workspace: "Workspace") -> tuple[str, ...]:
    """Name all fixes that did not hold: the catalog, which finds by status, does not know them."""
    rows = workspace.ask(lambda now: now.catalog.rows(_HELPED))
    return tuple(sorted(_lost(workspace, rows))) if rows else ()


def _with_feedback(workspace: "Workspace", rows: "Sequence[Row]") -> "Sequence[Row]":
    """Add to fixes what users made of them: of equal verdicts, what helped again comes first."""
    fixes = [row.id for row in rows if row.kind == "fix"]
    if len(fixes) < 2:  # noqa: PLR2004  one has no order
        return rows
    tallies = tallies_of(workspace)
    reused = workspace.ask(lambda now: now.catalog.reused(fixes))
    votes = {fix: float(times) for fix, times in reused.items()}
    for fix in fixes:
        if fix in tallies:
            votes[fix] = votes.get(fix, 0.0) + tallies[fix].everywhere
    return [
        row._replace(feedback=saturated(votes[row.id])) if votes.get(row.id) else row
        for row in rows
    ]


def _with_files(workspace: "Workspace", fixes: "Sequence[Row]") -> set[str]:
    """Give the ids of fixes whose patch names a file that is there.

    What the others added is not in the code, which is told without reading them.
    """
    if not fixes:
        return set()
    paths = workspace.ask(lambda now: now.catalog.paths_of(fix.file for fix in fixes))
    root = workspace.site.repository_root
    return {
        fix.id
        for fix in fixes
        if any(
            role == "patch" and os.path.lexists(os.path.join(root, path))
            for role, path in paths.get(fix.file, ())
        )
    }


def verdicts_of(workspace: "Workspace", fixes: "Iterable[str]") -> dict[str, str]:
    """Give the verdicts on fix attempts by their ids; unknown ids are left out."""
    rows = workspace.ask(lambda now: now.catalog.by_id(fixes)).values()
    return {row.id: row.verdict for row in judged(workspace, list(rows))}


def judged_matches(workspace: "Workspace", matches: "Sequence[Match]") -> "list[Match]":
    """Give matches whose attempts carry their verdicts."""
    groups = [match.attempts for match in matches]
    groups += [hit.attempts for match in matches for hit in match.similar if not hit.layer]
    rows = _by_id(workspace, [fix for group in groups for fix in group], groups)
    return [
        match._replace(
            attempts=tuple(rows[fix.id] for fix in match.attempts),
            similar=tuple(
                hit._replace(attempts=tuple(rows.get(fix.id, fix) for fix in hit.attempts))
                for hit in match.similar
            ),
        )
        for match in matches
    ]


def judged_hits(workspace: "Workspace", result: "SearchResult") -> "SearchResult":
    """Give hits whose attempts, or which themselves, carry their verdicts."""
    own = [row for hit in result.hits for row in (hit.row, *hit.attempts)]
    rows = _by_id(workspace, own, [hit.attempts for hit in result.hits if not hit.layer])
    hits = [
        hit._replace(row=rows[hit.row.id], attempts=tuple(rows[fix.id] for fix in hit.attempts))
        for hit in result.hits
    ]
    return result._replace(hits=hits)


def _by_id(
    workspace: "Workspace", rows: "Sequence[Row]", groups: "Iterable[Sequence[Row]]"
) -> "dict[str, Row]":
    by_id = {row.id: row for row in _with_feedback(workspace, judged(workspace, rows))}
    several = [group for group in groups if sum(by_id[fix.id].helped for fix in group) > 1]
    if not several:
        return by_id
    from gitmem.memory.failures.precedence import with_precedence  # noqa: PLC0415  start-up

    return with_precedence(workspace, by_id, several)
