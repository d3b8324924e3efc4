"""Reading record files into what the catalog and the index keep of them."""

import hashlib
import re
import time
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from gitmem.catalog.catalog import Change, FileState
from gitmem.catalog.rows import entry
from gitmem.config import Mask
from gitmem.index.document import Impacts, document
from gitmem.index.scoring import impacts
from gitmem.matching.masks import Rule
from gitmem.matching.recorded import levels, prints_of
from gitmem.records.convert import decode, to_data
from gitmem.records.layout import id_in
from gitmem.records.problems import Problem
from gitmem.store.files import ProblemError, Store
from gitmem.store.listing import Stamp

if TYPE_CHECKING:
    from gitmem.records.kinds import Record
    from gitmem.semantic.protocol import Text

# Characters that make a text read otherwise than it is: bidirectional controls, zero width.
_HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


class Reading(NamedTuple):
    """One file, read: for the catalog, and for the index (None where there is no record).

    ``text`` is for an embedder, where there is one.
    """

    change: Change
    document: Impacts | None
    text: "Text | None" = None


def read_files(
    store: Store,
    files: Mapping[str, Stamp],
    masks: tuple[Mask, ...] = (),
    known: Mapping[str, FileState] = MappingProxyType({}),
    *,
    with_text: bool = False,
) -> Iterator[Reading]:
    """Read files, in order. Those that are gone meanwhile are left out.

    Args:
        store: where they are.
        files: their stamps by path.
        masks: the team's rules for fingerprints.
        known: their states; of those that did not change, no more than that is told.
        with_text: give the texts to embed, too.

    """
    for path, stamp in files.items():
        state = known.get(path)
        digest = state.digest if state else b""
        reading = read_file(store, path, stamp, masks, digest, with_text=with_text)
        if reading:
            yield reading


def read_file(
    store: Store,
    path: str,
    stamp: Stamp,
    masks: tuple[Mask, ...] = (),
    known: bytes = b"",
    *,
    with_text: bool = False,
) -> Reading | None:
    """Read one file; None if it is gone meanwhile.

    Args:
        store: where it is.
        path: its path.
        stamp: its stamp before it is read.
        masks: the team's rules for fingerprints.
        known: the digest of what it held; if it still does, no more than that is told.
        with_text: give the text to embed, too.

    """
    read_ns = time.time_ns()
    try:
        data = store.read(path)
    except FileNotFoundError:
        return None
    except ProblemError as error:
        return Reading(Change(path, stamp, read_ns, b"", None, [error.problem]), None)
    digest = hashlib.blake2b(data, digest_size=16).digest()
    if digest == known:
        return Reading(Change(path, stamp, read_ns, digest, None, []), None)
    record, problems = decode(data, path)
    problems = [*problems, *_hidden(path, data)]
    if record is None:
        return Reading(Change(path, stamp, read_ns, digest, None, problems), None)
    problems.extend(_name_problems(path, record.id))
    prints = levels(prints_of(to_data(record), _rules(masks))) if record.kind == "error" else ()
    change = Change(path, stamp, read_ns, digest, entry(record, prints), problems)
    return Reading(change, impacts(document(record)), _said(record) if with_text else None)


def _said(record: "Record") -> "Text":
    from gitmem.semantic.said import said  # noqa: PLC0415  an extra

    return said(record)


def _rules(masks: tuple[Mask, ...]) -> tuple[Rule, ...]:
    """Make the team's rules; those that are no good are told of elsewhere."""
    if not masks:
        return ()
    from gitmem.matching.rules import user_rules  # noqa: PLC0415  few teams have any

    return user_rules(masks).rules


def _name_problems(path: str, record_id: str) -> Iterator[Problem]:
    named = id_in(path)
    if named is None:
        message = f"the file's name does not end with its id, {record_id}"
        hint = f"rename it to end with -{record_id}.yaml"
        yield Problem(path, "file-name", message, hint, severity="warning")
    elif named != record_id:
        message = f"the file's name says {named}, the record inside says {record_id}"
        hint = "a merge may have mixed two records up: compare with git log for this file"
        yield Problem(path, "id-mismatch", message, hint, field="id")


def _hidden(path: str, data: bytes) -> Iterator[Problem]:
    if data.isascii():
        return
    text = data.decode(errors="replace")
    match = _HIDDEN.search(text)
    if match:
        line = text.count("\n", 0, match.start()) + 1
        message = f"hidden character U+{ord(match[0]):04X}: the text may read otherwise than it is"
        hint = "remove it if it was not meant"
        yield Problem(path, "hidden-character", message, hint, line, severity="warning")
