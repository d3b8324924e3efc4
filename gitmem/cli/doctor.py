"""``gitmem doctor``."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.errors import NotFoundError

if TYPE_CHECKING:
    from gitmem.memory import Memory

_COLOURS = {"ok": "green", "off": "yellow", "broken": "red"}


@click.command("doctor", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> int:
    """Test gitmem in a scratch repository, and report what is broken.

    There a command fails and is fixed, a report is read, a hook refuses a broken record, a record
    is merged, an editor and an assistant ask. Your repository is only read. Exits with 1 if
    something is broken; "off" means not set up here, which is fine.

    doctor tests the installation; gitmem check tests this memory's files.

    \b
    Example:
      gitmem doctor
    """
    broken = False
    checks = []
    with ExitStack() as stack:
        memory = _opened(app, stack)
        painter = app.painter_of(memory)
        for check in memory.checks.doctor(app.start):
            broken = broken or check.state == "broken"
            checks.append(check._asdict())
            if not as_json:
                state = (f"{check.state:<6}", (_COLOURS[check.state],))
                line = [state, (f"{check.name:<7}", ("bold",)), (check.said, ())]
                out(painter.block(0, line, 17))
                if check.hint and check.state != "ok":
                    out(painter.block(17, [(check.hint, ("dim",))]))
    if as_json:
        from gitmem.render.as_json import document

        out(document("doctor", checks=checks))
    return int(broken)


def _opened(app: App, stack: ExitStack) -> "Memory":
    """Open the memory; where there is none, one in a scratch folder, to test gitmem itself."""
    try:
        return stack.enter_context(app.memory())
    except NotFoundError as error:
        from gitmem.memory import Memory
        from gitmem.temporary import temporary_folder

        note(f"{error.message}, so gitmem is tested with an empty one; {error.hint}")
        folder = stack.enter_context(temporary_folder())
        Memory.init(folder, environ={})
        return stack.enter_context(App(folder, app.flags).memory())
