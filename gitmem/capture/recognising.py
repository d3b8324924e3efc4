"""What is known about a failure: in the memory, and here in the local journal."""

from collections.abc import Iterable
from typing import NamedTuple

from gitmem.capture.composing import Draft
from gitmem.capture.drafts import Drafts
from gitmem.capture.learning import Learnt
from gitmem.capture.runs import Run, Seen
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.rows import Row
from gitmem.matching.failure import Failure, as_fields
from gitmem.matching.recorded import prints_of

# The label of a match says what is equal, never a percentage.
_LABELS = (("site", "same error"), ("template", "same message"))


class Recognised(NamedTuple):
    """A failure and what is known about it.

    Attributes:
        seen: the failure.
        label: ``same error``, ``same message``, or empty: it is new.
        still: the run before showed it, too.
        errors: the records of it, oldest first.
        attempts: the fixes that link to them, oldest first.
        drafts: what was learnt here and is in no record.

    """

    seen: Seen
    label: str
    still: bool
    errors: tuple[Row, ...]
    attempts: tuple[Row, ...]
    drafts: tuple[Draft, ...]


class Observed(NamedTuple):
    """What came of a run.

    Attributes:
        run: the run.
        recognised: its failures, with what is known about each.
        learnt: what it fixed.
        kept: (draft, ids of the records that it became at once).

    """

    run: Run
    recognised: list[Recognised]
    learnt: Learnt
    kept: list[tuple[Draft, list[str]]]


def seen_of(failure: Failure) -> Seen:
    """Give a failure with the fingerprints that a record of it would have."""
    fields = as_fields(failure)
    prints = prints_of(fields)
    return Seen(prints.exact, prints.site, prints.template, prints.kind, fields)


def recognise(catalog: Catalog, drafts: Drafts, seen: Seen, *, still: bool = False) -> Recognised:
    """Look a failure up by its fingerprints, the exact levels first.

    Args:
        catalog: the records.
        drafts: what was learnt here.
        seen: the failure.
        still: the run before showed it, too.

    """
    local = tuple(drafts.of_site(seen.site))
    for level, label in _LABELS:
        errors = catalog.errors_with(level, getattr(seen, level))
        if errors:
            fixes = _fixes(catalog, errors)
            recorded = {fix["title"] for draft in local for fix in draft.fixes}
            new = () if recorded <= {fix.title for fix in fixes} else local
            return Recognised(seen, label, still, tuple(errors), fixes, new)
    return Recognised(seen, "same error" if local else "", still, (), (), local)


def _fixes(catalog: Catalog, errors: Iterable[Row]) -> tuple[Row, ...]:
    found: dict[str, Row] = {}
    for error in errors:
        for relation, fix in catalog.linking_to(error.id):
            if relation == "fixes" and fix.kind == "fix":
                found[fix.id] = fix
    return tuple(sorted(found.values(), key=lambda fix: (fix.created, fix.id)))
