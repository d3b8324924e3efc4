"""``gitmem regressions``."""

import click

from gitmem.cli.app import App, json_option, note, out


@click.command("regressions")
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Failures that the run before did not have, of the command that was run last.

    \b
    Example:
      gitmem regressions
    """
    with app.memory() as memory:
        one = memory.regressions()
        if as_json:
            from gitmem.render import as_json as data  # noqa: PLC0415  start-up

            out(
                data.document(
                    "regressions",
                    run=data.run(one.run),
                    before=data.run(one.before) if one.before else None,
                    same_code=one.same_code,
                    failures=[data.recognised(failure) for failure in one.found],
                )
            )
            return
        from gitmem.render.attempts import regressions  # noqa: PLC0415  start-up

        out(regressions(one, app.painter(memory.site.config.ui_color)))
        if one.before is None:
            note("there is no run before it to compare with")
        elif not one.found:
            note("no failure that the run before did not have")
        elif one.same_code:
            note("both ran on the same code: flaky, or caused from outside")
