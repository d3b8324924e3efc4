"""A taking over that was killed half-way and done again is whole: as one that nobody killed."""

import json
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gitmem.memory import Memory
from tests.conftest import Checkout
from tests.e2e.running import COMMAND, ok
from tests.imports.test_import_others import FIX_HISTORY
from tests.imports.test_import_stored import CHROMA, KAGURA, NEWER

ENTRIES = 150
TRIES = 8


def fix_history(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FIX_HISTORY)
        insert = "INSERT INTO fix_history VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        for n in range(ENTRIES):
            db.execute(insert, (f"2025-01-{n % 28 + 1:02}T10:00:00", "qwen2.5:7b", "TIMEOUT", "00",
                                f"case {n}", "qwen", f"way {n}", '["a"]', 1, n % 2, 1.5, "{}",
                                None))  # fmt: skip
        db.commit()


def chroma(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(CHROMA + NEWER)
        db.execute("INSERT INTO collections VALUES ('c', 'errors', 3)")
        db.execute("INSERT INTO segments VALUES ('s', 'urn', 'METADATA', 'c')")
        for n in range(ENTRIES):
            db.execute(
                "INSERT INTO embeddings VALUES (?, 's', ?, ?, '2025-02-01')", (n, f"e{n}", n)
            )
            text = f"Error: case {n}\n\nResolution:\nway {n}\n"
            db.execute("INSERT INTO embedding_metadata (id, key, string_value) VALUES (?, ?, ?)",
                       (n, "chroma:document", text))  # fmt: skip
        db.commit()


def kagura(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(KAGURA)
        for n in range(ENTRIES):
            value = {"error_type": "KeyError", "message": f"case {n}", "solution": f"way {n}",
                     "resolved": True, "timestamp": "2025-02-01T10:00:00"}  # fmt: skip
            db.execute("INSERT INTO memories (key, value, user_id) VALUES (?, ?, 'dev')",
                       (f"project:api:error:error_{n}", json.dumps(value)))  # fmt: skip
        db.commit()


def kaizen(path: Path) -> None:
    cases = [{"test_name": f"test_{n}", "status": "failed", "error_message": f"case {n}"}
             for n in range(ENTRIES)]  # fmt: skip
    attempts = [{"attempt_number": n, "approach_description": f"way {n}", "success": False,
                 "original_code": f"a = {n}\n", "modified_code": "a = 0\n",
                 "timestamp": "2025-03-01T10:00:00"} for n in range(ENTRIES)]  # fmt: skip
    execution = {"execution_id": "run-1", "start_time": "2025-03-01T09:00:00",
                 "test_runs": {"a.py": [{"test_cases": cases}]},
                 "fix_attempts": {"a.py": attempts}}  # fmt: skip
    path.write_text(json.dumps(execution), encoding="utf-8")


def files(repo: Checkout) -> dict[str, bytes]:
    return {str(path.relative_to(repo)): path.read_bytes()
            for path in (repo / ".memory").rglob("*.yaml")}  # fmt: skip


def killed(repo: Checkout, store: Path) -> int:
    """Import, and kill that as soon as some of it is written; tells how much is."""
    with subprocess.Popen(
        [COMMAND, "import", "other", str(store)], cwd=repo,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        while process.poll() is None and len(files(repo)) < ENTRIES // 5:
            time.sleep(0.001)
        process.kill()
    return len(files(repo))


@pytest.mark.parametrize("store", [fix_history, chroma, kagura, kaizen])
def test_a_killed_import_that_is_done_again_is_whole(
    make_repo: Callable[..., Checkout], tmp_path: Path, store: Callable[[Path], None]
) -> None:
    path = tmp_path / "store"
    store(path)
    whole = make_repo("whole")
    Memory.init(str(whole))
    ok(whole, "import", "other", str(path))
    expected = files(whole)
    assert len(expected) >= 2 * ENTRIES
    for number in range(TRIES):
        half = make_repo(f"half{number}")
        Memory.init(str(half))
        if 0 < killed(half, path) < len(expected):
            break
    else:
        pytest.fail("no import was killed half-way")
    ok(half, "import", "other", str(path))
    assert files(half) == expected
    ok(half, "import", "other", str(path))
    assert files(half) == expected
