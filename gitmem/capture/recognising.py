"""What is known about a failure: in the memory, and here in the local journal."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from gitmem.capture.drafts import Drafts
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.learnt import Draft, RunLessons
from gitmem.capture.runs import Run
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.rows import Row
from gitmem.matching.labels import LOOKED_UP, SAME_ERROR, label_of

if TYPE_CHECKING:
    from gitmem.answers import SearchHit


class Match(NamedTuple):
    """A failure and what is known about it.

    Attributes:
        seen: the failure.
        label: ``same error``, ``same place``, ``same message``, or empty: it is new. It says
            what is equal, never a percentage.
        still: the run before showed it, too.
        errors: the records of it, oldest first.
        attempts: the fixes that link to them, oldest first.
        drafts: what was learnt here and is in no record.
        similar: records that look like it, where there is none of it.
        level: at which level of fingerprints the records were found; empty if there are none.
        withheld: by id, of the attempts those that are stale, with the reason.

    """

    seen: FingerprintedFailure
    label: str
    still: bool
    errors: tuple[Row, ...]
    attempts: tuple[Row, ...]
    drafts: tuple[Draft, ...]
    level: str = ""
    similar: "tuple[SearchHit, ...]" = ()
    withheld: Mapping[str, str] = {}

    @property
    def suggested(self) -> tuple[Row, ...]:
        """The attempts that speak of code which is still there, or of none."""
        return tuple(fix for fix in self.attempts if fix.id not in self.withheld)

    @property
    def is_known(self) -> bool:
        """A record stands for it: it was the same error, or one of the same place."""
        return self.level in {"exact", "site"}


class Observed(NamedTuple):
    """What came of a run.

    Attributes:
        run: the run.
        recognised: its failures, with what is known about each.
        learnt: what it fixed.
        kept: (draft, ids of the records that it became at once).

    """

    run: Run
    recognised: list[Match]
    learnt: RunLessons
    kept: list[tuple[Draft, list[str]]]


def recognise(
    catalog: Catalog, drafts: Drafts, seen: FingerprintedFailure, *, still: bool = False
) -> Match:
    """Look a failure up by its fingerprints, the exact levels first.

    Args:
        catalog: the records.
        drafts: what was learnt here.
        seen: the failure.
        still: the run before showed it, too.

    """
    local = tuple(drafts.of_site(seen.site)) if seen.site else ()
    for level in LOOKED_UP:
        value = getattr(seen, level)
        errors = catalog.errors_with(level, value) if value else []
        if errors:
            fixes = _fixes(catalog, errors)
            recorded = {fix["title"] for draft in local for fix in draft.fixes}
            new = () if recorded <= {fix.title for fix in fixes} else local
            label = label_of(level, seen.fields)
            return Match(seen, label, still, tuple(errors), fixes, new, level)
    return Match(seen, SAME_ERROR if local else "", still, (), (), local)


def _fixes(catalog: Catalog, errors: Iterable[Row]) -> tuple[Row, ...]:
    found: dict[str, Row] = {}
    for error in errors:
        for relation, fix in catalog.linking_to(error.id):
            if relation == "fixes" and fix.kind == "fix":
                found[fix.id] = fix
    return tuple(sorted(found.values(), key=lambda fix: (fix.created, fix.id)))
