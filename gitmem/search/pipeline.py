"""Text or failure in, ranked records out: candidates from the index, facts from the catalog.

1. Errors with a fingerprint of the failure, from the catalog, the surest level first.
2. Candidates from the index, by words and by what the text says of places and code; where a
   sentence model is installed, a question's nearest records, too.
3. An error and its fixes become one hit.
4. Facts of this repository put hits of about equal text in order.
5. Labels say what is equal; nothing claims a percentage.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from gitmem.answers.found import SearchHit, SearchResult
from gitmem.catalog.catalog import Catalog
from gitmem.catalog.rows import Row
from gitmem.index.protocol import Hit
from gitmem.matching.labels import IN_MEANING
from gitmem.query import Filters, Query
from gitmem.search.facts import Circumstances
from gitmem.store.files import ProblemError
from gitmem.sync import Progress, quiet
from gitmem.sync.derived import Derived

SPARE = 30
"""So many hits more than are shown: stories join some, and facts reorder the rest."""
MOST_LIFTED = 4
"""Facts make no more of a score than so many times as much, unless users praised many fixes."""


def search(
    derived: Derived,
    query: Query,
    limit: int,
    around: Circumstances | None = None,
    progress: Progress = quiet,
    *,
    weak: bool = True,
) -> SearchResult:
    """Answer a question, best hits first.

    Args:
        derived: where to look.
        query: the question.
        limit: how many hits at most.
        around: where the question comes from.
        progress: told how a catch-up goes.
        weak: false: who asks for a pasted text leaves out what is *weak*.

    """
    around = around or Circumstances()
    if not (query.words or query.phrases or query.fuzzy or query.excluded):
        catalog = derived.catalog(progress)
        rows = catalog.rows(query.filters, limit=limit)
        return SearchResult(_with_all_attempts(catalog, _hits(catalog, rows)), None)
    if query.words and not query.pasted:
        from gitmem.search.synonyms import related

        query = query._replace(related=related(query.words, around.synonyms))
    index = derived.index(progress)
    catalog = derived.opened
    filtered = query.filters != Filters()
    allow = catalog.files_matching(query.filters) if filtered else None
    hits = index.search(query, limit + SPARE, allow=allow, text_of=_texts(derived, catalog, query))
    alike = [*_alike(catalog, around, allow)]
    if not weak:
        hits = _liftable(catalog, hits, limit, {hit.row.file for _, hit in alike})
    rows_by_file = catalog.by_file(hit.key for hit in hits)
    ranked = [hit for hit in hits if hit.key in rows_by_file]
    linked = _hits(catalog, [rows_by_file[hit.key] for hit in ranked])
    results = [
        around_row._replace(
            score=hit.score, parts=tuple(hit.terms), label=IN_MEANING if hit.brought else ""
        )
        for hit, around_row in zip(ranked, linked, strict=True)
    ]
    if query.related:
        from gitmem.search.synonyms import named_whole

        results = named_whole(results, query, lambda row: _file(derived, row))
    results = _without_merged(catalog, results)
    if around.prints:
        from gitmem.search.levels import with_levels

        results = with_levels(results, alike, around.names)
    if not query.filters.kinds:
        from gitmem.search.facts import together  # noqa: PLC0415  start-up

        results = together(results, spread=not query.pasted)
    if around.now:
        from gitmem.search.facts import with_facts  # noqa: PLC0415  start-up

        results = with_facts(results, catalog, around)
    # Of equal scores the newest comes first, on every clone; file numbers differ there.
    results.sort(key=lambda hit: (hit.row.created, hit.row.id), reverse=True)
    results.sort(key=lambda hit: hit.score, reverse=True)
    if query.pasted:
        from gitmem.search.levels import labelled

        results = labelled(results, catalog.size(), query.words, around.kind)
    site = next((value for level, value, _ in around.prints if level == "site"), "")
    shown = _with_all_attempts(catalog, results[:limit])
    few = False
    if query.words and not query.pasted:
        from gitmem.search.synonyms import few_words

        few = few_words(shown, query)
    return SearchResult(shown, None if results else index.suggest(query), site, few)


def _with_all_attempts(catalog: Catalog, hits: list[SearchHit]) -> list[SearchHit]:
    """Add to errors what was tried on the same failure where somebody else recorded it."""
    errors = [hit.row.id for hit in hits if hit.row.kind == "error"]
    if not errors:
        return hits
    attempts = catalog.attempts_on(errors)
    return [
        hit._replace(attempts=tuple({row.id: row for row in (*hit.attempts, *more)}.values()))
        if (more := attempts.get(hit.row.id))
        else hit
        for hit in hits
    ]


def _without_merged(catalog: Catalog, hits: list[SearchHit]) -> list[SearchHit]:
    """Put errors in the place of those that were merged into them; each once."""
    errors = {row.id for hit in hits for row in (hit.row, *hit.errors) if row.kind == "error"}
    merged = catalog.merged_into(errors)
    if not merged:
        return hits
    rows = catalog.by_id(merged.values())
    staying = {hit.row.id: hit for hit in _hits(catalog, rows.values())}
    moved = []
    for hit in hits:
        if stays := staying.get(merged.get(hit.row.id, "")):
            moved.append(stays._replace(score=hit.score, parts=hit.parts, label=hit.label))
        else:
            of = {row.id: row for row in (rows.get(merged.get(e.id, ""), e) for e in hit.errors)}
            moved.append(hit._replace(errors=tuple(of.values())))
    best: dict[str, SearchHit] = {}
    for hit in sorted(moved, key=lambda hit: hit.score):
        best[hit.row.id] = hit
    return list(best.values())


def _liftable(catalog: Catalog, hits: Sequence[Hit], limit: int, alike: set[int]) -> list[Hit]:
    """Leave out hits that stay *weak*, whatever their records are.

    The first ones stay, what shares a fingerprint, and the errors of fixes that stay.
    """
    from gitmem.search.levels import least_similar

    least = least_similar(catalog.size()) / MOST_LIFTED
    staying = alike.union(
        hit.key for at, hit in enumerate(hits) if at < limit or hit.score >= least
    )
    fixes = (file for file, row in catalog.by_file(staying).items() if row.kind == "fix")
    staying |= {row.file for rows in catalog.fixed_by(fixes).values() for row in rows}
    return [hit for hit in hits if hit.key in staying]


def _alike(
    catalog: Catalog, around: Circumstances, allow: set[int] | None
) -> Iterable[tuple[str, SearchHit]]:
    """Give the errors that share a fingerprint, each once, with what that is called."""
    seen_ids: set[str] = set()
    for level, value, label in around.prints:
        rows = [
            row
            for row in (catalog.errors_with(level, value) if value else ())
            if row.id not in seen_ids and (allow is None or row.file in allow)
        ]
        seen_ids.update(row.id for row in rows)
        yield from ((label, hit) for hit in _hits(catalog, rows))


def _hits(catalog: Catalog, rows: Collection[Row]) -> list[SearchHit]:
    """Add what is known around records: an error's attempts, a fix's errors."""
    fixes = catalog.fixes_of(row.id for row in rows if row.kind == "error")
    fixed = catalog.fixed_by(row.file for row in rows if row.kind == "fix")
    return [
        SearchHit(row, 0.0, (), (*fixes.get(row.id, {}).values(),), (*fixed.get(row.file, ()),))
        for row in rows
    ]


def _file(derived: Derived, row: Row) -> str:
    """Read a record's file as it is; empty if it is gone."""
    try:
        return derived.store.read(row.path).decode(errors="replace")
    except (FileNotFoundError, ProblemError):
        return ""


def _texts(derived: Derived, catalog: Catalog, query: Query) -> Callable[[int], str]:
    """Give what reads the text of a candidate back from its file, to verify phrases."""
    worth_reading: Callable[[bytes], bool] | None = None
    paths: dict[int, str] = {}

    def text_of(file: int) -> str:
        from gitmem.index.document import document, plain_text
        from gitmem.index.raw_phrases import filter_for
        from gitmem.records.convert import decode

        nonlocal worth_reading
        worth_reading = worth_reading or filter_for(query.phrases, query.excluded)
        path = paths.get(file)
        if path is None:
            paths.update(catalog.paths_near(file))
            path = paths.get(file, "")
        try:
            data = derived.store.read(path)
        except (FileNotFoundError, ProblemError):
            return ""
        record = decode(data, path).record if worth_reading(data) else None
        return plain_text(document(record)) if record else ""

    return text_of
