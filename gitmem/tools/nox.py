"""Nox: runs what checks Python in environments of its own."""

from gitmem.tools.base import Tool, ToolFiles, ToolFrames

TOOL = Tool(
    "nox",
    order=52,
    language="python",
    files=ToolFiles(
        folders=frozenset({".nox"}),
        settings={"noxfile.py": "nox"},
        turn=80,
        commands={"noxfile.py": ("nox",)},
    ),
    frames=ToolFrames(folders=(r"\.nox",)),
)
