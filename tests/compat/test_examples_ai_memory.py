"""The examples of the fix memory's document, one test a block; docs/seeds.md lists them.

Where a program asked the database itself, ``gitmem.compat.fix_history`` stands in for sqlite3.
Commands of the older script are commands of gitmem.
"""

import csv
import inspect
import json
import sqlite3 as legacy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat import fix_history as sqlite3
from gitmem.compat.ai_memory import AIMemory, build_context_for_claude
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

ISSUE = {
    "model": "qwen2.5:7b",
    "issue_type": "TIMEOUT",
    "description": "Model response timeout after 30 seconds",
}


@pytest.fixture
def memory(here: "Checkout") -> AIMemory:
    made = AIMemory()
    made.record_fix_attempt(ISSUE, {"analysis": "wait longer"}, True, True, 3.0, None, "qwen")
    return made


def rows(sql: str) -> list[Any]:
    connection = sqlite3.connect("AIMemory/ai_memory.db")
    found = connection.execute(sql).fetchall()
    connection.close()
    return found


def signature(name: str) -> list[tuple[str, object]]:
    parameters = inspect.signature(getattr(AIMemory, name)).parameters.values()
    return [(one.name, one.default) for one in parameters][1:]


def required(*names: str) -> list[tuple[str, object]]:
    return [(name, inspect.Parameter.empty) for name in names]


# Tables


@pytest.mark.parametrize("table", ["fix_history", "issue_patterns", "model_characteristics"])
def test_the_three_tables_have_their_columns(memory: AIMemory, table: str) -> None:
    wanted = {
        "fix_history": "id timestamp model_name issue_type issue_signature description fixer_type"
        " claude_analysis fix_commands fix_success verification_success execution_time_seconds"
        " system_info notes",
        "issue_patterns": "id pattern_name issue_signature success_count failure_count best_fix"
        " last_seen confidence_score",
        "model_characteristics": "model_name total_tests success_rate common_issues"
        " effective_fixes last_updated performance_notes",
    }[table]
    assert [row[1] for row in rows(f"PRAGMA table_info({table})")] == wanted.split()


# Learning mechanisms


def test_issue_signature_generation(memory: AIMemory) -> None:
    assert len(memory.generate_issue_signature(ISSUE)) == 16


def test_success_rate_calculation(memory: AIMemory) -> None:
    (pattern,) = rows("SELECT success_count, failure_count, confidence_score FROM issue_patterns")
    successful, failed, confidence = pattern
    assert successful / (successful + failed) == 1.0
    assert confidence == min(1.0, (successful + failed) / 10.0)


def test_historical_context_building(memory: AIMemory) -> None:
    context = build_context_for_claude(ISSUE)
    assert "wait longer" in context


# Operations


def test_recording_fix_attempts(here: "Checkout") -> None:
    memory = AIMemory()
    fix_id = memory.record_fix_attempt(
        issue_data={
            "model": "qwen2.5:7b",
            "issue_type": "TIMEOUT",
            "description": "Model response timeout after 30 seconds",
        },
        ai_response={
            "analysis": "Model needs more time due to complex prompt",
            "fix_commands": ["# Increase timeout to 60 seconds"],
            "confidence": 0.85,
        },
        fix_success=True,
        verification_success=True,
        execution_time=45.2,
        notes="Timeout increased successfully",
        fixer_type="qwen",
    )
    assert fix_id.startswith("fix-")


def test_querying_similar_issues(memory: AIMemory) -> None:
    similar_issues = memory.query_similar_issues(ISSUE, limit=5)
    assert list(similar_issues) == ["exact_matches", "model_matches", "type_matches"]
    assert len(similar_issues["exact_matches"]) == 1


def test_model_insights(memory: AIMemory) -> None:
    assert memory.get_model_insights("qwen2.5:7b")["total_tests"] == 1


# Queries


def test_query_success_rate_analysis(memory: AIMemory) -> None:
    found = rows(
        "SELECT fixer_type, COUNT(*) as total_attempts, SUM(CASE WHEN fix_success = 1 AND"
        " verification_success = 1 THEN 1 ELSE 0 END) as successes, ROUND(100.0 * SUM(CASE WHEN"
        " fix_success = 1 AND verification_success = 1 THEN 1 ELSE 0 END) / COUNT(*), 2) as"
        " success_rate FROM fix_history GROUP BY fixer_type;"
    )
    assert found == [("qwen", 1, 1, 100.0)]


