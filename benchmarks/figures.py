"""What a measurement gives, and what it is made on."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import child, sealed


class Options(NamedTuple):
    """How thoroughly to measure.

    Attributes:
        runs: of each process.
        questions: of each kind.
        test_seconds: how long the run of tests takes that is observed.
        log_mb: size of the log that is parsed.

    """

    runs: int
    questions: int
    test_seconds: float = 4.0
    log_mb: int = 100


class Figure(NamedTuple):
    """One row of the table.

    Attributes:
        key: its name in the JSON, and in the table of targets.
        section: the heading that it stands under.
        label: what was measured.
        values: one value, or p50 and p99.
        unit: of the values.
        detail: the same in other words.

    """

    key: str
    section: str
    label: str
    values: tuple[float, ...]
    unit: str
    detail: str = ""


class Subject(NamedTuple):
    """A memory to measure."""

    size: int
    folder: Path

    @property
    def repository(self) -> Path:
        """The git repository."""
        return self.folder / "repository"

    @property
    def scratch(self) -> Path:
        """The file that takes what measured programs print."""
        return self.folder / "output"

    def restore(self) -> None:
        """Take back what an earlier run, perhaps a broken one, left behind."""
        for arguments in (("checkout", "-q", "--force", "main"), ("clean", "-fdq")):
            subprocess.run(["git", *arguments], cwd=self.repository, env=sealed(), check=True)


def gitmem(*arguments: str) -> list[str]:
    """Give the command line that starts gitmem as users start it: by the installed script."""
    script = Path(sys.executable).with_name("gitmem")
    start = [str(script)] if script.exists() else [sys.executable, "-m", "gitmem"]
    return [*start, *arguments]


def of_child(module: str, *arguments: object, embedder: str = "off") -> Iterator[Figure]:
    """Run a module that prints its figures, in a process of its own."""
    for key, section, label, values, unit, detail in child(module, *arguments, embedder=embedder):
        yield Figure(key, section, label, tuple(values), unit, detail)


def print_figures(measured: Iterable[Figure]) -> None:
    """Print figures for ``of_child``."""
    json.dump(list(measured), sys.stdout)


def progress(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)
