"""Services that run a project's checks, as GitHub Actions and GitLab do."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "ci-services",
    order=340,
    language="yaml",
    silence=ToolSilence(passes=(r"continue-on-error:\s*true", r"allow_failure:\s*true")),
)
