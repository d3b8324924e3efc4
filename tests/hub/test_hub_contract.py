"""One contract for every engine: what the oracle says is right."""

import threading
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.parts.hub import questions
from gitmem.parts.hub.opening import open_engine
from gitmem.parts.hub.protocol import NOTHING, Head, Held, Seen
from gitmem.parts.hub.scan import ScanHub
from tests.depth import amount, deep
from tests.hub import worlds

if TYPE_CHECKING:
    from gitmem.parts.hub.protocol import Engine, Entry

EVERYBODY = Seen(internal=True)
ONE = "payments/api"
MINE = Seen(repositories=frozenset({ONE}))


def keys(found: "list[object]") -> list[tuple[str, str]]:
    return [(one.repository, one.id) for one in found]  # type: ignore[attr-defined]


def test_the_same_records_again_change_nothing(engine: "Engine") -> None:
    made = worlds.entries(Random(1), ONE, 40)
    with engine.writing():
        assert engine.put(made) == len({entry.id for entry in made})
    before = engine.counts(worlds.NOUNS)
    with engine.writing():
        assert engine.put(made) == 0
    assert engine.counts(worlds.NOUNS) == before
    assert before[1] == len(made)
    assert {kept.id for kept in engine.ids(ONE).values()} == {entry.id for entry in made}


def test_what_was_forgotten_is_in_no_answer_and_what_was_for_good_never_again(
    engine: "Engine",
) -> None:
    made = worlds.entries(Random(2), ONE, 40)
    with engine.writing():
        engine.put(made)
        engine.took(ONE, Head("c", "m"))
    errors = [entry for entry in made if entry.prints]
    gone, away = errors[0], errors[1]
    with engine.writing():
        assert engine.forget(ONE, [gone.id]) == 1
        assert engine.forget(ONE, [away.id], for_good=True) == 1
        assert engine.forget(ONE, [gone.id, "err-0000000000000000"]) == 0
    for entry in (gone, away):
        found = engine.alike(entry.prints, MINE, 1000)
        assert (ONE, entry.id) not in {(one.repository, one.id) for _, one in found}
    counts, everything = engine.counts(worlds.NOUNS)
    assert everything == len(made) - 2
    left = ScanHub()
    left.put([entry for entry in made if entry.id not in {gone.id, away.id}])
    assert counts == left.counts(worlds.NOUNS)[0]
    with engine.writing():
        assert engine.put(made) == 1
        assert engine.drop(ONE) == len(made) - 1
        assert engine.put(made) == len(made) - 1
    assert away.id not in {kept.id for kept in engine.ids(ONE).values()}
    assert engine.forgotten(ONE) == {away.id}


def test_a_step_that_fails_leaves_nothing(engine: "Engine") -> None:
    made = worlds.entries(Random(3), ONE, 10)
    with engine.writing():
        engine.put(made[:3])
    with pytest.raises(KeyError), engine.writing():  # noqa: PT012  the step is the point
        engine.put(made)
        engine.hold(ONE, [Held("a", "b", "c")])
        engine.took(ONE, Head("c"))
        raise KeyError
    assert len(engine.ids(ONE)) == 3
    assert engine.counts([])[1] == 3
    assert engine.heads()[ONE].commit == ""


def test_files_that_are_held_back_are_told_until_they_are_released(engine: "Engine") -> None:
    with engine.writing():
        engine.hold(ONE, [Held("a.yaml", "1", "unreadable"), Held("b.yaml", "2", "too large")])
        engine.hold(ONE, [Held("a.yaml", "3", "unreadable")])
        engine.release(ONE, ["b.yaml"])
    assert {path: (kept.blob, kept.why) for path, kept in engine.ids(ONE).items()} == {
        "a.yaml": ("3", "unreadable")
    }


def test_terms_with_any_sign_are_found(engine: "Engine") -> None:
    """A term is what people write: quotes, backslashes, operators of the engine's own."""
    awkward = [
        "it's",
        "a\\b",
        "\\",
        "a & b",
        "!x",
        "<->",
        "x:*",
        "größe",
        "日本",
        "\x01ttitle",
        "'",
    ]
    entry = worlds.entries(Random(4), ONE, 1)[0]
    with engine.writing():
        engine.put([entry._replace(impacts=dict.fromkeys(awkward, 7))])
        engine.took(ONE, Head("c"))
    for term in awkward:
        found = engine.candidates([(term, 1.0)], MINE, reading=[term])
        assert [one.impacts for one in found] == [{term: 7}], term
        (record,) = engine.newest(MINE, only=keys(found), limit=9)  # type: ignore[arg-type]
        assert record.body == entry.body
        assert engine.counts([term]) == ({term: 1}, 1)
    assert not engine.candidates([("it", 1.0)], MINE)


