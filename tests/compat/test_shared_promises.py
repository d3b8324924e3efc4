"""Promises that several of the older systems share: each way once, one verdict, advice found."""

import asyncio
import csv
import json
import sqlite3
import warnings
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat.ai_memory import AIMemory
from gitmem.compat.coding import CodingMemoryManager
from gitmem.compat.learning import ExecutionPatternLearner
from gitmem.compat.swarm import knowledge_base, pattern_extractor, persistent_memory
from gitmem.errors import InvalidError
from gitmem.learning import progress, retention
from gitmem.parts.compat import coding_options, fix_history
from gitmem.parts.imports.import_other import import_other
from gitmem.render.markdown import escaped
from tests.compat.calling import done

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from tests.conftest import Checkout

PURPOSES = {
    "Singleton": ("only one instance of the configuration", "a single logger shared by everything"),
    "Factory": ("pick the implementation by its name", "create the right driver for a format"),
    "Repository": ("hide the database behind an interface", "test the service without a database"),
    "Async Context Manager": ("release the connection after await", "open and close a session"),
}


def now(work: "Awaitable[Any]") -> Any:
    async def waiting() -> Any:
        return await work

    return asyncio.run(waiting())


# S3


def test_s3_31_each_way_is_given_once_with_its_count(here: "Checkout") -> None:
    for name in ("alpha", "beta"):
        learner = ExecutionPatternLearner(name)
        for error in ("ModuleNotFoundError", "KeyError"):
            for message, ways in (
                (f"No module named 'fastapi' ({error})",
                 ["use the project venv", "Use the  project venv", "use the project venv",
                  "install fastapi"]),
                (f"another text ({error})", ["install fastapi", "pin it"]),
            ):  # fmt: skip
                for way in ways:
                    learner.save_error_solution(
                        {"error_type": error, "error_message": message},
                        {"approach": way, "steps": [way]},
                    )
    learner = ExecutionPatternLearner("alpha")
    for error in ("ModuleNotFoundError", "KeyError"):
        found = learner.get_error_solutions(error, f"No module named 'fastapi' ({error})")
        times = {each["solution_approach"].casefold(): each["times"] for each in found}
        assert len(found) == len(times) == 3
        assert sorted(times.values()) == [2, 4, 6]
        assert {"install fastapi", "pin it"} < set(times)
        assert len({each["solution_approach"] for each in learner.get_error_solutions(error)}) == 3


# S2


@pytest.mark.usefixtures("packs")
def test_s2_27_a_seeded_practice_is_recalled_and_suggested_first(here: "Checkout") -> None:
    now(knowledge_base.seed_initial_knowledge())
    for problem, solution in (("disk is full", "rotate the logs"), ("slow query", "add an index")):
        now(persistent_memory.store_solution(problem, solution))
    now(persistent_memory.store_code_pattern("ring buffer", "def push(x):\n    return x\n"))
    for question, title in (
        ("error handling best practices", "Error handling"),
        ("how should exceptions be handled", "Error handling"),
        ("type hints usage", "Type hints"),
        ("async await best practices", "async and await"),
    ):
        for found in (
            now(persistent_memory.recall_solutions(question)),
            now(pattern_extractor.suggest_patterns(question)),
        ):
            assert found[0].title.startswith(title), question
            assert found[0].metadata["layer"]
    (own, *_) = now(persistent_memory.recall_solutions("the disk is full"))
    assert own.title == "disk is full"


@pytest.mark.usefixtures("packs")
def test_s2_26_a_seeded_pattern_is_found_by_its_purpose(here: "Checkout") -> None:
    now(knowledge_base.seed_initial_knowledge())
    met = [
        name
        for name, questions in PURPOSES.items()
        for question in questions
        if any(
            each.title.startswith(name)
            for each in now(pattern_extractor.suggest_patterns(question))
        )
    ]
    assert len(met) >= 6
    assert set(met) == set(PURPOSES)
    for question in ("search a sorted list", "print an invoice as PDF", "parse a date"):
        assert now(pattern_extractor.suggest_patterns(question)) == []


