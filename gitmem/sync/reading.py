"""Reading record files into what the catalog and the index keep of them.

Many files are read by two processes, as parsing is most of the work of a rebuild.
"""

import hashlib
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from gitmem.catalog.catalog import Change
from gitmem.catalog.rows import entry
from gitmem.index.document import Impacts, document
from gitmem.index.scoring import impacts
from gitmem.matching.recorded import levels, prints_of
from gitmem.records.convert import decode, to_data
from gitmem.records.layout import id_in
from gitmem.records.problems import Problem
from gitmem.store.files import ProblemError, Stamp, Store

# Fewer files are read here before other processes have even started.
_MANY: Final = 2_000
_BATCH: Final = 250
# Characters that make a text read otherwise than it is: bidirectional controls, zero width.
_HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


class Reading(NamedTuple):
    """One file, read: for the catalog, and for the index (None where there is no record)."""

    change: Change
    document: Impacts | None


def read_files(store: Store, files: Mapping[str, Stamp]) -> Iterator[Reading]:
    """Read files, in order. Those that are gone meanwhile are left out."""
    if len(files) < _MANY or (os.cpu_count() or 1) < 2 or not _is_ours():  # noqa: PLR2004
        yield from _read_batch(store, list(files.items()))
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  rarely needed
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    done = 0
    waiting = iter(files.items())
    batches = iter(lambda: list(islice(waiting, _BATCH)), [])
    try:
        # Not forked: a server that rebuilds has threads.
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            pending = [pool.submit(_read_batch, store, batch) for batch in islice(batches, 6)]
            while pending:
                readings = pending.pop(0).result()
                yield from readings
                done += _BATCH
                pending += [pool.submit(_read_batch, store, batch) for batch in islice(batches, 1)]
    except (BrokenProcessPool, OSError):
        # No second process to be had (limits, a sandbox): go on alone where it stopped.
        yield from _read_batch(store, list(islice(files.items(), done, None)))


def _is_ours() -> bool:
    """Tell whether gitmem is the main program, which a new process imports once more.

    Anybody else's may do its work on import, and would do it twice.
    """
    main = sys.modules["__main__"]
    if spec := getattr(main, "__spec__", None):
        return spec.name.partition(".")[0] in {"gitmem", "lsp_server"}
    return os.path.basename(getattr(main, "__file__", "")) == "gitmem"


def _read_batch(store: Store, files: Iterable[tuple[str, Stamp]]) -> list[Reading]:
    readings = (read_file(store, path, stamp) for path, stamp in files)
    return [reading for reading in readings if reading]


def read_file(store: Store, path: str, stamp: Stamp) -> Reading | None:
    """Read one file; None if it is gone meanwhile."""
    read_ns = time.time_ns()
    try:
        data = store.read(path)
    except FileNotFoundError:
        return None
    except ProblemError as error:
        return Reading(Change(path, stamp, read_ns, b"", None, [error.problem]), None)
    digest = hashlib.blake2b(data, digest_size=16).digest()
    record, problems = decode(data, path)
    problems = [*problems, *_hidden(path, data)]
    if record is None:
        return Reading(Change(path, stamp, read_ns, digest, None, problems), None)
    problems.extend(_name_problems(path, record.id))
    prints = levels(prints_of(to_data(record))) if record.kind == "error" else ()
    change = Change(path, stamp, read_ns, digest, entry(record, prints), problems)
    return Reading(change, impacts(document(record)))


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
