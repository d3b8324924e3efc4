"""``pyproject.toml``: what a project of Python says to all tools that build and install it."""

from collections.abc import Mapping
from typing import Any

from gitmem.tools.base import Tool, ToolFiles
from gitmem.tools.common.requirements import plain, required


def read_manifest(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read ``pyproject.toml``, as the standard has it and as Poetry did before."""
    project: Mapping[str, Any] = data.get("project", {})
    poetry: Mapping[str, Any] = data.get("tool", {}).get("poetry", {})
    needed = poetry.get("dependencies", {})
    groups = [*project.get("optional-dependencies", {}).values(),
              *data.get("dependency-groups", {}).values()]  # fmt: skip
    more = [group.get("dependencies", {}) for group in poetry.get("group", {}).values()]
    stated = [
        *project.get("dependencies", ()),
        *needed,
        *(requirement for group in groups for requirement in group),
        *(requirement for table in more for requirement in table),
    ]
    own = str(project.get("name") or poetry.get("name") or "")
    libraries = [
        library for library in required(stated) if plain(library) not in ("python", plain(own))
    ]
    building = required(data.get("build-system", {}).get("requires", ()))
    return {
        "name": own,
        "about": project.get("description", poetry.get("description", "")),
        "wants": project.get("requires-python", needed.get("python", "")),
        "libraries": libraries,
        "declared": {plain(library) for library in (*libraries, *building)} - {plain(own)},
        "sections": tuple(data.get("tool", {})),
    }


TOOL = Tool(
    "pyproject",
    order=294,
    language="python",
    files=ToolFiles(
        manifests=("pyproject.toml",),
        supplies=("pyproject.toml",),
        reads={"pyproject.toml": "Python"},
        read=read_manifest,
        aside=(r"pyproject\.toml",),
    ),
)
