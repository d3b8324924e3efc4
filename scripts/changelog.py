"""Gather the fragments of changes/ into a section of CHANGELOG.md.

``python scripts/changelog.py`` shows the section; with ``--release`` it is written into
CHANGELOG.md under the version of the package, and the fragments are removed. The first release
lists only what was added: nobody has seen the states in which the rest was changed or mended. Tools
for this exist, but all we need of them is what stands here.
"""

import argparse
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from gitmem._version import __version__

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("added", "changed", "fixed", "removed", "security")
HERE = "<!-- releases -->\n"


def fragments(folder: Path) -> dict[str, list[Path]]:
    """Give the fragment files by kind; exit with a message on a name that is none."""
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in sorted(folder.glob("*")):
        if path.name == "README.md":
            continue
        kind = path.name.removesuffix(".md").rpartition(".")[2]
        if kind not in found or not path.name.endswith(".md"):
            sys.exit(f"changes/{path.name}: the name must end in one of .{'.md, .'.join(KINDS)}.md")
        found[kind].append(path)
    return found


def section(title: str, found: dict[str, list[Path]]) -> str:
    """Write one section, a list for each kind of change."""
    lines = [f"## {title}", ""]
    for kind, paths in found.items():
        if paths:
            lines += [f"### {kind.capitalize()}", ""]
            lines += ["- " + " ".join(path.read_text(encoding="utf-8").split()) for path in paths]
            lines.append("")
    return "\n".join(lines)


def to_tell(found: dict[str, list[Path]], changelog: str) -> dict[str, list[Path]]:
    """Choose what the next section lists: before the first release, only what was added."""
    released = re.search(r"^## ", changelog, re.MULTILINE)
    return found if released else {"added": found["added"]}


def main() -> int:
    """Run as a script."""
    parser = argparse.ArgumentParser(description="gather changes/ into CHANGELOG.md")
    parser.add_argument("--release", action="store_true", help="write it, and remove the fragments")
    arguments = parser.parse_args()
    found = fragments(ROOT / "changes")
    changelog = ROOT / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    told = to_tell(found, text)
    if not arguments.release:
        print(section("Not released", told))
        return 0
    if f"## {__version__} " in text or HERE not in text or not any(found.values()):
        sys.exit(f"nothing to release: no fragments, or {__version__} is in CHANGELOG.md already")
    new = section(f"{__version__} ({datetime.now(UTC):%Y-%m-%d})", told)
    changelog.write_text(text.replace(HERE, f"{HERE}\n{new}", 1), encoding="utf-8", newline="\n")
    for path in (path for paths in found.values() for path in paths):
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
