"""A fixer's history of many rows, models, wordings and prompts: one issue, one rate, one time."""

import hashlib
import json
import random
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat import fix_history
from gitmem.compat.ai_memory import AIMemory
from gitmem.memory import Memory
from gitmem.parts.imports.import_other import import_other
from gitmem.sync import comparison
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

MODELS = ("m:8b", "m:70b", "n:7b", "o")
TYPES = ("TIMEOUT", "NO_OUTPUT", "ERROR")
WORDINGS = ("no answer in time", "the model is slow", "it hung up")
PROMPTS = ("Add two numbers", "Sort a list", "Count to ten", "Say hello", "Parse a date")
WAYS = ("Restart", "Reinstall driver", "Lower the context", "Pull again")


def attempted(memory: AIMemory, model: str, kind: str, said: str, way: str, **more: Any) -> str:
    issue = {"model": model, "issue_type": kind, "description": said,
             "test_prompt": more.get("prompt", "")}  # fmt: skip
    answer = {"analysis": way, "fix_commands": [f"do {way}"]}
    return memory.record_fix_attempt(issue, answer, True, more.get("works", True), 1.0)


def signature_of_the_document(issue: dict[str, Any]) -> str:
    """The older tool's formula."""
    parts = (issue["issue_type"], issue["model"].split(":")[0], issue.get("test_prompt", "")[:50],
             str(len(issue.get("actual_response", ""))))  # fmt: skip
    return hashlib.md5("|".join(parts).encode()).hexdigest()[:16]  # noqa: S324  theirs


def older_database(path: str, number: int, days: int = 0) -> None:
    """Write the older tool's database: the rows of several models, wordings and prompts.

    With a number of days the rows lie over these, in turn failed and worked.
    """
    chance = random.Random(11)
    now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE TABLE fix_history (id INTEGER PRIMARY KEY, timestamp, model_name, issue_type,"
            " issue_signature, description, fixer_type, claude_analysis, fix_commands, fix_success,"
            " verification_success, execution_time_seconds, system_info, notes)"
        )
        for row in range(number):
            model, kind = chance.choice(MODELS), chance.choice(TYPES)
            prompt, way = chance.choice(PROMPTS), chance.choice(WAYS)
            issue = {"issue_type": kind, "model": model, "test_prompt": prompt}
            at = f"2026-0{1 + row % 8}-{1 + row % 27:02}T10:00:{row % 60:02}"
            success = chance.random() < 0.8, chance.random() < 0.5
            if days:
                at = (now - timedelta(days=(row + 0.5) * days / number)).isoformat()
                success = True, row % 2 > 0
            database.execute(
                f"INSERT INTO fix_history VALUES ({','.join('?' * 14)})",  # noqa: S608
                (row + 1, at, model, kind,
                 signature_of_the_document(issue), f'{kind} on "{prompt}"', "claude", way,
                 json.dumps([f"do {way}"]), *success, 2.0,
                 "{}", None),
            )  # fmt: skip
        database.commit()


def taken_over(path: str) -> None:
    with Memory.open(".") as memory:
        import_other(memory, path)


def figures(text: str, way: str) -> set[str]:
    """Give every figure that a context tells of an approach."""
    lines = [line for line in text.splitlines() if way in line and "worked" in line]
    return {line.partition("worked ")[2].partition(" ·")[0].rstrip(")") for line in lines}


def test_s1_51_and_53_and_54_a_rate_is_of_all_attempts_and_the_same_in_each_section(
    here: "Checkout",
) -> None:
    memory = AIMemory()
    for number in range(60):
        attempted(memory, "m:8b", "TIMEOUT", WORDINGS[number % 3], "Restart", works=number < 20)
    for number in range(9):
        attempted(memory, MODELS[number % 4], "TIMEOUT", "slow", "Wait longer", works=number < 7)
    for _ in range(12):
        attempted(memory, "m:8b", "ERROR", "the card is lost", "Reinstall driver")
    for model, wording in (("n:7b", "quite another wording"), ("m:8b", WORDINGS[1])):
        issue = {"model": model, "issue_type": "TIMEOUT", "description": wording}
        text = memory.build_context_for_claude(issue)
        assert figures(text, "Restart") == {"20 of 60"}
        assert figures(text, "Wait longer") == {"7 of 9"}
        worked = text.partition("## What worked before")[2].partition("\n## ")[0]
        assert worked.strip().startswith("- **worked** Wait longer (worked 7 of 9")
        assert "Reinstall driver" not in worked
        avoid = text.partition("## What to avoid")[2].partition("\n## ")[0]
        assert avoid.count("** Restart") == 1


