"""What is attached to a record: looked at before it is written, or refused where it can't be."""

import os
from typing import TYPE_CHECKING

from gitmem.errors import InvalidError
from gitmem.memory.core.redaction import redact
from gitmem.pictures.forms import form
from gitmem.store import attachments
from gitmem.store.texts import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.memory.core.workspace import Workspace


def read_all(workspace: "Workspace", paths: "Iterable[str]") -> dict[str, bytes]:
    """Give files as they are attached, by the names that they get.

    Raises:
        InvalidError: one is too large, or neither a text nor a picture; nothing was written.

    """
    most = workspace.site.config.limits_attachment_kib * 1024
    contents = {path: attachments.read_kept(path, most) for path in paths}
    contents = {path: kept(workspace, path, data) for path, data in contents.items()}
    return {attachments.attachment_name(data, path): data for path, data in contents.items()}


def attach_all(workspace: "Workspace", names: "Mapping[str, bytes]") -> None:
    """Write what ``read_all`` gave, by name."""
    for name, data in names.items():
        attachments.attach(workspace.store, data, name)


def kept(workspace: "Workspace", path: str, data: bytes) -> bytes:
    """Give a file as it is attached: a text without its secrets, a picture as it is.

    Raises:
        InvalidError: it is neither, so nobody can tell what is in it.

    """
    if form(data):
        return data
    read = as_text(data)
    if read is None:
        hint = "attach the part of it that matters as a text, or a picture"
        name = os.path.basename(path)
        raise InvalidError(f"{name} can't be searched for secrets", hint, "attachments")
    text, coding = read
    clean, findings = redact(workspace, text)
    if not findings:
        return data
    kinds = ", ".join(sorted({finding.kind for finding in findings}))
    workspace.notices.append(f"secrets were removed from {os.path.basename(path)}: {kinds}")
    return str(clean).encode(coding, "surrogateescape")
