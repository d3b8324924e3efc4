"""The memory of a swarm: patterns, solutions, errors and episodes, all of them records."""

import asyncio
import enum
import subprocess
import sys
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from gitmem import Memory
from gitmem.compat import swarm
from gitmem.compat.swarm import (
    episodic_memory,
    knowledge_base,
    pattern_extractor,
    persistent_memory,
)
from gitmem.errors import UsageError
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

AUTH = "def login(user):\n    return check(user.token)\n"
WINNER = """\
class Sessions:
    def open(self, user):
        return self.store.add(user)

    def close(self, user):
        return self.store.drop(user)


async def login(user):
    try:
        return await check(user)
    except KeyError as error:
        raise ValueError("nobody") from error
"""
_Result = TypeVar("_Result")


class AgentRole(enum.Enum):
    WORKER_BACKEND = "worker_backend"
    QA_SENTINEL = "qa_sentinel"
    CONSENSUS_JUDGE = "consensus_judge"


def done(work: Coroutine[Any, Any, _Result]) -> _Result:
    return asyncio.run(work)


def store(name: str = "JWT Authentication", code: str = AUTH, language: str = "python") -> str:
    return done(
        persistent_memory.store_code_pattern(
            pattern_name=name,
            code=code,
            language=language,
            context="REST API authentication",
            success_metrics={"success_rate": 1.0},
        )
    )


def test_s2_1_to_4_and_8_every_collection_counts_records(here: "Checkout") -> None:
    store()
    done(persistent_memory.store_solution("sort a huge file", "use an external merge sort"))
    done(persistent_memory.store_error_resolution("KeyError: 'a'", "loading", "use get", True))
    episode = done(episodic_memory.start_episode("sort"))
    done(episodic_memory.end_episode(episode, True))
    assert done(persistent_memory.get_statistics()) == {
        "code_patterns": 1, "solutions": 1, "errors": 1, "experiences": 1,
    }  # fmt: skip


def test_s2_9_and_10_a_pattern_is_stored_and_recalled(here: "Checkout") -> None:
    name = store()
    store("Login form", "function login() { return check(token) }", "javascript")
    found = done(
        persistent_memory.recall_similar_patterns(
            description="implement user authentication", language="python", n_results=3
        )
    )
    assert [one.id for one in found] == [name]
    assert found[0].content.strip() == AUTH.strip()
    assert found[0].metadata["language"] == "python"
    assert found[0].metadata["success_rate"] == 1.0
    assert found[0].metadata["context"] == "REST API authentication"


def test_s2_7_and_44_language_narrows_what_is_recalled(here: "Checkout") -> None:
    store("Login form", "function login() { return check(token) }", "javascript")
    find = persistent_memory.recall_similar_patterns
    assert len(done(find("login", "javascript"))) == 1
    assert done(find("login", "python")) == []


def test_s2_11_and_12_resolutions_are_recalled_with_what_worked_first(here: "Checkout") -> None:
    message = "ModuleNotFoundError: No module named 'fastapi'"
    resolve = persistent_memory.store_error_resolution
    done(resolve(message, context="Starting", resolution="restart the server", success=False))
    done(resolve(message, context="Starting", resolution="pip install fastapi", success=True))
    found = done(persistent_memory.recall_error_solutions("Cannot import fastapi", n_results=3))
    assert [(one.content, one.metadata["success"]) for one in found[:2]] == [
        ("pip install fastapi", True), ("restart the server", False),
    ]  # fmt: skip
    with Memory.open(".") as memory:
        assert memory.statistics.count("kind:error") == 1


def test_s2_13_a_whole_solution_is_stored_and_recalled(here: "Checkout") -> None:
    name = done(
        persistent_memory.store_solution(
            "sort a file larger than memory", "external merge sort", "python", {"seconds": 3}
        )
    )
    (found,) = done(persistent_memory.recall_solutions("how to sort large files"))
    assert found.id == name
    assert "external merge sort" in found.content
    assert "seconds: 3" in found.content


def test_s2_50_what_is_known_is_not_stored_again(here: "Checkout") -> None:
    assert store() == store()
    assert store(code="def login(): pass") != store()
    with Memory.open(".") as memory:
        assert memory.statistics.count("kind:pattern") == 2


def test_s2_50_a_resolution_is_stored_once_also_by_agents_at_once(here: "Checkout") -> None:
    async def all_at_once() -> list[str]:
        one = ("KeyError: 'user'", "login", "ask for the key first")
        stores = [persistent_memory.store_error_resolution(*one) for _ in range(6)]
        return await asyncio.gather(*stores)

    assert len(set(done(all_at_once()))) == 1
    other = done(persistent_memory.store_error_resolution("KeyError: 'user'", "", "restart", False))
    with Memory.open(".") as memory:
        assert memory.statistics.count("kind:error") == 1
        assert memory.statistics.count("kind:fix") == 2
        assert memory.show(other).record.kind == "fix"


