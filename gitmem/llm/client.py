"""A model that somebody else calls for us, such as an assistant that lends its own. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.llm.prompts import Message


class UnansweredError(EnvironmentProblem):
    """A model that is lent was asked, and gave no answer; it may have cost its owner money."""


class ModelReply(NamedTuple):
    """An answer of a model that is lent, and the name of that model."""

    text: str
    model: str


class ModelClient(NamedTuple):
    """Asks a model that is lent.

    Attributes:
        name: of whoever asks it.
        ask: is given the prompt's name, the conversation, the answer's JSON schema and how many
            tokens the answer may take; gives the answer. Raises UnansweredError where a question
            that was sent got none, or another GitmemError where it was not even sent.

    """

    name: str
    ask: Callable[[str, Sequence[Message], Mapping[str, Any], int], ModelReply]
