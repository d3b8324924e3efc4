"""How long tests with random histories and large numbers go on: ``GITMEM_DEEP`` says it.

Unset: the share of ``make test``. ``ci``: the share of ``.ci/run``. ``1``: all of
``make test-deep``, which takes hours. The questions are the same, about more histories.
"""

import os
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


def amount(*, share: int, ci: int, whole: int) -> int:
    """Give how many of something a test looks at.

    Args:
        share: in ``make test``.
        ci: in ``.ci/run``.
        whole: in ``make test-deep``.

    """
    return whole if DEEP else ci if _ASKED == "ci" else share
