"""``gitmem log --follow`` as a real process: what it prints, and when it ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.e2e.running import COMMAND, INTERRUPTED, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

HANGS = 60


class Watching:
    """A ``gitmem log --follow`` that is ready."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "log", "--follow", *arguments], cwd=folder, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stderr
        assert "watching" in self.process.stderr.readline()

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().rstrip("\n")

    def end(self) -> str:
        """Press Ctrl-C; give what was said on standard error."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=HANGS)
        return said


@pytest.fixture
def started() -> Iterator[list[Watching]]:
    processes: list[Watching] = []
    yield processes
    for one in processes:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


@pytest.fixture
def world(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.commit("a memory")
    return repo


def swap(path: Path, text: str) -> None:
    """Write a file at once, as no reader can come between emptying and writing."""
    aside = path.parents[4] / "aside.yaml"
    aside.write_text(text)
    aside.replace(path)


def test_each_change_is_a_line_and_a_branch_switch_is_one_too(
    world: "Checkout", started: list[Watching]
) -> None:
    watching = Watching(world)
    started.append(watching)
    with Memory.open(str(world)) as memory:
        made = memory.add("note", {"title": "first", "body": "b"})
        assert watching.line() == f"note {made.id} first added"
        path = world / ".memory" / memory.find(made.id).path
    swap(path, path.read_text().replace("title: first", "title: second"))
    assert watching.line() == f"note {made.id} second changed"
    path.rename(path.with_name(f"other-{made.id}.yaml"))
    path = path.with_name(f"other-{made.id}.yaml")
    swap(path, path.read_text().replace("title: second", "title: third"))
    while "third" not in (line := watching.line()):
        assert line == f"note {made.id} second changed"
    assert line == f"note {made.id} third changed"
    swap(path, "title: [")
    assert watching.line().startswith(f"note {made.id} (can't be read")
    path.unlink()
    assert watching.line().endswith("removed")
    world.git("switch", "-qc", "other")
    assert watching.line() == "HEAD moved to other"
    world.git("switch", "-q", "--detach")
    assert watching.line() == "HEAD moved to no branch"
    said = watching.end()
    assert watching.process.returncode == INTERRUPTED
    assert "Traceback" not in said


def test_json_lines_carry_the_same(world: "Checkout", started: list[Watching]) -> None:
    watching = Watching(world, "--json")
    started.append(watching)
    made = ok(world, "add", "note", "--title", "naïve 😀", "--body", "b")
    said: dict[str, Any] = json.loads(watching.line())
    assert said["id"] in made
    assert (said["format"], said["change"], said["kind"], said["title"]) == (
        1, "added", "note", "naïve 😀",
    )  # fmt: skip
    assert (world / ".memory" / said["path"]).is_file()
    world.git("switch", "-qc", "other")
    assert json.loads(watching.line()) == {"format": 1, "change": "head", "branch": "other"}


def test_switching_branches_tells_what_came_and_went(
    world: "Checkout", started: list[Watching]
) -> None:
    world.git("switch", "-qc", "other")
    ok(world, "add", "note", "--title", "only there", "--body", "b")
    world.commit("a note")
    watching = Watching(world)
    started.append(watching)
    for branch, change in (("main", "removed"), ("other", "added")):
        world.git("switch", "-q", branch)
        lines = {watching.line(), watching.line()}
        assert f"HEAD moved to {branch}" in lines
        (other,) = lines - {f"HEAD moved to {branch}"}
        assert other.endswith(f"only there {change}")


def test_it_ends_when_nobody_reads_any_more(world: "Checkout", started: list[Watching]) -> None:
    watching = Watching(world)
    started.append(watching)
    assert watching.process.stdout
    watching.process.stdout.close()
    assert watching.process.wait(HANGS) == 0


def test_it_dies_with_its_parent(world: "Checkout") -> None:
    """The parent writes the child's id and is killed; a pipe that all hold tells of the end."""
    inner, outer = os.pipe()
    script = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([{COMMAND!r}, 'watch'], stderr=subprocess.PIPE, text=True,"
        f" pass_fds=[{outer}])\n"
        "child.stderr.readline()\n"
        "print('ready', flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=world, stdout=subprocess.PIPE, text=True,
        pass_fds=[outer],
    ) as parent:  # fmt: skip
        os.close(outer)
        assert parent.stdout
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        with os.fdopen(inner, "rb") as pipe:
            assert pipe.read() == b""  # comes when the last holder is gone


def test_without_a_memory_it_says_so(repo: "Checkout") -> None:
    done = run(repo, "log", "--follow")
    assert done.code == 3
    assert "no memory in" in done.err
