"""What the older memories stored themselves is taken over: Chroma's file, Kagura's, and tables."""

import csv
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import InvalidError
from gitmem.memory import Memory
from gitmem.parts.imports.import_other import import_other
from tests.e2e.running import ok, run
from tests.imports.test_import_others import FIX_HISTORY, imported, records, taken_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Checkout

# The tables of Chroma 1.5 that documents are in; 0.4 had neither flags nor lists.
CHROMA = """
CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER);
CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL,
    collection TEXT NOT NULL);
CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL,
    embedding_id TEXT NOT NULL, seq_id BLOB NOT NULL,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE embedding_metadata (id INTEGER, key TEXT NOT NULL, string_value TEXT,
    int_value INTEGER, float_value REAL, PRIMARY KEY (id, key));
"""
NEWER = """
ALTER TABLE embedding_metadata ADD COLUMN bool_value INTEGER;
CREATE TABLE embedding_metadata_array (id INTEGER NOT NULL, key TEXT NOT NULL, string_value TEXT,
    int_value INTEGER, float_value REAL, bool_value INTEGER);
"""
# As the program makes it and brings it up to date (core/memory/persistent.py of JFK/kagura-ai).
KAGURA = """
CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL,
    value TEXT NOT NULL, user_id TEXT NOT NULL DEFAULT 'default_user', agent_name TEXT,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, metadata TEXT);
ALTER TABLE memories ADD COLUMN access_count INTEGER DEFAULT 0;
ALTER TABLE memories ADD COLUMN last_accessed_at TIMESTAMP;
CREATE INDEX idx_key ON memories(key);
"""
# What its models write where nothing was said (core/memory/models/coding.py).
UNSAID: dict[str, dict[str, Any]] = {
    "session": {"user_id": "dev_john", "project_id": "api", "end_time": None, "files_touched": [],
                "errors_encountered": 0, "errors_fixed": 0, "decisions_made": 0, "summary": None,
                "tags": [], "success": None},
    "file_change": {"action": "edit", "diff": "", "related_files": [], "session_id": None,
                    "line_range": None, "timestamp": "2025-11-01T10:12:00.123456"},
    "error": {"stack_trace": "", "solution": None, "screenshot_path": None,
              "screenshot_base64": None, "frequency": 1, "session_id": None, "tags": [],
              "resolved": False},
    "decision": {"alternatives": [], "impact": "To be determined", "tags": [],
                 "related_files": [], "confidence": 0.8, "reviewed": False},
}  # fmt: skip
_COLUMNS = {str: "string_value", int: "int_value", float: "float_value", bool: "bool_value"}
OVERDUE = """\
from datetime import UTC, datetime


def overdue(day):
    return datetime.now(UTC) > day


print(overdue(datetime(2026, 1, 31)))
"""
CODE = "Code:\ndef login(u):\n    # Error: never\n    return u.check()\n"
MISSING = "ModuleNotFoundError: No module named 'fastapi'"
DOCUMENTS: list[tuple[str, str, str | None, dict[str, Any]]] = [
    ("code_patterns", "p1",
     "Pattern: JWT Authentication\nLanguage: python\nContext: REST API\n\n" + CODE,
     {"pattern_name": "JWT Authentication", "language": "python", "success_rate": 1.0,
      "created_at": "2025-01-15T10:00:00", "usage_count": 0}),
    ("errors", "e1",
     "Error: " + MISSING + "\n\nContext: At start\n\nResolution:\npip install fastapi uvicorn\n",
     {"error_type": "import", "success": 1, "created_at": "2025-01-16T10:00:00"}),
    ("errors", "e2",
     "Error: " + MISSING + "\n\nResolution:\nrestart it\n",
     {"success": 0, "created_at": "2025-01-17T10:00:00"}),
    ("solutions", "s1", "Problem: sort people\n\nApproach: key\n\nSolution:\nsorted(p)\n",
     {"approach": "key", "verified": 1}),
    ("experiences", "x1",
     "\nTask: implement REST API\nDuration: 90.00s\nStatus: failure\nEvents: 2\n",
     {"status": "failure", "duration": 90.0, "started_at": "2025-01-18T10:00:00",
      "created_at": "2025-01-18T10:01:30", "event_count": 2}),
    ("team", "t1", "Deploy on Mondays", {"who": "ops"}),
    ("team", "t2", None, {"who": "ops"}),
    ("kagura", "k1", "Error: TypeError", {"project_id": "api", "error_id": "error_1"}),
]  # fmt: skip


