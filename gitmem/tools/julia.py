"""Julia: its tests, also as examples in its documents."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "julia",
    order=332,
    language="julia",
    silence=ToolSilence(asserts=(r"^@test\b",), example=("jldoctest", "julia>")),
)
