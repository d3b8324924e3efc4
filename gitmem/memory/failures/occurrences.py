"""How often a failure was seen: the rule of the statistics, for a few failures at once.

The statistics keep tables for this and bring them up to date when they are asked; a hint or a
hover must not wait for that. Both follow a failure by ``learning.failures.follow``.
"""

from collections import defaultdict
from typing import TYPE_CHECKING

from gitmem.capture.observed import Occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.capture.observed import Match
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.catalog.sightings import AttemptMade, ErrorOccurrence
    from gitmem.memory.core.workspace import Workspace


def occurrences(catalog: "Catalog", errors: "Iterable[Row]") -> Occurrences:
    """Count how often the failures that errors belong to were seen."""
    by_failure = dict(occurrences_by_error(catalog, errors).values())
    times = sorted(time for times in by_failure.values() for time in times)
    return Occurrences(tuple(times), len(by_failure))


def occurrences_by_error(
    catalog: "Catalog", errors: "Iterable[Row]"
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Give for each error the name of its failure, and when that was seen, oldest first.

    What a pack of knowledge says is no occurrence: errors that were taken from one are left out.
    """
    from gitmem.learning.failures import follow

    wanted = {error.id for error in errors}
    followed = catalog.followed(wanted)
    errors_of: dict[str, list[ErrorOccurrence]] = defaultdict(list)
    for name, error in followed.errors:
        errors_of[name].append(error)
    attempts: dict[str, list[AttemptMade]] = defaultdict(list)
    for name, attempt in followed.attempts:
        attempts[name].append(attempt)
    times = {}
    for name, of_failure in errors_of.items():
        repeats = follow(of_failure, attempts[name]).repeats
        created = [error.created for error in of_failure]
        created += (attempt.created for attempt in repeats)
        times[name] = tuple(sorted(created))
    return {error.id: (name, times[name]) for name, error in followed.errors if error.id in wanted}


def counted(workspace: "Workspace", matches: "Sequence[Match]") -> "list[Match]":
    """Give matches that know how often what they match was seen."""
    return workspace.ask(
        lambda now: [
            match._replace(occurrences=occurrences(now.catalog, match.errors))
            if match.errors
            else match
            for match in matches
        ]
    )
