"""uv: packages of Python; its messages are read where pip's are."""

from gitmem.tools.base import Tool, ToolFiles, ToolOutput

TOOL = Tool(
    "uv",
    order=291,
    language="python",
    output=ToolOutput(like=("pip",), commands=("uv",)),
    files=ToolFiles(
        locks=("uv.lock",),
        sections={"uv": "uv"},
    ),
)
