"""``gitmem pack``: show packs, write their records into the memory, fetch those of others."""

import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.answers.found import Seeded
from gitmem.config import PackSource
from gitmem.errors import ConflictError, EnvironmentProblem, InvalidError, NotFoundError, UsageError
from gitmem.git.fetch import fetch_commit
from gitmem.git.objects import Objects, blobs_of, tree_of
from gitmem.memory.core.settings import add_to_list, set_setting
from gitmem.memory.core.site import team_layer, user_layer
from gitmem.memory.reading.packs import fetched_folder, folder_of, packs
from gitmem.memory.reading.reader import Reader
from gitmem.records import codec
from gitmem.store.files import ProblemError
from gitmem.store.listing import is_record, walk
from gitmem.store.readonly import Pack, PackFiles
from gitmem.sync.derived import Derived
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.problems import Problem

_MOST_FILES: Final = 20_000
_MOST_BYTES: Final = 1 << 20
_HEX: Final = frozenset("0123456789abcdef")


def find_pack(workspace: "Workspace", name: str) -> Pack:
    """Find a pack by its name; raise NotFoundError if there is none."""
    by_name = {pack.name: pack for pack in packs(workspace)}
    if name not in by_name:
        raise NotFoundError(f"there is no pack {name}", "packs: " + ", ".join(by_name))
    return by_name[name]


def opened(workspace: "Workspace", name: str) -> tuple[Pack, Reader]:
    """Open one pack, also one that is off; close what is given.

    Raises:
        NotFoundError: there is none of that name, or it was not fetched yet.

    """
    pack = find_pack(workspace, name)
    if not pack.place:
        hint = f"get it with: gitmem pack fetch {name}"
        if pack.source and not pack.source.url:
            hint = f"create the folder {pack.source.path}, or remove the pack from packs.sources"
        raise NotFoundError(f"pack {name} is not here", hint)
    store = PackFiles({name: pack.place}, workspace.store.max_bytes)
    # Rarely asked for: it is read each time, and leaves nothing behind.
    derived = Derived(store, None, 0, workspace.derived.team_rules)
    return pack, Reader(workspace.reading(derived))


def contents(workspace: "Workspace", name: str) -> Seeded:
    """Tell what a pack holds."""
    pack, reader = opened(workspace, name)
    with reader:
        return Seeded(pack, _in_order(reader))


def _in_order(reader: Reader) -> "list[Row]":
    kinds = ("error", "fix", "pattern", "note", "decision", "session")
    rows = reader.list(sort="oldest")
    return sorted(rows, key=lambda row: kinds.index(row.kind))


def write(workspace: "Workspace", name: str, only: Collection[str] = ()) -> Seeded:
    """Write the records of a pack into the memory, as they are, each once.

    Args:
        workspace: of the memory.
        name: the pack.
        only: ids, or prefixes of them; an error brings its fixes along, a fix its errors. Empty:
            all.

    Raises:
        NotFoundError: there is no such pack, or it has no such record.

    """
    pack, reader = opened(workspace, name)
    with reader:
        rows = _in_order(reader)
        wanted = (
            _with_partners(reader, [reader.find(reference).id for reference in only])
            if only
            else None
        )
        chosen = [row for row in rows if wanted is None or row.id in wanted]
        ids = [row.id for row in chosen]
        own = workspace.ask(lambda now: now.catalog.by_id(ids))
        written: list[str] = []
        present: list[str] = []
        different: list[str] = []
        for row in chosen:
            data = reader.workspace.store.read(row.path)
            if row.id not in own:
                workspace.store.create(row.path.partition("/")[2], data)
                written.append(row.id)
            else:
                same = _same(workspace, own[row.id].path, data)
                (present if same else different).append(row.id)
        return Seeded(pack, rows, tuple(written), tuple(present), tuple(different))


def _same(workspace: "Workspace", path: str, data: bytes) -> bool:
    try:
        return codec.load(workspace.store.read(path)) == codec.load(data)
    except (codec.YamlError, ProblemError, FileNotFoundError):
        return False


def _with_partners(reader: Reader, ids: Sequence[str]) -> set[str]:
    def question(now: "Snapshot") -> set[str]:
        partners = set(ids)
        for row in now.catalog.by_id(ids).values():
            partners |= {other.id for _, other in now.catalog.linking_to(row.id)}
            partners |= {target for _, target in now.catalog.links_from(row.file)}
        return partners

    return reader.workspace.ask(question)


def switch(workspace: "Workspace", name: str, *, on: bool, scope: str) -> None:
    """Switch a pack on or off for ``user`` or ``team``; ``all`` are all packs.

    Raises:
        ConflictError: another setting has the last word.

    """
    if name != "all":
        find_pack(workspace, name)
    site = workspace.site
    origin = site.settings.origins.get("packs.off", "default")
    if origin in {"environment", "flag"} or (origin == "team" and scope == "user"):
        hint = "change it there" if origin != "team" else "change it there, with --team"
        raise ConflictError(f"packs.off is set by the {origin}", hint)
    layer = team_layer(site.folder) if scope == "team" else user_layer(workspace.environ)
    off = str(layer.values.get("packs.off", "")).replace(",", " ").split()
    if on and "all" in off:
        off = [pack.name for pack in packs(workspace)] if name != "all" else []
    elif on and name == "all":
        off = []
    left = [other for other in off if other != name] if on else [*off, name]
    if left == off and name != "all":
        return
    value = " ".join(dict.fromkeys(left))
    set_setting(site, workspace.environ, "packs.off", value or None, scope)


