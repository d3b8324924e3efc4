"""``gitmem import other kagura.toml``: its settings become the user's."""

import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gitmem.answers.transfers import ImportResult
from gitmem.config import parse
from gitmem.errors import GitmemError, InvalidError
from gitmem.other_settings import HERE, REPLACED

if TYPE_CHECKING:
    from gitmem.memory import Workspace

_SECTION: Final = "coding_memory"
_SPENDS: Final = ("llm.auto_approve", "llm.cost_threshold", "llm.monthly_budget")
"""Where more than is set now would be spent without a question, the user says so in person."""


def import_settings(
    workspace: "Workspace", name: str, data: bytes, *, dry_run: bool
) -> ImportResult:
    """Set what such a file sets, for the user; what it can't set here is named with the reason.

    Args:
        workspace: whose settings are changed.
        name: of the file.
        data: it.
        dry_run: only tell.

    Raises:
        InvalidError: it is no TOML, or has no such settings.

    """
    try:
        section = tomllib.loads(data.decode("utf-8-sig")).get(_SECTION)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidError(f"{name} is not TOML: {error}") from None
    if not isinstance(section, dict):
        raise InvalidError(f"{name} has no section [{_SECTION}]", "name a kagura.toml")
    notices = [f"{name}: settings"]
    for given_name, value in _flat(section):
        notices.append(_taken(workspace, given_name, value, dry_run=dry_run))
    return ImportResult([], 0, {}, notices)


def _flat(section: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def _taken(workspace: "Workspace", name: str, value: object, *, dry_run: bool) -> str:
    """Set one setting, and say what became of it."""
    last = name.rpartition(".")[2]
    if last not in HERE:
        return f"{name} is not set: {REPLACED.get(last, 'gitmem has no such setting')}"
    key = HERE[last]
    try:
        wanted = parse(key, value)
    except GitmemError as error:
        return f"{name} is not set: {error.message}"
    now, _ = workspace.settings.get(key)
    if now == wanted:
        return f"{key} is {_written(wanted)} already"
    if key in _SPENDS and _allows(key, wanted) > _allows(key, now):
        command = f"gitmem config {key} {_written(wanted)} --user"
        return f"{name} is not set: it would let more be spent; if you want that: {command}"
    if not dry_run:
        workspace.settings.set(key, _written(wanted), "user")
    return f"{key} {'would be' if dry_run else 'is'} set to {_written(wanted)} for you"


def _allows(key: str, value: object) -> float:
    """Give how much a setting lets be spent; a budget of 0 is no limit."""
    amount = float(value) if isinstance(value, int | float) else 0.0
    return float("inf") if key == "llm.monthly_budget" and not amount else amount


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
