"""The fixer's own tables, SQL and formulas beside ours: the same attempts give the same numbers.

Rows that are taken over keep the signature that they have. That of what is recorded here leaves out
how many characters an answer has and, where there is no prompt, takes in the description.
"""

import hashlib
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat import fix_history
from gitmem.compat.ai_memory import AIMemory
from gitmem.memory import Memory
from gitmem.parts.imports.import_other import import_other
from tests.compat.test_original_blocks import Names, blocks, needs_texts
from tests.compat.test_seed_oracle import GENERATED, KINDS, MODELS, real
from tests.depth import amount, deep

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = needs_texts
COLUMNS = (
    "timestamp", "model_name", "issue_type", "issue_signature", "description", "fixer_type",
    "claude_analysis", "fix_commands", "fix_success", "verification_success",
    "execution_time_seconds", "system_info", "notes",
)  # fmt: skip
PROMPTS = ("say alpha", "say beta", "count the stars", "")
DESCRIPTIONS = ("no answer within 30 s", "no answer within 5 s", "the answer is cut off", "")
Databases = tuple[sqlite3.Connection, sqlite3.Connection]


def issues() -> Iterator[dict[str, Any]]:
    chance = random.Random(21)
    for title in [chance.choice(DESCRIPTIONS) for _ in range(GENERATED)] + real():
        yield {
            "issue_type": chance.choice(KINDS), "model": chance.choice((*MODELS, "qwen2.5:14b")),
            "description": title or "nothing is said", "test_prompt": chance.choice(PROMPTS),
            "actual_response": "x" * chance.randrange(3),
        }  # fmt: skip


def named_by_the_document(number: int, **names: Any) -> Names:
    """Run a block of the document, and give its names."""
    exec(blocks(1)[number - 1].text, names)  # noqa: S102  what the test is for
    return names


def rows() -> Iterator[tuple[Any, ...]]:
    """Give attempts on the issues as the document's table holds them."""
    chance = random.Random(8)
    signature = named_by_the_document(8, hashlib=hashlib)["generate_issue_signature"]
    noon = datetime.now(UTC).replace(tzinfo=None, hour=12, minute=0, second=0, microsecond=0)
    for number, issue in enumerate(issues()):
        at = noon - timedelta(days=chance.randrange(1, 28), minutes=number)
        yield (
            at.isoformat(), issue["model"], issue["issue_type"], signature(issue),
            issue["description"], chance.choice(("claude", "qwen")), f"way {number % 17}",
            json.dumps([f"do {number % 17}"]), chance.random() < 0.8, chance.random() < 0.6,
            chance.choice((None, chance.randrange(999) / 10)),
            json.dumps({"os": "Linux", "ram_gb": 16}), chance.choice((None, "slow")),
        )  # fmt: skip


def in_the_documents_tables(attempts: Iterator[tuple[Any, ...]], path: str) -> sqlite3.Connection:
    theirs = sqlite3.connect(path)
    for number in (2, 3, 4, 32):
        theirs.executescript(blocks(1)[number - 1].text)
    marks = ", ".join("?" * len(COLUMNS))
    sql = f"INSERT INTO fix_history ({', '.join(COLUMNS)}) VALUES ({marks})"  # noqa: S608
    theirs.executemany(sql, attempts)
    theirs.commit()
    return theirs


def take_over(repo: "Checkout") -> None:
    path = str(repo / "ai_memory.db")
    with closing(in_the_documents_tables(rows(), path)), Memory.open(str(repo)) as memory:
        assert len(import_other(memory, path).new) >= GENERATED


@pytest.fixture
def databases(
    here: "Checkout", built: "Built", monkeypatch: pytest.MonkeyPatch
) -> Iterator[Databases]:
    """Give the document's database, and ours after its import."""
    monkeypatch.chdir(built(here, take_over))
    with closing(sqlite3.connect("ai_memory.db")) as theirs, closing(fix_history.connect()) as ours:
        yield theirs, ours


def answers(databases: Databases, sql: str, values: tuple[Any, ...] = ()) -> list[list[Any]]:
    """Ask both; digits that follow from the order of adding are left out."""
    return [
        [tuple(round(v, 9) if isinstance(v, float) else v for v in row) for row in database]
        for database in (each.execute(sql, values) for each in databases)
    ]


def test_s1_9_to_22_every_column_of_every_row_is_the_same(databases: Databases) -> None:
    """Only times bear their zone."""
    columns = [name for name in COLUMNS if name != "timestamp"]
    wanted = f"strftime('%s', timestamp), {', '.join(columns)}"
    sql = f"SELECT {wanted} FROM fix_history ORDER BY 1, 4"  # noqa: S608  names of columns
    theirs, ours = answers(databases, sql)
    assert ours == theirs
    assert {row[8:10] for row in ours} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    names = [[column[0] for column in each.execute("SELECT * FROM fix_history").description]
             for each in databases]  # fmt: skip
    assert names[0] == names[1] == ["id", *COLUMNS]


