"""``make demo``: the whole way on real tools, and nothing is left behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.depth import deep, only_deep

ROOT = Path(__file__).resolve().parents[2]


def _run(tmp_path: Path, *, path: str | None = None) -> subprocess.CompletedProcess[str]:
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    environment = {
        "PATH": os.environ["PATH"] if path is None else path,
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    return subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def _files(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if "__pycache__" not in path.parts
    }


@deep
@only_deep
@pytest.mark.slow
def test_the_demo_shows_the_way_and_leaves_nothing_behind(tmp_path: Path) -> None:
    before = _files(ROOT / "examples")
    done = _run(tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert done.stderr == ""
    assert done.stdout.index("$ gitmem run --") < done.stdout.index("$ gitmem add")
    for line in (
        "$ gitmem init",
        "TypeError: can't subtract offset-naive and offset-aware datetimes",
        "failed      make tools a package",
        "Goal: Round prices like a cash register",
        "note: nothing wrong",
        "Every step worked.",
    ):
        assert line in done.stdout
    assert "\x1b" not in done.stdout
    assert _files(tmp_path / "tmp") == set()
    assert _files(tmp_path / "home") == set()
    assert _files(ROOT / "examples") == before


@deep
@only_deep
@pytest.mark.slow
def test_missing_tools_are_skipped(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("git", "sed", "sh", "touch", "rm"):
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    done = _run(tmp_path, path=str(programs))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert "Skipped, because they are not on this machine: gcc, node, tsc." in done.stdout


def test_without_git_the_demo_says_so(tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    done = _run(tmp_path, path=str(tmp_path / "programs"))
    assert done.returncode == 1
    assert "git is not installed" in done.stderr