def extracted(code: str) -> list[str]:
    consensus = {"score": 0.9}
    task = {"description": "compare runs", "language": "python"}
    ids = now(pattern_extractor.extract_from_consensus(consensus, {"code": code}, task))
    with Memory.open(".") as memory:
        return sorted(memory.find(name).title for name in ids)


def test_s2_22_what_was_stored_as_a_whole_is_no_reason_to_leave_its_parts_out(
    here: "Checkout",
) -> None:
    for module in (progress, retention):
        with open(str(module.__file__), encoding="utf-8") as file:
            code = file.read()
        now(persistent_memory.store_code_pattern(module.__name__, code, "python"))
        stored_first = extracted(code)
        assert extracted(code) == []
        with Memory.open(".") as memory:
            for row in memory.list():
                memory.forget(row.id)
        assert stored_first == extracted(code)
        assert len(stored_first) > 1


# S4 and S2: what is only said is a claim, whoever tells it


def test_s4_25_and_s2_30_a_solution_that_nobody_tried_is_claimed_everywhere(
    here: "Checkout",
) -> None:
    messages = ("no zone", "bad key", "no port")

    async def work(manager: CodingMemoryManager) -> list[Any]:
        await manager.start_coding_session(f"work of {manager.user_id}")
        for message in messages:
            await manager.record_error("ValueError", message, solution=f"mend {message}")
        ended = await manager.end_coding_session(success=True)
        return [ended["summary"], await manager.search_errors("bad key")]

    for user, project in (("ann", "shop"), ("bob", "api")):
        summary, found = done(work(CodingMemoryManager(user, project)))
        assert summary.count("(claimed)") == len(messages)
        assert "(worked)" not in summary
        assert "no fix that worked is recorded yet" not in summary
        assert {tried["outcome"] for tried in found[0]["attempts"]} == {"claimed"}
    now(knowledge_base.add_custom_knowledge("KeyError: 'zone'", "give a default", "error_solution"))
    (recalled, *_) = now(persistent_memory.recall_error_solutions("KeyError: 'zone'"))
    assert recalled.metadata["outcome"] == "claimed"
    with Memory.open(".") as memory:
        assert {row.verdict for row in memory.list("kind:fix")} == {"claimed"}
        assert memory.statistics.count("kind:fix status:worked") == 0


def test_s4_a_change_is_told_once_and_brackets_of_code_stay(here: "Checkout") -> None:
    manager = CodingMemoryManager("ann", "shop")

    async def work() -> dict[str, Any]:
        await manager.start_coding_session("Make times aware")
        for path, reason in (("a.py", "Add a zone"), ("b.py", "Read it"), ("c.py", "Show it")):
            await manager.track_file_change(path, "edit", f"+{reason}", reason)
        return await manager.end_coding_session(success=True)

    ended = done(work())
    with Memory.open(".") as memory:
        record: Any = memory.show(ended["session_id"]).record
    texts = [event.text for event in record.events]
    for reason in ("Add a zone", "Read it", "Show it"):
        assert sum(text.count(f": {reason}") for text in texts) == 1
    for code in ("datetime.now(timezone.utc)", "call(first, second(third))", "f(x) and g(y)"):
        assert escaped(code) == code
    for text, safe in (("(a)", "\\(a\\)"), ("no) (yes)", "no) (yes\\)"), ("x)", "x\\)")):
        assert escaped(text) == safe


# S1: the table comes back to where it came from


