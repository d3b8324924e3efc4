"""A failure with the fingerprints that a record of it would have."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

_LEAST_SAID: Final = 16
"""Characters of a message that was cut which are enough to know it again, beside its type."""


class FingerprintedFailure(NamedTuple):
    """One failure that a run showed, redacted.

    Attributes:
        exact, site, place, message, template, kind: its fingerprints.
        fields: the fields of an ``error`` record.
        places: where the run showed it: tests by name, else files; an empty name among them
            says that it stood in more places than are told.
        shown_site: its own site, where ``site`` is that of an earlier run of the same test,
            which showed more or less of it; else empty.

    """

    exact: str
    site: str
    place: str
    message: str
    template: str
    kind: str
    fields: dict[str, Any]
    places: tuple[str, ...] = ()
    shown_site: str = ""

    @property
    def title(self) -> str:
        """One line that names it."""
        from gitmem.matching.titles import title_of

        return title_of(self.fields)

    @property
    def record_title(self) -> str:
        """The same, as a record of it has it: a comparison bears its test's name."""
        from gitmem.matching.titles import record_title_of

        return record_title_of(self.fields, self.title)

    @property
    def name(self) -> str:
        """What every face calls it: as a record would, or by its place if it says nothing."""
        from gitmem.matching.titles import place_of

        return self.record_title or place_of(self.fields)

    def led_to(self, failures: Sequence["FingerprintedFailure"]) -> bool:
        """Tell whether it is a cause of other failures, by what they say: it is there still."""
        chains = [other.fields["chain"] for other in failures if other.fields.get("chain")]
        return bool(chains) and any(self.title in chain for chain in chains)

    def titled_as(self, title: str) -> str:
        """Give its title in the form of another one: with its test's name, or without."""
        longer = self.record_title
        lead = longer.removesuffix(self.title.removeprefix("AssertionError: "))
        return longer if lead and longer != self.title and title.startswith(lead) else self.title

    def is_titled(self, title: str) -> bool:
        """Tell whether another failure of the same test says the same, or one of them was cut."""
        own = self.titled_as(title)
        if title == own:
            return True
        shorter, longer = sorted((title, own), key=len)
        length = len(shorter) - len(str(self.fields.get("error_type", "")))
        # Of a bare comparison, which has no template, the end tells it from others.
        return bool(self.template) and length >= _LEAST_SAID and longer.startswith(shorter)


def places_of(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Name where a failure stands, from the fields of its record: the test, else the file."""
    test, location = fields.get("test") or {}, fields.get("location") or {}
    place = str(test.get("name") or location.get("file") or "")
    return (place,) if place else ()


def as_before(
    failure: FingerprintedFailure, by_test: Mapping[str, Sequence[FingerprintedFailure]]
) -> FingerprintedFailure:
    """Give a failure the site under which the same test failed before, however much was shown.

    Args:
        failure: of the run at hand.
        by_test: failures of earlier runs by their tests, oldest first.

    """
    earlier = [old for place in failure.places for old in by_test.get(place, ())]
    sites = [old.site for old in earlier if old.is_titled(failure.title)]
    if not sites or failure.site in sites:
        return failure
    return failure._replace(site=sites[-1], shown_site=failure.site)
