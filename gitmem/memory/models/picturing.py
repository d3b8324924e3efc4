"""Screenshots of errors: read where the extra is installed, kept in any case."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.matching.editors import shown
from gitmem.matching.excerpt import excerpt
from gitmem.matching.failure import Failure, as_fields
from gitmem.matching.parse import parse
from gitmem.memory.core.redaction import redact
from gitmem.memory.models.looking import as_fields as seen_fields
from gitmem.pictures import reader
from gitmem.store.attachments import read_capped

if TYPE_CHECKING:
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.learned import Learned
    from gitmem.memory.memory import Memory
    from gitmem.records.kinds import Record

_NOT_SAID: Final = frozenset({"", "unknown", "see screenshot"})
"""What callers write into fields that the picture shall fill."""
_LONGEST_TITLE: Final = 200
_MOST_LINES: Final = 400


class Pictured(NamedTuple):
    """What a picture shows.

    Attributes:
        text: its lines, as they were read.
        failures: in order of appearance; none of them is a warning.

    """

    text: str
    failures: tuple[Failure, ...]


def read_picture(memory: "Learned", path: str) -> Pictured:
    """Read a picture; see ``Memory.read_picture``."""
    from gitmem.pictures.reading import read  # noqa: PLC0415  an extra

    data = read_capped(path, memory.site.config.limits_attachment_kib * 1024)
    return pictured(read(data, os.path.basename(path)).text)


def pictured(text: str) -> Pictured:
    """Find the failures in what a picture shows: what tools print, and what editors show."""
    found = [one for one in parse(text) if one.severity not in {"consequence", "warning"}]
    sure = [one for one in found if one.severity != "hint"]
    return Pictured(text, tuple(sure or shown(text) or found))


def fields(picture: Pictured) -> dict[str, Any]:
    """Give the fields of an error record: of the first failure, or the text as it is."""
    if picture.failures:
        made = as_fields(picture.failures[0])
        return {**made, "excerpt": made.get("excerpt") or _excerpt(picture.text)}
    said = [line.strip() for line in picture.text.split("\n") if any(map(str.isalnum, line))]
    if not said:
        return {}
    return {"title": said[0][:_LONGEST_TITLE].strip(), "excerpt": _excerpt(picture.text)}


def record_screenshot(
    memory: "Memory", path: str, said: Mapping[str, Any], seen: "Modelled | None"
) -> "Record":
    """Write an error down with its screenshot; see ``Memory.record_screenshot``."""
    said = {name: value for name, value in said.items() if value is not None}
    told = {name: value for name, value in said.items() if not _left_open(value)}
    guessed = seen_fields(seen) if seen else {}
    tags = [*guessed.pop("tags", ()), *told.pop("tags", ())]
    shown, keep = _shown(memory, path, told=bool(said or guessed))
    made = {**said, **guessed, **shown, **told} | ({"tags": tags} if tags else {})
    if not any(made.get(name) for name in ("title", "message", "error_type", "code", "test")):
        message = f"nothing says what {os.path.basename(path)} shows"
        raise InvalidError(message, "give --message or --title", "message")
    return memory.add("error", made, attach=[path] if keep else [])


def _shown(memory: "Memory", path: str, *, told: bool) -> tuple[dict[str, Any], bool]:
    """Give the fields that a picture shows, and whether it may be kept.

    Raises:
        InvalidError: it can't be read, and nothing else is told of the error.

    """
    notices = memory.derived.notices
    if not reader.installed():
        notices.append(f"the screenshot was not read, only kept ({reader.how_to_install()})")
        return {}, True
    try:
        picture = read_picture(memory, path)
    except InvalidError as error:
        if not told:
            raise
        notices.append(f"the screenshot was not read, only kept: {error.message} ({error.hint})")
        return {}, True
    if not redact(memory.workspace, picture.text)[1]:
        return fields(picture), True
    notices.append(
        "the screenshot shows what looks like a secret: it was read, but is not kept; "
        "make it black, and give it with --attach"
    )
    return fields(picture), False


def _left_open(value: object) -> bool:
    return isinstance(value, str) and value.strip().lower() in _NOT_SAID


def _excerpt(text: str) -> str:
    lines = text.split("\n")[:_MOST_LINES]
    return excerpt(lines, 0, len(lines))
