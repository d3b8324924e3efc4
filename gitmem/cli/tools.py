"""``gitmem tools``."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from gitmem.cli.app import App, json_option, out, standard_input
from gitmem.cli.base import CommandFamily
from gitmem.cli.forms import argument, option
from gitmem.errors import GitmemError, NotFoundError, UsageError

if TYPE_CHECKING:
    from gitmem.tools.matchers.forms import Matcher
    from gitmem.tools.matchers.reader import Matchers

_MOST = 64 * 2**20


@click.command("tools", cls=CommandFamily, members=())
@argument("name", metavar="[TOOL]", default="")
@json_option
@click.pass_obj
def command(app: App, name: str, *, as_json: bool) -> None:
    """List the tools whose output is read, or show what is known of one.

    For each: its language, who describes it, and what of it is read: failures, how single tests
    ended, counts of tests, reports, what editors say of it, files. Others than gitmem itself that
    describe tools are packages and files of the repository; what of theirs is not used is told.

    \b
    Example:
      gitmem tools
      gitmem tools pytest
      make 2>&1 | gitmem tools try -
    """
    from gitmem.render import tools as render
    from gitmem.render.as_json import document
    from gitmem.tools import choice, knowledge

    painter = app.painter()
    described, refused = _of_repository(app)
    if not name:
        every = knowledge.all_knowledge(described)
        refused = [*refused, *knowledge.refused_packages()]
        if as_json:
            unused = [{"origin": origin, "reason": reason} for origin, reason in refused]
            tools = [render.tool_json(tool) for tool in every]
            out(document("tools", tools=tools, refused=unused))
            return
        out(render.listing(every, refused, painter))
        return
    own = next(((file, each) for file, each in described if each.name == name), None)
    if own and name not in choice.names():
        tool = knowledge.knowledge_of_matcher(*own)
    else:
        tool = knowledge.knowledge_of(_named(name))
    if as_json:
        out(document("tools", tool=render.tool_json(tool, whole=True)))
        return
    out(render.room(tool, painter))


def _of_repository(app: App) -> "tuple[list[tuple[str, Matcher]], list[tuple[str, str]]]":
    """Give the tools that the repository describes, and what of it is not used; none without it."""
    with suppress(GitmemError), app.memory() as memory:
        matchers = memory.failures.found_matchers()
        if matchers:
            return [*matchers.matchers], [(each.file, each.reason) for each in matchers.refused]
    return [], []


def _named(name: str) -> str:
    """Find a tool by its name, or by another one that editors or people have for it."""
    from gitmem.errors import closest
    from gitmem.tools.choice import names, values

    if name in names():
        return name
    for room, others in values("names").items():
        if name.lower() in others:
            return room
    for field in ("command.programs", "output.commands"):
        for room, programs in values(field).items():
            if name in programs:
                return room
    near = closest(name, names())
    raise NotFoundError(
        f"no tool {name} is known",
        f"did you mean {near}?" if near else "all: gitmem tools",
    )


@command.command("try")
@argument("path", metavar="FILE|-")
@option("--command", "run", metavar="COMMAND", help="What was run: its tools are asked first.")
@json_option
@click.pass_obj
def attempt(app: App, path: str, run: str | None, *, as_json: bool) -> None:
    """Show what is read of an output, line by line, and why nothing is.

    Of each line that holds a word of trouble: which tool read it, and what came of it. It is read
    as gitmem run reads it. Nothing is written.

    \b
    Example:
      gitmem tools try build.log
      make 2>&1 | gitmem tools try -
      gitmem tools try log.txt --command "npx jest"
    """
    from gitmem.matching.trace import trace
    from gitmem.render import tools as render

    data = standard_input("an output") if path == "-" else _file(path)
    output = render.without_secrets(trace(data, run, _matchers(app)), os.environ)
    if as_json:
        from gitmem.render.as_json import document

        out(document("tools try", **render.trace_json(output)))
        return
    out(render.traced(output, app.painter()))


def _matchers(app: App) -> "Matchers | None":
    with suppress(GitmemError), app.memory() as memory:
        return memory.failures.matchers()
    return None


def _file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(_MOST + 1)
    except OSError as error:
        raise UsageError(f"can't read {path}: {(error.strerror or str(error)).lower()}") from None
    if len(data) > _MOST:
        raise UsageError(f"{path} has more than {_MOST // 2**20} MiB", "split it")
    return data
