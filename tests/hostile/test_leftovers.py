"""What killed processes left: it goes with the next write, and stands in no one's way."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.temporary import make_folder, temporary_folder
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
DAYS = 2 * 86_400


def age(path: Path, seconds: float) -> None:
    """Make a file as old as if it had been left long ago."""
    os.utime(path, (time.time() - seconds,) * 2)


def test_the_next_write_takes_away_what_a_killed_one_left(repo: "Checkout") -> None:
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "a")
    folder = next((repo / ".memory/notes").rglob("*.yaml")).parent
    old = folder / ".b-note-1234567890.yaml0123456789ab.tmp"
    old.write_bytes(b"half a rec")
    age(old, 4000)
    young = folder / ".c-note-1234567890.yaml0123456789ab.tmp"
    young.write_bytes(b"being written")
    ok(repo, "add", "note", "--title", "d")
    assert not old.exists()
    assert young.exists()


def test_an_init_that_was_killed_is_done_again(repo: "Checkout") -> None:
    (repo / ".memory").mkdir()
    (repo / ".memory/.gitmem.yaml0123456789ab.tmp").write_bytes(b"form")
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "a")


def test_what_is_no_leftover_of_ours_still_stands_in_the_way(repo: "Checkout") -> None:
    (repo / ".memory").mkdir()
    (repo / ".memory/graph.json").write_bytes(b"{}")
    with pytest.raises(AssertionError, match="belongs to another tool"):
        ok(repo, "init")


def test_a_merge_takes_away_what_a_killed_one_left(repo: "Checkout") -> None:
    ok(repo, "init")
    left = repo / ".merge_file_Ab12Cd.gitmem"
    left.write_bytes(b"x")
    age(left, 4000)
    for name in ("base", "ours", "theirs"):
        (repo / name).write_text("title: a\n")
    ok(repo, "merge-driver", "base", "ours", "theirs")
    assert not left.exists()


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_folders_of_killed_processes_go_those_of_others_stay(base: Path) -> None:
    code = "from gitmem.temporary import make_folder; print(make_folder())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "TMPDIR": str(base)})  # fmt: skip
    dead = Path(done.stdout.strip())
    assert dead.parent == base
    ours = Path(make_folder())
    foreign = base / "gitmem-notes"
    foreign.mkdir()
    for folder in (dead, ours, foreign):
        age(folder, DAYS)
    with temporary_folder() as folder_now:
        assert Path(folder_now).is_dir()
        assert not dead.exists()
        assert ours.exists()
        assert foreign.exists()
    assert not Path(folder_now).exists()


def test_a_young_one_may_belong_to_a_container(base: Path) -> None:
    dead = base / "gitmem-999999999-abcdefgh"
    dead.mkdir()
    with temporary_folder():
        assert dead.exists()
