"""What ``programs/`` holds: small programs with real mistakes, decisions, questions."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

FOLDER: Final = os.path.join(os.path.dirname(__file__), "programs")
ANSWERED: Final = ("python", "pytest", "javascript", "compiled", "commands")
VERSIONS: Final = ("python", "java")
_TOLD: Final = ("cause", "fix", "twin", "described", "words", "again", "title")


@dataclass(frozen=True)
class Program:
    """A program that fails, why, and what people ask about it.

    Attributes:
        name: unique, seen by nobody who answers.
        tool: who prints the failure.
        run: the shell line that fails.
        files: text by path in the program's folder.
        versions: which python and java run it, such as ``{"python": "3.8"}``.
        again: what is replaced for the second run; empty: there is none.
        twin: the program with the same message for another cause.
        title: a pattern of the line that says what went wrong, where the usual ones do not.

    """

    name: str
    tool: str
    run: str
    files: Mapping[str, str]
    versions: Mapping[str, str]
    again: Mapping[str, str]
    cause: str = ""
    fix: str = ""
    twin: str = ""
    described: str = ""
    words: str = ""
    title: str = ""

    def second(self) -> "Program":
        """Give the program of the second run: other names, other values, other versions."""
        swaps = {key: value for key, value in self.again.items() if key not in VERSIONS}
        longest_first = sorted(swaps, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

        def swapped(text: str) -> str:
            return pattern.sub(lambda match: swaps[match[0]], text)

        return replace(
            self,
            run=swapped(self.run),
            files={swapped(path): swapped(text) for path, text in self.files.items()},
            versions={**self.versions, **{k: v for k, v in self.again.items() if k in VERSIONS}},
        )


def programs(*names: str) -> Iterator[Program]:
    """Read the programs of these files of the folder."""
    for name in names:
        for row in _rows(name).get("program", ()):
            yield _program(row)


def decisions() -> list[dict[str, str]]:
    """Read the decisions, each with the question ``asked`` about it."""
    return list(_rows("decisions")["decision"])


def unanswerable() -> Iterator[tuple[str, str]]:
    """Give family and text of the written questions that nothing in the pool answers."""
    for name, family in (("decisions", "decisions"), ("unanswered", "")):
        for row in _rows(name)["question"]:
            yield family or row["family"], row["text"]


def _rows(name: str) -> dict[str, Any]:
    with open(os.path.join(FOLDER, f"{name}.toml"), "rb") as file:
        return tomllib.load(file)


def _program(row: Mapping[str, Any]) -> Program:
    files = row.get("files", {})
    tool = row.get("tool", "python")
    versions = {name: row[name] for name in VERSIONS if name in row}
    fields = {name: row[name] for name in _TOLD if name in row}
    run = row.get("run") or f"python {next(iter(files))}"
    return Program(**{"again": {}, **fields, "name": row["name"], "tool": tool, "run": run,
                      "files": files, "versions": versions})  # fmt: skip
