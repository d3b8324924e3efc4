"""Rules of the house that no linter knows: names, sizes, ceilings, and who opens files.

A module called utils says nothing about what is in it, and grows. Prints one line for
each breach and exits 1 if there is any.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # for the module beside this script

from scripts import ceilings, doors  # noqa: E402

PACKAGES = ("gitmem", "lsp_server", "scripts", "benchmarks", "tests")
NOTHING_SAID = frozenset({"util", "helper", "manager", "service", "engine"})
MOST_LINES = 450
# A table of cases is read by the line, not as a whole.
MOST_LINES_OF_A_TEST = 1000
# A script writes it, and nobody reads it from top to bottom.
WRITTEN = "gitmem/tools/index.py"


def breaches(root: Path) -> Iterator[str]:
    """Name every module that breaks a rule, and the rule."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            relative = path.relative_to(root)
            names = {part.removeprefix("test_") for part in relative.with_suffix("").parts}
            # The whole name or its last word, one or many: util, git_helpers.
            bad = {name for name in names if name.split("_")[-1].removesuffix("s") in NOTHING_SAID}
            for name in sorted(bad):
                yield f"{relative}: '{name}' does not say what is in it; name it after that"
            lines = len(path.read_text(encoding="utf-8").splitlines())
            most = MOST_LINES_OF_A_TEST if package == "tests" else MOST_LINES
            if lines > most and relative.as_posix() != WRITTEN:
                yield f"{relative}: {lines} lines, at most {most}; split it by what it is about"


def main() -> int:
    """Run as a script."""
    lines = [*breaches(ROOT), *doors.breaches(ROOT), *ceilings.breaches(ROOT)]
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
