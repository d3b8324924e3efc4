"""Istanbul, nyc and c8: which lines of JavaScript ran, and how many have to."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolFiles, ToolSilence

TOOL = Tool(
    "istanbul",
    order=215,
    language="javascript",
    silence=ToolSilence(
        allows=("(?:istanbul|c8|v8) ignore",),
        bars=MappingProxyType(
            {
                "branches": False,
                "functions": False,
                "lines": False,
                "statements": False,
                r"threshold\w*": False,
            }
        ),
    ),
    files=ToolFiles(noise=("*.lcov", "lcov.info"), folders=frozenset({".nyc_output"})),
)
