"""A model's answer as a part of an answer for assistants: fenced, with its origin."""

from typing import TYPE_CHECKING

from gitmem.render.assistant import AnswerPart, block
from gitmem.render.model_answer import plain
from gitmem.render.text import Painter

if TYPE_CHECKING:
    from gitmem.llm.modelled import Modelled


def model_part(answer: "Modelled") -> AnswerPart:
    """Give a model's answer as a part; its price is in a note of the whole answer."""
    data = {"machine_made": True, "prompt": answer.prompt, "prompt_version": answer.version}
    return AnswerPart(block("\n".join(plain(answer, Painter()))), data)
