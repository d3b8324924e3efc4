"""The tools that look something up: a failure, words, one record."""

from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from gitmem.mcp.calls import Calls
from gitmem.mcp.hints import hint
from gitmem.mcp.parameters import Budget, Count, Project, Result
from gitmem.mcp.plain_search import few_words_of
from gitmem.mcp.tools import Tools
from gitmem.render.assistant import (
    Answer,
    AnswerPart,
    attempts_of,
    cited,
    hit_part,
    quoted,
)

if TYPE_CHECKING:
    from gitmem.memory import Memory


def register(tools: Tools, calls: Calls) -> None:
    """Add the tools."""
    for add in (_hint, _search, _show):
        add(tools, calls)


def _hint(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def gitmem_hint(
        ctx: Context,
        *,
        text: Annotated[str, Field(description="what it printed; empty: what fails now")] = "",
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Look a failure up in this repository's memory of past errors, fixes and decisions.

        Call it after each failed command or test, BEFORE you try a fix: what fixed it here, what
        did not, and why.
        """
        return await calls.ask(
            ctx,
            lambda memory: hint(memory, text),
            project=project,
            budget=budget,
            same=("hint", text),
        )


def _search(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def gitmem_search(
        ctx: Context,
        *,
        query: Annotated[str, Field(description="words, a question, kind:decision")],
        limit: Count = 5,
        offset: Annotated[int, Field(ge=0, description="skip so many")] = 0,
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Search this repository's memory of past errors, fixes, decisions and notes.

        Call it when you wonder why code is as it is, how things are done here, or what was tried.
        """

        def question(memory: "Memory") -> Answer:
            result = memory.search(query, offset + limit + 1)
            hits = result.hits[offset : offset + limit]
            memory.records.reader.note_shown(result.site, (hit.ids for hit in hits))
            head = few_words_of(result) if hits else "Nothing found."
            if result.suggestion:
                head = f"Nothing found; did you mean {quoted(result.suggestion)}?"
            more = len(result.hits) > offset + limit
            if more:
                head = f"{head} There are more: offset {offset + limit}.".strip()
            data = {"next_offset": offset + limit} if more else {}
            return Answer([hit_part(hit) for hit in hits], head, data)

        return await calls.ask(ctx, question, project=project, budget=budget)


def _show(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def gitmem_show(
        ctx: Context,
        *,
        id: Annotated[str, Field(description="such as err-7k3m9q2d4x")],  # noqa: A002  what records call it
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Read one record of this repository's memory whole.

        Call it for an id in an answer: all attempts on an error, a fix's patch, a decision's why.
        """
        return await calls.ask(
            ctx, lambda memory: whole(memory, id), project=project, budget=budget
        )


def whole(memory: "Memory", reference: str) -> Answer:
    """Tell everything that a record says: a part for each of its sections."""
    from gitmem.render.page import page

    record = memory.editor.record_page(reference, memory.failures.attempt_reader())
    shown = record.shown
    memory.records.reader.note_opened(shown)
    text = page(shown, origin=record.origin, uncommitted=record.uncommitted)
    first, *others = text.strip().split("\n\n## ")
    data = {"id": shown.row.id, "kind": shown.row.kind, "status": shown.row.shown_status}
    parts = [AnswerPart(cited(first), data)]
    if shown.row.kind == "error":
        parts += _tried(memory, shown.row.id)
    parts += [AnswerPart(cited(f"## {block}"), {}) for block in others]
    return Answer(parts)


def _tried(memory: "Memory", error: str) -> list[AnswerPart]:
    lines = attempts_of(memory.failures.attempts_of(error))
    return [AnswerPart("\n".join(lines), {})] if lines else []
