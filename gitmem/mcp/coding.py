"""The eight ``coding_*`` tools, with the parameters that assistants know them by.

``user_id`` is taken and not kept: git says who somebody is. ``project_id`` may name one of the
folders that are open; any other name means the one there is.
"""

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BeforeValidator, Field

from gitmem.errors import NotFoundError, UsageError
from gitmem.mcp.calls import Calls, here
from gitmem.mcp.reading import READS, Budget, Result
from gitmem.mcp.writing import WRITES
from gitmem.render.assistant import Answer, Part, hit_part, known_parts, row_part, short

if TYPE_CHECKING:
    from gitmem.memory import Memory

Action = Literal["create", "edit", "delete", "rename", "refactor", "test"]
_PAIR = 2


def _listed(value: object) -> object:
    """Take a list, or JSON of one, or words with commas."""
    if not isinstance(value, str):
        return value
    try:
        made = json.loads(value)
    except ValueError:
        made = [one.strip() for one in value.split(",")]
    several = made if isinstance(made, list) else [made]
    return [str(one) for one in several if str(one).strip()]


Texts = Annotated[list[str] | None, BeforeValidator(_listed)]
User = Annotated[str, Field(description="not kept")]
ProjectId = Annotated[str, Field(description="name of the open folder")]


def register(server: MCPServer[Any], calls: Calls) -> None:
    """Add the tools that read to a server; those that write unless they are switched off."""
    _reading(server, calls)
    if calls.options.write != "off":
        _sessions(server, calls)
        _records(server, calls)


