"""JUnit, and what its tests are written with: it is run by Gradle, Maven and others."""

from types import MappingProxyType

from gitmem.tools.base import Tool, ToolFrames, ToolSilence

TOOL = Tool(
    "junit",
    order=202,
    language="java",
    silence=ToolSilence(
        skips=(r"@(?:Disabled|Ignore)\b", r"\bassume(?:True|False|That)\("), mark=r"@Test\b"
    ),
    frames=ToolFrames(
        names=MappingProxyType({"java": r"(?:junit|org\.(?:junit|opentest4j|testng))[.$]"}),
        asserting=("fail(?:NotEquals|NotSame|Same)",),
        evidence_names=(r"(?:org\.)?junit[./]",),
    ),
)
