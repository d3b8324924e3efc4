"""Bring one tool up to date, and say what of it is read. ``make tool TOOL=NAME`` runs it.

It renews the index of tools and the table in docs/tools.md, prints rows for outputs in
``tests/tools/NAME`` that no row of ``expected.tsv`` tells of yet, and names the parts that are
empty, with what does not work without them. The rows are what is read, not what is right: look at
each before you keep it.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

OUTPUTS = ROOT / "tests" / "tools"
HEAD = "file\ttool\terror_type\tcode\tplace\ttest\tmessage"


def untold(name: str) -> list[str]:
    """Give the rows of outputs that the table of expected failures does not have."""
    # Only now: the index that these modules read has just been written.
    from gitmem.matching.parse import parse  # noqa: PLC0415  see above
    from tests.tools.test_corpus import row  # noqa: PLC0415  likewise

    table = OUTPUTS / name / "expected.tsv"
    text = table.read_text(encoding="utf-8") if table.exists() else ""
    told = {line[2:].partition("\t")[0] for line in text.splitlines() if line.startswith("# ")}
    rows = []
    for path in sorted((OUTPUTS / name).glob("*.txt")):
        if path.stem in told:
            continue
        rows.append(f"# {path.stem}\tCOMMAND\treal output of {name}")
        rows += ["\t".join((path.stem, *row(failure))) for failure in parse(path.read_bytes())]
    heads = [one for one in rows if one.startswith("# ")]
    return [*heads, *([] if text or not rows else [HEAD]), *(r for r in rows if r not in heads)]


def main(arguments: list[str]) -> int:
    """Run as a script."""
    name = arguments[0] if arguments else ""
    if not (ROOT / "gitmem" / "tools" / f"{name}.py").is_file():
        print(f"there is no gitmem/tools/{name or 'NAME'}.py", file=sys.stderr)
        return 1
    for script in ("generate_tools.py", "generate_docs.py"):
        subprocess.run([sys.executable, ROOT / "scripts" / script], check=True)
    subprocess.run([sys.executable, "-m", "gitmem", "tools", name], cwd=ROOT, check=True)
    if rows := untold(name):
        print(f"\nnot in tests/tools/{name}/expected.tsv yet; is this right?\n")
        print(*rows, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
