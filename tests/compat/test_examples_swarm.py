"""The examples of the swarm memory's document, one test a block; docs/seeds.md lists them."""

import asyncio
import enum
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from gitmem.compat.swarm import (
    episodic_memory,
    knowledge_base,
    pattern_extractor,
    persistent_memory,
)

if TYPE_CHECKING:
    from tests.conftest import Checkout

WINNER = SimpleNamespace(
    code="async def login(user):\n    try:\n        return await check(user)\n"
    "    except KeyError as error:\n        raise ValueError('nobody') from error\n"
)
TASK = SimpleNamespace(description="implement REST API", language="python")


class AgentRole(enum.Enum):
    WORKER_BACKEND = 1
    QA_SENTINEL = 2
    CONSENSUS_JUDGE = 3


def test_persistent_memory(here: "Checkout") -> None:
    async def example() -> tuple[Any, Any]:
        await persistent_memory.store_code_pattern(
            pattern_name="JWT Authentication",
            code="def check(token): ...",
            language="python",
            context="REST API authentication",
            success_metrics={"success_rate": 1.0},
        )
        patterns = await persistent_memory.recall_similar_patterns(
            description="implement user authentication", language="python", n_results=3
        )
        await persistent_memory.store_error_resolution(
            error_message="ModuleNotFoundError: No module named 'fastapi'",
            context="Starting FastAPI server",
            resolution="pip install fastapi uvicorn",
            success=True,
        )
        solutions = await persistent_memory.recall_error_solutions(
            error_message="Cannot import fastapi", n_results=3
        )
        return patterns, solutions

    patterns, solutions = asyncio.run(example())
    assert patterns[0].title == "JWT Authentication"
    assert solutions[0].content == "pip install fastapi uvicorn"


def test_learning_from_consensus(here: "Checkout") -> None:
    made = asyncio.run(
        pattern_extractor.extract_from_consensus(
            consensus_result=SimpleNamespace(score=0.9),
            winner_candidate=WINNER,
            task_context={"description": "log in", "language": "python"},
        )
    )
    assert made


def test_pattern_suggestions(here: "Checkout") -> None:
    suggestions = asyncio.run(
        pattern_extractor.suggest_patterns(
            task_description="implement user authentication", language="python"
        )
    )
    assert len(suggestions) <= 5


def test_seeding_on_startup(here: "Checkout") -> None:
    stats = asyncio.run(knowledge_base.seed_initial_knowledge())
    assert stats == {"patterns": 4, "best_practices": 3, "common_errors": 4}


def test_adding_custom_knowledge(here: "Checkout") -> None:
    name = asyncio.run(
        knowledge_base.add_custom_knowledge(
            title="OAuth2 Implementation Pattern",
            content="def oauth(): ...",
            knowledge_type="pattern",
            metadata={"language": "python", "framework": "fastapi"},
        )
    )
    assert name.startswith("pat-")


def test_episode_lifecycle(here: "Checkout") -> None:
    async def example() -> list[dict[str, Any]]:
        episode_id = await episodic_memory.start_episode(
            task=TASK, context={"user": "ann", "priority": "high"}
        )
        await episodic_memory.record_event(
            episode_id=episode_id,
            event_type="code_generation",
            agent_role=AgentRole.WORKER_BACKEND,
            data={"approach": "conservative", "lines": 45},
        )
        await episodic_memory.record_event(
            episode_id=episode_id,
            event_type="verification",
            agent_role=AgentRole.QA_SENTINEL,
            data={"passed": True, "score": 0.9},
        )
        await episodic_memory.end_episode(
            episode_id=episode_id, success=True, metrics={"seconds": 3}
        )
        return await episodic_memory.replay(episode_id)

    events = asyncio.run(example())
    assert [one["type"] for one in events] == ["context", "code_generation", "verification"]


def test_learning_from_history(here: "Checkout") -> None:
    async def example() -> tuple[Any, Any]:
        for goal, success in (("implement REST API", True), ("implement REST API again", False)):
            episode = await episodic_memory.start_episode(goal)
            await episodic_memory.end_episode(episode, success=success)
        similar = await episodic_memory.recall_similar_episodes(
            task_description="implement REST API", n_results=3, success_only=True
        )
        return similar, await episodic_memory.analyze_failures(limit=10)

    similar, failures = asyncio.run(example())
    assert [one.title for one in similar] == ["implement REST API"]
    assert [one["task"] for one in failures] == ["implement REST API again"]


def test_how_memory_enhances_consensus(here: "Checkout") -> None:
    async def example() -> str:
        context = "the task"
        await persistent_memory.store_code_pattern(
            "REST API", "def handler(): ...", "python", "implement a REST API"
        )
        patterns = await persistent_memory.recall_similar_patterns(
            description=TASK.description, language=TASK.language
        )
        if patterns:
            context += "\n\nRelevant patterns from memory:\n"
            for pattern in patterns[:2]:
                context += f"\n{pattern.content}"
        await pattern_extractor.extract_from_consensus(
            consensus_result=None, winner_candidate=WINNER, task_context=context
        )
        return context

    assert "def handler()" in asyncio.run(example())


def test_complete_workflow(here: "Checkout") -> None:
    async def example() -> Any:
        await knowledge_base.seed_initial_knowledge()
        episode_id = await episodic_memory.start_episode(TASK, {"user": "ann"})
        patterns = await persistent_memory.recall_similar_patterns(TASK.description, TASK.language)
        assert isinstance(patterns, list)
        await episodic_memory.record_event(
            episode_id, "consensus", AgentRole.CONSENSUS_JUDGE, {"votes": 3}
        )
        await pattern_extractor.extract_from_consensus(None, WINNER, {"language": "python"})
        return await episodic_memory.end_episode(episode_id, success=True, metrics={"seconds": 1})

    assert asyncio.run(example())["success"] is True
