"""What other tools remember becomes records: whole, once, and without what can be computed."""

import json
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import GitmemError, InvalidError, UsageError
from gitmem.memory import Memory
from gitmem.parts.imports.import_other import import_other
from gitmem.parts.imports.others import forms
from gitmem.parts.imports.others.imported import scalars
from tests.depth import amount, deep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Checkout

SAMPLES = Path(__file__).parents[1] / "others"


@pytest.fixture
def memory(repo: "Checkout") -> "Iterator[Memory]":
    Memory.init(str(repo))
    with Memory.open(str(repo)) as opened:
        yield opened


def taken_in(memory: Memory, name: str, data: object, form: str = "") -> "Any":
    """Import data under a name; then check that doing so again writes nothing."""
    path = Path(memory.workspace.start) / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return imported(memory, path, form)


def imported(memory: Memory, path: Path, form: str = "") -> "Any":
    dry = import_other(memory, str(path), form=form, dry_run=True)
    assert memory.statistics.count("tag:imported") == 0
    made = import_other(memory, str(path), form=form)
    assert [one.ids for one in made.new] == [one.ids for one in dry.new]
    assert memory.statistics.count("tag:imported") == made.records
    again = import_other(memory, str(path), form=form)
    assert (again.records, again.present) == (0, len(made.new) + made.present)
    assert [problem for problem in memory.checks.files() if problem.severity == "error"] == []
    return made


def records(memory: Memory, kind: str) -> "list[Any]":
    return [memory.show(row.id).record for row in memory.list(f"kind:{kind}", sort="oldest")]


FIX_HISTORY = """
CREATE TABLE fix_history (
    id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, model_name TEXT NOT NULL,
    issue_type TEXT NOT NULL, issue_signature TEXT NOT NULL, description TEXT NOT NULL,
    fixer_type TEXT NOT NULL, claude_analysis TEXT NOT NULL, fix_commands TEXT NOT NULL,
    fix_success BOOLEAN NOT NULL, verification_success BOOLEAN NOT NULL,
    execution_time_seconds REAL, system_info TEXT NOT NULL, notes TEXT);
CREATE TABLE issue_patterns (
    id INTEGER PRIMARY KEY, pattern_name TEXT UNIQUE NOT NULL, issue_signature TEXT NOT NULL,
    success_count INTEGER DEFAULT 0, failure_count INTEGER DEFAULT 0, best_fix TEXT,
    last_seen TEXT, confidence_score REAL DEFAULT 0.0);
CREATE TABLE model_characteristics (
    model_name TEXT PRIMARY KEY, total_tests INTEGER, success_rate REAL, common_issues TEXT,
    effective_fixes TEXT, last_updated TEXT, performance_notes TEXT);
"""


def test_s1_82_a_fix_history_database(memory: Memory) -> None:
    path = Path(memory.workspace.start) / "ai_memory.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FIX_HISTORY)
        insert = "INSERT INTO fix_history VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        late = ("qwen2.5:7b", "TIMEOUT", "00ff00ff00ff00ff", "no answer within 30 s")
        system = json.dumps({"os": "Linux", "ram_gb": 16, "gpu": {"name": "none"}})
        db.executemany(insert, [
            ("2025-01-15T10:00:00", *late, "claude", "The prompt is long", '["export T=60"]',
             1, 0, 12.5, system, None),
            ("2025-01-16T10:00:00", *late, "qwen", "Split the prompt", '["run a", "run b"]',
             1, 1, 45.2, system, "held"),
            ("2025-01-17T10:00:00", *late, "qwen", "Restart it", "not json", 0, 0, None, "", ""),
        ])  # fmt: skip
        known = "INSERT INTO issue_patterns VALUES (1,'timeouts','00ff',3,1,?,'2025-02-01',.3)"
        db.execute(known, ['["run a"]'])
        db.execute("INSERT INTO issue_patterns VALUES (2,'rare','11ff',0,1,NULL,NULL,0)")
        db.execute("INSERT INTO issue_patterns VALUES (3,'new','22ff',0,1,'{}',NULL,0)")
        db.execute(
            "INSERT INTO model_characteristics VALUES ('qwen2.5:7b',3,.33,'[]','[]','2025-02-01',"
            "'Slow when cold')"
        )
        db.commit()
    content = path.read_bytes()
    made = imported(memory, path)
    assert path.read_bytes() == content
    assert made.notices[0] == "ai_memory.db: fix-history"
    assert sum(made.passed.values()) == 2  # the patterns without a fix: nothing but counters
    errors = records(memory, "error")
    error = errors[0]
    assert [failure.records for failure in memory.statistics.recurring()] == [3]
    assert (error.category, error.subject) == ("TIMEOUT", "qwen2.5:7b")
    assert error.message == "no answer within 30 s"
    assert str(error.created) == "2025-01-15 10:00:00+00:00"
    first, second, third = records(memory, "fix")
    assert [one.outcome for one in (first, second, third)] == ["failed", "worked", "failed"]
    assert [one.applied for one in (first, second, third)] == [True, True, False]
    assert second.steps == ("run a", "run b")
    assert (second.seconds, second.fixer, second.notes) == (45.2, "qwen", "held")
    assert second.environment == {"os": "Linux", "ram_gb": 16, "gpu.name": "none"}
    assert third.steps == ("not json",)
    assert [one.links.fixes for one in (first, second, third)] == [(one.id,) for one in errors]
    assert second.verification.after.result == "passed"
    assert import_other(memory, str(path)).records == 0
    assert records(memory, "pattern")[0].code == "run a"
    assert records(memory, "note")[0].body == "Slow when cold"


