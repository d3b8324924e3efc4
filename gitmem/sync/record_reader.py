"""Reads record files into catalog rows, index documents and texts to embed."""

import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.catalog.catalog import CatalogChange, FileState
from gitmem.catalog.entries import entry
from gitmem.config import NO_RULES, Mask, Pass, TeamRules
from gitmem.index.document import Impacts, document
from gitmem.index.scoring import impacts
from gitmem.matching.masks import MaskRule
from gitmem.matching.recorded import levels_of_cases, prints_of_cases
from gitmem.records.convert import decode
from gitmem.records.kinds import Error
from gitmem.records.layout import id_in
from gitmem.records.problems import Problem
from gitmem.store.files import ProblemError, Store
from gitmem.store.listing import Stamp
from gitmem.sync.secrets import HELD, problems_of, suspects, without_secrets

if TYPE_CHECKING:
    from gitmem.records.kinds import Record
    from gitmem.semantic.protocol import EmbeddedText

BATCH: Final = 250
"""Files that are read together."""
# Characters that make a text read otherwise than it is: bidirectional controls, zero width.
_HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


class UnreadFile(NamedTuple):
    """A file to read: its stamp before that, and the digest of what it held, if known."""

    path: str
    stamp: Stamp
    digest: bytes = b""


class ReadRecord(NamedTuple):
    """One file, read: for the catalog, and for the index (None where there is no record).

    ``text`` is for an embedder, where there is one.
    """

    change: CatalogChange
    document: Impacts | None
    text: "EmbeddedText | None" = None


def read_files(
    store: Store,
    files: Mapping[str, Stamp],
    team_rules: TeamRules = NO_RULES,
    states: Mapping[str, FileState] = MappingProxyType({}),
    *,
    with_text: bool = False,
    with_document: bool = True,
) -> Iterator[ReadRecord]:
    """Read files, in order. Those that are gone meanwhile are left out.

    Args:
        store: where they are.
        files: their stamps by path.
        team_rules: the team's rules for fingerprints.
        states: their states; of those that did not change, no more than that is told.
        with_text: give the texts to embed, too.
        with_document: give what the index keeps; it takes as long as all the rest.

    """
    left = (
        UnreadFile(path, stamp, states[path].digest if path in states else b"")
        for path, stamp in files.items()
    )
    while batch := list(islice(left, BATCH)):
        yield from read_batch(
            store, batch, team_rules, with_text=with_text, with_document=with_document
        )


def read_batch(
    store: Store,
    files: Sequence[UnreadFile],
    team_rules: TeamRules = NO_RULES,
    *,
    with_text: bool = False,
    with_document: bool = True,
) -> list[ReadRecord]:
    """Read some files, in order. Those that are gone meanwhile are left out.

    Each step is done for all files before the next is: its code and its tables stay in the
    processor's caches, which takes a quarter less time than one file after the other.

    Args:
        store: where they are.
        files: which; of those whose digest is the known one, no more than that is told.
        team_rules: the team's rules for fingerprints.
        with_text: give the texts to embed, too.
        with_document: give what the index keeps.

    """
    read = [file_read for file in files if (file_read := _read(store, file))]
    changes = [change for change, _ in read]
    records = [None if data is None else _record(change, data) for change, data in read]
    _take_out_secrets(read, records, team_rules.passes)
    rules = _rules(team_rules.masks)
    prints = [_prints(record, rules) for record in records]
    changes = [
        change._replace(entry=entry(record, levels)) if record else change
        for change, record, levels in zip(changes, records, prints, strict=True)
    ]
    documents = [document(record) if record and with_document else None for record in records]
    weighed = [impacts(document) if document else None for document in documents]
    texts = [_embedded_text(record) if record and with_text else None for record in records]
    return list(map(ReadRecord, changes, weighed, texts))


def _read(store: Store, file: UnreadFile) -> tuple[CatalogChange, bytes | None] | None:
    """Give what is known of a file without a look into it, and its content if that is new."""
    read_ns = time.time_ns()
    try:
        data = store.read(file.path)
    except FileNotFoundError:
        return None
    except ProblemError as error:
        return CatalogChange(file.path, file.stamp, read_ns, b"", None, [error.problem]), None
    digest = hashlib.blake2b(data, digest_size=16).digest()
    change = CatalogChange(file.path, file.stamp, read_ns, digest, None, [])
    return change, None if digest == file.digest else data


def _record(change: CatalogChange, data: bytes) -> "Record | None":
    """Decode a file; its problems go into ``change``."""
    record, problems = decode(data, change.path)
    change.problems.extend(problems)
    change.problems.extend(_hidden(change.path, data))
    if record is not None:
        change.problems.extend(_name_problems(change.path, record.id))
    return record


def _take_out_secrets(
    read: Sequence[tuple[CatalogChange, bytes | None]],
    records: "list[Record | None]",
    passes: tuple[Pass, ...],
) -> None:
    """Let no secret into what is derived from ``records``; problems say which files hold one."""
    texts = {
        number: data.decode(errors="replace")
        for number, (_, data) in enumerate(read)
        if data and records[number]
    }
    if not texts:
        return
    for number in sorted(suspects(texts, passes)):
        record, change = records[number], read[number][0]
        clean = without_secrets(record, passes) if record else None
        secrets = problems_of(change.path, texts[number], passes, {})
        if clean is not record and not secrets:
            secrets = [HELD._replace(path=change.path)]
        change.problems.extend(secrets)
        records[number] = clean


def _prints(record: "Record | None", rules: tuple[MaskRule, ...]) -> tuple[tuple[str, str], ...]:
    if isinstance(record, Error):
        return levels_of_cases(prints_of_cases(record, rules))
    return ()


def _embedded_text(record: "Record") -> "EmbeddedText":
    from gitmem.semantic.record_text import embedded_text  # noqa: PLC0415  an extra

    return embedded_text(record)


def _rules(masks: tuple[Mask, ...]) -> tuple[MaskRule, ...]:
    """Make the team's rules; invalid ones are reported elsewhere."""
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
        hint = "a merge may have mixed two records: compare with git log for this file"
        yield Problem(path, "id-mismatch", message, hint, field="id")


def _hidden(path: str, data: bytes) -> Iterator[Problem]:
    if data.isascii():
        return
    text = data.decode(errors="replace")
    match = _HIDDEN.search(text)
    if match:
        line = text.count("\n", 0, match.start()) + 1
        message = f"hidden character U+{ord(match[0]):04X}: the text may not read as it seems"
        hint = "remove it if it is not intended"
        yield Problem(path, "hidden-character", message, hint, line, severity="warning")
