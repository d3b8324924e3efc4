"""The fix history of models: attempts, issues, insights; all of it derived from records."""

import inspect
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat import fix_history
from gitmem.compat.ai_memory import AIMemory, build_context_for_claude
from gitmem.learning.issues import outcome
from gitmem.records.kinds import Error, Fix
from tests.depth import sampled

if TYPE_CHECKING:
    from tests.conftest import Checkout

ISSUE: dict[str, Any] = {
    "model": "qwen2.5:7b",
    "issue_type": "TIMEOUT",
    "description": "Model response timeout after 30 seconds",
    "test_prompt": "Write a haiku",
    "actual_response": "",
    "system_info": {"os": "Linux", "ram_gb": 16, "gpu_available": True, "ollama_version": "0.1.17"},
}
ANSWER: dict[str, Any] = {
    "analysis": "Model needs more time due to complex prompt",
    "fix_commands": ["# Increase timeout to 60 seconds", "systemctl restart ollama"],
    "confidence": 0.85,
}
TYPES = ("MODEL_NOT_AVAILABLE", "TIMEOUT", "UNEXPECTED_RESPONSE", "NO_OUTPUT", "ERROR", "CUSTOM")


def recorded(memory: AIMemory, issue: dict[str, Any] | None = None, **told: Any) -> str:
    given: dict[str, Any] = {"fix_success": True, "verification_success": True,
                             "execution_time": 45.2, "fixer_type": "qwen"}  # fmt: skip
    return memory.record_fix_attempt(issue or ISSUE, ANSWER, **{**given, **told})


def table(sql: str, *values: str) -> list[Any]:
    connection = fix_history.connect("AIMemory/ai_memory.db")
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()


def test_s1_1_to_3_and_5_and_7_history_recurrence_and_success_over_time(here: "Checkout") -> None:
    memory = AIMemory()
    for number in range(4):
        recorded(memory, verification_success=number > 1)
    again = AIMemory()  # another process would read the same files
    assert again.get_memory_stats()["total_fixes_attempted"] == 4
    assert len(again.query_similar_issues(ISSUE)["exact_matches"]) == 4
    (trend,) = again.get_issue_trend_analysis()
    assert (trend["total"], trend["success_rate"]) == (4, 0.5)
    assert table("SELECT pattern_name FROM issue_patterns") == [("TIMEOUT qwen2.5:7b",)]


def test_s1_93_and_92_two_programs_at_once_share_one_history(here: "Checkout") -> None:
    one, other = AIMemory(), AIMemory()
    with ThreadPoolExecutor(4) as pool:
        made = [pool.submit(recorded, memory) for memory in (one, other) * 4]
        names = {work.result() for work in made}
    assert len(names) == 8
    assert one.get_memory_stats()["total_fixes_attempted"] == 8


def test_s1_9_to_22_an_attempt_keeps_every_field_of_the_fix_history(here: "Checkout") -> None:
    fix = recorded(AIMemory(), notes="Timeout increased successfully")
    connection = fix_history.connect("AIMemory/ai_memory.db")
    cursor = connection.execute("SELECT * FROM fix_history")
    row = dict(zip([one[0] for one in cursor.description], cursor.fetchone(), strict=True))
    connection.close()
    assert row["id"] == fix
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", row["timestamp"])
    assert (row["model_name"], row["issue_type"]) == ("qwen2.5:7b", "TIMEOUT")
    assert re.fullmatch(r"[0-9a-f]{16}", row["issue_signature"])
    assert "Model response timeout" in row["description"]
    assert row["fixer_type"] == "qwen"
    assert row["claude_analysis"] == ANSWER["analysis"]
    assert json.loads(row["fix_commands"]) == ANSWER["fix_commands"]
    assert (row["fix_success"], row["verification_success"]) == (1, 1)
    assert row["execution_time_seconds"] == 45.2
    assert json.loads(row["system_info"]) == ISSUE["system_info"]
    assert row["notes"] == "Timeout increased successfully"


def test_s1_18_and_19_applied_and_verified_are_two_facts(here: "Checkout") -> None:
    memory = AIMemory()
    for applied, verified in ((True, True), (True, False), (False, False), (True, None)):
        recorded(memory, fix_success=applied, verification_success=verified)
    rows = table("SELECT fix_success, verification_success FROM fix_history ORDER BY rowid")
    assert rows == [(1, 1), (1, 0), (0, 0), (1, None)]
    assert table("SELECT success_count, failure_count FROM issue_patterns") == [(1, 2)]
    with Memory.open(".") as opened:
        outcomes = [row.stated for row in opened.list("kind:fix", sort="oldest")]
    assert outcomes == ["worked", "failed", "failed", "unverified"]
    assert outcome(applied=None, verified=True) == "worked"


