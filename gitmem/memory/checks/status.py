"""The status of a memory: counts and a few lines."""

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from gitmem.memory.checks.problems import problems
from gitmem.memory.core.ignored import CODE
from gitmem.memory.core.site import Site
from gitmem.memory.failures.shown_counts import shown_counts
from gitmem.records.yaml_reader import FAST

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.layered import LayeredReader
    from gitmem.records.problems import Problem


class MemoryStatus(NamedTuple):
    """What a memory holds and how it is.

    Attributes:
        site: where it is, with its settings.
        counts: (kind, status as lists show it, how many).
        problems: how many there are of each severity.
        notices: what slows gitmem down or is in its way, a line each.

    """

    site: Site
    counts: list[tuple[str, str, int]]
    problems: dict[str, int]
    notices: list[str]


def status(reader: "LayeredReader") -> MemoryStatus:
    """Count what is there, and tell what slows gitmem down or is in its way."""
    workspace = reader.workspace
    site = workspace.site
    counts = shown_counts(workspace)
    faults = problems(reader, secrets=False)
    severities: Counter[str] = Counter(problem.severity for problem in faults)
    return MemoryStatus(site, counts, dict(severities), notices(workspace, faults))


def notices(workspace: "Workspace", faults: "list[Problem]") -> list[str]:
    """Tell what slows gitmem down or is in its way, a line each."""
    site = workspace.site
    lines = list(workspace.notices)
    lines += [f"{fault.message}; {fault.hint}" for fault in faults if fault.code == CODE]
    if not FAST:
        lines.append("PyYAML has no libyaml here: reading records is about 15 times slower")
    if site.git_dirs is None:
        why = site.broken_git() or "not a git repository"
        lines.append(f"{why}: no history, no branches")
    elif site.derived is None:
        lines.append("no writable folder for the index: every command reads all files")
    return lines


class MeaningState(NamedTuple):
    """What tells nearness in meaning: the embedder's name, empty for none, and its records."""

    embedder: str
    with_vector: int
    records: int


def meaning_state(workspace: "Workspace") -> MeaningState:
    """Count the records whose vectors there are."""
    catalog = workspace.derived.catalog(workspace.progress)
    derived = workspace.derived
    vectors = derived.sentences if derived.sentences.embedder() else derived.meaning
    embedder = vectors.embedder()
    records = len(catalog.record_paths())
    if embedder is None:
        return MeaningState("", 0, records)
    missing = len(catalog.vector_backlog(vectors.of))
    there = records - missing if catalog.vectors_by(vectors.of) == embedder.name else 0
    return MeaningState(embedder.name, there, records)
