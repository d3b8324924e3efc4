"""nose: tests of Python."""

from gitmem.tools.base import Tool, ToolFrames

TOOL = Tool("nose", order=61, language="python", frames=ToolFrames(runner=("nose",)))
