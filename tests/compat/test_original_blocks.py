"""Every code block of the five documents, taken from their texts where those lie beside the clone.

The texts are not ours to ship, so without them these tests are skipped; the tests of the examples
make the same calls in words of our own. ``BLOCKS`` says of every block what is expected of it:

* ``run``: it runs with only its imports changed, and what it leaves passes the check beside it,
* ``interface``: it shows how something is written; ours has the names and parameters, and what
  comes back is of the described form (``test_original_words.py``, ``test_seed_oracle.py``),
* ``sql`` and ``shell``: it is asked of the fix history, or as the command in its place,
* ``refused``: a rule forbids it, and a clear error says so,
* ``words``: a picture, an output or a value: ``test_original_words.py`` says what ours has there.
"""

import ast
import asyncio
import contextlib
import inspect
import io
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from gitmem import Memory
from gitmem.compat import ai_memory, fix_history, kaizen, swarm
from gitmem.parts.compat import coding, learning
from tests.e2e.running import run

if TYPE_CHECKING:
    from tests.conftest import Checkout

TEXTS = Path(__file__).resolve().parents[3] / "shared/seeds"
needs_texts = pytest.mark.skipif(
    not TEXTS.is_dir(), reason="the five documents do not lie beside this clone"
)
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_IMPORTS = {
    "kaizen.cli.commands.memory_inspector": "gitmem.compat.kaizen",
    "kaizen.cli.commands.memory": "gitmem.compat.kaizen",
    "from Scripts.ai_memory": "from gitmem.compat.ai_memory",
    "import sqlite3": "from gitmem.compat import fix_history as sqlite3",
    "from src.memory": "from gitmem.compat.swarm",
    "kagura.core.memory.coding_memory": "gitmem.compat.coding",
    "kagura.llm.vision": "gitmem.compat.coding",
}
_REPAIRED = {
    # A positional argument behind a named one: Python does not take it.
    "success=True, metrics)": "success=True, metrics=metrics)",
    # Three dots for all arguments of a call.
    "coding_record_error(...)": 'coding_record_error(**who, error_type="E", message="naive")',
    "coding_end_session(...)": "coding_end_session(**who)",
    "coding_start_session(...)": 'coding_start_session(**who, description="next")',
}
Names = dict[str, Any]


class Block(NamedTuple):
    """A code block: its place in its document, its language, its text."""

    number: int
    language: str
    text: str


def blocks(document: int) -> list[Block]:
    (path,) = TEXTS.glob(f"{document:03d}_*.txt")
    found = _FENCE.findall(path.read_text(encoding="utf-8"))
    return [Block(number, *pair) for number, pair in enumerate(found, 1)]


def changed(text: str) -> str:
    for before, now in {**_IMPORTS, **_REPAIRED}.items():
        text = text.replace(before, now)
    return text


def carried_out(text: str, names: Names) -> None:
    """Run a block, which may await at its top."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code = compile(changed(text), "a block", "exec", flags=flags)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        result = eval(code, names)  # noqa: S307  what the test is for
        if inspect.iscoroutine(result):
            asyncio.run(result)
    names["printed"] = output.getvalue()


def parameters(text: str) -> Iterator[tuple[str, list[str]]]:
    """Give the functions that a block defines, methods with their class, and their parameters."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    yield f"{node.name}.{part.name}", [arg.arg for arg in part.args.args]
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, [arg.arg for arg in node.args.args]


def same_interface(text: str, home: Any, inside: set[str]) -> None:
    """Find each function of a block in ours, with the parameters in their order."""
    for name, wanted in parameters(text):
        if name.split(".")[-1].startswith("_") and name not in inside:
            continue  # how it is done inside is another matter
        ours: Any = home
        for part in name.split("."):
            ours = getattr(ours, part)
        given = list(inspect.signature(ours).parameters)
        assert given[: len(wanted)] == wanted or given[: len(wanted) - 1] == wanted[1:], name


class AgentRole(Enum):
    WORKER_BACKEND = "worker_backend"
    QA_SENTINEL = "qa_sentinel"
    CONSENSUS_JUDGE = "consensus_judge"


Check = Callable[[Names], object]
RED = {"test_cases": [{"test_name": "t", "status": "failed", "error_message": "E: no"}]}
CODE = "def log_in(user):\n    return user.check()\n\n\ndef log_out(user):\n    user.clear()\n"
ISSUE = {"model": "qwen2.5:7b", "issue_type": "TIMEOUT", "description": "no answer in 30 s"}


