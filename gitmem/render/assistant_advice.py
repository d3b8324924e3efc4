"""Advice and patterns as answers for assistants."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.render.assistant import Answer, AnswerPart, block, quoted, word
from gitmem.render.profile import plain
from gitmem.render.text import Painter
from gitmem.render.tool_words import as_tools

if TYPE_CHECKING:
    from gitmem.learning.advice import AdviceItem
    from gitmem.learning.advised import Advice
    from gitmem.learning.profile import Profile
    from gitmem.learning.recurring import RecurringFailure

_MOST_RECORDS: Final = 4


def advice(advice: "Advice") -> Answer:
    """Tell what to stop, to try and to avoid, with the records that each rests on."""
    parts = [AnswerPart("\n".join(f"about {quoted(topic)}" for topic in advice.about), {})]
    task = advice.task
    if task and task.similar:
        lines = [f"approach: {quoted(task.approach)} (confidence: {word(task.confidence.word)})"]
        lines += [f"- similar: {quoted(work.title)} ({work.id})" for work in task.similar]
        parts.append(AnswerPart("\n".join(lines), {"approach": [work.id for work in task.similar]}))
    sorts = [("stop", advice.stop), ("try", advice.tries), ("avoid", advice.avoid)]
    if advice.task:  # who plans a piece of work is told first what was tried in vain
        sorts = [sorts[0], sorts[2], sorts[1]]
    for sort, items in sorts:
        parts += _items(sort, items)
    if advice.verdict and advice.verdict.tried:
        tried = f"{advice.verdict.tried} without success so far"
        parts.append(
            AnswerPart(
                f"{word(advice.verdict.answer)}: {tried}", {"keep_trying": advice.verdict.answer}
            )
        )
    parts += [AnswerPart(f"note: {quoted(as_tools(note))}", {}) for note in advice.notes]
    return Answer([part for part in parts if part.text])


def _items(sort: str, items: "Sequence[AdviceItem]") -> Iterator[AnswerPart]:
    for item in items:
        sure = f"confidence: {word(item.confidence.word)}" if item.confidence else ""
        why = "; ".join(filter(None, (quoted(item.why), sure)))
        records = list(item.records[:_MOST_RECORDS])
        about = [f"**{sort}** {quoted(item.text)}", f"({why})" if why else "", " ".join(records)]
        lines = [" ".join(filter(None, about))]
        if item.error:
            lines.append(f"- tried on {quoted(item.error)}")
        if item.says:
            lines.append(f"- {quoted(item.says)}")
        yield AnswerPart("\n".join(lines), {"sort": sort, "records": records})


def patterns(profile: "Profile", recurring: "Sequence[RecurringFailure]") -> Answer:
    """Tell how the code is written, and which failures come again and again."""
    sections = "\n".join(plain(profile, Painter())).split("\n\n")
    written_sections = [AnswerPart(block(section), {}) for section in sections]
    parts = [*written_sections[:2], *map(_recurring, recurring), *written_sections[2:]]
    data: dict[str, Any] = {
        "languages": {language.name: language.files for language in profile.languages},
        "libraries": [
            quoted(library.name) for library in profile.libraries.used if not library.standard
        ][:20],
        "claims": [
            {"language": claim.language, "says": claim.says, "level": claim.level}
            for claim in profile.claims
            if claim.agreed
        ],
    }
    return Answer(parts, "", data)


def _recurring(failure: "RecurringFailure") -> AnswerPart:
    state = "open" if failure.open else "fixed"
    back = f", came back {failure.came_back} times after a fix" if failure.came_back else ""
    lines = [
        f"**{failure.error}** ({state}) seen {failure.records} times{back}",
        quoted(failure.title),
    ]
    if best := failure.best:
        rate = f"{best.rate.worked} of {best.rate.tried}"
        lines.append(f"- best fix {best.best}, worked {rate}: {quoted(best.approach)}")
    return AnswerPart(
        "\n".join(lines), {"error": failure.error, "seen": failure.records, "open": failure.open}
    )
