"""Complexity of a task, and similarity of two tasks. Pure.

The weights and thresholds are those of the document that this replaces, as a starting point. Its
faults are not: a field that neither task states is no likeness, and words are compared with words,
not with the name of a category.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import fsum
from typing import Any, Final, NamedTuple

from gitmem.errors import InvalidError

GENERAL: Final = "general"
WEIGHTS: Final = {"category": 0.4, "type": 0.3, "complexity": 0.2, "description": 0.1}
ALIKE: Final = 0.3
"""Tasks that are less alike are not called similar."""
_HARD: Final = frozenset({"backend", "database", "integration", "auth"})
_LONG: Final = ((200, 2), (100, 1))
_MUCH: Final = ((5, 3), (2, 1))
_HIGH: Final = 7
_MEDIUM: Final = 4
_FIELDS: Final = "a task has description, category, type, complexity, effort and dependencies"


class PlannedTask(NamedTuple):
    """A task, as a planner states it; what is empty is not stated.

    Attributes:
        description: in words.
        category: such as ``backend``.
        type: such as ``bugfix``; ``general`` says nothing.
        effort: the planner's own unit; None: not stated.
        dependencies: what it builds on.
        complexity: ``low``, ``medium`` or ``high``; empty: it is assessed.

    """

    description: str = ""
    category: str = ""
    type: str = ""
    effort: float | None = None
    dependencies: tuple[str, ...] = ()
    complexity: str = ""


class Likeness(NamedTuple):
    """How alike two tasks are.

    Attributes:
        share: from 0 to 1, of what the first task states.
        parts: what is alike, with what that gave.

    """

    share: float
    parts: tuple[tuple[str, float], ...]


def task_of(stated: Mapping[str, Any]) -> PlannedTask:
    """Take a task out of a mapping, such as a planner's; other keys are passed over.

    Raises:
        InvalidError: effort is no number, or dependencies are no list.

    """
    needed = stated.get("dependencies") or ()
    if isinstance(needed, str) or not isinstance(needed, Sequence):
        raise InvalidError("dependencies must be a list of names", _FIELDS, "dependencies")
    effort = stated.get("effort")
    if effort is not None and not isinstance(effort, int | float):
        raise InvalidError("effort must be a number", _FIELDS, "effort")
    named = {
        name: str(stated.get(name) or "")
        for name in ("description", "category", "type", "complexity")
    }
    return PlannedTask(**named, effort=effort, dependencies=tuple(map(str, needed)))


def assess(task: PlannedTask) -> str:
    """Say how hard a task looks: ``low``, ``medium`` or ``high``.

    Points: a description of more than 100 characters 1, of more than 200 two; each dependency 1;
    an effort above 2 one, above 5 three; a category of backend, database, integration or auth 2.
    From 4 points it is medium, from 7 high.
    """
    points = _points(len(task.description), _LONG) + len(task.dependencies)
    points += _points(1 if task.effort is None else task.effort, _MUCH)
    points += 2 * (task.category in _HARD)
    return "high" if points >= _HIGH else "medium" if points >= _MEDIUM else "low"


def _points(value: float, steps: Sequence[tuple[int, int]]) -> int:
    return next((points for least, points in steps if value > least), 0)


def jaccard(common: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Give the share of words that two texts have in common, from 0 to 1."""
    both = common | other
    return len(common & other) / len(both) if both else 0.0


def likeness(
    task: PlannedTask, other: PlannedTask, words: AbstractSet[str], others: AbstractSet[str]
) -> Likeness:
    """Tell how alike a task and one that was done before are.

    What ``task`` does not state is left out, and the weights of the rest are scaled up. How hard
    it is counts if it says so, or says of effort or dependencies what that can be told from.

    Args:
        task: the one at hand.
        other: the one before.
        words: of the description of the first.
        others: of the description of the other.

    """
    stated: dict[str, float] = {}
    if task.category:
        stated["category"] = float(task.category == other.category)
    if task.type and task.type != GENERAL:
        stated["type"] = float(task.type == other.type)
    if task.complexity or task.dependencies or task.effort is not None:
        stated["complexity"] = float((task.complexity or assess(task)) == other.complexity)
    if words:
        stated["description"] = jaccard(words, others)
    whole = fsum(WEIGHTS[name] for name in stated)
    parts = tuple((name, WEIGHTS[name] * match / whole) for name, match in stated.items() if match)
    return Likeness(fsum(value for _, value in parts), parts)
