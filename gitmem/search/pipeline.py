"""Text and filters in, ranked records out: the index finds, the catalog knows."""

from gitmem.answers import Found, SearchHit
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.rows import Row
from gitmem.query import Filters, Query
from gitmem.store.files import ProblemError
from gitmem.sync import Derived, Progress, quiet

_SPARE = 10


def search(derived: Derived, query: Query, limit: int, progress: Progress = quiet) -> Found:
    """Answer a question, best hits first."""
    if not (query.words or query.phrases or query.fuzzy or query.excluded):
        catalog = derived.catalog(progress)
        rows = catalog.rows(query.filters, limit=limit)
        return Found([_hit(catalog, row) for row in rows], None)
    index = derived.index(progress)
    catalog = derived.opened
    filtered = query.filters != Filters()
    allow = catalog.files_matching(query.filters) if filtered else None
    # A fix whose error is found as well is shown with it, so some more are asked for.
    hits = index.search(
        query, limit + _SPARE, allow=allow, text_of=lambda file: _text(derived, catalog, file)
    )
    rows_by_file = catalog.by_file(hit.key for hit in hits)
    found = [
        _hit(catalog, row, hit.score, hit.terms)
        for hit in hits
        if (row := rows_by_file.get(hit.key))
    ]
    # Of equal scores the newest comes first, on every clone; file numbers differ there.
    found.sort(key=lambda hit: (hit.row.created, hit.row.id), reverse=True)
    found.sort(key=lambda hit: hit.score, reverse=True)
    if not query.filters.kinds:
        errors = {hit.row.id for hit in found}
        found = [hit for hit in found if not errors & {error.id for error in hit.errors}]
    return Found(found[:limit], None if found else index.suggest(query))


def _hit(
    catalog: Catalog, row: Row, score: float = 0.0, parts: tuple[tuple[str, float], ...] = ()
) -> SearchHit:
    """Add what is known around a record: an error's attempts, a fix's errors."""
    attempts: tuple[Row, ...] = ()
    errors: tuple[Row, ...] = ()
    if row.kind == "error":
        linking = catalog.linking_to(row.id)
        attempts = tuple(fix for how, fix in linking if how == "fixes" and fix.kind == "fix")
    elif row.kind == "fix":
        errors = tuple(catalog.linked_from(row.file, "fixes"))
    return SearchHit(row, score, parts, attempts, errors)


def _text(derived: Derived, catalog: Catalog, file: int) -> str:
    """Read the text of a candidate back from its file, to verify a phrase."""
    from gitmem.index.document import document, plain_text  # noqa: PLC0415  start-up
    from gitmem.records.convert import decode  # noqa: PLC0415  start-up

    path = catalog.path_of(file)
    try:
        record = decode(derived.store.read(path), path).record
    except (FileNotFoundError, ProblemError):
        return ""
    return plain_text(document(record)) if record else ""
