"""All records of a kind as one table, as ``gitmem backup export --csv`` writes it."""

from typing import TYPE_CHECKING

from gitmem.errors import InvalidError
from gitmem.exchange.archive import Exported
from gitmem.exchange.tables import as_csv
from gitmem.memory.core.shown import shown_data
from gitmem.records import codec
from gitmem.records.convert import from_data
from gitmem.store.files import ProblemError

if TYPE_CHECKING:
    from gitmem.memory.reading.reader import Reader


def table(reader: "Reader", kind: str) -> Exported:
    """Pack the records of a kind, the oldest first, with the status that follows from others.

    Args:
        reader: of the memory.
        kind: error, fix, decision, session, pattern or note.

    """
    records = []
    left_out = []
    for row in reader.list(f"kind:{kind}", sort="oldest"):
        try:
            data = codec.load(reader.workspace.store.read(row.path))
            from_data(data)
        except (codec.YamlError, InvalidError, ProblemError, FileNotFoundError):
            left_out.append(row.path)
        else:
            data = shown_data(reader.workspace, row.path, data)
            records.append({**data, "status": row.status})
    return Exported(as_csv(records), len(records), left_out)
