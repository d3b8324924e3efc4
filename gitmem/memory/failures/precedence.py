"""Which of several fixes that helped leads: what a run saw first, then what git got last.

What a record says of itself, its date and its author, anybody may write. Git is asked only where
several fixes of one failure would else have the same place.
"""

import os
from collections.abc import Iterable
from typing import Final

from gitmem.catalog.rows import Row
from gitmem.errors import GitmemError
from gitmem.git.authors import Arrival, arrivals, is_by
from gitmem.memory.core.workspace import Workspace

_SECONDS: Final = 2.0
_AT_ONCE: Final = 500
_RUNS: Final = "SELECT id, seconds FROM attempts WHERE verified = 'passed' AND id IN ({})"
_IN_NO_COMMIT: Final = Arrival(1 << 60, frozenset())
_LONG_AGO: Final = Arrival(0, frozenset())


def with_precedence(
    workspace: Workspace, rows: dict[str, Row], groups: Iterable[Iterable[Row]]
) -> dict[str, Row]:
    """Add to fixes how far what they say was seen, and when they came.

    Args:
        workspace: of the memory.
        rows: by id, with their verdicts.
        groups: attempts that are told together; they are among these rows.

    """
    rivals: dict[str, Row] = {}
    for group in groups:
        worked = {fix.id: rows[fix.id] for fix in group if rows[fix.id].verdict == "worked"}
        rivals |= worked if len(worked) > 1 else {}
    if not rivals:
        return rows
    runs = _runs(workspace, [*rivals])
    came = _arrivals(workspace, rivals.values())
    # No two runs take the same microseconds: who came later copied what the first one says.
    first: dict[float | None, int] = {}
    for fix, seconds in runs.items():
        first[seconds] = min(came[fix].place, first.get(seconds, came[fix].place))
    changed = {}
    for fix, row in rivals.items():
        copied = fix in runs and _is_exact(runs[fix]) and came[fix].place > first[runs[fix]]
        people = came[fix].people if row.via == "human" else ()
        own = not copied and is_by(people, row.author, row.email)
        evidence = (2 if fix in runs else 1) if own else 0
        changed[fix] = row._replace(evidence=evidence, came=came[fix].place)
    return rows | changed


def _runs(workspace: Workspace, ids: list[str]) -> dict[str, float | None]:
    """Give the seconds that a run saw attempts in; those that none saw are left out."""
    catalog = workspace.ask(lambda now: now.catalog)
    runs: dict[str, float | None] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        runs |= dict(catalog.ask(_RUNS.format(", ".join("?" * len(some))), some, -1).rows)
    return runs


def _is_exact(seconds: float | None) -> bool:
    return seconds is not None and seconds * 1000 != round(seconds * 1000)


def _arrivals(workspace: Workspace, rivals: Iterable[Row]) -> dict[str, Arrival]:
    """Give when each came to what is checked out; all long ago where git can't tell."""
    site = workspace.site
    came = dict.fromkeys((fix.id for fix in rivals), _LONG_AGO)
    if site.git_dirs is None:
        return came
    folder = site.folder_in_repository
    try:
        committed = arrivals(site.git_dirs, sorted(came), folder, _SECONDS)
    except GitmemError as error:
        workspace.notices.append(error.message)
        return came
    for fix in rivals:
        path = os.path.join(site.git_dirs.root, folder, fix.path)
        not_yet = _IN_NO_COMMIT if os.path.lexists(path) else _LONG_AGO  # in an archive
        came[fix.id] = committed.get(fix.id, not_yet)
    return came
