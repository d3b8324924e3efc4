"""Loads numpy so that it computes in one thread.

A question is too short for more, which spin while they wait for each other, and reading records
gives way to other work. Its libraries read the environment once, when they are loaded; programs
that are started later see nothing of it.
"""

import os
import sys
from typing import Final

_THREADS: Final = "OPENBLAS_NUM_THREADS"


def load_numpy() -> None:
    """Import numpy with one thread, unless it is imported already or the user set a number."""
    if "numpy" in sys.modules or _THREADS in os.environ:
        return
    os.environ[_THREADS] = "1"
    try:
        import numpy as np  # noqa: F401
    finally:
        del os.environ[_THREADS]
