"""How much of the suite is looked at: ``GITMEM_DEEP`` says it.

Unset: the share of ``make test``. ``ci``: the share of every night. ``1``: all of
``make test-deep``, which takes hours. The questions are the same, about more histories.

``make test`` is to end while somebody waits for it. It takes of each file of tests what fits into a
few seconds, the cheapest first, by the costs in ``costs.json`` (``make test-costs`` measures them).
Who names a file, a test or a word gets all of it.
"""

import json
import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

import pytest

SECONDS_OF_A_FILE: Final = 4.0
COSTS: Final = Path(__file__).with_name("costs.json")
"""``files``: seconds of test functions, all cases together, by file and name. ``averages``: of one
case of a function that is not listed, by folder."""

_ASKED: Final = os.environ.get("GITMEM_DEEP", "")
DEEP: Final = _ASKED == "1"
DEEPER: Final = bool(_ASKED)
"""Whether more is wanted than ``make test`` looks at."""

deep = pytest.mark.deep
"""Marks a test that takes its numbers from here: ``make test-deep`` runs these."""
only_deep = pytest.mark.skipif(not DEEPER, reason="long: make test-deep runs it")
"""Leaves a test out of ``make test``; mark it ``deep`` too."""


def sampled(share: int) -> pytest.MarkDecorator:
    """Keep the first cases of a test with many like ones in ``make test``; else all of them.

    Args:
        share: how many cases ``make test`` takes.

    """
    return pytest.mark.sampled(share)


def mark_deep(items: list[pytest.Item]) -> None:
    """Mark as deep the cases of sampled tests, and what costs more than its file may."""
    costly = set(beyond_the_seconds(items))
    for item in items:
        if item in costly or item.get_closest_marker("sampled"):
            item.add_marker("deep")


def names_what_it_wants(config: pytest.Config) -> bool:
    """Tell whether whoever started pytest named files, tests or words."""
    named = any("::" in name or name.endswith(".py") for name in config.args)
    return named or bool(config.option.keyword)


def beyond_the_seconds(items: list[pytest.Item]) -> list[pytest.Item]:
    """Give the tests that don't fit into the seconds of their files; each keeps one at least."""
    costs = json.loads(COSTS.read_text()) if COSTS.exists() else {"averages": {}, "files": {}}
    cases: dict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        file, _, name = item.nodeid.partition("::")
        cases[file][name.partition("[")[0]].append(item)
    beyond: list[pytest.Item] = []
    for file, functions in cases.items():
        average = costs["averages"].get(file.rpartition("/")[0], 0.0)
        seconds = {name: average * len(of_function) for name, of_function in functions.items()}
        seconds |= costs["files"].get(file, {})
        left, taken = SECONDS_OF_A_FILE, 0
        for name in sorted(functions, key=lambda name: seconds[name]):
            cost, of_function = seconds[name], functions[name]
            # Of many cases the first ones.
            fit = len(of_function) if cost <= left else int(len(of_function) * left / cost)
            fit = max(fit, 0 if taken else 1)
            beyond += of_function[fit:]
            left -= fit * cost / len(of_function)
            taken += fit
    return beyond


def left_out(items: list[pytest.Item], *, named: bool) -> list[pytest.Item]:
    """Give the tests that ``make test`` leaves out.

    Args:
        items: what was chosen.
        named: files or tests were named, so that only cases of sampled tests are left out.

    """
    taken: Counter[str] = Counter()
    beyond = [] if named or DEEPER else beyond_the_seconds(items)
    for item in items:
        marker = item.get_closest_marker("sampled")
        name = item.nodeid.partition("[")[0]
        taken[name] += 1
        if marker and not DEEPER and taken[name] > marker.args[0]:
            beyond.append(item)
    return beyond


def amount(*, share: int, ci: int, whole: int) -> int:
    """Give how many of something a test looks at.

    Args:
        share: in ``make test``.
        ci: every night.
        whole: in ``make test-deep``.

    """
    return whole if DEEP else ci if _ASKED == "ci" else share
