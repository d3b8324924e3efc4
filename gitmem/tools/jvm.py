"""Programs on the JVM: exceptions that nobody caught."""

from types import MappingProxyType
from typing import Final

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolReports,
)
from gitmem.tools.common.jvm_traces import parse

_LIBRARIES: Final = (
    r"(?:com\.google\.(?:common|gson)|kotlinx|net\.bytebuddy|net\.sf\.cglib|scala|com\.fasterxml"
    r"|com\.(?:mysql|zaxxer)|org\.(?:postgresql|h2|sqlite|hibernate|slf4j|jooq|yaml\.snakeyaml)"
    r"|oracle\.jdbc|io\.(?:netty|reactivex)|reactor\.core|okhttp3|retrofit2|ch\.qos\.logback"
    r"|org\.(?:assertj|easymock|hamcrest|mockito|objenesis|powermock|springframework))[.$]"
)

_NAMES: Final = (
    rf"{_LIBRARIES}|(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|groovy|clojure|androidx?|dalvik"
    r"|com\.intellij|edu\.umd\.cs|org\.eclipse\.jdt)[.$]"
)

TOOL = Tool(
    "jvm",
    order=200,
    language="java",
    bears=("java",),
    output=ToolOutput(
        words=("xception", "rror", "Failure"),
        beside=("\tat ",),
        needs=r"at ",
        commands=("sbt",),
        parse=parse,
    ),
    command=ToolCommand(programs=("java",)),
    identity=ToolIdentity(
        assertions=("AssertionError", "AssertionFailedError", "ComparisonFailure")
    ),
    frames=ToolFrames(
        files=("Native Method", "Unknown Source"),
        names=MappingProxyType({"java": _NAMES}),
        library_names=MappingProxyType({"java": _LIBRARIES}),
        asserting=("check(?:State|Argument|NotNull|ElementIndex)", r"throw[A-Z]\w*Exception"),
        raising=(r"(?:^|[.:])\w*(?:Exception|Error)\.(?:<?\w+>?)$",),
        clean=(
            (30, r"\$\$?Lambda[\w$/.]*", ""),
            (40, r"lambda\$(\w+)\$\d+", r"\1"),
            (50, r"access\$\d+|\$\d+\b|\$\$[\w$]+", ""),
        ),
        evidence_names=(r"(?:java|javax|jdk|sun|com\.sun|scala|groovy)[./]",),
    ),
    ending=ToolEnding(uncaught=(r"^Exception in thread \"main\" ",)),
    reports=ToolReports(traces=r"(?m:^\s+at [\w.$/@]+\([^()]*\)$|^Caused by: )"),
)
