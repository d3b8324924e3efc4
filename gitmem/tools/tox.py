"""tox and nox: run tests of Python in environments of their own."""

from gitmem.tools.base import Tool, ToolFiles, ToolOutput

TOOL = Tool(
    "tox",
    order=51,
    language="python",
    output=ToolOutput(like=("pytest",), commands=("tox", "nox")),
    files=ToolFiles(
        folders=frozenset({".tox", ".nox"}),
        settings={"tox.ini": "tox", "noxfile.py": "nox"},
        turn=80,
        commands={"tox.ini": ("tox",), "noxfile.py": ("nox",)},
    ),
)
