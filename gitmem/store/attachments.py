"""Attachments: files kept beside the records, named by their content, capped in size."""

import hashlib
import os
import re

from gitmem.errors import ConflictError, EnvironmentProblem, InvalidError
from gitmem.records.layout import ATTACHMENTS
from gitmem.store.files import Store

_ENDING = re.compile(r"\.[a-z0-9]{1,10}(?!\n)$")


def attachment_name(data: bytes, original: str) -> str:
    """Name bytes by their SHA-256 and the original's ending."""
    ending = os.path.splitext(original)[1].lower()
    return hashlib.sha256(data).hexdigest() + (ending if _ENDING.match(ending) else "")


def read_capped(path: str, limit: int) -> bytes:
    """Read a file that is to be attached; raise InvalidError over ``limit`` bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "name a readable file"
        raise EnvironmentProblem(f"can't read {path}: {reason}", hint) from None
    if len(data) > limit:
        hint = "attach a part of it, or raise limits.attachment_kib"
        raise InvalidError(f"{path} is larger than {limit // 1024} KiB", hint, "attachments")
    return data


def read_kept(path: str, limit: int) -> bytes:
    """Read a file as it is kept: of a picture nothing but what its pixels need.

    Raises:
        InvalidError: over ``limit`` bytes, or a picture whose metadata can't be taken out.
        EnvironmentProblem: it can't be read.

    """
    from gitmem.pictures.stripping import stripped

    return stripped(read_capped(path, limit), os.path.basename(path))


def attach(store: Store, data: bytes, name: str) -> None:
    """Write an attachment; the same content twice is one file."""
    try:
        store.create(f"{ATTACHMENTS}/{name}", data)
    except ConflictError:
        return
