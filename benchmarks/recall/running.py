"""Run a small program where nothing tells whose machine it is, and mask what varies."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from benchmarks.recall.programs import Program

MOST_LINES: Final = 60
_SECONDS: Final = 120
_VARYING: Final = (
    (r"0x[0-9a-f]{6,}", "0x7f0000001000"),
    (r"==\d+==", "==4711=="),
    (r"\(pid \d+\)", "(pid 4711)"),
    (r"'main' \(\d+\) panicked", "'main' (4711) panicked"),
    (r"\bin \d+\.\d+s\b", "in 0.10s"),
    (r"/tmp/cc\w+\.o", "ccAbCdEf.o"),  # noqa: S108  what gcc prints
    (r"~/\.npm/_logs/\S+", "~/.npm/_logs/debug-0.log"),
    (r"BuildId: \w+", "BuildId: 0"),
    (r"/\S*/site-packages/", "venv/lib/python/site-packages/"),
    (r"/\S*/lib/(python\d\.\d+)/", r"/usr/lib/\1/"),
    (r"(?m)^(rootdir|plugins|platform|cachedir)\b.*\n", ""),
    (r"\x1b\[[0-9;]*m", ""),
)
"""What differs between two runs, and what stands there instead."""


class MissingToolError(Exception):
    """A tool that a program needs is not on this machine."""


def output(program: Program) -> str:
    """Run it in an empty folder called ``project``; give what it printed, masked and bounded.

    Raises:
        MissingToolError: the tool or its version is not here.

    """
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)  # noqa: S103  one program runs as another user
        project, home, tools = (os.path.join(top, name) for name in ("project", "home", "bin"))
        for folder in (project, home, tools):
            os.mkdir(folder)
        for path, text in program.files.items():
            target = os.path.join(project, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run(
            ["bash", "-c", program.run.replace("{project}", project)],
            cwd=project,
            env=_environment(program, home, tools),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
        printed = done.stdout.decode(errors="replace")
        if done.returncode == 0:
            raise ValueError(f"{program.name} did not fail: {program.run}\n{printed}")
        words_for = {project: "project", tools: "/usr/bin", home: "~", top: "project"}
        return masked(printed, words_for)


def masked(text: str, words_for: Mapping[str, str]) -> str:
    """Replace folders and everything that varies; keep the first and last lines of a long one."""
    for path in sorted(words_for, key=len, reverse=True):
        text = text.replace(path, words_for[path])
    for pattern, instead in _VARYING:
        text = re.sub(pattern, instead, text)
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    if len(lines) > MOST_LINES:
        half = MOST_LINES // 2
        lines = [*lines[:half], "...", *lines[-half:]]
    return "\n".join(lines) + "\n"


def _environment(program: Program, home: str, tools: str) -> dict[str, str]:
    """Give an environment that says nothing about this machine but where the tools are."""
    path = os.pathsep.join((tools, os.path.dirname(sys.executable), os.environ["PATH"]))
    version = program.versions.get("python", "3.11")
    python = shutil.which(f"python{version}")
    if not python:
        raise MissingToolError(f"{program.name} needs python{version} on the PATH")
    os.symlink(python, os.path.join(tools, "python"))
    path = _java(program, path)
    identity = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
                for what, value in (("NAME", "Ann"), ("EMAIL", "ann@example.org"),
                                    ("DATE", "2026-01-05T09:00:00Z"))}  # fmt: skip
    rust = os.environ.get("RUSTUP_HOME") or os.path.expanduser("~/.rustup")
    return {"PATH": path, "HOME": home, "LANG": "C.UTF-8", "TZ": "UTC", "RUSTUP_HOME": rust,
            "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1", "COLUMNS": "100",
            "PYTHONDONTWRITEBYTECODE": "1", **identity}  # fmt: skip


def _java(program: Program, path: str) -> str:
    version = program.versions.get("java")
    if not version:
        return path
    folders = sorted(glob.glob(f"/usr/lib/jvm/*-{version}-*/bin"))
    if not folders:
        raise MissingToolError(f"{program.name} needs Java {version} in /usr/lib/jvm")
    return os.pathsep.join((folders[0], path))


@contextmanager
def naming(program: Program) -> Iterator[None]:
    """Name the program in what goes wrong with it."""
    try:
        yield
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingToolError(f"{program.name}: {error}") from error
