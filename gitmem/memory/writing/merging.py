"""Two errors that say the same become one: a link in the one that stays, and nothing is lost."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.errors import InvalidError, NotFoundError
from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Error

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.writing.writer import Writer


def merge_errors(writer: "Writer", stays: "Row", merged: "Row") -> "Row":
    """Let an error stand for another one: its fixes count for it, and searches give it alone.

    The other's file stays as it is. That it is merged is said in the file of the one that stays
    (``supersedes`` and ``duplicates``); merging them again changes nothing.

    Args:
        writer: of the memory.
        stays: the error that stays.
        merged: the error that it stands for.

    Raises:
        InvalidError: they are one record, or the other one stands for this one already.
        NotFoundError: the file of the one that stays went away, or is broken.

    """
    if stays.id == merged.id:
        raise InvalidError("these are the same record", "name two errors, first the one that stays")
    workspace = writer.workspace
    into = workspace.ask(lambda now: now.catalog.merged_into({stays.id}))
    if into.get(stays.id) == merged.id:
        hint = f"take its id out of links.supersedes in {merged.path} first"
        raise InvalidError(f"{stays.id} was merged into {merged.id}", hint)
    record = read_record(workspace, stays)
    if not isinstance(record, Error):
        raise NotFoundError(f"{stays.path} can't be read", "see: gitmem check")
    links = record.links
    links = replace(
        links,
        supersedes=tuple(dict.fromkeys((*links.supersedes, merged.id))),
        duplicates=tuple(dict.fromkeys((*links.duplicates, merged.id))),
    )
    if links != record.links:
        _, data = writer.encoded(replace(record, links=links))
        workspace.store.replace(stays.path, data)
    return stays
