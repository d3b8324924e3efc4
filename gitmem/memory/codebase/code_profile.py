"""``gitmem code profile``: reads the code base, bounded in files and time, and describes it."""

import errno
import os
import time
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import EnvironmentProblem, install
from gitmem.learning.facts import SourceFacts, facts
from gitmem.learning.manifests import Manifest, is_manifest, read_manifest
from gitmem.learning.profile import Profile
from gitmem.learning.profile import profile as described
from gitmem.memory.anchors.anchor_memo import remembered
from gitmem.memory.codebase.sources import read_source, sources
from gitmem.syntax.languages import PARSED, language_of
from gitmem.syntax.parse import parse, readable
from gitmem.worktree import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.memory.codebase.sources import Sources
    from gitmem.memory.core.workspace import Workspace

MOST_FILES: Final = 3_000
SECONDS: Final = 60.0
MOST_MANIFESTS: Final = 100
LARGEST_MANIFEST: Final = 1 << 20
# Deleted, and git was not told yet; a link that leads outside; no file; too large.
_NOT_READ: Final = frozenset({errno.ENOENT, errno.ELOOP, errno.EINVAL, errno.EFBIG})


class Looked(NamedTuple):
    """What was read of a code base.

    Attributes:
        sources: what there is.
        facts: of the files that were read, by path.
        manifests: what was declared.
        notes: what was left out, and why.

    """

    sources: "Sources"
    facts: list[SourceFacts]
    manifests: list[Manifest]
    notes: list[str]


def profile(workspace: "Workspace", *, most: int = MOST_FILES, seconds: float = SECONDS) -> Profile:
    """Describe how the repository's code is written; see ``memory.code.profile``."""
    looked = look(workspace, most=most, seconds=seconds)
    there = looked.sources
    return described(
        looked.facts,
        there.paths,
        there.chosen,
        looked.manifests,
        excluded=there.excluded,
        notes=looked.notes,
    )


def look(workspace: "Workspace", *, most: int = MOST_FILES, seconds: float = SECONDS) -> Looked:
    """Read the source files and manifests of the repository.

    Where there are more files than ``most``, those are read whose names have the smallest
    digests: a sample over the whole tree that is the same on every machine. Only the time limit
    depends on the machine, and then a note says so.
    """
    there = sources(workspace)
    notes: list[str] = []
    wanted = sorted(there.chosen, key=_by_chance)[:most]
    if len(wanted) < len(there.chosen):
        notes.append(f"{most:,} of {len(there.chosen):,} files were looked at, evenly spread")
    read: list[SourceFacts] = []
    until = time.monotonic() + seconds
    for number, file in enumerate(_all_facts(workspace, wanted), 1):
        read.append(file)
        workspace.progress("reading the code", number, len(wanted))
        if time.monotonic() > until:
            notes.append(
                f"stopped after {seconds:g} seconds with {number:,} of {len(wanted):,} files read;"
                " another machine may read others"
            )
            break
    notes += _unread(read)
    return Looked(there, sorted(read), _manifests(workspace, there.paths), notes)


def _by_chance(path: str) -> bytes:
    return blake2b(os.fsencode(path), digest_size=8).digest()


def _all_facts(workspace: "Workspace", paths: "Sequence[str]") -> "Iterator[SourceFacts]":
    """Look at files of the work tree; those that did not change since are not read again."""
    memo = remembered(workspace)
    for path in paths:
        full = os.path.join(workspace.site.root, path)
        # What a link leads to could take its place and bear the same stamp.
        if os.path.islink(full):
            continue
        file = memo.once(("facts", path), [full], partial(_facts, workspace.site.root, path))
        if file is not None:
            yield file


def _facts(root: str, path: str) -> SourceFacts | None:
    text = read_source(root, path)
    if text is None:
        return None
    language = language_of(path)
    parsed = parse(text, language, path) if language in PARSED and readable(language) else None
    return facts(path, language, text, parsed)


def _unread(files: "Sequence[SourceFacts]") -> list[str]:
    """Say which languages only the extra could have read."""
    missing = sorted(
        {file.language for file in files if file.language in PARSED and not file.parsed}
    )
    if not missing:
        return []
    note = f"{', '.join(missing)}: only names of files and formatting were looked at"
    return [f"{note}; for the rest: {install('code')}"]


def _manifests(workspace: "Workspace", paths: "Sequence[str]") -> list[Manifest]:
    """Read the manifests nearest to the top."""
    named = sorted(filter(is_manifest, paths), key=lambda path: (path.count("/"), path))
    manifests = []
    for path in named[:MOST_MANIFESTS]:
        try:
            data = read_file(workspace.site.root, path, LARGEST_MANIFEST)
        except OSError as error:
            if error.errno in _NOT_READ:
                continue
            raise EnvironmentProblem(f"{path}: {error.strerror}") from None
        manifests.append(read_manifest(path, data.decode("utf-8-sig", errors="replace")))
    return manifests
