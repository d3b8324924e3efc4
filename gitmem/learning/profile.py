"""The profile of a code base, built from facts of its files. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from gitmem.learning.conventions import (
    Claim,
    Language,
    MedianSizes,
    claims,
    figures,
    languages,
    layout,
)
from gitmem.learning.dependencies import FileImports, Resolved, resolve
from gitmem.learning.facts import SourceFacts
from gitmem.learning.libraries import Libraries, libraries
from gitmem.learning.manifests import Manifest
from gitmem.learning.project_settings import tools


class Profile(NamedTuple):
    """Conventions and preferences, each with what it was counted from.

    Attributes:
        name: of the project, as its topmost manifest has it; empty: none says.
        files: source files that there are.
        read: how many of them were read.
        excluded: source files left out: generated, vendored, in folders such as node_modules.
        languages: with their files and lines.
        claims: how the code is written.
        libraries: what is imported and what is declared.
        tools: what is set up, and the file that says so.
        layout: (folder at the top, source files, lines of those that were read).
        figures: how long a usual file and function is.
        notes: what the reader should know, a line each.

    """

    name: str
    files: int
    read: int
    excluded: int
    languages: tuple[Language, ...]
    claims: tuple[Claim, ...]
    libraries: Libraries
    tools: tuple[tuple[str, str], ...]
    layout: tuple[tuple[str, int, int], ...]
    figures: MedianSizes
    notes: tuple[str, ...] = ()


def go_modules(manifests: Sequence[Manifest]) -> dict[str, str]:
    """Give the names of Go modules by their folder."""
    return {
        manifest.path.rpartition("/")[0]: manifest.name
        for manifest in manifests
        if manifest.family == "go" and manifest.name
    }


def imports_of(
    sources: Sequence[SourceFacts], paths: Sequence[str], manifests: Sequence[Manifest]
) -> Resolved:
    """Resolve what files import."""
    files = [
        FileImports(source.path, source.language, source.imports, source.typed)
        for source in sources
        if source.imports
    ]
    return resolve(files, frozenset(paths), go_modules(manifests))


def profile(
    sources: Sequence[SourceFacts],
    paths: Sequence[str],
    chosen: Sequence[str],
    manifests: Sequence[Manifest],
    *,
    excluded: int = 0,
    notes: Sequence[str] = (),
) -> Profile:
    """Describe a code base.

    Args:
        sources: what the files that were read show.
        paths: all files of the repository.
        chosen: the source files, read or not.
        manifests: what was declared.
        excluded: how many source files nobody here wrote.
        notes: what the reader should know.

    """
    sources = sorted(sources)
    resolved = imports_of(sources, paths, manifests)
    broken = [
        f"{manifest.path}: {manifest.broken}; what it declares is not known"
        for manifest in manifests
        if manifest.broken
    ]
    named = [manifest for manifest in manifests if manifest.name]
    top = min(named, key=lambda manifest: (manifest.path.count("/"), manifest.path), default=None)
    return Profile(
        top.name if top else "",
        len(chosen),
        len(sources),
        excluded,
        tuple(languages(sources)),
        tuple(claims(sources)),
        libraries(resolved, manifests),
        tuple(tools(paths, manifests)),
        tuple(layout(chosen, {source.path: source.lines for source in sources})),
        figures(sources),
        (*notes, *broken),
    )
