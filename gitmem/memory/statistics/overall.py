"""What ``gitmem stats report`` shows, asked of the memory at one moment."""

import os
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gitmem.errors import EnvironmentProblem
from gitmem.learning.overall import Health, Overall
from gitmem.memory.anchors.stale_anchors import stale
from gitmem.memory.failures.verdicts import verdicts_of
from gitmem.memory.statistics.lessons import current_lessons
from gitmem.memory.statistics.recurring import recurring
from gitmem.memory.statistics.stats import stats
from gitmem.memory.statistics.strategies import successful
from gitmem.memory.statistics.trends import sessions_together, trends
from gitmem.query import Filters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.learning.strategies import Strategy
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.reader import Reader
    from gitmem.records.problems import Problem

_MOST: Final = 12
_TWICE: Final = 2
_OLD_DAYS: Final = 90
_MOST_ANCHORS: Final = 2_000
"""Places that are looked up in the work tree for a report; of more it would take seconds."""
_COUNTS: Final = (
    "SELECT (SELECT count(*) FROM attempts WHERE success IS NULL),"
    " (SELECT count(*) FROM errors e WHERE NOT EXISTS (SELECT 1 FROM record_links l"
    " WHERE l.target = e.id AND l.relation = 'fixes')),"
    " (SELECT count(*) FROM record_paths WHERE role = 'anchor')"
)


def overall(reader: "Reader", problems: "Iterable[Problem]") -> Overall:
    """Ask everything that a report shows.

    Args:
        reader: of the memory.
        problems: what is wrong with its files.

    """
    health = _health(reader, problems)
    workspace = reader.workspace
    return workspace.ask(lambda now: _overall(workspace, now, health))


def _overall(workspace: "Workspace", now: "Snapshot", health: Health) -> Overall:
    lessons = current_lessons(now)
    site, at = workspace.site, workspace.clock()
    ways = successful(lessons, -1, Filters())
    tried = sorted(
        (way for way in ways if way.rate.tried >= _TWICE),
        key=lambda way: (-way.rate.tried, way.kind, way.approach),
    )
    unheld = sorted(
        (way for way in ways if way.unheld), key=lambda way: (-way.unheld, way.kind, way.approach)
    )
    approaches, hot = tried[:_MOST], recurring(lessons, site, _MOST, Filters())
    unheld = unheld[:_MOST]
    best = [
        way.best
        for way in (*approaches, *unheld, *(failure.best for failure in hot if failure.best))
    ]
    verdicts = verdicts_of(workspace, best)

    def with_verdict(way: "Strategy") -> "Strategy":
        return way._replace(verdict=verdicts.get(way.best, ""))

    return Overall(
        name=os.path.basename(site.root) or "memory",
        at=at,
        months=stats(lessons, "month", Filters(), at, site.folder),
        hot=[
            failure._replace(best=with_verdict(failure.best)) if failure.best else failure
            for failure in hot
        ],
        approaches=list(map(with_verdict, approaches)),
        unheld=list(map(with_verdict, unheld)),
        trends=trends(lessons, "category"),
        sessions=sessions_together(lessons),
        health=health,
    )


def _health(reader: "Reader", problems: "Iterable[Problem]") -> Health:
    severities = Counter(problem.severity for problem in problems)
    before = (reader.workspace.clock() - timedelta(days=_OLD_DAYS)).date().isoformat()
    unverified, without_fix, anchors = reader.query(_COUNTS).rows[0]
    return Health(
        tuple(sorted(severities.items())),
        _stale_places(reader.workspace) if anchors <= _MOST_ANCHORS else None,
        reader.count(f"kind:error status:open until:{before}"),
        unverified,
        without_fix,
    )


def _stale_places(workspace: "Workspace") -> int | None:
    try:
        return len(stale(workspace))
    except EnvironmentProblem:  # without git nothing tells
        return None
