"""Which files have an embedding vector, and which embedder made it.

There are two sets of vectors: those made while files are read (``AT_ONCE``), and those of a
sentence model, which are made beside the work (``BESIDE``).
"""

from collections.abc import Iterable
from typing import Final

from gitmem.catalog.database import Database

AT_ONCE: Final = "at once"
BESIDE: Final = "beside"
_EMBEDDER: Final = "embedder "
_BEHIND: Final = "vectors_behind "


class Embedded(Database):
    """The side of the catalog that vectors follow. Each method is about one set of them."""

    def vectors_in_step(self, embedder: str, of: str) -> bool:
        """Tell whether every record has a vector by this embedder, of what it says now."""
        return self.meta(_EMBEDDER + of) == embedder and not self.meta(_BEHIND + of)

    def vectors_by(self, of: str) -> str:
        """Name the embedder whose vectors there are; empty: none."""
        return self.meta(_EMBEDDER + of)

    def vectors_fall_behind(self, of: str) -> None:
        """Note that something is taken in that has no vector yet."""
        self.set_meta(_BEHIND + of, "1")

    def vectors_catch_up(self, of: str) -> None:
        """Note that every record has its vector."""
        self.set_meta(_BEHIND + of, "")

    def clear_vectors(self, embedder: str, of: str) -> None:
        """Note that there is no vector yet by this embedder."""
        self._db.execute("DELETE FROM embedded WHERE made = ?", (of,))
        self.set_meta(_EMBEDDER + of, embedder)
        self.vectors_fall_behind(of)

    def set_vectors(self, files: Iterable[int], of: str) -> None:
        """Note that the vectors of these files are written, of what is in them now."""
        sql = "INSERT OR REPLACE INTO embedded SELECT file, ?, digest FROM files WHERE file = ?"
        self._db.executemany(sql, [(of, file) for file in files])

    def unset_vectors(self, files: Iterable[int], of: str) -> None:
        """Mark the vectors of these files as missing."""
        sql = "DELETE FROM embedded WHERE made = ? AND file = ?"
        self._db.executemany(sql, [(of, file) for file in files])
        self.vectors_fall_behind(of)

    def with_vectors(self, files: Iterable[int], of: str) -> dict[int, bytes]:
        """Give those of some files that have a vector of what is in them now, and its digest."""
        sql = (
            "SELECT e.file, e.made, e.digest FROM embedded e JOIN files f ON f.file = e.file"
            " WHERE e.digest = f.digest AND e.file IN ({})"
        )
        rows = self._among(sql, files)
        return {file: digest for file, vector_set, digest in rows if vector_set == of}

    def last_with_vector(self, of: str) -> int:
        """Give the highest number of a file that a vector was written of; -1 if there is none."""
        ((last,),) = self._ask("SELECT max(file) FROM embedded WHERE made = ?", (of,))
        return -1 if last is None else int(last)

    def all_with_vectors(self, of: str) -> dict[int, bytes]:
        """Give every file that a vector was written of, and the digest of what it held then."""
        sql = "SELECT file, digest FROM embedded WHERE made = ? ORDER BY file"
        return dict(self._ask(sql, (of,)))

    def vector_backlog(self, of: str) -> dict[int, str]:
        """Give the files that hold a record without its vector, path by number, newest first."""
        sql = (
            "SELECT f.file, f.path FROM files f JOIN records r ON r.file = f.file"
            " LEFT JOIN embedded e ON e.file = f.file AND e.made = ?"
            " WHERE e.digest IS NOT f.digest ORDER BY r.created DESC, f.file"
        )
        return dict(self._ask(sql, (of,)))
