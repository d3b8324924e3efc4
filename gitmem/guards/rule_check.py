"""Asks the tools that rules name, each as far as it is there."""

import time
from collections.abc import Sequence
from types import ModuleType
from typing import Final

from gitmem.guards import ast_grep, semgrep
from gitmem.guards.rules import Checked, Rule, Source

_EACH: Final = 0.5
"""Seconds for one rule in the files of a change, and at most a part of all."""
_PART: Final = 4
_TOOLS: Final[dict[str, ModuleType]] = {"ast-grep": ast_grep, "semgrep": semgrep}


def checked(
    rules: Sequence[Rule], sources: Sequence[Source], seconds: float, *, each: float = 0.0
) -> list[Checked]:
    """Look for rules in texts, each with its tool; in the order of the rules.

    Args:
        rules: whatever somebody wrote.
        sources: the texts.
        seconds: for all together.
        each: seconds for one rule; 0: as many as a change deserves.

    """
    until = time.monotonic() + seconds
    each = each or min(_EACH, seconds / _PART)
    answers: dict[int, Checked] = {}
    for name, tool in _TOOLS.items():
        of_tool = [number for number, rule in enumerate(rules) if rule.tool == name]
        if not of_tool:
            continue
        if problem := tool.why_not():
            answers |= dict.fromkeys(of_tool, Checked(problem=problem))
            continue
        left = until - time.monotonic()
        of_rules = tool.checked([rules[number] for number in of_tool], sources, left, each)
        answers |= dict(zip(of_tool, of_rules, strict=True))
    return [answers[number] for number in range(len(rules))]
