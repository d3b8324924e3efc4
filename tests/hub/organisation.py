"""Repositories of an organisation with memories in them, and a hub that runs as a process."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gitmem import Memory
from tests.e2e.running import COMMAND, environment

if TYPE_CHECKING:
    from tests.conftest import Checkout

SECRET: Final = "signed with this"
ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:(\d+)")
TITLE: Final = "Return connections in a finally block"
MESSAGE: Final = "the pool of connections ran dry behind the proxy"


def trace(file: str, function: str, message: str = MESSAGE) -> str:
    """Write what Python prints of the same failure in somebody's code."""
    return (
        "Traceback (most recent call last):\n"
        f'  File "{file}", line 7, in <module>\n    {function}()\n'
        f'  File "{file}", line 3, in {function}\n    raise PoolError("{message}")\n'
        f"PoolError: {message}\n"
    )


def publishing(repo: "Checkout", name: str = "pool") -> str:
    """Give a repository a memory that publishes an error and what fixed it; give the fix's id."""
    Memory.init(str(repo))
    repo.add(".memory/gitmem.yaml", "format: 1\nsettings:\n  hub.publish: true\n")
    with Memory.open(str(repo)) as memory:
        fields = dict(memory.hint(trace(f"src/{name}.py", "borrow"))[0].seen.fields)
        error = memory.add("error", fields)
        fix = memory.resolve(error.id, {"title": TITLE, "outcome": "worked"})
    repo.commit("what we learnt")
    return fix.id


class Hub:
    """A hub of the command line."""

    def __init__(self, folder: Path, database: str, **environ: str) -> None:
        self.folder = folder
        self.environ = {"GITMEM_HUB_DATABASE": database, "GITMEM_HUB_SECRET": SECRET, **environ}

    def run(self, *arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [COMMAND, "hub", "--at", str(self.folder), *arguments], capture_output=True, text=True,
            env=environment(self.environ), check=False, timeout=100,
        )  # fmt: skip
        assert done.returncode == code, done
        return done.stdout

    @contextmanager
    def serving(self, *arguments: str) -> Iterator[str]:
        """Serve until the end of the block; give the address."""
        process = subprocess.Popen(
            [COMMAND, "hub", "--at", str(self.folder), "serve", *arguments],
            env=environment(self.environ),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert process.stderr
            line = process.stderr.readline()
            address = ADDRESS.search(line)
            assert address, line + process.stderr.read()
            yield address[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
