"""What is known about a failure: in the memory, and here in the local journal."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.answers.found import SearchHit
from gitmem.capture.drafts import Drafts
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.learnt import Draft
from gitmem.capture.observed import Match
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.rows import Row
from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import tells_only_the_end
from gitmem.matching.labels import LOOKED_UP, SAME_ERROR, SAME_MESSAGE, SIMILAR, is_placed, label_of

if TYPE_CHECKING:
    from gitmem.matching.fingerprint import Fingerprints

_KNOWN: Final = frozenset({SAME_ERROR, SAME_MESSAGE})
"""Labels with which a failure counts as known: what worked on a record of it may be told."""
_MOST_BESIDE: Final = 2
"""Records of each further level that are shown."""
_WHOLE_NAME: Final = lazily(r"::|[/\\]| \u203a | > |\w\.\w")
_MOST_LOOKED_AT: Final = 20
"""The newest records of a further level: of others nobody asks what was tried."""
_MOST_READ: Final = 500
_read: dict[str, tuple[list[dict[str, Any]], list[str]]] = {}
"""Of drafts, by id, the errors with what was made of them: one draft is asked about often."""


class _Equal(NamedTuple):
    """The records that agree with a failure at one level, and what that is called."""

    level: str
    label: str
    errors: tuple[Row, ...]


def recognise(
    catalog: Catalog, drafts: Drafts, failure: FingerprintedFailure, *, still: bool = False
) -> Match:
    """Look a failure up by its fingerprints, the exact levels first.

    The records of the best level are what it is recognised as. What was tried on those of
    the other levels stays in sight: it is in ``similar``, each with its own label.

    Args:
        catalog: the records.
        drafts: what was learnt here.
        failure: the failure.
        still: it was there before: nothing has shown it gone since.

    """
    levels = _by_level(catalog, failure)
    # Where only the place agrees it is another error: what helped there did not help with this one.
    best = next((level for level in levels if level.label in _KNOWN), None)
    levels = [level for level in levels if level is not best]
    fixes_by_error = _fixes_by_error(catalog, best.errors) if best else {}
    fixes = _together(fixes_by_error.values())
    similar = _beside(catalog, levels, fixes, failure)
    local = tuple(_of(failure, drafts.of_site(failure.site)))
    if not local and failure.message and not is_placed(failure.fields):
        # A line that was pasted alone has no site in common with what was watched.
        local = tuple(_of(failure, drafts.standing()))
    recorded = {fix.title for fix in (*fixes, *(fix for hit in similar for fix in hit.attempts))}
    local = tuple(draft for draft in local if not _is_recorded(catalog, draft, recorded))
    if best is None:
        label = _label_of_drafts(local, failure)
        return Match(failure, label, still, (), (), local, similar=similar)
    same = [error for error in best.errors if error.title == failure.titled_as(error.title)]
    closest = {name for error in same for name in fixes_by_error.get(error.id, ())}
    closest = closest if len(same) < len(best.errors) else set()
    return Match(
        failure, best.label, still, best.errors, fixes, local, best.level, similar, closest=closest
    )


def _is_recorded(catalog: Catalog, draft: Draft, titles: Collection[str]) -> bool:
    """Tell whether records of this checkout say all that a draft does, told by these or its own."""
    if draft.records and catalog.by_id(draft.records).keys() >= set(draft.records):
        return True  # under whatever titles: a person may have found better ones
    return {str(fix["title"]) for fix in draft.fixes} <= set(titles)


def _label_of_drafts(local: Collection[Draft], failure: FingerprintedFailure) -> str:
    """Say what drafts of a failure's site have in common with it; empty: there are none."""
    if not local or is_placed(failure.fields):
        return SAME_ERROR if local else ""
    from gitmem.matching.recorded import fields_of_cases, prints_of

    cases = (case for draft in local for case in fields_of_cases(draft.error))
    same = failure.exact and any(prints_of(case).exact == failure.exact for case in cases)
    return SAME_ERROR if same else SAME_MESSAGE


