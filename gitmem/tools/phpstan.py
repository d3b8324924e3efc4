"""PHPStan: types of PHP."""

from gitmem.tools.base import Tool, ToolFiles, ToolSilence

TOOL = Tool(
    "phpstan",
    order=263,
    language="php",
    silence=ToolSilence(
        allows=("phpstan-ignore",),
        settings=(r"phpstan\.neon(?:\.dist)?",),
        looser=(r"\bignoreErrors\b", r"\blevel:\s*\d", r"\bexclude\w*\b\s*[=:]"),
    ),
    files=ToolFiles(aside=(r"phpstan\.neon(?:\.dist)?",)),
)
