"""just: recipes of a project; that one failed is read where make's messages are."""

import re
from typing import Final

from gitmem.tools.base import Tool, ToolFiles

_RECIPE: Final = re.compile(r"^@?([A-Za-z][\w-]*)(?:[^\S\n][^\n:=]*)?:(?!=)", re.MULTILINE)

TOOL = Tool(
    "just", order=313, files=ToolFiles(turn=20, runs={"justfile": "just "}, targets=_RECIPE.findall)
)
