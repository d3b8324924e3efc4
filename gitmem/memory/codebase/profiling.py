"""``gitmem profile``: reads the code base, bounded in files and time, and describes it."""

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
from gitmem.memory.anchors.remembering import remembered
from gitmem.memory.codebase.sources import read_source, sources
from gitmem.syntax.languages import PARSED, language_of
from gitmem.syntax.reading import parse, readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.memory.codebase.sources import Sources
    from gitmem.memory.view import View

MOST_FILES: Final = 3_000
SECONDS: Final = 60.0
_MOST_MANIFESTS: Final = 100
_LARGEST_MANIFEST: Final = 1 << 20


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


def profile(memory: "View", *, most: int = MOST_FILES, seconds: float = SECONDS) -> Profile:
    """Describe how the repository's code is written; see ``Memory.profile``."""
    looked = look(memory, most=most, seconds=seconds)
    there = looked.sources
    return described(
        looked.facts, there.paths, there.chosen, looked.manifests, excluded=there.excluded,
        notes=looked.notes,
    )  # fmt: skip


def look(memory: "View", *, most: int = MOST_FILES, seconds: float = SECONDS) -> Looked:
    """Read the source files and manifests of the repository.

    Where there are more files than ``most``, those are read whose names have the smallest
    digests: a sample over the whole tree that is the same on every machine. Only the time limit
    depends on the machine, and then a note says so.
    """
    there = sources(memory)
    notes: list[str] = []
    wanted = sorted(there.chosen, key=_by_chance)[:most]
    if len(wanted) < len(there.chosen):
        notes.append(f"{most:,} of {len(there.chosen):,} files were looked at, evenly spread")
    found: list[SourceFacts] = []
    until = time.monotonic() + seconds
    for number, one in enumerate(_all_facts(memory, wanted), 1):
        found.append(one)
        memory.progress("reading the code", number, len(wanted))
        if time.monotonic() > until:
            notes.append(
                f"stopped after {seconds:g} seconds with {number:,} of {len(wanted):,} files read:"
                " on another machine it may be others"
            )
            break
    notes += _unread(found)
    return Looked(there, sorted(found), _manifests(memory, there.paths), notes)


def _by_chance(path: str) -> bytes:
    return blake2b(os.fsencode(path), digest_size=8).digest()


def _all_facts(memory: "View", paths: "Sequence[str]") -> "Iterator[SourceFacts]":
    """Look at files of the work tree; those that did not change since are not read again."""
    known = remembered(memory.workspace)
    for path in paths:
        full = os.path.join(memory.site.root, path)
        # What a link leads to could take its place and bear the same stamp.
        if os.path.islink(full):
            continue
        found = known.once(("facts", path), [full], partial(_facts, path, full))
        if found is not None:
            yield found


def _facts(path: str, full: str) -> SourceFacts | None:
    text = read_source(full)
    if text is None:
        return None
    language = language_of(path)
    parsed = parse(text, language, path) if language in PARSED and readable(language) else None
    return facts(path, language, text, parsed)


def _unread(found: "Sequence[SourceFacts]") -> list[str]:
    """Say which languages only the extra could have read."""
    missing = sorted({one.language for one in found if one.language in PARSED and not one.parsed})
    if not missing:
        return []
    said = f"{', '.join(missing)}: only names of files and formatting were looked at"
    return [f"{said}; for the rest: {install('code')}"]


def _manifests(memory: "View", paths: "Sequence[str]") -> list[Manifest]:
    """Read the manifests nearest to the top."""
    named = sorted(filter(is_manifest, paths), key=lambda path: (path.count("/"), path))
    found = []
    for path in named[:_MOST_MANIFESTS]:
        full = os.path.join(memory.site.root, path)
        try:
            if os.path.islink(full):
                continue
            with open(full, "rb") as file:
                data = file.read(_LARGEST_MANIFEST)
        except FileNotFoundError:
            continue  # deleted, and git was not told yet
        except OSError as error:
            raise EnvironmentProblem(f"{path}: {error.strerror}") from None
        found.append(read_manifest(path, data.decode("utf-8-sig", errors="replace")))
    return found
