"""Taking from real repositories: shallow, bare, without contents, by differences."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.parts.hub.protocol import Seen
from gitmem.parts.hub.scan import ScanHub
from gitmem.parts.hub.taking import SourceRepository, Taker
from gitmem.records.convert import encode, from_data
from gitmem.records.layout import path_for
from tests.random_records import record

if TYPE_CHECKING:
    from gitmem.parts.hub.protocol import Engine
    from tests.conftest import Checkout

ONE = "payments/api"
MINE = Seen(repositories=frozenset({ONE}))
PUBLISHES = "format: 1\nsettings:\n  hub.publish: true\n"

pytestmark = pytest.mark.usefixtures("sealed_git")


def publishing(repo: "Checkout", more: str = "") -> None:
    repo.add(".memory/gitmem.yaml", PUBLISHES + more)


def write(
    repo: "Checkout", rng: Random, number: int = 1, kind: str | None = None, **fields: object
) -> list[str]:
    """Write records as files; give their paths below the memory's folder."""
    paths = []
    for _ in range(number):
        made = from_data({**record(rng, [], kind), **fields})
        path = path_for(made.kind, made.id, made.title, made.created)
        repo.add(f".memory/{path}", encode(made))
        paths.append(path)
    return paths


@pytest.fixture
def taker(engine: "Engine", tmp_path: Path) -> Taker:
    return Taker(engine, str(tmp_path / "clones"))


def equal_to_git(engine: "Engine", taker: Taker, repo: "Checkout", name: str = ONE) -> None:
    """Hold what the hub has against git, asked in another way than taking does."""
    listed = repo.git("ls-tree", "-r", "HEAD", ".memory/").splitlines()
    there = {line.partition("\t")[2]: line.split()[2] for line in listed}
    records = {
        path.removeprefix(".memory/"): blob
        for path, blob in there.items()
        if not path.endswith("gitmem.yaml")
    }
    assert {path: kept.blob for path, kept in engine.ids(name).items()} == records
    assert taker.differences(SourceRepository(name, str(repo))) == []


def test_only_what_is_new_or_gone_is_taken(
    engine: "Engine", taker: Taker, repo: "Checkout"
) -> None:
    rng = Random(1)
    publishing(repo)
    paths = write(repo, rng, 30)
    repo.commit()
    where = SourceRepository(ONE, str(repo))
    assert taker.take(where)[2:4] == (30, 0)
    assert taker.take(where)[2:4] == (0, 0)
    assert taker.take(where, compare=True)[2:4] == (0, 0)
    equal_to_git(engine, taker, repo)
    (repo / ".memory" / paths[0]).unlink()
    changed = repo / ".memory" / paths[1]
    changed.write_bytes(changed.read_bytes().replace(b"title: ", b"title: changed ", 1))
    moved = (repo / ".memory" / paths[2]).with_name(f"moved-{Path(paths[2]).name}")
    (repo / ".memory" / paths[2]).rename(moved)
    write(repo, rng, 2)
    repo.commit()
    taken = taker.take(where)
    assert taken[2:4] == (4, 3)
    assert taken.held == ()
    equal_to_git(engine, taker, repo)


def test_a_forced_push_needs_no_case_of_its_own(
    engine: "Engine", taker: Taker, repo: "Checkout"
) -> None:
    rng = Random(2)
    publishing(repo)
    write(repo, rng, 5)
    first = repo.commit()
    write(repo, rng, 5)
    repo.commit()
    where = SourceRepository(ONE, str(repo))
    taker.take(where)
    repo.git("reset", "-q", "--hard", first)
    write(repo, rng, 1)
    repo.commit("another history", "--amend")
    taker.take(where)
    equal_to_git(engine, taker, repo)
    repo.git("reset", "-q", "--hard", "HEAD@{1}")
    repo.git("reset", "-q", "--hard", "HEAD@{2}")
    taker.take(where)
    equal_to_git(engine, taker, repo)


def test_a_copy_holds_one_commit_and_no_contents_but_the_memorys(
    engine: "Engine", taker: Taker, repo: "Checkout", tmp_path: Path
) -> None:
    publishing(repo)
    write(repo, Random(3), 3)
    repo.add("src/large.bin", bytes(range(256)) * 4000)
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    repo.commit()
    repo.commit("another")
    taker.take(SourceRepository(ONE, f"file://{repo}"))
    (copy,) = (tmp_path / "clones").iterdir()

    def said(*arguments: str) -> str:
        asked = ["git", "-C", str(copy), *arguments]
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout

    assert said("rev-list", "--count", "refs/heads/mirrored").strip() == "1"
    large = repo.git("rev-parse", "HEAD:src/large.bin")
    objects = said("cat-file", "--batch-all-objects", "--batch-check")
    assert large not in objects
    assert objects.count(" blob ") == 4
    assert len(engine.ids(ONE)) == 3


def test_nothing_is_taken_of_who_does_not_publish_and_all_goes_of_who_stops(
    engine: "Engine", taker: Taker, repo: "Checkout"
) -> None:
    repo.add(".memory/gitmem.yaml", "format: 1\n")
    write(repo, Random(4), 5)
    repo.commit()
    where = SourceRepository(ONE, str(repo))
    assert not taker.take(where).published
    assert engine.ids(ONE) == {}
    publishing(repo)
    repo.commit()
    assert taker.take(where).new == 5
    repo.add(".memory/gitmem.yaml", "format: 1\nsettings:\n  hub.publish: false\n")
    repo.commit()
    assert taker.take(where).gone == 5
    assert engine.ids(ONE) == {}
    assert engine.counts([])[1] == 0


