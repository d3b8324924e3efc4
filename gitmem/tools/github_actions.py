"""GitHub Actions: runs what checks a project."""

from gitmem.tools.base import Tool, ToolFiles, ToolSilence

TOOL = Tool(
    "github_actions",
    order=340,
    language="yaml",
    bears=("github-actions",),
    silence=ToolSilence(passes=(r"continue-on-error:\s*true",)),
    files=ToolFiles(
        settings={".github/workflows/": "GitHub Actions"}, services=(r"\.github", "dependabot")
    ),
)