def _of(failure: FingerprintedFailure, drafts: Collection[Draft]) -> Iterator[Draft]:
    """Give those drafts of a failure's site that are of the same failure; see ``_by_level``."""
    if not drafts or tells_only_the_end(failure.fields):
        return
    if is_placed(failure.fields):
        yield from drafts
        return
    from gitmem.matching.recorded import prints_of

    message = prints_of(failure.fields).message
    yield from (draft for draft in drafts if message and message in _messages(draft))


def _messages(draft: Draft) -> list[str]:
    """Give the ``message`` fingerprints of a draft's errors; kept for the next failure."""
    errors = [draft.error, *(fields for _, fields in draft.shared)]
    former = _read.get(draft.id)
    if former is None or former[0] != errors:
        from gitmem.matching.recorded import fields_of_cases, prints_of

        if len(_read) >= _MOST_READ:
            _read.clear()
        former = _read[draft.id] = (
            errors,
            [prints_of(case).message for fields in errors for case in fields_of_cases(fields)],
        )
    return former[1]


def _by_level(catalog: Catalog, failure: FingerprintedFailure) -> list[_Equal]:
    """Give the records that share a fingerprint, each once, at the surest level.

    A message that compares types is another one with other types, and one that says nothing is
    the same nowhere: what the site of such a failure has in common is similar, or nothing.
    """
    levels: list[_Equal] = []
    similar: list[Row] = []
    ids: set[str] = set()
    for level in LOOKED_UP:
        value = (level == "site" and failure.shown_site) or getattr(failure, level)
        errors = catalog.errors_with(level, value) if value else []
        errors = [error for error in errors if error.id not in ids]
        if level in {"site", "place"}:
            errors, others = _same_of_site(catalog, failure.message, failure.fields, errors)
            if failure.template or tells_only_the_end(failure.fields):
                similar += [row for row in others if row not in similar]
        if level == "message" or (level in {"site", "place"} and not is_placed(failure.fields)):
            errors, others = _by_names(failure, errors)
            similar += [row for row in others if row not in similar]
        if errors:
            ids.update(row.id for row in errors)
            levels.append(_Equal(level, label_of(level, failure.fields), tuple(errors)))
    if not levels or levels[0].level == "message":
        errors = _of_test(catalog, failure)
        if errors:
            ids.update(row.id for row in errors)
            levels = [level._replace(errors=_without(level.errors, errors)) for level in levels]
            levels = [_Equal("exact", SAME_ERROR, tuple(errors)), *filter(_any_errors, levels)]
    errors = [row for row in _under_other_names(catalog, failure) if row.id not in ids]
    if errors:
        ids.update(row.id for row in errors)
        levels.append(_Equal("message", SAME_MESSAGE, tuple(errors)))
    similar = [*similar, *_of_template(catalog, failure, {*ids, *(row.id for row in similar)})]
    if similar := similar or _of_bare_test(catalog, failure):
        levels.append(_Equal("", SIMILAR, tuple(similar)))
    return levels


def _of_template(
    catalog: Catalog, failure: FingerprintedFailure, ids: Collection[str]
) -> list[Row]:
    """Give the records that say the same of other names, beside those with some ids."""
    errors = catalog.errors_with("template", failure.template) if failure.template else []
    return [error for error in errors if error.id not in ids]


