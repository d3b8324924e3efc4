"""``gitmem hub``."""

import importlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from gitmem.cli.app import App, note, out
from gitmem.cli.base import CommandGroup
from gitmem.cli.forms import argument, option
from gitmem.errors import ConflictError, EnvironmentProblem, GitmemError, UsageError, install
from gitmem.hub.client import Address
from gitmem.parts.hub.doctor import examine
from gitmem.parts.hub.opening import open_engine
from gitmem.parts.hub.opening import spread as move
from gitmem.parts.hub.protocol import Engine, Head
from gitmem.parts.hub.publishing import Publication, token_of_job
from gitmem.parts.hub.registry import DATABASE, Registry
from gitmem.parts.hub.taking import SourceRepository, Taker, TakeResult
from gitmem.plurals import counted
from gitmem.records.layout import id_in
from gitmem.render.text import one_line, table

_HOUR: Final = 60
_NAMES = argument("names", nargs=-1, metavar="[REPOSITORY …]")


@click.group("hub", cls=CommandGroup)
@option("--at", "folder", metavar="DIR", default="", help="The hub's folder, with hub.yaml.")
@click.pass_context
def command(ctx: click.Context, folder: str) -> None:
    """Keep what many repositories publish in one database, for all of them to ask.

    Git stays the source of truth: a hub is filled from repositories that set hub.publish, and can
    be rebuilt from them at any time. The database, PostgreSQL or OpenSearch, is named in
    GITMEM_HUB_DATABASE.

    \b
    Example:
      gitmem hub --at hub add payments/api https://git.example.com/payments/api.git
      gitmem hub --at hub sync
      gitmem hub --at hub status
    """
    app: App = ctx.obj
    app.flags["hub.folder"] = os.path.join(app.start, folder or os.environ.get("GITMEM_HUB", ""))


@command.command("add")
@argument("name", metavar="REPOSITORY")
@argument("url", default="")
@option("--published", metavar="BRANCH", default="", help="Its jobs send this branch; see publish.")
@option("--internal", is_flag=True, help="Everybody with a token for internal ones may see it.")
@option("--folder", default=".memory", help="Of its memory.")
@click.pass_obj
def add(app: App, name: str, url: str, published: str, folder: str, *, internal: bool) -> None:
    """Let the hub read a repository: its default branch, from the next sync on.

    One that git can't read from here is published by jobs of its own CI; it needs no URL.

    \b
    Example:
      gitmem hub add payments/api git@git.example.com:payments/api.git --internal
      gitmem hub add finance/ledger --published main
    """
    if not (url or published):
        raise UsageError(f"{name} needs an address", "or, if its CI publishes it: --published main")
    if url and os.path.isdir(os.path.join(app.start, url)):
        url = os.path.abspath(os.path.join(app.start, url))
    _registry(app).add(SourceRepository(name, url, internal, folder, published))


@command.command("remove")
@argument("name", metavar="REPOSITORY")
@click.pass_obj
def remove(app: App, name: str) -> None:
    """Let the hub read a repository no longer, and drop all that it knows of it.

    \b
    Example:
      gitmem hub remove payments/api
    """
    registry = _registry(app)
    registry.repository(name)
    with _engine(app) as engine:
        with engine.writing():
            gone = engine.drop(name)
        engine.audit("command line", "removed", name, gone)
    registry.remove(name)
    note(f"{counted(gone, 'record')} dropped")


@command.command("sync")
@_NAMES
@option("--compare", is_flag=True, help="Compare all files, as once a night.")
@click.pass_obj
def sync(app: App, names: tuple[str, ...], *, compare: bool) -> int:
    """Bring the hub to the heads of its repositories.

    \b
    Example:
      gitmem hub sync
      gitmem hub sync payments/api --compare
    """
    return _take(app, names, compare=compare)


@command.command("publish")
@argument("url", metavar="HUB")
@option("--folder", default=".memory", help="Of the memory.")
@option("--audience", default="gitmem-hub", help="The hub's name in the job's token.")
@click.pass_obj
def publish(app: App, url: str, folder: str, audience: str) -> None:
    """Send this repository's records to a hub that can't read it: for a job of its CI.

    Only what is new or gone is sent, with the job's own token. In GitHub's jobs it is asked for; in
    GitLab's, id_tokens puts it into GITMEM_HUB_TOKEN. A job of an old commit sends nothing.

    \b
    Example:
      gitmem hub publish https://hub.example.com
    """
    address = Address(url, "the hub")
    token = token_of_job(os.environ, audience)
    publication = Publication(app.start, folder)
    if not publication.is_newest():
        note("origin has another commit at its head, whose job publishes; nothing is sent")
        return
    try:
        answer = publication.send(address, token)
    except ConflictError as error:
        note(f"{error.message}; nothing is sent")
        return
    if not answer.publishes:
        out(f"{answer.repository}: publishes nothing (hub.publish is not set)")
        return
    held = f", {answer.held} held back" if answer.held else ""
    commit = publication.commit[:10]
    out(f"{answer.repository}: {answer.new} new, {answer.gone} gone{held} at {commit}")


