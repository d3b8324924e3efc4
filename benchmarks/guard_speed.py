"""What it costs to hold a change against the fixes of a memory, as a whole process.

The change is of twenty files that fixes changed, as draws of fixes have them: common files with
many, rare ones with one. One place of each changes: every second one is put back to what it was
before its fix, the others get a line more.
"""

import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from benchmarks.figures import Figure, Options, Subject, gitmem
from benchmarks.measure import Command, rounds, run, sealed
from benchmarks.processes import in_units
from gitmem.diffs import ADDED, REMOVED, Hunk, read_files
from gitmem.memory import Memory
from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Fix

_SECTION: Final = "Holding a change against fixes, whole processes, in P"
_FILES: Final = 20


def measure(subject: Subject, options: Options) -> Iterator[Figure]:
    """Stage a change of twenty files, and ask about it."""
    here = subject.repository

    def git(*arguments: str) -> None:
        subprocess.run(("git", *arguments), cwd=here, env=sealed(), check=True)

    git("checkout", "-q", "--detach")
    hunks = _places(subject)
    for is_change in (False, True):
        for number, (path, places) in enumerate(hunks.items()):
            first = places[0].side(REMOVED if is_change and number % 2 else ADDED)
            sides = [[*first, "    again()"] if is_change else first]
            sides += [place.side(ADDED) for place in places[1:]]
            texts = ["\n".join((f"def part_{at}():", *side, "")) for at, side in enumerate(sides)]
            file = here / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(texts), encoding="utf-8")
        git("add", "-A")
        if not is_change:
            git("commit", "-q", "-m", "Code")
    command = Command(gitmem("guard"), here)
    # A first question brings catalog and index up to date.
    run(command, subject.scratch)
    costs = rounds({"guard": lambda _at: command}, options.runs, subject.scratch)
    yield in_units("guard", _SECTION, f"gitmem guard, {_FILES} files that fixes changed", costs)
    subject.restore()


def _places(subject: Subject) -> dict[str, list[Hunk]]:
    """Give the places that fixes changed in the files of some of them, by the file's name."""
    places: dict[str, list[Hunk]] = defaultdict(list)
    with closing(Memory.open(str(subject.repository))) as memory:
        records = [read_record(memory.workspace, row) for row in memory.list("kind:fix")]
    patches = [read_files(record.patch) for record in records if isinstance(record, Fix)]
    for file in (file for files in patches for file in files):
        places[file.new] += file.hunks
    drawn = dict.fromkeys(
        file.new for files in patches[:: max(len(patches) // _FILES // 2, 1)] for file in files
    )
    return {path: places[path] for path in list(drawn)[:_FILES]}
