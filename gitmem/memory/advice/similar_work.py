"""Pieces of work like one at hand: found by search over sessions, and by what tasks say of them.

The search finds sessions by their words, the catalog those of the same category or type.
``learning.tasks`` says how alike each of them is.
"""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final

from gitmem.index.analysis import terms
from gitmem.learning.recommendation import PastWork, Recommendation, recommend
from gitmem.learning.tasks import ALIKE, GENERAL, PlannedTask, likeness, task_of
from gitmem.memory.reading.word_search import worded

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.memory.core.workspace import Workspace

MOST_FOUND: Final = 60
_MOST_OF_A_SORT: Final = 200
"""The newest sessions of one category or type that are compared, or more if more are wanted."""
MOST: Final = 50
_COLUMNS: Final = "id, title, created, success, category, type, complexity, approach"


def similar_work(
    workspace: "Workspace",
    task: Mapping[str, Any],
    limit: int | None = 5,
    *,
    success_only: bool = False,
    threshold: float = ALIKE,
) -> list[PastWork]:
    """Give pieces of work like a task, the most alike first.

    Args:
        workspace: of the memory.
        task: what it states; see ``learning.tasks.task_of``.
        limit: how many at most; None: all.
        success_only: only those that succeeded.
        threshold: what is no more alike than this, from 0 to 1, is left out.

    Raises:
        InvalidError: the task states something that can't be read.

    """
    wanted = task_of(task)

    def question() -> list[PastWork]:
        hits = worded(workspace, wanted.description, MOST_FOUND, ("session",))
        return among(workspace, wanted, hits, limit, success_only=success_only, threshold=threshold)

    return workspace.ask(lambda _: question())


def recommended(
    workspace: "Workspace",
    task: Mapping[str, Any],
    *,
    threshold: float = ALIKE,
    newest: AbstractSet[str] | None = None,
) -> Recommendation:
    """Recommend how to go about a task, by the work that is most like it.

    Args:
        workspace: of the memory.
        task: what it states.
        threshold: as for ``similar_work``.
        newest: ids of the only sessions that count; None: all do.

    """

    def alike(*, success_only: bool) -> list[PastWork]:
        limit = MOST if newest is None else None
        work = similar_work(workspace, task, limit, success_only=success_only, threshold=threshold)
        return [past for past in work if newest is None or past.id in newest][:MOST]

    return workspace.ask(lambda _: recommend(with_successes(alike)))


def with_successes(alike: Callable[..., list[PastWork]]) -> list[PastWork]:
    """Give what a recommendation rests on: work like a task, whatever came of it.

    What failed lately must not hide that it worked before: if all of it failed, what succeeded
    is asked for as well.
    """
    work = alike(success_only=False)
    return work if any(past.success for past in work) else [*work, *alike(success_only=True)]


def among(
    workspace: "Workspace",
    task: PlannedTask,
    hits: "Iterable[SearchHit]",
    limit: int | None,
    *,
    success_only: bool = False,
    threshold: float = ALIKE,
) -> list[PastWork]:
    """Give pieces of work like a task, of those that a search found and the newest of its sort."""
    words = terms(task.description).keys()
    works = []
    worded_alike = [hit.row.id for hit in hits if hit.row.kind == "session"]
    for row in _candidates(workspace, task, worded_alike, limit, success_only=success_only):
        name, title, created, success, category, kind, complexity, approach = row
        before = PlannedTask(title, category, kind, complexity=complexity)
        alike = likeness(task, before, words, terms(title).keys())
        if alike.share > threshold:
            won = None if success is None else bool(success)
            works.append(PastWork(name, title, created, won, approach, (), (), alike))
    works.sort(key=lambda work: (work.created, work.id), reverse=True)
    works.sort(key=lambda work: -work.likeness.share)
    return _with_traits(workspace, works[:limit])


def _candidates(
    workspace: "Workspace",
    task: PlannedTask,
    named: list[str],
    limit: int | None,
    *,
    success_only: bool,
) -> list[tuple[Any, ...]]:
    # Asked of the catalog, so that newer failures take no place of a success.
    won = "success AND " if success_only else ""
    most = -1 if limit is None else max(limit, _MOST_OF_A_SORT)
    rows = _rows(workspace, f"{won}id IN ({_marks(len(named))})", named)
    for column, value in (("category", task.category), ("type", task.type)):
        if value and value != GENERAL:
            newest = f"{won}{column} = ? ORDER BY created DESC, id LIMIT {most}"
            rows |= _rows(workspace, newest, [value])
    return list(rows.values())


def _rows(workspace: "Workspace", condition: str, values: list[str]) -> dict[str, tuple[Any, ...]]:
    if not values:
        return {}
    sql = f"SELECT {_COLUMNS} FROM sessions WHERE {condition}"  # noqa: S608  constants
    rows = workspace.ask(lambda now: now.catalog.ask(sql, values, -1)).rows
    return {row[0]: row for row in rows}


def _with_traits(workspace: "Workspace", works: list[PastWork]) -> list[PastWork]:
    if not works:
        return []
    sql = (
        "SELECT id, role, value FROM record_traits WHERE role IN ('factor', 'tool')"  # noqa: S608
        f" AND id IN ({_marks(len(works))}) ORDER BY role, value"
    )
    traits: dict[tuple[str, str], list[str]] = {}
    ids = [work.id for work in works]
    for name, role, value in workspace.ask(lambda now: now.catalog.ask(sql, ids, -1)).rows:
        traits.setdefault((name, role), []).append(value)
    return [
        work._replace(factors=_of(traits, work.id, "factor"), tools=_of(traits, work.id, "tool"))
        for work in works
    ]


def _of(traits: Mapping[tuple[str, str], Iterable[str]], name: str, role: str) -> tuple[str, ...]:
    return tuple(traits.get((name, role), ()))


def _marks(number: int) -> str:
    return ", ".join("?" * number)
