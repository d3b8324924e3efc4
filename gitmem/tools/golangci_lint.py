"""golangci-lint: rules for Go."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "golangci_lint",
    order=231,
    language="go",
    bears=("golangci-lint",),
    silence=ToolSilence(
        allows=(r"//\s*nolint\b",),
        settings=(r"\.golangci\.ya?ml",),
        looser=(r"\bdisabled?\b\s*[=:]", r"\bexclude\w*\b\s*[=:]"),
    ),
)
