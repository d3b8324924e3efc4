"""Meson: what it can't configure, with the line of the build file."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "meson",
    order=322,
    language="meson",
    output=ToolOutput(
        words=("meson.build:", "meson.options:", "meson_options.txt:"),
        parse=faults_of(
            "meson",
            "meson",
            r"(?P<file>(?:[^\s:][^:\n]{0,300}/)?meson(?:\.build|\.options|_options\.txt)):"
            r"(?P<line>\d{1,7}):(?P<column>\d{1,5}): (?:ERROR|(?P<level>WARNING)): "
            r"(?P<message>\S.*)$",
        ),
        closing=r"A full log can be found at .*",
    ),
    command=ToolCommand(programs=("meson",)),
)
