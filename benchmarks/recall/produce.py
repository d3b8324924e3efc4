"""Make the data anew: run every program of ``programs/`` and write pool and questions.

    python -m benchmarks.recall.produce [FOLDER]

It needs the tools that README.md names; the data in the repository was made by it.
"""

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from benchmarks.recall.data import POOL, QUESTIONS, split_of
from benchmarks.recall.programs import ANSWERED, Program, decisions, programs, unanswerable
from benchmarks.recall.running import MissingToolError, masked, naming, output

Row = dict[str, Any]
_TESTS: Final = os.path.join(os.path.dirname(__file__), "..", "..", "tests")
_PLACES: Final = {
    "/home/dev/project": "project",
    "/home/runner/work": "~/work",
    "/home/dev": "~",
    "/tmp": "~",  # noqa: S108  only replaced
}
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_TELLING: Final = (
    r"^E   +(?!\+|where|\[)(\S.*)",  # pytest
    r"^(\w+(?:\.\w+)*(?:Error|Exception|Interrupt)\b.*)",  # the end of a traceback
    r"^(?:Uncaught |Exception in thread \S+ )?((?:\w[\w.]*)?(?:Error|Exception)\b.*)",
    r"^\S+:\d+:in `.*': (.*)",  # ruby
    r"(undefined reference to .*)",
    r"(ERROR: .*)",
    r"\berror(?:\[\w+\]| TS\d+| TS-\d+)?: (.*)",
    r"panicked at [^\n]*\n(.*)",
    r"^\S+?:\d+:\d+: (\w+ .*)",
    r"^((?:fatal|error|ERROR|PHP Fatal error|CMake Error)\b.*)",
    r"npm (?:ERR!|error) (?!code)(.*)",
    r"(\*\*\* .*)",  # make
    r"^\S+: line \d+: (.*)",  # bash
    r"^((?:bash|tar|Runtime|Parse|Cannot|Global)\b.*)",
    r"^(\w+(?:\.\w+)+: .*)",
)
"""Which line of an output becomes the title, most telling first."""


def record_id(kind: str, name: str) -> str:
    """Make an id that tells nothing: the kind's prefix and ten characters from a digest."""
    number = int.from_bytes(hashlib.sha256(f"{kind} {name}".encode()).digest()[:8])
    return f"{kind[:3]}-" + "".join(_ALPHABET[number >> 5 * digit & 31] for digit in range(10))


def title_of(text: str, first_pattern: str = "") -> str:
    """Find the line that says what went wrong.

    Raises:
        ValueError: no line does; the list of patterns lacks one.

    """
    for pattern in (first_pattern, *_TELLING) if first_pattern else _TELLING:
        if titles := re.findall(pattern, text, re.MULTILINE):
            return str(titles[-1] if pattern.startswith(r"^(\w+(") else titles[0]).strip()[:200]
    raise ValueError(f"no title in this output:\n{text}")


def records(program: Program, text: str) -> Iterator[Row]:
    """Make the records of a failure: the error, and what fixed it."""
    error = record_id("error", program.name)
    command = program.run.rpartition("&& ")[2].replace("{project}", "project").strip("'")
    yield {"id": error, "kind": "error", "program": program.name, "tool": program.tool,
           "command": command, "title": title_of(text, program.title), "text": text,
           "cause": program.cause}  # fmt: skip
    yield {"id": record_id("fix", program.name), "kind": "fix", "program": program.name,
           "title": program.fix, "fixes": error, "outcome": "worked"}  # fmt: skip


def others() -> Iterator[Row]:
    """Make records of the outputs that the tests read: nobody asks for them, they may mislead."""
    folders = [
        folder for name in ("tools", "corpus") for folder in os.walk(os.path.join(_TESTS, name))
    ]
    for here, _, names in sorted(folders):
        for name in sorted(names):
            if not name.endswith(".txt"):
                continue
            with open(os.path.join(here, name), encoding="utf-8", errors="replace") as file:
                text = masked(file.read(), _PLACES)
            tool = os.path.basename(here)
            program = f"corpus/{tool}/{name}"
            try:
                title = title_of(text)
            except ValueError:
                title = next(line.strip() for line in text.splitlines() if line.strip())[:200]
            yield {"id": record_id("error", program), "kind": "error", "program": program,
                   "tool": tool, "title": title, "text": text}  # fmt: skip


def questions(program: Program, again: str) -> Iterator[Row]:
    """Make the questions about a failure that is in the pool."""
    right = _ids(program.name)
    if program.twin:
        yield _question("neighbour", program.name, again, right, _ids(program.twin))
    else:
        yield _question("again", program.name, again, right)
    if program.described:
        yield _question("described", program.name, program.described, right)
    if program.words:
        yield _question("words", program.name, program.words, right)


def _ids(name: str) -> list[str]:
    return [record_id("error", name), record_id("fix", name)]


def _question(
    family: str, program: str, text: str, right: Sequence[str], never: Sequence[str] = ()
) -> Row:
    digest = hashlib.sha256(f"{family} {program} {text}".encode()).hexdigest()[:10]
    return {"id": f"q-{digest}", "family": family, "split": split_of(program), "program": program,
            "text": text, "relevant": list(right), "never_first": list(never)}  # fmt: skip


def produce() -> tuple[list[Row], list[Row]]:
    """Run everything; give pool and questions.

    Raises:
        MissingToolError: a tool is not here.

    """
    pool: list[Row] = []
    question_rows: list[Row] = []
    for program in programs(*ANSWERED):
        with naming(program):
            pool.extend(records(program, output(program)))
            question_rows.extend(questions(program, output(program.second())))
    pool.extend(others())
    for row in decisions():
        name = record_id("decision", row["title"])
        fields = {key: value for key, value in row.items() if key != "asked"}
        pool.append(
            {"id": name, "kind": "decision", "program": name, "status": "accepted", **fields}
        )
        question_rows.append(_question("decisions", name, row["asked"], [name]))
    for program in programs("unanswered"):
        with naming(program):
            question_rows.append(_question("unanswerable", program.name, output(program), []))
    for family, text in unanswerable():
        question_rows.append(_question("unanswerable", f"{family} {text}", text, []))
    return pool, question_rows


def write(path: str, rows: Iterable[Row]) -> None:
    """Write JSON lines, in the order of ids, so that the order of the programs tells nothing."""
    with open(path, "w", encoding="utf-8") as file:
        ordered = sorted(rows, key=lambda row: str(row["id"]))
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in ordered)


def main(arguments: Sequence[str]) -> int:
    """Write both files into a folder, by default this one."""
    folder = arguments[0] if arguments else os.path.dirname(__file__)
    try:
        pool, question_rows = produce()
    except MissingToolError as error:
        print(f"nothing was written: {error}", file=sys.stderr)
        return 1
    write(os.path.join(folder, POOL), pool)
    write(os.path.join(folder, QUESTIONS), question_rows)
    print(f"{len(pool)} records, {len(question_rows)} questions")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
