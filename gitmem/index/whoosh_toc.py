"""A generation's table of contents, written by Whoosh itself.

It names the schema, of Whoosh's own classes alone, so any Whoosh opens the index without gitmem.
Importing this module imports Whoosh (50 ms, most of it for urllib): it is done once an update.
"""

from collections.abc import Iterable
from typing import Any

from whoosh import fields, formats
from whoosh.analysis import LowercaseFilter, SpaceSeparatedTokenizer
from whoosh.codec import whoosh3
from whoosh.filedb.filestore import RamStorage
from whoosh.index import TOC

from gitmem.index.whoosh_files import KEY_FIELD, NAME, TEXT_FIELD, SegmentInfo, toc_name


def schema() -> Any:  # noqa: ANN401  Whoosh has no types
    """Make the schema: our key, and one field of terms with their impact as frequency."""
    text = fields.TEXT(
        analyzer=SpaceSeparatedTokenizer() | LowercaseFilter(), phrase=False, stored=False
    )
    text.format = formats.Frequency()
    key = fields.NUMERIC(int, bits=64, signed=False, unique=True, sortable=True, shift_step=0)
    return fields.Schema(**{KEY_FIELD: key, TEXT_FIELD: text})


def toc(generation: int, segments: Iterable[SegmentInfo]) -> bytes:
    """Make the table of contents of a generation."""
    written_segments = []
    for info in segments:
        segment = whoosh3.W3Segment(
            whoosh3.W3Codec(), NAME, info.documents, info.id, set(info.deleted) or None
        )
        segment._fieldlengths = {TEXT_FIELD: info.length}  # noqa: SLF001  as whoosh3 sets it
        written_segments.append(segment)
    storage = RamStorage()
    TOC(schema(), written_segments, generation).write(storage, NAME)
    return bytes(storage.files[toc_name(generation)])