def test_query_model_performance_trends(memory: AIMemory) -> None:
    found = rows(
        "SELECT model_name, DATE(timestamp) as date, COUNT(*) as daily_attempts, AVG(CASE WHEN"
        " fix_success = 1 THEN 1.0 ELSE 0.0 END) as daily_success_rate FROM fix_history WHERE"
        " timestamp > datetime('now', '-30 days') GROUP BY model_name, DATE(timestamp)"
        " ORDER BY date DESC;"
    )
    assert [(row[0], row[2], row[3]) for row in found] == [("qwen2.5:7b", 1, 1.0)]


def test_query_issue_type_distribution(memory: AIMemory) -> None:
    found = rows(
        "SELECT issue_type, COUNT(*) as occurrences, AVG(execution_time_seconds) as avg_fix_time,"
        " ROUND(100.0 * SUM(fix_success) / COUNT(*), 2) as success_rate FROM fix_history"
        " GROUP BY issue_type ORDER BY occurrences DESC;"
    )
    assert found == [("TIMEOUT", 1, 3.0, 100.0)]


# Commands


def test_command_statistics(memory: AIMemory, here: "Checkout") -> None:
    found = json.loads(ok(here, "stats", "--json"))
    assert found["total"]["attempts"] == 1


def test_command_model_insights(memory: AIMemory, here: "Checkout") -> None:
    assert "wait longer" in ok(here, "stats", "subject", "qwen2.5:7b")


def test_command_export(memory: AIMemory, here: "Checkout") -> None:
    ok(here, "backup", "export", "insights_2025_01_15.json")
    assert json.loads((here / "insights_2025_01_15.json").read_text())


def test_command_recent_activity(memory: AIMemory, here: "Checkout") -> None:
    assert "wait longer" in ok(here, "stats", "recent", "7")


def test_command_successful_strategies(memory: AIMemory, here: "Checkout") -> None:
    assert "wait longer" in ok(here, "stats", "successful")


def test_command_pattern_analysis(memory: AIMemory, here: "Checkout") -> None:
    memory.record_fix_attempt(
        {**ISSUE, "model": "qwen2.5:14b"}, {"analysis": "wait longer"}, True, True, 3.0
    )
    assert "Model response timeout" in ok(here, "stats", "recurring")


def test_command_cleanup(memory: AIMemory, here: "Checkout") -> None:
    ok(here, "archive", "prune")
    with Memory.open(".") as opened:
        assert opened.statistics.count("kind:fix") == 1  # young, and only a plan was asked for


def test_command_json_export(memory: AIMemory, here: "Checkout") -> None:
    ok(here, "backup", "export", "full_report.json")
    assert "wait longer" in (here / "full_report.json").read_text()


# Exchange


def test_csv_export(memory: AIMemory, here: "Checkout") -> None:
    conn = sqlite3.connect("AIMemory/ai_memory.db")
    cursor = conn.cursor()
    cursor.execute("SELECT * FROM fix_history")
    with open("fix_history.csv", "w", newline="", encoding="utf-8") as csvfile:
        writer = csv.writer(csvfile)
        writer.writerow([description[0] for description in cursor.description])
        writer.writerows(cursor.fetchall())
    conn.close()
    with open("fix_history.csv", newline="", encoding="utf-8") as csvfile:
        (row,) = csv.DictReader(csvfile)
    assert (row["model_name"], row["claude_analysis"]) == ("qwen2.5:7b", "wait longer")


def test_analytics_export(memory: AIMemory, here: "Checkout") -> None:
    analytics_data = {
        "daily_stats": memory.get_daily_statistics(),
        "model_performance": memory.get_model_performance_matrix(),
        "issue_trends": memory.get_issue_trend_analysis(),
        "fixer_comparison": memory.get_fixer_effectiveness(),
    }
    assert all(json.loads(json.dumps(analytics_data)).values())


def test_knowledge_base_import(memory: AIMemory) -> None:
    memory.knowledge_base.update({"timeouts": {"usual": "60 seconds"}})
    memory._save_knowledge_base()
    assert AIMemory().knowledge_base == {"timeouts": {"usual": "60 seconds"}}


