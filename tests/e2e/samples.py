"""Record files for the tests: four whole ones that know each other, and the means to spoil one."""

from pathlib import Path

ERROR, FIX, DECISION, NOTE = "err-0000000001", "fix-0000000001", "dec-0000000001", "note-0000000001"
BAD = "note-0000000bad"
BAD_PATH = f"notes/2026/02/{BAD}.yaml"
WHOLE = f"""\
schema: 1
id: {BAD}
kind: note
title: A thing to know
created: '2026-02-03T04:05:06Z'
author:
  name: Ada Lovelace
  email: ada@example.com
body: It is known.
"""
_HEAD = """\
schema: 1
id: {id}
kind: {kind}
title: {title}
created: '2026-01-0{day}T03:04:05Z'
author:
  name: Ada Lovelace
  email: ada@example.com
"""


def record(kind: str, record_id: str, title: str, day: int = 2, more: str = "") -> str:
    """Write the text of a record file."""
    return _HEAD.format(id=record_id, kind=kind, title=title, day=day) + more


FILES = {
    f"errors/2026/01/{ERROR}.yaml": record(
        "error", ERROR, "Flux capacitor overheats", 2, "error_type: HeatError\nmessage: too hot\n"
    ),
    f"fixes/2026/01/{FIX}.yaml": record(
        "fix", FIX, "Cool the flux capacitor", 3,
        f"links:\n  fixes:\n  - {ERROR}\napproach: more coolant\noutcome: worked\n",
    ),
    f"decisions/2026/01/{DECISION}.yaml": record(
        "decision", DECISION, "Use plutonium for flux", 4, "rationale: it is dense\n"
    ),
    f"notes/2026/01/{NOTE}.yaml": record(
        "note", NOTE, "Flux needs 88 mph", 5, "body: Or 142 km/h.\n"
    ),
}  # fmt: skip
TITLES = ("Flux capacitor overheats", "Cool the flux capacitor", "Use plutonium for flux",
          "Flux needs 88 mph")  # fmt: skip


def lay(repo: Path, path: str, text: str | bytes) -> Path:
    """Write a file into the memory of ``repo``."""
    file = Path(repo, ".memory", path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def plant(repo: Path) -> None:
    """Make a memory of four whole records."""
    for path, text in {"gitmem.yaml": "format: 1\n", **FILES}.items():
        lay(repo, path, text)
