"""Fingerprints that meet across repositories: own files and functions differ there.

``library``   the message, out of the innermost step of a library: the same place of code that
              both use
``code``      the message, of a line of own code that has the same shape, or calls the same
``message``   type, message template and all that the message names: *the same message*
``wording``   the same, but for what only some tools and versions name
``template``  type and message template: about something else, perhaps

What an interpreter says, ``KeyError: 'id'``, it says for many reasons. So where two failures show
where they come from, and that differs, the message alone makes them no more than similar. Nor does
it where a test's author wrote it.

The rules of a team for its messages stay out: another team has others.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, Literal

from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.labels import SAME_MESSAGE, SIMILAR
from gitmem.matching.line_shape import line_shape
from gitmem.matching.recorded import from_fields, from_record, named_by, other_messages
from gitmem.matching.sameness import own_line
from gitmem.matching.site import error_name, is_assertion
from gitmem.output.failure import Failure, StackFrame
from gitmem.records.kinds import Error, Record
from gitmem.tools.common.frames import asserting, file_key, function_name, library, raising

Level = Literal["library", "code", "message", "wording", "template"]
LIBRARY: Final[Level] = "library"
CODE: Final[Level] = "code"
MESSAGE: Final[Level] = "message"
WORDING: Final[Level] = "wording"
TEMPLATE: Final[Level] = "template"
LABELS: Final[Mapping[str, str]] = {
    LIBRARY: f"{SAME_MESSAGE}, out of the same library",
    CODE: SAME_MESSAGE,
    MESSAGE: SAME_MESSAGE,
    WORDING: SIMILAR,
    TEMPLATE: SIMILAR,
}
LEVELS: Final = tuple(LABELS)
_PLACES: Final = frozenset({LIBRARY, CODE})

Print = tuple[Level, str]


def prints_across(failure: Failure) -> tuple[Print, ...]:
    """Give levels and fingerprints of a failure, the surest first; none if it says nothing."""
    template = fingerprints(failure).template
    asserted = is_assertion(error_name(failure))
    if not template:
        call = "" if failure.message or asserted else _library_step(failure) or _called(failure)
        return ((CODE, _digest(error_name(failure), call)),) if call else ()
    of_kind: Print = (TEMPLATE, template)
    if asserted:
        return (of_kind,)
    names = named_by(failure)
    wording: Print = (WORDING, _digest(template, *named_by(failure, whole=False)))
    levels: tuple[Print, ...] = ((MESSAGE, _digest(template, *names)), wording, of_kind)
    if step := _library_step(failure):
        return (LIBRARY, _digest(template, *names, step)), *levels
    if shape := line_shape(own_line(failure), names) or _call(failure, names):
        return (CODE, _digest(template, *names, shape)), *levels
    return levels


def label_across(level: str, record: Iterable[Print], question: Iterable[tuple[str, str]]) -> str:
    """Say what it means that a record agrees with a question at a level.

    Args:
        level: the surest at which they agree.
        record: the fingerprints of the record.
        question: those that were asked for.

    """
    if level == MESSAGE and all(
        not _PLACES.isdisjoint(name for name, _ in prints) for prints in (record, question)
    ):
        return SIMILAR
    return LABELS.get(level, "")


def prints_of(record: Record) -> tuple[Print, ...]:
    """Give those of a record; none if it is not an error."""
    return prints_across(from_record(record)) if isinstance(record, Error) else ()


def prints_asked(fields: Mapping[str, Any]) -> tuple[Print, ...]:
    """Give those of an error record's fields, also by what other versions call its message."""
    others: list[Print] = [(TEMPLATE, message) for message in other_messages(fields) if message]
    return tuple(dict.fromkeys((*prints_across(from_fields(fields)), *others)))


def _digest(*parts: str) -> str:
    return blake2b("\n\n".join(parts).encode(errors="replace"), digest_size=8).hexdigest()


def _library_step(failure: Failure) -> str:
    """Give the innermost step of a library that own code called; what calls it says nothing."""
    for frame in reversed(_called_frames(failure)):
        if library(frame, failure.language):
            return f"{file_key(frame.file)}:{function_name(frame.function)}"
    return ""


def _called(failure: Failure) -> str:
    """Give what the innermost own function called, where no line of code is shown."""
    frames = _called_frames(failure)
    own = any(frame.in_app for frame in failure.frames)
    return function_name(frames[0].function) if own and frames else ""


def _call(failure: Failure, names: Sequence[str]) -> str:
    """Give what own code called, and from where if the message names nothing.

    Then it is what any such call says: ``String index out of range: 12``.
    """
    called = _called(failure)
    if not called or names or len(_called_frames(failure)) > 1:
        return called
    caller = [frame for frame in failure.frames if frame.in_app][-1]
    return f"{file_key(caller.file)}:{function_name(caller.function)} {called}"


def _called_frames(failure: Failure) -> list[StackFrame]:
    """Give the frames inside the innermost own one but those that only check and complain."""
    own = [at for at, frame in enumerate(failure.frames) if frame.in_app]
    frames = failure.frames[own[-1] + 1 if own else 0 :]
    return [frame for frame in frames if not asserting(frame) and not raising(frame)]