def test_other_sqlite_files_are_refused(memory: Memory) -> None:
    path = Path(memory.workspace.start) / "other.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (a)")
    with pytest.raises(InvalidError, match="no tables that gitmem knows"):
        import_other(memory, str(path))
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * 3000)
    with pytest.raises(InvalidError, match="SQLite"):
        import_other(memory, str(path))


def test_s1_81_a_knowledge_base(memory: Memory) -> None:
    base = {"retry": "Back off twice", "ports": ["8080 is taken", "use 8081"], "empty": "",
            "limits": {"ram": 16}}  # fmt: skip
    made = taken_in(memory, "k.json", {"knowledge_base": base, "statistics": {"n": 1}})
    assert {one.title for one in made.new} == {"retry", "ports", "limits"}
    assert sum(made.passed.values()) == 2
    bodies = {record.title: record.body for record in records(memory, "note")}
    assert json.loads(bodies["ports"]) == ["8080 is taken", "use 8081"]
    assert json.loads(bodies["limits"]) == {"ram": 16}
    # Without the key around it nobody can tell what it is, unless it is named.
    with pytest.raises(InvalidError, match="not clear which tool"):
        taken_in(memory, "bare.json", base)
    bare = import_other(memory, str(Path(memory.workspace.start) / "bare.json"), form="knowledge")
    assert (bare.records, bare.present) == (0, 3)


def test_what_changed_there_stays_and_is_told(memory: Memory) -> None:
    taken_in(memory, "k.json", {"knowledge_base": {"retry": "Back off twice"}})
    path = Path(memory.workspace.start) / "k.json"
    path.write_text(json.dumps({"knowledge_base": {"retry": "Never"}}))
    made = import_other(memory, str(path))
    assert made.records == 0
    assert "1 changed there since the import" in made.notices[1]
    assert records(memory, "note")[0].body == "Back off twice"


KAIZEN = {
    "execution_id": "run-1", "start_time": "2025-03-01T10:00:00",
    "config": {"model": {"name": "m1"}, "retries": 3},
    "test_runs": {"calc.py": [{
        "test_run_id": "t1", "attempt_number": 1, "timestamp": "2025-03-01T10:01:00",
        "timing_analysis": {"total_time": 2.5},
        "test_cases": [
            {"test_name": "test_add", "status": "passed"},
            {"test_name": "test_div", "status": "error", "input": "1, 0", "expected_output": "0",
             "actual_output": "", "error_message": "ZeroDivisionError", "failing_function": "div",
             "failing_line": 7},
        ]}]},
    "fix_attempts": {"calc.py": [
        {"attempt_number": 1, "approach_description": "Guard zero", "original_code": "return a/b\n",
         "modified_code": "return a/b if b else 0\n", "success": False,
         "why_approach_failed": "wrong branch", "timestamp": "2025-03-01T10:02:00"},
        {"attempt_number": 2, "approach_description": "Raise early", "success": True,
         "lessons_learned": "check first", "timestamp": "2025-03-01T10:03:00"}]},
    "llm_interactions": {"calc.py": [{"prompt": "my private words", "response": "yours"}]},
}  # fmt: skip


