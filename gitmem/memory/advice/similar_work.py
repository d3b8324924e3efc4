"""Pieces of work like one at hand: found by search over sessions, and by what tasks say of them.

The search finds sessions by their words, the catalog those of the same category or type.
``learning.tasks`` says how alike each of them is.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import UsageError
from gitmem.index.analysis import terms
from gitmem.learning.recommending import PastWork, Recommendation, recommend
from gitmem.learning.tasks import ALIKE, GENERAL, PlannedTask, likeness, task_of
from gitmem.memory.reading.wording import worded

if TYPE_CHECKING:
    from gitmem.answers import SearchHit
    from gitmem.memory.view import View

MOST_FOUND: Final = 60
_MOST_OF_A_SORT: Final = 200
"""The newest sessions of one category or type that are compared."""
MOST: Final = 50
_COLUMNS: Final = "id, title, created, success, category, type, complexity, approach"


def similar_work(
    memory: "View", task: Mapping[str, Any], limit: int = 5, *, success_only: bool = False
) -> list[PastWork]:
    """Give pieces of work like a task, the most alike first.

    Args:
        memory: the memory.
        task: what it states; see ``learning.tasks.task_of``.
        limit: how many at most.
        success_only: only those that succeeded.

    Raises:
        UsageError: the task states something that can't be read.

    """
    wanted = read_task(task)
    hits = worded(memory.workspace, wanted.description, MOST_FOUND, ("session",))
    return among(memory, wanted, hits, limit, success_only=success_only)


def recommended(memory: "View", task: Mapping[str, Any]) -> Recommendation:
    """Recommend how to go about a task, by the work that is most like it."""
    return recommend(similar_work(memory, task, MOST))


def read_task(task: Mapping[str, Any]) -> PlannedTask:
    """Read a task; raise UsageError for what can't be read."""
    try:
        return task_of(task)
    except ValueError as error:
        hint = "it has description, category, type, complexity, effort and dependencies"
        raise UsageError(f"the task can't be read: {error}", hint) from None


def among(
    memory: "View",
    task: PlannedTask,
    hits: "Iterable[SearchHit]",
    limit: int,
    *,
    success_only: bool = False,
) -> list[PastWork]:
    """Give pieces of work like a task, of those that a search found and the newest of its sort."""
    words = terms(task.description).keys()
    found = []
    for row in _candidates(memory, task, [hit.row.id for hit in hits if hit.row.kind == "session"]):
        name, title, created, success, category, kind, complexity, approach = row
        if success_only and not success:
            continue
        before = PlannedTask(title, category, kind, complexity=complexity)
        alike = likeness(task, before, words, terms(title).keys())
        if alike.share > ALIKE:
            won = None if success is None else bool(success)
            found.append(PastWork(name, title, created, won, approach, (), (), alike))
    found.sort(key=lambda one: (one.created, one.id), reverse=True)
    found.sort(key=lambda one: -one.likeness.share)
    return _with_traits(memory, found[:limit])


def _candidates(memory: "View", task: PlannedTask, named: list[str]) -> list[tuple[Any, ...]]:
    found = _rows(memory, f"id IN ({_marks(len(named))})", named)
    for column, value in (("category", task.category), ("type", task.type)):
        if value and value != GENERAL:
            newest = f"{column} = ? ORDER BY created DESC, id LIMIT {_MOST_OF_A_SORT}"
            found |= _rows(memory, newest, [value])
    return list(found.values())


def _rows(memory: "View", condition: str, values: list[str]) -> dict[str, tuple[Any, ...]]:
    if not values:
        return {}
    sql = f"SELECT {_COLUMNS} FROM sessions WHERE {condition}"  # noqa: S608  constants
    return {row[0]: row for row in memory.derived.opened.ask(sql, values, -1).rows}


def _with_traits(memory: "View", found: list[PastWork]) -> list[PastWork]:
    if not found:
        return []
    sql = (
        "SELECT id, role, value FROM record_traits WHERE role IN ('factor', 'tool')"  # noqa: S608
        f" AND id IN ({_marks(len(found))}) ORDER BY role, value"
    )
    traits: dict[tuple[str, str], list[str]] = {}
    for name, role, value in memory.derived.opened.ask(sql, [one.id for one in found], -1).rows:
        traits.setdefault((name, role), []).append(value)
    return [
        one._replace(factors=_of(traits, one.id, "factor"), tools=_of(traits, one.id, "tool"))
        for one in found
    ]


def _of(traits: Mapping[tuple[str, str], Iterable[str]], name: str, role: str) -> tuple[str, ...]:
    return tuple(traits.get((name, role), ()))


def _marks(number: int) -> str:
    return ", ".join("?" * number)