def test_historical_data_migration(here: "Checkout") -> None:
    legacy_conn = legacy.connect("legacy.db")
    legacy_conn.execute("CREATE TABLE fixes (model, kind, what)")
    legacy_conn.execute("INSERT INTO fixes VALUES ('phi3', 'ERROR', 'restart')")
    memory = AIMemory()
    for model, kind, what in legacy_conn.execute("SELECT * FROM fixes").fetchall():
        issue = {"model": model, "issue_type": kind, "description": what}
        memory.record_fix_attempt(issue, {"analysis": what}, True, True, 0)
    legacy_conn.close()
    assert memory.get_memory_stats()["total_fixes_attempted"] == 1


def test_indexes_are_the_catalogs_own(here: "Checkout") -> None:
    with Memory.open(".") as memory:
        memory.checks.catch_up(indexed=False)
        directory = memory.workspace.derived.directory
    assert directory
    database = next(Path(directory).glob("*.sqlite*"))
    connection = legacy.connect(database)
    sql = "SELECT name FROM sqlite_master WHERE type = 'index'"
    names = {row[0] for row in connection.execute(sql)}
    connection.close()
    assert {"records_created", "records_type", "prints_value", "links_target"} <= names


def test_query_optimization_asks_in_tiers(memory: AIMemory) -> None:
    found = memory.query_similar_issues({**ISSUE, "model": "phi3:mini"}, limit=5)
    assert [len(found[tier]) for tier in found] == [0, 0, 1]


# Maintenance


def test_weekly_tasks(memory: AIMemory, here: "Checkout") -> None:
    ok(here, "check")
    ok(here, "stats")
    ok(here, "stats", "recurring")


def test_monthly_tasks(memory: AIMemory, here: "Checkout") -> None:
    ok(here, "backup", "export", "monthly_backup.json")
    ok(here, "archive", "prune")
    assert "wait longer" in ok(here, "stats", "recent", "30")


def test_database_maintenance_is_a_rebuild(memory: AIMemory, here: "Checkout") -> None:
    ok(here, "index", "rebuild")
    assert "wait longer" in ok(here, "stats", "recent", "7")


def test_automated_backups_and_recovery(memory: AIMemory, here: "Checkout", tmp_path: Path) -> None:
    ok(here, "backup", str(tmp_path / "backup.json.gz"))
    with Memory.open(".") as opened:
        for row in opened.list():
            opened.forget(row.id)
    ok(here, "backup", "restore", str(tmp_path / "backup.json.gz"))
    ok(here, "check")
    assert "wait longer" in ok(here, "stats", "recent", "7")


# Reference


def test_initialization(here: "Checkout", tmp_path: Path) -> None:
    assert AIMemory().get_memory_stats()["total_fixes_attempted"] == 0
    memory = AIMemory(memory_dir=str(tmp_path / "custom"))
    assert memory.get_memory_stats()["memory_directory"].endswith("custom/.memory")


def test_signature_of_record_fix_attempt() -> None:
    names = ("issue_data", "ai_response", "fix_success", "verification_success", "execution_time")
    told: list[tuple[str, object]] = [("notes", None), ("fixer_type", "claude")]
    assert signature("record_fix_attempt") == required(*names) + told


def test_signature_of_query_similar_issues() -> None:
    assert signature("query_similar_issues") == [*required("issue_data"), ("limit", 5)]


def test_signature_of_get_model_insights() -> None:
    assert signature("get_model_insights") == required("model_name")


def test_signature_of_build_context_for_claude() -> None:
    assert signature("build_context_for_claude") == required("issue_data")


def test_signature_of_get_memory_stats() -> None:
    assert signature("get_memory_stats") == []


def test_signature_of_export_insights() -> None:
    assert signature("export_insights") == required("output_file")


def test_signature_of_generate_issue_signature() -> None:
    assert signature("generate_issue_signature") == required("issue_data")


def test_database_direct_access(memory: AIMemory) -> None:
    conn = sqlite3.connect("AIMemory/ai_memory.db")
    cursor = conn.cursor()
    cursor.execute("SELECT COUNT(*) FROM fix_history WHERE fixer_type = ?", ("qwen",))
    qwen_attempts = cursor.fetchone()[0]
    conn.close()
    assert qwen_attempts == 1
