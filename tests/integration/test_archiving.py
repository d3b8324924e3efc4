"""Prune and archive: what goes, what is still found, and two branches that do it at once."""

import random
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem import Memory, errors
from gitmem.store.archives import Archives, names, packed, unpacked
from tests.depth import sampled

if TYPE_CHECKING:
    from tests.conftest import Checkout


class Then:
    """Opens memories whose present is another time."""

    year = 2020

    @staticmethod
    def open(start: str) -> Memory:
        memory = Memory.open(start)
        memory.workspace.clock = lambda: datetime(Then.year, 5, 1, tzinfo=UTC)
        return memory


def story(memory: Memory, word: str, outcome: str = "worked", text: str = "") -> list[str]:
    fields = {"error_type": "OSError", "message": f"no {word} here", "excerpt": text}
    error = memory.add("error", fields)
    made = {"title": f"bring {word}", "outcome": outcome, "analysis": text[::-1]}
    return [error.id, memory.resolve(error.id, made).id]


def prose(chance: random.Random) -> str:
    """Give a text that no other is like; of records that are alike see docs/retention.md."""
    return "\n".join(f"{chance.getrandbits(128):x}" for _ in range(25))


@pytest.fixture
def old(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Give a repository with three old stories and a new one, all committed."""
    Memory.init(str(repo))
    monkeypatch.setattr(Then, "year", 2020)
    with Then.open(str(repo)) as memory:
        story(memory, "marble")
        error, _ = story(memory, "copper", "failed")
        memory.resolve(error, {"title": "melt copper"})
        memory.add("decision", {"title": "Use UTC", "decision": "everywhere"})
    monkeypatch.setattr(Then, "year", 2026)
    with Then.open(str(repo)) as memory:
        story(memory, "amber")
    repo.commit("all of it")
    return repo


def test_s1_73_cleanup_takes_a_number_of_days(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        assert memory.transfer.prune(older_than=5000).plan.due == []
        found = memory.transfer.prune(older_than=30)
        assert len(found.plan.due) == 5
        assert found.plan.outcomes == (("failed", 1, 0), ("worked", 2, 1))
        assert memory.statistics.count() == 8  # a dry run
        done = memory.transfer.prune(older_than=30, apply=True)
        assert done.done
        assert memory.statistics.count() == 3
        one = found.plan.due[0].item
        with memory.history.at(done.commit) as before:
            assert before.show(one.id).row.title == one.title


def test_s1_88_archives_are_compressed_and_hold_the_files_as_they_were(old: "Checkout") -> None:
    folder = old / ".memory"
    before = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*2020*/**/*.yaml")}
    with Then.open(str(old)) as memory:
        (path,) = memory.transfer.archive(apply=True).archives
    inside = unpacked(Path(path).name, (folder / path).read_bytes())
    assert inside == {name: before[name] for name in inside}
    assert len(inside) == 5
    # By hand, without gitmem.
    out = old / "out"
    out.mkdir()
    subprocess.run(["tar", "-xzf", str(folder / path), "-C", str(out)], check=True)
    assert all((out / name).read_bytes() == data for name, data in inside.items())


def test_s1_89_what_is_archived_is_still_reached(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        (error,) = memory.search("marble kind:error").hits
        memory.transfer.archive(apply=True)
        (hit,) = memory.search("marble").hits
        assert hit.layer == "archived"
        assert hit.row.id == error.row.id
        assert hit.row.status == "resolved"
        assert [fix.stated for fix in hit.attempts] == ["worked"]
        assert memory.show(error.row.id).layer == "archived"
        (one,) = memory.hint("OSError: no marble here")
        assert [hit.layer for hit in one.similar] == ["archived"]
        assert len(memory.transfer.archived()) == 5
        resolved = memory.transfer.archived("status:resolved")
        assert error.row.id in [row.id for row in resolved]


def test_s1_90_archived_patterns_of_errors_stay_whole(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        before = {row.id: memory.show(row.id) for row in memory.list()}
        memory.transfer.archive(apply=True)
        for row in memory.transfer.archived():
            shown = memory.show(row.id)
            was = before[row.id]
            assert shown.record == was.record
            assert shown.text == was.text
            assert shown.row.status == was.row.status
            assert [back.id for _, back in shown.backlinks] == [b.id for _, b in was.backlinks]
        assert memory.checks.files() == []


def test_s1_94_archives_are_partitioned_by_year(repo: "Checkout") -> None:
    Memory.init(str(repo))
    for Then.year in (2018, 2019):
        with Then.open(str(repo)) as memory:
            story(memory, f"stone{Then.year}")
    Then.year = 2026
    repo.commit("both")
    with Then.open(str(repo)) as memory:
        made = memory.transfer.archive(apply=True).archives
        assert [Path(path).name[:5] for path in made] == ["2018-", "2019-"]


def test_s1_95_sums_over_the_archive_are_asked_of_its_catalog(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        memory.transfer.archive(apply=True)
        view = memory.records.reader.layers.archived
        assert view
        sql = "SELECT outcome, count(*) FROM attempts GROUP BY outcome ORDER BY outcome"
        assert view.query(sql).rows == [("failed", 1), ("worked", 2)]


def test_the_default_is_to_tell(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        found = memory.transfer.archive()
        assert not found.done
        assert len(found.plan.due) == 5
        assert memory.statistics.count() == 8
    assert names(str(old / ".memory")) == []


def test_what_is_not_committed_stays_with_its_story(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        (error,) = memory.search("marble kind:error").hits
        path = old / ".memory" / error.row.path
        path.write_bytes(path.read_bytes() + b"subject: quarry\n")
        found = memory.transfer.prune(apply=True)
        assert found.uncommitted == [error.row.id]
        assert {one.item.title for one in found.plan.due} == {
            "OSError: no copper here", "bring copper", "melt copper",
        }  # fmt: skip
        assert memory.show(error.row.id).backlinks


def test_without_a_commit_nothing_goes(repo: "Checkout") -> None:
    Memory.init(str(repo))
    Then.year = 2020
    with Then.open(str(repo)) as memory:
        story(memory, "marble", "failed")
        Then.year = 2026
        found = memory.transfer.prune(apply=True)
        assert found.plan.due == []
        assert len(found.uncommitted) == 2


def test_outside_git_nothing_goes(tmp_path: Path) -> None:
    Memory.init(str(tmp_path))
    Then.year = 2020
    with Then.open(str(tmp_path)) as memory:
        story(memory, "marble", "failed")
        Then.year = 2026
        with pytest.raises(errors.EnvironmentProblem):
            memory.transfer.prune(apply=True)


def test_unarchive_brings_the_file_back(old: "Checkout") -> None:
    before = old.git("status", "--short")
    with Then.open(str(old)) as memory:
        memory.transfer.archive(apply=True)
        rows = memory.transfer.archived()
        assert memory.transfer.unarchive([row.id for row in rows]) == [row.id for row in rows]
        assert memory.transfer.archived() == []
    assert names(str(old / ".memory")) == []
    (old / ".memory" / "archive" / ".gitattributes").unlink()
    assert old.git("status", "--short") == before


def test_git_keeps_the_bytes_of_an_archive(old: "Checkout", make_repo: object) -> None:
    old.add(".memory/.gitattributes", "* text eol=lf\nattachments/** -text\n")
    with Then.open(str(old)) as memory:
        (path,) = memory.transfer.archive(apply=True).archives
    data = (old / ".memory" / path).read_bytes()
    old.commit("archive")
    old.git("clone", "-q", ".", "clone")
    assert (old / "clone" / ".memory" / path).read_bytes() == data


def test_a_damaged_archive_is_told_and_the_rest_is_found(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        ids = [row.id for row in memory.list("kind:error") if row.created < "2021"]
        for one in ids:
            memory.transfer.archive(only=[one], apply=True)
            old.commit("archive")
        first, second = names(str(old / ".memory"))
        path = old / ".memory" / "archive" / first
        path.write_bytes(path.read_bytes()[:-9] + b"wrong end")
    with Then.open(str(old)) as memory:
        (problem,) = memory.checks.files()
        assert problem.path == f"archive/{first}"
        assert "its content does not match its name" in problem.message
        assert len(memory.transfer.archived()) == 3
        assert second


def test_an_archive_holds_records_only() -> None:
    from gitmem.store.archives import name_of  # noqa: PLC0415

    data = packed({"../../evil": b"x"})
    with pytest.raises(errors.InvalidError, match="not a record"):
        unpacked(name_of(2020, data), data)


def test_a_merge_may_leave_a_link_to_an_archived_record(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        error = memory.search("copper kind:error").hits[0].row.id
    old.git("switch", "-qc", "other")
    with Then.open(str(old)) as memory:
        memory.resolve(error, {"title": "melt it"})
    old.commit("another attempt")
    old.git("switch", "-q", "main")
    with Then.open(str(old)) as memory:
        memory.transfer.archive(apply=True)
    old.commit("archive")
    old.git("merge", "-q", "--no-edit", "other")
    with Then.open(str(old)) as memory:
        (problem,) = memory.checks.files()
        assert (problem.code, problem.severity) == ("archived-link", "info")
        assert problem.hint == f"gitmem archive unarchive {error}"
        memory.transfer.unarchive([error])
        assert memory.checks.files() == []
        assert memory.show(error).row.status == "resolved"


def test_two_texts_of_one_record_are_told(old: "Checkout") -> None:
    with Then.open(str(old)) as memory:
        row = memory.search("copper kind:error").hits[0].row
        memory.transfer.archive(only=[row.id], apply=True)
    old.commit("archive")
    with Then.open(str(old)) as memory:
        memory.transfer.unarchive([row.id])
        path = old / ".memory" / row.path
        path.write_bytes(path.read_bytes() + b"subject: mine\n")
        with pytest.raises(errors.NotFoundError):
            memory.transfer.unarchive([row.id])
    old.git("checkout", "-q", "HEAD", "--", ".memory/archive")
    with Then.open(str(old)) as memory, pytest.raises(errors.ConflictError, match="other content"):
        memory.transfer.unarchive([row.id])


@sampled(1)
@pytest.mark.parametrize("seed", range(6))
def test_two_branches_lose_nothing(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Archive, prune, unarchive and resolve at random on two branches, and merge them."""
    chance = random.Random(seed)
    Memory.init(str(repo))
    words: dict[str, str] = {}
    Then.year = 2020
    with Then.open(str(repo)) as memory:
        for number in range(8):
            error, fix = story(
                memory, f"thing{number}q", chance.choice(["worked", "failed"]), prose(chance)
            )
            words |= {error: f"thing{number}q", fix: f"thing{number}q"}
    Then.year = 2026
    repo.commit("begin")
    with Then.open(str(repo)) as memory:
        memory.transfer.archive(only=chance.sample(sorted(words), 2), apply=True)
    repo.commit("some are archived already")
    repo.git("branch", "other")
    pruned: dict[str, str] = {}
    for branch in ("main", "other"):
        repo.git("switch", "-q", branch)
        for step in range(4):
            _act(repo, chance, words, pruned, f"{branch}{step}")
            repo.commit(f"{branch} {step}")
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "other")
    assert repo.git("status", "--short") == ""
    with Then.open(str(repo)) as memory:
        for name, word in words.items():
            try:
                shown = memory.show(name)
            except errors.NotFoundError:
                assert name in pruned, f"{name} is lost"
                with memory.history.at(pruned[name]) as before:
                    assert before.show(name).record.id == name
                continue
            assert shown.record.id == name
            hits = memory.search(word).hits
            found = {row.id for hit in hits for row in (hit.row, *hit.attempts, *hit.errors)}
            assert name in found, f"{name} is not found"
        assert {one.severity for one in memory.checks.files()} <= {"info"} or pruned
        texts = [one for one in memory.checks.files() if one.code in {"two-texts", "archive"}]
        assert texts == []


