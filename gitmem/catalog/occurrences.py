"""Each time that a failure was seen: as an error record, or as an attempt after it was fixed."""

from collections.abc import Collection
from typing import Final

_OF_REPEATS: Final = {
    "file": "r.file", "failure": "r.failure", "created": "r.created", "error": "r.error",
    "came_back": "1", "via": "t.via",
}  # fmt: skip
_OF_ERRORS: Final = {"error": "s.file"}
_ERROR: Final = " JOIN sightings s ON s.file = r.error"
_ATTEMPT: Final = " JOIN tries t ON t.file = r.file"


def occurrences(columns: Collection[str] = ()) -> str:
    """Write the SQL of a table ``s`` of all occurrences.

    SQLite carries every column of such a table along, used or not, so a question names those that
    it needs.

    Args:
        columns: of ``sightings``, or ``error``, the file of the error record that was repeated;
            beside ``file`` (of the error, or of the attempt), ``failure`` and ``created``.

    """
    names = sorted({"file", "failure", "created", *columns})
    of_errors = ", ".join(_OF_ERRORS.get(name, f"s.{name}") + f" AS {name}" for name in names)
    repeats = ", ".join(_OF_REPEATS.get(name, f"s.{name}") for name in names)
    joins = _ERROR if "s." in repeats else ""
    joins += _ATTEMPT if "t." in repeats else ""
    return (
        f"(SELECT {of_errors} FROM sightings s UNION ALL SELECT {repeats} FROM repeats r{joins}) s"  # noqa: S608  names of ours
    )
