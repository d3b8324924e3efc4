"""The tools for a beginning: what to know of the project, what to try and to avoid."""

import re
from typing import TYPE_CHECKING, Annotated, Any, Final

from mcp.server.mcpserver import Context
from pydantic import Field

from gitmem.mcp.calls import Calls
from gitmem.mcp.model_parts import beside
from gitmem.mcp.model_requests import Asking, Model, Voice, ask
from gitmem.mcp.parameters import Budget, Project, Result
from gitmem.mcp.tools import Tools
from gitmem.render.assistant import Answer, AnswerPart, cited

if TYPE_CHECKING:
    from gitmem.memory import Memory

LEAST_CONTEXT: Final = 300
"""Tokens; in fewer there is no room for an entry beside the frame."""
_FOLDS: Final = re.compile(r"</?(?:details|summary|b|br)>")
_COMMITS: Final = re.compile(r"[^\s./]\S*?\.\.\.?(?!/)\S*")
"""A range of commits, as git takes it; no path."""


def register(tools: Tools, calls: Calls) -> None:
    """Add the tools."""
    for add in (_advise, _context):
        add(tools, calls)


def _advise(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def gitmem_advise(
        ctx: Context,
        *,
        task: Annotated[str, Field(description="what you are about to do")] = "",
        path: Annotated[str, Field(description="FILE[:LINE] that you will edit")] = "",
        text: Annotated[str, Field(description="a failure that stays")] = "",
        model: Model = None,
        budget: Budget = 0,
        project: Project = "",
    ) -> Asking:
        """Was it tried before? What this repository's memory of attempts and decisions says.

        Call it BEFORE you begin a task or edit a file, and when attempts keep failing: what to
        try, what to avoid, which decisions apply.
        """

        def question(memory: "Memory", voice: Voice) -> Answer:
            parts: dict[str, AnswerPart] = {}  # what holds for the path may hold for the task
            for about in _subjects(text, path, task):
                for part in _advised(memory, voice if model else None, **about):
                    parts.setdefault(part.text, part)
            return Answer(list(parts.values()))

        return await ask(calls, ctx, model, question, project=project, budget=budget)


def _subjects(text: str, path: str, task: str) -> list[dict[str, str]]:
    given = {"text": text, "path": path, "task": task}
    return [{name: value} for name, value in given.items() if value] or [{}]


def _advised(
    memory: "Memory", voice: Voice | None, text: str = "", path: str = "", task: str = ""
) -> list[AnswerPart]:
    from gitmem.render.assistant_advice import advice

    about: dict[str, Any] | None = {"description": task} if task else None
    found_advice = memory.advice.advise(text, path=path, task=about)
    parts = list(advice(found_advice).parts)
    if voice is None:
        return parts
    subject = text or path or task or "what fails now"
    return [
        *beside(
            memory,
            lambda: memory.models.suggest(found_advice, subject, task=about, **voice._asdict()),
        ),
        *parts,
    ]


def _context(tools: Tools, calls: Calls) -> None:
    @tools.reading
    async def gitmem_context(
        ctx: Context,
        *,
        focus: Annotated[
            str,
            Field(description="a file, words, or commits A..B to review"),
        ] = "",
        budget: Budget = 0,
        project: Project = "",
    ) -> Result:
        """What this repository's memory tells somebody who begins to work here.

        Call it ONCE at the beginning: what the project is, how it is built and tested, decisions
        that hold; and before you review commits.
        """
        room = max(calls.options.bounded(budget), LEAST_CONTEXT)
        return await calls.ask(
            ctx, lambda memory: of_focus(memory, focus, room), project=project, budget=room
        )


def of_focus(memory: "Memory", focus: str, budget: int, *, conventions: bool = False) -> Answer:
    """Tell what is to be known of a focus, within a budget of tokens.

    Args:
        memory: the memory.
        focus: as for ``Advisor.context``; or a range of commits.
        budget: tokens.
        conventions: also tell how the code is written.

    """
    if _COMMITS.fullmatch(focus):
        return _review(memory, focus)
    from gitmem.render.assistant_context import context

    return context(
        memory.advice.context(focus, budget=budget, conventions=conventions, project_first=True),
        budget,
    )


def _review(memory: "Memory", commits: str) -> Answer:
    from gitmem.render.as_json import review as as_data  # noqa: PLC0415  start-up
    from gitmem.render.review import markdown

    review = memory.history.review(commits)
    # Texts are escaped in it, so what looks like HTML folds lines, and is ours.
    blocks = _FOLDS.sub("", markdown(review)).strip().split("\n\n")
    kinds = {name: len(value) for name, value in as_data(review).items() if isinstance(value, list)}
    parts = [AnswerPart(cited(block), {}) for block in blocks if block.strip()]
    return Answer(parts, "", {"counts": kinds})
