"""Prune and archive: what is due by the policy, and doing it. Nothing goes that git does not have.

``prune`` deletes files; git keeps them in its history. ``archive`` puts them into compressed
archives, where they are still found; ``unarchive`` brings them back.
"""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final

from gitmem.capture.feedback import Feedback
from gitmem.errors import ConflictError, EnvironmentProblem, InvalidError, NotFoundError
from gitmem.git.objects import blobs_of, commit_of, edited, tree_of
from gitmem.learning.retention import Due, Policy, Retained, RetentionItem, plan
from gitmem.records.layout import ARCHIVE
from gitmem.store import archives
from gitmem.store.archives import PIECE, Archives

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.layered import LayeredReader
    from gitmem.memory.reading.reader import Reader
    from gitmem.store.files import Store


_ITEMS: Final = """
SELECT a.id, a.kind, a.title, a.path, a.created, coalesce(a.stated, ''),
    coalesce(a.status, ''),
    coalesce(t.error_type, s.category || '/' || s.type || '/' || s.approach, '')
FROM all_records a LEFT JOIN attempts t ON t.id = a.id LEFT JOIN sessions s ON s.id = a.id
    AND s.approach <> ''
"""
_LINKS: Final = "SELECT id, relation, target FROM record_links"
_FINGERPRINTS: Final = "SELECT id, value FROM fingerprints WHERE level = 'site'"


def policy_of(workspace: "Workspace", older_than: int = 0) -> Policy:
    """Give the policy of the settings; with a number of days, that age for failures.

    What worked stays so many times longer as by the settings.
    """
    config = workspace.site.config
    if older_than:
        longer = config.retention_success_days / (config.retention_failure_days or 1)
        return Policy(older_than, round(older_than * max(longer, 1.0)))
    return Policy(
        config.retention_failure_days,
        config.retention_success_days,
        config.retention_pattern_limit,
        config.retention_solution_limit,
    )


def due(
    reader: "Reader", policy: Policy, only: Sequence[str] = (), *, readable: bool = False
) -> Retained:
    """Tell what is due; nothing is changed.

    Args:
        reader: of the memory.
        policy: how long records stay.
        only: ids of records, whatever their age; what belongs to them goes along.
        readable: it can be read where it goes, so that it is worth nothing to keep it here.

    """
    workspace = reader.workspace
    named = [reader.find(reference).id for reference in only]
    planned = plan(
        _items(workspace),
        _rows(workspace, _LINKS),
        _rows(workspace, _FINGERPRINTS),
        _helpful(workspace),
        policy,
        workspace.clock().timestamp(),
        named,
        readable=readable,
    )
    if not planned.due:
        return Retained(planned, [])
    loose = _uncommitted(workspace, planned.due)
    if not loose:
        return Retained(planned, [])
    # What is not committed stays, with all that it belongs to.
    stay = _together(workspace, loose)
    left = [record for record in planned.due if record.item.id not in stay]
    going = Counter(record.item.stated for record in left if record.item.kind == "fix")
    outcomes = [(name, going[name], go + here - going[name]) for name, go, here in planned.outcomes]
    return Retained(planned._replace(due=left, outcomes=tuple(outcomes)), sorted(loose))


def _items(workspace: "Workspace") -> list[RetentionItem]:
    items: dict[str, RetentionItem] = {}
    for name, kind, title, path, created, *rest in _rows(workspace, _ITEMS):
        seconds = datetime.fromisoformat(created).timestamp()
        items[name] = RetentionItem(name, kind, title, path, seconds, *rest)
    return list(items.values())


def _rows(workspace: "Workspace", sql: str) -> list[Any]:
    return workspace.ask(lambda now: list(now.catalog.ask(sql, (), -1).rows))


def _helpful(workspace: "Workspace") -> set[str]:
    tallies = Feedback(workspace.journal).tallies()
    return {record for record, tally in tallies.items() if tally.judged and tally.everywhere > 0}


