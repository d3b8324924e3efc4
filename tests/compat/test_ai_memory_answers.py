"""The fixer's memory as its user meets it: contexts, patterns, signatures, knowledge."""

import json
from typing import TYPE_CHECKING, Any

from gitmem.compat import fix_history as sqlite3
from gitmem.compat.ai_memory import AIMemory
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

ISSUE = {"model": "qwen2.5:7b", "issue_type": "TIMEOUT", "description": "no answer in 30 s"}
WAIT = {"analysis": "wait longer", "fix_commands": ["set timeout 60"], "confidence": 0.8}


def record(memory: AIMemory, number: int, *, works: bool | None, **answer: Any) -> None:
    for _ in range(number):
        memory.record_fix_attempt(ISSUE, {**WAIT, **answer}, True, works, 3.0)


def test_s1_51_and_53_and_54_a_context_tells_rate_and_history_and_each_approach_once(
    here: "Checkout",
) -> None:
    memory = AIMemory()
    record(memory, 3, works=True)
    record(memory, 1, works=False)
    record(memory, 2, works=False, analysis="restart it")
    history = memory.build_context_for_claude(ISSUE).partition("## The same issue")
    assert "## qwen2.5:7b" in history[0]
    assert "6 attempts, 50% of known outcome worked." in history[0]
    assert "Common issues: TIMEOUT." in history[0]
    told = history[2].split("\n\n")[1]
    assert told.splitlines() == ['- "wait longer": worked 3 of 4', '- "restart it": worked 0 of 2']


def test_s1_53_and_54_a_context_advises_on_each_approach_once_by_its_whole_record(
    here: "Checkout",
) -> None:
    memory = AIMemory()
    record(memory, 3, works=True)
    record(memory, 2, works=False)
    record(memory, 1, works=True, analysis="restart it")
    record(memory, 2, works=False, analysis="restart it")
    advice = memory.build_context_for_claude(ISSUE).partition("## What worked before")[2]
    worked, _, avoid = advice.partition("## What to avoid")
    avoid = avoid.partition("\n## ")[0]
    assert worked.count("wait longer (worked 3 of 5") == worked.count("wait longer") == 1
    assert avoid.count("restart it (worked 1 of 3") == avoid.count("restart it") == 1
    assert "restart it" not in worked
    assert "wait longer" not in avoid


def test_s1_13_and_42_the_signature_of_an_issue_is_that_of_its_rows(here: "Checkout") -> None:
    memory = AIMemory()
    record(memory, 1, works=True)
    database = sqlite3.connect("ai_memory.db")
    rows = database.execute(
        "SELECT * FROM fix_history WHERE issue_signature = ? ORDER BY timestamp DESC LIMIT 5",
        (memory.generate_issue_signature(ISSUE),),
    ).fetchall()
    database.close()
    assert len(rows) == 1


def test_s1_26_and_27_what_nobody_verified_counts_as_neither(here: "Checkout") -> None:
    memory = AIMemory()
    record(memory, 1, works=None)
    database = sqlite3.connect("ai_memory.db")
    sql = "SELECT success_count, failure_count FROM issue_patterns"
    assert database.execute(sql).fetchall() == [(0, 0)]
    database.close()


def test_s1_17_and_57_similar_issues_come_with_their_commands(here: "Checkout") -> None:
    memory = AIMemory()
    record(memory, 1, works=True)
    (found,) = memory.query_similar_issues(ISSUE)["exact_matches"]
    assert found["fix_commands"] == ["set timeout 60"]


def test_s1_2_and_72_an_issue_seen_three_times_recurs(here: "Checkout") -> None:
    memory = AIMemory()
    record(memory, 3, works=True)
    memory.export_insights("insights.json")
    report = json.loads((here / "insights.json").read_text())
    (pattern,) = report["patterns"]
    assert (pattern["pattern_name"], pattern["occurrences"]) == ("TIMEOUT qwen2.5:7b", 3)
    assert json.loads(pattern["best_fix"]) == ["set timeout 60"]
    assert "no answer in 30 s" in ok(here, "stats", "recurring")


def test_s1_6_knowledge_keeps_its_types_and_what_was_deleted_stays_away(here: "Checkout") -> None:
    memory = AIMemory()
    memory.knowledge_base.update({"tries": "2", "limit": 2, "old": "forget me"})
    memory.save_knowledge_base()
    again = AIMemory()
    assert again.knowledge_base == {"tries": "2", "limit": 2, "old": "forget me"}
    del again.knowledge_base["old"]
    again.save_knowledge_base()
    assert AIMemory().knowledge_base == {"tries": "2", "limit": 2}


def test_s1_81_an_imported_knowledge_base_is_there(here: "Checkout") -> None:
    (here / "knowledge.json").write_text('{"timeouts": "wait 60 s", "ports": "11434"}')
    ok(here, "import", "other", "knowledge.json", "--format", "knowledge")
    assert AIMemory().knowledge_base["timeouts"] == "wait 60 s"


def test_s1_42_a_prompt_makes_another_issue_and_an_answer_does_not(here: "Checkout") -> None:
    memory = AIMemory()
    plain = memory.generate_issue_signature(ISSUE)
    assert memory.generate_issue_signature({**ISSUE, "actual_response": "x"}) == plain
    first, other = (
        memory.generate_issue_signature({**ISSUE, "test_prompt": prompt})
        for prompt in ("count the stars", "say alpha")
    )
    assert len({plain, first, other}) == 3
    memory.record_fix_attempt({**ISSUE, "actual_response": "x"}, WAIT, True, True, 1.0)
    database = sqlite3.connect("ai_memory.db")
    assert database.execute("SELECT issue_signature, description FROM fix_history").fetchall() == [
        (plain, "no answer in 30 s")
    ]
    database.close()
