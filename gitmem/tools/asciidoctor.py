"""Asciidoctor: what is wrong in a document, each fault in a line."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "asciidoctor",
    order=314,
    language="asciidoc",
    output=ToolOutput(
        words=("asciidoctor: ",),
        parse=faults_of(
            "asciidoctor",
            "asciidoc",
            r"asciidoctor: (?:ERROR|FAILED|(?P<level>WARNING|INFO|DEBUG)): "
            r"(?:(?P<file>[^\s:][^:\n]{0,300}): line (?P<line>\d{1,7}): )?(?P<message>\S.*)$",
            mild="INFO|DEBUG",
        ),
    ),
    command=ToolCommand(programs=("asciidoctor",), comparable=True),
)