def _uncommitted(workspace: "Workspace", records: Iterable[Due]) -> set[str]:
    """Give the ids of records that the present commit does not have as they are."""
    dirs = workspace.site.require_git()
    folder = workspace.site.folder_in_repository
    try:
        commit = commit_of(dirs, "HEAD")
    except NotFoundError:  # nothing was ever committed
        return {record.item.id for record in records}
    tree = tree_of(dirs, commit, folder)
    committed = blobs_of(dirs, tree).keys() if tree else set()
    changed = edited(dirs, folder)
    return {
        record.item.id
        for record in records
        if record.item.path not in committed or record.item.path in changed
    }


def _together(workspace: "Workspace", ids: set[str]) -> set[str]:
    """Give the ids of all records that belong together with some."""
    links, prints = _rows(workspace, _LINKS), _rows(workspace, _FINGERPRINTS)
    whole = plan(_items(workspace), links, prints, (), Policy(), 0, ids)
    return {record.item.id for record in whole.due}


def prune(workspace: "Workspace", retained: Retained) -> Retained:
    """Delete the files of what is due; git keeps them in the commit that is given."""
    due_records = retained.plan.due
    commit = commit_of(workspace.site.require_git(), "HEAD") if due_records else ""
    # Sessions before fixes before errors: killed in between, it leaves no link to nowhere.
    for path in sorted((record.item.path for record in due_records), reverse=True):
        workspace.store.delete(path)
    return retained._replace(done=True, commit=commit)


def archive(reader: "LayeredReader", retained: Retained) -> Retained:
    """Put what is due into archives, and delete its files once these are proved to hold it."""
    workspace = reader.workspace
    store = workspace.store
    due_records = retained.plan.due
    commit = commit_of(workspace.site.require_git(), "HEAD") if due_records else ""
    paths = sorted(
        (record.item.path for record in due_records), key=lambda path: (_year(path), path)
    )
    written = []
    for year, of_year in groupby(paths, key=_year):
        while piece := list(islice(of_year, PIECE)):
            files = {path: store.read(path) for path in piece}
            name = archives.write(store, year, files)
            _prove(workspace, name, files)
            written.append(name)
            for path in files:
                store.delete(path)
    reader.layers.close()
    return retained._replace(done=True, commit=commit, archives=tuple(written))


def _year(path: str) -> int:
    part = path.split("/")[1]
    return int(part) if part.isdecimal() else 0


def _prove(workspace: "Workspace", name: str, files: dict[str, bytes]) -> None:
    """Read an archive back; raise EnvironmentProblem if it does not hold the files."""
    archive = os.path.basename(name)
    if Archives(workspace.site.folder, 0, [archive]).files(archive) != files:
        raise EnvironmentProblem(f"{name} does not hold what was put in", "nothing was deleted")


def unarchive(reader: "LayeredReader", references: Sequence[str]) -> list[str]:
    """Write archived records back as files, and take them out of their archives; give the ids.

    Raises:
        NotFoundError: none of that name is archived.
        ConflictError: the memory has it with other content.

    """
    workspace = reader.workspace
    archived = reader.layers.archived
    if archived is None:
        raise NotFoundError("nothing is archived here", "list records with: gitmem list")
    store = archived.workspace.store
    if not isinstance(store, Archives):
        raise TypeError(store)
    rows = {row.id: row for row in map(archived.find, references)}
    own = workspace.ask(lambda now: now.catalog.by_id(rows))
    texts: dict[str, bytes] = {}
    for row in rows.values():
        texts[row.path] = store.read(row.path)
        if row.id in own:
            if workspace.store.read(own[row.id].path) != texts[row.path]:
                hint = "compare them: gitmem show ID, and the file in .memory"
                raise ConflictError(f"{row.id} is here with other content", hint)
        else:
            workspace.store.create(row.path, texts[row.path])
    for name in store.names:
        _take_out(workspace.store, store, name, texts)
    reader.layers.close()
    return list(rows)


def _take_out(own: "Store", store: Archives, name: str, texts: dict[str, bytes]) -> None:
    """Rewrite an archive without some files; those with other content stay in it."""
    try:
        files = store.files(name)
    except InvalidError:
        return
    left = {path: data for path, data in files.items() if texts.get(path) != data}
    if len(left) == len(files):
        return
    if left:
        archives.write(own, int(name[:4]), left)
    own.delete(f"{ARCHIVE}/{name}")
