"""The catalog: one SQLite file, derived from the records, that answers structured questions."""

from typing import Final

VERSION: Final = 30
"""Raise it with any change in schema.py or entries.py, and where vectors are stored otherwise.

Each version has its own folder of derived state.
"""
