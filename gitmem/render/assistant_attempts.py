"""What attempts on a failure say, for assistants: what they changed, why they failed, lessons."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.render.assistant import AnswerPart, head_of, plain, quoted
from gitmem.render.match_markdown import short_diff

if TYPE_CHECKING:
    from gitmem.capture.telling import AttemptDetails
    from gitmem.catalog.rows import Row

_MOST_PATCHES: Final = 2


def reasons(attempts: Iterable["AttemptDetails"]) -> dict[str, str]:
    """Give by id why attempts failed, where their records say so."""
    return {
        attempt.row.id: attempt.fix.why_failed
        for attempt in attempts
        if attempt.fix.why_failed and not attempt.row.helped
    }


def detail_parts(attempts: Sequence["AttemptDetails"]) -> list[AnswerPart]:
    """Tell how it was done what helped, then what is to be learnt from all of them."""
    helped = [attempt for attempt in attempts if attempt.row.helped]
    parts = [AnswerPart(_how(attempt), {}) for attempt in helped[:_MOST_PATCHES]]
    lessons = [
        f"- {quoted(attempt.fix.lessons)} ({attempt.row.id})"
        for attempt in attempts
        if attempt.fix.lessons
    ]
    if lessons:
        parts.append(AnswerPart("\n".join(["lessons:", *lessons]), {}))
    return [part for part in parts if part.text]


def _how(attempt: "AttemptDetails") -> str:
    fix = attempt.fix
    lines = []
    if fix.approach and fix.approach.strip() != attempt.row.title:
        lines.append(f"- approach: {quoted(fix.approach)}")
    if fix.worked_partially:
        lines.append(f"- what did work: {quoted(fix.worked_partially)}")
    if fix.verification and fix.verification.command:
        lines.append(f"- checked with: {quoted(fix.verification.command)}")
    if fix.patch.strip():
        lines += ["", short_diff(plain(fix.patch))]
    return "\n".join([f"how {attempt.row.id} did it:", *lines]) if lines else ""


def decision_part(path: str, decisions: Sequence["Row"]) -> AnswerPart:
    """Tell which decisions govern the file in which something failed."""
    lines = [f"decisions for {quoted(path)}:"]
    lines += [f"- {head_of(row)}: {quoted(row.title)}" for row in decisions]
    return AnswerPart("\n".join(lines), {"decisions": [row.id for row in decisions]})
