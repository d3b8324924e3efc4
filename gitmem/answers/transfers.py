"""Results of imports, backups and restores."""

from datetime import datetime
from typing import Any, NamedTuple


class Imported(NamedTuple):
    """What came of one thing that was imported.

    Attributes:
        title: one line that names it.
        source: where it stands: a commit, a file, a version.
        what: what it is.
        at: when it was.
        ids: the records that were (would be) written; none: all were here already.

    """

    title: str
    source: str
    what: str
    at: datetime
    ids: tuple[str, ...]


class ImportResult(NamedTuple):
    """What came of an import.

    Attributes:
        new: what was (would be) written.
        present: how many were here already.
        passed: why things were passed over, and how many.
        notices: what the user should know beside.

    """

    new: list[Imported]
    present: int
    passed: dict[str, int]
    notices: list[str]

    @property
    def records(self) -> int:
        """How many records were (would be) written."""
        return sum(len(imported.ids) for imported in self.new)


class Backup(NamedTuple):
    """A backup.

    Attributes:
        data: its bytes.
        manifest: what it holds; see ``exchange.backup``.
        left_out: files that are not in it, as they can't be read.

    """

    data: bytes
    manifest: dict[str, Any]
    left_out: list[str]


class Restored(NamedTuple):
    """What a restore did, or would do.

    Attributes:
        manifest: what the backup holds.
        written: how many records were written.
        present: how many were here already, just so.
        archives: how many archives of old records were written.
        found: how many of its records, archived ones included, are found now; 0: a dry run.
        settings: ``same``, ``written``, or ``different``: then those that are here stay.

    """

    manifest: dict[str, Any]
    written: int
    present: int
    archives: int
    found: int
    settings: str
