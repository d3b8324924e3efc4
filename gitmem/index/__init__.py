"""The full-text index: the terms of each record, and which records fit a question best.

Importing this package imports nothing; take what you need from its modules.
``whoosh_index`` keeps the index on disk, ``scan_index`` in memory; ``protocol`` says what
both can do, ``scoring`` what both answer.
"""

from typing import Final

VERSION: Final = 6
"""Raise it when terms, the texts that are searched, impacts or files change.

An index of another version is rebuilt.
"""
