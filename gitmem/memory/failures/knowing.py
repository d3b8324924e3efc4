"""What is known about failures and places in the code: for editors, which ask for many at once."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gitmem.capture.observed import Match
from gitmem.capture.telling import AttemptDetails, MatchDetails
from gitmem.errors import GitmemError
from gitmem.git.provenance import origin_of
from gitmem.git.state import moves
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.matching import match
from gitmem.output.failure import Failure
from gitmem.records.kinds import Fix

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.git.provenance import Origin
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.reader import Reader

_MOST_READ = 12
_MOST_ATTEMPTS = 6


def known(reader: "Reader", failures: Iterable[Failure]) -> list[Match]:
    """Tell what is known about failures that were parsed, in their order.

    Args:
        reader: answers about the memory's records.
        failures: as the parsers make them; paths may be absolute.

    """
    workspace = reader.workspace
    return match(reader, [fingerprinted(workspace, failure) for failure in failures])


def read_attempts(
    workspace: "Workspace", failure: Match, most: int = _MOST_ATTEMPTS
) -> list[AttemptDetails]:
    """Read what the attempts on a failure say, what helped most first; no commit is asked for."""
    attempts = []
    for row in failure.ranked[: max(_MOST_READ, most)]:
        fix = read_record(workspace, row)
        if isinstance(fix, Fix):
            attempts.append(AttemptDetails(row, fix, None))
    return attempts[:most]


class AttemptReader:
    """Reads what a recognised failure's attempts say; commits are asked of git once.

    Args:
        workspace: of the memory; its catalog is asked as it is.

    """

    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        # Kept as well where there is none: what is not committed yet is asked for after
        # ``forget`` only.
        self._origins: dict[str, Origin | None] = {}
        self._moves = 0
        self._only_added = False
        self._look_at_moves()

    def forget(self) -> None:
        """Ask git anew: another commit is checked out.

        Where that was only added to the one before, what was in a commit is so still.
        """
        only_added = self._look_at_moves()
        self._origins = {
            path: origin for path, origin in self._origins.items() if origin and only_added
        }

    def _look_at_moves(self) -> bool:
        """Tell whether HEAD only gained commits since the last look."""
        if self._workspace.site.git_dirs is None:
            return False
        self._moves, only_added = moves(self._workspace.site.git_dirs, self._moves)
        if only_added is not None:
            self._only_added = only_added
        return self._only_added

    def tell(self, failure: Match, most: int = _MOST_ATTEMPTS) -> MatchDetails:
        """Add to a recognised failure what came of the attempts on it.

        Args:
            failure: the failure.
            most: attempts that are told. Commits are told of the first six only: each takes git
                some milliseconds.

        """
        shown = read_attempts(self._workspace, failure, most)
        detailed = [
            failure._replace(origin=self.origin(failure.row)) for failure in shown[:_MOST_ATTEMPTS]
        ]
        detailed += shown[_MOST_ATTEMPTS:]
        return MatchDetails(failure, tuple(detailed), len(failure.suggested) - len(detailed))

    def origin(self, row: "Row") -> "Origin | None":
        """Give the commit that added a record; None while it is in none, or git can't tell."""
        if row.path in self._origins:
            return self._origins[row.path]
        site = self._workspace.site
        if site.git_dirs is None:
            return None
        try:
            origin = origin_of(site.git_dirs, f"{site.folder_in_repository}/{row.path}")
        except GitmemError as error:
            self._workspace.notices.append(error.message)
            return None
        self._origins[row.path] = origin
        return origin
