"""Transcripts in Markdown that are run: the notation, and the strict comparison.

In a page, everything fenced as ``console`` or ``pycon`` is run, block after block, in one
scratch repository of that page. In ``console`` a line behind ``$`` is a command (``>`` goes on
with it), what follows is its output. The output has to be the same line by line, but for:

* Ids. The page shows any ids; where the first of them stands, the run's id is taken for it,
  and from then on it has to be that one everywhere. In commands the page's ids and their
  prefixes are replaced by the run's.
* Dates, times, durations and commits (ten digits): each stands for any other.
* ``/home/ann/shop``, which stands for the scratch repository, and ``/home/ann`` for its folder.
* A line of just ``...``, which stands for any number of lines.

Two comments, which no reader sees, prepare a page: ``<!-- file: PATH -->`` before a fenced
block writes that block to the file, ``<!-- setup: COMMAND -->`` (or the commands on lines of
their own between ``<!-- setup:`` and ``-->``) runs a command that must succeed. A third one,
``<!-- repository: NAME, needs TOOL TOOL -->``, begins another scratch repository; what it needs is
optional.
"""

import contextlib
import difflib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.running import on_path

SHOWN_HOME = "/home/ann"
SHOWN_ROOT = f"{SHOWN_HOME}/shop"
_REPOSITORY = re.compile(r"^<!-- repository: ([^,\n]+)(?:, needs (.+))? -->$", re.MULTILINE)
_ID = re.compile(r"\b(?:err|fix|dec|ses|pat|note)-[0-9a-hjkmnp-tv-z]{10}\b")
_REFERENCE = re.compile(r"\b(?:err|fix|dec|ses|pat|note)-[0-9a-hjkmnp-tv-z]{2,10}\b")
_TIMES = (
    (re.compile(r"\b\d{4}-\d{2}-\d{2}\b"), "DATE"),
    (re.compile(r"\b\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?\b"), "TIME"),
    (re.compile(r"\bDATET(TIME|\d{2}:\d{2}:\d{2}(\.\d+)?Z?)"), "MOMENT"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2}T[\d:.]+Z"), "MOMENT"),
    (re.compile(r"/\d{4}/\d{2}/"), "/MONTH/"),
    (re.compile(r"(?<![-\w])[0-9a-f]{10}(?!\w)"), "COMMIT"),
    (re.compile(r"\b\d+ (s|min|h)( \d+ (min|s))?\b"), "DURATION"),
)


class Step(NamedTuple):
    """One thing to do: run a command, some Python, or write a file."""

    kind: str  # console | pycon | setup | file
    line: int
    text: str
    expected: list[str]


class Chapter(NamedTuple):
    """What is run in one scratch repository: a whole page, or a part of it.

    Attributes:
        name: of the repository; empty for the one that a page begins with.
        tools: programs that have to be on this machine.
        text: the part, behind as many empty lines as stand before it in the page.

    """

    name: str
    tools: list[str]
    text: str


def chapters(page: str) -> Iterator[Chapter]:
    """Divide a page by its scratch repositories."""
    begins = list(_REPOSITORY.finditer(page))
    starts = [0, *(begin.end() for begin in begins)]
    ends = [*(begin.start() for begin in begins), len(page)]
    names = [("", ""), *((begin[1], begin[2] or "") for begin in begins)]
    for (name, tools), start, end in zip(names, starts, ends, strict=True):
        yield Chapter(name, tools.split(), "\n" * page.count("\n", 0, start) + page[start:end])


def steps(page: str) -> Iterator[Step]:
    """Read the steps out of a page or chapter."""
    lines = page.splitlines()
    at, target = 0, ""
    while at < len(lines):
        line = lines[at]
        at += 1
        if match := re.fullmatch(r"<!-- setup: (.*) -->", line):
            yield Step("setup", at, match[1], [])
        elif line == "<!-- setup:":
            end = lines.index("-->", at)
            yield Step("setup", at, "\n".join(lines[at:end]), [])
            at = end + 1
        elif match := re.fullmatch(r"<!-- file: (.*) -->", line):
            target = match[1]
        elif match := re.fullmatch(r"(`{3,})(\w*).*", line):
            end = lines.index(match[1], at)
            body = lines[at:end]
            if target:
                yield Step("file", at, target, body)
            elif match[2] == "console":
                yield from _console(body, at + 1)
            elif match[2] == "pycon":
                yield from _python(body, at + 1)
            at, target = end + 1, ""


