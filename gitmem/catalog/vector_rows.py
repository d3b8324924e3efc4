"""Which files have an embedding vector, and which embedder made it."""

from collections.abc import Iterable
from typing import Final

from gitmem.catalog.database import Database

_EMBEDDER: Final = "embedder"
_BEHIND: Final = "vectors_behind"


class Embedded(Database):
    """The side of the catalog that vectors follow."""

    def vectors_in_step(self, embedder: str) -> bool:
        """Tell whether every record has a vector by this embedder, of what it says now."""
        return self.meta(_EMBEDDER) == embedder and not self.meta(_BEHIND)

    def vectors_by(self) -> str:
        """Name the embedder whose vectors there are; empty: none."""
        return self.meta(_EMBEDDER)

    def vectors_fall_behind(self) -> None:
        """Note that something is taken in that has no vector yet."""
        self.set_meta(_BEHIND, "1")

    def vectors_catch_up(self) -> None:
        """Note that every record has its vector."""
        self.set_meta(_BEHIND, "")

    def clear_vectors(self, embedder: str) -> None:
        """Note that there is no vector yet by this embedder."""
        self._db.execute("DELETE FROM embedded")
        self.set_meta(_EMBEDDER, embedder)
        self.vectors_fall_behind()

    def set_vectors(self, files: Iterable[int]) -> None:
        """Note that the vectors of these files are written, of what is in them now."""
        sql = "INSERT OR REPLACE INTO embedded SELECT file, digest FROM files WHERE file = ?"
        self._db.executemany(sql, [(file,) for file in files])

    def unset_vectors(self, files: Iterable[int]) -> None:
        """Mark the vectors of these files as missing."""
        self._db.executemany("DELETE FROM embedded WHERE file = ?", [(file,) for file in files])
        self.vectors_fall_behind()

    def with_vectors(self, files: Iterable[int]) -> list[int]:
        """Give those of some files that have a vector of what is in them now."""
        sql = (
            "SELECT e.file FROM embedded e JOIN files f ON f.file = e.file"
            " WHERE e.digest = f.digest AND e.file IN ({})"
        )
        return [row[0] for row in self._among(sql, files)]

    def last_with_vector(self) -> int:
        """Give the highest number of a file that a vector was written of; -1 if there is none."""
        ((last,),) = self._ask("SELECT max(file) FROM embedded")
        return -1 if last is None else int(last)

    def all_with_vectors(self) -> list[int]:
        """Give every file that a vector was written of."""
        return [row[0] for row in self._ask("SELECT file FROM embedded ORDER BY file")]

    def vector_backlog(self) -> dict[int, str]:
        """Give the files that hold a record without its vector, path by number."""
        sql = (
            "SELECT f.file, f.path FROM files f JOIN records r ON r.file = f.file"
            " LEFT JOIN embedded e ON e.file = f.file WHERE e.digest IS NOT f.digest"
            " ORDER BY f.file"
        )
        return dict(self._ask(sql))
