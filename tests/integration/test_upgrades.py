"""What earlier versions wrote is opened by today's gitmem, and what it writes by the newest two.

Another version is one command: ``python scripts/keep_store.py VERSION``.
"""

import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gitmem
from scripts.keep_store import STORES, TOTAL, Failure, Version, answers, code_of, place, tell
from tests.answers import derived_folder
from tests.depth import sampled

KEPT: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in STORES.glob("*.json")
}
NEWEST = sorted(KEPT, key=lambda name: (KEPT[name]["day"], name))[-2:]
SECONDS = 300
pytestmark = [pytest.mark.timeout(SECONDS), pytest.mark.slow]


@pytest.fixture
def top() -> Iterator[Path]:
    """Give the folder in which the kept stores were written, with an empty home in it."""
    with place() as folder:
        (folder / "home").mkdir()
        yield folder


@pytest.fixture
def today(top: Path) -> Version:
    """Give the gitmem under test: that of this environment."""
    return Version(Path(gitmem.__file__).parents[1], top / "home")


def unpacked(name: str, top: Path) -> Path:
    """Lay a kept store out, with the home of its user."""
    with tarfile.open(STORES / f"{name}.tar.gz") as tar:
        tar.extractall(top, filter="data")
    return top / "shop"


@sampled(1)
@pytest.mark.parametrize("name", sorted(KEPT))
def test_a_kept_store_holds_what_its_version_said(name: str, top: Path, today: Version) -> None:
    shop = unpacked(name, top)
    assert today.ok(shop, "check") == ""
    assert answers(today, shop) == KEPT[name]["expected"]
    shutil.rmtree(derived_folder(shop))
    assert answers(today, shop) == KEPT[name]["expected"]
    assert "no marble here" in today.ok(shop, "search", "marble")
    assert "no copper here" in today.ok(shop, "search", "copper")
    (draft, *_) = today.ok(shop, "drafts").split()
    today.ok(shop, "drafts", "keep", draft)
    assert answers(today, shop)["drafts"] == KEPT[name]["expected"]["drafts"] - 1
    error = today.ok(shop, "add", "error", "--type", "OSError", "--message", "no amber").split()[0]
    today.ok(shop, "resolve", error, "bring amber")
    # Begun when the store was kept: without this, a day after that it counts as left open.
    today.ok(shop, "config", "session.max_hours", "1000000", "--user")
    today.ok(shop, "session", "end", "--success")
    assert today.ok(shop, "check") == ""


@sampled(2)
@pytest.mark.parametrize("name", sorted(KEPT))
def test_what_it_recorded_is_known_at_once(name: str, top: Path, today: Version) -> None:
    """Fingerprints are derived: other rules of today's change no file, and lose no record."""
    shop = unpacked(name, top)
    before = {path: path.read_bytes() for path in (shop / ".memory").rglob("*.yaml")}
    assert "bring marble" in today.ok(shop, "hint", stdin="OSError: no marble here\n")
    (shop / "tax.py").write_text(TOTAL, encoding="utf-8")
    told = today.run(shop, "run", "--", "python3", "tax.py")
    assert "gitmem: known  NameError: name 'rate' is not defined" in told.stderr, told.stderr
    assert "rate = 2" in told.stderr
    assert {path: path.read_bytes() for path in before} == before


@sampled(1)
@pytest.mark.parametrize("name", sorted(KEPT))
@pytest.mark.parametrize(
    "way", [("backup restore", "backup.gz"), ("import", "export.json")], ids="-".join
)
def test_its_backup_and_its_export_fill_an_empty_memory(
    name: str, way: tuple[str, str], top: Path, today: Version
) -> None:
    command, file = way
    shop = unpacked(name, top)
    if not (shop / file).exists():
        pytest.skip(f"{name} has no {command}")
    empty = top / "empty"
    empty.mkdir()
    today.ok(empty, "init")
    today.ok(empty, *command.split(), str(shop / file))
    assert answers(today, empty)["records"] == KEPT[name]["expected"]["records"]
    assert today.ok(empty, "check") == ""


@pytest.fixture(params=NEWEST)
def earlier(request: pytest.FixtureRequest, top: Path) -> Version:
    """Give a version that was kept, from the history of this repository."""
    commit = KEPT[request.param]["commit"]
    try:
        return Version(code_of(commit, top / "code"), top / "home")
    except Failure as failure:
        if "GITMEM_RELEASE_CHECK" in os.environ:
            raise
        pytest.skip(f"no history here: {failure}")


@sampled(1)
def test_an_earlier_version_opens_what_todays_writes(
    earlier: Version, today: Version, top: Path
) -> None:
    shop = top / "shop"
    shop.mkdir()
    story = tell(today, shop)
    assert story.lacking == []
    assert answers(earlier, shop) == story.expected
    assert "no marble here" in earlier.ok(shop, "search", "marble")
    assert "no copper here" in earlier.ok(shop, "search", "copper")
    assert earlier.ok(shop, "check") == ""
    for command, file in (("restore", "backup.gz"), ("import", "export.json")):
        empty = top / command
        empty.mkdir()
        earlier.ok(empty, "init")
        earlier.ok(empty, command, str(shop / file))
        assert answers(earlier, empty)["records"] == story.expected["records"]
    # And back: what it adds is today's again.
    earlier.ok(shop, "add", "note", "--title", "written by the earlier one")
    earlier.ok(shop, "session", "end", "--success")
    assert "written by the earlier one" in today.ok(shop, "list")
    assert today.ok(shop, "check") == ""
