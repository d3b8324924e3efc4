"""Fingerprints that meet across repositories: own files and functions differ there.

``library``   the message, out of the innermost step of a library: the same place of code that
              both use
``message``   type, message template and what the message names: *the same message*
``template``  type and message template: about something else, perhaps, and so only *similar*

The rules of a team for its messages stay out: another team has others.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final, Literal

from gitmem.matching.failure import Failure
from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.frames import file_key, function_name, library
from gitmem.matching.labels import SAME_MESSAGE, SIMILAR
from gitmem.matching.recorded import from_fields, named_by, other_messages

Level = Literal["library", "message", "template"]
LIBRARY: Final[Level] = "library"
MESSAGE: Final[Level] = "message"
TEMPLATE: Final[Level] = "template"
LABELS: Final[Mapping[str, str]] = {
    LIBRARY: f"{SAME_MESSAGE}, out of the same library",
    MESSAGE: SAME_MESSAGE,
    TEMPLATE: SIMILAR,
}


def prints_across(failure: Failure) -> tuple[tuple[Level, str], ...]:
    """Give levels and fingerprints of a failure, the surest first; none if it says nothing."""
    template = fingerprints(failure).template
    if not template:
        return ()
    names = named_by(failure)
    message: tuple[Level, str] = (MESSAGE, _digest(template, *names))
    levels: tuple[tuple[Level, str], ...] = (message, (TEMPLATE, template))
    place = _library_step(failure)
    return ((LIBRARY, _digest(template, *names, place)), *levels) if place else levels


def prints_asked(fields: Mapping[str, Any]) -> tuple[tuple[Level, str], ...]:
    """Give those of an error record's fields, also by what other versions call its message."""
    others: list[tuple[Level, str]] = [
        (TEMPLATE, message) for message in other_messages(fields) if message
    ]
    return tuple(dict.fromkeys((*prints_across(from_fields(fields)), *others)))


def _digest(*parts: str) -> str:
    return blake2b("\n".join(parts).encode(errors="replace"), digest_size=8).hexdigest()


def _library_step(failure: Failure) -> str:
    for frame in reversed(failure.frames):
        if library(frame, failure.language):
            return f"{file_key(frame.file)}:{function_name(frame.function)}"
    return ""
