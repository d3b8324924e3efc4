"""Makes entries of record files, with the analysis of a single memory; redacts at the door."""

from collections.abc import Iterable, Mapping
from typing import Final

from gitmem.catalog.entries import created_text
from gitmem.hub.prints import prints_of
from gitmem.index.document import document
from gitmem.index.scoring import impacts
from gitmem.index.sections import SIGN
from gitmem.parts.hub.policy import Publishing
from gitmem.parts.hub.protocol import STRONG, STRONG_FROM, Entry, Held
from gitmem.records.convert import decode, encode
from gitmem.records.kinds import Record
from gitmem.records.layout import id_in
from gitmem.sync.secrets import suspects, without_secrets

MOST_BYTES: Final = 1 << 20
"""Of a file; a larger one is held back."""
_MOST_TERM_BYTES: Final = 400_000
"""Of all terms of one record together: an engine's limit is a megabyte, with what it adds."""
_MOST_IMPACT: Final = 16_383
"""The largest number that stands beside a term: of lines of files, what is above is cut."""
_TWIN: Final = 0.7
"""What a twin adds to its term: strong terms weigh about 1.7 times as much as others."""


def entries_of(
    repository: str,
    commit: str,
    files: Mapping[str, tuple[str, bytes]],
    policy: Publishing,
) -> tuple[list[Entry], list[Held]]:
    """Make entries of files.

    Args:
        repository: where they are from.
        commit: at which they were read.
        files: blob and content by path.
        policy: what the repository publishes.

    Returns:
        The entries, and the files of which nothing is kept, with the reason.

    """
    records: dict[str, Record] = {}
    held: list[Held] = []
    for path, (blob, data) in files.items():
        record, why = _read(path, data, policy)
        if record is None:
            held.append(Held(path, blob, why))
        else:
            records[path] = record
    numbered = dict(enumerate(records))
    texts = {at: files[path][1].decode(errors="replace") for at, path in numbered.items()}
    # What a team allows in its own files, it does not allow in everybody's.
    for at in suspects(texts, ()):
        records[numbered[at]] = without_secrets(records[numbered[at]])
    entries = []
    for path, record in records.items():
        blob = files[path][0]
        try:
            entries.append(_entry(repository, commit, path, blob, record))
        except ValueError:  # half a surrogate pair, say
            held.append(Held(path, blob, "unwritable"))
    return entries, held


def _read(path: str, data: bytes, policy: Publishing) -> tuple[Record | None, str]:
    if len(data) > MOST_BYTES:
        return None, "too large"
    try:
        record, problems = decode(data, path)
    except (ValueError, RecursionError) as error:  # one file never stops the others
        return None, f"unreadable: {type(error).__name__}"
    if record is None:
        return None, problems[0].code if problems else "unreadable"
    if id_in(path) not in {None, record.id}:
        return None, "id-mismatch"
    why = policy.stays_home(record)
    return (None, why) if why else (record, "")


def _entry(repository: str, commit: str, path: str, blob: str, record: Record) -> Entry:
    links = {(name, to) for name in record.links.RELATIONS for to in getattr(record.links, name)}
    return Entry(
        repository, record.id, path, blob, commit, record.kind, created_text(record),
        terms_of(record), prints_of(record), tuple(sorted(links)), encode(record),
    )  # fmt: skip


def terms_of(record: Record) -> dict[str, int]:
    """Give a record's terms as its own memory weighs them, with twins of those that say much."""
    weighed = impacts(document(record))
    stored: dict[str, int] = {}
    room = _MOST_TERM_BYTES
    for term, impact in sorted(weighed.items(), key=lambda pair: -pair[1]):
        encoded = term.replace("\0", "").encode(errors="replace")
        room -= 2 * len(encoded)
        if not encoded or room < 0:
            continue
        stored[encoded.decode()] = min(impact, _MOST_IMPACT)
        if impact >= STRONG_FROM and not term.startswith(SIGN):
            stored[STRONG + encoded.decode()] = 1
    return stored


def with_twins(factors: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    """Ask for the twins of terms, too: who has one has said it in the title, or often."""
    return [
        factor
        for term, value in factors
        for factor in ((term, value), (STRONG + term, value * _TWIN))
    ]
