"""What ``gitmem report`` shows, asked of the memory at one moment."""

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gitmem.errors import EnvironmentProblem
from gitmem.learning.overall import Health, Overall

if TYPE_CHECKING:
    from gitmem.memory.learned import Learned

_MOST: Final = 12
_TWICE: Final = 2
_OLD_DAYS: Final = 90
_MOST_ANCHORS: Final = 2_000
"""Places that are looked up in the work tree for a report; of more it would take seconds."""


def overall(memory: "Learned") -> Overall:
    """Ask everything that a report shows."""
    ways = memory.successful()
    tried = sorted((one for one in ways if one.rate.tried >= _TWICE),
                   key=lambda one: (-one.rate.tried, one.kind, one.approach))  # fmt: skip
    unheld = sorted((one for one in ways if one.unheld),
                    key=lambda one: (-one.unheld, one.kind, one.approach))  # fmt: skip
    return Overall(
        name=os.path.basename(memory.site.root) or "memory",
        at=memory.now(),
        months=memory.stats(by="month"),
        hot=memory.recurring(_MOST),
        approaches=tried[:_MOST],
        unheld=unheld[:_MOST],
        trends=memory.trends(),
        sessions=memory.performance(),
        health=_health(memory),
    )


def _health(memory: "Learned") -> Health:
    severities: dict[str, int] = {}
    for problem in memory.check(secrets=False):
        severities[problem.severity] = severities.get(problem.severity, 0) + 1
    before = (memory.now() - timedelta(days=_OLD_DAYS)).date().isoformat()
    sql = (
        "SELECT (SELECT count(*) FROM attempts WHERE success IS NULL),"
        " (SELECT count(*) FROM errors e WHERE NOT EXISTS (SELECT 1 FROM record_links l"
        " WHERE l.target = e.id AND l.relation = 'fixes')),"
        " (SELECT count(*) FROM record_paths WHERE role = 'anchor')"
    )
    unverified, without_fix, anchors = memory.query(sql).rows[0]
    return Health(
        tuple(sorted(severities.items())),
        _stale(memory) if anchors <= _MOST_ANCHORS else None,
        memory.count(f"kind:error status:open until:{before}"),
        unverified,
        without_fix,
    )


def _stale(memory: "Learned") -> int | None:
    try:
        return len(memory.stale())
    except EnvironmentProblem:  # without git nothing tells
        return None
