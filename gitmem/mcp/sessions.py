"""The ``coding_*`` tools about the session: start, note a change, status, resume, end."""
# ruff: noqa: ARG001  user_id is taken and not kept

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver import Context
from pydantic import Field

from gitmem.errors import NotFoundError
from gitmem.mcp.arguments import lines, words
from gitmem.mcp.calls import Calls, here
from gitmem.mcp.model_requests import Asking, Model, Voice, ask
from gitmem.mcp.parameters import Files, ProjectId, Result, Tags, UserId
from gitmem.mcp.tools import Tools
from gitmem.render.assistant import Answer, AnswerPart, block, quoted, short, written_part
from gitmem.render.tool_words import as_tools

if TYPE_CHECKING:
    from gitmem.memory import Memory
    from gitmem.sessions import LiveSession

Action = Literal["create", "edit", "delete", "rename", "refactor", "test"]
_MINUTE = 60


def register(tools: Tools, calls: Calls) -> None:
    """Add the tools."""
    for add in (_start, _change, _status, _resume, _end):
        add(tools, calls)


def _start(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def coding_start_session(
        ctx: Context,
        *,
        description: Annotated[str, Field(description="what is to be done")],
        tags: Tags = None,
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Begin a session in this repository's memory; what is recorded until its end joins it.

        Call it when you begin a task.
        """

        def question(memory: "Memory") -> Answer:
            goal = memory.workspace.redacted_text(description)
            live = memory.sessions.start(goal, tags=words(_clean(memory, tags or ())))
            return Answer([], f"Session {live.id} started.", {"session_id": live.id})

        return await calls.write(ctx, question, project_id, any_name=True)


def _change(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def coding_track_file_change(
        ctx: Context,
        *,
        file_path: Annotated[str, Field(description="the file")],
        action: Action,
        diff: Annotated[str, Field(description="the change, or a summary of it")] = "",
        reason: Annotated[str, Field(description="why")] = "",
        related_files: Files = None,
        line_range: Annotated[str, Field(description="FIRST,LAST")] = "",
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Note in the live session why a file changes.

        Call it after an edit whose reason does not show in the code.
        """

        def question(memory: "Memory") -> Answer:
            path, *related = _clean(
                memory, [here(memory, path) for path in (file_path, *(related_files or ()))]
            )
            why, change = _clean(memory, (reason, diff))
            noted = memory.sessions.log(
                "change",
                why or short(change),
                path=path,
                action=action,
                reason=why,
                diff=change,
                lines=lines(line_range),
                related_files=related,
            )
            warnings = "".join(f" {quoted(as_tools(advice))}" for advice in noted.warnings)
            return Answer([], f"Noted in {noted.session}.{warnings}", {"session_id": noted.session})

        return await calls.write(ctx, question, project_id, any_name=True)


def _status(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def coding_get_current_session_status(
        ctx: Context, *, user_id: UserId = "", project_id: ProjectId = ""
    ) -> Result:
        """Tell what the live session did so far: goal, time, changes.

        Call it before you end it.
        """

        def question(memory: "Memory") -> Answer:
            status = memory.sessions.status(_current(memory).id, compare=True)
            part = _part(status.live)
            minutes = round(status.seconds / _MINUTE, 1)
            lines = [f"- {change.action} {quoted(change.path)}" for change in status.changes]
            runs = f", {len(status.test_runs)} test runs" if status.test_runs else ""
            text = "\n".join([f"{part.text}, {minutes:g} minutes{runs}", *lines])
            return Answer(
                [AnswerPart(text, {**part.data, "minutes": minutes, "changes": len(lines)})]
            )

        return await calls.ask(ctx, question, project=project_id, any_name=True)


def _resume(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def coding_resume_session(
        ctx: Context,
        *,
        session_id: Annotated[str, Field(description="empty: list them")] = "",
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Go on with a live session of this repository's memory.

        Call it when a task goes on that another conversation began.
        """

        def question(memory: "Memory") -> Answer:
            if not session_id:
                live = memory.sessions.live(everywhere=True)
                return Answer(
                    [_part(session) for session in live], "" if live else "No session is live."
                )
            resumed = memory.sessions.resume(session_id)
            return Answer([_part(resumed)], "Resumed.", {"session_id": resumed.id})

        return await calls.write(ctx, question, project_id, any_name=True)


def _end(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def coding_end_session(
        ctx: Context,
        *,
        summary: Annotated[str | None, Field(description="none: one is made of the facts")] = None,
        success: Annotated[bool | None, Field(description="whether the task is done")] = None,
        model: Model = None,
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Asking:
        """End the live session, and write its record into this repository's memory.

        Call it when the task is done or left.
        """

        def question(memory: "Memory", voice: Voice) -> Answer:
            record = memory.end_session(
                _current(memory).id,
                success=success,
                summary=summary,
                summarise=bool(model),
                **voice._asdict(),
            )
            minutes = round((record.ended - record.started).total_seconds() / _MINUTE, 1)
            closing_text = block(record.summary) if record.summary else ""
            part = written_part(record)
            text = "\n".join(filter(None, [part.text, closing_text]))
            head = f"Ended after {minutes:g} minutes.{calls.waits}"
            data = {"summary": closing_text, "duration_minutes": minutes, "written": [record.id]}
            return Answer([AnswerPart(text, part.data)], head, data)

        return await ask(
            calls, ctx, model, question, project=project_id, any_name=True, writes=True
        )


def _current(memory: "Memory") -> "LiveSession":
    live = memory.sessions.current()
    if live is None:
        raise NotFoundError("no session is live here", "begin one with coding_start_session")
    return live


def _part(live: "LiveSession") -> AnswerPart:
    who = f"{quoted(live.holder.name)}, since {live.started:%Y-%m-%d %H:%M} UTC"
    return AnswerPart(f"**{live.id}** {quoted(live.goal)} by {who}", {"session_id": live.id})


def _clean(memory: "Memory", texts: Iterable[str]) -> list[str]:
    """Take secrets out: what a session notes lies in the journal until it ends."""
    return [memory.workspace.redacted_text(text) for text in texts]
