"""``gitmem hooks``."""

import os
import sys
import threading
from typing import TYPE_CHECKING, Final

import click

from gitmem.cli.app import App, json_option, note, out, told
from gitmem.cli.base import CommandGroup
from gitmem.cli.confirmation import agreed, yes_option
from gitmem.cli.forms import argument
from gitmem.errors import GitmemError
from gitmem.system import end_group, lead_group

if TYPE_CHECKING:
    from gitmem.memory import GitHooks, InstalledHooks

_ADVICE: Final = {
    "husky": "husky rewrites these files when it is installed; to keep gitmem's lines, add to "
    ".husky/pre-commit:  gitmem hooks run pre-commit",
    "lefthook": "lefthook rewrites these files when it is installed; to keep gitmem's lines, add "
    "a command to lefthook.yml:  run: gitmem hooks run pre-commit",
}
_MEANT: Final = "if that is meant, say it once: gitmem guard --meant {fix}"
_SOURCE: Final = "PRE_COMMIT_COMMIT_MSG_SOURCE"


def _hooks(app: App) -> "GitHooks":
    from gitmem.memory import GitHooks

    return GitHooks(app.start, app.folder())


@click.group("hooks", cls=CommandGroup)
def command() -> None:
    """Let git call gitmem: check staged records, name records in commits, catch up.

    \b
    Example:
      gitmem hooks install
      gitmem hooks status
    """


@command.command("install")
@yes_option
@json_option
@click.pass_obj
def install(app: App, *, yes: bool, as_json: bool) -> None:
    """Add a few lines to this repository's hooks; their other lines stay.

    Each runs only where something in the memory changed, or the memory knows fixes; it gives up
    after two seconds, and never stops you because of a fault in gitmem. A commit is refused if a
    record that is staged is broken or holds a secret, and, only with guard.block, if it takes
    back a fix.

    If git runs hooks outside this repository (core.hooksPath), you are asked first: other
    repositories may use them, too.

    \b
    Example:
      gitmem hooks install
    """
    hooks = _hooks(app)
    where = hooks.status().where
    if where.outside:
        question = f"Add lines to the hooks in {where.folder}, which is outside this repository?"
        if not agreed(question, hooks.not_installed(where), yes=yes):
            return
    installed = hooks.install(outside=where.outside)
    _report(installed, "installed in", "all hooks are installed", as_json=as_json)


@command.command("uninstall")
@json_option
@click.pass_obj
def uninstall(app: App, *, as_json: bool) -> None:
    """Remove gitmem's lines from the hooks; everything else in them stays.

    \b
    Example:
      gitmem hooks uninstall
    """
    _report(_hooks(app).uninstall(), "removed from", "no hook calls gitmem", as_json=as_json)


@command.command("status")
@json_option
@click.pass_obj
def status(app: App, *, as_json: bool) -> int:
    """List which hooks call gitmem. Exits with 1 if one is missing or outdated.

    \b
    Example:
      gitmem hooks status
    """
    installed = _hooks(app).status()
    _report(installed, "", "", as_json=as_json)
    return int(not installed.merges or any(hook.state != "installed" for hook in installed.hooks))


def _report(installed: "InstalledHooks", done: str, unchanged: str, *, as_json: bool) -> None:
    if as_json:
        from gitmem.render import as_json as data

        where = installed.where
        hooks = {hook.name: hook.state for hook in installed.hooks}
        out(
            data.document(
                "hooks",
                folder=where.folder,
                manager=where.manager,
                configured=where.configured,
                changed=installed.changed,
                merges=installed.merges,
                hooks=hooks,
            )
        )
        return
    from gitmem.render.text import table

    folder = f"{installed.where.folder}{' (core.hooksPath)' if installed.where.configured else ''}"
    if not done:
        merges = ("  merge driver", "installed" if installed.merges else "missing")
        out(folder)
        out(table([*((f"  {hook.name}", hook.state) for hook in installed.hooks), merges]))
    elif installed.changed:
        out(f"{done} {folder}:")
        out(f"  {name}" for name in installed.changed)
    else:
        out(f"nothing to change in {folder}: {unchanged}")
    if installed.where.manager in _ADVICE and done != "removed from":
        note(_ADVICE[installed.where.manager])


@command.command("run")
@argument("name", metavar="HOOK")
@argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def run(app: App, name: str, arguments: tuple[str, ...]) -> int:
    """Run one of gitmem's hooks. Git calls it; so can pre-commit or lefthook.

    \b
    Example:
      gitmem hooks run pre-commit
    """
    hooks = _hooks(app)
    if name not in hooks.NAMES:
        raise click.UsageError(f"there is no hook {name} ({', '.join(hooks.NAMES)})")
    if name.endswith("-msg") and not arguments:
        raise click.UsageError(f'name the file of the message: gitmem hooks run {name} "$1"')
    lead_group()  # a git of ours that never ends can then be ended with us
    # A thread, as an alarm would wait for SQLite to be done with waiting.
    alarm = threading.Timer(hooks.SECONDS, _give_up)
    alarm.daemon = True
    alarm.start()
    try:
        return _run(app, hooks, name, arguments)
    except (GitmemError, OSError) as error:
        note(f"{name}: {error}; this hook did nothing")
        return 0
    except Exception as error:  # noqa: BLE001  a fault of ours must not stand in anybody's way
        note(f"{name}: gitmem failed, so this hook did nothing ({error!r})")
        return 0
    finally:
        alarm.cancel()


def _give_up() -> None:
    os.write(2, b"note: gitmem took longer than two seconds: this hook did nothing\n")
    end_group()
    os._exit(0)


def _run(app: App, hooks: "GitHooks", name: str, arguments: tuple[str, ...]) -> int:
    if name.startswith("post-"):
        hooks.catch_up()
        if name == "post-commit" and (ids := hooks.keep_committed()):
            note(f"what this commit fixed is remembered: {', '.join(ids)}")
        return 0
    if name != "pre-commit":
        # pre-commit, the manager, tells the second argument in the environment.
        source = arguments[1] if len(arguments) > 1 else os.environ.get(_SOURCE, "")
        hooks.write_trailers(arguments[0], source)
        return 0
    code = _check_staged(app, hooks) or _guard_staged(app, hooks)
    return hooks.REFUSED if code and hooks.CALLED in os.environ else code


def _check_staged(app: App, hooks: "GitHooks") -> int:
    refused = hooks.check_staged()
    for memory in refused:
        from gitmem.render.lists import problem_lines

        painter = app.painter(stream=sys.stderr)
        told(problem_lines(memory.problems, painter, memory.folder))
    if refused:
        note("the commit was refused: fix these records, or commit with --no-verify")
    return int(bool(refused))


def _guard_staged(app: App, hooks: "GitHooks") -> int:
    staged = hooks.guard_staged()
    for notice in staged.notices:
        note(notice)
    if not staged.taken_back:
        return 0
    from gitmem.render.guarded import plain

    told(plain(staged.taken_back, app.painter(stream=sys.stderr)))
    note(_MEANT.format(fix=staged.taken_back[0].fix.id))
    if staged.blocks:
        note("the commit was refused (guard.block): mend it, or commit with --no-verify")
    return int(staged.blocks)
