"""The ``coding_*`` tools about errors, decisions and the project, as assistants know them.

``user_id`` is taken and not kept: git says who somebody is. ``project_id`` may name one of the
folders that are open; any other name means the one there is.
"""
# ruff: noqa: ARG001  user_id

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp.server.mcpserver import Context
from pydantic import Field

from gitmem.capture.telling import LookUp
from gitmem.errors import UsageError
from gitmem.mcp.advising import LEAST_CONTEXT, of_focus
from gitmem.mcp.arguments import Texts, questions, words
from gitmem.mcp.calls import Calls, here
from gitmem.mcp.model_parts import beside
from gitmem.mcp.model_requests import Asking, Model, Seeing, Voice, ask
from gitmem.mcp.parameters import (
    AskedAs,
    Budget,
    Cause,
    Count,
    Files,
    ProjectId,
    Result,
    Symptom,
    Tags,
    UserId,
)
from gitmem.mcp.plain_search import few_words_of, plain_search
from gitmem.mcp.screenshots import known_beside, record_with
from gitmem.mcp.tools import Tools
from gitmem.mcp.writing import decided, refuse_near, title_of
from gitmem.render.assistant import Answer, hit_part, known_parts, written_part

if TYPE_CHECKING:
    from gitmem.learning.profile import Profile
    from gitmem.memory import Memory

_NONE: Final = "No similar errors. Record this one when it is fixed: the next search finds it."
_REPLACES: Final = "its id {} as supersedes to gitmem_record_decision, if you replace"
_RECURRING: Final = 5
_PATIENCE_SECONDS: Final = 20.0


def register(tools: Tools, calls: Calls) -> None:
    """Add the tools."""
    for add in (_error, _decision, _search, _context, _patterns):
        add(tools, calls)


