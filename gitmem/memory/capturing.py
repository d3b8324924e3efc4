"""A saved log: what is known about its failures, and records for those that are new."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gitmem.capture.looking import Captured
from gitmem.capture.recognising import Recognised, recognise
from gitmem.capture.redaction import redact_data
from gitmem.capture.runs import Seen
from gitmem.matching.failure import as_fields
from gitmem.matching.parse import Parser
from gitmem.matching.recorded import prints_of

if TYPE_CHECKING:
    from gitmem.memory.memory import Memory

_CONSEQUENCES = frozenset({"consequence", "warning"})
_LONGEST_TITLE = 200


def capture(
    memory: "Memory", pieces: Iterable[bytes | str], command: str, *, record: bool
) -> Captured:
    """Read a log as it comes, and look its failures up, each once.

    Args:
        memory: the memory.
        pieces: the log.
        command: what was run, if it is known.
        record: write an error record for each failure that the memory does not know.

    """
    parser = Parser(command or None)
    for piece in pieces:
        parser.feed(piece)
    failures = [one for one in parser.close() if one.severity not in _CONSEQUENCES]
    catalog = memory.derived.catalog(memory.progress)
    found: dict[str, Recognised] = {}
    for failure in failures:
        # A record will hold the redacted text: only with that it is found again.
        fields = dict(redact_data(as_fields(failure), environ=memory.others_environ)[0])
        prints = prints_of(fields)
        if prints.site not in found:
            seen = Seen(prints.exact, prints.site, prints.template, prints.kind, fields)
            found[prints.site] = recognise(catalog, memory.drafts, seen)
    new = [one for one in found.values() if one.label != "same error"]
    written: tuple[str, ...] = ()
    if record and new:
        entries = [_fields(one.seen, command) for one in new]
        written = tuple(made.id for made in memory.add_all("error", entries))
    return Captured(tuple(found.values()), written, parser.more)


def _fields(seen: Seen, command: str) -> dict[str, Any]:
    fields = {**seen.fields, "title": seen.title[:_LONGEST_TITLE] or None}
    return {**fields, "command": command} if command else fields
