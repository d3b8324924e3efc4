"""HTML Tidy: errors of a page, each with line and column; the page is named on the command line."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "tidy",
    order=428,
    language="html",
    output=ToolOutput(
        words=(" - Error: ",),
        parse=faults_of(
            "tidy",
            "html",
            r"(?:(?P<file>\S.{0,300}?):(?P<line>\d{1,7}):(?P<column>\d{1,5}): (?:Error: )?"
            r"|line \d{1,7} column \d{1,5} - Error: )(?P<message>\S.*)$",
        ),
        closing=(
            r"Tidy found \d+ warnings? and \d+ errors?!|This document has errors that must be .*"
            r"|using HTML Tidy to generate a tidied up version\."
        ),
    ),
    command=ToolCommand(programs=("tidy",), comparable=True),
)