def test_s1_53_rates_of_an_imported_history_are_those_of_its_table(here: "Checkout") -> None:
    older_database("theirs.db", 120)
    taken_over("theirs.db")
    memory = AIMemory()
    with closing(sqlite3.connect("theirs.db")) as theirs:
        rows = theirs.execute(
            "SELECT issue_type, claude_analysis, sum(fix_success AND verification_success),"
            " count(*) FROM fix_history GROUP BY 1, 2"
        ).fetchall()
    for kind, way, good, total in rows:
        for model in MODELS[1:3]:
            issue = {"model": model, "issue_type": kind, "description": f'{kind} on "Add"'}
            text = memory.build_context_for_claude(issue)
            assert figures(text, way) == {f"{good} of {total}"}, (kind, way)


def test_s1_42_and_45_one_prompt_is_one_issue_in_whatever_words(here: "Checkout") -> None:
    memory = AIMemory()
    said = [f"{wording} {tail}" for wording in WORDINGS for tail in ("again", "after a while", "!")]
    for wording in [*said, "TIMEOUT"]:
        for model, kind in (("m:8b", "TIMEOUT"), ("m:70b", "NO_OUTPUT")):
            attempted(memory, model, kind, wording, "Restart", prompt="Add two numbers")
    for model, kind in (("m:8b", "TIMEOUT"), ("m:70b", "NO_OUTPUT")):
        issue = {"model": model, "issue_type": kind, "description": "in words never used",
                 "test_prompt": "Add two numbers"}  # fmt: skip
        assert memory.generate_issue_signature(issue) == signature_of_the_document(issue)
        assert len(memory.query_similar_issues(issue, limit=50)["exact_matches"]) == 10
    with closing(fix_history.connect()) as database:
        patterns = database.execute(
            "SELECT count(*), min(confidence_score) FROM issue_patterns"
        ).fetchall()
    assert patterns == [(2, 1.0)]
    with Memory.open(".") as opened:
        assert [failure.records for failure in opened.statistics.recurring()] == [10, 10]


def test_s1_42_what_was_asked_in_quotes_tells_issues_without_a_prompt_apart(
    here: "Checkout",
) -> None:
    memory = AIMemory()
    for prompt in PROMPTS:
        for seconds in (5, 30):
            attempted(memory, "m:8b", "TIMEOUT", f'no "{prompt}" in {seconds} s', "Restart")
    with closing(fix_history.connect()) as database:
        rows = database.execute("SELECT issue_signature, count(*) FROM fix_history GROUP BY 1")
        assert [number for _, number in rows] == [2] * len(PROMPTS)


def test_s1_42_an_imported_signature_is_an_identity(here: "Checkout") -> None:
    older_database("theirs.db", 90)
    taken_over("theirs.db")
    with closing(sqlite3.connect("theirs.db")) as theirs:
        expected = Counter(
            row[0] for row in theirs.execute("SELECT issue_signature FROM fix_history")
        )
    with closing(fix_history.connect()) as database:
        ours = Counter(
            row[0] for row in database.execute("SELECT issue_signature FROM fix_history")
        )
    assert ours == expected
    with Memory.open(".") as opened:
        seen = [failure.records for failure in opened.statistics.recurring(-1)]
    assert sorted(seen) == sorted(number for number in expected.values() if number > 1)
    memory = AIMemory()
    for prompt in PROMPTS:
        issue = {"model": "m:8b", "issue_type": "TIMEOUT", "test_prompt": prompt}
        exact = memory.query_similar_issues(issue, limit=90)["exact_matches"]
        assert len(exact) == expected[signature_of_the_document(issue)] > 0


