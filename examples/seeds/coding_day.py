"""An assistant's day: an error that really happens, its decision and fix, and the error again."""

import asyncio
import traceback
from datetime import UTC, datetime
from pathlib import Path

from gitmem.compat.coding import CodingMemoryManager

FILE = Path("token_check.py")
NAIVE = "from datetime import datetime\n\ndef expired(until):\n    return until < datetime.now()\n"
AWARE = NAIVE.replace("import datetime", "import UTC, datetime").replace("now()", "now(UTC)")


def trouble() -> tuple[str, str, str]:
    """Call the file's function; give type, message and trace of what it raises."""
    names: dict[str, object] = {}
    exec(compile(FILE.read_text(encoding="utf-8"), str(FILE), "exec"), names)  # noqa: S102
    expired = names["expired"]
    assert callable(expired)
    try:
        expired(datetime(2026, 1, 1, tzinfo=UTC))
    except TypeError as error:
        return type(error).__name__, str(error), traceback.format_exc()
    return "", "", ""


async def main() -> None:
    """Work through the day."""
    memory = CodingMemoryManager("dev", "api-service")
    FILE.write_text(NAIVE, encoding="utf-8")
    await memory.start_coding_session("let tokens expire", ["feature"])
    kind, message, trace = trouble()
    print("error:", kind, message)
    error_id = await memory.record_error(kind, message, trace, str(FILE), 4)
    await memory.record_decision(
        "All times are in UTC", "naive and aware times can't be compared",
        ["local time"], related_files=[str(FILE)], confidence=0.9,
    )  # fmt: skip
    FILE.write_text(AWARE, encoding="utf-8")
    await memory.track_file_change(
        str(FILE), "edit", "+    return until < datetime.now(UTC)",
        "compare aware with aware, since tokens carry a zone",
    )  # fmt: skip
    error = await memory.recall(error_id)
    error.solution, error.resolved = "use datetime.now(UTC)", not trouble()[0]
    await memory.store(error_id, error)
    ended = await memory.end_coding_session(success=error.resolved)
    print(ended["summary"])
    # Months later, elsewhere.
    FILE.write_text(NAIVE, encoding="utf-8")
    kind, message, trace = trouble()
    await memory.record_error(kind, message, trace, str(FILE), 4)
    for found in await memory.search_errors(message, k=1):
        print(f"seen {found['seen']} times; what worked: {found['solution']}")
    context = await memory.get_project_context("token expiry")
    print("the decision governs:", "All times are in UTC" in context)


if __name__ == "__main__":
    asyncio.run(main())
