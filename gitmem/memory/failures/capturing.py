"""A saved log or a report: what is known about its failures, and records for new ones."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.capture.cases import of_report
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.history import RunHistory
from gitmem.capture.looking import EMPTY, GREEN, Captured
from gitmem.capture.observed import Match
from gitmem.capture.runs import Run, distinct
from gitmem.errors import UsageError
from gitmem.exchange import reports
from gitmem.matching.parse import Parser, parse  # noqa: TID253  it reads texts
from gitmem.matching.text import clean as cleaned
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.core.redaction import redact
from gitmem.memory.core.team_rules import mask_rules
from gitmem.memory.failures.last_failure import error_of
from gitmem.memory.failures.matching import match
from gitmem.memory.failures.reporting import attach
from gitmem.memory.failures.watched_in_full import watched_in_full
from gitmem.output.failure import excerpt
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.output.cases import Report
    from gitmem.output.failure import Failure

LOG = "log"
FORMS = (LOG, *reports.NAMES)
_NO_RUN = frozenset({"", "otel"})
_OF_NO_TESTS = frozenset({"otel", "sarif"})
_CONSEQUENCES = frozenset({"consequence", "warning"})
_REPORTS = (".xml", ".json", ".sarif")
_LONGEST_TITLE = 200
_SOUNDS = re.compile(
    r"error|fail|exception|fatal|panic|denied|refused|can(?:no|')t|not found|no such|invalid|abort",
    re.IGNORECASE,
)


class LogSource(NamedTuple):
    """Where a file comes from.

    Attributes:
        name: what it was called.
        command: what was run, if it is known.
        form: one of ``FORMS``; empty: by content.
        ci: it comes from continuous integration.

    """

    name: str
    command: str
    form: str
    ci: bool


def capture(
    records: "RecordAccess",
    pieces: Iterable[bytes | str],
    source: LogSource,
    *,
    record: bool,
    guesses: bool = False,
) -> Captured:
    """Read a file, and look its failures up, each once; note the run that a report is of.

    Args:
        records: the memory.
        pieces: the file; a log is read as it comes.
        source: where it comes from.
        record: write an error record for each failure that the memory does not know.
        guesses: also for those that only look like failures.

    """
    from gitmem.memory.core.matchers import matchers_of

    if source.form and source.form not in FORMS:
        raise UsageError(f"there is no format {source.form}", f"formats: {', '.join(FORMS)}")
    head, pieces = _begun(pieces)
    form = source.form.replace(LOG, "") if source.form else reports.recognised(head)
    run, again, quiet = None, False, ""
    if form:
        data = _whole(pieces)
        report = reports.read(data, form, records.workspace.site.root)
        more = 0
        shown = {failure: fingerprinted(records.workspace, failure) for failure in report.failures}
        if not shown:
            quiet = GREEN if report.cases or form in _OF_NO_TESTS else EMPTY
        if form not in _NO_RUN:
            run, again = _noted(records, report, shown, source, data)
    elif not head and source.name.endswith(_REPORTS):
        shown, more, quiet = {}, 0, EMPTY  # a runner that died had only opened it
    else:
        parser = Parser(source.command or None, matchers=matchers_of(records.workspace))
        for piece in pieces:
            parser.feed(piece)
        failures = [failure for failure in parser.close() if failure.severity not in _CONSEQUENCES]
        more = parser.more
        shown = {failure: fingerprinted(records.workspace, failure) for failure in failures}
    matches = match(records.reader, distinct(shown.values()))
    new = [failure for failure in matches if not failure.is_known] if record else []
    sure = new if guesses else [failure for failure in new if not _is_guess(failure.seen)]
    written = _record(records, sure, source.command)
    return Captured(tuple(matches), written, more, len(new) - len(sure), run, again, quiet)


def _begun(pieces: Iterable[bytes | str]) -> tuple[bytes, Iterator[bytes]]:
    """Read so much that the format can be told; give that, and everything again."""
    left = (piece.encode() if isinstance(piece, str) else piece for piece in pieces)
    taken: list[bytes] = []
    while sum(map(len, taken)) < reports.HEAD and (piece := next(left, None)) is not None:
        taken.append(piece)
    return b"".join(taken)[: reports.HEAD], chain(taken, left)


def _whole(pieces: Iterator[bytes]) -> bytes:
    """Read a report, and no more of it than one may have."""
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > reports.MOST_BYTES:
            break
    return bytes(data)


def _noted(
    records: "RecordAccess",
    report: "Report",
    shown: "dict[Failure, FingerprintedFailure]",
    source: LogSource,
    data: bytes,
) -> tuple[Run, bool]:
    """Note the run of a report, unless it is noted already; tell whether it was."""
    site = records.workspace.site
    base = site.git_dirs.root if site.git_dirs else site.root
    folder = relative_path(os.path.realpath(records.workspace.start), base)
    command = _command(records, source)
    history = RunHistory(
        records.workspace.journal,
        site.git_dirs.git_dir if site.git_dirs else site.root,
        partial(mask_rules, site, records.workspace.notices),
    )
    earlier = history.of(command, folder)
    first = {place for run in earlier for failure in run.failures for place in failure.places}
    now = records.workspace.clock()
    run = Run(
        id=blake2b(data, digest_size=4).hexdigest(),
        at=min(report.at, now) if report.at else now,
        seconds=round(report.seconds or 0.0, 3),
        command=command,
        folder=folder,
        exit_code=int(bool(shown)) if report.exit_code is None else report.exit_code,
        # Nobody knows what code it ran on, so it is paired with nothing.
        tree="",
        head="",
        failures=distinct(shown.values()),
        ci=source.ci,
        tests=of_report(report, shown, first),
    )
    if any(earlier_run.id == run.id for earlier_run in earlier):
        return run, True
    if site.config.capture_mode != "off":
        history.add(run)
        if not source.ci:
            attach(records, run, earlier)
    return run, False


def _command(records: "RecordAccess", source: LogSource) -> tuple[str, ...]:
    """Give what was run; without that, reports of one name are runs of one command."""
    if not source.command:
        return ("gitmem", "runs", "capture", source.name)
    line = str(redact(records.workspace, {"command": source.command})[0]["command"])
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise UsageError(
            f"{line!r} is not a valid command line: {error}", "close its quotes"
        ) from None


def _record(records: "RecordAccess", matches: Iterable[Match], command: str) -> tuple[str, ...]:
    entries = [_fields(failure.seen, command) for failure in matches]
    return (
        tuple(record.id for record in records.writer.add_all("error", entries)) if entries else ()
    )


def _is_guess(failure: FingerprintedFailure) -> bool:
    """Tell whether a line only looks like a failure: of no known tool, without type and code."""
    return not any(failure.fields.get(name) for name in ("tool", "error_type", "code"))


def _fields(failure: FingerprintedFailure, command: str) -> dict[str, Any]:
    fields = {**failure.fields, "title": failure.record_title[:_LONGEST_TITLE] or None}
    return {**fields, "command": command} if command else fields


class Taken(NamedTuple):
    """What became of a text: ids of the errors that were written, and of those it is known as."""

    ids: tuple[str, ...]
    known: tuple[str, ...]


def record_text(records: "RecordAccess", text: str, command: str = "") -> Taken:
    """Write error records of the failures in a text that somebody chose to record.

    What a record stands for already is not written again. Where the text only names a failure
    that a watched command shows, that is recorded whole. Where nothing in the text is surely a
    failure, one record of the whole text is written: whoever chose it knows why.

    Args:
        records: the memory.
        text: as a terminal showed it, or as it was selected.
        command: what was run, if it is known.

    Raises:
        UsageError: there is nothing to read in the text.

    """
    if not any(map(str.isalnum, text)):
        raise UsageError("this text holds no error", "select the output of the error")
    if error := watched_in_full(records, text):
        name, is_new = error_of(records, error)
        return Taken((name,), ()) if is_new else Taken((), (name,))
    captured = capture(records, [text], LogSource("-", command, LOG, ci=False), record=True)
    known_ids = dict.fromkeys(
        failure.errors[-1].id for failure in captured.found if failure.is_known and failure.errors
    )
    if captured.written or known_ids:
        return Taken(captured.written, tuple(known_ids))
    lines = cleaned(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    fields = {"title": _telling_line(lines), "excerpt": excerpt(lines, 0, len(lines))}
    record = records.writer.add("error", {**fields, "command": command} if command else fields)
    return Taken((record.id,), ())


def is_output(text: str) -> bool:
    """Tell what a failed program printed from words about it, such as ``the error``.

    Of a program that nobody knows, several lines of which one sounds like a failure are output.
    """
    several = "\n" in text.strip()
    return any(several or failure.severity != "hint" for failure in parse(text))


def _telling_line(lines: Sequence[str]) -> str:
    """Give the first line that sounds like an error, else the first that says anything."""
    speaking = [line.strip() for line in lines if any(map(str.isalnum, line))]
    sounding = [line for line in speaking if _SOUNDS.search(line)]
    return (sounding or speaking)[0][:_LONGEST_TITLE].strip()
