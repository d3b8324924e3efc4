"""ExUnit: tests of Elixir, also as examples in its documents."""

from gitmem.tools.base import Tool, ToolSilence

TOOL = Tool(
    "exunit",
    order=331,
    language="elixir",
    silence=ToolSilence(
        skips=("@tag :skip",), defines=("test",), groups=("describe",), example=("iex>",)
    ),
)
