"""Write schemas/*.schema.json from the record types, or check that they are up to date.

``python scripts/generate_schemas.py [--check] [FOLDER]``
"""

import argparse
import json
import sys
from pathlib import Path

from gitmem.records.schema import schemas

FOLDER = Path(__file__).resolve().parent.parent / "schemas"


def wanted() -> dict[str, str]:
    """Give the text of every schema file by its name."""
    return {
        name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in schemas().items()
    }


def differences(folder: Path) -> list[str]:
    """List, one line each, what ``folder`` has too much, too little or out of date."""
    files = wanted()
    there = {path.name for path in folder.glob("*.schema.json")}
    return sorted(
        [f"{name}: missing" for name in files.keys() - there]
        + [f"{name}: of no kind of record" for name in there - files.keys()]
        + [
            f"{name}: out of date"
            for name in files.keys() & there
            if (folder / name).read_text(encoding="utf-8") != files[name]
        ]
    )


def write(folder: Path) -> None:
    """Write every schema file; remove those that no kind has any more."""
    folder.mkdir(exist_ok=True)
    files = wanted()
    for path in folder.glob("*.schema.json"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def main() -> int:
    """Run as a script."""
    parser = argparse.ArgumentParser(description="generate schemas/*.schema.json")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--check", action="store_true", help="only compare; exit 1 if they differ")
    arguments = parser.parse_args()
    if not arguments.check:
        write(arguments.folder)
        return 0
    found = differences(arguments.folder)
    for line in found:
        print(f"schemas/{line}; run: make schemas")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
