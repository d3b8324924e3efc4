"""A developer at work in a real repository, who watches commands with ``gitmem run``.

What was recorded is compared with what is true. Each comparison is counted, and the figures of
all scenarios are printed at the end (``make scenarios``).
"""

import os
import shutil
import subprocess
from typing import NamedTuple

import pytest

from gitmem.capture.patches import parse_patch
from gitmem.memory import Memory
from tests.conftest import Checkout
from tests.e2e.running import SCRIPTS

SECONDS = 240
COUNTED = (
    "wanted", "right", "recorded", "wrong attributions", "junk", "to be told", "told right", "told",
    "told wrong",
)  # fmt: skip


class Fact(NamedTuple):
    """A fix that is to be recorded.

    Attributes:
        error: words of the error's title.
        lines: what the patch changes, all of it: ``-`` or ``+`` and the line; or, where that
            says nothing, the files that it touches.
        failed: how many failed attempts are recorded with it.

    """

    error: str
    lines: frozenset[str]
    failed: int = 0


def fact(error: str, *lines: str, failed: int = 0) -> Fact:
    """Make a fact."""
    return Fact(error, frozenset(lines), failed)


class Desk:
    """One repository with a memory.

    Args:
        repo: where the work is done.
        counts: counts right and wrong facts.

    """

    def __init__(self, repo: Checkout, counts: dict[str, int]) -> None:
        self.repo = repo
        self._counts = counts
        self.said = ""
        self.env: dict[str, str] = {}

    def at(self, repo: Checkout) -> "Desk":
        """Give the same developer's desk in another checkout."""
        other = Desk(repo, self._counts)
        other.env = self.env
        return other

    def begin(self, **files: str) -> None:
        """Commit files, by name (``__`` for a folder, ``_py`` for an ending), and a memory."""
        self.sh("gitmem init")
        for name, text in files.items():
            self.write(path_of(name), text)
        self.repo.commit("begin")

    def write(self, path: str, text: str) -> None:
        """Write a file; Python compiles it anew, however fast that was."""
        self.repo.add(path, text)
        for cache in self.repo.rglob("__pycache__"):
            shutil.rmtree(cache)

    def swap(self, path: str, old: str, new: str) -> None:
        """Edit a file in one place."""
        text = (self.repo / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        self.write(path, text.replace(old, new))

    def sh(self, line: str, folder: str = ".") -> int:
        """Run a line in a shell, as typed; give its exit code, and keep what it printed."""
        done = subprocess.run(
            ["/bin/bash", "-c", line],
            cwd=self.repo / folder,
            env={
                **os.environ,
                "PATH": f"{SCRIPTS}:{os.environ['PATH']}",
                "PYTHONDONTWRITEBYTECODE": "1",
                # Gradle leaves files there, and Java asks no TMPDIR.
                "GRADLE_OPTS": f"-Djava.io.tmpdir={self.repo.parent}",
                **self.env,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        self.said = done.stdout + done.stderr
        return done.returncode

    def red(self, line: str, folder: str = ".") -> None:
        """Watch a command that fails."""
        assert self.sh(f"gitmem run -- {line}", folder) != 0, self.said

    def green(self, line: str, folder: str = ".") -> None:
        """Watch a command that passes."""
        assert self.sh(f"gitmem run -- {line}", folder) == 0, self.said

    # --- what came of it -----------------------------------------------------------------------

    def recorded(self) -> list[Fact]:
        """Give the fixes that are recorded as having worked."""
        facts = []
        with Memory.open(str(self.repo)) as memory:
            for row in memory.list("kind:error"):
                links = [other for how, other in memory.show(row.id).backlinks if how == "fixes"]
                worked = [other for other in links if other.stated == "worked"]
                for other in worked:
                    patch = parse_patch(str(getattr(memory.show(other.id).record, "patch", "")))
                    lines = frozenset(f"{sign}{line}" for _, sign, line in patch.lines)
                    facts.append(Fact(row.title, lines or patch.names, len(links) - len(worked)))
        return facts

    def drafts(self) -> list[str]:
        """Give the titles of the last fix of each open draft."""
        with Memory.open(str(self.repo)) as memory:
            return [str(draft.fixes[-1]["title"]) for draft in memory.failures.drafts.open()]

    def learnt(self, *facts: Fact) -> None:
        """Check that these are recorded as facts, and no others."""
        left = self.recorded()
        right = []
        for wanted in facts:
            match = next((one for one in left if _says(one, wanted)), None)
            if match:
                left.remove(match)
                right.append(wanted)
        self._counts["wanted"] += len(facts)
        self._counts["right"] += len(right)
        self._counts["recorded"] += len(right) + len(left)
        about = [one for one in left if any(fact.error in one.error for fact in facts)]
        self._counts["wrong attributions"] += len(about)
        self._counts["junk"] += len(left) - len(about)
        assert not left, f"recorded and not so: {left}; {self.said}"
        missing = [one for one in facts if one not in right]
        assert not missing, f"not recorded: {missing}; {self.said}"

    def tells(self, error: str = "", fix: str = "") -> None:
        """Check what the last watched run told as known: one failure with its fix first, or none.

        Args:
            error: words of the failure's title; empty: nothing is to be told as known.
            fix: words of the first fix that is told for it.

        """
        blocks = self.said.split("gitmem: ")[1:]
        known = [block for block in blocks if block.startswith("known")]
        wrong = [block for block in known if not error or error not in block.partition("\n")[0]]
        right = [
            block
            for block in known
            if block not in wrong and fix in "".join(block.splitlines(keepends=True)[1:2])
        ]
        self._counts["told"] += len(known)
        self._counts["told wrong"] += len(wrong)
        self._counts["to be told"] += bool(error)
        self._counts["told right"] += bool(error and right)
        assert not wrong, f"told as known and wrong: {wrong}"
        assert right or not error, f"not told first: {fix}; {self.said}"

    def silent(self) -> None:
        """Check that nothing is recorded as a fix."""
        self.learnt()


def _says(recorded: Fact, wanted: Fact) -> bool:
    same = recorded.lines == wanted.lines and recorded.failed == wanted.failed
    return same and wanted.error in recorded.error


def path_of(name: str) -> str:
    """Turn the name of an argument into a path: ``tests__test_tax_py`` is a file in a folder."""
    return ".".join(name.replace("__", "/").rsplit("_", 1))


def needs(tool: str) -> None:
    """Skip a scenario where a tool is missing."""
    if shutil.which(tool, path=f"{SCRIPTS}:{os.environ['PATH']}") is None:
        pytest.skip(f"there is no {tool} here")