def _sessions(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="Start a session", annotations=WRITES)
    async def coding_start_session(
        ctx: Context,
        *,
        description: str,
        tags: Texts = None,
        user_id: User = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Begin a piece of work; what is recorded meanwhile belongs to it."""

        def question(memory: "Memory") -> Answer:
            live = memory.sessions.start(description, tags=_words(tags))
            return Answer([], f"Session {live.id} started.", {"session_id": live.id})

        said = {"user_id": user_id, "description": description, "tags": tags}
        return await calls.ask(ctx, question, said, project=project_id, writes=True, any_name=True)

    @server.tool(title="Note a changed file", annotations=WRITES)
    async def coding_track_file_change(
        ctx: Context,
        *,
        file_path: str,
        action: Action,
        diff: str = "",
        reason: Annotated[str, Field(description="why, so that others understand it")] = "",
        related_files: Texts = None,
        line_range: Annotated[str, Field(description="FIRST,LAST")] = "",
        user_id: User = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Note a change of a file and its reason in the live session."""

        def question(memory: "Memory") -> Answer:
            noted = memory.sessions.log(
                "change", reason or short(diff), path=here(memory, file_path), action=action,
                reason=reason, diff=diff, lines=_lines(line_range),
                related_files=[here(memory, one) for one in related_files or ()],
            )  # fmt: skip
            told = "".join(f" {advice}." for advice in noted.warnings)
            return Answer([], f"Noted in {noted.session}.{told}", {"session_id": noted.session})

        said = {"user_id": user_id, "file_path": file_path, "diff": diff, "reason": reason}
        return await calls.ask(ctx, question, said, project=project_id, writes=True, any_name=True)

    @server.tool(title="End the session", annotations=WRITES)
    async def coding_end_session(
        ctx: Context,
        *,
        summary: Annotated[str | None, Field(description="none: put together from facts")] = None,
        success: bool | None = None,
        user_id: User = "",
        project_id: ProjectId = "",
    ) -> Result:
        """End the session and write its record: summary, changed files, tests, records made."""

        def question(memory: "Memory") -> Answer:
            record = memory.end_session(success=success, summary=summary)
            minutes = round((record.ended - record.started).total_seconds() / 60, 1)
            part = row_part(memory.find(record.id))
            text = f"{part.text}\n\n{short(record.summary)}" if record.summary else part.text
            data = {"summary": record.summary, "duration_minutes": minutes}
            head = f"Ended {record.id} after {minutes:g} minutes."
            return Answer(
                [Part(text, {**part.data, **data})], head, {"written": [record.id], **data}
            )

        said = {"user_id": user_id, "summary": summary}
        return await calls.ask(ctx, question, said, project=project_id, writes=True, any_name=True)


def _records(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="Record an error", annotations=WRITES)
    async def coding_record_error(
        ctx: Context,
        *,
        error_type: str,
        message: str,
        stack_trace: str = "",
        file_path: str = "",
        line_number: int = 0,
        solution: Annotated[str, Field(description="what fixed it, if that is known")] = "",
        screenshot: Annotated[str, Field(description="path of a picture in the repository")] = "",
        tags: Texts = None,
        symptom: Annotated[str, Field(description="what one sees, in one line")] = "",
        cause: Annotated[str, Field(description="why it happens, in one line")] = "",
        user_id: User = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Write down an error; tells at once what is known about it. The fix can come later."""

        def question(memory: "Memory") -> Answer:
            known = memory.hint(stack_trace or f"{error_type}: {message}")
            fields: dict[str, Any] = {
                "error_type": error_type, "message": message, "excerpt": stack_trace,
                "symptom": symptom or None, "cause": cause or None, "tags": _words(tags),
            }  # fmt: skip
            if file_path and file_path != "unknown":
                place = {"file": here(memory, file_path)}
                fields["location"] = place | ({"line": line_number} if line_number > 0 else {})
            attach = [memory_path(memory, screenshot)] if screenshot else []
            error = memory.add("error", {k: v for k, v in fields.items() if v}, attach=attach)
            written = [error.id]
            if solution:
                written.append(memory.resolve(error.id, {"approach": solution}).id)
            parts = [part for part in known_parts(known) if part.data.get("label")]
            return Answer(parts, f"Written: {', '.join(written)}", {"written": written})

        said = {"user_id": user_id, "error_type": error_type, "message": message,
                "stack_trace": stack_trace, "solution": solution}  # fmt: skip
        return await calls.ask(ctx, question, said, project=project_id, writes=True, any_name=True)

    @server.tool(title="Record a decision", annotations=WRITES)
    async def coding_record_decision(
        ctx: Context,
        *,
        decision: str,
        rationale: str,
        alternatives: Texts = None,
        impact: str = "",
        tags: Texts = None,
        related_files: Annotated[Texts, Field(description="files that it governs")] = None,
        confidence: Annotated[float | None, Field(ge=0, le=1)] = None,
        user_id: User = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Write down what was chosen, why, and what was not."""

        def question(memory: "Memory") -> Answer:
            fields = {
                "title": decision.strip().partition("\n")[0][:300], "decision": decision,
                "rationale": rationale, "consequences": impact, "confidence": confidence,
                "alternatives": [{"option": one} for one in alternatives or ()],
                "governs": [here(memory, one) for one in related_files or ()],
                "tags": _words(tags),
            }  # fmt: skip
            kept = {k: v for k, v in fields.items() if v not in (None, "", [])}
            record = memory.add("decision", kept)
            part = row_part(memory.find(record.id))
            return Answer([part], f"Written: {record.id}", {"written": [record.id]})

        said = {"user_id": user_id, "decision": decision, "rationale": rationale, "impact": impact}
        return await calls.ask(ctx, question, said, project=project_id, writes=True, any_name=True)


def _reading(server: MCPServer[Any], calls: Calls) -> None:
    @server.tool(title="Search past errors", annotations=READS)
    async def coding_search_errors(
        ctx: Context,
        *,
        query: str,
        k: Annotated[int, Field(ge=1, le=50)] = 5,
        budget: Budget = 0,
        user_id: User = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Find past errors by their output or in words, with what worked and what did not."""

        def question(memory: "Memory") -> Answer:
            hits = [hit for hit in memory.search(query, 4 * k).hits if hit.row.kind == "error"][:k]
            nothing = (
                "No similar errors. Record this one when it is fixed, and the next one finds it."
            )
            return Answer([hit_part(hit) for hit in hits], "" if hits else nothing)

        said = {"user_id": user_id, "query": query}
        return await calls.ask(
            ctx, question, said, project=project_id, budget=budget, any_name=True
        )


def memory_path(memory: "Memory", path: str) -> str:
    """Give the absolute path of a file of the work tree; what lies elsewhere is refused."""
    import os  # noqa: PLC0415  only here

    try:
        inside = here(memory, path)
    except UsageError:
        raise UsageError("a screenshot must lie in the repository", "copy it there first") from None
    full = os.path.join(memory.site.root, inside)
    if not os.path.isfile(full):
        raise NotFoundError(f"there is no file {inside}", "name a picture that is there")
    return full


def _words(tags: "list[str] | None") -> list[str]:
    return list(dict.fromkeys("-".join(one.split()) for one in tags or () if one.strip()))


def _lines(text: str) -> tuple[int, int] | None:
    """Read ``FIRST,LAST`` or ``FIRST-LAST``."""
    numbers = [one.strip() for one in text.replace("-", ",").split(",") if one.strip()]
    if not numbers:
        return None
    if len(numbers) > _PAIR or not all(one.isdigit() for one in numbers):
        raise UsageError(f"line_range {text!r} can't be read", "write FIRST,LAST such as 42,57")
    return int(numbers[0]), int(numbers[-1])
