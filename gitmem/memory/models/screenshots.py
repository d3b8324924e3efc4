"""Screenshots of errors: read by OCR where the extra is installed, kept in any case."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.matching.editors import shown
from gitmem.matching.parse import parse
from gitmem.memory.core.redaction import redact_for_model
from gitmem.memory.models.vision import screenshot_fields
from gitmem.output.failure import Failure, as_fields, excerpt
from gitmem.pictures import reader
from gitmem.pictures.left_open import is_open
from gitmem.pictures.picture_text import read
from gitmem.store.attachments import read_capped

if TYPE_CHECKING:
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.kinds import Record

_LONGEST_TITLE: Final = 200
_MOST_LINES: Final = 400


class PictureContent(NamedTuple):
    """What a picture shows.

    Attributes:
        text: its lines, as they were read.
        failures: in order of appearance; none of them is a warning.

    """

    text: str
    failures: tuple[Failure, ...]


def read_picture(workspace: "Workspace", path: str) -> PictureContent:
    """Read a picture; see ``Models.read_picture``."""
    data = read_capped(path, workspace.site.config.limits_attachment_kib * 1024)
    return picture_content(read(data, os.path.basename(path)).text)


def picture_content(text: str) -> PictureContent:
    """Find the failures in what a picture shows: what tools print, and what editors show."""
    failures = [
        failure for failure in parse(text) if failure.severity not in {"consequence", "warning"}
    ]
    sure = [failure for failure in failures if failure.severity != "hint"]
    return PictureContent(text, tuple(sure or shown(text) or failures))


def error_fields(picture: PictureContent) -> dict[str, Any]:
    """Give the fields of an error record: of the first failure, or the text as it is."""
    if picture.failures:
        fields = as_fields(picture.failures[0])
        return {**fields, "excerpt": fields.get("excerpt") or _excerpt(picture.text)}
    lines = [line.strip() for line in picture.text.split("\n") if any(map(str.isalnum, line))]
    if not lines:
        return {}
    return {"title": lines[0][:_LONGEST_TITLE].strip(), "excerpt": _excerpt(picture.text)}


def record_screenshot(
    writer: "Writer", path: str, fields: Mapping[str, Any], answer: "Modelled | None"
) -> "Record":
    """Write an error down with its screenshot; see ``Models.record_screenshot``."""
    fields = {name: value for name, value in fields.items() if value is not None}
    stated = {name: value for name, value in fields.items() if not is_open(value)}
    guessed = screenshot_fields(answer) if answer else {}
    tags = [*guessed.pop("tags", ()), *stated.pop("tags", ())]
    shown, keep = _picture_fields(writer.workspace, path, stated=bool(fields or guessed))
    merged = {**fields, **guessed, **shown, **stated} | ({"tags": tags} if tags else {})
    if not any(merged.get(name) for name in ("title", "message", "error_type", "code", "test")):
        message = f"no text was found that says what {os.path.basename(path)} shows"
        raise InvalidError(message, "give --message or --title", "message")
    return writer.add("error", merged, attach=[path] if keep else [])


def _picture_fields(
    workspace: "Workspace", path: str, *, stated: bool
) -> tuple[dict[str, Any], bool]:
    """Give the fields that a picture shows, and whether it may be kept.

    Raises:
        InvalidError: it can't be read, and nothing else is stated of the error.

    """
    notices = workspace.notices
    if not reader.installed():
        notices.append(f"the screenshot was not read, only kept ({reader.how_to_install()})")
        return {}, True
    try:
        picture = read_picture(workspace, path)
    except InvalidError as error:
        if not stated:
            raise
        notices.append(f"the screenshot was not read, only kept: {error.message} ({error.hint})")
        return {}, True
    if not redact_for_model(workspace, picture.text)[1]:
        return error_fields(picture), True
    notices.append(
        "the screenshot shows what looks like a secret: it was read but not stored; black it "
        "out, and attach it with --attach"
    )
    return error_fields(picture), False


def _excerpt(text: str) -> str:
    lines = text.split("\n")[:_MOST_LINES]
    return excerpt(lines, 0, len(lines))