def test_s1_23_to_30_patterns_are_derived_and_no_counter_is_stored(here: "Checkout") -> None:
    memory = AIMemory()
    recorded(memory)
    recorded(memory, verification_success=False)
    (row,) = table(
        "SELECT id, pattern_name, issue_signature, success_count, failure_count, best_fix,"
        " last_seen, confidence_score FROM issue_patterns"
    )
    assert row[1] == "TIMEOUT qwen2.5:7b"
    assert row[0] == f"{row[2]} qwen2.5:7b"
    assert row[3:5] == (1, 1)
    assert json.loads(row[5]) == ANSWER["fix_commands"]
    assert row[6] > "2"
    assert row[7] == pytest.approx(0.2)
    text = "".join(path.read_text() for path in here.joinpath(".memory").rglob("*.yaml"))
    assert "count" not in text
    assert "confidence_score" not in text


def test_s1_31_to_37_a_models_characteristics_are_derived(here: "Checkout") -> None:
    recorded(AIMemory())
    (row,) = table("SELECT * FROM model_characteristics")
    assert row[0:3] == ("qwen2.5:7b", 1, 1.0)
    assert json.loads(row[3]) == ["TIMEOUT"]
    assert json.loads(row[4]) == [ANSWER["analysis"]]
    assert row[5] > "2"
    with Memory.open(".") as opened:
        opened.add("note", {"body": "slow after a restart", "tags": ["qwen2.5:7b"]})
    insights = AIMemory().get_model_insights("qwen2.5:7b")
    assert insights["performance_notes"] == ["slow after a restart"]


@sampled(3)
@pytest.mark.parametrize("kind", [*TYPES, "A_TYPE_OF_OUR_OWN"])
def test_s1_38_and_39_types_of_issues_are_an_open_vocabulary(here: "Checkout", kind: str) -> None:
    recorded(AIMemory(), {**ISSUE, "issue_type": kind})
    with Memory.open(".") as opened:
        (row,) = opened.list("kind:error")
    assert (row.category, row.error_type) == (kind, kind)


def test_s1_40_and_41_any_fixer_and_any_system(here: "Checkout") -> None:
    memory = AIMemory()
    for fixer in ("claude", "qwen", "gpt", "gemini", "custom"):
        recorded(memory, fixer_type=fixer)
    assert {row[0] for row in table("SELECT fixer_type FROM fix_history")} == {
        "claude", "qwen", "gpt", "gemini", "custom",
    }  # fmt: skip
    assert len(table("SELECT 1 FROM fix_history WHERE system_info LIKE '%ollama_version%'")) == 5


def test_s1_42_to_44_the_same_issue_has_the_same_key_whatever_its_numbers(
    here: "Checkout",
) -> None:
    memory = AIMemory()
    key = memory.generate_issue_signature(ISSUE)
    assert re.fullmatch(r"[0-9a-f]{16}", key)
    for change in (
        {"description": "Model response timeout after 45 seconds"},
        {"actual_response": "a longer answer than before"},
        {"model": "qwen2.5:14b"},
    ):
        assert memory.generate_issue_signature({**ISSUE, **change}) == key
    for change in ({"issue_type": "NO_OUTPUT"}, {"model": "llama3:8b"}):
        assert memory.generate_issue_signature({**ISSUE, **change}) != key


def test_s1_45_to_47_and_57_and_84_similar_issues_come_in_tiers(here: "Checkout") -> None:
    memory = AIMemory()
    first = recorded(memory)
    newest = recorded(memory, verification_success=False)
    other = recorded(memory, {**ISSUE, "test_prompt": "Sort a list"})
    foreign_failed = recorded(memory, {**ISSUE, "model": "llama3:8b"}, verification_success=False)
    foreign = recorded(memory, {**ISSUE, "model": "llama3:8b"})
    recorded(memory, {**ISSUE, "issue_type": "NO_OUTPUT"})
    found = memory.query_similar_issues(ISSUE, limit=5)
    ids = {tier: [one["id"] for one in rows] for tier, rows in found.items()}
    assert ids == {
        "exact_matches": [newest, first],
        "model_matches": [other],
        "type_matches": [foreign, foreign_failed],
    }
    assert len(memory.query_similar_issues(ISSUE, limit=1)["exact_matches"]) == 1


