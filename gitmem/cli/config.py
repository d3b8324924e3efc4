"""``gitmem config``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.config import HELP, KEYS
from gitmem.errors import UsageError


@click.command("config")
@click.argument("key", required=False)
@click.argument("value", required=False)
@click.option("--user", "scope", flag_value="user", help="Set it for you, in every repository.")
@click.option(
    "--team", "scope", flag_value="team", help="Set it for everybody, in .memory/gitmem.yaml."
)
@click.option("--unset", is_flag=True, help="Take the setting away.")
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
                raise UsageError("for whom?", "add --user or --team")
            memory.set_setting(key, None if unset else value, scope)
            whom = "you" if scope == "user" else "the team"
            note(f"{key} {'unset' if unset else 'set'} for {whom}")
            return
        wanted = [key] if key else list(KEYS)
        found = [(name, *memory.setting(name)) for name in wanted]
        if as_json:
            from gitmem.render.as_json import document  # noqa: PLC0415  start-up

            settings = [{"key": name, "value": v, "origin": origin} for name, v, origin in found]
            out(document("config", settings=settings))
        elif key:
            out(str(found[0][1]))
        else:
            from gitmem.render.text import table  # noqa: PLC0415  start-up

            out(table([(name, str(v), origin, HELP[name]) for name, v, origin in found]))
        for complaint in memory.site.settings.complaints:
            note(complaint)