def test_whoever_may_see_nothing_gets_nothing(engine: "Engine") -> None:
    world = worlds.fill(engine, Random(5), 6, 10)
    prints = [one for _, made in world.values() for entry in made for one in entry.prints]
    every = [(entry.repository, entry.id) for _, made in world.values() for entry in made]
    assert not engine.alike(prints, NOTHING, 1000)
    assert not engine.candidates([(word, 1.0) for word in worlds.NOUNS], NOTHING)
    assert not engine.linking(every, NOTHING)
    assert not engine.newest(NOTHING, limit=1000)
    assert not engine.newest(NOTHING, only=every, limit=1000)
    assert not engine.shared("template", "", NOTHING, 1000)
    assert not engine.sizes(NOTHING)


@deep
@pytest.mark.slow
def test_nothing_unseen_is_returned_counted_or_suggested() -> None:
    """Of the oracle, over many worlds; the engines are held to it below."""
    for seed in range(amount(share=300, ci=2_000, whole=20_000)):
        rng = Random(seed)
        hub = ScanHub()
        world = worlds.fill(hub, rng, rng.randint(1, 5), 5)
        held_to_permissions(hub, world, rng)


@deep
@pytest.mark.slow
def test_nothing_unseen_is_returned_by_an_engine(engine: "Engine") -> None:
    for seed in range(amount(share=12, ci=40, whole=400)):
        rng = Random(seed)
        world = worlds.fill(engine, rng, rng.randint(1, 5), 5)
        for _ in range(5):
            held_to_permissions(engine, world, rng)
        with engine.writing():
            for name in world:
                engine.drop(name)


def held_to_permissions(
    engine: "Engine", world: "dict[str, tuple[bool, list[Entry]]]", rng: Random
) -> None:
    seen = worlds.somebody(rng, list(world))
    allowed = {
        name
        for name, (internal, _) in world.items()
        if worlds.may_see(seen, name, internal=internal)
    }
    made = [entry for _, some in world.values() for entry in some]
    prints = list(dict.fromkeys(one for entry in made for one in entry.prints))
    found = engine.candidates(worlds.question(rng), seen)
    assert {one.repository for one in found} <= allowed
    # Nothing of what is allowed is lost, either: the same as where nothing else is.
    alike = engine.alike(prints, seen, 10_000)
    assert {(one.repository, one.id) for _, one in alike} == {
        (entry.repository, entry.id)
        for entry in made
        if entry.prints and entry.repository in allowed
    }
    linking = engine.linking([(entry.repository, entry.id) for entry in made], seen)
    assert {one.repository for _, _, one in linking} <= allowed
    assert engine.sizes(seen) == {
        name: len(some) for name, (_, some) in world.items() if name in allowed and some
    }
    newest = engine.newest(seen, limit=10_000)
    assert {(one.repository, one.id) for one in newest} == {
        (entry.repository, entry.id) for entry in made if entry.repository in allowed
    }
    every = [(entry.repository, entry.id) for entry in made]
    assert engine.newest(seen, only=every, limit=10_000) == newest
    # A fingerprint is shared by those repositories only that whoever asks may see.
    having: dict[str, set[str]] = {}
    for entry in made:
        for level, value in entry.prints:
            if level == "template" and entry.repository in allowed:
                having.setdefault(value, set()).add(entry.repository)
    assert {one.value: one.repositories for one in engine.shared("template", "", seen, 10_000)} == {
        value: len(names) for value, names in having.items() if len(names) > 1
    }
    for answer in (
        questions.alike(engine, prints[:3], seen),
        questions.by_words(engine, rng.sample(worlds.NOUNS, 3), seen),
    ):
        assert {hit.repository for hit in answer.hits} <= allowed
        assert answer.worked_in <= len(allowed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["database", "shards", "opensearch"])