def test_s1_28_the_best_fix_is_the_one_that_worked_most_often(here: "Checkout") -> None:
    memory = AIMemory()
    for command, success in (("wait", True), ("wait", True), ("zap", True), ("zap", False)):
        memory.record_fix_attempt(
            ISSUE, {"analysis": command, "fix_commands": [command]}, True, success, 1.0
        )
    assert table("SELECT best_fix FROM issue_patterns") == [('["wait"]',)]


def test_without_a_model_nothing_is_of_the_same_model(here: "Checkout") -> None:
    memory = AIMemory()
    issue = {"issue_type": "TIMEOUT", "description": "no answer"}
    recorded(memory, {**issue, "description": "something else entirely"})
    found = memory.query_similar_issues(issue)
    assert [len(rows) for rows in found.values()] == [0, 0, 1]


def test_s1_49_and_50_rate_and_confidence_of_a_pattern(here: "Checkout") -> None:
    memory = AIMemory()
    for number in range(12):
        recorded(memory, verification_success=number % 4 != 0)
    rows = table("SELECT success_count, failure_count, confidence_score FROM issue_patterns")
    assert rows == [(9, 3, 1.0)]


def test_s1_51_to_54_and_59_context_tells_history_solutions_and_what_failed(
    here: "Checkout",
) -> None:
    memory = AIMemory()
    recorded(memory)
    memory.record_fix_attempt(
        ISSUE, {"analysis": "Ask it more politely"}, True, False, 3.0, notes="no change"
    )
    for context in (memory.build_context_for_claude(ISSUE), build_context_for_claude(ISSUE)):
        assert "Model response timeout" in context
        assert ANSWER["analysis"] in context
        assert "Ask it more politely" in context


def test_s1_55_and_56_recording_takes_what_the_fixer_said(here: "Checkout") -> None:
    fix = recorded(AIMemory())
    with Memory.open(".") as opened:
        shown = opened.show(fix)
        (error,) = opened.list("kind:error")
    record = shown.record
    assert isinstance(record, Fix)
    assert (record.analysis, record.stated_confidence, record.seconds) == (
        ANSWER["analysis"], 0.85, 45.2,
    )  # fmt: skip
    assert [target for _, _, target in shown.links] == [error.id]
    assert error.status == "resolved"


def test_s1_2_two_attempts_are_two_occurrences_of_one_issue(here: "Checkout") -> None:
    memory = AIMemory()
    recorded(memory)
    recorded(memory, {**ISSUE, "description": "Model response timeout after 61 seconds"})
    with Memory.open(".") as opened:
        (failure,) = opened.statistics.recurring()
        assert failure.records == 2
        record = opened.show(failure.error).record
    assert isinstance(record, Error)
    assert record.test
    assert record.test.input == "Write a haiku"


def test_s1_58_insights_of_a_model(here: "Checkout") -> None:
    memory = AIMemory()
    recorded(memory)
    recorded(memory, verification_success=False)
    insights = memory.get_model_insights("qwen2.5:7b")
    assert insights["model_name"] == "qwen2.5:7b"
    assert (insights["total_tests"], insights["success_rate"]) == (2, 0.5)
    assert insights["common_issues"] == ["TIMEOUT"]
    assert insights["effective_fixes"] == [ANSWER["analysis"]]
    assert len(insights["recent_history"]) == 2
    assert memory.get_model_insights("nobody:1b")["total_tests"] == 0


def test_s1_60_statistics_bear_the_older_names(here: "Checkout") -> None:
    memory = AIMemory()
    recorded(memory)
    stats = memory.get_memory_stats()
    assert list(stats) == [
        "total_fixes_attempted", "successful_fixes", "success_rate", "models_encountered",
        "issue_types_seen", "recent_activity_7days", "knowledge_base_size", "memory_directory",
    ]  # fmt: skip
    assert [stats[name] for name in list(stats)[:6]] == [1, 1, 1.0, 1, 1, 1]
    assert stats["memory_directory"].endswith(".memory")


def test_s1_61_an_export_holds_statistics_models_trends_and_knowledge(
    here: "Checkout", tmp_path: Path
) -> None:
    memory = AIMemory()
    recorded(memory)
    memory.export_insights(str(tmp_path / "out.json"))
    data = json.loads((tmp_path / "out.json").read_text())
    assert data["statistics"]["total_fixes_attempted"] == 1
    assert list(data["model_insights"]) == ["qwen2.5:7b"]
    assert data["trends"][0]["trend"] == "insufficient_data"


