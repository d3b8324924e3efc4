"""Files on disk: the record files, which are the only truth, and the local journal."""

from typing import Final

GUARDS: Final = "guards"
"""The stream of the journal that has what guards told."""
RUNS: Final = "run-"
"""Begins the name of each stream of watched runs: whether there are any is cheap to ask."""