def test_s1_63_to_66_every_query_of_the_text_gives_the_same(databases: Databases) -> None:
    queries = [block.text for block in blocks(1) if block.text.startswith("SELECT")]
    assert len(queries) == 3
    for sql in queries:
        theirs, ours = answers(databases, sql)
        assert len(theirs) > 1
        assert sorted(ours) == sorted(theirs)
        if order := re.search(r"ORDER BY (\w+) DESC", sql):
            place = [name[0] for name in databases[0].execute(sql).description].index(order[1])
            assert [row[place] for row in ours] == [row[place] for row in theirs]
    ((direct, name),) = re.findall(r'"(SELECT COUNT.*?)", \("(\w+)",\)', blocks(1)[48].text)
    theirs, ours = answers(databases, direct, (name,))
    assert ours == theirs != [(0,)]


def test_s1_33_and_49_and_50_rates_and_confidence_are_those_of_the_formulas(
    databases: Databases,
) -> None:
    formula = blocks(1)[8].text
    for name, good, bad, confidence in databases[1].execute(
        "SELECT id, success_count, failure_count, confidence_score FROM issue_patterns"
    ):
        names: Names = {"successful_fixes": good, "total_attempts": good + bad}
        exec(formula, names)  # noqa: S102  what the test is for
        assert confidence == pytest.approx(names["confidence"]), name
    by_issue = (
        "SELECT model_name, issue_type, issue_signature, sum(fix_success AND verification_success),"
        " count(*) FROM fix_history GROUP BY 1, 2, 3"
    )
    theirs, ours = answers(databases, by_issue)
    assert sorted(ours) == sorted(theirs)
    (unique,) = databases[1].execute("SELECT count(*) = count(DISTINCT id) FROM issue_patterns")
    assert unique == (1,)
    theirs, _ = answers(
        databases,
        "SELECT model_name, count(*), avg(fix_success AND verification_success), count(DISTINCT"
        " issue_type), strftime('%s', max(timestamp)) FROM fix_history GROUP BY 1 ORDER BY 1",
    )
    _, ours = answers(
        databases,
        "SELECT model_name, total_tests, success_rate, json_array_length(common_issues),"
        " strftime('%s', last_updated) FROM model_characteristics ORDER BY 1",
    )
    assert ours == theirs


def test_s1_60_and_77_to_80_figures_are_those_of_the_documents_rows(databases: Databases) -> None:
    theirs, memory = databases[0], AIMemory()
    ((*expected, recent),) = theirs.execute(
        "SELECT count(*), sum(fix_success AND verification_success),"
        " avg(fix_success AND verification_success), count(DISTINCT model_name),"
        " count(DISTINCT issue_type),"
        " sum(timestamp > strftime('%Y-%m-%dT%H:%M:%S', 'now', '-7 days')) FROM fix_history"
    )
    stats = list(memory.get_memory_stats().values())
    assert stats[:2] == expected[:2]
    assert stats[2] == pytest.approx(expected[2])
    assert stats[3:6] == [*expected[3:], recent]
    for groups, columns in (
        (memory.get_daily_statistics(), ("DATE(timestamp)",)),
        (memory.get_model_performance_matrix(), ("model_name", "issue_type")),
        (memory.get_fixer_effectiveness(), ("fixer_type",)),
    ):
        by = ", ".join(columns)
        sql = (
            f"SELECT {by}, count(*), sum(fix_success AND verification_success),"  # noqa: S608
            f" avg(execution_time_seconds) FROM fix_history GROUP BY {by}"
        )
        given = [tuple(group.values()) for group in groups]
        size = len(columns)
        assert {row[: size + 2] for row in given} == {row[:-1] for row in theirs.execute(sql)}
        seconds = {row[:size]: row[-1] for row in theirs.execute(sql)}
        for row in given:
            assert row[-1] == pytest.approx(seconds[row[:size]])
            assert row[size + 2] == pytest.approx(row[size + 1] / row[size])
    totals = {each["issue_type"]: each["total"] for each in memory.get_issue_trend_analysis()}
    assert totals == dict(theirs.execute("SELECT issue_type, count(*) FROM fix_history GROUP BY 1"))


def test_s1_58_insights_of_each_model_are_those_of_its_rows(databases: Databases) -> None:
    theirs, memory = databases[0], AIMemory()
    for model in MODELS:
        insights = memory.get_model_insights(model)
        ((total, rate),) = theirs.execute(
            "SELECT count(*), avg(fix_success AND verification_success) FROM fix_history"
            " WHERE model_name = ?", (model,),
        )  # fmt: skip
        assert (insights["total_tests"], insights["success_rate"]) == (total, pytest.approx(rate))
        types = Counter(
            row[0]
            for row in theirs.execute(
                "SELECT issue_type FROM fix_history WHERE model_name = ?", (model,)
            )
        )
        counts = [types.pop(name) for name in insights["common_issues"]]
        assert counts == sorted(counts, reverse=True)
        assert not types
        helped = {
            row[0]
            for row in theirs.execute(
                "SELECT claude_analysis FROM fix_history WHERE model_name = ? AND fix_success"
                " AND verification_success", (model,),
            )
        }  # fmt: skip
        fixes = insights["effective_fixes"]
        assert fixes
        assert set(fixes) <= helped
        assert len(set(fixes)) == len(fixes)