def test_s1_62_a_folder_of_ones_own_is_made_on_demand(here: "Checkout", tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / "deep"
    memory = AIMemory(memory_dir=str(folder))
    recorded(memory)
    assert AIMemory(memory_dir=str(folder)).get_memory_stats()["total_fixes_attempted"] == 1
    assert AIMemory().get_memory_stats()["total_fixes_attempted"] == 0


def test_s1_63_the_tables_can_be_asked_and_not_written(here: "Checkout") -> None:
    recorded(AIMemory())
    asked = "SELECT count(*) FROM fix_history WHERE fixer_type = ?"
    assert table(asked, "qwen") == [(1,)]
    with pytest.raises(Exception, match="readonly"):
        table("DELETE FROM fix_history")


def test_s1_64_to_66_the_three_analytical_queries_run_as_they_are(here: "Checkout") -> None:
    memory = AIMemory()
    recorded(memory)
    recorded(memory, verification_success=False)
    recorded(memory, {**ISSUE, "issue_type": "NO_OUTPUT"}, fixer_type="claude")
    per_fixer = table(
        "SELECT fixer_type, COUNT(*) as total_attempts, SUM(CASE WHEN fix_success = 1 AND"
        " verification_success = 1 THEN 1 ELSE 0 END) as successes FROM fix_history"
        " GROUP BY fixer_type"
    )
    assert per_fixer == [("claude", 1, 1), ("qwen", 2, 1)]
    daily = table(
        "SELECT model_name, DATE(timestamp) as date, COUNT(*), AVG(CASE WHEN fix_success = 1"
        " THEN 1.0 ELSE 0.0 END) FROM fix_history WHERE timestamp > datetime('now', '-30 days')"
        " GROUP BY model_name, DATE(timestamp) ORDER BY date DESC"
    )
    assert [(row[0], row[2], row[3]) for row in daily] == [("qwen2.5:7b", 3, 1.0)]
    types = table(
        "SELECT issue_type, COUNT(*) as occurrences, AVG(execution_time_seconds),"
        " ROUND(100.0 * SUM(fix_success) / COUNT(*), 2) FROM fix_history GROUP BY issue_type"
        " ORDER BY occurrences DESC"
    )
    assert types == [("TIMEOUT", 2, 45.2, 100.0), ("NO_OUTPUT", 1, 45.2, 100.0)]


def test_s1_77_to_80_analytics_are_plain_data(here: "Checkout") -> None:
    memory = AIMemory()
    recorded(memory)
    recorded(memory, verification_success=False, fixer_type="claude")
    (day,) = memory.get_daily_statistics()
    assert (day["attempts"], day["successes"]) == (2, 1)
    (cell,) = memory.get_model_performance_matrix()
    assert (cell["subject"], cell["category"], cell["success_rate"]) == (
        "qwen2.5:7b", "TIMEOUT", 0.5,
    )  # fmt: skip
    (trend,) = memory.get_issue_trend_analysis()
    assert (trend["issue_type"], trend["trend"]) == ("TIMEOUT", "insufficient_data")
    assert {one["fixer"]: one["successes"] for one in memory.get_fixer_effectiveness()} == {
        "qwen": 1, "claude": 0,
    }  # fmt: skip
    json.dumps([day, cell, trend])


def test_s1_6_and_81_a_knowledge_base_is_merged_and_kept_as_notes(here: "Checkout") -> None:
    memory = AIMemory()
    memory.knowledge_base.update({"retries": {"most": 3}, "hint": "ask twice"})
    assert len(memory.save_knowledge_base()) == 2
    assert memory.save_knowledge_base() == []
    assert AIMemory().knowledge_base == {"retries": {"most": 3}, "hint": "ask twice"}
    with Memory.open(".") as opened:
        assert opened.search("ask twice").hits[0].row.kind == "note"


def test_the_signatures_are_those_of_the_older_interface() -> None:
    wanted = {
        "record_fix_attempt": ["issue_data", "ai_response", "fix_success", "verification_success",
                               "execution_time", "notes", "fixer_type"],
        "query_similar_issues": ["issue_data", "limit"],
        "get_model_insights": ["model_name"],
        "build_context_for_claude": ["issue_data"],
        "get_memory_stats": [],
        "export_insights": ["output_file"],
        "generate_issue_signature": ["issue_data"],
    }  # fmt: skip
    for name, names in wanted.items():
        have = inspect.signature(getattr(AIMemory, name)).parameters
        assert list(have)[1:] == names
