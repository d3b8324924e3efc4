"""What a language model said, as text and as JSON: quoted, with whose words these are."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from gitmem.llm.answers import Analysis, Gists, Preferences, Suggestions, Summary
from gitmem.render import seen
from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.llm.modelled import Modelled


def plain(said: "Modelled", painter: Painter) -> Iterator[str]:
    """Write an answer for a terminal, each of its lines behind a mark."""
    yield painter.line(0, [(one_line(said.origin), ("yellow",))])
    for text, styles in _lines(said):
        yield painter.line(0, [("> " + one_line(text), styles)])
    for one in said.notes:
        yield painter.line(0, [(one_line(one), ("dim",))])


def _lines(said: "Modelled") -> Iterator[tuple[str, tuple[str, ...]]]:
    answer = said.answer
    if isinstance(answer, Analysis):
        if not answer.patterns:
            yield "It sees no pattern.", ()
        for one in answer.patterns:
            yield f"{one.pattern} (it says: confidence {one.confidence})", ("bold",)
            yield f"root cause: {one.root_cause}", ()
            yield from _list("quick fix", one.quick_fix, one.records)
            yield from _list("prevention", one.prevention, ())
    elif isinstance(answer, Suggestions):
        if not answer.suggestions:
            yield "It has no suggestion.", ()
        for way in answer.suggestions:
            yield f"{way.approach} (it says: confidence {way.confidence})", ("bold",)
            yield f"why: {way.why}", ()
            yield from _list("steps", way.steps, way.records)
            yield from _list("alternatives", way.alternatives, ())
            yield from _list("if it fails", way.if_it_fails, ())
    elif isinstance(answer, Preferences):
        yield from _preferences(answer)
    elif isinstance(answer, Gists):
        yield from ((f"{one.record}: {one.short}", ()) for one in answer.gists)
    elif not isinstance(answer, Summary):
        yield from seen.lines(answer)
    else:
        yield answer.outcome, ("bold",)
        yield from _list("done", answer.done, answer.records)
        yield from _list("problems", answer.problems, ())
        yield from _list("recommended", answer.recommendations, ())


def _preferences(answer: Preferences) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not answer.preferences:
        yield "It sees no preference that the facts show.", ()
    for one in answer.preferences:
        sure = f"(it says: confidence {one.confidence})"
        yield f"{one.topic}: {one.preference} {sure}", ("bold",)
        for found in one.evidence:
            # Facts that were counted have a number for this one question, which tells nobody.
            name = f" ({found.fact})" if "-" in found.fact else ""
            yield f"shown by: {found.quote}{name}", ("dim",)


def _list(
    title: str, texts: Iterable[str], records: Iterable[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, text in enumerate(texts, 1):
        yield f"{title}, {number}: {text}", ()
    if ids := " ".join(records):
        yield f"rests on: {ids}", ("dim",)


def as_data(said: "Modelled") -> dict[str, Any]:
    """Give an answer as plain data, with what it took."""
    call = said.call
    answer: dict[str, Any] = msgspec.to_builtins(said.answer)
    return {
        "machine_made": True,
        "model": call.model,
        "host": call.host,
        "prompt": said.prompt,
        "prompt_version": said.version,
        "input_tokens": call.input,
        "output_tokens": call.output,
        "cost_usd": None if call.cost is None else str(call.cost),
        "answer": answer,
        "notes": list(said.notes),
    }
