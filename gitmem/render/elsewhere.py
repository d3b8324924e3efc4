"""What other repositories know, as text and as JSON: quoted, below the memory's own answer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.plurals import counted
from gitmem.render.text import HANG, STATUS_COLOURS, Painter, one_line

if TYPE_CHECKING:
    from gitmem.hub.messages import Elsewhere, ForeignHit


def told(answers: "Iterable[Elsewhere]", painter: Painter, *, why: bool = False) -> Iterator[str]:
    """Tell what a hub said; nothing if it knows nothing.

    Args:
        answers: what it said.
        painter: draws the lines.
        why: also tell which hub was asked, and what lies behind an answer.

    """
    for question in answers:
        for hit in question.answer.hits:
            yield from _hit(hit, painter)
        if why:
            count = counted(len(question.answer.hits), "record")
            verified = counted(question.answer.worked_in, "repository", "repositories")
            people = counted(question.answer.worked_for, "person", "people")
            text = (
                f"{one_line(question.host)} gave {count} in {question.milliseconds} ms;"
                f" fixes verified in {verified}, by {people}"
            )
            yield painter.line(2, [(text, ("dim",))])


def _hit(hit: "ForeignHit", painter: Painter) -> Iterator[str]:
    where = f"{hit.label}, in {hit.repository}"
    yield from painter.block(
        2,
        [
            (one_line(where), ("cyan",)),
            (one_line(hit.title), ()),
            (one_line(f"{hit.id} {hit.created}"), ("dim",)),
        ],
        HANG,
    )
    for fix in hit.fixes[:2]:
        outcome = one_line(fix.verdict)
        colour = STATUS_COLOURS.get(outcome, "")
        yield from painter.block(
            4, [(f"{outcome:<10}", (colour,)), (one_line(fix.title), ())], HANG
        )


def as_data(answers: "Sequence[Elsewhere]") -> list[dict[str, Any]]:
    """Give the same as plain data, for programs."""
    return [
        {
            "failure": question.title,
            "repository": hit.repository,
            "path": hit.path,
            "commit": hit.commit,
            "id": hit.id,
            "kind": hit.kind,
            "title": hit.title,
            "created": hit.created,
            "label": hit.label,
            "fixes": [
                {"id": fix.id, "title": fix.title, "outcome": fix.outcome, "verified": fix.verified}
                for fix in hit.fixes
            ],
        }
        for question in answers
        for hit in question.answer.hits
    ]
