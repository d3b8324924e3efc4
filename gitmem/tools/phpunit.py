"""PHPUnit: tests of PHP; its failures are read where PHP's are."""

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
)

TOOL = Tool(
    "phpunit",
    order=261,
    language="php",
    output=ToolOutput(like=("php",)),
    command=ToolCommand(
        programs=("phpunit",),
        comparable=True,
        shows=r"--(?:testdox|do-not-cache-result|no-progress|stop-on-\w+|display-[\w-]+)",
        narrows=r"--(?:filter|group|exclude-group|testsuite).*",
        only_tests=("",),
    ),
    identity=ToolIdentity(compares="Failed asserting that "),
    silence=ToolSilence(
        skips=(r"\bmarkTest(?:Skipped|Incomplete)\(",),
        runner_settings=(r"phpunit\.xml(?:\.dist)?",),
        narrower=("<exclude>", r"--exclude\w*"),
    ),
    frames=ToolFrames(runner=("phpunit",)),
    ending=ToolEnding(early="--stop-on-.*"),
)
