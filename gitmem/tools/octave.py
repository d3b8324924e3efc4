"""Octave: what it prints after an error only closes."""

from gitmem.tools.base import Tool, ToolCommand, ToolOutput

TOOL = Tool(
    "octave",
    order=356,
    language="matlab",
    output=ToolOutput(
        closing=(
            r"(?:error: )?(?:called from\s*$|ignoring const \w+& while preparing to exit)"
            r"|octave: (?:X11 DISPLAY|disabling GUI)"
        )
    ),
    command=ToolCommand(programs=("octave", "octave-cli")),
)
