"""GitLab's pipelines: they run what checks a project."""

from gitmem.tools.base import Tool, ToolFiles, ToolSilence

TOOL = Tool(
    "gitlab_ci",
    order=341,
    language="yaml",
    bears=("gitlab-ci",),
    silence=ToolSilence(passes=(r"allow_failure:\s*true",)),
    files=ToolFiles(settings={".gitlab-ci.yml": "GitLab CI"}, services=(r"\.gitlab(?:-ci)?",)),
)
