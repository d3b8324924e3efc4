"""Making a memory of made-up records in a real git repository, once for each size.

The files come out of gitmem's own writer and go into git through ``git fast-import``: one
pack instead of a hundred thousand loose objects, and git itself writes the work tree.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Final

from benchmarks.measure import sealed
from benchmarks.queries import questions
from benchmarks.records import VERSION, Made, Plan, make
from gitmem.memory import Memory

QUESTIONS: Final = 200
"""How many questions of each kind are made."""
REPOSITORY: Final = "repository"
_BATCH: Final = 1000
_PARALLEL_FROM: Final = 5000
_AGE_SECONDS: Final = 3600
_COMMITTED: Final = 1_767_225_600
# Who writes stands where people have it, in git's settings and not in the environment.
_SETTINGS: Final = {"gc.auto": "0", "user.name": "Ada Berg", "user.email": "ada@example.org"}


def folder_name(plan: Plan) -> str:
    """Name the folder that a memory is kept in."""
    seed = "" if plan.seed == 1 else f"-seed{plan.seed}"
    return f"{plan.size}-v{VERSION}{seed}"


def batches(plan: Plan) -> Iterator[list[Made]]:
    """Make all records, in order, in batches; large memories by all processors."""
    starts = range(0, plan.size, _BATCH)
    if plan.size < _PARALLEL_FROM:
        yield from map(_batch, repeat(plan), starts)
        return
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_batch, repeat(plan), starts)


def _batch(plan: Plan, start: int) -> list[Made]:
    return [make(plan, number) for number in range(start, min(start + _BATCH, plan.size))]


def generate(plan: Plan, folder: Path) -> None:
    """Make repository and questions in ``folder``, unless they are there."""
    if folder.is_dir():
        return
    began = time.monotonic()
    new = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(new, ignore_errors=True)
    repository = new / REPOSITORY
    repository.mkdir(parents=True)
    _git(repository, "init", "-q", "-b", "main")
    for key, value in _SETTINGS.items():
        _git(repository, "config", key, value)
    Memory.init(str(repository))
    _git(repository, "add", "-A")
    _git(repository, "commit", "-q", "-m", "Start a memory")
    _import(plan, repository)
    _git(repository, "reset", "-q", "--hard", "main")
    _age(repository)
    questions_text = json.dumps(questions(plan, QUESTIONS), indent=1)
    (new / "questions.json").write_text(questions_text, encoding="utf-8")
    new.rename(folder)
    print(f"{plan.size:,} records made in {time.monotonic() - began:.1f} s", file=sys.stderr)


def _import(plan: Plan, repository: Path) -> None:
    command = ["git", "fast-import", "--quiet"]
    with subprocess.Popen(command, cwd=repository, env=sealed(), stdin=subprocess.PIPE) as process:
        assert process.stdin  # noqa: S101  it was asked for
        for number, batch in enumerate(batches(plan)):
            process.stdin.write(b"".join(_commit(number, batch)))
            print(f"  {number * _BATCH + len(batch):,} records", file=sys.stderr)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def _commit(number: int, batch: list[Made]) -> Iterator[bytes]:
    message = b"Add what was learnt\n"
    yield b"commit refs/heads/main\n"
    yield b"committer Ada Berg <ada@example.org> %d +0000\n" % (_COMMITTED + 60 * number)
    yield b"data %d\n%s\n" % (len(message), message)
    if number == 0:
        yield b"from refs/heads/main^0\n"
    for path, data in batch:
        yield b"M 100644 inline .memory/%s\ndata %d\n" % (path.encode(), len(data))
        yield data + b"\n"


def _age(repository: Path) -> None:
    """Set file times back: files as young as their reading would be compared by content."""
    when = time.time() - _AGE_SECONDS
    for folder, _, names in os.walk(repository / ".memory"):
        for name in names:
            os.utime(os.path.join(folder, name), (when, when))
    _git(repository, "update-index", "-q", "--refresh")


def _git(repository: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=repository, env=sealed(), check=True)


def main() -> None:
    """Make a memory, and print the name of its folder as JSON."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("size", type=int)
    parser.add_argument("build", type=Path, help="folder to make it in")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    plan = Plan(given.size, given.seed)
    generate(plan, given.build.resolve() / folder_name(plan))
    json.dump(folder_name(plan), sys.stdout)


if __name__ == "__main__":
    main()
