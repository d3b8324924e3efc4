"""Blocks of the documents that are no program, each held to what ours has in its place.

They are outputs, values, settings, signatures and pictures: a value is written and read again, an
output has the same names, a setting is read by ours.
"""

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat import ai_memory, fix_history
from gitmem.parts.compat import coding
from tests.compat.test_coding_pictures import PICTURE
from tests.compat.test_original_blocks import ISSUE, Names, blocks, carried_out, needs_texts
from tests.e2e.running import ok, run
from tests.model_server import says, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Checkout

ANSWER: dict[str, Any] = {"analysis": "wait longer", "fix_commands": ["true"], "confidence": 0.8}
SETTINGS = {
    "max_session_duration_hours": "session.max_hours", "model": "llm.model",
    "vision_model": "llm.vision_model", "auto_approve": "llm.auto_approve",
    "cost_threshold": "llm.cost_threshold", "max_monthly_budget_usd": "llm.monthly_budget",
    "warn_at_percentage": "llm.warn_at_percentage",
}  # fmt: skip
"""What the document's settings are called here; the others are refused by their own name."""
pytestmark = needs_texts


def text(document: int, number: int) -> str:
    return blocks(document)[number - 1].text


def record(memory: ai_memory.AIMemory, **issue: object) -> str:
    return memory.record_fix_attempt({**ISSUE, **issue}, ANSWER, True, True, 1.0)


@pytest.mark.parametrize(("document", "number"), [(1, 1), (2, 9), (4, 1)])
def test_a_picture_has_boxes_and_nothing_to_run(document: int, number: int) -> None:
    assert text(document, number).startswith("┌")
    with pytest.raises(SyntaxError):
        compile(text(document, number), "a block", "exec")


def test_values_of_the_fixer_are_kept_as_they_are(here: "Checkout") -> None:
    memory = ai_memory.AIMemory()
    commands, system, types = (json.loads(text(1, number)) for number in (5, 6, 7))
    memory.record_fix_attempt(
        {**ISSUE, "system_info": system}, {**ANSWER, "fix_commands": commands}, True, True, 1.0
    )
    for kind in types:
        record(memory, issue_type=kind, description=f"it was {kind}")
    found = memory.query_similar_issues(ISSUE)["exact_matches"][0]
    assert found["fix_commands"] == commands
    database = fix_history.connect()
    (kept,) = database.execute(
        "SELECT system_info FROM fix_history WHERE system_info LIKE '%ollama%'"
    ).fetchall()
    database.close()
    assert json.loads(kept[0]) == system
    assert set(memory.get_model_insights(str(ISSUE["model"]))["common_issues"]) == set(types)


def test_outputs_of_the_fixer_have_the_same_names(here: "Checkout") -> None:
    memory = ai_memory.AIMemory()
    record(memory)
    names = re.findall(r"^  (\w+):", text(1, 19), re.MULTILINE)
    assert list(memory.get_memory_stats()) == names
    insights = re.findall(r'^  "(\w+)":', text(1, 21), re.MULTILINE)
    assert len(insights) == 6
    assert set(insights) <= set(memory.get_model_insights(str(ISSUE["model"])))
    assert "<command>" in text(1, 17)
    assert "stats" in ok(here, "--help")


def test_the_optimised_query_asks_in_the_tiers_of_ours(here: "Checkout") -> None:
    memory = ai_memory.AIMemory()
    first, newest = record(memory), record(memory)
    foreign = record(memory, model="llama3:8b")
    clauses = dict(re.findall(r'\("(\w+)", "(WHERE .*?)"\)', text(1, 33)))
    values: dict[str, tuple[object, ...]] = {
        "exact": (memory.generate_issue_signature(ISSUE), 5),
        "model": (ISSUE["model"], ISSUE["issue_type"], 5),
        "type": (ISSUE["issue_type"], 5),
    }
    database = fix_history.connect()
    rows = {
        tier: [row[0] for row in database.execute(f"SELECT id FROM fix_history {clause}", values[tier])]  # noqa: E501, S608
        for tier, clause in clauses.items()
    }  # fmt: skip
    database.close()
    ours = memory.query_similar_issues(ISSUE)
    assert rows["exact"] == [each["id"] for each in ours["exact_matches"]] == [newest, first]
    # An attempt stands in the first of our tiers that it fits, and in all of the document's.
    assert set(rows["model"]) == {first, newest}
    assert set(rows["type"]) == {first, newest, foreign}
    assert [each["id"] for each in ours["type_matches"]] == [foreign]


