"""The examples of the Kaizen memory's document, one test a block; docs/seeds.md lists them."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.compat.kaizen import (
    ExecutionMemory,
    MemoryInspector,
    detailed_inspect,
    quick_inspect,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Checkout

RESULTS = {"test_cases": [{"test_name": "t", "status": "failed", "error_message": "E: no"}]}


@pytest.fixture
def memory(here: "Checkout") -> "Iterator[ExecutionMemory]":
    with ExecutionMemory() as opened:
        opened.start_execution("before", config={"depth": 1})
        opened.log_test_run("file.py", RESULTS)
        opened.log_fix_attempt("file.py", 1, "a\n", "b\n", False, "try b")
        yield opened


def test_quick_start(here: "Checkout", capsys: pytest.CaptureFixture[str]) -> None:
    rest: Any = ...
    memory = ExecutionMemory()
    memory.start_execution("my_test_123", config={"depth": 1})
    memory.log_test_run("file.py", RESULTS)
    memory.log_llm_interaction("file.py", "code_fixing", "a prompt", "a response")
    memory.log_fix_attempt("file.py", 1, "original\n", "fixed\n", False, rest)
    inspector = MemoryInspector(memory)
    inspector.show_overview()
    memory.end()
    assert "execution_id: my_test_123" in capsys.readouterr().out


def test_memory_inspector(memory: ExecutionMemory, capsys: pytest.CaptureFixture[str]) -> None:
    inspector = MemoryInspector(memory)
    inspector.show_overview()
    inspector.show_detailed_structure()
    inspector.show_schema()
    inspector.show_summary()
    inspector.export_to_file("memory_dump.json")
    assert "total_runs: 1" in capsys.readouterr().out
    test_runs = inspector.get_test_runs()
    fix_attempts = inspector.get_fix_attempts()
    llm_interactions = inspector.get_llm_interactions()
    failed_cases = inspector.get_failed_test_cases()
    learning_context = inspector.get_learning_context("file.py")
    assert [len(one) for one in (test_runs, fix_attempts, llm_interactions, failed_cases)] == [
        1, 1, 0, 1,
    ]  # fmt: skip
    assert learning_context["failed_approaches"][0]["approach"] == "try b"


def test_quick_inspection_functions(
    memory: ExecutionMemory, capsys: pytest.CaptureFixture[str]
) -> None:
    quick_inspect(memory)
    detailed_inspect(memory)
    assert capsys.readouterr().out.count("execution_id: before") == 2


def test_learning_context_for_a_model(memory: ExecutionMemory) -> None:
    learning_context = memory.get_previous_attempts_insights("file.py")
    assert set(learning_context) == {
        "failed_cases", "previous_attempts", "failed_approaches", "successful_patterns",
        "llm_reasoning", "original_code", "learning_history", "configuration",
    }  # fmt: skip


def test_export_and_analysis(memory: ExecutionMemory, here: "Checkout") -> None:
    json_data = memory.export_memory_to_json(file_path="memory_dump.json")
    summary = memory.get_memory_summary()
    analysis = memory.get_comprehensive_test_analysis()
    assert json.loads((here / "memory_dump.json").read_text())["session"] == json_data["session"]
    assert summary["total_test_runs"] == analysis["total_runs"] == 1


def test_schema_information(memory: ExecutionMemory, capsys: pytest.CaptureFixture[str]) -> None:
    schema = memory.get_memory_schema()
    inspector = MemoryInspector(memory)
    inspector.show_schema()
    out = capsys.readouterr().out
    assert all(f"{name}: " in out for name in schema)
