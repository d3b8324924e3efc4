"""``gitmem config``."""

from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.config import HELP, KEYS
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.render.text import Painter


@click.command("config", cls=Command)
@argument("key", metavar="[KEY]", required=False)
@argument("value", metavar="[VALUE]", required=False)
@option("--user", "scope", flag_value="user", help="Set it for you, in every repository.")
@option("--team", "scope", flag_value="team", help="Set it for the team, in .memory/gitmem.yaml.")
@option("--unset", is_flag=True, help="Remove the setting.")
@json_option
@click.pass_obj
def command(
    app: App, key: str | None, value: str | None, scope: str | None, *, unset: bool, as_json: bool
) -> None:
    """Show and change settings: defaults < user < team < environment < flags.

    \b
    Example:
      gitmem config
      gitmem config search.limit 20 --team
    """
    with app.memory() as memory:
        if key and (value is not None or unset):
            if scope is None:
                raise UsageError(
                    "choose a scope: --user or --team", "--user is for you, --team for everyone"
                )
            memory.workspace.settings.set(key, None if unset else value, scope)
            whom = "you" if scope == "user" else "the team"
            note(f"{key} {'unset' if unset else 'set'} for {whom}")
            return
        wanted = [key] if key else list(KEYS)
        entries = [(name, *memory.workspace.settings.get(name)) for name in wanted]
        if as_json:
            from gitmem.render.as_json import document

            settings = [
                {"key": name, "value": _plain(v), "origin": origin} for name, v, origin in entries
            ]
            out(document("config", settings=settings))
        elif key:
            out(_formatted(entries[0][1]).split("\n"))
        else:
            _list(entries, app.painter_of(memory))
        for complaint in memory.checks.complaints():
            note(complaint)


def _list(settings: "list[tuple[str, object, str]]", painter: "Painter") -> None:
    """List settings: in a pipe as a table, on a terminal so that nothing is cut."""
    from gitmem.render.text import table

    rows: list[tuple[str, ...]] = [
        (name, _short(value), origin, HELP[name]) for name, value, origin in settings
    ]
    if not painter.width:
        out(table(rows))
        return
    for name, value, origin, about in rows:
        parts = [(f"{name:<24}", ("bold",)), (value, ()), (origin, ("cyan",)), (about, ("dim",))]
        out(painter.block(0, parts, 26))


def _short(value: object) -> str:
    """Write a value in a cell; of a list the names or the reasons."""
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join(entry.get("name") or entry["why"] for entry in _plain(value))


def _formatted(value: object) -> str:
    """Write a value; a list an entry a line."""
    if not isinstance(value, tuple):
        return str(value)
    entries = ([f"{name}: {text}" for name, text in entry.items()] for entry in _plain(value))
    return "\n".join("  ".join(entry) for entry in entries)


def _plain(value: Any) -> Any:  # noqa: ANN401  a setting is of any type
    """Give a list as mappings, as it stands in the file; other values as they are."""
    if not isinstance(value, tuple):
        return value
    return [
        {name: text for name, text in entry._asdict().items() if text and name != "where"}
        for entry in value
    ]
