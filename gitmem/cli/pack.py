"""``gitmem pack``."""

import click

from gitmem.answers.found import Seeded
from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandGroup
from gitmem.cli.forms import argument, option
from gitmem.plurals import counted

_NAME = argument("name", metavar="PACK")
_TEAM = option("--team", is_flag=True, help="Set it for the team, in .memory/gitmem.yaml.")


@click.group("pack", cls=CommandGroup, invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """Packs: ready-made answers to common errors.

    Packs are searched after the memory's own records and are no part of it: they are not
    counted, checked in or exported. Without a command, list them.

    \b
    Example:
      gitmem pack
      gitmem pack show git
      gitmem pack write foundations
    """
    if ctx.invoked_subcommand:
        return
    from gitmem.render import packs as render

    app: App = ctx.obj
    with app.memory() as memory:
        packs = memory.transfer.packs()
        if as_json:
            from gitmem.render.as_json import document

            out(document("seed", packs=render.packs_json(packs)))
            return
        out(render.packs(packs, app.painter_of(memory)))


@command.command("show")
@_NAME
@json_option
@click.pass_obj
def show(app: App, name: str, *, as_json: bool) -> None:
    """List what is in a pack. One record: gitmem show ID.

    \b
    Example:
      gitmem pack show python
    """
    from gitmem.render import packs as render

    with app.memory() as memory:
        pack = memory.transfer.seed(name)
        if as_json:
            out(_written("seed show", pack))
            return
        out(render.contents(pack, app.painter_of(memory)))


def _written(command_name: str, pack: Seeded) -> str:
    """Write a pack as JSON."""
    from gitmem.render import packs as render
    from gitmem.render.as_json import document

    return document(command_name, **render.seeded_json(pack))


@command.command("write")
@_NAME
@option("--only", multiple=True, metavar="ID", help="Only this record, with those it belongs to.")
@json_option
@click.pass_obj
def write(app: App, name: str, only: tuple[str, ...], *, as_json: bool) -> None:
    """Write a pack's records into the memory, where you can edit and commit them.

    What already exists is left alone.

    \b
    Example:
      gitmem pack write foundations
      gitmem pack write git --only err-p57z
    """
    with app.memory() as memory:
        pack = memory.transfer.seed(name, write=True, only=only)
        if as_json:
            out(_written("seed write", pack))
            return
        there = f", {len(pack.present)} there already" if pack.present else ""
        out(f"{counted(len(pack.written), 'record')} written{there}")
        for record in pack.different:
            note(f"{record} exists here with other content and is left as it is")


@command.command("enable")
@_NAME
@_TEAM
@click.pass_obj
def enable(app: App, name: str, *, team: bool) -> None:
    """Search a pack again; all: every pack.

    \b
    Example:
      gitmem pack enable node
    """
    with app.memory() as memory:
        memory.transfer.switch_pack(name, on=True, scope="team" if team else "user")


@command.command("disable")
@_NAME
@_TEAM
@click.pass_obj
def disable(app: App, name: str, *, team: bool) -> None:
    """Stop searching a pack; all: every pack.

    \b
    Example:
      gitmem pack disable node --team
      gitmem pack disable all
    """
    with app.memory() as memory:
        memory.transfer.switch_pack(name, on=False, scope="team" if team else "user")


@command.command("add")
@_NAME
@argument("origin", metavar="FOLDER|REPOSITORY")
@option("--path", default="", help="Its folder in the other repository (default: .memory).")
@option("--revision", default="", metavar="REV", help="Its branch, tag or commit.")
@click.pass_obj
def add(app: App, name: str, origin: str, path: str, revision: str) -> None:
    """Add a pack for the team: a folder here, or one commit of another repository.

    It is fetched and checked, and named in .memory/gitmem.yaml with the full id of the commit.

    \b
    Example:
      gitmem pack add house docs/house-pack
      gitmem pack add platform https://git.example.com/platform.git --revision v3
    """
    with app.memory() as memory:
        pack = memory.transfer.add_pack(name, origin, path=path, revision=revision)
        pinned = f", pinned to {pack.source.commit[:10]}" if pack.source and pack.source.url else ""
        out(f"{name}: {counted(pack.records, 'record')}{pinned}")
    with app.memory() as memory:  # with the settings as they are now
        for problem in memory.transfer.pack_problems(name):
            note(f"{problem.path}: {problem.message}")


@command.command("fetch")
@argument("name", metavar="[PACK]", default="")
@click.pass_obj
def fetch(app: App, name: str) -> None:
    """Fetch the team's packs from other repositories, at their pinned commits.

    \b
    Example:
      gitmem pack fetch
    """
    with app.memory() as memory:
        for pack in memory.transfer.fetch_packs(name):
            out(f"{pack.name}: {counted(pack.records, 'record')}")


@command.command("check")
@argument("name", metavar="[PACK]", default="")
@click.pass_obj
def check(app: App, name: str) -> int:
    """Report what is wrong in the files of packs.

    \b
    Example:
      gitmem pack check
    """
    from gitmem.render.lists import problem_lines

    with app.memory() as memory:
        names = [name] if name else [pack.name for pack in memory.transfer.packs() if pack.place]
        problems = [problem for name in names for problem in memory.transfer.pack_problems(name)]
        out(problem_lines(problems, app.painter_of(memory), "pack"))
    return 1 if any(problem.severity == "error" for problem in problems) else 0
