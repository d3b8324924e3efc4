"""Looks up the facts of hits in the catalog and the work tree, and weighs them."""

import os
from collections.abc import Callable, Sequence
from functools import cache

from gitmem.answers.found import SearchHit
from gitmem.catalog.catalog import Catalog
from gitmem.search.circumstances import Circumstances
from gitmem.search.facts import RecordFacts, added, facts

_OWN = frozenset({"location", "frame", "anchor", "change"})


def with_facts(
    hits: Sequence[SearchHit], catalog: Catalog, around: Circumstances
) -> list[SearchHit]:
    """Add to scores what is known, and say so in the parts."""
    files = {hit.row.file for hit in hits} | {fix.file for hit in hits for fix in hit.attempts}
    paths = catalog.paths_of(files)
    branches = catalog.branches_of(files) if around.branch else {}
    reused = catalog.reused(
        row.id for hit in hits for row in (hit.row, *hit.attempts) if row.kind == "fix"
    )
    weighted = []
    is_there = cache(lambda path: os.path.lexists(f"{around.root}/{path}"))  # many name the same
    for hit in hits:
        own = frozenset(path for role, path in paths.get(hit.row.file, ()) if role in _OWN)
        numbers = [hit.row.file, *(fix.file for fix in hit.attempts)]
        record_facts = RecordFacts(
            hit.row.id,
            hit.row.status,
            hit.row.created,
            own,
            frozenset(branch for number in numbers for branch in branches.get(number, ())),
            stale=bool(around.root) and _are_missing(own, is_there),
            reused=reused.get(hit.row.id, 0),
        )
        about = facts(record_facts, around)
        for fix in hit.attempts:
            if not (fix.id in reused or fix.id in around.feedback):
                continue
            # What was said of a fix was said of the answer that showed it.
            of_fix = RecordFacts(fix.id, "", "", reused=reused.get(fix.id, 0))
            about += facts(of_fix, around._replace(now="", files=frozenset()))
        level = next((value for name, value in hit.parts if name == hit.label), 0.0)
        parts = added(about, hit.score, level)
        score = hit.score + sum(value for _, value in parts)
        weighted.append(hit._replace(score=score, parts=(*hit.parts, *parts)))
    return weighted


def _are_missing(files: frozenset[str], is_there: Callable[[str], bool]) -> bool:
    """Tell that a record speaks of files of this repository, and none of them is there."""
    inside = [path for path in files if not path.startswith(("/", "~", "<", "..")) and path]
    return bool(inside) and not any(map(is_there, inside))