@command.command("rebuild")
@_NAMES
@click.pass_obj
def rebuild(app: App, names: tuple[str, ...]) -> int:
    """Drop what the hub knows of repositories, and take it from git again.

    What was forgotten for good stays away. What jobs publish is left as it is.

    \b
    Example:
      gitmem hub rebuild
    """
    registry = _registry(app)
    chosen = _read_by_git(registry, names)
    with _engine(app) as engine:
        for repository in chosen:
            with engine.writing():
                engine.drop(repository.name)
    return _take(app, names, compare=True)


@command.command("spread")
def spread() -> None:
    """Move records to PostgreSQL databases that joined the hub, their share to each.

    One hub can be in several databases, whose URLs stand in GITMEM_HUB_DATABASE with blanks
    between them. New ones are named last. Stop gitmem hub serve before, and start it with the new
    address after; one that still runs with the old one refuses. If this is interrupted, run it
    again.

    \b
    Example:
      gitmem hub spread
    """
    out(f"{counted(move(_database()), 'repository', 'repositories')} moved")


@command.command("forget")
@argument("name", metavar="REPOSITORY")
@argument("ids", nargs=-1, required=True, metavar="ID …")
@click.pass_obj
def forget(app: App, name: str, ids: tuple[str, ...]) -> None:
    """Drop records now and for good, whatever git says: the hub never takes them again.

    \b
    Example:
      gitmem hub forget payments/api err-6k2m9q4wt8n3c5p7
    """
    for record in ids:
        if id_in(f"{record}.yaml") != record:
            raise UsageError(f"{record} is not a record's whole id", "such as gitmem list shows it")
    with _engine(app) as engine:
        with engine.writing():
            gone = engine.forget(name, ids, for_good=True)
        engine.audit("command line", "forgotten", name, len(ids))
    note(f"{counted(gone, 'record')} dropped; {counted(len(ids), 'id')} never taken again")


@command.command("check")
@_NAMES
@click.pass_obj
def check(app: App, names: tuple[str, ...]) -> int:
    """Compare the hub with git: exit code 1 if they differ.

    What jobs of a repository publish is not compared: the hub can't read that repository.

    \b
    Example:
      gitmem hub check
    """
    registry = _registry(app)
    differing = 0
    with _engine(app) as engine:
        compared = _read_by_git(registry, names)
        for repository in compared:
            paths = Taker(engine, registry.clones).differences(repository)
            differing += len(paths)
            for path in paths:
                out(f"{repository.name}  {path}")
        unregistered = set(engine.heads()) - set(registry.repositories) if not names else set()
        for name in sorted(unregistered):
            out(f"{name}  is not in hub.yaml; to drop it: gitmem hub rebuild")
    published = [name for name, row in registry.repositories.items() if row.published and not names]
    if published:
        note(f"not compared, as their own CI publishes them: {', '.join(published)}")
    if compared or not published:
        note(f"{counted(differing, 'file')} differ" if differing else "the hub is equal to git")
    return 1 if differing or unregistered else 0


@command.command("status")
@click.pass_obj
def status(app: App) -> None:
    """List the repositories, how fresh they are, and what is held back.

    \b
    Example:
      gitmem hub status
    """
    registry = _registry(app)
    with _engine(app) as engine:
        heads = engine.heads()
        rows: list[tuple[str, ...]] = []
        for name, repository in registry.repositories.items():
            head = heads.get(name, Head())
            published = engine.ids(name)
            held = sum(bool(entry.why) for entry in published.values())
            rows.append((
                one_line(name),
                "internal" if repository.internal else "private",
                counted(len(published) - held, "record"),
                f"{held} held back" if held else "",
                _freshness(repository, head),
                head.commit[:10],
            ))  # fmt: skip
        out(table(rows) if rows else "no repositories; to begin: gitmem hub add")


@command.command("doctor")
@click.pass_obj
def doctor(app: App) -> int:
    """Look at the folder, the database and the repositories: exit code 1 if something is wrong.

    \b
    Example:
      gitmem hub doctor
    """
    wrong = 0
    with _engine(app) as engine:
        for finding in examine(_registry(app), engine, os.environ):
            wrong += bool(finding.hint)
            hint = f" ({finding.hint})" if finding.hint else ""
            out(f"{'wrong' if finding.hint else 'ok   '}  {finding.text}{hint}")
    return 1 if wrong else 0


