"""Comparing derived state with a fresh reading of the files, as ``gitmem index verify`` does."""

from gitmem.learning.failures import follow
from gitmem.sync.derived import Derived
from gitmem.sync.embedding_backlog import wrong_vectors


def differences(derived: Derived) -> list[str]:
    """Compare what the catalog says with what a new one, made only now, says.

    What others write between the two readings differs once, and damage differs again.
    """
    at_first = _differences(derived)
    return [line for line in _differences(derived) if line in at_first] if at_first else []


def _differences(derived: Derived) -> list[str]:
    index = derived.index()
    catalog = derived.opened
    catalog.refresh_stats(follow)
    stored_tables = catalog.dump() | catalog.lessons().stats_rows()
    fresh = Derived(derived.store, None, 0, derived.team_rules)
    fresh.first_come = derived.first_come
    try:
        anew = fresh.catalog()
        anew.refresh_stats(follow)
        rebuilt_tables = anew.dump() | anew.lessons().stats_rows()
        differences_found = []
        for table, rows in rebuilt_tables.items():
            old, new = set(map(tuple, stored_tables[table])), set(map(tuple, rows))
            differences_found += [
                f"catalog {table}: {row[0]} is out of date" for row in sorted(old - new, key=str)
            ]
            differences_found += [
                f"catalog {table}: {row[0]} is missing" for row in sorted(new - old, key=str)
            ]
        indexed = index.keys()
        recorded_paths = set(catalog.record_paths())
        differences_found += [
            f"index: file {key} is indexed but gone" for key in sorted(indexed - recorded_paths)
        ]
        differences_found += [
            f"index: {catalog.path_of(key)} is not indexed"
            for key in sorted(recorded_paths - indexed)
        ]
        for vectors in (derived.meaning, derived.sentences):
            differences_found += [
                f"vectors: {catalog.path_of(key)} is missing or out of date"
                for key in wrong_vectors(vectors, catalog, derived.store)
            ]
        return differences_found
    finally:
        fresh.close()
