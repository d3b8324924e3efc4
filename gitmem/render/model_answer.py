"""A model's answer as text and as JSON: quoted, with its origin."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from gitmem.llm.answers import Analysis, AskedAs, Gists, Preferences, Suggestions, Summary
from gitmem.render import screenshot
from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.llm.modelled import Modelled


def plain(modelled: "Modelled", painter: Painter) -> Iterator[str]:
    """Write an answer for a terminal, each of its lines behind a mark."""
    yield painter.line(0, [(one_line(modelled.origin), ("yellow",))])
    for text, styles in _lines(modelled):
        yield painter.line(0, [("> " + one_line(text), styles)])
    for note in modelled.notes:
        yield painter.line(0, [(one_line(note), ("dim",))])


def _lines(modelled: "Modelled") -> Iterator[tuple[str, tuple[str, ...]]]:
    answer = modelled.answer
    if isinstance(answer, Analysis):
        if not answer.patterns:
            yield "It sees no pattern.", ()
        for pattern in answer.patterns:
            yield f"{pattern.pattern} (it says: confidence {pattern.confidence})", ("bold",)
            yield f"root cause: {pattern.root_cause}", ()
            yield from _list("quick fix", pattern.quick_fix, pattern.records)
            yield from _list("prevention", pattern.prevention, ())
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
        yield from ((f"{gist.record}: {gist.short}", ()) for gist in answer.gists)
    elif isinstance(answer, AskedAs):
        yield from ((f"{item.record}: {'; '.join(item.asked_as)}", ()) for item in answer.asked)
    elif not isinstance(answer, Summary):
        yield from screenshot.lines(answer)
    else:
        yield answer.outcome, ("bold",)
        yield from _list("done", answer.done, answer.records)
        yield from _list("problems", answer.problems, ())
        yield from _list("recommended", answer.recommendations, ())


def _preferences(answer: Preferences) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not answer.preferences:
        yield "It found no preference that the facts support.", ()
    for preference in answer.preferences:
        sure = f"(it says: confidence {preference.confidence})"
        yield f"{preference.topic}: {preference.preference} {sure}", ("bold",)
        for quoted in preference.evidence:
            # Facts that were counted have a number for this one question, which tells nobody.
            name = f" ({quoted.fact})" if "-" in quoted.fact else ""
            yield f"shown by: {quoted.quote}{name}", ("dim",)


def _list(
    title: str, texts: Iterable[str], records: Iterable[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, text in enumerate(texts, 1):
        yield f"{title}, {number}: {text}", ()
    if ids := " ".join(records):
        yield f"rests on: {ids}", ("dim",)


def as_data(modelled: "Modelled") -> dict[str, Any]:
    """Give an answer as plain data, with what it took."""
    call = modelled.call
    answer: dict[str, Any] = msgspec.to_builtins(modelled.answer)
    return {
        "machine_made": True,
        "model": call.model,
        "host": call.host,
        "prompt": modelled.prompt,
        "prompt_version": modelled.version,
        "input_tokens": call.input,
        "output_tokens": call.output,
        "cost_usd": None if call.cost is None else str(call.cost),
        "answer": answer,
        "notes": list(modelled.notes),
    }
