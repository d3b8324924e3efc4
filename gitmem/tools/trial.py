"""Trial, of Twisted: tests of Python."""

from gitmem.tools.base import Tool, ToolFrames

TOOL = Tool(
    "trial", order=62, language="python", frames=ToolFrames(runner=("trial", "twisted/trial"))
)