def test_an_engine_gives_the_oracles_candidates(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both of its ways: somebody who sees a few repositories, and somebody who sees more.
    monkeypatch.setattr("gitmem.parts.hub.postgres_candidates.FEW", 4)
    oracle, engine = ScanHub(), open_engine(request.getfixturevalue(kind))
    names = list(worlds.fill(oracle, Random(6), 20, 60))
    worlds.fill(engine, Random(6), 20, 60)
    rng = Random(7)
    equal = asked = 0
    for _ in range(500):
        factors, seen = worlds.question(rng), worlds.somebody(rng, names)
        kinds = rng.choice(((), ("error",), ("error", "fix")))
        limit = rng.choice((5, 50, 200))
        expected, given = (
            [
                hit._replace(score=round(hit.score, 4))  # one engine adds up in single precision
                for hit in one.candidates(
                    factors, seen, kinds=kinds, limit=limit, reading=worlds.NOUNS
                )
            ]
            for one in (oracle, engine)
        )
        asked += 1
        equal += given == expected
    assert asked == 500
    assert equal >= 0.99 * asked, equal
    assert engine.counts(worlds.NOUNS) == oracle.counts(worlds.NOUNS)
    engine.close()


Asked = Callable[["Engine"], object]
LATE = "2026-02-28T12"
SOME = [f"team{number % 3}/repository-{number}" for number in range(6)]
PAGES_ASK: dict[str, Callable[[Seen, int], Asked]] = {
    "newest": lambda seen, limit: lambda hub: hub.newest(seen, limit=limit),
    "kinds": lambda seen, limit: lambda hub: hub.newest(seen, kinds=("fix", "note"), limit=limit),
    "none": lambda seen, limit: lambda hub: hub.newest(seen, only=(), limit=limit),
    "shared": lambda seen, limit: lambda hub: hub.shared("template", "", seen, limit),
    "of late": lambda seen, limit: lambda hub: hub.shared("library", LATE, seen, limit),
    "library": lambda seen, limit: lambda hub: hub.shared("library", "", seen, limit),
    "sizes": lambda seen, _: lambda hub: hub.sizes(seen),
}


def test_what_pages_ask_is_answered_as_the_oracle_does(engine: "Engine") -> None:
    oracle = ScanHub()
    for hub in (oracle, engine):
        rng = Random(9)
        for number, name in enumerate(SOME):
            made = [meeting(rng, entry) for entry in worlds.entries(rng, name, 20)]
            with hub.writing():
                hub.put(made)
                hub.took(name, Head("c", "m", internal=number % 2 == 0))
    every = Seen(internal=True, repositories=frozenset(SOME))
    assert len(oracle.shared("template", "", every, 100)) == 4
    assert len(oracle.shared("library", LATE, every, 100)) > 0
    assert oracle.shared("library", LATE, every, 100) != oracle.shared("library", "", every, 100)
    rng = Random(10)
    for name, made_question in PAGES_ASK.items():
        for _ in range(8):
            seen, limit = worlds.somebody(rng, SOME), rng.choice((1, 2, 9, 100))
            ask = made_question(seen, limit)
            assert ask(engine) == ask(oracle), (name, seen, limit)
    only = [(one.repository, one.id) for one in oracle.newest(every, limit=9)]
    assert keys(engine.newest(every, only=only, limit=100)) == only  # type: ignore[arg-type]
    assert keys(engine.newest(every, only=only, limit=2)) == only[:2]  # type: ignore[arg-type]


def meeting(rng: Random, entry: "Entry") -> "Entry":
    """Give an error one of four messages, which several repositories have."""
    number = rng.randrange(4)
    prints = (("library", f"{number + 8}" * 16), ("template", f"{number}" * 16))
    return entry._replace(prints=prints if entry.prints else ())


def test_threads_share_an_engine_while_another_one_writes(engine: "Engine") -> None:
    world = worlds.fill(engine, Random(8), 4, 20)
    seen = Seen(internal=True, repositories=frozenset(world))
    made = [entry for _, some in world.values() for entry in some]
    failures: list[BaseException] = []

    def asks() -> None:
        try:
            for _ in range(15):
                found = engine.candidates([(word, 1.0) for word in worlds.NOUNS], seen)
                assert set(keys(found)) <= {(entry.repository, entry.id) for entry in made}  # type: ignore[arg-type]
        except BaseException as error:  # noqa: BLE001  told below
            failures.append(error)

    threads = [threading.Thread(target=asks) for _ in range(4)]
    for thread in threads:
        thread.start()
    for name in world:
        with engine.writing():
            engine.forget(name, [entry.id for entry in made if entry.repository == name][:2])
    for thread in threads:
        thread.join()
    assert not failures
