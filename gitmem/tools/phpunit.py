"""PHPUnit: tests of PHP; its failures are read where PHP's are."""

from gitmem.tools.base import Tool, ToolFrames, ToolOutput, ToolSilence

TOOL = Tool(
    "phpunit",
    order=261,
    language="php",
    output=ToolOutput(like=("php",), commands=("phpunit",)),
    silence=ToolSilence(
        skips=(r"\bmarkTest(?:Skipped|Incomplete)\(",),
        runner_settings=(r"phpunit\.xml(?:\.dist)?",),
        narrower=("<exclude>", r"--exclude\w*"),
    ),
    frames=ToolFrames(runner=("phpunit",)),
)
