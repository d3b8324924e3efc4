"""A failure with the fingerprints that a record of it would have."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitmem.matching.titles import title_of


class FingerprintedFailure(NamedTuple):
    """One failure that a run showed, redacted.

    Attributes:
        exact, site, template, kind: its fingerprints.
        fields: the fields of an ``error`` record.
        places: where the run showed it: tests by name, else files; an empty name among them
            says that it stood in more places than are told.

    """

    exact: str
    site: str
    template: str
    kind: str
    fields: dict[str, Any]
    places: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """One line that names it."""
        return title_of(self.fields)


def places_of(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Name where a failure stands, from the fields of its record: the test, else the file."""
    test, location = fields.get("test") or {}, fields.get("location") or {}
    place = str(test.get("name") or location.get("file") or "")
    return (place,) if place else ()
