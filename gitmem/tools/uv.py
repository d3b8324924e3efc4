"""uv: packages of Python; its messages are read where pip's are."""

from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput

TOOL = Tool(
    "uv",
    order=291,
    language="python",
    output=ToolOutput(like=("pip",)),
    command=ToolCommand(programs=("uv",), starts=("uv run",)),
    files=ToolFiles(locks=("uv.lock",), sections={"uv": "uv"}, aside=(r"uv\.lock",)),
)