def _by_names(failure: FingerprintedFailure, errors: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Part the records of one message: what helped where others are named is only like this."""
    from gitmem.matching.recorded import names_others

    parts: tuple[list[Row], list[Row]] = ([], [])
    for error in errors:
        parts[names_others(failure.titled_as(error.title), error.title)].append(error)
    return parts


def _of_test(catalog: Catalog, failure: FingerprintedFailure) -> list[Row]:
    """Give the records of the failure's tests that say the same, whatever their traces show.

    Another command line may print no trace, or cut the message. A name of a test without the
    file or the class may be another test's.
    """
    names = [place for place in failure.places if _WHOLE_NAME.search(place)]
    if not names or not failure.fields.get("test"):
        return []
    errors = catalog.errors_of_tests(names, str(failure.fields.get("error_type", "")))
    return [error for error in errors if failure.is_titled(error.title)]


def _of_bare_test(catalog: Catalog, failure: FingerprintedFailure) -> list[Row]:
    """Give the records of a test of which only its name is told, and not why it failed."""
    if failure.title or not failure.fields.get("test"):
        return []
    return catalog.errors_of_tests([name for name in failure.places if name])


def _without(errors: tuple[Row, ...], others: Collection[Row]) -> tuple[Row, ...]:
    ids = {row.id for row in others}
    return tuple(row for row in errors if row.id not in ids)


def _any_errors(level: _Equal) -> bool:
    return bool(level.errors)


def _under_other_names(catalog: Catalog, failure: FingerprintedFailure) -> list[Row]:
    """Give the records of what older and newer versions call the message."""
    from gitmem.matching.recorded import other_messages

    messages = other_messages(failure.fields)
    return [row for message in messages for row in catalog.errors_with("template", message)]


def errors_of_site(
    catalog: Catalog, prints: "FingerprintedFailure | Fingerprints", fields: Mapping[str, Any]
) -> list[Row]:
    """Give the records of a failure's place or, where it has none, of its message; oldest first.

    Args:
        catalog: the records.
        prints: the failure's fingerprints.
        fields: of an error record of it.

    """
    errors = catalog.errors_with("site", prints.site) if prints.site else []
    return _same_of_site(catalog, prints.message, fields, errors)[0]


def _same_of_site(
    catalog: Catalog, message: str, fields: Mapping[str, Any], errors: list[Row]
) -> tuple[list[Row], list[Row]]:
    """Part the records of one site: of those without a place, some say something else."""
    if tells_only_the_end(fields):
        return [], errors
    if is_placed(fields) or not errors:
        return errors, []
    same = catalog.errors_with("message", message) if message else []
    ids = {row.id for row in same}
    return [row for row in errors if row.id in ids], [row for row in errors if row.id not in ids]


def _beside(
    catalog: Catalog, levels: Iterable[_Equal], fixes: Iterable[Row], failure: FingerprintedFailure
) -> "tuple[SearchHit, ...]":
    """Give the newest records of further levels on which something was tried that is not shown.

    Of each level those come first on which something helped, and of these those that say just
    what the failure says.
    """
    shown = {fix.id for fix in fixes}
    hits: list[SearchHit] = []
    for level in levels:
        rows = level.errors[-_MOST_LOOKED_AT:]
        attempts_of = _fixes_by_error(catalog, rows)
        tried = [
            (row, _together([attempts_of[row.id]]))
            for row in reversed(rows)
            if attempts_of.get(row.id, {}).keys() - shown
        ]
        tried.sort(
            key=lambda pair: (
                not any(fix.helped for fix in pair[1]),
                pair[0].title != failure.titled_as(pair[0].title),
            )
        )
        for row, attempts in tried[:_MOST_BESIDE]:
            new = tuple(fix for fix in attempts if fix.id not in shown)
            if new:
                hits.append(SearchHit(row, 0.0, (), new, (), level.label))
                shown.update(fix.id for fix in new)
    return tuple(hits)


def _fixes_by_error(catalog: Catalog, errors: Iterable[Row]) -> dict[str, dict[str, Row]]:
    return catalog.fixes_of(error.id for error in errors)


def _together(fixes: Iterable[Mapping[str, Row]]) -> tuple[Row, ...]:
    rows = {name: fix for by_id in fixes for name, fix in by_id.items()}
    return tuple(sorted(rows.values(), key=lambda fix: (fix.created, fix.id)))