# Packs of other repositories


def add(
    workspace: "Workspace", name: str, origin: str, *, path: str = "", revision: str = ""
) -> Pack:
    """Name a pack in the team's settings, after fetching and looking at it.

    Args:
        workspace: of the memory.
        name: what it shall be called.
        origin: a folder of this repository, or another repository as git takes it.
        path: the folder in the other repository; empty: ``.memory``.
        revision: its branch, tag or commit; empty: what is checked out there. The commit that it
            stands for now is written down.

    Raises:
        ConflictError: the name is taken.
        InvalidError: nothing in it is a record.

    """
    if any(pack.name == name for pack in packs(workspace)):
        raise ConflictError(f"there is a pack {name} already", "choose another name")
    inside = _inside(workspace, origin)
    if inside and not revision:
        source = PackSource(name, inside)
    else:
        where = os.path.abspath(os.path.join(workspace.start, origin))
        url = where if os.path.isdir(where) else origin
        source = PackSource(
            name, path or ".memory", url, _fetched(workspace, name, url, path, revision)
        )
    folder = folder_of(workspace, source)
    if not walk(folder).files:
        message = f"no record in {source.path} of {source.url or 'this repository'}"
        raise InvalidError(message, "name the folder that has errors/, fixes/ and the like: --path")
    entry = {key: value for key, value in source._asdict().items() if value and key != "where"}
    add_to_list(workspace.site, "packs.sources", entry)
    return Pack(name, source.url or source.path, folder, on=True, source=source)


def _inside(workspace: "Workspace", origin: str) -> str:
    """Give a folder of this repository, relative to its top; empty if it is none."""
    top = os.path.realpath(workspace.site.repository_root)
    full = os.path.realpath(os.path.join(workspace.start, origin))
    if not os.path.isdir(full) or os.path.isdir(os.path.join(full, ".git")):
        return ""
    path = relative_path(full, top)
    return "" if path.startswith("..") or path == "." else path


def fetch(workspace: "Workspace", name: str = "") -> list[Pack]:
    """Fetch the packs of other repositories that are not here; an empty name: all of them."""
    wanted = [find_pack(workspace, name)] if name else packs(workspace)
    sources = [pack.source for pack in wanted if pack.source and pack.source.url]
    if name and not sources:
        raise UsageError(f"pack {name} does not come from another repository", "it is already here")
    for source in sources:
        if not os.path.isdir(folder_of(workspace, source)):
            _fetched(workspace, source.name, source.url, source.path, source.commit)
    names = {source.name for source in sources}
    return [pack for pack in packs(workspace) if pack.name in names]


def _fetched(workspace: "Workspace", name: str, url: str, path: str, revision: str) -> str:
    """Fetch a pack's records, and give the commit; a folder that is there is left as it is."""
    base = fetched_folder(workspace)
    os.makedirs(base, exist_ok=True)
    beside = tempfile.mkdtemp(prefix=".fetching-", dir=base)
    try:
        objects, pack = os.path.join(beside, "objects"), os.path.join(beside, "pack")
        os.makedirs(objects)
        os.makedirs(pack)
        dirs, commit = fetch_commit(objects, url, revision)
        if len(revision) == len(commit) and revision != commit and set(revision) <= _HEX:
            raise EnvironmentProblem(f"{url} gave {commit} for {revision}", "ask its owner")
        for file, data in _records(dirs, commit, path or ".memory"):
            full = os.path.join(pack, file)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "xb") as out:
                out.write(data)
        target = folder_of(workspace, PackSource(name, path or ".memory", url, commit))
        if not os.path.isdir(target):
            os.replace(pack, target)
        return commit
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _records(git_dirs: "GitDirs", commit: str, path: str) -> Iterator[tuple[str, bytes]]:
    folder = path.strip("/")
    tree = commit if folder in {"", "."} else tree_of(git_dirs, commit, folder)
    if not tree:
        raise NotFoundError(f"no folder {path} in {commit[:10]}", "name it with --path")
    names = {file: blob for file, blob in blobs_of(git_dirs, tree).items() if is_record(file)}
    if len(names) > _MOST_FILES:
        raise InvalidError(
            f"{len(names)} records are too many for a pack", "choose a folder inside it"
        )
    objects = Objects(git_dirs)
    try:
        for file, blob in names.items():
            content = objects.read(blob, _MOST_BYTES)
            if content and content[1] <= _MOST_BYTES:
                yield file, content[0]
    finally:
        objects.close()


def problems(workspace: "Workspace", name: str) -> "list[Problem]":
    """List what is wrong with a pack's files; paths begin with its name."""
    _, reader = opened(workspace, name)
    with reader:
        return reader.workspace.ask(
            lambda now: sorted([*now.catalog.problems(), *now.file_problems])
        )
