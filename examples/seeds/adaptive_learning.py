"""Tasks that fail for want of a folder, recover by what was learnt, and a report on them."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitmem.compat.learning import (
    AdaptiveExecutionEngine,
    ExecutionPatternLearner,
    continuous_learning_loop,
)

PROJECT = "reports"
TASK = {"category": "backend", "type": "feature", "description": "write the monthly report"}


def write_report(task: Mapping[str, Any]) -> dict[str, Any]:
    """Write a file into a folder that nobody made."""
    path = Path("out") / f"{task['id']}.txt"
    path.write_text("done", encoding="utf-8")
    return {"files_created": [str(path)], "tools_used": ["python"]}


class Engine(AdaptiveExecutionEngine):
    """Makes the folder that a solution names, and tries again."""

    def _apply_error_solution(self, task: Mapping[str, Any], solution: Mapping[str, Any]) -> Any:
        for step in solution["solution_steps"]:
            print("applying:", step)
            if step.startswith("mkdir "):
                os.makedirs(step.removeprefix("mkdir "), exist_ok=True)
        return self._execute_standard(task)


def main() -> None:
    """Fail, learn, recover, and carry on."""
    engine = Engine(PROJECT)
    try:
        engine.execute_task_adaptively({**TASK, "id": "january", "execute": write_report})
    except FileNotFoundError as error:
        print("failed:", type(error).__name__)
        ExecutionPatternLearner(PROJECT).save_error_solution(
            {"error_type": type(error).__name__, "error_message": str(error)},
            {"approach": "make the folder first", "steps": ["mkdir out"]},
        )
    for month in ("january", "february", "march"):
        done = engine.execute_task_adaptively({**TASK, "id": month, "execute": write_report})
        print(f"{month}: wrote {done['files_created'][0]}")
    continuous_learning_loop(PROJECT)


if __name__ == "__main__":
    main()
