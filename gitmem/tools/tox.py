"""tox and nox: run tests of Python in environments of their own."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolFrames, ToolOutput

TOOL = Tool(
    "tox",
    order=51,
    language="python",
    output=ToolOutput(like=("pytest",), commands=("nox",)),
    command=ToolCommand(programs=("tox",)),
    files=ToolFiles(
        folders=frozenset({".tox", ".nox"}),
        settings={"tox.ini": "tox", "noxfile.py": "nox"},
        turn=80,
        commands={"tox.ini": ("tox",), "noxfile.py": ("nox",)},
    ),
    frames=ToolFrames(folders=(r"\.tox",), runner=("tox",)),
)
