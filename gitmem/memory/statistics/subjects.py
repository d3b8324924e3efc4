"""What is known about one subject of errors: a module, service, dependency or model."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from gitmem.catalog.dimensions import KIND
from gitmem.errors import NotFoundError, closest
from gitmem.learning.figures import grouped, together
from gitmem.learning.recurring import RecordLine, Subject
from gitmem.memory.statistics.strategies import strategies

if TYPE_CHECKING:
    from gitmem.catalog.lessons import Lessons

_HISTORY = 10
_TYPES = 10
_EFFECTIVE = 5


def subject(lessons: "Lessons", name: str) -> Subject:
    """Tell what is known about a subject.

    Args:
        lessons: the questions to ask.
        name: in any case; ``qwen`` also means ``qwen:7b``.

    Raises:
        NotFoundError: no error is about it.

    """
    names = lessons.subjects()
    meant = set(_meant(name, names))
    if not meant:
        near = closest(name, sorted(names), 0.4)
        hint = f"did you mean {near}?" if near else "see: gitmem stats --by subject"
        raise NotFoundError(f"no error is about {name}", hint)
    picked = lessons.about(meant)
    types = grouped(lessons.tally((KIND,), picked), lambda label: label)
    newest, last = lessons.newest_of(picked, _HISTORY)
    return Subject(
        name=name,
        names=tuple(sorted(meant)),
        total=together(lessons.tally((), picked)),
        types=tuple(types[:_TYPES]),
        effective=tuple(strategies(lessons, picked, _EFFECTIVE)),
        history=tuple(map(RecordLine._make, lessons.noted(newest))),
        notes=tuple(map(RecordLine._make, lessons.tagged(meant | {name}))),
        last=last,
    )


def _meant(name: str, names: Collection[str]) -> list[str]:
    """Give the subjects of a name: the same in any case, or of that family (``name:…``)."""
    wanted = name.casefold()
    return [
        candidate
        for candidate in names
        if wanted in (candidate.casefold(), candidate.casefold().partition(":")[0])
    ]