def _error(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def coding_record_error(
        ctx: Context,
        *,
        error_type: Annotated[str, Field(description="such as TypeError")],
        message: Annotated[str, Field(description="what it says")],
        stack_trace: Annotated[str, Field(description="the whole output")] = "",
        file_path: Annotated[str, Field(description="where it was raised")] = "",
        line_number: Annotated[int, Field(ge=0, description="of that file; 0: not known")] = 0,
        solution: Annotated[str, Field(description="what fixed it, if that is known")] = "",
        screenshot: Annotated[str, Field(description="a path, or data:image/png;base64,…")] = "",
        tags: Tags = None,
        symptom: Symptom = "",
        cause: Cause = "",
        asked_as: AskedAs = "",
        model: Seeing = None,
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Asking:
        """Write an error into this repository's memory; tells what is known about it.

        Call it when you meet one that others may meet.
        """

        def question(memory: "Memory", voice: Voice) -> Answer:
            answer = LookUp(())
            if not screenshot:
                answer = memory.history.look_up(stack_trace or f"{error_type}: {message}")
            fields: dict[str, Any] = {
                "error_type": error_type, "message": message, "excerpt": stack_trace,
                "symptom": symptom, "cause": cause, "tags": words(tags),
                "asked_as": questions(asked_as),
            }  # fmt: skip
            if file_path and file_path != "unknown":
                location = {"file": here(memory, file_path)}
                fields["location"] = location | ({"line": line_number} if line_number > 0 else {})
            given_fields = {name: value for name, value in fields.items() if value}
            # What the trace says, and the test that it is of, tell the error from others.
            all_fields = {**memory.failures.shown(stack_trace, error_type), **given_fields}
            if screenshot:
                look = partial(memory.models.look, approve=voice.approve) if model else None
                error = record_with(memory, screenshot, all_fields, look)
                answer = memory.history.look_up(known_beside(memory, error))
            else:
                error = memory.add("error", all_fields)
            written = [error.id]
            if solution:
                written.append(memory.resolve(error.id, {"approach": solution}).id)
            parts = [written_part(error)]
            parts += [part for part in known_parts(answer) if part.data.get("label")]
            head = f"Written: {', '.join(written)}.{calls.waits}"
            return Answer(parts, head, {"written": written})

        if model and not screenshot:
            raise UsageError("model reads a screenshot, and there is none", "leave model out")
        return await ask(
            calls, ctx, model, question, project=project_id, any_name=True, writes=True
        )


def _decision(tools: Tools, calls: Calls) -> None:
    @tools.writing
    async def coding_record_decision(
        ctx: Context,
        *,
        decision: Annotated[str, Field(description="what was chosen")],
        rationale: Annotated[str, Field(description="why")],
        alternatives: Annotated[Texts, Field(description="what was not chosen")] = None,
        impact: Annotated[str, Field(description="what follows from it")] = "",
        tags: Tags = None,
        related_files: Files = None,
        asked_as: AskedAs = "",
        confidence: Annotated[
            float | None, Field(ge=0, le=1, description="how sure it is, 0 to 1")
        ] = None,
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Write a choice and its reasons into this repository's memory.

        Call it when a design was decided.
        """

        def question(memory: "Memory") -> Answer:
            fields = {
                "decision": decision, "rationale": rationale, "consequences": impact,
                "confidence": confidence, "tags": words(tags), "asked_as": questions(asked_as),
                "alternatives": [{"option": alternative} for alternative in alternatives or ()],
                "governs": [here(memory, file) for file in related_files or ()],
            }  # fmt: skip
            refuse_near(memory, "decision", title_of(fields), _REPLACES)
            return decided(memory, fields, waits=calls.waits)

        return await calls.write(ctx, question, project_id, any_name=True)


def _search(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def coding_search_errors(
        ctx: Context,
        *,
        query: Annotated[str, Field(description="an error or words")],
        k: Count = 5,
        budget: Budget = 0,
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Result:
        """Find errors like this in this repository's memory: how often seen, what fixed them.

        Call it before you fix one.
        """

        def question(memory: "Memory") -> Answer:
            result = plain_search(memory, query, 8 * k)
            failures = memory.failures.each_failure(result.hits, k)
            parts = [hit_part(hit, times) for hit, times in failures]
            return Answer(parts, few_words_of(result) if parts else _NONE)

        return await calls.ask(ctx, question, project=project_id, budget=budget, any_name=True)


def _context(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def coding_get_project_context(
        ctx: Context,
        *,
        focus: Annotated[str, Field(description="a file or words; empty: the project")] = "",
        budget: Budget = 0,
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Result:
        """What this repository's memory knows of the project: purpose, stack, decisions, style.

        Call it at the beginning.
        """
        room = max(calls.options.bounded(budget), LEAST_CONTEXT)
        return await calls.ask(
            ctx,
            lambda memory: of_focus(memory, focus, room, conventions=True),
            project=project_id,
            budget=room,
            any_name=True,
        )


def _patterns(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def coding_analyze_patterns(
        ctx: Context,
        *,
        model: Model = None,
        budget: Budget = 0,
        user_id: UserId = "",
        project_id: ProjectId = "",
    ) -> Asking:
        """How code is written here, its libraries, and the failures that recur.

        Call it before you write code in a new place.
        """
        profiles: list[Profile] = []  # the code is read once, however often a model is asked

        def question(memory: "Memory", voice: Voice) -> Answer:
            from gitmem.render.assistant_advice import patterns

            if not profiles:
                profiles.append(memory.code.profile(seconds=_PATIENCE_SECONDS))
            again = memory.statistics.recurring(_RECURRING)
            answer = patterns(profiles[0], again)
            remarks = []
            if model:
                remarks = beside(
                    memory, lambda: memory.models.find_preferences(profiles[0], *voice)
                )
            if model and again:
                analysis = memory.models.analyse(limit=_RECURRING)
                remarks += beside(memory, lambda: memory.models.find_patterns(analysis, *voice))
            return answer._replace(parts=[*remarks, *answer.parts])

        return await ask(
            calls, ctx, model, question, project=project_id, budget=budget, any_name=True
        )
