"""What is attached to a record: looked at before it is written, or refused where it can't be."""

import os
from typing import TYPE_CHECKING

from gitmem.errors import InvalidError
from gitmem.memory.core.redaction import redact
from gitmem.pictures.forms import form
from gitmem.store.texts import as_text

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace


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
