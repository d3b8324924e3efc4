"""Sphinx: faults in documents, by their line; with -W a warning ends the build as well."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "sphinx",
    order=323,
    language="restructuredtext",
    output=ToolOutput(
        words=(": ERROR: ", ": WARNING: ", ": CRITICAL: "),
        needs=r": (?:WARNING|ERROR|CRITICAL|SEVERE): ",
        parse=faults_of(
            "sphinx",
            "restructuredtext",
            r"(?P<file>[^\s:][^:\n]{0,400}?(?:\.(?:rst|rest|txt|inc|md|myst|ipynb|pyi?)"
            r"|(?=:docstring of )))(?::docstring of [\w.]+)?:(?:(?P<line>\d{1,7}):)? "
            r"(?:WARNING|ERROR|CRITICAL|SEVERE): (?P<message>\S.*?)"
            r"(?: \[(?P<code>[a-z_]+(?:\.[\w-]+)?)\])?$",
        ),
        closing=r"build finished with problems, \d+ warnings?.*",
    ),
    command=ToolCommand(programs=("sphinx-build",), comparable=True),
)