def test_s1_61_the_patterns_of_an_export_are_of_one_model_each(databases: Databases) -> None:
    AIMemory().export_insights("insights.json")
    with open("insights.json", encoding="utf-8") as file:
        patterns = json.load(file)["patterns"]
    counts = {
        (kind, model): number
        for kind, model, number in databases[0].execute(
            "SELECT issue_type, model_name, count(*) FROM fix_history GROUP BY 1, 2"
        )
    }
    assert patterns
    for pattern in patterns:
        kind, model = pattern["pattern_name"].split(" ")[:2]
        assert 1 < pattern["occurrences"] <= counts[kind, model]
        assert pattern["occurrences"] == pattern["success_count"] + pattern["failure_count"]


def by_their_queries(
    theirs: sqlite3.Connection, issue: dict[str, Any], signatures: set[str]
) -> dict[str, list[int]]:
    """Ask the document's tiers of its own table; gives the numbers of the rows."""
    tiers = dict(re.findall(r'\("(\w+)", "(WHERE [^"]+)"\)', blocks(1)[32].text))
    about: dict[str, list[tuple[str, ...]]] = {
        "exact": [(signature,) for signature in signatures],
        "model": [(issue["model"], issue["issue_type"])],
        "type": [(issue["issue_type"],)],
    }
    return {
        tier: [
            row[0]
            for values in about[tier]
            for row in theirs.execute(f"SELECT id FROM fix_history {tiers[tier]}", (*values, 1000))  # noqa: S608
        ]
        for tier in tiers
    }


def without_numbers(text: str) -> str:
    return re.sub(r"\d+", "#", text)


@deep
@pytest.mark.timeout(600)
def test_s1_42_to_47_and_84_the_tiers_hold_the_rows_of_the_documents_queries(
    here: "Checkout",
) -> None:
    """Ours does not tell issues apart by the length of an answer.

    Where nothing was asked they are told apart by what they say.
    """
    memory, step = AIMemory(), amount(share=4, ci=2, whole=1)
    attempts, every = list(rows())[::step], list(issues())[::step]
    names: dict[str, int] = {}
    for number, (issue, row) in enumerate(zip(every, attempts, strict=True), 1):
        answer = {"analysis": row[6], "fix_commands": json.loads(row[7])}
        names[memory.record_fix_attempt(issue, answer, row[8], row[9], row[10] or 0)] = number
    signature = named_by_the_document(8, hashlib=hashlib)["generate_issue_signature"]
    with closing(in_the_documents_tables(iter(attempts), str(here / "theirs.db"))) as theirs:
        for issue in every[:: amount(share=6, ci=12, whole=1)]:
            same = {signature({**issue, "actual_response": "x" * size}) for size in range(3)}
            expected = by_their_queries(theirs, issue, same)
            found = memory.query_similar_issues(issue, limit=1000)
            ids = {tier: [names[each["id"]] for each in tier_rows]
                   for tier, tier_rows in found.items()}  # fmt: skip
            exact, model, by_type = (set(each) for each in ids.values())
            said = without_numbers(issue["description"])
            assert exact == {
                number for number in expected["exact"]
                if issue["test_prompt"]
                or without_numbers(every[number - 1]["description"]) == said
            }  # fmt: skip
            of_model = {number for number in exact if every[number - 1]["model"] == issue["model"]}
            assert of_model | model == set(expected["model"])
            assert exact | model | by_type == set(expected["type"])
            assert len(exact) + len(model) + len(by_type) == len(exact | model | by_type)
            for tier in ("model_matches", "type_matches"):
                # The document puts what was applied first, ours what was also seen to help.
                helped = [each["fix_success"] and each["verification_success"]
                          for each in found[tier]]  # fmt: skip
                assert helped == sorted(helped, reverse=True)
            times = [each["timestamp"] for each in found["exact_matches"]]
            assert times == sorted(times, reverse=True)


def test_s1_45_the_rows_of_an_imported_history_are_exact_matches(databases: Databases) -> None:
    """They are what the document finds; what is recorded here counts no characters of answers."""
    memory = AIMemory()
    signature = named_by_the_document(8, hashlib=hashlib)["generate_issue_signature"]
    sizes = []
    for issue in list(issues())[::20]:
        same = {signature(issue)}
        same |= {signature({**issue, "actual_response": ""})} if issue["test_prompt"] else set()
        theirs = by_their_queries(databases[0], issue, same)
        tiers = memory.query_similar_issues(issue, limit=1000)
        found = tiers["exact_matches"]
        assert len(found) == len(theirs["exact"]) > 0
        assert {each["issue_signature"] for each in found} <= same
        sizes.append(len(found))
        of_model = sum(each["model_name"] == issue["model"] for each in found)
        assert of_model + len(tiers["model_matches"]) == len(theirs["model"])
        assert sum(map(len, tiers.values())) == len(theirs["type"])
    assert max(sizes) > 1