def filled(*names: str) -> Check:
    """Check that the names hold something."""
    return lambda after: [
        pytest.fail(f"{name} is empty: {after[name]!r}") for name in names if not after[name]
    ]


def printed(*wanted: str) -> Check:
    """Check that what a block printed holds these texts."""
    return lambda after: _equal([text for text in wanted if text not in after["printed"]], [])


def stored(filters: str, *wanted: str) -> Check:
    """Check that the newest record that the filters choose holds these texts."""

    def check(_: Names) -> None:
        with Memory.open(".") as memory:
            newest = memory.list(filters)[0]
            text = memory.show(newest.id).text.decode()
        _equal([part for part in wanted if part not in text], [])

    return check


def in_the_live_session(*wanted: str) -> Check:
    """Check that the session that is going on holds these texts."""

    def check(_: Names) -> None:
        with Memory.open(".") as memory:
            text = repr(memory.sessions.live())
        _equal([part for part in wanted if part not in text], [])

    return check


def _exported(connection: sqlite3.Connection) -> None:
    connection.close()  # the block leaves it open
    assert "qwen2.5:7b" in Path("fix_history.csv").read_text("utf-8")


def _migrated(after: Names) -> None:
    """Call the block's function, which leaves its connection open, with one that is closed."""
    legacy = sqlite3.connect("legacy.db")
    after["sqlite3"] = SimpleNamespace(connect=lambda _: legacy)
    after["migrate_legacy_data"]("legacy.db")
    legacy.close()


WON = """\
class TokenStore:
    def add(self, user):
        return self.tokens.append(user)

    def take(self, user):
        try:
            return self.tokens.remove(user)
        except ValueError as error:
            raise KeyError(user) from error
"""


def both(*checks: Check) -> Check:
    return lambda after: [check(after) for check in checks]


def equal(name: str, attribute: str, wanted: object) -> Check:
    return lambda after: _equal(getattr(after[name], attribute), wanted)


def replayed(*kinds_of_events: str) -> Check:
    """Check that the episode of a block holds these events, in their order."""

    def check(after: Names) -> None:
        events = asyncio.run(swarm.episodic_memory.replay(after["episode_id"]))
        _equal([event["type"] for event in events if event["role"]], list(kinds_of_events))

    return check