@pytest.mark.parametrize("number", [34, 35])
def test_a_function_of_comments_does_not_run(number: int) -> None:
    lines = text(1, number).splitlines()
    assert all(line.lstrip().startswith(("#", "def ")) for line in lines)
    with pytest.raises(IndentationError):
        compile(text(1, number), "a block", "exec")


def returned(memory: ai_memory.AIMemory, folder: "Path") -> dict[int, object]:
    """Call what the blocks of the reference describe, and give what comes back."""
    memory.export_insights(str(folder / "insights.json"))
    return {
        42: record(memory),
        43: memory.query_similar_issues(ISSUE),
        44: memory.get_model_insights(str(ISSUE["model"])),
        45: memory.build_context_for_claude(ISSUE),
        46: memory.get_memory_stats(),
        48: memory.generate_issue_signature(ISSUE),
    }


def test_what_the_reference_describes_comes_back(here: "Checkout") -> None:
    """An id is that of a record, where the document counts: see docs/compat.md."""
    record(ai_memory.AIMemory())
    answers = returned(ai_memory.AIMemory(), here)
    kinds: dict[str, type] = {"int": str, "str": str, "Dict": dict}
    for number, answer in answers.items():
        (kind,) = re.findall(r"\) -> (\w+):", text(1, number))
        assert isinstance(answer, kinds[kind]), number
        assert answer, number
    tiers = re.findall(r"'(\w+)': List", text(1, 43))
    assert list(ai_memory.AIMemory().query_similar_issues(ISSUE)) == tiers
    assert re.fullmatch(r"[0-9a-f]{16}", str(answers[48]))
    assert json.loads((here / "insights.json").read_text("utf-8"))["model_insights"]


def test_variables_of_the_coding_memory_are_settings(here: "Checkout") -> None:
    variables = dict(re.findall(r'^export (\w+)="(.*?)"', text(4, 11), re.MULTILINE))
    assert len(variables) == 4
    shown = run(here, "config", env=variables).out
    for name, value in (("llm.model", "gpt-5-mini"), ("llm.vision_model", "gpt-4o"),
                        ("llm.cost_threshold", "0.1")):  # fmt: skip
        assert re.search(rf"^{name} +{value}\b", shown, re.MULTILINE), shown


def test_settings_of_the_coding_memory_are_set_or_refused_by_name(here: "Checkout") -> None:
    here.add("kagura.toml", text(4, 13))
    done = run(here, "import", "other", "kagura.toml")
    said = done.out + done.err
    for name in re.findall(r"^(\w+) =", text(4, 13), re.MULTILINE):
        assert SETTINGS.get(name, name) in said, said
    assert "gpt-5-mini" in ok(here, "config", "llm.model")


def test_the_registration_of_the_coding_memory_starts_a_server(here: "Checkout") -> None:
    (server,) = json.loads(text(4, 14))["mcpServers"].values()
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }}  # fmt: skip
    done = run(here, *server["args"], stdin=json.dumps(asked) + "\n", env=server["env"])
    assert json.loads(done.out.splitlines()[0])["result"]["serverInfo"]["name"] == "gitmem"


def test_tools_that_the_dialogue_calls_are_there() -> None:
    tools = re.findall(r"\[calls (\w+)\]", text(4, 15))
    assert len(tools) == 3
    assert set(tools) <= set(coding.__all__)


def test_the_diagram_of_the_coding_memory_is_analysed(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    here.add("docs/architecture.png", PICTURE)
    answer = {"components": ["API Gateway", "Database"], "connections": [],
              "architecture_pattern": "Microservices", "notes": []}  # fmt: skip
    with serving(says(answer)) as server:
        for name, value in {"VISION_MODEL": "seer", "BASE_URL": server.url, "PRICE": "1/2"}.items():
            monkeypatch.setenv(f"GITMEM_LLM_{name}", value)
        names: Names = {}
        carried_out(text(4, 21), names)
    assert names["printed"] == "['API Gateway', 'Database']\nMicroservices\n"
