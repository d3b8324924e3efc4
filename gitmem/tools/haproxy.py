"""HAProxy: what is wrong in its configuration, with file and line."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput
from gitmem.tools.common.line_faults import faults_of

TOOL = Tool(
    "haproxy",
    order=405,
    language="haproxy",
    output=ToolOutput(
        words=("[ALERT]",),
        parse=faults_of(
            "haproxy",
            "haproxy",
            r"\[ALERT\] +\(\d+\) : (?:config : )?(?:parsing )?"
            r"\[(?P<file>[^\]:\n]{1,300}):(?P<line>\d{1,7})\] : (?P<message>\S.*)$",
        ),
        closing=(
            r"\[ALERT\] +\(\d+\) : config : (?:Error\(s\) found in configuration file : .*"
            r"|Fatal errors found in configuration\.)"
        ),
    ),
    command=ToolCommand(programs=("haproxy",)),
)
