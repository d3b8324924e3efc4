"""PHPUnit: tests of PHP; its failures are read where PHP's are."""

from gitmem.tools.base import Tool, ToolEnding, ToolOutput

TOOL = Tool(
    "phpunit",
    order=261,
    language="php",
    output=ToolOutput(like=("php",), commands=("phpunit",)),
    ending=ToolEnding(early="--stop-on-.*"),
)
