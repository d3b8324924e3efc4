"""A model's addition to an answer that is complete without it."""

from typing import TYPE_CHECKING

from gitmem.errors import EnvironmentProblem, NotFoundError
from gitmem.render.assistant import AnswerPart

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.llm.modelled import Modelled
    from gitmem.memory import Memory


def beside(memory: "Memory", ask_model: "Callable[[], Modelled]") -> list[AnswerPart]:
    """Ask a model; where it gives no answer, none is added, and a notice says why.

    What has to be set right first (no model, no approval, no budget) is raised as it is.
    """
    from gitmem.llm.approval import DeclinedError
    from gitmem.render.assistant_model import model_part

    try:
        answer = ask_model()
    except (DeclinedError, EnvironmentProblem, NotFoundError) as error:
        memory.workspace.derived.notices.append(f"{error.message}; this answer is from the records")
        return []
    return [model_part(answer)]
