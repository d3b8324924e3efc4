"""One file: its failures, what was tried on them, and the decisions that govern it."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask


async def page(request: Request) -> Response:
    """Show what is known about the file."""
    path = request.query_params.get("path", "").strip()
    values: dict[str, Any] = {"file": path, "about": None}
    if path:
        values |= await ask(request, lambda memory: _values(memory, path))
    return view.page(request, "file.html", values)


def _values(memory: Memory, path: str) -> dict[str, Any]:
    return {"about": memory.editor.about(path), "folder": memory.workspace.site.repository_root}
