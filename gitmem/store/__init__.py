"""Files on disk: the record files, which are the only truth, and the local journal."""

from typing import Final

RUNS: Final = "run-"
"""Begins the name of each stream of watched runs: whether there are any is cheap to ask."""