def _console(body: list[str], first: int) -> Iterator[Step]:
    assert body, "an empty transcript"
    assert body[0].startswith("$ "), f"line {first}: a transcript begins with a command: $ …"
    at = 0
    while at < len(body):
        start, command = at, [body[at][2:]]
        at += 1
        while at < len(body) and body[at].startswith("> "):
            command.append(body[at][2:])
            at += 1
        end = next((i for i in range(at, len(body)) if body[i].startswith("$ ")), len(body))
        yield Step("console", first + start, "\n".join(command), _trimmed(body[at:end]))
        at = end


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def _python(body: list[str], first: int) -> Iterator[Step]:
    for example in doctest.DocTestParser().get_examples("\n".join(body) + "\n"):
        yield Step("pycon", first + example.lineno, example.source, example.want.splitlines())


class Scratch:
    """A repository that a page is run in."""

    def __init__(self, folder: Path) -> None:
        self.root = folder.resolve() / "shop"
        self.ids: dict[str, str] = {}
        self.names: dict[str, Any] = {}
        home = folder / "home"
        for made in (self.root, home):
            made.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = Ann\n\temail = ann@example.org\n")
        self.environment = {
            "PATH": os.pathsep.join(
                [on_path(), str(Path(sys.executable).parent), os.environ["PATH"]]
            ),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "EDITOR": "true",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": str(folder),
            "PYTHONUNBUFFERED": "1",
        }
        self.shell("git init -q -b main")

    def do(self, step: Step) -> str:
        """Carry out a step; give the complaint, or nothing if all is well."""
        if step.kind == "file":
            path = self.root / step.text
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(step.expected) + "\n", encoding="utf-8")
            return ""
        if step.kind == "setup":
            code, said = self.shell(self.translated(step.text))
            return f"line {step.line}: setup ended with {code}: {said}" if code else ""
        said = (
            self.python(step) if step.kind == "pycon" else self.shell(self.translated(step.text))[1]
        )
        said = said.replace(str(self.root), SHOWN_ROOT).replace(str(self.root.parent), SHOWN_HOME)
        got = [line.rstrip() for line in said.splitlines()]
        got = _trimmed(got)
        bound = _match(step.expected, got, self.ids)
        if bound is None:
            shown = difflib.unified_diff(
                step.expected, got, "in the page", "in the run", lineterm=""
            )
            return f"line {step.line}: $ {step.text}\n" + "\n".join(shown)
        self.ids = bound
        return ""

    def translated(self, command: str) -> str:
        """Put the run's ids in the place of the page's."""

        def real(match: re.Match[str]) -> str:
            known = [got for shown, got in self.ids.items() if shown.startswith(match[0])]
            return known[0] if len(known) == 1 else match[0]

        return _REFERENCE.sub(real, command).replace(SHOWN_HOME, str(self.root.parent))

    def shell(self, command: str) -> tuple[int, str]:
        """Run a command as a person would in this repository."""
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def python(self, step: Step) -> str:
        """Run one statement, as at Python's own prompt."""
        said = io.StringIO()
        code = compile(self.translated(step.text), f"<line {step.line}>", "single")
        with contextlib.redirect_stdout(said):
            exec(code, self.names)  # noqa: S102  our own page
        return said.getvalue()


def _match(expected: list[str], got: list[str], ids: dict[str, str]) -> dict[str, str] | None:
    """Compare line by line; give the ids as they are bound then, None if something differs."""
    if not expected:
        return ids if not got else None
    if expected[0].strip() == "...":
        for skipped in range(len(got) + 1):
            bound = _match(expected[1:], got[skipped:], ids)
            if bound is not None:
                return bound
        return None
    if not got:
        return None
    after = _same(expected[0], got[0], ids)
    return None if after is None else _match(expected[1:], got[1:], after)


def _same(expected: str, got: str, ids: dict[str, str]) -> dict[str, str] | None:
    if _ID.sub("ID", _timeless(expected)) != _ID.sub("ID", _timeless(got)):
        return None
    bound = dict(ids)
    for shown, real in zip(_ID.findall(expected), _ID.findall(got), strict=True):
        if bound.setdefault(shown, real) != real:
            return None
    return bound if len(set(bound.values())) == len(bound) else None


def _timeless(line: str) -> str:
    for pattern, word in (_TIMES[3], *_TIMES):
        line = pattern.sub(word, line)
    return line.rstrip()
