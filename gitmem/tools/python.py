"""Python: exceptions that nobody caught, and modules that are not there."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.python_traces import parse

TOOL = Tool(
    "python",
    order=70,
    language="python",
    output=ToolOutput(
        words=("Traceback (most recent call last)", 'File "', "No module named"),
        parse=parse,
    ),
    command=ToolCommand(
        programs=("python",),
        modules=r"python[\d.]*|pypy[\d.]*|py",
    ),
    files=ToolFiles(
        noise=("*.pyc", "*.pyo"),
        folders=frozenset({"__pycache__", ".venv"}),
        installed="lib/python*/site-packages",
        interpreters=("python", "python3"),
        distribution=".dist-info",
    ),
)