def test_kinds_and_tags_stay_home(engine: "Engine", taker: Taker, repo: "Checkout") -> None:
    rng = Random(5)
    publishing(repo)
    for kind in ("error", "note", "session"):
        write(repo, rng, 2, kind, tags=["plain"])
    write(repo, rng, 1, "note", tags=["internal"])
    repo.commit()
    where = SourceRepository(ONE, str(repo))
    assert taker.take(where).new == 7
    publishing(repo, "  hub.stay_home: session, tag:internal\n")
    repo.commit()
    taken = taker.take(where)
    assert sorted(held.why for held in taken.held) == [
        "kind session stays home", "kind session stays home", "tag internal stays home"
    ]  # fmt: skip
    assert engine.counts([])[1] == 4
    publishing(repo)
    repo.commit()
    taker.take(where)
    assert engine.counts([])[1] == 7


def test_a_secret_that_somebody_wrote_into_a_file_stays_outside(
    engine: "Engine", taker: Taker, repo: "Checkout"
) -> None:
    rng = Random(6)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    publishing(repo)
    write(repo, rng, 1, "error", message=f"push refused for token {secret}")
    repo.commit()
    taker.take(SourceRepository(ONE, str(repo)))
    (record,) = engine.newest(MINE, limit=9)
    assert secret.encode() not in record.body
    for part in (secret, secret.casefold()):
        assert not engine.candidates([(part, 1.0)], MINE)


def test_a_bad_file_is_held_back_and_stops_no_other(
    engine: "Engine", taker: Taker, repo: "Checkout"
) -> None:
    rng = Random(7)
    publishing(repo)
    good = write(repo, rng, 3)
    bad = {
        "errors/2026/01/a-err-0000000000000001.yaml": b"\xff\xfe: [",
        "errors/2026/01/b-err-0000000000000002.yaml": b"kind: error\n" + b"[" * 5000,
        "errors/2026/01/c-err-0000000000000003.yaml": b"",
        "errors/2026/01/d-err-0000000000000004.yaml": b"#" * (2 << 20),
    }
    for path, data in bad.items():
        repo.add(f".memory/{path}", data)
    twice = (repo / ".memory" / good[0]).read_bytes()
    double = f"notes/2026/01/{Path(good[0]).name}"
    repo.add(f".memory/{double}", twice)
    repo.commit()
    where = SourceRepository(ONE, str(repo))
    taken = taker.take(where)
    assert taken.new == 3
    assert len(taken.held) == 5
    assert engine.counts([])[1] == 3
    equal_to_git(engine, taker, repo)
    # The double comes into the place of the first one when that goes.
    first = min(double, good[0])
    (repo / ".memory" / first).unlink()
    repo.commit()
    taker.take(where)
    assert engine.counts([])[1] == 3
    equal_to_git(engine, taker, repo)


def test_what_is_forgotten_for_good_stays_away_though_git_has_it(
    engine: "Engine", taker: Taker, repo: "Checkout"
) -> None:
    publishing(repo)
    write(repo, Random(8), 4)
    repo.commit()
    where = SourceRepository(ONE, str(repo))
    taker.take(where)
    away = next(iter(engine.ids(ONE).values())).id
    with engine.writing():
        engine.forget(ONE, [away], for_good=True)
    assert taker.take(where, compare=True).new == 0
    with engine.writing():
        engine.drop(ONE)
    assert taker.take(where).new == 3
    assert away not in {kept.id for kept in engine.ids(ONE).values()}
    assert taker.differences(where) == []


def test_what_a_killed_git_left_in_a_copy_stops_no_later_sync(
    engine: "Engine", taker: Taker, repo: "Checkout", tmp_path: Path
) -> None:
    publishing(repo)
    write(repo, Random(10), 3)
    repo.commit()
    where = SourceRepository(ONE, str(repo))
    taker.take(where)
    (copy,) = (tmp_path / "clones").glob("*.git")
    for lock in ("shallow.lock", "config.lock", "packed-refs.lock", "refs/heads/mirrored.lock"):
        (copy / lock).touch()
    old = tmp_path / "clones" / "unfinished-1"
    old.mkdir()
    os.utime(old, (1, 1))
    write(repo, Random(11), 2)
    repo.commit()
    assert taker.take(where).new == 2
    taker.take(SourceRepository("another", str(repo.parent / repo.name)))
    equal_to_git(engine, taker, repo)


class StoppedError(Exception):
    """Stands for a process that is killed."""


class Stops(ScanHub):
    """An engine whose process ends at a given change."""

    def __init__(self) -> None:
        super().__init__()
        self.left = -1

    def put(self, entries: object) -> int:
        self.left -= 1
        if self.left == 0:
            raise StoppedError
        return super().put(entries)  # type: ignore[arg-type]


def test_a_sync_that_is_stopped_anywhere_loses_and_doubles_nothing(
    repo: "Checkout", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.parts.hub.taking.BATCH", 7)
    rng = Random(9)
    publishing(repo)
    paths = write(repo, rng, 30)
    repo.commit()
    hub = Stops()
    taker = Taker(hub, str(tmp_path / "clones"))
    where = SourceRepository(ONE, str(repo))
    stopped_at(hub, lambda: taker.take(where), 1, 2, 3, 4, 5)
    equal_to_git(hub, taker, repo)
    for path in paths[::2]:
        (repo / ".memory" / path).unlink()
    write(repo, rng, 12)
    publishing(repo, "  hub.stay_home: tag:nothing\n")  # everything is made anew
    repo.commit()
    stopped_at(hub, lambda: taker.take(where), 1, 2, 3, 4)
    equal_to_git(hub, taker, repo)
    assert hub.counts([])[1] == 27


def stopped_at(hub: Stops, take: Callable[[], object], *places: int) -> None:
    for place in places:
        hub.left = place
        try:
            take()
        except StoppedError:
            continue
    hub.left = -1
    take()
