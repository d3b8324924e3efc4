"""The tools that only read: search, show, hint, attempts, advise, context, review."""

import re
from typing import TYPE_CHECKING, Annotated, Final

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from gitmem.mcp.calls import Calls, Data
from gitmem.mcp.tools import Tools
from gitmem.render.assistant import (
    Answer,
    Part,
    attempts_of,
    cited,
    hit_part,
    known_parts,
    quoted,
    row_part,
)

if TYPE_CHECKING:
    from gitmem.memory import Memory

Count = Annotated[int, Field(ge=1, le=50)]
From = Annotated[int, Field(ge=0)]
Result = Annotated[CallToolResult, Data]
LEAST_CONTEXT: Final = 300
"""Tokens; in fewer there is no room for an entry beside the frame."""
_FOLDS: Final = re.compile(r"</?(?:details|summary|b|br)>")


def register(tools: Tools, calls: Calls) -> None:
    """Add the tools."""
    for add in (_search, _show, _hint, _attempts, _advise, _context, _review):
        add(tools, calls)


def _search(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def search(
        ctx: Context,
        *,
        query: Annotated[str, Field(description="words, filters (kind:decision) or an error")],
        limit: Count = 5,
        offset: From = 0,
        budget: From = 0,
        project: str = "",
    ) -> Result:
        """Find past errors and their fixes, decisions, patterns, notes."""

        def question(memory: "Memory") -> Answer:
            found = memory.search(query, offset + limit + 1)
            hits = found.hits[offset : offset + limit]
            head = "" if hits else "Nothing found."
            if found.suggestion:
                head = f"Nothing found; did you mean {quoted(found.suggestion)}?"
            more = len(found.hits) > offset + limit
            data = {"next_offset": offset + limit} if more else {}
            return Answer([hit_part(hit) for hit in hits], head, data)

        return await calls.ask(ctx, question, project=project, budget=budget)


def _show(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def show(ctx: Context, *, id: str, budget: From = 0, project: str = "") -> Result:  # noqa: A002
        """Read one record whole."""
        return await calls.ask(
            ctx, lambda memory: whole(memory, id), project=project, budget=budget
        )


def whole(memory: "Memory", reference: str) -> Answer:
    """Tell everything that a record says: a part for each of its sections."""
    from gitmem.render.page import page  # noqa: PLC0415  start-up

    shown = memory.show(reference)
    first, *others = page(shown).strip().split("\n\n## ")
    data = {"id": shown.row.id, "kind": shown.row.kind, "status": shown.row.status}
    parts = [Part(cited(first), data)]
    parts += [Part(cited(f"## {block}"), {}) for block in others]
    return Answer(parts)


def _hint(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def hint(
        ctx: Context,
        *,
        text: Annotated[str, Field(description="output of the command that failed")],
        budget: From = 0,
        project: str = "",
    ) -> Result:
        """Ask before fixing: was this failure seen, what worked, what did not."""

        def question(memory: "Memory") -> Answer:
            parts = known_parts(memory.hint(text))
            return Answer(parts, "" if parts else "No failure in this text, or nothing is known.")

        return await calls.ask(ctx, question, project=project, budget=budget)


def _attempts(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def attempts(
        ctx: Context,
        *,
        error: Annotated[str, Field(description="id; empty: what fails now")] = "",
        budget: From = 0,
        project: str = "",
    ) -> Result:
        """List what was tried on an error."""

        def question(memory: "Memory") -> Answer:
            if error:
                row = memory.find(error, "error")
                return Answer([row_part(row, "", attempts_of(memory.attempts_of(row.id)))])
            live = memory.attempts()
            parts = [part for one in live for part in known_parts([one.known])]
            return Answer(parts, "" if parts else "Nothing fails here that was observed.")

        return await calls.ask(ctx, question, project=project, budget=budget)


def _advise(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def advise(
        ctx: Context,
        *,
        text: Annotated[str, Field(description="an error or a question")] = "",
        path: Annotated[str, Field(description="FILE or FILE:LINE to be changed")] = "",
        task: Annotated[str, Field(description="what is to be done")] = "",
        budget: From = 0,
        project: str = "",
    ) -> Result:
        """What to try, what to avoid, when to stop and ask; empty: on what fails now."""

        def question(memory: "Memory") -> Answer:
            from gitmem.render.assistant_advice import advice  # noqa: PLC0415  start-up

            about = {"description": task} if task else None
            return advice(memory.advise(text, path=path, task=about))

        return await calls.ask(ctx, question, project=project, budget=budget)


def _context(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def context(
        ctx: Context, *, focus: str = "", budget: From = 0, project: str = ""
    ) -> Result:
        """What to know before an attempt. focus: an error, words or a file; empty: what fails."""
        room = max(calls.options.bounded(budget), LEAST_CONTEXT)
        return await calls.ask(
            ctx, lambda memory: of_focus(memory, focus, room), project=project, budget=room
        )


def of_focus(memory: "Memory", focus: str, budget: int) -> Answer:
    """Tell what is to be known of a focus, within a budget of tokens."""
    from gitmem.render.assistant_context import context  # noqa: PLC0415  start-up

    return context(memory.context(focus, budget=budget), budget)


def _review(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def review(
        ctx: Context,
        *,
        range: Annotated[str, Field(description="A..B; empty: this branch")] = "",  # noqa: A002
        budget: From = 0,
        project: str = "",
    ) -> Result:
        """What commits teach; decisions and past errors about their files."""

        def question(memory: "Memory") -> Answer:
            from gitmem.render.as_json import review as as_data  # noqa: PLC0415  start-up
            from gitmem.render.review import markdown  # noqa: PLC0415  start-up

            found = memory.review(range)
            # Texts are escaped in it, so what looks like HTML folds lines, and is ours.
            blocks = _FOLDS.sub("", markdown(found)).strip().split("\n\n")
            kinds = {name: len(value) for name, value in as_data(found).items()
                     if isinstance(value, list)}  # fmt: skip
            parts = [Part(cited(one), {}) for one in blocks if one.strip()]
            return Answer(parts, "", {"counts": kinds})

        return await calls.ask(ctx, question, project=project, budget=budget)
