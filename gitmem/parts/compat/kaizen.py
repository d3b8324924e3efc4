"""Kaizen's memory of executions: ``ExecutionMemory`` and its inspector.

An execution is a session, a failing case an error, an attempt a fix. Prompts and answers stay in
the journal of this clone.
"""

import json
from collections.abc import Mapping
from typing import Any

from gitmem.parts.compat import kaizen_values as values
from gitmem.parts.compat.kaizen_execution import ExecutionMemory
from gitmem.parts.compat.kaizen_values import FixAttempt, LLMInteraction
from gitmem.parts.compat.kaizen_values import KaizenTestCase as TestCase
from gitmem.parts.compat.kaizen_values import KaizenTestRun as TestRun

__all__ = [
    "ExecutionMemory",
    "FixAttempt",
    "LLMInteraction",
    "MemoryInspector",
    "TestCase",
    "TestRun",
    "detailed_inspect",
    "quick_inspect",
]


class MemoryInspector:
    """Looks at an execution memory: prints, exports, gives single parts."""

    def __init__(self, memory: ExecutionMemory) -> None:
        self._memory = memory

    def show_overview(self) -> None:
        """Print what there is, a line each."""
        _show(self._memory.get_memory_summary())

    def show_detailed_structure(self) -> None:
        """Print the whole execution."""
        _show(self._memory.export_memory_to_json())

    def show_schema(self) -> None:
        """Print the fields of each part."""
        _show(self._memory.get_memory_schema())

    def show_summary(self) -> None:
        """Print how the runs went."""
        _show(self._memory.get_comprehensive_test_analysis())

    def export_to_file(self, file_path: str) -> None:
        """Write the execution to a file, as JSON."""
        self._memory.export_memory_to_json(file_path=file_path)

    def get_test_runs(self) -> list[TestRun]:
        """Give the test runs, oldest first."""
        return [values.run(run) for run in self._memory.execution().runs]

    def get_fix_attempts(self) -> list[FixAttempt]:
        """Give the attempts, oldest first."""
        return self._memory.fix_attempts()

    def get_llm_interactions(self) -> list[LLMInteraction]:
        """Give what was asked of language models, oldest first."""
        return [values.interaction(talk) for talk in self._memory.execution().talks]

    def get_failed_test_cases(self) -> list[TestCase]:
        """Give what failed in the newest run."""
        return self._memory.get_failed_cases_latest_run()

    def get_learning_context(self, file_path: str) -> dict[str, Any]:
        """Give what the next attempt on a file should know."""
        return self._memory.get_previous_attempts_insights(file_path)


def quick_inspect(memory: ExecutionMemory) -> None:
    """Print what there is, a line each."""
    MemoryInspector(memory).show_overview()


def detailed_inspect(memory: ExecutionMemory) -> None:
    """Print the whole execution."""
    MemoryInspector(memory).show_detailed_structure()


def _show(data: Mapping[str, Any]) -> None:
    for name, value in data.items():
        text = value if isinstance(value, str) else json.dumps(value, default=str)
        print(f"{name}: {text}")  # noqa: T201  what it is for
