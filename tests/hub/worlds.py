"""Small random hubs: repositories, records with words of few kinds, and who may see what."""

from collections.abc import Sequence
from random import Random

from gitmem.parts.hub.entries import entries_of, with_twins
from gitmem.parts.hub.policy import Publishing
from gitmem.parts.hub.protocol import Engine, Entry, Head, Seen
from gitmem.records.convert import encode, from_data
from gitmem.records.layout import path_for
from tests.random_records import record

POLICY = Publishing(publish=True)
NOUNS = (
    "connection", "timeout", "parser", "index", "cursor", "lock", "thread", "queue", "socket",
    "migration", "schema", "token", "cache", "stream", "buffer", "module", "import", "branch",
)  # fmt: skip
VERBS = ("refused", "expired", "missing", "broken", "duplicated", "closed", "leaked", "stale")


def entries(rng: Random, repository: str, number: int) -> list[Entry]:
    """Draw records of a repository, as taking makes them."""
    files: dict[str, tuple[str, bytes]] = {}
    known: list[str] = []
    for _ in range(number):
        data = record(rng, known)
        title = [rng.choice(VERBS), *rng.choices(NOUNS, k=rng.randint(1, 3))]
        data["title"] = " ".join(title)
        if data["kind"] == "error":
            words = rng.choices((*NOUNS, *VERBS), k=rng.randint(3, 12))
            data["message"] = f"{rng.choice(NOUNS).title()}Error: {' '.join(words)}"
        made = from_data(data)
        known.append(made.id)
        path = path_for(made.kind, made.id, made.title, made.created)
        files[path] = (rng.randbytes(20).hex(), encode(made))
    made_entries, held = entries_of(repository, rng.randbytes(20).hex(), files, POLICY)
    assert not held
    return made_entries


def fill(
    engine: Engine, rng: Random, repositories: int, each: int
) -> dict[str, tuple[bool, list[Entry]]]:
    """Fill an engine; give what each repository has, and whether everybody may see it."""
    world = {}
    for number in range(repositories):
        name = f"team{number % 3}/repository-{number}"
        internal = rng.random() < 0.5
        made = entries(rng, name, rng.randint(1, each))
        with engine.writing():
            engine.put(made)
            engine.took(name, Head(rng.randbytes(20).hex(), "test", internal))
        world[name] = (internal, made)
    return world


def somebody(rng: Random, names: Sequence[str]) -> Seen:
    """Draw what somebody may see."""
    some = rng.sample(list(names), rng.randint(0, min(3, len(names))))
    return Seen(rng.random() < 0.5, frozenset(some))


def may_see(seen: Seen, name: str, *, internal: bool) -> bool:
    """Say it in other words than the engines do."""
    if name in seen.repositories:
        return True
    return internal and seen.internal


def question(rng: Random) -> list[tuple[str, float]]:
    """Draw terms with weights, and half of the time with their twins, as questions have them."""
    words = rng.sample((*NOUNS, *VERBS), rng.randint(1, 5))
    factors = [(word, rng.choice((0.3, 1.0, 2.5, 7.0))) for word in words]
    return with_twins(factors) if rng.random() < 0.5 else factors