def test_s1_83_and_100_indexes_and_upkeep_of_the_document_succeed(here: "Checkout") -> None:
    older_database("theirs.db", 12)
    taken_over("theirs.db")
    database = fix_history.connect("AIMemory/ai_memory.db", timeout=9, check_same_thread=False)
    with closing(database):
        database.row_factory = fix_history.Row
        for column in ("timestamp", "model_name", "issue_type", "issue_signature", "fixer_type"):
            database.execute(f"CREATE INDEX idx_{column} ON fix_history({column})")
        database.executescript("VACUUM; ANALYZE; REINDEX;")
        assert database.execute("SELECT * FROM fix_history LIMIT 1").fetchone()["fixer_type"]
        for sql in ("DELETE FROM fix_history", "UPDATE fix_history SET notes = 'x'",
                    "INSERT INTO fix_history (id) VALUES (1)"):  # fmt: skip
            with pytest.raises(fix_history.Error, match="readonly"):
                database.execute(sql)
        with pytest.raises(fix_history.OperationalError):
            database.execute("SELECT nothing FROM nowhere")


def test_s1_24_and_37_names_of_patterns_are_unique_and_notes_are_told(here: "Checkout") -> None:
    memory = AIMemory()
    for model in MODELS[:3]:
        for prompt in PROMPTS:
            attempted(memory, model, "TIMEOUT", "slow", "Restart", prompt=prompt)
    with Memory.open(".") as opened:
        for model, text in (
            ("m:8b", "Needs 8 GB."),
            ("n:7b", "Slow on Mondays."),
            ("m:8b", "Old."),
        ):
            opened.add("note", {"title": f"About {model}", "body": text, "tags": [model]})
    with closing(fix_history.connect()) as database:
        names = [row[0] for row in database.execute("SELECT pattern_name FROM issue_patterns")]
        notes = dict(
            database.execute("SELECT model_name, performance_notes FROM model_characteristics")
        )
    assert len(set(names)) == len(names) == 15
    assert {f"TIMEOUT {model}" for model in MODELS[:3]} < set(names)
    for model in MODELS[:3]:
        assert notes[model].split("\n") == (
            memory.get_model_insights(model)["performance_notes"] or [""]
        )
    assert set(notes["m:8b"].split("\n")) == {"Needs 8 GB.", "Old."}
    assert notes["m:70b"] == ""


@pytest.mark.parametrize("question", ["connect", "similar", "context", "insights"])
def test_the_files_are_compared_once_for_a_question_however_many_rows(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """What grew with the square of the rows was a comparison of all files for each row."""
    asked: dict[int, int] = {}
    looks = 0
    whole = comparison.Comparison.changes

    def counted(*args: Any) -> Any:
        nonlocal looks
        looks += 1
        return whole(*args)

    for number in (20, 80):
        older_database(f"{number}.db", number)
        taken_over(f"{number}.db")
        memory = AIMemory()
        issue = {"model": "m:8b", "issue_type": "TIMEOUT", "test_prompt": PROMPTS[0]}
        with monkeypatch.context() as patched:
            patched.setattr(comparison.Comparison, "changes", counted)
            looks = 0
            if question == "connect":
                fix_history.connect().close()
            elif question == "similar":
                memory.query_similar_issues(issue, limit=20)
            elif question == "context":
                memory.build_context_for_claude(issue)
            else:
                memory.get_model_insights("m:8b")
            asked[number] = looks
    assert asked[20] == asked[80] <= 3


def test_s1_73_and_85_cleanup_takes_old_failures_first(here: "Checkout") -> None:
    older_database("theirs.db", 120, days=90)
    taken_over("theirs.db")
    here.commit("the history")
    plan = ok(here, "cleanup", "30", "--dry-run")
    assert "failed: 40 go, 20 stay; worked: 0 go, 60 stay" in plan
    run(here, "cleanup", "30", "--yes")
    with closing(fix_history.connect()) as database:
        sql = "SELECT verification_success, count(*) FROM fix_history GROUP BY 1 ORDER BY 1"
        assert database.execute(sql).fetchall() == [(0, 20), (1, 60)]
    here.commit("without old failures")
    run(here, "cleanup", "1", "--yes")
    with closing(fix_history.connect()) as database:
        left = database.execute(
            "SELECT issue_type, sum(verification_success) FROM fix_history GROUP BY 1"
        ).fetchall()
    assert {kind for kind, worked in left if worked} == set(TYPES)
