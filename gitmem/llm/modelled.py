"""A model's answer with its origin, quoted and marked as machine-made. Pure."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gitmem.llm.answers import Answer, Summary
from gitmem.llm.ledger import Call

TAG: Final = "machine-made"
"""Of a record that holds words of a model."""


class Modelled(NamedTuple):
    """An answer of a model.

    Attributes:
        answer: what it said, checked for its form, not for its truth.
        call: what was asked of whom, and what it took.
        prompt: name of the prompt.
        version: of the prompt.
        notes: what was left out of the answer, a line each.

    """

    answer: Answer
    call: Call
    prompt: str
    version: int
    notes: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """Tell in a line whose words these are."""
        by = f"By the model {self.call.model} at {self.call.host}"
        return f"{by} (prompt {self.prompt} {self.version}); not checked by a person"


def quoted_summary(summary_answer: Modelled, summary: Summary) -> str:
    """Write a model's summary down as a quotation."""
    return "\n".join(
        [f"{summary_answer.origin}:", *(f"> {line}".rstrip() for line in _lines(summary))]
    )


def _lines(summary: Summary) -> Iterator[str]:
    yield _line(summary.outcome)
    for title, texts in (
        ("Done:", summary.done),
        ("Problems:", summary.problems),
        ("Recommended:", summary.recommendations),
    ):
        if texts:
            yield title
            yield from (f"- {_line(text)}" for text in texts)
    if summary.records:
        yield f"Rests on: {' '.join(summary.records)}"


def _line(text: str) -> str:
    return " ".join(text.split())
