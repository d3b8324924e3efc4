"""Text and filters in, ranked records out: the index finds, the catalog knows."""

from gitmem.answers import Found, SearchHit
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.rows import Row
from gitmem.query import Filters, Query
from gitmem.store.files import ProblemError
from gitmem.sync import Derived, Progress, quiet


def search(derived: Derived, query: Query, limit: int, progress: Progress = quiet) -> Found:
    """Answer a question. Of equal scores the newest file comes first."""
    if not (query.words or query.phrases or query.fuzzy or query.excluded):
        catalog = derived.catalog(progress)
        rows = catalog.rows(query.filters, limit=limit)
        return Found([SearchHit(row, 0.0, (), _attempts(catalog, row)) for row in rows], None)
    index = derived.index(progress)
    catalog = derived.opened
    filtered = query.filters != Filters()
    allow = catalog.files_matching(query.filters) if filtered else None
    hits = index.search(
        query, limit, allow=allow, text_of=lambda file: _text(derived, catalog, file)
    )
    found_rows = catalog.by_file(hit.key for hit in hits)
    found = [
        SearchHit(row, hit.score, hit.terms, _attempts(catalog, row))
        for hit in hits
        if (row := found_rows.get(hit.key))
    ]
    return Found(found, None if found else index.suggest(query))


def _attempts(catalog: Catalog, row: Row) -> tuple[Row, ...]:
    if row.kind != "error":
        return ()
    return tuple(
        fix
        for relation, fix in catalog.linking_to(row.id)
        if relation == "fixes" and fix.kind == "fix"
    )


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
