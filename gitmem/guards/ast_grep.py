"""ast-grep, the extra ``guard``: asked in a process of its own, see ``ast_grep_child``."""

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

from gitmem.errors import install
from gitmem.guards.rules import MOST_MATCHES, MOST_TEXT, Checked, Rule, RuleMatch, Source

_CHILD: Final = (sys.executable, "-P", "-m", "gitmem.guards.ast_grep_child")
_NAMES: Final = {
    "c++": "cpp", "c#": "csharp", "shell": "bash", "terraform": "hcl",
}  # fmt: skip
_SAME_NAMES: Final = frozenset({
    "c", "css", "elixir", "go", "haskell", "html", "java", "javascript", "kotlin", "lua", "php",
    "python", "ruby", "rust", "scala", "swift", "typescript",
})  # fmt: skip
_WITH_TAGS: Final = (".tsx", ".jsx")


def why_not() -> str:
    """Say in a line why it can't be asked here; empty: it can."""
    if importlib.util.find_spec("ast_grep_py") is None:
        return f"ast-grep is not installed: {install('guard')}"
    return ""


def checked(
    rules: Sequence[Rule], sources: Sequence[Source], seconds: float, each: float
) -> list[Checked]:
    """Look for rules in texts of their language.

    Args:
        rules: whatever somebody wrote.
        sources: texts; longer ones than ``MOST_TEXT`` are left out.
        seconds: for all together.
        each: seconds of a processor for one rule.

    """
    answers: list[Checked] = []
    until = time.monotonic() + seconds
    while len(answers) < len(rules) and (left := until - time.monotonic()) > 0:
        request = _request(rules[len(answers) :], sources)
        answers += map(_answer, _asked({**request, "each": each}, left))
        # It died of the next one: the others are asked without it.
        if len(answers) < len(rules) and time.monotonic() < until:
            answers.append(Checked(problem="it is too much for ast-grep, which was stopped"))
    late = Checked(problem="there was no time left to look for it")
    return [*answers, *[late] * (len(rules) - len(answers))]


def grown(source: Source, lines: Sequence[int], words: Sequence[str]) -> list[str]:
    """Give patterns that match code of some lines, the most general first.

    Args:
        source: the code.
        lines: the lines, from 1.
        words: names that a pattern must not leave out.

    """
    grammar = _grammar(source)
    if not grammar:
        return []
    request = {
        "grow": {"grammar": grammar, "text": source.text, "lines": list(lines), "words": words}
    }
    return [str(line) for line in _asked(request, 10.0)]


def _request(rules: Sequence[Rule], sources: Sequence[Source]) -> dict[str, Any]:
    return {
        "most": MOST_MATCHES,
        "texts": [source.text[: MOST_TEXT + 1] for source in sources],
        "rules": [
            {
                "matcher": {"rule": rule.rule},
                "in": [
                    (number, grammar)
                    for number, source in enumerate(sources)
                    if source.language == rule.language and len(source.text) <= MOST_TEXT
                    if (grammar := _grammar(source))
                ],
            }
            for rule in rules
        ],
    }


def _grammar(source: Source) -> str:
    """Name the grammar for a text as ast-grep does; empty: it has none."""
    if source.language in {"javascript", "typescript"} and source.path.lower().endswith(_WITH_TAGS):
        return "tsx"
    same = source.language if source.language in _SAME_NAMES else ""
    return _NAMES.get(source.language, same)


def _asked(request: dict[str, Any], seconds: float) -> list[Any]:
    """Give the answers to a request, one a line, as far as they came."""
    try:
        child = subprocess.Popen(  # noqa: S603  ourselves
            _CHILD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return []
    data = json.dumps(request).encode()
    try:
        output, _ = child.communicate(data, timeout=seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        output, _ = child.communicate()
    finally:
        if child.poll() is None:  # interrupted
            child.kill()
            child.wait()
    lines = output.split(b"\n")[:-1]  # what is behind the last end of a line is half a one
    return [json.loads(line) for line in lines]


def _answer(line: dict[str, Any]) -> Checked:
    if problem := line.get("problem"):
        return Checked(problem=str(problem))
    return Checked([RuleMatch(*match) for match in line["matches"]])
