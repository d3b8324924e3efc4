"""tox: runs tests of Python in environments of its own."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolFrames, ToolOutput

TOOL = Tool(
    "tox",
    order=51,
    language="python",
    output=ToolOutput(like=("pytest",), commands=("nox",)),
    command=ToolCommand(programs=("tox",)),
    files=ToolFiles(
        folders=frozenset({".tox"}),
        settings={"tox.ini": "tox"},
        turn=80,
        commands={"tox.ini": ("tox",)},
        services=(r"tox\.ini",),
    ),
    frames=ToolFrames(folders=(r"\.tox",), runner=("tox",)),
)
