"""A day of an organisation: it ends with the hub equal to git, and nobody saw too much."""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.parts.hub.protocol import Seen
from gitmem.parts.hub.taking import SourceRepository, Taker
from tests.depth import amount, deep
from tests.hub.test_taking import PUBLISHES, equal_to_git, publishing, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.parts.hub.protocol import Engine
    from tests.conftest import Checkout

pytestmark = [pytest.mark.slow, deep, pytest.mark.usefixtures("sealed_git")]


def test_a_day_ends_with_the_hub_equal_to_git(
    engine: "Engine", make_repo: "Callable[..., Checkout]", tmp_path: Path
) -> None:
    rng = Random(1)
    number = amount(share=6, ci=12, whole=200)
    pushes = amount(share=4, ci=6, whole=10)
    repos = {f"team/{at}": make_repo(f"repository-{at}") for at in range(number)}
    internal = {name: rng.random() < 0.6 for name in repos}
    taker = Taker(engine, str(tmp_path / "clones"))
    for repo in repos.values():
        publishing(repo)
        write(repo, rng, rng.randint(1, 8))
        repo.commit()
    readers = [
        Seen(rng.random() < 0.7, frozenset(rng.sample(list(repos), rng.randint(0, 3))))
        for _ in range(amount(share=10, ci=20, whole=50))
    ]

    def take(name: str) -> None:
        taker.take(SourceRepository(name, str(repos[name]), internal[name]))

    for name in repos:
        take(name)
    forced = set(rng.sample(list(repos), 2))
    made_private = rng.choice([name for name in repos if internal[name]])
    stopped = rng.choice([name for name in repos if name != made_private])
    events = [name for name in repos for _ in range(pushes)]
    rng.shuffle(events)
    for at, name in enumerate(events):
        if name == made_private:
            internal[name] = False
        push(repos[name], rng, amended=name in forced and bool(at % 2))
        if rng.random() < 0.8:  # some messages of hosts never arrive
            take(name)
        if rng.random() < 0.1:
            reader = rng.randrange(len(readers))
            readers[reader] = Seen(rng.random() < 0.5, frozenset(rng.sample(list(repos), 1)))
        sees_no_more(engine, rng.choice(readers))
    repos[stopped].add(".memory/gitmem.yaml", PUBLISHES.replace("true", "false"))
    repos[stopped].commit()
    for name, repo in repos.items():  # the look of the night
        taker.take(SourceRepository(name, str(repo), internal[name]), compare=True)
    assert engine.ids(stopped) == {}
    for name, repo in repos.items():
        if name != stopped:
            equal_to_git(engine, taker, repo, name)
    assert engine.heads()[made_private].internal is False
    kept = sum(len(engine.ids(name)) for name in repos)
    assert engine.counts([])[1] == kept


def push(repo: "Checkout", rng: Random, *, amended: bool) -> None:
    """Delete and write some records, and commit; amended, the history is another one."""
    files = sorted((repo / ".memory").rglob("*-*.yaml"))
    for file in rng.sample(files, min(len(files), rng.randint(0, 2))):
        file.unlink()
    write(repo, rng, rng.randint(0, 3))
    repo.commit("another history" if amended else "work", *(["--amend"] if amended else []))


def sees_no_more(engine: "Engine", seen: Seen) -> None:
    found = engine.candidates([("timeout", 1.0), ("connection", 0.5)], seen)
    heads = engine.heads()
    for one in found:
        internal = heads[one.repository].internal
        assert one.repository in seen.repositories or (seen.internal and internal)
