"""Failures of a run that was noted under older rules, with the fingerprints of today's.

Else a failure that was red before an update would pair with nothing after it: gone for the one
fingerprint, and new for the other.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.capture.cases import Failing, Tests
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.matching.recorded import prints_of

if TYPE_CHECKING:
    from gitmem.matching.masks import MaskRule


def derived_anew(
    failures: Sequence[FingerprintedFailure], tests: Tests | None, rules: "Sequence[MaskRule]" = ()
) -> tuple[tuple[FingerprintedFailure, ...], Tests | None]:
    """Give the failures and the tests of a run with the fingerprints of today's rules.

    What was one failure of several tests can be one for each of them now.

    Args:
        failures: as they were noted.
        tests: those of the run.
        rules: the team's masks.

    """
    cases = tests.failing if tests else ()
    anew: list[FingerprintedFailure] = []
    sites: dict[tuple[str, str], str] = {}  # by the noted one and the test's name
    for failure in failures:
        names = [case.name for case in cases if case.site == failure.site and case.name]
        by_site: dict[str, FingerprintedFailure] = {}
        for name in names or [""]:
            fresh = _fingerprinted(failure, name, rules)
            sites[failure.site, name] = fresh.site
            earlier = by_site.get(fresh.site)
            places = (*(earlier.places if earlier else ()), *fresh.places)
            by_site[fresh.site] = (earlier or fresh)._replace(places=tuple(dict.fromkeys(places)))
        if len(by_site) == 1:
            (only,) = by_site.values()
            anew.append(only._replace(places=failure.places, fields=failure.fields))
        else:
            anew += by_site.values()
    return tuple(anew), tests and tests._replace(
        failing=tuple(_with(sites, each) for each in cases)
    )


def _with(sites: Mapping[tuple[str, str], str], case: Failing) -> Failing:
    return case._replace(site=sites.get((case.site, case.name), case.site))


def _fingerprinted(
    failure: FingerprintedFailure, name: str, rules: "Sequence[MaskRule]"
) -> FingerprintedFailure:
    """Fingerprint a failure as that of one of its tests; without a name as it stands."""
    fields: dict[str, Any] = dict(failure.fields)
    places = failure.places
    if name and fields.get("test"):
        fields["test"] = {**fields["test"], "name": name}
        places = (name,)
    return FingerprintedFailure(*prints_of(fields, rules).values, fields, places)
