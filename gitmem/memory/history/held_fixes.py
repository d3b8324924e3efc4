"""Fixes that a change may take back: found by the names of its files, and held against it."""

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.answers.guarded import Guarded, TakenBack
from gitmem.capture.generated_files import has_generated_name
from gitmem.capture.roles import is_document, is_test
from gitmem.diffs import FileDiff, read_files
from gitmem.git.file_fates import whereabouts
from gitmem.guards.grams import places_of
from gitmem.guards.taken_back import ChangedCode, FixTakenBack
from gitmem.memory.core.shown import read_data
from gitmem.memory.failures.verdicts import DID_NOT_HOLD, SUPERSEDED, judged
from gitmem.memory.history.meant import is_meant
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.workspace import Workspace

_MOST_FIXES: Final = 400
_MOST_PATHS: Final = 50_000
HELD: Final = frozenset({"worked", "unverified"})
"""What is said of fixes that are guarded: an import can't tell what a commit's author knew."""


def is_code(path: str) -> bool:
    """Tell whether a file is one that fixes stand in: tests are what proves them."""
    return not (is_test(path) or is_document(path) or has_generated_name(path))


class PatchOfFix(NamedTuple):
    """What a fix changed, and the command that showed it to work; empty: none is recorded."""

    files: list[FileDiff]
    proof: str


class Candidates(dict[str, "tuple[Row, frozenset[str]]"]):
    """Fixes that a change may take back, by id, with the names of files that it knows them by."""


def fixes_of(
    workspace: "Workspace", git_dirs: "GitDirs | None", names: "Sequence[tuple[str, str]]"
) -> Candidates:
    """Give the fixes that changed files of these names, or of names that these had before."""
    former = _former_names(workspace, git_dirs, {old for old, _ in names})
    base = os.path.dirname(workspace.site.folder_in_repository) if git_dirs else ""

    def question(catalog: "Catalog") -> Candidates:
        rows: dict[str, Row] = {}
        files: dict[str, set[str]] = {}
        for old, new in names:
            names_of_file = {old, new, *former.get(old, ())}
            spellings = {path.removeprefix(f"{base}/") for path in names_of_file} | names_of_file
            # A name that is no text is one that no record can hold.
            spellings = set(filter(is_text, spellings))
            for path in spellings:
                for row in catalog.by_file(catalog.speaking_of(path, "fix")).values():
                    if row.stated in HELD:
                        rows[row.id] = row
                        files.setdefault(row.id, set()).update(spellings)
        newest = sorted(rows.values(), key=lambda row: (row.created, row.id))[-_MOST_FIXES:]
        return Candidates({row.id: (row, frozenset(files[row.id])) for row in newest})

    return workspace.ask(lambda now: question(now.catalog))


def _former_names(
    workspace: "Workspace", git_dirs: "GitDirs | None", paths: set[str]
) -> dict[str, list[str]]:
    """Give names that changed files had when they were fixed, as far as a fix names them.

    Only files with the same last name, or in the same folder with the same ending, are followed.
    """
    if git_dirs is None or not paths:
        return {}
    likely = {trait for path in paths for trait in _traits(path)}
    ends = tuple(os.path.basename(path) for path in paths)
    folders = tuple(f"{os.path.dirname(path)}/".lstrip("/") for path in paths)
    patched = workspace.ask(lambda now: now.catalog.patched_paths(_MOST_PATHS))
    near = {
        path
        for path in patched
        if (path.endswith(ends) or path.startswith(folders))
        and path not in paths
        and not likely.isdisjoint(_traits(path))
        and not os.path.lexists(os.path.join(git_dirs.root, path))
    }
    if not near:
        return {}
    fates, _ = whereabouts(git_dirs, near)
    former: dict[str, list[str]] = {}
    for path, fate in fates.items():
        if fate.path in paths:
            former.setdefault(fate.path, []).append(path)
    return former


def _traits(path: str) -> tuple[str, str]:
    """Give the last name of a file, and its folder with its ending: a rename keeps one, mostly."""
    folder, _, name = path.rpartition("/")
    return name, f"{folder}/{name[max(name.rfind('.'), 0) :]}"


def held_against(
    workspace: "Workspace",
    source: "Workspace",
    candidates: Candidates,
    files: "Iterable[FileDiff]",
) -> Guarded:
    """Hold fixes against a change.

    Args:
        workspace: of the memory as it is.
        source: of the memory that has the fixes; it may be one of the past.
        candidates: the fixes.
        files: the change.

    """
    changed = ChangedCode(places_of(file for file in files if is_code(file.path)))
    taken: list[tuple[Row, PatchOfFix, FixTakenBack]] = []
    for row, names in candidates.values():
        if fix := patch_of(source, row):
            places = places_of(file for file in fix.files if is_code(file.path))
            if places and (change := changed.takes_back(places, names)):
                taken.append((row, fix, change))
    held = held_ids(workspace, [row for row, _, _ in taken])
    taken_back = [
        TakenBack(row, error_of(source, row), change, fix.proof)
        for row, fix, change in taken
        if row.id in held
    ]
    return Guarded(each_place_once(taken_back), len(candidates))


def held_ids(workspace: "Workspace", fixes: "Sequence[Row]") -> set[str]:
    """Give the ids of those fixes that hold, and of which nobody said that they may go."""
    return {
        row.id
        for row in judged(workspace, fixes)
        if row.verdict not in (DID_NOT_HOLD, SUPERSEDED) and not is_meant(workspace, row)
    }


def error_of(workspace: "Workspace", fix: "Row") -> "Row | None":
    """Give what a fix fixed; None: it names no error."""
    errors = workspace.ask(lambda now: now.catalog.fixed_by([fix.file])).get(fix.file, [])
    return errors[0] if errors else None


def patch_of(workspace: "Workspace", fix: "Row") -> PatchOfFix | None:
    """Read what a fix changed; None: that never came into the code.

    The types of records are left out: importing them takes longer than reading many.
    """
    data = read_data(workspace, fix.path)
    if data.get("applied") is False:
        return None
    return PatchOfFix(read_files(str(data.get("patch", ""))), proof_of(data))


def proof_of(data: "Mapping[str, Any]") -> str:
    """Give the command that showed a fix to work; empty: none is recorded."""
    checked = data.get("verification")
    checked = checked if isinstance(checked, dict) and checked.get("after") else {}
    return str(checked.get("command", "")).strip().partition("\n")[0]


def each_place_once(taken_back: list[TakenBack]) -> list[TakenBack]:
    """Give the surest telling of each place: one bug may have several records."""
    order = sorted(
        taken_back,
        key=lambda telling: (
            not telling.change.is_sure,
            telling.fix.usefulness,
            -telling.change.sureness,
        ),
    )
    places: dict[tuple[str, int], TakenBack] = {}
    for telling in order:
        places.setdefault((telling.change.path, telling.change.line), telling)
    return list(places.values())