@pytest.mark.parametrize("wrapped", [False, True], ids=["one", "several"])
def test_s0_98_an_execution_memory(memory: Memory, *, wrapped: bool) -> None:
    made = taken_in(memory, "kaizen.json", {"executions": {"run-1": KAIZEN}} if wrapped else KAIZEN)
    assert made.passed == {"conversations with a model: they stay private": 1}
    (error,) = records(memory, "error")
    assert (error.test.name, error.test.failing_line) == ("test_div", 7)
    assert error.location.file == "calc.py"
    first, second = records(memory, "fix")
    assert (first.outcome, second.outcome) == ("failed", "worked")
    assert first.why_failed == "wrong branch"
    assert "+return a/b if b else 0" in first.patch
    assert second.links.fixes == (error.id,)
    (session,) = records(memory, "session")
    assert session.config == {"model.name": "m1", "retries": 3}
    (run,) = session.test_runs
    assert (run.result, run.passed, run.errors, run.timing.seconds) == ("failed", 1, 1, 2.5)
    everything = "".join(p.read_text() for p in Path(memory.workspace.site.folder).rglob("*.yaml"))
    assert "my private words" not in everything


def test_the_texts_of_an_attempt_are_taken_over_whole(memory: Memory) -> None:
    before = "".join(f"line {number}\n" for number in range(80)) + "-- drop\x0cbelow"
    attempts = [
        {"attempt_number": 1, "original_code": before, "modified_code": before + "\nmore",
         "success": True},
        {"attempt_number": 2, "original_code": "", "modified_code": "new\n", "success": True},
    ]  # fmt: skip
    taken_in(memory, "k.json", {"execution_id": "run-1", "fix_attempts": {"a.sql": attempts}})
    first, second = (
        fix.patch.partition("@@\n")[2].split("\n")
        for fix in sorted(records(memory, "fix"), key=lambda fix: -len(fix.patch))
    )
    assert first[:80] == [f" line {number}" for number in range(80)]
    assert first.count("\\ No newline at end of file") == 2
    assert second == ["+new", ""]


def test_executions_and_solutions_of_one_second_stay_apart(memory: Memory) -> None:
    same = {"pattern_id": "pattern_20250101_000000", "task_category": "backend",
            "timestamp": "2025-01-01T00:00:00", "task_type": "api", "task_complexity": "high",
            "execution_time": 90, "tools_used": ["pytest"], "api_calls_made": 2}  # fmt: skip
    solution = {"solution_id": "solution_20250101_000000", "error_type": "ImportError",
                "error_message": "No module named x", "error_context": {"task_type": "api"},
                "solution_approach": "install it", "solution_steps": ["pip install x"],
                "success_rate": 0.9, "applicable_categories": ["backend"],
                "timestamp": "2025-01-01T00:00:00"}  # fmt: skip
    rows = [
        {**same, "success": True, "execution_approach": "incremental"},
        {**same, "success": False, "execution_approach": "parallel"},
        solution,
        {"what": "is this"},
    ]
    made = taken_in(memory, "patterns.json", rows)
    assert made.passed == {"neither an execution nor a solution": 1}
    sessions = records(memory, "session")
    assert {(one.approach, one.success) for one in sessions} == {
        ("incremental", True), ("parallel", False),
    }  # fmt: skip
    one = sessions[0]
    assert (one.ended - one.started).total_seconds() == 90
    assert (one.task.category, one.task.complexity) == ("backend", "high")
    assert one.tools_used == ("pytest",)
    (fix,) = records(memory, "fix")
    # What somebody claims is no outcome.
    assert (fix.outcome, fix.stated_confidence, fix.applies_to) == ("unverified", 0.9, ("backend",))


def test_beads(memory: Memory) -> None:
    made = taken_in(memory, "issues.jsonl", (SAMPLES / "beads.jsonl").read_text())
    assert made.passed == {"deleted there": 1}
    errors = {record.title: record for record in records(memory, "error")}
    login = errors["Login fails with 500 after token refresh"]
    assert {"beads", "bug", "auth", "urgent-one"} <= set(login.tags)
    assert memory.find(login.id).status == "regressed"  # its duplicate came later
    (fix,) = records(memory, "fix")
    assert fix.approach.startswith("Read the claim")
    assert memory.find(errors["Flaky upload test"].id).status == "open"
    assert errors["Login fails again"].links.duplicates == (login.id,)
    (note,) = records(memory, "note")
    assert note.links.relates == (login.id,)
    assert "Rotate on every use" in note.body
    assert "bruno: Thirty days are enough" in note.body
    assert str(note.created) == "2026-02-27 07:00:00+00:00"


