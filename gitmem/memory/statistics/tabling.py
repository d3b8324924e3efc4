"""``gitmem export --csv``: all records of a kind as one table."""

from typing import TYPE_CHECKING

from gitmem.errors import InvalidError
from gitmem.exchange.archive import Exported
from gitmem.exchange.tables import as_csv
from gitmem.records import codec
from gitmem.records.convert import from_data
from gitmem.store.files import ProblemError

if TYPE_CHECKING:
    from gitmem.memory.writable import Writable


def table(memory: "Writable", kind: str) -> Exported:
    """Pack the records of a kind, the oldest first, with the status that follows from others."""
    found = []
    left_out = []
    for row in memory.list(f"kind:{kind}", sort="oldest"):
        try:
            data = codec.load(memory.store.read(row.path))
            from_data(data)
        except (codec.YamlError, InvalidError, ProblemError, FileNotFoundError):
            left_out.append(row.path)
        else:
            found.append({**data, "status": row.status})
    return Exported(as_csv(found), len(found), left_out)
