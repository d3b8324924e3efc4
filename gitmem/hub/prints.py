"""Fingerprints that meet across repositories: own files and functions differ there.

``template``  type and message template: *the same message*
``library``   the innermost step of a library, with type and message: the same, out of the same
              place of code that both use. It lies one level above, as it proves more

The rules of a team for its messages stay out: another team has others.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final, Literal

from gitmem.matching.failure import Failure
from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.frames import file_key, function_name, library
from gitmem.matching.labels import SAME_MESSAGE
from gitmem.matching.recorded import from_fields, other_messages

Level = Literal["library", "template"]
LIBRARY: Final[Level] = "library"
TEMPLATE: Final[Level] = "template"
LABELS: Final[Mapping[str, str]] = {
    LIBRARY: f"{SAME_MESSAGE}, out of the same library",
    TEMPLATE: SAME_MESSAGE,
}


def prints_across(failure: Failure) -> tuple[tuple[Level, str], ...]:
    """Give levels and fingerprints of a failure, the surest first; none if it says nothing."""
    message = fingerprints(failure).template
    if not message:
        return ()
    place = _library_step(failure)
    digest = blake2b(f"{message} {place}".encode(errors="replace"), digest_size=8).hexdigest()
    of_message: tuple[Level, str] = (TEMPLATE, message)
    return ((LIBRARY, digest), of_message) if place else (of_message,)


def prints_asked(fields: Mapping[str, Any]) -> tuple[tuple[Level, str], ...]:
    """Give those of an error record's fields, also by what other versions call its message."""
    others: list[tuple[Level, str]] = [
        (TEMPLATE, message) for message in other_messages(fields) if message
    ]
    return tuple(dict.fromkeys((*prints_across(from_fields(fields)), *others)))


def _library_step(failure: Failure) -> str:
    for frame in reversed(failure.frames):
        if library(frame, failure.language):
            return f"{file_key(frame.file)}:{function_name(frame.function)}"
    return ""
