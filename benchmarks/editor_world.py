"""What the editor has open: made-up files with diagnostics, some of which the memory knows."""

import os
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.lsp_client import Client
from benchmarks.records import Plan, make
from gitmem.memory import Memory
from gitmem.records.convert import encode, from_data
from gitmem.records.layout import make_id, path_for

CODE: Final = "Mend what was not defined"
"""The message of a commit."""
_NAMES: Final = (
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty",
)  # fmt: skip
_KNOWN: Final = (3, 9)
_NEW: Final = (5, 6, 12)
_ID: Final = 15
_EMPTY: Final = 17
_LINES: Final = 40
_COLUMN: Final = 6
_OTHERS: Final = 8
"""A seed of other records than those that are there."""
_MEMORY: Final = ".memory"

Place = tuple[Path, int, int]


class World(NamedTuple):
    """What was planted.

    Attributes:
        repository: the repository.
        errors: the error that is known of each file's diagnostics, by file.

    """

    repository: Path
    errors: dict[Path, str]

    def diagnostics(self) -> list[Place]:
        """Give the places of the diagnostics of which something is known."""
        return [(path, line, _COLUMN + 2) for path in self.errors for line in _KNOWN]

    def ids(self) -> list[Place]:
        """Give the places where a record is named."""
        return [(path, _ID, 6) for path in self.errors]

    def nothing(self) -> list[Place]:
        """Give places of which nothing is known: half of them are new diagnostics."""
        return [(path, line, _COLUMN + 2) for path in self.errors for line in (_EMPTY, _NEW[0])]

    def write_fix(self, number: int) -> str:
        """Write a fix of the first error as git does, past gitmem; give a text that is in it."""
        approach = f"benchmark mending {number}"
        digest = blake2b(approach.encode(), digest_size=7).digest()
        now = datetime.now(UTC)
        record = from_data({
            "kind": "fix", "id": make_id("fix", digest), "title": approach, "approach": approach,
            "created": now.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            "author": {"name": "Ada Berg"},
            "outcome": "worked", "links": {"fixes": [next(iter(self.errors.values()))]},
        })  # fmt: skip
        inside = path_for("fix", record.id, record.title, record.created)
        path = self.repository / _MEMORY / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        new.write_bytes(encode(record))
        os.replace(new, path)
        return approach


def planted(repository: Path) -> World:
    """Record an error of each file that will be open, and two fixes: one failed, one worked."""
    errors: dict[Path, str] = {}
    with Memory.open(str(repository)) as memory:
        for name in _NAMES:
            path = repository / f"{name}.py"
            log = f"{path}:{_KNOWN[0] + 1}:{_COLUMN + 1} - error: {_message(name)}\n"
            (written,) = memory.failures.capture([log], command="pyright", record=True).written
            memory.resolve(written, {"approach": "wait a little", "outcome": "failed"})
            memory.resolve(written, {"approach": f"import {name}", "patch": _patch(name)})
            errors[path] = written
        memory.checks.catch_up()
    return World(repository, errors)


def begin(client: Client, world: World) -> None:
    """Open all files and hand their diagnostics on."""
    for path, error in world.errors.items():
        lines = [f"print({path.stem}_{number})" for number in range(_LINES)]
        lines[_ID], lines[_EMPTY] = f"# see {error}", ""
        client.open(path, "\n".join(lines) + "\n")
        diagnostics = [_diagnostic(line, _message(path.stem)) for line in _KNOWN]
        diagnostics += [
            _diagnostic(line, f"Nobody saw {path.stem} on line {line} before") for line in _NEW
        ]
        params = {"uri": path.as_uri(), "version": 1, "diagnostics": diagnostics}
        client.notify("gitmem/diagnostics", params)


def burst(repository: Path, count: int) -> None:
    """Write so many new records, one file at a time."""
    plan = Plan(count, seed=_OTHERS)
    for inside, data in (make(plan, number) for number in range(count)):
        path = repository / _MEMORY / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _message(name: str) -> str:
    # Words that differ: quoted names are masked, and all files would share one error.
    return f"Module {name} has no attribute that is called so (reportAttributeAccessIssue)"


def _patch(name: str) -> str:
    return f"--- a/{name}.py\n+++ b/{name}.py\n@@ -1 +1,2 @@\n+import {name}\n print({name}_0)\n"


def _diagnostic(line: int, message: str) -> dict[str, Any]:
    text, _, code = message.partition(" (")
    ends = {"line": line, "character": _COLUMN}, {"line": line, "character": _COLUMN + 5}
    return {
        "range": {"start": ends[0], "end": ends[1]}, "severity": 1, "source": "Pyright",
        "message": text, "code": code.rstrip(")") or "reportNew",
    }  # fmt: skip
