"""The approach for a task, and the success factors of its result. Pure."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from gitmem.learning.recommendation import STANDARD

RECOVERY: Final = "error_recovery"
RECOVERED: Final = "_recovered"


def chosen(stated: str, recommended: str) -> str:
    """Choose an approach: what the caller says, else what worked before, else ``standard``."""
    return stated.strip() or recommended.strip() or STANDARD


def recovered(approach: str) -> str:
    """Name an approach that only came through with a solution from the memory."""
    return approach if approach.endswith(RECOVERED) else approach + RECOVERED


class Left(NamedTuple):
    """What a piece of work left behind.

    Attributes:
        category: of the task, such as ``frontend``.
        created: how many files are new.
        calls: how many calls to other programs' interfaces were made.
        resolved: dependencies that it says it resolved.
        output: what it said or gave, as text.

    """

    category: str = ""
    created: int = 0
    calls: int = 0
    resolved: tuple[str, ...] = ()
    output: str = ""


def success_factors(left: Left) -> tuple[str, ...]:
    """Name what can be seen to have made a piece of work succeed; empty if nothing can.

    ``file_creation``, ``api_integration``, ``dependency_resolution``, ``component_creation``.
    """
    component = left.category == "frontend" and "component" in left.output.lower()
    factors = (
        ("file_creation", left.created > 0),
        ("api_integration", left.calls > 0),
        ("dependency_resolution", bool(left.resolved)),
        ("component_creation", component),
    )
    return tuple(name for name, is_so in factors if is_so)


class ReportedResult(NamedTuple):
    """What the result of a piece of work says about it, where it is a mapping that does."""

    success: bool = True
    tools: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()
    created: tuple[str, ...] = ()
    resolved: tuple[str, ...] = ()
    calls: int = 0
    output: str = ""


_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def told_by(result: object) -> ReportedResult:
    """Read what a result says.

    Keys are ``success``, ``tools_used``, ``success_factors``, ``files_created``,
    ``dependencies_resolved``, ``api_calls_made`` and ``output``. A result that is no mapping
    says nothing; what has another type than it should is passed over.
    """
    says = result if isinstance(result, Mapping) else _NOTHING
    calls = says.get("api_calls_made")
    return ReportedResult(
        success=says.get("success") is not False,
        tools=_texts(says.get("tools_used")),
        factors=_texts(says.get("success_factors")),
        created=_texts(says.get("files_created")),
        resolved=_texts(says.get("dependencies_resolved")),
        calls=calls if isinstance(calls, int) and calls > 0 else 0,
        output=str(says.get("output") or ""),
    )


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, Iterable):
        return ()
    return tuple(str(value) for value in value if value)
