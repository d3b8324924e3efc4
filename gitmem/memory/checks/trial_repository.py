"""A small temporary repository with a memory, for trials."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

from gitmem.git.command import sealed_environment
from gitmem.system import program

SECONDS: Final = 60
"""A command that takes longer has failed."""


class TrialFailed(Exception):  # noqa: N818  a finding
    """A way does not work; carries what was found."""


class World:
    """A small repository with a memory, to try things in.

    Args:
        folder: an empty folder.
        environ: settings named in it (``GITMEM_…``) are in force there, and nothing else is.
        here: the folder that gitmem was called in, where it is looked up what is set up.

    Raises:
        TrialFailed: git or gitmem does not work.

    """

    def __init__(self, folder: str, environ: Mapping[str, str], here: str) -> None:
        self.folder = folder
        self.here = here
        who = {"NAME": "gitmem doctor", "EMAIL": "doctor@example.invalid"}
        self.environ = {
            **sealed_environment(),
            **{name: value for name, value in environ.items() if name.startswith("GITMEM_")},
            **{f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
               for what, value in who.items()},
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        self.environ.pop("GITMEM_SESSION", None)
        self.must("git", "init", "-q", "-b", "main")
        # The user's may name a folder of hooks for all repositories: ours go into no such folder.
        self.must("git", "config", "core.hooksPath", ".git/hooks")
        self.gitmem("init")
        self.commit()

    def run(self, *command: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a command here."""
        return subprocess.run(  # noqa: S603  ours and git, in a folder of our own
            [program(command[0]), *command[1:]],
            cwd=self.folder,
            env=self.environ,
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=SECONDS,
        )

    def must(self, *command: str, code: int = 0, stdin: str = "") -> str:
        """Run a command that must end with a code; give its output."""
        done = self.run(*command, stdin=stdin)
        if done.returncode != code:
            output = (done.stderr or done.stdout).strip().splitlines()
            name = " ".join(command[:4]).replace(sys.executable, "python")
            raise TrialFailed(
                f"{name} ended with {done.returncode}: {output[-1] if output else 'silently'}"
            )
        return done.stdout

    def gitmem(self, *arguments: str, code: int = 0, stdin: str = "") -> str:
        """Run gitmem itself."""
        return self.must(sys.executable, "-P", "-m", "gitmem", *arguments, code=code, stdin=stdin)

    def json(self, *arguments: str) -> Any:  # noqa: ANN401
        """Run gitmem, and read its answer."""
        return json.loads(self.gitmem(*arguments, "--json"))

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        full = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self) -> None:
        """Commit everything."""
        self.must("git", "add", "-A")
        self.must("git", "commit", "-q", "--no-verify", "-m", "doctor")
