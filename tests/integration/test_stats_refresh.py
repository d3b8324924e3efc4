"""What statistics count stays in step, whatever becomes of the files: it is settled by parts."""

from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.catalog.catalog import Catalog
from gitmem.learning.failures import follow
from gitmem.memory import Memory
from gitmem.memory.statistics.lessons import current_lessons
from gitmem.sync.derived import Derived
from tests.depth import sampled
from tests.integration.test_statistics import NOW, history, same
from tests.random_records import Data, path_of, stamp, text_of
from tests.statistics_oracle import Oracle, read

if TYPE_CHECKING:
    from gitmem.catalog.stats_refresh import Follow
    from tests.conftest import Checkout


def compare(memory: Memory) -> None:
    """Hold what was settled by parts against a settlement of everything, and the oracle."""
    kept = memory.workspace.ask(current_lessons).stats_rows()
    anew = Derived(memory.workspace.store, None, 0, memory.workspace.derived.team_rules)
    try:
        catalog = anew.catalog()
        catalog.refresh_stats(follow)
        assert kept == catalog.lessons().stats_rows()
    finally:
        anew.close()
    assert all(row[0] == row[8] for row in kept["failures"])
    oracle = Oracle(read(Path(memory.workspace.site.folder)))
    same(memory.statistics.stats().total, oracle.figures(oracle.errors, oracle.attempts))
    seen = [len(oracle.occurrences(failure)) for failure in set(oracle.failure.values())]
    repeated = sorted(times for times in seen if times > 1)
    recurring = memory.statistics.recurring(-1)
    assert sorted(one.records for one in recurring) == repeated
    names = {row[1]: row[0] for row in kept["failures"]}
    assert all(one.best.kind == names[one.error] for one in recurring if one.best)


def change(rng: Random, repo: "Checkout", made: dict[str, Data]) -> None:
    """Write, edit, copy or delete one record's file."""
    path = rng.choice(sorted(made))
    what = rng.choice(("edit", "edit", "delete", "copy", "join", "again", "new"))
    one = made[path]
    if what == "delete":
        del made[path]
        Path(repo, ".memory", path).unlink()
        return
    if what == "copy":
        year = rng.choice((1999, 2099))  # before or after the other by its path
        path = f"{path.split('/')[0]}/{year}/01/copy-{one['id']}.yaml"
        one = one | {"title": "said otherwise"}
    elif what == "new":
        one = history(rng, 1)[0] | {"created": stamp(NOW - timedelta(days=rng.randrange(90)))}
        path = path_of(one)
    elif what == "join" and one["kind"] == "error":
        ids = {other["id"] for other in made.values() if other["kind"] == "error"} - {one["id"]}
        one = one | {"links": {"duplicates": rng.sample(sorted(ids), min(1, len(ids)))}}
    elif what == "again" and one["kind"] == "fix":
        fixes = [other["id"] for other in made.values() if other["kind"] == "fix"]
        one = one | {"reuses": rng.choice(fixes)}
    else:
        fresh = history(rng, 6)
        like = [other for other in fresh if other["kind"] == one["kind"]]
        errors = [other["id"] for other in made.values() if other["kind"] == "error"]
        if like:
            one = like[0] | {"id": one["id"], "created": one["created"], "links": {}}
            if one["kind"] == "fix" and errors:
                one["links"] = {"fixes": rng.sample(errors, min(2, len(errors)))}
    made[path] = one
    repo.add(f".memory/{path}", text_of(one))


@sampled(1)
@pytest.mark.parametrize("seed", range(6))
def test_after_each_change_statistics_are_those_of_everything_anew(
    repo: "Checkout", seed: int
) -> None:
    rng = Random(seed)
    Memory.init(str(repo))
    made = {path_of(one): one for one in history(rng, 40)}
    for path, one in made.items():
        repo.add(f".memory/{path}", text_of(one))
    with Memory.open(str(repo)) as memory:
        memory.workspace.clock = lambda: NOW
        for _ in range(12):
            compare(memory)
            for _ in range(rng.choice((1, 1, 2, 6))):
                change(rng, repo, made)
        compare(memory)


def test_a_branch_that_is_switched_to_has_its_own_statistics(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        first = memory.add("error", {"message": "no answer"})
        memory.resolve(first.id, {"approach": "wait"})
        repo.git("add", "-A")
        repo.git("commit", "-qm", "one")
        compare(memory)
        assert memory.statistics.stats().total.open == 0
        repo.git("checkout", "-qb", "other")
        memory.add("error", {"message": "no answer"})
        repo.git("add", "-A")
        repo.git("commit", "-qm", "two")
        assert (
            memory.statistics.stats().total.came_back,
            memory.statistics.stats().total.open,
        ) == (1, 1)
        repo.git("checkout", "-q", "-")
        assert (
            memory.statistics.stats().total.came_back,
            memory.statistics.stats().total.open,
        ) == (0, 0)
        compare(memory)


def test_who_may_not_write_is_answered_all_the_same(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        memory.add("error", {"message": "no answer"})
        catalog = memory.workspace.derived.catalog()
        assert catalog.stats_outdated()
        settle = Catalog.refresh_stats

        def refused(one: Catalog, how: "Follow") -> None:
            if one is catalog:
                raise OSError(30, "Read-only file system")
            settle(one, how)

        monkeypatch.setattr(Catalog, "refresh_stats", refused)
        assert memory.statistics.stats().total.errors == 1
        assert memory.workspace.derived.catalog().stats_outdated()
        monkeypatch.undo()
        assert memory.statistics.stats().total.errors == 1
        assert not memory.workspace.derived.catalog().stats_outdated()


def test_a_search_leaves_the_settling_to_statistics(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        memory.add("error", {"message": "no answer"})
        memory.search("answer")
        assert memory.workspace.derived.catalog().stats_outdated()
        memory.statistics.stats()
        memory.search("answer")
        assert not memory.workspace.derived.catalog().stats_outdated()