KAIZEN: dict[int, Check] = {
    1: both(
        lambda after: _equal(after["memory"].get_memory_summary()["total_fix_attempts"], 1),
        printed("execution_id: my_test_123", "total_test_runs: 1", "total_llm_interactions: 1"),
    ),
    2: both(
        lambda after: _equal(
            [len(after[name]) for name in
             ("test_runs", "fix_attempts", "llm_interactions", "failed_cases")], [1, 1, 1, 1],
        ),
        lambda after: _equal(after["failed_cases"][0].error_message, "E: no"),
        lambda _: _equal(
            json.loads(Path("memory_dump.json").read_text("utf-8"))["execution_id"], "my_test_123"
        ),
        lambda after: _equal(after["learning_context"]["original_code"], {"file.py": "a = 1\n"}),
    ),
    3: printed("execution_id: my_test_123", "E: no", "why?"),
    4: lambda after: _equal(
        [attempt["success"] for attempt in after["learning_context"]["previous_attempts"]], [False]
    ),
    5: lambda after: _equal(
        (after["summary"]["total_test_runs"], after["analysis"]["total_runs"],
         after["json_data"]["execution_id"]), (1, 1, "my_test_123"),
    ),
    6: both(
        lambda after: _equal(after["schema"]["TestCase"]["failing_line"], "int | None"),
        printed("TestRun", "FixAttempt", "failing_line"),
    ),
}  # fmt: skip
SWARM: dict[int, Check] = {
    1: lambda after: _equal(
        (after["patterns"][0].title, after["solutions"][0].content),
        ("JWT Authentication", "pip install fastapi uvicorn"),
    ),
    2: stored("kind:pattern", "self.tokens.remove"),
    3: lambda after: _equal(after["suggestions"][0].title, "JWT Authentication"),
    4: lambda after: _equal(
        after["stats"], {"patterns": 4, "best_practices": 3, "common_errors": 4}
    ),
    5: stored("kind:pattern", "OAuth2 Implementation Pattern", "fastapi"),
    6: both(
        replayed("code_generation", "verification"),
        stored("kind:session", "conservative", "seconds: 3"),
    ),
    7: lambda after: _equal(
        (after["similar"][0].title, after["failure_patterns"][0]["task"]),
        ("implement a REST API", "implement a queue"),
    ),
    8: lambda after: _equal("def log_in(user)" in after["context"], True),
    10: both(
        lambda after: _equal(after["candidates"][1][0].title, "JWT Authentication"),
        replayed("consensus"),
    ),
}
CODING: dict[int, Check] = {
    2: stored("kind:session", "Add JWT token", "src/middleware.py", "def validate_token"),
    3: both(
        stored("kind:error", "offset-naive", "src/auth.py", "timezone"),
        stored("kind:fix", "Use datetime.now(timezone.utc) consistently"),
    ),
    4: stored("kind:decision", "Use JWT tokens", "Session-based auth", "key rotation", "0.9"),
    5: in_the_live_session("Implement JWT authentication system", "authentication"),
    6: both(
        lambda after: _equal("JWT" in after["result"]["summary"], True),
        printed("Goal: Implement JWT authentication system"),
    ),
    7: lambda after: _equal(
        (after["similar_errors"][0]["error_type"], after["similar_errors"][0]["solution"]),
        ("TypeError", "Use datetime.now(timezone.utc) consistently"),
    ),
    8: printed("Use JWT tokens for authentication"),
    9: lambda after: _equal(after["patterns"]["languages"][0][0].lower(), "python"),
    10: both(
        printed("Session completed in", "LiteLLM", "No module named 'litellm'", "coding_memory.py"),
        stored("kind:session", "Implement coding memory system", "Create coding-specialized"),
    ),
    12: lambda after: _equal(
        (after["coding_mem"].model, after["coding_mem"].vision_model,
         after["coding_mem"].auto_approve),
        ("claude-sonnet-4-5", "gpt-4o", True),
    ),
    16: lambda after: _equal("Goal: prepare" in after["result"]["summary"], True),
    17: equal("coding_mem", "cost_threshold", 0.5),
    18: equal("coding_mem", "auto_approve", wanted=True),
    19: printed("Total spent: $0.00", "Total tokens: 0", "LLM calls: 0"),
    20: stored("kind:error", "See screenshot"),
    22: lambda after: _equal(len(after["warned"]["warnings"]), 1),
    23: lambda after: _equal(after["warned"]["warnings"], []),
    24: lambda after: _equal(after["error"].resolved, True),
    25: both(
        stored("kind:session", "Implement rate limiting", "security"),
        in_the_live_session("Debug memory leak in background task", "bugfix"),
    ),
    26: lambda after: _equal(
        after["matches"][0]["message"], "coroutine 'Database.fetch' was never awaited"
    ),
    27: in_the_live_session("goal='next'"),
}  # fmt: skip
INTERFACE: dict[int, dict[int, Any]] = {
    1: {8: ai_memory.AIMemory, **dict.fromkeys(range(42, 49), ai_memory.AIMemory)},
    3: dict.fromkeys((1, 2, 3, 4), learning),
}
INSIDE = {
    "AdaptiveExecutionEngine._identify_success_factors",
    "AdaptiveExecutionEngine._apply_error_solution",
}
SHELL: dict[int, tuple[str, ...]] = {
    **dict.fromkeys((18, 20, 22, 23, 24, 25, 26, 27, 36, 37), ()),
    38: ("index rebuild",),
    39: ("backup copy.json.gz",),
    40: ("backup restore copy.json.gz", "check", "stats"),
}
"""Blocks of commands, whose lines ``./memory.sh …`` are ``gitmem …``; or what stands in place of
work on the database's own file."""
FIXER_RUN: dict[int, Check] = {
    9: lambda after: _equal((after["success_rate"], after["confidence"]), (0.75, 0.4)),
    10: filled("context"),
    11: filled("fix_id"),
    12: lambda after: _equal(len(after["similar_issues"]["exact_matches"]), 1),
    13: lambda after: _equal(after["insights"]["total_tests"] >= 1, True),
    28: lambda after: _exported(after["conn"]),
    29: lambda after: after["export_analytics_data"]("analytics.json"),
    30: lambda after: after["import_knowledge_base"]("knowledge.json"),
    31: _migrated,
    41: filled("memory"),
    49: lambda after: _equal(after["qwen_attempts"], 1),
}
FIXER_SQL = (2, 3, 4, 14, 15, 16, 32)
WORDS: dict[int, set[int]] = {
    1: {1, 5, 6, 7, 17, 19, 21, 33, 34, 35},
    2: {9},
    4: {1, 11, 13, 14, 15, 21},
}
"""Pictures, outputs, values, settings and texts that are no program: ``test_original_words.py``
holds each of them to what ours has in its place."""
LEARNING: dict[int, Check] = {
    5: both(
        lambda after: _equal(
            after["learning_report"]["overall_metrics"]["total_executions"], 2
        ),
        printed("Performance Insights", "Insufficient data",
                "Focus on improving backend tasks (current success rate: 50.0%)"),
    ),
    6: both(
        equal("config", "pattern_retention_limit", 2000),
        equal("learner", "project_name", "advanced-project"),
    ),
}  # fmt: skip


