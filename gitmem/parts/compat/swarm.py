"""The memory of a swarm of agents: four objects with an ``async`` interface.

``persistent_memory``, ``pattern_extractor``, ``knowledge_base`` and ``episodic_memory`` speak
for the repository of the current folder. Code patterns are pattern records, error resolutions
are errors with fixes, solutions and practices are notes, and an episode is a session.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gitmem.learning.issues import outcome
from gitmem.parts.compat.arguments import truth, whole
from gitmem.parts.compat.episode_failures import failure_patterns
from gitmem.parts.compat.shared import as_text, awaited, opened, scalars, tagged
from gitmem.parts.compat.swarm_recall import (
    SEEDED,
    Recalled,
    is_advice,
    patterns_for,
    recall,
    resolutions,
    stored_or_seeded,
)
from gitmem.parts.compat.write_once import resolve_once, write_once
from gitmem.records.kinds import Session

__all__ = (
    "EpisodicMemory", "KnowledgeBase", "PatternExtractor", "PersistentMemory", "Recalled",
    "episodic_memory", "knowledge_base", "pattern_extractor", "persistent_memory",
)  # fmt: skip
_TITLE: Final = 120
_AGENT: Final = {"actor": "agent:swarm"}
"""Who says that a resolution worked: a claim until a check saw it."""


class PersistentMemory:
    """Stores and recalls code patterns, solutions, error resolutions and experiences."""

    async def store_code_pattern(
        self,
        pattern_name: str,
        code: str,
        language: str = "",
        context: str = "",
        success_metrics: Mapping[str, Any] | None = None,
    ) -> str:
        """Write a code pattern down, once; gives the record's id."""
        fields = {
            "title": pattern_name,
            "code": code,
            "language": language,
            "when_to_use": context,
            "metrics": scalars(success_metrics),
        }
        return await awaited(_once, "pattern", fields, "code")

    async def recall_similar_patterns(
        self, description: str, language: str | None = None, n_results: int = 5
    ) -> list[Recalled]:
        """Find patterns that fit a description; best first."""
        return await awaited(patterns_for, description, language, n_results)

    async def store_solution(
        self,
        problem: str,
        solution: str,
        language: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Write down a whole solution to a problem, once; gives the record's id."""
        more = "".join(f"\n\n{name}: {as_text(value)}" for name, value in (metadata or {}).items())
        body = f"{problem}\n\n{solution}{more}"
        tags = tagged("solution", language)
        fields = {"title": _line(problem), "body": body, "type": "howto", "tags": tags}
        return await awaited(_once, "note", fields, "body")

    async def recall_solutions(self, problem: str, n_results: int = 5) -> list[Recalled]:
        """Find solutions to problems like this one, and practices; best first."""
        return await awaited(recall, "kind:note", problem, n_results, is_advice)

    async def store_error_resolution(
        self,
        error_message: str,
        context: str = "",
        resolution: str = "",
        success: bool | None = True,  # noqa: FBT001, FBT002  the older interface
    ) -> str:
        """Write down what was done against an error, once, and whether it worked; gives its id."""
        helped = truth(success, "success")

        def write() -> str:
            with opened(settings=_AGENT) as memory:
                fields = {
                    "approach": resolution.strip(),
                    "outcome": outcome(applied=None, verified=helped),
                    "notes": context.strip(),
                }
                return resolve_once(memory, error_message, fields)

        return await awaited(write)

    async def recall_error_solutions(
        self, error_message: str, n_results: int = 5
    ) -> list[Recalled]:
        """Find what was done against errors like this one; of each, what worked comes first.

        That is what was stored, what ``seed_initial_knowledge`` offers, and the team's own packs.
        """
        most = whole(n_results, "n_results")

        def find() -> list[Recalled]:
            with opened(settings=stored_or_seeded()) as memory:
                return memory.workspace.ask(lambda _: resolutions(memory, error_message, most))

        return await awaited(find)

    async def recall_experiences(self, description: str, n_results: int = 5) -> list[Recalled]:
        """Find pieces of work like this one; best first."""
        return await awaited(recall, "kind:session", description, n_results)

    async def get_statistics(self) -> dict[str, int]:
        """Count what there is, by collection."""

        def count() -> dict[str, int]:
            with opened() as memory:
                return {
                    "code_patterns": memory.statistics.count("kind:pattern"),
                    "solutions": memory.statistics.count("kind:note tag:solution"),
                    "errors": memory.statistics.count("kind:error"),
                    "experiences": memory.statistics.count("kind:session"),
                }

        return await awaited(count)


class PatternExtractor:
    """Takes reusable patterns out of accepted code."""

    async def extract_from_consensus(
        self,
        consensus_result: object = None,
        winner_candidate: object = None,
        task_context: object = None,
    ) -> list[str]:
        """Keep the patterns of the code that won; gives ids of what was new.

        Args:
            consensus_result: its ``score`` or ``confidence`` becomes a figure of each pattern.
            winner_candidate: code, or something with ``code`` or ``content``.
            task_context: ``description`` and ``language``, or a text.

        """
        code = _field(winner_candidate, "code", "content", "solution")
        description = _field(task_context, "description", "task")
        language = _field(task_context, "language", plain=False) or "python"
        score = _field(consensus_result, "score", "confidence", plain=False)

        def write() -> list[str]:
            with opened() as memory:
                fields = {
                    "when_to_use": description,
                    "metrics": {"score": float(score)} if score else {},
                }
                patterns = memory.code.extract(code, language)
                with memory.workspace.one_at_a_time():
                    records = memory.code.keep_patterns(patterns, fields)
                return [record.id for record in records]

        return await awaited(write)

    async def suggest_patterns(
        self, task_description: str, language: str | None = None
    ) -> list[Recalled]:
        """Find the five patterns that fit a task best."""
        return await awaited(patterns_for, task_description, language, 5)


class KnowledgeBase:
    """Knowledge that comes with the package, and what a team adds."""

    async def seed_initial_knowledge(self) -> dict[str, int]:
        """Offer the built-in knowledge; gives how much there is of each sort.

        It is searched from then on as it was before: built-in packs lie in the package, below
        what the team wrote. Nothing is written into the repository.
        """

        def seed() -> dict[str, int]:
            with opened() as memory:
                return {**memory.transfer.seed(SEEDED).counts}

        return await awaited(seed)

    async def add_custom_knowledge(
        self,
        title: str,
        content: str,
        knowledge_type: str = "pattern",
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Write knowledge of one's own down, once; gives the record's id.

        Args:
            title: what it is called.
            content: code or text.
            knowledge_type: ``pattern`` becomes a pattern, ``error_solution`` what was done against
                the error in the title, anything else a note.
            metadata: ``language`` is taken as such, the rest is kept beside it.

        """
        about = dict(metadata or {})
        language = str(about.pop("language", ""))
        tags = tagged(*(as_text(value) for value in about.values()))
        if knowledge_type == "pattern":
            fields = {"title": title, "code": content, "language": language, "tags": tags}
            return await awaited(_once, "pattern", fields, "code")
        if "error" in knowledge_type:
            context = "\n".join(f"{name}: {as_text(value)}" for name, value in about.items())
            return await persistent_memory.store_error_resolution(title, context, content)
        kind = "practice" if "practice" in knowledge_type else "other"
        tags = tagged(knowledge_type, language, *tags)
        fields = {"title": title, "body": content, "type": kind, "tags": tags}
        return await awaited(_once, "note", fields, "body")


class EpisodicMemory:
    """Follows pieces of work, event by event."""

    async def start_episode(self, task: object, context: object = None) -> str:
        """Begin an episode; gives its id, which is a session's."""
        goal = _field(task, "description", "goal", "title", "name")

        def start() -> str:
            with opened() as memory:
                live = memory.sessions.start(goal, tags=tagged("episode"), beside=True)
                if context:
                    text = as_text(context)
                    memory.sessions.log("context", text, session=live.id)
                return live.id

        return await awaited(start)

    async def record_event(
        self, episode_id: str, event_type: str, agent_role: object = "", data: object = None
    ) -> None:
        """Note what happened, and which agent it was: an enum, or any other word."""
        role = str(getattr(agent_role, "value", agent_role) or "")
        text = "" if data is None else as_text(data)

        def write() -> None:
            with opened() as memory:
                memory.sessions.log(event_type, text, session=episode_id, role=role)

        await awaited(write)

    async def end_episode(
        self,
        episode_id: str,
        success: bool | None = None,  # noqa: FBT001  the older interface
        metrics: object = None,
    ) -> dict[str, Any]:
        """End an episode; gives ``id``, ``summary`` and ``success``."""
        reached = truth(success, "success")

        def end() -> dict[str, Any]:
            with opened() as memory:
                record = memory.end_session(episode_id, success=reached, metrics=scalars(metrics))
                return {"id": record.id, "summary": record.summary, "success": record.success}

        return await awaited(end)

    async def recall_similar_episodes(
        self,
        task_description: str,
        n_results: int = 5,
        success_only: bool = False,  # noqa: FBT001, FBT002  the older interface
    ) -> list[Recalled]:
        """Find episodes like this one; best first."""
        filters = "kind:session status:succeeded" if success_only else "kind:session"
        return await awaited(recall, filters, task_description, n_results)

    async def analyze_failures(self, limit: int = 10) -> list[dict[str, Any]]:
        """Tell what goes wrong in episodes: failures of one cause together, most frequent first.

        Args:
            limit: how many of the newest episodes that failed are looked at.

        """
        most = whole(limit, "limit")

        def ask() -> list[dict[str, Any]]:
            with opened() as memory:
                rows = memory.list("kind:session status:failed", limit=most)
                records = (memory.show(row.id).record for row in rows)
                return failure_patterns(record for record in records if isinstance(record, Session))

        return await awaited(ask)

    async def replay(self, episode_id: str) -> list[dict[str, Any]]:
        """Give the events of an episode, live or ended, in order."""

        def read() -> list[dict[str, Any]]:
            with opened() as memory:
                live = [x for x in memory.sessions.live(everywhere=True) if x.id == episode_id]
                record = live[0] if live else memory.show(episode_id).record
                events: Sequence[Any] = live[0].logged if live else getattr(record, "events", ())
                return [
                    {"at": x.at.isoformat(), "type": x.type, "role": x.role, "data": x.text}
                    for x in events
                ]

        return await awaited(read)


persistent_memory: Final = PersistentMemory()
pattern_extractor: Final = PatternExtractor()
knowledge_base: Final = KnowledgeBase()
episodic_memory: Final = EpisodicMemory()


def _once(kind: str, fields: Mapping[str, Any], compared: str) -> str:
    with opened() as memory:
        return write_once(memory, kind, fields, compared)[0]


def _field(value: object, *names: str, plain: bool = True) -> str:
    """Read a text out of a mapping or an object; a plain text is itself, if wanted."""
    if isinstance(value, str):
        return value if plain else ""
    ask: Callable[[str], object]
    if isinstance(value, Mapping):
        ask = value.get
    else:

        def ask(name: str) -> object:
            return getattr(value, name, None)

    return next((str(answer) for name in names if (answer := ask(name)) is not None), "")


def _line(text: str) -> str:
    return " ".join(text.split())[:_TITLE]
