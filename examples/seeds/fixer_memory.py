"""Tries ways to make a slow program answer, and asks the memory which way works."""

import json
import subprocess
import sys
import time
from pathlib import Path

from gitmem.compat import fix_history as sqlite3
from gitmem.compat.ai_memory import AIMemory

SLOW = "import time; time.sleep(0.5); print('ready')"
BY_FIXER = """
SELECT fixer_type, COUNT(*), SUM(fix_success = 1 AND verification_success = 1)
FROM fix_history GROUP BY fixer_type ORDER BY fixer_type
"""


def answers(seconds: float) -> tuple[bool, str]:
    """Ask a program that takes its time; tell whether it answered, and what was seen."""
    try:
        subprocess.run([sys.executable, "-c", SLOW], timeout=seconds, check=True,
                       capture_output=True)  # fmt: skip
    except subprocess.TimeoutExpired as error:
        return False, f"no answer within {error.timeout} seconds"
    return True, ""


def main() -> None:
    """Meet the failure, try two ways, and look at what the memory says of the next one."""
    memory = AIMemory()
    worked, description = answers(0.05)
    issue = {"model": "slow:1b", "issue_type": "TIMEOUT", "description": description,
             "test_prompt": "are you ready?"}  # fmt: skip
    print("failed:", description)
    for fixer, analysis, seconds in (
        ("qwen", "ask once more", 0.05),
        ("claude", "wait longer", 30.0),
    ):
        started = time.monotonic()
        worked, _ = answers(seconds)
        memory.record_fix_attempt(
            issue,
            {"analysis": analysis, "fix_commands": [f"timeout {seconds}"], "confidence": 0.8},
            fix_success=True,
            verification_success=worked,
            execution_time=time.monotonic() - started,
            fixer_type=fixer,
        )
        print(f"{fixer}: {analysis}: {'works' if worked else 'does not work'}")
    for found in memory.query_similar_issues(issue)["exact_matches"]:
        verified = found["verification_success"]
        print(f"known: {found['claude_analysis']} {found['fix_commands']} verified: {verified}")
    insights = memory.get_model_insights("slow:1b")
    print("success rate:", insights["success_rate"], "helps:", insights["effective_fixes"])
    database = sqlite3.connect("AIMemory/ai_memory.db")
    for row in database.execute(BY_FIXER):
        print("by fixer:", *row)
    database.close()
    memory.export_insights("insights.json")
    report = json.loads(Path("insights.json").read_text(encoding="utf-8"))
    print("exported:", report["statistics"]["total_fixes_attempted"], "attempts")


if __name__ == "__main__":
    main()
