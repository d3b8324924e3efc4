"""``gitmem run`` ends as its command does, whatever happens to gitmem itself."""

import os
import resource
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import COMMAND, environment, ok

assert sys.platform != "win32"  # it needs signals, forks or terminals of Unix

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")


def limited(
    folder: "Checkout", what: int, to: int, *words: str
) -> "subprocess.CompletedProcess[str]":
    def limit() -> None:
        resource.setrlimit(what, (to, to))

    return subprocess.run(
        [COMMAND, *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )


@pytest.mark.parametrize("megabytes", [22, 26, 30, 34, 38, 42, 46, 50, 60])
def test_with_little_memory(repo: "Checkout", megabytes: int) -> None:
    """With 30 MB it ended with 1 and a traceback, though the command had said 3."""
    ok(repo, "init")
    words = ("run", "--", "sh", "-c", "echo out; exit 3")
    done = limited(repo, resource.RLIMIT_AS, megabytes << 20, *words)
    if "out" not in done.stdout:
        pytest.skip("not even Python starts, or no shell, with so little")
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("handles", range(6, 20))
def test_with_few_handles(repo: "Checkout", handles: int) -> None:
    """With 9 handles it ended with 134 or 6."""
    ok(repo, "init")
    done = limited(repo, resource.RLIMIT_NOFILE, handles, "run", "--", "sh", "-c", "exit 3")
    if "Fatal Python error" in done.stderr or "ImportError" in done.stderr:
        pytest.skip("not even Python starts with so few")
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("megabytes", [30, 38, 45, 52])
def test_what_needs_more_memory_says_so_in_a_line(repo: "Checkout", megabytes: int) -> None:
    """``search`` and ``index rebuild`` ended with the traceback of a MemoryError."""
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "x", "--body", "x")
    for words in (("search", "x"), ("index", "rebuild"), ("check",), ("doctor",), ("log",)):
        done = limited(repo, resource.RLIMIT_AS, megabytes << 20, *words)
        assert "Traceback" not in done.stderr, (words, done.stderr)


@pytest.mark.skipif(not shutil.which("prlimit"), reason="there is no prlimit here")
def test_a_server_with_little_memory_says_nothing_of_a_thread(repo: "Checkout") -> None:
    """What ``serve`` prepares beside its answers ended in the traceback of a MemoryError."""
    ok(repo, "init")
    with (repo.parent / "log").open("w+") as log:
        served = subprocess.Popen(
            ["prlimit", f"--as={60 << 20}", COMMAND, "serve", "--no-browser", "--port", "0"],
            cwd=repo, env=environment(), stdout=log, stderr=log,
        )  # fmt: skip
        with suppress(subprocess.TimeoutExpired):
            served.wait(4)
        served.terminate()
        served.wait()
        log.seek(0)
        assert "Traceback" not in log.read()


def test_a_command_that_is_not_there_is_said_as_ever(repo: "Checkout") -> None:
    ok(repo, "init")
    done = subprocess.run(
        [COMMAND, "run", "--", "no-such-program-anywhere"],
        cwd=repo, env=dict(os.environ), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 127
    assert "command not found" in done.stderr
