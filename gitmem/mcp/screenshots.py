"""A screenshot as assistants send it: a file of the repository, or the picture as data."""

import binascii
import os
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import InvalidError, NotFoundError, UsageError
from gitmem.mcp.arguments import picture
from gitmem.pictures.forms import form
from gitmem.pictures.left_open import names_it
from gitmem.temporary import temporary_folder

if TYPE_CHECKING:
    from gitmem.capture.observed import Match
    from gitmem.llm.modelled import Modelled
    from gitmem.memory import Memory
    from gitmem.records.kinds import Record

_DATA: Final = re.compile(r"data:image/(png|jpeg|webp|gif);base64,", re.IGNORECASE)
_CHARACTERS: Final = 4 / 3
"""For a byte."""


@contextmanager
def file_of(memory: "Memory", source: str) -> Iterator[str]:
    """Give the path of a screenshot, for as long as the block takes.

    A picture that was sent lies in a private folder meanwhile, which is removed in any case.

    Args:
        memory: the memory.
        source: a path in the repository, or ``data:image/png;base64,…``.

    Raises:
        UsageError: it is neither, lies elsewhere, or is larger than an attachment may be.
        NotFoundError: there is no such file.

    """
    if source[:5].lower() != "data:":
        yield picture(memory, source)
        return
    match = _DATA.match(source)
    if not match:
        raise UsageError("this is not a picture", "send data:image/png;base64,… or a path")
    most = memory.workspace.site.config.limits_attachment_kib * 1024
    if len(source) - match.end() > most * _CHARACTERS + 4:
        hint = "send a part of it, or its path"
        raise UsageError(f"the screenshot is larger than {most >> 10} KiB", hint)
    try:
        data = b64decode(source[match.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise UsageError("the screenshot is not base64", "send it again, or its path") from None
    if not form(data):
        raise UsageError("this is not a picture", "send a PNG, JPEG, WebP or GIF")
    with temporary_folder() as folder:
        path = os.path.join(folder, f"screenshot.{match[1].lower()}")
        with open(path, "xb") as file:
            file.write(data)
        yield path


def record_with(
    memory: "Memory",
    source: str,
    fields: Mapping[str, Any],
    look: "Callable[[str], Modelled] | None" = None,
) -> "Record":
    """Write an error down with its screenshot; one that can't be had must not lose the error.

    Args:
        memory: the memory.
        source: a path in the repository, or ``data:image/png;base64,…``.
        fields: what is stated of the error.
        look: has a model look at the file first.

    Raises:
        UsageError: the picture can't be had, and a model was to look at it or nothing else is
            stated; see ``file_of``.
        NotFoundError: likewise.
        InvalidError: likewise.

    """
    try:
        with file_of(memory, source) as path:
            return memory.models.record_screenshot(path, fields, look(path) if look else None)
    except (InvalidError, NotFoundError, UsageError) as trouble:
        if look or not names_it(fields):
            raise
        reason = f"{trouble.message} ({trouble.hint})" if trouble.hint else trouble.message
        memory.workspace.derived.notices.append(
            f"the error is kept without its screenshot: {reason}"
        )
        return memory.add("error", fields)


def known_beside(memory: "Memory", error: "Record") -> "list[Match]":
    """Tell what is known about what a screenshot showed, beside the record that was made of it."""
    shown = str(getattr(error, "excerpt", "")) or error.title
    matches = [
        match._replace(errors=tuple(row for row in match.errors if row.id != error.id))
        for match in memory.hint(shown)
    ]
    return [match for match in matches if match.errors or match.suggested or match.similar]