@pytest.fixture
def memory(repo: "Checkout") -> "Iterator[Memory]":
    Memory.init(str(repo))
    with Memory.open(str(repo)) as opened:
        yield opened


def chroma(path: Path, *, newer: bool) -> Path:
    """Make a file as Chroma does, with the documents above."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(CHROMA + (NEWER if newer else ""))
        for number, (collection, name, body, about) in enumerate(DOCUMENTS, 1):
            values: tuple[str, ...] = (collection, f"{collection}-1", f"{collection}-2")
            db.execute("INSERT OR IGNORE INTO collections VALUES (?, ?, 3)", values[1::-1])
            add = "INSERT OR IGNORE INTO segments VALUES (?, 'urn', ?, ?)"
            db.execute(add, (values[2], "METADATA", values[1]))
            db.execute(add, (f"{collection}-3", "VECTOR", values[1]))
            db.execute("INSERT INTO embeddings VALUES (?, ?, ?, ?, '2025-02-01 10:00:00')",
                       (number, values[2], name, number))  # fmt: skip
            for key, value in {**about, **({"chroma:document": body} if body else {})}.items():
                kept = bool(value) if newer and key in {"success", "verified"} else value
                db.execute(
                    f"INSERT INTO embedding_metadata (id, key, {_COLUMNS[type(kept)]})"  # noqa: S608
                    " VALUES (?, ?, ?)", (number, key, kept))  # fmt: skip
        if newer:
            more = (
                "INSERT INTO embedding_metadata_array (id, key, string_value) VALUES (6, 'on', ?)"
            )
            db.executemany(more, [("Monday",), ("Tuesday",)])
        db.commit()
    return path


@pytest.mark.parametrize("newer", [False, True])
def test_s2_1_to_4_the_collections_of_a_swarm_in_chroma(memory: Memory, *, newer: bool) -> None:
    path = chroma(Path(memory.workspace.start) / "chroma.sqlite3", newer=newer)
    content = path.read_bytes()
    made = imported(memory, path)
    assert path.read_bytes() == content
    assert made.notices[0] == "chroma.sqlite3: chroma"
    assert made.passed == {
        "vectors without a text": 1,
        "copies for search of what the coding memory's memory.db holds": 1,
    }
    (pattern,) = records(memory, "pattern")
    assert (pattern.title, pattern.language) == ("JWT Authentication", "python")
    assert pattern.code == "def login(u):\n    # Error: never\n    return u.check()"
    assert (pattern.when_to_use, pattern.metrics) == ("REST API", {"success_rate": 1.0})
    assert str(pattern.created) == "2025-01-15 10:00:00+00:00"
    (error,) = records(memory, "error")
    assert error.message == MISSING
    fixes = [(fix.approach, fix.outcome, fix.notes) for fix in records(memory, "fix")]
    assert fixes == [("pip install fastapi uvicorn", "worked", "At start"),
                     ("restart it", "failed", "")]  # fmt: skip
    (session,) = records(memory, "session")
    assert (session.goal, session.success) == ("implement REST API", False)
    assert (session.ended - session.started).total_seconds() == 90
    bodies = {note.title: note.body for note in records(memory, "note")}
    assert "sorted(p)" in bodies["sort people"]
    assert "who: ops" in bodies["Deploy on Mondays"]
    assert ("Tuesday" in bodies["Deploy on Mondays"]) is newer
    assert memory.search("cannot import fastapi kind:error").hits[0].row.id == error.id


def test_the_parquet_files_of_an_older_chroma_are_refused_by_name(memory: Memory) -> None:
    with pytest.raises(InvalidError, match=r"Chroma wrote before 0\.4"):
        taken_in(memory, "chroma-embeddings.parquet", "PAR1…")


def kagura(root: str) -> list[tuple[str, Any]]:
    """Give what the coding memory stores by key."""
    at = "2025-11-01T10:{}:00.123456"  # of UTC, which it does not say
    stored: list[tuple[str, Any]] = [
        ("project:api:session:session_1",
         {"session_id": "session_1", "description": "Implement JWT", "start_time": at.format("00"),
          "end_time": "2025-11-01T11:30:00.123456", "summary": "Done.", "success": True,
          "tags": ["feature"]}),
        ("project:api:file_change:change_1",
         {"file_path": f"{root}/src/auth.py", "action": "edit", "diff": "+ def f():",
          "reason": "Add JWT", "related_files": ["src/middleware.py", "/etc/hosts"],
          "timestamp": at.format("10"), "session_id": "session_1", "line_range": [42, 57]}),
        ("project:api:file_change:change_2",
         {"file_path": "src/b.py", "action": "create", "diff": "", "reason": "Alone",
          "timestamp": at.format("11"), "session_id": None}),
        ("project:api:file_change:change_3", {"file_path": "/etc/hosts", "reason": "Elsewhere"}),
        ("project:api:error:error_1",
         {"error_type": "TypeError", "message": "naive and aware datetimes",
          "stack_trace": "Traceback:\n  …", "file_path": "src/auth.py", "line_number": 42,
          "solution": "Use datetime.now(timezone.utc)", "resolved": True, "tags": ["datetime"],
          "screenshot_path": "/tmp/shot.png", "timestamp": at.format("20"),
          "session_id": "session_1"}),
        ("project:api:error:error_2",
         {"error_type": "Unknown", "message": "See screenshot", "file_path": "unknown",
          "line_number": 0, "timestamp": at.format("21")}),
        ("project:api:decision:decision_1",
         {"decision": "Use JWT tokens", "rationale": "Stateless", "alternatives": ["OAuth only"],
          "impact": "Rotate keys", "related_files": ["src/auth.py"], "confidence": 0.9,
          "timestamp": at.format("30")}),
        ("project:api:decision:decision_2",
         {"decision": "Use Redis", "rationale": "Fast", "timestamp": at.format("31")}),
        ("project:api:context_snapshot", {"errors": 2}),
        ("style", "tabs, not spaces"),
    ]  # fmt: skip
    return [
        (key, UNSAID.get(key.split(":")[2], {}) | value if isinstance(value, dict) else value)
        for key, value in stored
    ]


def check_kagura(memory: Memory, made: Any) -> None:
    assert made.passed == {
        "the coding memory's own notes of its state": 1,
        "screenshots: attach them with gitmem add error --screenshot": 1,
        "changes of files outside of a repository": 1,
    }
    work, alone = sorted(records(memory, "session"), key=lambda one: one.goal != "Implement JWT")
    assert (work.success, work.summary, work.author.name) == (True, "Done.", "dev_john")
    assert (work.ended - work.started).total_seconds() == 90 * 60
    (change,) = work.changes
    assert (change.path, change.lines) == ("src/auth.py", (42, 57))
    assert change.related_files == ("src/middleware.py",)
    assert (alone.goal, alone.changes[0].action) == ("Alone", "create")
    error, other = records(memory, "error")
    assert (error.error_type, error.location.file, error.location.line) == (
        "TypeError", "src/auth.py", 42,
    )  # fmt: skip
    assert error.session == work.id
    assert {"project-api", "datetime"} <= set(error.tags)
    assert (other.message, other.location) == ("See screenshot", None)
    (fix,) = records(memory, "fix")
    assert (fix.approach, fix.links.fixes) == ("Use datetime.now(timezone.utc)", (error.id,))
    decision, later = records(memory, "decision")
    assert (decision.consequences, later.consequences) == ("Rotate keys", "")
    assert (decision.governs, decision.confidence) == (("src/auth.py",), 0.9)
    assert [one.option for one in decision.alternatives] == ["OAuth only"]
    assert records(memory, "note")[0].body == "tabs, not spaces"


def test_s4_10_to_12_the_database_of_the_coding_memory(memory: Memory) -> None:
    root = Path(memory.workspace.start).resolve()
    path = root / "memory.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(KAGURA)
        add = "INSERT INTO memories (key, value, user_id) VALUES (?, ?, 'dev_john')"
        db.executemany(add, [(key, json.dumps(value)) for key, value in kagura(str(root))])
        db.commit()
    made = imported(memory, path)
    assert made.notices[0] == "memory.db: coding"
    check_kagura(memory, made)


def test_s4_72_the_export_of_the_coding_memory_is_the_same(memory: Memory) -> None:
    root = Path(memory.workspace.start).resolve()
    who = {"type": "memory", "scope": "persistent", "user_id": "dev_john"}
    rows = [{**who, "key": key, "value": value} for key, value in kagura(str(root))]
    text = "\n".join(json.dumps(row) for row in rows)
    check_kagura(memory, taken_in(memory, "memories.jsonl", text))
    with pytest.raises(InvalidError, match="a graph"):
        taken_in(memory, "graph.jsonl", '{"type": "node", "id": "a"}\n{"type": "node", "id": "b"}')


def test_s1_75_a_fix_history_as_csv_is_the_one_in_the_database(memory: Memory) -> None:
    root = Path(memory.workspace.start)
    with closing(sqlite3.connect(root / "ai_memory.db")) as db:
        db.executescript(FIX_HISTORY.replace("verification_success BOOLEAN NOT NULL",
                                             "verification_success BOOLEAN"))  # fmt: skip
        insert = "INSERT INTO fix_history VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        issue = ("qwen2.5:7b", "TIMEOUT", "00ff00ff00ff00ff", "no answer, within 30 s")
        db.executemany(insert, [
            ("2025-01-15T10:00:00", *issue, "qwen", "Wait\nlonger", '["a"]', 1, 1, 12.5, "{}", ""),
            ("2025-01-16T10:00:00", *issue, "qwen", "Restart it", "[]", 1, 0, None, "{}", None),
            ("2025-01-17T10:00:00", *issue, "qwen", "Nobody looked", "[]", 1, None, 2, "{}", None),
        ])  # fmt: skip
        db.commit()
        # As the document's own program writes it.
        cursor = db.execute("SELECT * FROM fix_history")
        with (root / "fix_history.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([column[0] for column in cursor.description])
            writer.writerows(cursor.fetchall())
    made = imported(memory, root / "fix_history.csv")
    assert made.notices[0] == "fix_history.csv: fix-history"
    fixes = records(memory, "fix")
    assert [fix.outcome for fix in fixes] == ["worked", "failed", "unverified"]
    assert (fixes[0].analysis, fixes[0].seconds, fixes[0].steps) == ("Wait\nlonger", 12.5, ("a",))
    assert fixes[2].verification is None
    again = import_other(memory, str(root / "ai_memory.db"))
    assert (again.records, again.present) == (0, 3)
    with pytest.raises(InvalidError, match="row 1"):
        taken_in(memory, "short.csv", "issue_type,fixer_type,fix_commands,fix_success\nTIMEOUT,a\n")


def test_figures_that_follow_from_executions_are_refused_by_name(memory: Memory) -> None:
    report = {"overall_metrics": {}, "category_performance": {}, "project_name": "shop"}
    with pytest.raises(InvalidError, match="follow from executions"):
        taken_in(memory, "performance_report.json", report)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_failure_that_was_imported_with_its_stack_trace_is_the_same_error_when_it_occurs(
    repo: "Checkout", *, elsewhere: bool
) -> None:
    ok(repo, "init")
    repo.add("src/overdue.py", OVERDUE)
    repo.commit("Overdue")
    command = (sys.executable, "src/overdue.py")
    trace = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False).stderr
    assert "line 5, in overdue" in trace
    if elsewhere:
        trace = trace.replace('File "', 'File "/home/dev/shop/').replace(str(repo), "")
    value = {"error_type": "TypeError", "message": trace.splitlines()[-1].partition(": ")[2],
             "stack_trace": trace, "file_path": "src/overdue.py", "line_number": 5,
             "solution": "Give the day a zone", "resolved": True}  # fmt: skip
    row = {"type": "memory", "scope": "persistent", "user_id": "dev",
           "key": "project:shop:error:error_1", "value": value}  # fmt: skip
    (repo / "memories.jsonl").write_text(json.dumps(row))
    ok(repo, "import", "other", "memories.jsonl")
    with Memory.open(str(repo)) as memory:
        (error,) = records(memory, "error")
        assert [frame.function for frame in error.frames] == ["<module>", "overdue"]
        assert (error.location.line, error.excerpt.strip()) == (5, trace.strip())
    shown = run(repo, "run", "--", *command).err
    assert "seen 1 time\n" in shown  # the same error, not only the same message
    assert "Give the day a zone" in shown
