"""``gitmem hooks``."""

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandGroup
from gitmem.errors import GitmemError

if TYPE_CHECKING:
    from gitmem.memory.history.hooking import Installed

_ADVICE: Final = {
    "husky": "husky writes these files anew when it is installed; to keep ours, add to "
    ".husky/pre-commit:  gitmem hooks run pre-commit",
    "lefthook": "lefthook writes these files anew when it is installed; to keep ours, add to "
    "lefthook.yml a command:  run: gitmem hooks run pre-commit",
}
_SOURCE: Final = "PRE_COMMIT_COMMIT_MSG_SOURCE"


@click.group("hooks", cls=CommandGroup)
def command() -> None:
    """Let git call gitmem: check what is staged, name records in commits, stay in step.

    \b
    Example:
      gitmem hooks install
      gitmem hooks status
    """


@command.command("install")
@json_option
@click.pass_obj
def install(app: App, *, as_json: bool) -> None:
    """Put a few lines of ours into this repository's hooks, beside what is there.

    Each runs only where something in the memory changed, gives up after two seconds, and never
    stands in the way because of a fault of gitmem. A commit is refused in one case: a record
    that is staged is broken or holds a secret.

    \b
    Example:
      gitmem hooks install
    """
    from gitmem.memory.history import hooking

    _tell(hooking.install(app.start, app.folder()), "installed", as_json=as_json)


@command.command("uninstall")
@json_option
@click.pass_obj
def uninstall(app: App, *, as_json: bool) -> None:
    """Take our lines out of the hooks; everything else in them stays.

    \b
    Example:
      gitmem hooks uninstall
    """
    from gitmem.memory.history import hooking

    _tell(hooking.uninstall(app.start, app.folder()), "taken out", as_json=as_json)


@command.command("status")
@json_option
@click.pass_obj
def status(app: App, *, as_json: bool) -> int:
    """Tell which hooks have our lines. Exits with 1 if one is missing or outdated.

    \b
    Example:
      gitmem hooks status
    """
    from gitmem.memory.history import hooking

    found = hooking.status(app.start, app.folder())
    _tell(found, "", as_json=as_json)
    return int(not found.merges or any(hook.state != "installed" for hook in found.hooks))


def _tell(found: "Installed", done: str, *, as_json: bool) -> None:
    if as_json:
        from gitmem.render import as_json as data

        out(data.document("hooks", folder=found.where.folder, manager=found.where.manager,
            configured=found.where.configured, changed=found.changed, merges=found.merges,
            hooks={hook.name: hook.state for hook in found.hooks}))  # fmt: skip
        return
    from gitmem.render.text import table

    out(f"{found.where.folder}{' (core.hooksPath)' if found.where.configured else ''}")
    merges = ("  merge driver", "installed" if found.merges else "missing")
    out(table([*((f"  {hook.name}", hook.state) for hook in found.hooks), merges]))
    if done:
        out(f"{done}: {', '.join(found.changed)}" if found.changed else "nothing was changed")
    if found.where.manager in _ADVICE and done != "taken out":
        note(_ADVICE[found.where.manager])


@command.command("run")
@click.argument("name", metavar="HOOK")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def run(app: App, name: str, arguments: tuple[str, ...]) -> int:
    """What a hook of git calls; also for managers of hooks such as pre-commit or lefthook.

    \b
    Example:
      gitmem hooks run pre-commit
    """
    from gitmem.memory.history import hooking

    if name not in hooking.NAMES:
        raise click.UsageError(f"there is no hook {name} ({', '.join(hooking.NAMES)})")
    if name.endswith("-msg") and not arguments:
        raise click.UsageError(f'name the file of the message: gitmem hooks run {name} "$1"')
    # A group of our own, so that a git of ours that never ends can be ended with us.
    with suppress(OSError, ValueError):
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, lambda *_: None)
    # A thread, as an alarm would wait for SQLite to be done with waiting.
    alarm = threading.Timer(hooking.SECONDS, _give_up)
    alarm.daemon = True
    alarm.start()
    try:
        return _run(app, name, arguments)
    except (GitmemError, OSError) as error:
        note(f"{name}: {error}; this hook did nothing")
        return 0
    except Exception as error:  # noqa: BLE001  a fault of ours must not stand in anybody's way
        note(f"{name}: a fault of gitmem's, this hook did nothing ({error!r})")
        return 0
    finally:
        alarm.cancel()


def _give_up() -> None:
    os.write(2, b"note: gitmem took longer than two seconds: this hook did nothing\n")
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGTERM)  # this process passes it over
    os._exit(0)


def _run(app: App, name: str, arguments: tuple[str, ...]) -> int:
    from gitmem.memory.history import hooking

    folder = app.folder()
    if name.startswith("post-"):
        hooking.catch_up(app.start, os.environ)
        if name == "post-commit" and (kept := hooking.keep_committed(app.start, os.environ)):
            note(f"what this commit fixed is remembered: {', '.join(kept)}")
        return 0
    files = hooking.staged_files(app.start, folder, os.environ)
    if name != "pre-commit":
        # pre-commit, the manager, tells the second argument in the environment.
        source = arguments[1] if len(arguments) > 1 else os.environ.get(_SOURCE, "")
        hooking.write_trailers(app.start, arguments[0], hooking.trailers(files), source)
        return 0
    found = hooking.check_staged(app.start, files, folder)
    for complaint in found:
        from gitmem.render.lists import problem_lines

        for line in problem_lines(
            complaint.problems, app.painter(stream=sys.stderr), complaint.folder
        ):
            click.echo(line, err=True)
    if found:
        note("the commit was refused: mend these records, or commit with --no-verify")
    if found and hooking.CALLED in os.environ:
        return hooking.REFUSED
    return int(bool(found))