def test_s1_75_the_csv_of_the_document_adds_nothing_where_it_came_from(
    here: "Checkout", tmp_path: Path
) -> None:
    memory = AIMemory()
    for number in range(10):
        memory.record_fix_attempt(
            {"model": f"m:{number % 3}", "issue_type": ("TIMEOUT", "ERROR")[number % 2],
             "description": f"wording {number}", "test_prompt": ("a", "b", "c")[number % 3]},
            {"analysis": f"way {number}", "fix_commands": ["do it"]}, True, number % 2 > 0, 1.0,
        )  # fmt: skip
    with closing(fix_history.connect()) as database:
        cursor = database.execute("SELECT * FROM fix_history")
        names, rows = [column[0] for column in cursor.description], cursor.fetchall()
    with open("fix_history.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(rows)
    with Memory.open(".") as opened:
        result = import_other(opened, "fix_history.csv")
        assert (result.new, result.present) == ([], 10)
        assert opened.statistics.count() == 20
    # Elsewhere all of it is new, once, and stays the same.
    elsewhere = str(tmp_path / "elsewhere")
    assert AIMemory(memory_dir=elsewhere).get_memory_stats()["total_fixes_attempted"] == 0
    with Memory.open(elsewhere) as opened:
        table = str(here / "fix_history.csv")
        assert len(import_other(opened, table).new) == 10
        assert import_other(opened, table).new == []
    with closing(fix_history.connect(folder=elsewhere)) as database:
        assert database.execute("SELECT * FROM fix_history ORDER BY id").fetchall() == sorted(rows)


def test_s1_63_the_names_of_sqlite3_are_there() -> None:
    for name in ("Row", "Error", "OperationalError", "DatabaseError", "Connection", "Cursor"):
        assert getattr(fix_history, name) is getattr(sqlite3, name)


def test_s1_81_a_knowledge_base_is_known_by_its_content_and_keeps_its_lists(
    here: "Checkout",
) -> None:
    base = {
        "timeouts": "wait 60 s", "ports": ["11434", "8080"], "tries": "2",
        "TIMEOUT": {"causes": ["a large model", "a slow disk"], "fix": "pull a smaller one"},
    }  # fmt: skip
    for name, content in (("knowledge_base.json", base), ("own.json", {"models": ["a", "b"]})):
        (here / name).write_text(json.dumps(content), encoding="utf-8")
        with Memory.open(".") as memory:
            assert len(import_other(memory, name).new) == len(content)
            assert import_other(memory, name).new == []
    assert AIMemory().knowledge_base == {**base, "models": ["a", "b"]}
    for unclear in ({"name": "shop", "version": "1"}, {"a": 1}, {"a": [1, 2]}):
        (here / "unclear.json").write_text(json.dumps(unclear), encoding="utf-8")
        with Memory.open(".") as memory, pytest.raises(InvalidError):
            import_other(memory, "unclear.json")


def test_s2_30_a_message_in_the_content_of_an_own_solution_is_matched(here: "Checkout") -> None:
    for title, content in (
        ("Pool of the shop", "psycopg.OperationalError: too many clients already: use a pool"),
        ("Clock of the api", "can't compare offset-naive and offset-aware datetimes: use UTC"),
    ):
        now(knowledge_base.add_custom_knowledge(title, content, "error_solution"))
    for question, wanted in (
        ("OperationalError: too many clients already", "use a pool"),
        ("can't compare offset-naive and offset-aware datetimes", "use UTC"),
    ):
        (first, *_) = now(persistent_memory.recall_error_solutions(question))
        assert first.content.endswith(wanted)
    assert now(persistent_memory.recall_error_solutions("no space left on device")) == []


@pytest.mark.parametrize("there", [True, False])
def test_s4_rag_is_an_option_and_warns_where_nothing_for_it_is_installed(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch, *, there: bool
) -> None:
    monkeypatch.setattr(coding_options, "installed", lambda: "words" if there else None)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        managers = [CodingMemoryManager("ann", name, enable_rag=True) for name in ("shop", "api")]
    assert bool(told) is not there
    managers.append(CodingMemoryManager("bob", enable_rag=False))
    for manager, wanted in zip(managers, ("auto", "auto", "off"), strict=True):
        with manager.memory() as memory:
            assert memory.workspace.site.config.semantic_embedder == wanted
        done(manager.record_error("ValueError", "no zone"))
