"""What other repositories know, where it is quoted: for assistants, and as Markdown."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from gitmem.render.assistant import AnswerPart, quoted
from gitmem.render.markdown import escaped

if TYPE_CHECKING:
    from gitmem.hub.messages import Elsewhere, ForeignHit

_MOST_FIXES: Final = 2


def parts(answers: "Iterable[Elsewhere]") -> Iterator[AnswerPart]:
    """Tell assistants, behind what the repository's own memory says."""
    for hit in (hit for answer in answers for hit in answer.answer.hits):
        lines = list(_lines(hit, quoted))
        lines.append("- evidence of another repository: nothing of it is in this one's memory")
        data = {"repository": hit.repository, "id": hit.id, "label": hit.label}
        yield AnswerPart("\n".join(lines), data)


def markdown(answers: "Iterable[Elsewhere]", say: Callable[[str], str] = escaped) -> str:
    """Tell people who read Markdown; empty: the hub knows nothing.

    Args:
        answers: of the hub.
        say: quotes a text, so that it is no markup.

    """
    hits = [hit for answer in answers for hit in answer.answer.hits]
    return "\n\n".join("\n".join(_lines(hit, say)) for hit in hits)


def _lines(hit: "ForeignHit", say: Callable[[str], str]) -> Iterator[str]:
    yield (
        f"{say(hit.label)}, in {say(hit.repository)}: {say(hit.title)}"
        f" ({say(hit.id)}, {say(hit.created)})"
    )
    for fix in hit.fixes[:_MOST_FIXES]:
        yield f"- {say(fix.verdict)} there: {say(fix.title)}"
