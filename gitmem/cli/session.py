"""``gitmem session``."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandGroup
from gitmem.cli.forms import argument, option
from gitmem.cli.model_approval import approval, yes_option
from gitmem.errors import UsageError
from gitmem.render.text import one_line

if TYPE_CHECKING:
    from gitmem.sessions import LiveSession


@click.group("session", cls=CommandGroup)
def command() -> None:
    """Start, log and end a piece of work.

    \b
    Example:
      gitmem session start "Make the clock time-zone aware"
      gitmem session log change src/clock.py --reason "naive datetimes"
      gitmem session end --success
    """


@command.command("start")
@argument("goal", nargs=-1, required=True)
@option("--tag", "tags", multiple=True, help="A tag to find it by.")
@option(
    "--issue",
    "issues",
    multiple=True,
    metavar="ISSUE",
    help="Issue that it is for: #12, owner/repo#12 or its address.",
)
@option("--beside", is_flag=True, help="Even if you have another live session here.")
@json_option
@click.pass_obj
def start(
    app: App,
    goal: tuple[str, ...],
    tags: tuple[str, ...],
    issues: tuple[str, ...],
    *,
    beside: bool,
    as_json: bool,
) -> None:
    """Start a piece of work. Records written until its end are linked to it.

    \b
    Example:
      gitmem session start "Make the clock time-zone aware" --issue "#12"
    """
    if issues:
        from gitmem.records.issues import parse

        tags = (*tags, *(parse(text).tag for text in issues))
    with app.memory() as memory:
        live = memory.sessions.start(" ".join(goal), tags=tags, beside=beside)
        _report(live, "started", as_json=as_json)
        for other in live.stale_others:
            note(
                f"{other} was left open; look at it with gitmem session show {other}, "
                "then resume, end or abandon it"
            )


@command.command("log")
@argument("type", metavar="TYPE")
@argument("text", nargs=-1, metavar="[TEXT or PATH]")
@option("--path", help="The file it is about (for a change, TEXT names it).")
@option("--reason", help="Why the file was changed.")
@option(
    "--action",
    type=click.Choice(["create", "edit", "delete", "rename", "refactor", "test"]),
    help="What happened to the file.",
)
@option("--lines", metavar="FIRST-LAST", help="Lines that it is about.")
@option("--related", multiple=True, metavar="PATH", help="A related file.")
@option("--role", default="", help="The assistant of a team that it comes from.")
@option("--record", metavar="ID", help="A record that it is about.")
@option(
    "--result",
    type=click.Choice(["passed", "failed", "error"]),
    help="Of a test run: how it ended.",
)
@option("--passed", type=click.IntRange(0), help="Of a test run: how many passed.")
@option("--failed", type=click.IntRange(0), help="Of a test run: how many failed.")
@option("--command", "ran", help="Of a test run: the command.")
@option("--session", "session_id", metavar="SESSION", help="A session other than the current one.")
@click.pass_obj
def log(app: App, /, text: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401
    """Note an event: change, test, note, or any other word.

    \b
    Example:
      gitmem session log change src/clock.py --reason "naive datetimes"
      gitmem session log test --result failed --failed 2 --command "pytest -q"
      gitmem session log note "the staging clock is 5 minutes ahead"
    """
    kind, path, words = given["type"], given["path"], " ".join(text)
    if kind == "change" and path is None:
        path, words = words, ""
    if kind == "note" and not words:
        raise UsageError("no text to note", 'give it: gitmem session log note "…"')
    with app.memory() as memory:
        noted = memory.sessions.log(
            kind,
            words,
            session=given["session_id"],
            path=memory.workspace.path(path) if path else None,
            reason=given["reason"],
            action=given["action"],
            lines=_lines(given["lines"]),
            related_files=[memory.workspace.path(file) for file in given["related"]],
            role=given["role"],
            record=memory.find(given["record"]).id if given["record"] else None,
            test_run=_test_run(kind, given),
        )
        out(f"{noted.session}  {kind} logged")
        for warning in noted.warnings:
            note(warning)


def _lines(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, _, last = text.partition("-")
    last = last or first
    if not (first + last).isdecimal() or not 1 <= int(first) <= int(last):
        raise UsageError(f"--lines {text} can't be read", "write FIRST-LAST, such as 10-20")
    return int(first), int(last)


def _test_run(kind: str, given: dict[str, Any]) -> Any:  # noqa: ANN401
    result = {
        name: given[name] for name in ("result", "passed", "failed") if given[name] is not None
    }
    if not result and given["ran"] is None:
        return None
    if kind != "test":
        raise UsageError(
            "--result, --passed, --failed and --command are for tests", "log the type test"
        )
    if "result" not in result:
        if "failed" not in result:
            raise UsageError("how did the test end?", "add --result passed, failed or error")
        result["result"] = "failed" if result["failed"] else "passed"
    from gitmem.records.parts import TestRun

    return TestRun(command=given["ran"] or "", **result)


@command.command("status")
@json_option
@click.pass_obj
def status(app: App, *, as_json: bool) -> None:
    """The current session so far, with what git sees changed.

    \b
    Example:
      gitmem session status
    """
    from gitmem.sessions.summary import duration

    with app.memory() as memory:
        live = memory.sessions.current()
        if live is None:
            stale = memory.sessions.live()
            if as_json:
                from gitmem.render.as_json import document

                out(
                    document(
                        "session status",
                        session=None,
                        left_behind=[session.id for session in stale],
                    )
                )
                return
            out('no session is live here; start one with: gitmem session start "GOAL"')
            for session in stale:
                note(f"{session.id} was left open on {_day(session.last)}: {session.goal}")
            return
        now = memory.sessions.status(live.id, compare=True)
        if as_json:
            _report(
                live,
                "live",
                as_json=True,
                seconds=now.seconds,
                changes=[c.path for c in now.changes],
            )
            return
        painter = app.painter_of(memory)
        out(f"{painter.paint(live.id, 'yellow')}  {painter.paint(one_line(live.goal), 'bold')}")
        out(
            f"  for {duration(now.seconds)}"
            + (f" on {live.here.branch}" if live.here.branch else "")
        )
        for change in now.changes:
            counts = "" if change.added is None else f"  +{change.added} -{change.removed}"
            out(f"  {change.action:<7} {change.path}{counts}")
        for run in now.test_runs:
            out(f"  test    {painter.status(run.result)} {run.command}".rstrip())
        for gap in now.gaps:
            note(gap)


@command.command("list")
@option("--all", "everywhere", is_flag=True, help="Also those of other work trees and actors.")
@json_option
@click.pass_obj
def list_(app: App, *, everywhere: bool, as_json: bool) -> None:
    """List live sessions, and the newest that ended.

    \b
    Example:
      gitmem session list --all
    """
    from gitmem.render.lists import rows

    with app.memory() as memory:
        live = memory.sessions.live(everywhere=everywhere)
        ended = memory.list("kind:session", limit=20)
        if as_json:
            from gitmem.render import as_json as render

            out(
                render.document(
                    "session list",
                    live=[_data(session) for session in live],
                    ended=render.rows(ended),
                )
            )
            return
        painter = app.painter_of(memory)
        for session in live:
            state = painter.paint(
                "left open" if session.stale else "live", "red" if session.stale else "green"
            )
            where = f"  {session.here.root}" if everywhere else ""
            out(
                f"{painter.paint(session.id, 'yellow')}  {state}  since {_day(session.started)}  "
                f"{one_line(session.goal)}{where}"
            )
        out(rows(ended, painter))
        if not live and not ended:
            note("no sessions yet")


@command.command("show")
@argument("reference", metavar="[SESSION]", required=False)
@click.pass_context
def show(ctx: click.Context, reference: str | None) -> None:
    """Show a session, live or ended; without an id the current one.

    \b
    Example:
      gitmem session show
      gitmem session show ses-4p
    """
    app: App = ctx.obj
    from gitmem.errors import NotFoundError

    with app.memory() as memory:
        try:
            now = memory.sessions.status(reference)
        except NotFoundError:
            if reference is None:
                raise
            from gitmem.cli.show import command as show_record

            ctx.invoke(show_record, reference=reference)
            return
        live = now.live
        out(f"{live.id}  {'left open' if live.stale else 'live'}  {one_line(live.goal)}")
        out(f"  since {_day(live.started)}, last event {_day(live.last)}, in {live.here.root}")
        for entry in live.logged:
            about = "  ".join(filter(None, (entry.path, entry.text, entry.reason, entry.record)))
            out(f"  {entry.at:%H:%M}  {entry.type}  {about}".rstrip())
        for gap in now.gaps:
            note(gap)


@command.command("resume")
@argument("reference", metavar="SESSION")
@json_option
@click.pass_obj
def resume(app: App, reference: str, *, as_json: bool) -> None:
    """Continue a session that is live or was left open, also in another work tree.

    \b
    Example:
      gitmem session resume ses-4p
    """
    with app.memory() as memory:
        _report(memory.sessions.resume(reference), "resumed", as_json=as_json)


@command.command("end")
@argument("reference", metavar="[SESSION]", required=False)
@option("--success/--failure", default=None, help="Whether the goal was reached.")
@option("--summary", help="Use this in place of the summary that gitmem composes.")
@option("--approach", default="", help="How the work was done, in a word or a sentence.")
@option("--factor", "factors", multiple=True, help="What made it succeed.")
@option("--tool", "tools", multiple=True, help="A tool that was used.")
@option("--tag", "tags", multiple=True, help="A tag to find it by.")
@option("--summarise", is_flag=True, help="Also ask your language model for a summary (llm.model).")
@yes_option
@json_option
@click.pass_obj
def end(
    app: App,
    /,
    reference: str | None,
    *,
    success: bool | None,
    summarise: bool,
    yes: bool,
    as_json: bool,
    **given: Any,  # noqa: ANN401
) -> None:
    """End a session and write its record: duration, changes from git, what was learnt.

    The summary is made of these facts. With --summarise, they and the session's records are sent
    to the model that you set, and its summary is added, marked as such.

    \b
    Example:
      gitmem session end --success
    """
    with app.memory() as memory:
        record = memory.end_session(
            reference,
            success=success,
            summary=given["summary"],
            approach=given["approach"],
            success_factors=given["factors"],
            tools_used=given["tools"],
            tags=given["tags"],
            summarise=summarise,
            approve=approval(memory, yes=yes) if summarise else None,
        )
        if as_json:
            from gitmem.cli.add import report

            report([record], as_json=True)
            return
        out(f"{record.id}  ended")
        out("")
        out(record.summary)


@command.command("abandon")
@argument("reference", metavar="[SESSION]", required=False)
@click.pass_obj
def abandon(app: App, reference: str | None) -> None:
    """Close a session without a record. Its events stay in the local journal.

    \b
    Example:
      gitmem session abandon ses-4p
    """
    with app.memory() as memory:
        live = memory.sessions.abandon(reference)
        out(f"{live.id}  abandoned; its events are kept in {memory.workspace.site.journal}")


def _report(live: "LiveSession", what: str, *, as_json: bool, **more: object) -> None:
    if as_json:
        from gitmem.render.as_json import document

        out(document(f"session {what}", session=_data(live), **more))
    else:
        out(f"{live.id}  {what}  {one_line(live.goal)}")


def _data(live: "LiveSession") -> dict[str, Any]:
    return {
        "id": live.id,
        "goal": live.goal,
        "started": live.started.isoformat(),
        "last": live.last.isoformat(),
        "branch": live.here.branch,
        "worktree": live.here.root,
        "tags": list(live.tags),
        "stale": live.stale,
    }


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