def _equal(given: object, wanted: object) -> None:
    assert given == wanted


def kinds(document: int) -> dict[int, str]:
    """Say what is expected of each block of a document."""
    run_blocks: dict[int, dict[int, Check]] = {
        0: KAIZEN,
        1: FIXER_RUN,
        2: SWARM,
        3: LEARNING,
        4: CODING,
    }
    table: dict[int, str] = dict.fromkeys(run_blocks[document], "run")
    table |= dict.fromkeys(INTERFACE.get(document, {}), "interface")
    table |= dict.fromkeys(WORDS.get(document, ()), "words")
    if document == 1:
        table |= dict.fromkeys(SHELL, "shell") | dict.fromkeys(FIXER_SQL, "sql")
    return table


@needs_texts
@pytest.mark.parametrize(("document", "number"), [(0, 6), (1, 49), (2, 10), (3, 6), (4, 27)])
def test_something_is_expected_of_every_block(document: int, number: int) -> None:
    assert [block.number for block in blocks(document)] == sorted(kinds(document))
    assert len(blocks(document)) == number


def work_through(document: int, checks: dict[int, Check], names: Names) -> None:
    """Run the blocks of a document, each with what those before it left."""
    for block in blocks(document):
        if block.number in checks:
            try:
                carried_out(block.text, names)
                checks[block.number](names)
            except Exception as error:
                error.add_note(f"block {block.number} of document {document}")
                raise


@needs_texts
def test_blocks_of_the_kaizen_memory(here: "Checkout") -> None:
    names: Names = {
        "my_config": {"depth": 1}, "test_results": RED, "prompt": "why?", "response": "so",
        "original": "a = 1\n", "fixed": "a = 2\n", "success": False,
    }  # fmt: skip
    work_through(0, KAIZEN, names)
    names["memory"].end()
    assert isinstance(names["memory"], kaizen.ExecutionMemory)


@needs_texts
def test_blocks_of_the_fixers_memory(here: "Checkout") -> None:
    (here / "knowledge.json").write_text('{"timeouts": "wait 60 s"}')
    sqlite3.connect("legacy.db").close()
    memory = ai_memory.AIMemory()
    names: Names = {
        "memory": memory, "AIMemory": ai_memory.AIMemory, "issue_data": ISSUE,
        "json": json,
        "build_context_for_claude": ai_memory.build_context_for_claude,
        "successful_fixes": 3, "total_attempts": 4, "sqlite3": sqlite3,
    }  # fmt: skip
    for block in blocks(1):
        kind = kinds(1)[block.number]
        if kind == "run" and block.number != 41:  # it opens a memory at a path of its own
            carried_out(block.text, names)
            if block.number == 11:
                names["issue_data"] = {
                    **ISSUE, "description": "Model response timeout after 30 seconds",
                }  # fmt: skip
            FIXER_RUN[block.number](names)
        elif kind == "interface":
            same_interface(block.text, INTERFACE[1][block.number], INSIDE)
        elif kind == "sql":
            _asked(block.text)
        elif kind == "shell":
            for command in SHELL[block.number] or _commands(block.text):
                done = run(here, *command.split())
                assert done.code == 0, (block.number, done)
                assert (done.out + done.err).strip(), (block.number, command)
    assert ai_memory.AIMemory().knowledge_base["timeouts"] == "wait 60 s"


def _commands(text: str) -> Iterator[str]:
    """Give what each line calls ``./memory.sh`` with; what the shell computes is a date."""
    lines = re.findall(r"^\./memory\.sh (.+)$", text, re.MULTILINE)
    assert lines, text
    yield from (re.sub(r"\$\(.*?\)", "2026_11", line) for line in lines)