@command.command("token")
@argument("name")
@option("--see", "repositories", multiple=True, metavar="REPOSITORY", help="A private one.")
@option("--no-internal", is_flag=True, help="Not those that everybody may see.")
@option("--drop", is_flag=True, help="Let this token read no longer.")
@click.pass_obj
def token(
    app: App, name: str, repositories: tuple[str, ...], *, no_internal: bool, drop: bool
) -> None:
    """Make a token that may ask the hub. It is shown once; the hub keeps its digest.

    \b
    Example:
      gitmem hub token ada --see payments/api
      gitmem hub token ada --drop
    """
    registry = _registry(app)
    if drop:
        registry.drop_token(name)
        return
    for repository in repositories:
        registry.repository(repository)
    out(registry.new_token(name, internal=not no_internal, repositories=list(repositories)))


@command.command("serve")
@option("--port", type=click.IntRange(0, 65535), default=0, help="To listen on; 0: any free one.")
@option("--host", default="127.0.0.1", help="Address to listen on, behind a proxy with TLS.")
@option("--poll", type=click.FloatRange(1), default=900.0, help="Seconds between two looks.")
@click.pass_obj
def serve(app: App, port: int, host: str, poll: float) -> None:
    """Answer developers, and take what is pushed: by webhook, and by a look now and then.

    Coding assistants ask at /mcp, with the same tokens.

    Webhooks go to /hub/v1/pushed, signed with the secret in GITMEM_HUB_SECRET. Ctrl-C ends it.

    \b
    Example:
      gitmem hub serve --port 8790
    """
    try:
        serving = importlib.import_module("gitmem.parts.hub.web.serving")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "gitmem":
            raise
        raise EnvironmentProblem(f"the hub needs {error.name}", install("hub")) from None

    address = _database()
    assistants = None
    try:
        assistants = importlib.import_module("gitmem.parts.hub.assistants").application
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "gitmem":
            raise
        note(f"coding assistants get no answer at /mcp: {install('mcp')}")
    serving.serve(_folder(app), lambda: open_engine(address), host, port, poll, note, assistants)


def _take(app: App, names: tuple[str, ...], *, compare: bool) -> int:
    """Take repositories, one after the other; one that fails stops no other."""
    registry = _registry(app)
    failed = 0
    with _engine(app) as engine:
        taker = Taker(engine, registry.clones)
        for repository in _read_by_git(registry, names):
            try:
                out(_told(taker.take(repository, compare=compare)))
            except GitmemError as error:
                failed += 1
                note(f"{repository.name}: {error.message}")
    return 6 if failed else 0


def _told(taken: TakeResult) -> str:
    if not taken.published:
        dropped = f", {counted(taken.gone, 'record')} dropped" if taken.gone else ""
        return f"{taken.repository}: publishes nothing (hub.publish is not set){dropped}"
    held = f", {len(taken.held)} held back" if taken.held else ""
    return f"{taken.repository}: {taken.new} new, {taken.gone} gone{held} at {taken.commit[:10]}"


def _read_by_git(registry: Registry, names: tuple[str, ...]) -> "list[SourceRepository]":
    """Give what was named, or all that git can read.

    Raises:
        UsageError: one that was named is published by its jobs.

    """
    chosen = [registry.repository(name) for name in names or registry.repositories]
    for repository in chosen:
        if names and repository.published:
            raise UsageError(
                f"{repository.name} is published by its own CI", "run there: gitmem hub publish"
            )
    return [repository for repository in chosen if not repository.published]


def _folder(app: App) -> str:
    return str(app.flags["hub.folder"])


def _registry(app: App) -> Registry:

    return Registry.read(_folder(app))


@contextmanager
def _engine(app: App) -> Iterator[Engine]:
    os.makedirs(_folder(app), exist_ok=True)

    engine = open_engine(_database())
    try:
        yield engine
    finally:
        engine.close()


def _database() -> str:

    address = os.environ.get(DATABASE, "")
    if not address:
        raise UsageError(
            "the hub needs a database",
            f"name it: export {DATABASE}=postgresql://HOST/DATABASE, or opensearch+https://HOST",
        )
    return address


def _freshness(repository: SourceRepository, head: Head) -> str:
    if repository.replaced_by:
        return "another repository has its name now"
    return _age(head.taken) if head.taken else "not taken yet"


def _age(taken: float) -> str:
    minutes = int(max(time.time() - taken, 0) // 60)
    return f"{minutes} min ago" if minutes < 2 * _HOUR else f"{minutes // _HOUR} h ago"
