"""``gitmem runs regressions``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command


@click.command("regressions", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """List the new failures of the last command: those that its previous run did not have.

    Tests are compared by name, everything else by fingerprint. A report that gitmem runs capture
    read is a run, too.

    \b
    Example:
      gitmem runs regressions
    """
    with app.memory() as memory:
        newest = memory.failures.regressions()
        if as_json:
            from gitmem.render import as_json as data

            out(
                data.document(
                    "regressions",
                    run=data.run(newest.run),
                    before=data.run(newest.before) if newest.before else None,
                    same_code=newest.same_code,
                    cases=[{**data.case(newly.case), "was": newly.was} for newly in newest.cases],
                    failures=[data.recognised(failure) for failure in newest.found],
                )
            )
            return
        from gitmem.render.runs import regressions

        out(regressions(newest, app.painter_of(memory)))
        if newest.before is None:
            note("there is no earlier run to compare with")
        elif not newest.cases:
            note("no new failures since the previous run")
        elif newest.same_code:
            note("both ran on the same code: flaky, or caused by something else")
