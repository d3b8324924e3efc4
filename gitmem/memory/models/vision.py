"""Reads a picture with a vision model: on request, priced before, marked in the record."""

import os
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import InvalidError, UsageError
from gitmem.llm.answers import Screenshot
from gitmem.llm.modelled import TAG, Modelled
from gitmem.llm.vision import VIEWS, address
from gitmem.memory.core.redaction import redact_for_model
from gitmem.memory.models.model_calls import ModelRequest, ask
from gitmem.pictures import forms, reader
from gitmem.pictures.picture_text import read
from gitmem.store.attachments import read_kept

if TYPE_CHECKING:
    from gitmem.llm.approval import Approve
    from gitmem.memory.core.workspace import Workspace

_READ: Final = frozenset({"error", "code"})
"""Where what was read here helps the model."""


def look(workspace: "Workspace", path: str, what: str, approve: "Approve | None") -> Modelled:
    """Ask the model of ``llm.vision_model`` about a picture; see ``Models.look``."""
    view = VIEWS.get(what)
    if view is None:
        raise UsageError(f"{what!r} can't be looked for", f"one of {', '.join(VIEWS)}")
    name = os.path.basename(path)
    data = read_kept(path, workspace.site.config.limits_attachment_kib * 1024)
    form = forms.form(data)
    if not form:
        raise InvalidError(f"{name} is not a picture", "give a PNG, JPEG, WebP or GIF file")
    material: dict[str, Any] = {"file": name}
    if reader.installed():
        text = read(data, name).text
        # Of a text secrets can be taken out, of a picture they can't.
        if redact_for_model(workspace, text)[1]:
            raise UsageError(
                f"not sent: {name} shows what looks like a secret", "black it out in the picture"
            )
        if what in _READ:
            material["read_here"] = text
    image = address(data, form)
    request = ModelRequest(view.prompt, view.title, material, frozenset(), picture=image)
    return ask(workspace, request, view.form, approve)[1]


def screenshot_fields(answer: Modelled) -> dict[str, Any]:
    """Give the fields of an error record; the guessed cause says whose words it is."""
    screenshot = answer.answer
    if not isinstance(screenshot, Screenshot):
        raise TypeError(answer.prompt)
    location = (
        {"file": screenshot.file, "line": screenshot.line or None} if screenshot.file else None
    )
    excerpt = "\n".join(
        [*screenshot.key_frames, f"{screenshot.error_type}: {screenshot.message}".strip(": ")]
    )
    fields: dict[str, Any] = {
        "error_type": screenshot.error_type,
        "message": screenshot.message,
        "location": location and {key: value for key, value in location.items() if value},
        "excerpt": excerpt,
        "cause": f"{' '.join(screenshot.suspected_cause.split())} ({answer.origin})",
        "tags": [TAG],
    }
    return {name: value for name, value in fields.items() if value}
