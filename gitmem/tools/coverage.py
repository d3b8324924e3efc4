"""Coverage.py: which lines of Python ran, and how many have to."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolFiles, ToolFrames, ToolSilence

TOOL = Tool(
    "coverage",
    order=124,
    language="python",
    silence=ToolSilence(
        allows=(r"pragma:\s*no cover",), bars=MappingProxyType({"fail[_-]under": False})
    ),
    frames=ToolFrames(runner=("coverage",)),
    files=ToolFiles(
        noise=(".coverage", ".coverage.*", "coverage.xml", "coverage.json"),
        folders=frozenset({"htmlcov"}),
        sections={"coverage": "coverage.py"},
        services=(r"\.coveragerc", r"\.?codecov"),
    ),
)
