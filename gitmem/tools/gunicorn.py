"""Gunicorn: why a worker did not start stands above what its master says of it."""

from gitmem.tools.base import Tool, ToolOutput

TOOL = Tool(
    "gunicorn",
    order=364,
    language="python",
    output=ToolOutput(
        closing=(
            r"(?:\[[^\]\n]{1,40}\] ){0,3}(?:Reason: (?:App|Worker) failed to (?:load|boot)\.$"
            r"|Shutting down: Master$"
            r"|Worker \(pid:\d+\) (?:exited with code|was sent) |Worker failed to boot\.$)"
        )
    ),
)
