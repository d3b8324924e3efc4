"""The error that an attempt was made on: who reads of the attempt must not have to guess it."""

from typing import TYPE_CHECKING, NamedTuple

from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Error
from gitmem.syntax.languages import known_as, language_of

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace


class TriedOn(NamedTuple):
    """An error that an attempt was made on.

    Attributes:
        text: its title, and where it stood as far as that is known.
        language: of its code; empty if that is not known.

    """

    text: str
    language: str


def tried_on(workspace: "Workspace", fix: str) -> TriedOn | None:
    """Give the first error that an attempt was made on, by the attempt's id; None: it has none."""
    rows = workspace.ask(lambda now: now.catalog.by_id([fix]))
    if fix not in rows:
        return None
    file = rows[fix].file
    errors = workspace.ask(lambda now: now.catalog.fixed_by([file])).get(file, [])
    if not errors:
        return None
    record = read_record(workspace, errors[0])
    place = record.location if isinstance(record, Error) else None
    where = f"{place.file}:{place.line}" if place and place.line else place.file if place else ""
    text = f"{errors[0].title} ({where})" if where else errors[0].title
    language = record.language if isinstance(record, Error) else ""
    return TriedOn(text, known_as(language) or (language_of(place.file) if place else ""))
