"""How long tests with random histories and large numbers go on: ``GITMEM_DEEP`` says it.

Unset: the share of ``make test``. ``ci``: the share of every night. ``1``: all of
``make test-deep``, which takes hours. The questions are the same, about more histories.
"""

import os
from collections import Counter
from typing import Final

import pytest

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


def mark_sampled(items: list[pytest.Item]) -> None:
    """Mark the cases of sampled tests as deep."""
    for item in items:
        if item.get_closest_marker("sampled"):
            item.add_marker("deep")


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Give the cases of sampled tests that ``make test`` leaves out."""
    taken: Counter[str] = Counter()
    beyond = []
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
