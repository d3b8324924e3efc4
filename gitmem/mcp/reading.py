"""The tools that only read: search, show, hint, attempts, advise, context, review."""

import re
from typing import TYPE_CHECKING, Annotated, Final

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from gitmem.mcp.calls import Calls, Data
from gitmem.mcp.model_parts import beside
from gitmem.mcp.model_requests import Asking, Model, Voice, ask
from gitmem.mcp.tools import UNLISTED, Tools
from gitmem.render.assistant import (
    Answer,
    AnswerPart,
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
Budget = Annotated[int, Field(ge=0, json_schema_extra=UNLISTED)]
Project = Annotated[str, Field(json_schema_extra=UNLISTED)]
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
        query: str,
        limit: Count = 5,
        offset: From = 0,
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Find records by words, kind:decision or a pasted error."""

        def question(memory: "Memory") -> Answer:
            result = memory.search(query, offset + limit + 1)
            hits = result.hits[offset : offset + limit]
            memory.records.reader.note_shown(result.site, (hit.ids for hit in hits))
            head = "" if hits else "Nothing found."
            if result.suggestion:
                head = f"Nothing found; did you mean {quoted(result.suggestion)}?"
            more = len(result.hits) > offset + limit
            if more:
                head = f"There are more: offset {offset + limit}."
            data = {"next_offset": offset + limit} if more else {}
            return Answer([hit_part(hit) for hit in hits], head, data)

        return await calls.ask(ctx, question, project=project, budget=budget)


def _show(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def show(ctx: Context, *, id: str, budget: Budget = 0, project: Project = "") -> Result:  # noqa: A002
        """Read one record whole."""
        return await calls.ask(
            ctx, lambda memory: whole(memory, id), project=project, budget=budget
        )


def whole(memory: "Memory", reference: str) -> Answer:
    """Tell everything that a record says: a part for each of its sections."""
    from gitmem.render.page import page

    shown = memory.show(reference)
    memory.records.reader.note_opened(shown)
    first, *others = page(shown).strip().split("\n\n## ")
    data = {"id": shown.row.id, "kind": shown.row.kind, "status": shown.row.shown_status}
    parts = [AnswerPart(cited(first), data)]
    parts += [AnswerPart(cited(f"## {block}"), {}) for block in others]
    return Answer(parts)


def _hint(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def hint(
        ctx: Context,
        *,
        text: str,
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """Before fixing: was this failed output seen, what worked, what not."""

        def question(memory: "Memory") -> Answer:
            matches = memory.hint(text)
            parts = known_parts(matches)
            if not any(match.label or match.similar for match in matches):
                parts += map(hit_part, memory.failures.resembling(text))
            return Answer(parts, "" if parts else "No failure in this text, or nothing is known.")

        return await calls.ask(ctx, question, project=project, budget=budget)


def _attempts(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def attempts(
        ctx: Context,
        *,
        error: str = "",
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """What was tried on an error (its id), or on what fails now."""

        def question(memory: "Memory") -> Answer:
            if error:
                row = memory.find(error, "error")
                return Answer([row_part(row, "", attempts_of(memory.failures.attempts_of(row.id)))])
            live = memory.failures.attempts()
            parts = [part for failure in live for part in known_parts([failure.known])]
            return Answer(parts, "" if parts else "Nothing fails here that was observed.")

        return await calls.ask(ctx, question, project=project, budget=budget)


def _advise(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def advise(
        ctx: Context,
        *,
        text: str = "",
        path: str = "",
        task: str = "",
        model: Model = None,
        budget: Budget = 0,
        project: Project = "",
    ) -> Asking:
        """What to try and avoid: on an error, FILE[:LINE], a task, or what fails now."""

        def question(memory: "Memory", voice: Voice) -> Answer:
            from gitmem.render.assistant_advice import advice

            about = {"description": task} if task else None
            found_advice = memory.advice.advise(text, path=path, task=about)
            answer = advice(found_advice)
            if not model:
                return answer
            subject = text or path or task or "what fails now"
            model_parts = beside(
                memory,
                lambda: memory.models.suggest(found_advice, subject, task=about, **voice._asdict()),
            )
            return answer._replace(parts=[*model_parts, *answer.parts])

        return await ask(calls, ctx, model, question, project=project, budget=budget)


def _context(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def context(
        ctx: Context, *, focus: str = "", budget: Budget = 0, project: Project = ""
    ) -> Result:
        """What to know before an attempt. focus: error, words, file; else what fails."""
        room = max(calls.options.bounded(budget), LEAST_CONTEXT)
        return await calls.ask(
            ctx, lambda memory: of_focus(memory, focus, room), project=project, budget=room
        )


def of_focus(memory: "Memory", focus: str, budget: int) -> Answer:
    """Tell what is to be known of a focus, within a budget of tokens."""
    from gitmem.render.assistant_context import context

    return context(memory.advice.context(focus, budget=budget), budget)


def _review(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def review(
        ctx: Context,
        *,
        range: str = "",  # noqa: A002
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """What commits (A..B; else this branch) teach and touch."""

        def question(memory: "Memory") -> Answer:
            from gitmem.render.as_json import review as as_data  # noqa: PLC0415  start-up
            from gitmem.render.review import markdown

            review = memory.history.review(range)
            # Texts are escaped in it, so what looks like HTML folds lines, and is ours.
            blocks = _FOLDS.sub("", markdown(review)).strip().split("\n\n")
            kinds = {
                name: len(value)
                for name, value in as_data(review).items()
                if isinstance(value, list)
            }
            parts = [AnswerPart(cited(block), {}) for block in blocks if block.strip()]
            return Answer(parts, "", {"counts": kinds})

        return await calls.ask(ctx, question, project=project, budget=budget)