def test_a_bug_that_was_closed_since_gets_its_fix(memory: Memory) -> None:
    lines = (SAMPLES / "beads.jsonl").read_text().splitlines()
    taken_in(memory, "issues.jsonl", "\n".join(lines))
    closed = json.loads(lines[4]) | {"status": "closed", "close_reason": "Clock was off"}
    path = Path(memory.workspace.start) / "issues.jsonl"
    path.write_text("\n".join([*lines[:4], json.dumps(closed)]))
    made = import_other(memory, str(path))
    assert (made.records, len(made.new)) == (1, 1)
    assert {record.approach for record in records(memory, "fix")} >= {"Clock was off"}


def test_the_file_of_the_mcp_memory_server(memory: Memory) -> None:
    made = taken_in(memory, "memory.jsonl", (SAMPLES / "mcp_memory.jsonl").read_text())
    assert made.notices == ["memory.jsonl: mcp-memory"]
    notes = {record.title: record for record in records(memory, "note")}
    service, person = notes["billing service"], notes["Ada"]
    assert "- times out behind the proxy after 30 s" in service.body
    assert "- maintains billing service" in person.body
    assert person.links.relates == (service.id,)
    assert "person" in person.tags


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("", "not valid JSON"),
        ("[]", "not the memory of a tool"),
        ("3", "not the memory of a tool"),
        ('{"archive": "gitmem-memory"}', "archive of gitmem"),
        ('{"trends": {}, "last_analysis": ""}', "follow from executions"),
        ('{"id": "bd-1", "title": "x", "status": "open"}\n{broken', "line 2: not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"execution_id": "1"}, {"execution_id": "2"}]', "one JSON object"),
        ("\xff", "not UTF-8"),
    ],
)
def test_what_can_not_be_read_says_why(memory: Memory, data: str, said: str) -> None:
    path = Path(memory.workspace.start) / "bad.json"
    path.write_bytes(data.encode("latin-1"))
    with pytest.raises(InvalidError, match=said):
        import_other(memory, str(path))
    assert memory.statistics.count() == 0


def test_of_a_folder_its_files_are_named(memory: Memory) -> None:
    folder = Path(memory.workspace.start) / "learning"
    folder.mkdir()
    with pytest.raises(UsageError) as refused:
        import_other(memory, "learning")
    assert "none in it ends with" in refused.value.hint
    for name in ("patterns.json", "memory.db", "read.me"):
        (folder / name).write_text("")
    with pytest.raises(UsageError, match="learning is a folder") as refused:
        import_other(memory, "learning")
    assert refused.value.hint == "name one of its files: memory.db, patterns.json"


def test_what_is_no_file_says_why(memory: Memory) -> None:
    with pytest.raises(GitmemError, match="no such file"):
        import_other(memory, "nowhere.json")
    os.mkfifo(Path(memory.workspace.start) / "pipe")
    with pytest.raises(UsageError, match="not a file"):
        import_other(memory, "pipe")
    with pytest.raises(UsageError, match="no format nonsense"):
        import_other(memory, "x", form="nonsense")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip
KEYS = (
    "id", "title", "status", "issue_type", "dependencies", "comments", "labels", "created_at",
    "type", "name", "observations", "from", "to", "pattern_id", "solution_id", "execution_time",
    "timestamp", "success", "task_complexity", "tools_used", "success_rate", "execution_id",
    "test_runs", "test_cases", "fix_attempts", "config", "start_time", "close_reason", "entities",
)  # fmt: skip


@deep
@given(
    st.lists(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=8), min_size=1, max_size=3),
    st.sampled_from(("", "knowledge", "kaizen", "executions", "beads", "mcp-memory")),
)
@settings(max_examples=amount(share=60, ci=300, whole=3000), deadline=None)
def test_whatever_stands_in_it_is_read_or_refused(rows: list[dict[str, Any]], form: str) -> None:
    """Nothing but InvalidError, and drafts that make valid records or say why not."""
    from gitmem.memory.writing.record_builder import build  # noqa: PLC0415
    from gitmem.records.parts import Author  # noqa: PLC0415

    at = datetime(2026, 1, 1, tzinfo=UTC)
    data = json.dumps(rows if len(rows) > 1 else rows[0]).encode()
    try:
        _, told = forms.read(data, at, form)
    except InvalidError:
        return
    for thing in told.things:
        for kind, fields in thing.drafts:
            try:
                build(kind, fields, Author(name="x"), at, None)
            except InvalidError as error:
                assert error.message  # noqa: PT017


def test_settings_are_flattened_within_bounds() -> None:
    assert scalars({"a": {"b": [1]}, "c": None}) == {"a.b": "[\n  1\n]", "c": None}
    assert len(scalars({str(n): n for n in range(500)})) == 60
