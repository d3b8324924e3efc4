"""Prune and archive: what is due by the policy, and doing it. Nothing goes that git does not have.

``prune`` deletes files; git keeps them in its history. ``archive`` puts them into compressed
archives, where they are still found; ``unarchive`` brings them back.
"""

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from gitmem.errors import ConflictError, EnvironmentProblem, InvalidError, NotFoundError
from gitmem.git.objects import blobs_of, commit_of, edited, tree_of
from gitmem.learning.retention import Due, Policy, Retained, RetentionItem, plan
from gitmem.records.layout import ARCHIVE
from gitmem.store import archives
from gitmem.store.archives import PIECE, Archives, unpacked

if TYPE_CHECKING:
    from gitmem.memory.view import View
    from gitmem.memory.writable import Writable


def policy_of(memory: "View", older_than: int = 0) -> Policy:
    """Give the policy of the settings; with a number of days, that age for all."""
    config = memory.site.config
    if older_than:
        return Policy(older_than, older_than)
    return Policy(
        config.retention_failure_days,
        config.retention_success_days,
        config.retention_pattern_limit,
        config.retention_solution_limit,
    )


def due(memory: "Writable", policy: Policy, only: Sequence[str] = ()) -> Retained:
    """Tell what is due; nothing is changed.

    Args:
        memory: the memory.
        policy: how long records stay.
        only: ids of records, whatever their age; what belongs to them goes along.

    """
    named = [memory.find(one).id for one in only]
    made = plan(
        _items(memory),
        _rows(memory, "SELECT id, relation, target FROM record_links"),
        _rows(memory, "SELECT id, value FROM fingerprints WHERE level = 'site'"),
        _helpful(memory),
        policy,
        memory.now().timestamp(),
        named,
    )
    if not made.due:
        return Retained(made, [])
    loose = _uncommitted(memory, made.due)
    if not loose:
        return Retained(made, [])
    # What is not committed stays, with all that it belongs to.
    stay = _together(memory, loose)
    left = [one for one in made.due if one.item.id not in stay]
    return Retained(made._replace(due=left), sorted(loose))


def _items(memory: "View") -> list[RetentionItem]:
    sql = """
        SELECT a.id, a.kind, a.title, a.path, a.created, coalesce(a.stated, ''),
            coalesce(a.status, ''),
            coalesce(t.error_type, s.category || '/' || s.type || '/' || s.approach, '')
        FROM all_records a LEFT JOIN attempts t ON t.id = a.id LEFT JOIN sessions s ON s.id = a.id
            AND s.approach <> ''
    """
    found: dict[str, RetentionItem] = {}
    for name, kind, title, path, created, *rest in _rows(memory, sql):
        seconds = datetime.fromisoformat(created).timestamp()
        found[name] = RetentionItem(name, kind, title, path, seconds, *rest)
    return list(found.values())


def _rows(memory: "View", sql: str) -> list[Any]:
    def ask() -> list[Any]:
        return list(memory.derived.catalog(memory.progress).ask(sql, (), -1).rows)

    return memory.derived.mended(ask)


def _helpful(memory: "View") -> set[str]:
    from gitmem.capture.feedback import Feedback  # noqa: PLC0415  start-up
    from gitmem.store.journal import Journal  # noqa: PLC0415  start-up

    tallies = Feedback(Journal(memory.site.journal)).tallies()
    return {record for record, tally in tallies.items() if tally.everywhere > 0}


def _uncommitted(memory: "View", found: Iterable[Due]) -> set[str]:
    """Give the ids of records that the present commit does not have as they are."""
    places = memory.site.require_git()
    folder = memory.site.folder_in_repository
    try:
        commit = commit_of(places, "HEAD")
    except NotFoundError:  # nothing was ever committed
        return {one.item.id for one in found}
    tree = tree_of(places, commit, folder)
    there = blobs_of(places, tree).keys() if tree else set()
    changed = edited(places, folder)
    return {one.item.id for one in found if one.item.path not in there or one.item.path in changed}


def _together(memory: "View", ids: set[str]) -> set[str]:
    """Give the ids of all records of the stories of some."""
    links = _rows(memory, "SELECT id, relation, target FROM record_links")
    prints = _rows(memory, "SELECT id, value FROM fingerprints WHERE level = 'site'")
    whole = plan(_items(memory), links, prints, (), Policy(), 0, ids)
    return {one.item.id for one in whole.due}


def prune(memory: "Writable", found: Retained) -> Retained:
    """Delete the files of what is due; git keeps them in the commit that is told."""
    commit = commit_of(memory.site.require_git(), "HEAD") if found.plan.due else ""
    for one in found.plan.due:
        memory.store.delete(one.item.path)
    return found._replace(done=True, commit=commit)


def archive(memory: "Writable", found: Retained) -> Retained:
    """Put what is due into archives, and delete its files once these are proved to hold it."""
    commit = commit_of(memory.site.require_git(), "HEAD") if found.plan.due else ""
    paths = sorted((one.item.path for one in found.plan.due), key=lambda path: (_year(path), path))
    written = []
    for year, of_year in groupby(paths, key=_year):
        while piece := list(islice(of_year, PIECE)):
            files = {path: memory.store.read(path) for path in piece}
            made = archives.write(memory.store, year, files)
            _prove(memory, made, files)
            written.append(made)
            for path in files:
                memory.store.delete(path)
    memory.layers.close()
    return found._replace(done=True, commit=commit, archives=tuple(written))


def _year(path: str) -> int:
    part = path.split("/")[1]
    return int(part) if part.isdecimal() else 0


def _prove(memory: "Writable", made: str, files: dict[str, bytes]) -> None:
    with open(os.path.join(memory.site.folder, made), "rb") as file:
        if unpacked(os.path.basename(made), file.read()) != files:
            raise EnvironmentProblem(f"{made} does not hold what was put in", "nothing was deleted")


def unarchive(memory: "Writable", references: Sequence[str]) -> list[str]:
    """Write archived records back as files, and take them out of their archives; give the ids.

    Raises:
        NotFoundError: none of that name is archived.
        ConflictError: the memory has it with other content.

    """
    view = memory.layers.archived
    if view is None:
        raise NotFoundError("nothing is archived here", "list records with: gitmem list")
    store = view.workspace.store
    if not isinstance(store, Archives):
        raise TypeError(store)
    rows = [view.find(one) for one in references]
    texts: dict[str, bytes] = {}
    for row in rows:
        texts[row.path] = store.read(row.path)
        own = memory.derived.catalog().by_id([row.id])
        if own:
            if memory.store.read(own[row.id].path) != texts[row.path]:
                hint = "compare them: gitmem show ID, and the file in .memory"
                raise ConflictError(f"{row.id} is here with other content", hint)
        else:
            memory.store.create(row.path, texts[row.path])
    for name in store.names:
        _take_out(memory, store, name, texts)
    memory.layers.close()
    return [row.id for row in rows]


def _take_out(memory: "Writable", store: Archives, name: str, texts: dict[str, bytes]) -> None:
    """Write an archive anew without some files; what it has with other content stays in it."""
    try:
        files = store.files(name)
    except InvalidError:
        return
    left = {path: data for path, data in files.items() if texts.get(path) != data}
    if len(left) == len(files):
        return
    if left:
        archives.write(memory.store, int(name[:4]), left)
    memory.store.delete(f"{ARCHIVE}/{name}")
