"""Catch up before answering: the only place where files, catalog and index meet."""

from gitmem.sync.derived import Derived
from gitmem.sync.progress import Progress, quiet

__all__ = ["Derived", "Progress", "quiet"]