def _asked(sql: str) -> None:
    database = fix_history.connect()
    if "CREATE TABLE" in sql:
        (table,) = re.findall(r"CREATE TABLE (\w+)", sql)
        wanted = re.findall(r"^    (\w+) [A-Z]", sql, re.MULTILINE)
        cursor = database.execute(f"SELECT * FROM {table}")  # noqa: S608  the block's own name
        columns = [column[0] for column in cursor.description]
        assert columns == wanted, table
    elif "CREATE INDEX" in sql:
        database.executescript(sql)
        names = re.findall(r"CREATE INDEX (\w+)", sql)
        made = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
        assert set(names) <= made
    else:
        assert database.execute(sql).fetchall()
    database.close()


@needs_texts
def test_blocks_of_the_swarms_memory(here: "Checkout") -> None:
    async def generate_with_context(task: object, patterns: object) -> list[object]:
        return [task, patterns]

    task = SimpleNamespace(description="implement user authentication", language="python")
    names: Names = {
        **{name: getattr(swarm, name) for name in
           ("persistent_memory", "pattern_extractor", "knowledge_base", "episodic_memory")},
        "auth_code": CODE, "oauth_pattern_code": CODE, "result": SimpleNamespace(score=0.9),
        "consensus": SimpleNamespace(score=0.9), "winner": SimpleNamespace(code=WON),
        "AgentRole": AgentRole, "execution_metrics": {"seconds": 3}, "metrics": {"seconds": 3},
        "current_task": SimpleNamespace(description="implement a REST API"), "task": task,
        "context": "implement user authentication", "data": {"votes": 3},
        "generate_with_context": generate_with_context,
    }  # fmt: skip

    async def failed_before() -> None:
        lost = await swarm.episodic_memory.start_episode("implement a queue")
        await swarm.episodic_memory.end_episode(lost, success=False)

    asyncio.run(failed_before())
    work_through(2, SWARM, names)


@needs_texts
def test_blocks_of_the_learning_patterns(here: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "_STATE", {})
    statuses: dict[str, str] = {}
    tasks = [
        {"id": "T1", "status": "pending", "category": "backend", "execute": lambda _: {}},
        {"id": "T2", "status": "pending", "category": "backend", "execute": lambda _: 1 / 0},
    ]
    names: Names = {
        **{name: getattr(learning, name) for name in
           ("initialize_learning_system", "execute_task_with_learning",
            "continuous_learning_loop", "ExecutionPatternLearner")},
        "load_task_list": lambda _: {"tasks": tasks},
        "update_task_status": statuses.__setitem__,
    }  # fmt: skip
    for block in blocks(3):
        if block.number in INTERFACE[3]:
            same_interface(block.text, learning, INSIDE)
        else:
            carried_out(block.text, names)
            LEARNING[block.number](names)
    assert statuses == {"T1": "completed", "T2": "failed"}


@needs_texts
def test_blocks_of_the_coding_memory(here: "Checkout") -> None:
    who: dict[str, Any] = {"user_id": "dev_john", "project_id": "api-service"}
    names: Names = {
        **{name: getattr(coding, name) for name in coding.__all__}, "who": who,
        "memory": coding.CodingMemoryManager(**who),
    }  # fmt: skip
    here.add("app.py", "import click\n\n\ndef first_name(number: int) -> int:\n    return number\n")
    here.commit()
    for block in blocks(4):
        if block.number not in CODING:
            continue
        text = block.text
        if block.number in {22, 23}:  # two arguments of a call
            text = f"warned = await coding_track_file_change(**who, file_path='a.py',\n{text})"
        try:
            if block.number == 16:
                start = names["coding_mem"].start_coding_session("prepare")
                asyncio.run(start)
            if block.number in {3, 20, 26, 27}:
                _of_the_coding_memory(block.number, text, names)
            else:
                carried_out(text, names)
            CODING[block.number](names)
        except Exception as error:
            error.add_note(f"block {block.number}")
            raise


def _of_the_coding_memory(number: int, text: str, names: Names) -> None:
    if number in {3, 20}:  # the picture that they name is not there
        with pytest.warns(RuntimeWarning, match="without its screenshot"):
            carried_out(text, names)
    elif number == 26:
        record = names["coding_record_error"]
        asyncio.run(
            record(**names["who"], error_type="RuntimeWarning",
                   message="coroutine 'Database.fetch' was never awaited")
        )  # fmt: skip
        carried_out(text.replace("await coding", "matches = await coding", 1), names)
    else:
        asyncio.run(names["coding_start_session"](**names["who"], description="now"))
        carried_out(text, names)