AT_ONCE = """
import asyncio
from gitmem.compat.swarm import pattern_extractor, persistent_memory
code = "def first(items):\\n    for item in items:\\n        return item\\n    return None\\n"
async def store():
    for number in "ab":
        await persistent_memory.store_error_resolution(f"KeyError: '{number}'", "", "ask for it")
        await persistent_memory.store_code_pattern(f"pattern {number}", f"{number} = 1")
    await pattern_extractor.extract_from_consensus(None, code)
asyncio.run(store())
"""


def test_s2_50_nothing_is_stored_twice_by_several_processes(here: "Checkout") -> None:
    with Memory.open("."):  # made before, so that all begin alike
        processes = [subprocess.Popen([sys.executable, "-c", AT_ONCE]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    with Memory.open(".") as memory:
        kinds = ("kind:error", "kind:fix", "kind:pattern")
        assert [memory.statistics.count(kind) for kind in kinds] == [2, 2, 3]


@pytest.mark.parametrize(
    "name",
    ["singleton", "factory", "repository", "async context manager", "a factory for senders"],
)
@pytest.mark.usefixtures("packs")
def test_s2_26_and_27_seeded_patterns_are_recalled_and_suggested(
    here: "Checkout", name: str
) -> None:
    done(knowledge_base.seed_initial_knowledge())
    wanted = next(word for word in ("singleton", "factory", "repository", "async") if word in name)
    for found in (
        done(persistent_memory.recall_similar_patterns(name, "python", 3)),
        done(pattern_extractor.suggest_patterns(name)),
    ):
        assert wanted in found[0].title.lower()
        assert found[0].content
        assert found[0].metadata["layer"] == "pack foundations"
    assert "general advice, pack foundations" in ok(
        here, "code", "suggest", name, GITMEM_PACKS_OFF=""
    )


@pytest.mark.usefixtures("packs")
def test_what_a_team_has_comes_before_seeded_patterns_and_no_word_alone_finds_one(
    here: "Checkout",
) -> None:
    own = store(name="Settings singleton")
    found = done(pattern_extractor.suggest_patterns("singleton"))
    assert found[0].id == own
    assert len(found) == 2
    assert done(pattern_extractor.suggest_patterns("draw shared maps")) == []


def test_s2_30_a_teams_own_error_solution_is_recalled(here: "Checkout") -> None:
    add = knowledge_base.add_custom_knowledge
    done(add("PoolTimeout: queue limit reached", "close each session", "error_solution"))
    found = done(persistent_memory.recall_error_solutions("PoolTimeout: queue limit reached"))
    assert [one.content for one in found] == ["close each session"]


def test_a_pattern_without_code_is_refused(here: "Checkout") -> None:
    with pytest.raises(UsageError, match="code is empty"):
        store(code="  ")


def test_s2_14_to_23_patterns_are_taken_out_of_the_code_that_won(here: "Checkout") -> None:
    made = done(
        pattern_extractor.extract_from_consensus(
            consensus_result=SimpleNamespace(score=0.9),
            winner_candidate=SimpleNamespace(code=WINNER),
            task_context={"description": "log users in", "language": "python"},
        )
    )
    assert len(made) >= 2
    with Memory.open(".") as memory:
        records: list[Any] = [memory.show(name).record for name in made]
    assert {"class", "error handling"} & {one.category for one in records}
    assert all(one.when_to_use == "log users in" for one in records)
    assert all(one.metrics["score"] == 0.9 for one in records)
    assert all(one.complexity in {"low", "medium", "high", None} for one in records)


@pytest.mark.parametrize(
    ("winner", "context"),
    [
        (WINNER, "log users in"),
        ({"content": WINNER}, {"description": "log users in"}),
        (SimpleNamespace(code=WINNER), SimpleNamespace(description="x", language="python")),
    ],
)
def test_s2_22_any_form_of_winner_and_context_is_taken_once(
    here: "Checkout", winner: object, context: object
) -> None:
    extract = pattern_extractor.extract_from_consensus
    assert done(extract(None, winner, context))
    assert done(extract(None, winner, context)) == []


def test_s2_24_and_47_the_five_best_patterns_are_suggested(here: "Checkout") -> None:
    for number in range(7):
        store(f"authentication {number}", f"def login_{number}(user):\n    return {number}\n")
    found = done(
        pattern_extractor.suggest_patterns(
            task_description="implement user authentication", language="python"
        )
    )
    assert len(found) == 5


def test_s2_20_a_class_is_recalled_with_the_number_of_its_methods(here: "Checkout") -> None:
    done(pattern_extractor.extract_from_consensus(None, WINNER, "open and close sessions"))
    patterns = done(persistent_memory.recall_similar_patterns("sessions of a user", "python"))
    methods = {
        pattern.title.partition(":")[0]: pattern.metadata.get("methods") for pattern in patterns
    }
    assert methods["Sessions"] == 2
    assert methods["login"] is None


def test_s2_24_what_teaches_nothing_is_suggested_for_nothing(here: "Checkout") -> None:
    search = "def search(items, wanted):\n    while items:\n        yield items.pop() == wanted\n"
    code = f"{search}\n\ndef tiny(x):\n    return x\n"
    done(pattern_extractor.extract_from_consensus(None, code, "helpers for a sorted list"))
    patterns = done(pattern_extractor.suggest_patterns("search a sorted list", "python"))
    assert [pattern.title.partition(":")[0] for pattern in patterns] == ["search"]


def test_s2_25_what_another_process_stores_is_suggested_at_once(here: "Checkout") -> None:
    suggest = pattern_extractor.suggest_patterns
    assert done(suggest("authentication", "python")) == []
    ok(here, "add", "pattern", "--title", "JWT authentication", "--code", AUTH,
       "--language", "python")  # fmt: skip
    assert [each.title for each in done(suggest("authentication", "python"))] == [
        "JWT authentication"
    ]


def test_s2_29_and_31_seeding_tells_how_much_there_is_and_writes_nothing(
    here: "Checkout",
) -> None:
    expected = {"patterns": 4, "best_practices": 3, "common_errors": 4}
    for _ in range(2):
        assert done(knowledge_base.seed_initial_knowledge()) == expected
    with Memory.open(".") as memory:
        assert memory.statistics.count() == 0


def test_s2_30_and_54_custom_knowledge_becomes_a_pattern_or_a_note(here: "Checkout") -> None:
    add = knowledge_base.add_custom_knowledge
    about = {"language": "python", "framework": "fastapi"}
    done(add(title="OAuth2", content="def oauth(): ...", knowledge_type="pattern", metadata=about))
    done(add("Deploy", "never on a Friday", "best_practice", {"team": "ops"}))
    with Memory.open(".") as memory:
        pattern: Any = memory.show(memory.list("kind:pattern")[0].id).record
        note: Any = memory.show(memory.list("kind:note")[0].id).record
    assert (pattern.language, pattern.tags) == ("python", ("fastapi",))
    assert (note.type, note.body) == ("practice", "never on a Friday")


def test_s2_32_to_34_and_37_to_39_an_episode_can_be_replayed(here: "Checkout") -> None:
    episode = done(
        episodic_memory.start_episode(
            task=SimpleNamespace(description="implement REST API"),
            context={"user": "ann", "priority": "high"},
        )
    )
    for kind, role, data in (
        ("code_generation", AgentRole.WORKER_BACKEND, {"approach": "conservative", "lines": 45}),
        ("verification", AgentRole.QA_SENTINEL, {"passed": True, "score": 0.9}),
        ("consensus", "CONSENSUS_JUDGE", None),
    ):
        done(episodic_memory.record_event(episode, kind, role, data))
    live = done(episodic_memory.replay(episode))
    ended = done(episodic_memory.end_episode(episode, success=True, metrics={"seconds": 3}))
    assert ended["success"] is True
    replayed = done(episodic_memory.replay(episode))
    assert replayed == live
    assert [(one["type"], one["role"]) for one in replayed] == [
        ("context", ""),
        ("code_generation", "worker_backend"),
        ("verification", "qa_sentinel"),
        ("consensus", "CONSENSUS_JUDGE"),
    ]
    assert '"lines": 45' in replayed[1]["data"]
    with Memory.open(".") as memory:
        record: Any = memory.show(episode).record
    assert record.metrics == {"seconds": 3}


def test_s2_35_similar_episodes_are_recalled(here: "Checkout") -> None:
    won = done(episodic_memory.start_episode("implement a REST API for the shop"))
    done(episodic_memory.end_episode(won, True))
    lost = done(episodic_memory.start_episode("implement a REST API for the bank"))
    done(episodic_memory.end_episode(lost, False))
    recall = episodic_memory.recall_similar_episodes
    found = done(recall(task_description="implement REST API", n_results=3, success_only=True))
    assert [one.id for one in found] == [won]
    assert len(done(recall("implement REST API", 3))) == 2


def test_s2_36_failures_tell_what_went_wrong(here: "Checkout") -> None:
    lost = done(episodic_memory.start_episode("implement a REST API"))
    done(episodic_memory.end_episode(lost, False, {"error_type": "Timeout", "seconds": 9}))
    (found,) = done(episodic_memory.analyze_failures(limit=10))
    assert (found["id"], found["task"], found["error_type"]) == (
        lost, "implement a REST API", "Timeout",
    )  # fmt: skip
    assert "did not succeed" in found["summary"]


def test_s2_40_to_42_and_51_the_eight_steps_learn_and_recall(here: "Checkout") -> None:
    async def workflow(description: str) -> list[swarm.Recalled]:
        await knowledge_base.seed_initial_knowledge()
        episode = await episodic_memory.start_episode(description, {"user": "ann"})
        patterns = await persistent_memory.recall_similar_patterns(description, "python")
        await episodic_memory.record_event(episode, "consensus", AgentRole.CONSENSUS_JUDGE, {})
        await pattern_extractor.extract_from_consensus(None, WINNER, description)
        await episodic_memory.end_episode(episode, success=True, metrics={"patterns": 1})
        return patterns[:2]

    assert done(workflow("log users in with a session")) == []
    assert done(workflow("log users in with a session"))


def test_s2_52_and_53_the_four_objects_are_there_and_every_call_is_awaited() -> None:
    for name in ("persistent_memory", "pattern_extractor", "knowledge_base", "episodic_memory"):
        one = getattr(swarm, name)
        public = [getattr(one, part) for part in dir(one) if not part.startswith("_")]
        assert public
        assert all(asyncio.iscoroutinefunction(part) for part in public)


def test_calls_at_the_same_time_all_count(here: "Checkout") -> None:
    async def many() -> None:
        work = [
            persistent_memory.store_code_pattern(f"name {n}", f"def f{n}(): ...", "python")
            for n in range(8)
        ]
        await asyncio.gather(*work)

    done(many())
    with Memory.open(".") as memory:
        assert memory.statistics.count("kind:pattern") == 8


def test_s2_36_failures_of_one_cause_are_one_pattern(here: "Checkout") -> None:
    async def fail(task: str, data: object) -> None:
        episode = await episodic_memory.start_episode(task)
        await episodic_memory.record_event(episode, "execution", AgentRole.WORKER_BACKEND, data)
        await episodic_memory.end_episode(episode, success=False)

    for number in range(3):
        done(fail(f"call service {number}", {"error": f"TimeoutError: no answer in {number} s"}))
    done(fail("call another service", "raised TimeoutError: gave up"))
    done(fail("read a file", {"error_type": "OSError", "error_message": "no such file"}))
    done(fail("something else", "it did not work"))
    most, *others = done(episodic_memory.analyze_failures(limit=10))
    assert (most["error_type"], most["count"], len(most["tasks"])) == ("TimeoutError", 4, 4)
    assert {one["error_type"] for one in others} == {"OSError", ""}


def test_s2_36_what_an_episode_says_of_its_failure_is_told_however_it_says_it(
    here: "Checkout",
) -> None:
    async def fail(data: object) -> None:
        episode = await episodic_memory.start_episode("call the service")
        await episodic_memory.record_event(episode, "execution", "worker", data)
        await episodic_memory.end_episode(episode, success=False)

    done(fail({"error": "connection refused by port 8001"}))
    done(fail({"error": "connection refused by port 8002"}))
    done(fail({"error": "OSError", "message": "no such file"}))
    done(fail({"error_type": "OSError", "error": "OSError: disk full"}))
    done(fail({"error_type": "OSError", "error": "read only"}))
    files, ports = done(episodic_memory.analyze_failures(limit=10))
    assert (files["error_type"], files["error_message"], files["count"]) == (
        "OSError", "read only", 3,
    )  # fmt: skip
    assert files["error_messages"] == ["read only", "disk full", "no such file"]
    assert (ports["error_type"], ports["count"]) == ("", 2)
    assert ports["error_message"] == "connection refused by port 8002"


@pytest.mark.usefixtures("packs")
@pytest.mark.parametrize(
    "task", ["search a sorted list", "sort a dict by value", "write a json dump"]
)
def test_s2_24_words_of_its_code_alone_make_no_built_in_pattern_fit(
    here: "Checkout", task: str
) -> None:
    assert done(pattern_extractor.suggest_patterns(task, "python")) == []


@pytest.mark.usefixtures("packs")
@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("share one connection pool", "Singleton"),
        ("choose a class by name at run time", "Factory"),
        ("swap the database for a dict in tests", "Repository"),
        ("a lock that is opened and closed with await", "Async Context Manager"),
    ],
)
def test_s2_26_built_in_patterns_are_found_by_what_they_are_for(
    here: "Checkout", task: str, name: str
) -> None:
    (pattern,) = done(pattern_extractor.suggest_patterns(task, "python"))
    assert pattern.title.startswith(name)
