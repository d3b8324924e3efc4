"""A failure with the fingerprints that a record of it would have."""

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
