"""Advice and patterns as answers for assistants."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.render.assistant import Answer, AnswerPart, block, quoted, word

if TYPE_CHECKING:
    from gitmem.learning.advice import AdviceItem
    from gitmem.learning.advised import Advice
    from gitmem.learning.profile import Profile
    from gitmem.learning.recurring import RecurringFailure

_MOST_RECORDS: Final = 4


def advice(found: "Advice") -> Answer:
    """Tell what to stop, to try and to avoid, with the records that each rests on."""
    parts = [AnswerPart("\n".join(f"about {quoted(one)}" for one in found.about), {})]
    if task := found.task:
        lines = [f"approach: {quoted(task.approach)} (confidence: {word(task.confidence.word)})"]
        lines += [f"- like it: {quoted(one.title)} ({one.id})" for one in task.similar]
        parts.append(AnswerPart("\n".join(lines), {"approach": [one.id for one in task.similar]}))
    for sort, items in (("stop", found.stop), ("try", found.tries), ("avoid", found.avoid)):
        parts += _items(sort, items)
    if found.verdict and found.verdict.tried:
        tried = f"{found.verdict.tried} without success so far"
        parts.append(
            AnswerPart(
                f"{word(found.verdict.answer)}: {tried}", {"keep_trying": found.verdict.answer}
            )
        )
    parts += [AnswerPart(f"note: {quoted(one)}", {}) for one in found.notes]
    return Answer([one for one in parts if one.text])


def _items(sort: str, items: "Sequence[AdviceItem]") -> Iterator[AnswerPart]:
    for item in items:
        sure = f"; confidence: {word(item.confidence.word)}" if item.confidence else ""
        records = list(item.records[:_MOST_RECORDS])
        lines = [f"**{sort}** {quoted(item.text)} ({quoted(item.why)}{sure}) {' '.join(records)}"]
        if item.says:
            lines.append(f"- {quoted(item.says)}")
        yield AnswerPart("\n".join(lines), {"sort": sort, "records": records})


def patterns(profile: "Profile", recurring: "Sequence[RecurringFailure]") -> Answer:
    """Tell how the code is written, and which failures come again and again."""
    from gitmem.render.profile import plain  # noqa: PLC0415  start-up
    from gitmem.render.text import Painter  # noqa: PLC0415  start-up

    sections = "\n".join(plain(profile, Painter())).split("\n\n")
    told = [AnswerPart(block(one), {}) for one in sections]
    parts = [*told[:2], *map(_recurring, recurring), *told[2:]]
    data: dict[str, Any] = {
        "languages": {one.name: one.files for one in profile.languages},
        "libraries": [quoted(one.name) for one in profile.libraries.used if not one.standard][:20],
        "claims": [
            {"language": one.language, "says": one.says, "level": one.level}
            for one in profile.claims
            if one.agreed
        ],
    }
    return Answer(parts, "", data)


def _recurring(one: "RecurringFailure") -> AnswerPart:
    state = "open" if one.open else "fixed"
    back = f", came back {one.came_back} times after a fix" if one.came_back else ""
    lines = [f"**{one.error}** ({state}) seen {one.records} times{back}", quoted(one.title)]
    if best := one.best:
        rate = f"{best.rate.worked} of {best.rate.tried}"
        lines.append(f"- best fix {best.best}, worked {rate}: {quoted(best.approach)}")
    return AnswerPart("\n".join(lines), {"error": one.error, "seen": one.records, "open": one.open})
