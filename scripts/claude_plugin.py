"""The plugin for Claude Code, written from the same tables as ``gitmem setup claude --hooks``."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from gitmem._version import __version__
from gitmem.assistants.assistant import TOOLS, RegistrationForm, nested
from gitmem.assistants.hook_files import entries

_FOLDER: Final = "plugins/claude-code"
_ABOUT: Final = "This repository's memory of past errors, fixes and decisions, asked by itself."


def files(root: Path) -> Iterator[tuple[Path, str]]:
    """Give every generated file of the plugin, and of the list that offers it."""
    plugin = {"name": "gitmem", "description": _ABOUT}
    folder = root / _FOLDER
    tool = TOOLS["claude"].formed(RegistrationForm(user=True))
    hooks: dict[str, Any] = {}
    for (_, *path), entry in entries("claude").items():
        hooks |= nested((*path,), entry)
    yield (
        root / ".claude-plugin" / "marketplace.json",
        _json({
            "name": "gitmem",
            "owner": {"name": "gitmem"},
            "metadata": {"description": "The plugin of gitmem."},
            "plugins": [{**plugin, "source": f"./{_FOLDER}"}],
        }),
    )  # fmt: skip
    version = {"version": __version__, "author": {"name": "gitmem"}, "license": "Apache-2.0"}
    yield folder / ".claude-plugin" / "plugin.json", _json({**plugin, **version})
    yield folder / ".mcp.json", _json(nested(tool.path, tool.entry))
    yield folder / "hooks" / "hooks.json", _json({"description": _ABOUT, "hooks": hooks})


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