def _act(
    repo: "Checkout", chance: random.Random, words: dict[str, str], pruned: dict[str, str], tag: str
) -> None:
    with Then.open(str(repo)) as memory:
        live = sorted(row.id for row in memory.list())
        archived = sorted(row.id for row in memory.transfer.archived())
        what = chance.choice(["archive", "prune", "unarchive", "resolve"])
        if what == "archive" and live:
            memory.transfer.archive(only=chance.sample(live, min(2, len(live))), apply=True)
        elif what == "prune" and live:
            done = memory.transfer.prune(only=[chance.choice(live)], apply=True)
            pruned.update((one.item.id, done.commit) for one in done.plan.due)
        elif what == "unarchive" and archived:
            memory.transfer.unarchive(chance.sample(archived, min(2, len(archived))))
        else:
            open_ = memory.list("kind:error")
            if open_:
                row = chance.choice(open_)
                made = memory.resolve(
                    row.id, {"title": f"again {words[row.id]} {tag}", "analysis": prose(chance)}
                )
                words[made.id] = words[row.id]


def test_the_last_archive_counts_where_two_have_other_texts(tmp_path: Path) -> None:
    from gitmem.store.archives import name_of  # noqa: PLC0415

    path = "notes/2020/01/a-note-0123456789.yaml"
    (tmp_path / "archive").mkdir()
    for text in (b"a: 1\n", b"a: 2\n"):
        data = packed({path: text})
        (tmp_path / "archive" / name_of(2020, data)).write_bytes(data)
    store = Archives(str(tmp_path), 1000, names(str(tmp_path)))
    listing = store.listing()
    assert [one.code for one in listing.problems] == ["two-texts"]
    assert store.read(path) == store.files(names(str(tmp_path))[-1])[path]
    fresh = Archives(str(tmp_path), 1000, names(str(tmp_path)))
    assert fresh.read(path) == store.read(path)


def test_records_that_are_alike_may_conflict_and_are_not_lost(
    old: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    with Then.open(str(old)) as memory:
        error = memory.search("marble kind:error").hits[0].row.id
    old.git("branch", "other")
    with Then.open(str(old)) as memory:
        memory.transfer.archive(only=[error], apply=True)
        new = story(memory, "marbles")
    old.commit("here")
    old.git("switch", "-q", "other")
    with Then.open(str(old)) as memory:
        memory.transfer.archive(only=[error], apply=True)
    old.commit("there")
    old.git("switch", "-q", "main")
    done = subprocess.run(["git", "merge", "other"], cwd=old, capture_output=True, check=False)
    assert done.returncode == 1, "git has learnt better: docs/retention.md can say so"
    old.commit("all that lies there")
    with Then.open(str(old)) as memory:
        assert memory.show(error).layer == "archived"
        assert [memory.show(name).layer for name in new] == ["", ""]
        assert memory.checks.files() == []
