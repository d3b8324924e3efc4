"""Semgrep, as the command that is installed: asked about one rule at a time, in an empty folder."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from typing import Any, Final

from gitmem.guards.rules import (
    MOST_MATCHES,
    MOST_TEXT,
    SEMGREP_SECONDS,
    Checked,
    Rule,
    RuleMatch,
    Source,
)
from gitmem.system import program
from gitmem.temporary import temporary_folder

_OPTIONS: Final = (
    "scan", "--json", "--quiet", "--metrics=off", "--disable-version-check", "--no-git-ignore",
    "--no-rewrite-rule-ids", "--jobs=1", "--max-memory=2000",
)  # fmt: skip
_NAMES: Final = {"c++": "cpp", "c#": "csharp", "shell": "bash"}
_RUNS_CODE: Final = "pattern-where-python"
_LONGEST_PROBLEM: Final = 200


def why_not() -> str:
    """Say in a line why it can't be asked here; empty: it can."""
    if shutil.which(program("semgrep")) is None:
        return "semgrep is not installed: pip install semgrep"
    return ""


def checked(
    rules: Sequence[Rule], sources: Sequence[Source], seconds: float, each: float
) -> list[Checked]:
    """Look for rules in texts of their language.

    Args:
        rules: whatever somebody wrote.
        sources: texts; longer ones than ``MOST_TEXT`` are left out.
        seconds: for all together.
        each: seconds for one rule, or what it needs to start.

    """
    until = time.monotonic() + seconds
    answers = []
    for rule in rules:
        left = min(until - time.monotonic(), max(each, SEMGREP_SECONDS))
        answers.append(_checked(rule, sources, left))
    return answers


def _checked(rule: Rule, sources: Sequence[Source], seconds: float) -> Checked:
    if seconds <= 0:
        return Checked(problem="there was no time left to look for it")
    body = rule.rule
    if not all(name.startswith("pattern") for name in body) or _RUNS_CODE in repr(body):
        return Checked(problem="of a rule of Semgrep only patterns are read, and none runs code")
    language = _NAMES.get(rule.language, rule.language)
    head = {"id": "guard", "message": "-", "severity": "ERROR", "languages": [language]}
    try:
        with temporary_folder() as folder:
            names = _written(folder, rule.language, sources)
            with open(os.path.join(folder, "rule.yaml"), "w", encoding="utf-8") as file:
                json.dump({"rules": [{**head, **body}]}, file)
            return _read(_asked(folder, seconds), names, sources)
    except OSError as error:
        return Checked(problem=f"semgrep can't be asked: {error.strerror}")


def _written(folder: str, language: str, sources: Sequence[Source]) -> dict[str, int]:
    """Write texts as files, as Semgrep takes no others; give their numbers by name."""
    names = {}
    for number, source in enumerate(sources):
        if source.language == language and len(source.text) <= MOST_TEXT:
            name = f"{number}{os.path.splitext(source.path)[1]}"
            names[name] = number
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                file.write(source.text)
    return names


def _asked(folder: str, seconds: float) -> bytes:
    limit = f"--timeout={max(int(seconds / 2), 1)}"
    command = [program("semgrep"), *_OPTIONS, limit, "--config=rule.yaml", "."]
    child = subprocess.Popen(  # noqa: S603  the rule is data to it
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        return child.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        return b""
    finally:
        if child.poll() is None:
            child.kill()
            child.communicate()


def _read(output: bytes, names: dict[str, int], sources: Sequence[Source]) -> Checked:
    try:
        report: dict[str, Any] = json.loads(output)
    except ValueError:
        return Checked(problem="it is too much for semgrep, which was stopped")
    if errors := report.get("errors"):
        text = str(errors[0].get("long_msg") or errors[0].get("message") or "it is no rule")
        # A file that it can't read whole is the author's business, and a warning.
        if errors[0].get("level") == "error":
            return Checked(problem=" ".join(text.split())[:_LONGEST_PROBLEM])
    matches = []
    for result in report.get("results", []):
        number = names.get(os.path.basename(result["path"]))
        if number is not None:
            first, last = result["start"]["line"], result["end"]["line"]
            lines = sources[number].text.split("\n")[first - 1 : last]
            matches.append(RuleMatch(number, first, last, "\n".join(lines)))
    if len(matches) > MOST_MATCHES:
        return Checked(problem=f"it matches more than {MOST_MATCHES} places")
    return Checked(matches)
