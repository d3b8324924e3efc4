"""Two installed versions of gitmem on one clone: an editor's and a terminal's, for example."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gitmem
from gitmem.sync.folder import CATALOG
from gitmem.system import lock
from scripts.keep_store import Version

if TYPE_CHECKING:
    from tests.conftest import Checkout

PACKAGE = Path(gitmem.__file__).parent
DAYS = 24 * 3600
HOLDING = (
    "from gitmem.memory import Memory\n"
    "with Memory.open('.') as memory, memory.workspace.one_at_a_time(): print('held')"
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def today(home: Path) -> Version:
    return Version(PACKAGE.parent, home)


def other_version(home: Path, part: str) -> Version:
    """Give a gitmem that differs from this one by the version of a part of it."""
    top = home.parent / f"other-{part}"
    (top / "gitmem").mkdir(parents=True)
    for path in PACKAGE.iterdir():
        if path.name not in {part, "__pycache__"}:
            (top / "gitmem" / path.name).symlink_to(path)
    changed = 0
    shutil.copytree(PACKAGE / part, top / "gitmem" / part)
    for path in (top / "gitmem" / part).rglob("*.py"):
        text, count = re.subn(r"(?m)^(_?VERSION: Final = )\d+$", r"\g<1>99", path.read_text())
        path.write_text(text)
        changed += count
    assert changed
    return Version(top, home)


@pytest.fixture
def world(repo: "Checkout", today: Version) -> "Checkout":
    today.ok(repo, "init")
    today.ok(repo, "add", "note", "--title", "pumps overheat")
    return repo


def folders(world: Path) -> list[Path]:
    """Give the folders that hold a catalog."""
    return sorted(path.parent for path in (world / ".git" / "gitmem").rglob(CATALOG))


def age(folder: Path, days: float) -> None:
    then = time.time() - days * DAYS
    os.utime(folder, (then, then))


def asked(version: Version, world: Path) -> None:
    for question in (("list",), ("search", "overheat")):
        answer = version.run(world, *question)
        assert "pumps overheat" in answer.stdout
        assert answer.stderr == ""


@pytest.mark.parametrize("part", ["catalog", "matching", "index"])
def test_versions_that_take_turns_build_their_state_once_each(
    world: "Checkout", home: Path, today: Version, part: str
) -> None:
    other = other_version(home, part)
    for version in (today, other):
        asked(version, world)
    for folder in folders(world):
        with closing(sqlite3.connect(folder / CATALOG, isolation_level=None)) as catalog:
            catalog.execute("INSERT INTO meta VALUES ('mark', 'of the first')")
        (folder / "index" / "mark").touch()
    for _ in range(2):
        for version in (today, other):
            asked(version, world)
    marked = 0
    for folder in folders(world):
        with closing(sqlite3.connect(folder / CATALOG)) as catalog:
            marks = catalog.execute("SELECT value FROM meta WHERE key = 'mark'").fetchall()
        marked += bool(marks) and (folder / "index" / "mark").exists()
    assert marked == 2


def test_what_one_version_wrote_the_other_finds(
    world: "Checkout", home: Path, today: Version
) -> None:
    other = other_version(home, "catalog")
    asked(today, world)
    asked(other, world)
    today.ok(world, "add", "note", "--title", "valves leak")
    other.ok(world, "add", "note", "--title", "gauges lie")
    for version in (today, other):
        titles = version.ok(world, "list")
        assert "valves leak" in titles
        assert "gauges lie" in titles
        assert version.ok(world, "index", "verify") == ""


def test_state_that_no_version_has_used_for_two_weeks_is_removed(
    world: "Checkout", home: Path, today: Version
) -> None:
    asked(other_version(home, "matching"), world)
    (unused,) = folders(world)
    asked(other_version(home, "index"), world)
    (held,) = {*folders(world)} - {unused}
    asked(other_version(home, "catalog"), world)
    (recent,) = {*folders(world)} - {unused, held}
    asked(today, world)
    (own,) = {*folders(world)} - {unused, held, recent}
    before_versions = own.with_name("derived")
    shutil.copytree(own, before_versions)
    stranger = own.with_name("derivation")
    stranger.mkdir()
    for folder, days in ((unused, 15), (before_versions, 15), (held, 15), (recent, 13), (own, 15),
                         (stranger, 99)):  # fmt: skip
        age(folder, days)

    with lock(str(held / "lock"), 0):
        today.ok(world, "add", "note", "--title", "valves leak")
        asked(today, world)
        assert folders(world) == sorted([held, recent, own])
    assert stranger.exists()
    today.ok(world, "add", "note", "--title", "gauges lie")
    asked(today, world)
    assert folders(world) == sorted([recent, own])


def test_state_that_is_only_read_counts_as_used(
    world: "Checkout", home: Path, today: Version
) -> None:
    other = other_version(home, "catalog")
    asked(today, world)
    (own,) = folders(world)
    with closing(sqlite3.connect(own / CATALOG)) as server:  # the next opens no new file
        server.execute("SELECT * FROM meta").fetchall()
        age(own, 15)
        today.ok(world, "list")
        asked(other, world)
        assert own in folders(world)
        assert len(folders(world)) == 2


def test_all_versions_store_under_one_lock(world: "Checkout", home: Path, today: Version) -> None:
    locks: set[Path] = set()
    for version in (today, other_version(home, "catalog")):
        done = subprocess.run(
            [sys.executable, "-c", HOLDING],
            cwd=world, env=version.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.stdout == "held\n", done.stderr
        locks.update((world / ".git").rglob("storing.lock"))
    assert len(locks) == 1


def test_outside_git_each_version_has_its_own_state(home: Path, today: Version) -> None:
    plain = home.parent / "plain"
    plain.mkdir()
    today.ok(plain, "init")
    today.ok(plain, "add", "note", "--title", "pumps overheat")
    other = other_version(home, "catalog")
    asked(today, plain)
    asked(other, plain)
    assert len([*(home / ".cache" / "gitmem").glob(f"*/{CATALOG}")]) == 2
