"""Node and other programs on V8: errors that nobody caught."""

from collections.abc import Iterator, Sequence

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolReports,
    ToolTests,
    ToolTitle,
)
from gitmem.tools.common.v8_traces import parse


def _moved_left(lines: Sequence[str]) -> Iterator[str]:
    """Take away the blanks before all lines; ``textwrap`` is slow to import, and does no more."""
    margins = [line[: -len(line.lstrip(" \t"))] for line in lines if line.strip(" \t")]
    least, most = min(margins, default=""), max(margins, default="")  # others lie between them
    unlike = (at for at, pair in enumerate(zip(least, most, strict=False)) if len({*pair}) > 1)
    depth = next(unlike, len(least))
    for line in lines:
        yield line[depth:] if line.strip(" \t") else ""


def as_output(name: str, text: str, *, collecting: bool) -> str:  # noqa: ARG001  one form for all
    """Give what node:test wraps: the cause, where there is one, else the error itself."""
    _, separator, cause = text.partition("\n  cause: ")
    if separator:
        return "\n".join(_moved_left(f"  {cause}".split("\n")))
    return text.strip().removeprefix("[").replace("\n] {\n", "\n{\n", 1)


TOOL = Tool(
    "node",
    order=210,
    language="javascript",
    output=ToolOutput(
        words=("rror", "xception"),
        beside=("    at ",),
        needs=r"at |@|:\d",
        commands=("ts-node", "tsx"),
        parse=parse,
    ),
    # Of ``node --test``: what is recorded of its tests bears this name.
    tests=ToolTests(
        begins=("\u2139 ",),
        parts=r"\u2139 (?P<word>tests|pass|fail|cancelled|skipped|todo) +(?P<number>\d+)$",
        titles_end=r"\u2716 failing tests:$",
        names_failing=True,
        names_each=True,
    ),
    command=ToolCommand(programs=("node",)),
    identity=ToolIdentity(
        code_at_place=True,
        assertions=("AssertionError",),
        silent=r"Missing expected (?:exception|rejection)",
    ),
    title=ToolTitle(differences=r"\+ actual - expected\b", filler=r"\s*\+ actual - expected$"),
    frames=ToolFrames(
        folders=("node_modules", "bower_components", "jspm_packages"),
        roots=(
            "(?:node|internal):",
            "internal/",
            "(?:native|evalmachine|webpack/|chrome-extension:)",
        ),
        files=(
            "<anonymous>",
            "native code",
            "events.js",
            "module.js",
            "timers.js",
            "util.js",
            "net.js",
            "fs.js",
            "assert.js",
            "node.js",
            "bootstrap_node.js",
            "child_process.js",
            "vm.js",
            "_stream_readable.js",
        ),
        libraries=("node_modules",),
        clean=(
            (20, r"\.?<(?:anonymous|computed)>", ""),
            (80, "^(?:async |new |static )", ""),
            (90, r" \[as [^\]]*\]$", ""),
            (100, r"^(?:Object|Module|Function|exports|global|window|self)\.", ""),
        ),
        nameless=(
            "Object",
            "Module",
            "Function",
            "Array",
            "Promise",
            "Proxy",
            "Timeout",
            "Context",
        ),
        evidence=(
            "node_modules",
            "^internal[/:]",
            "^node:",
            r"^(?:util|fs|events|module|net|timers|vm|child_process|bootstrap_node)\.js",
        ),
    ),
    ending=ToolEnding(early="--test-only", uncaught=(r"^Node\.js v\d",)),
    # Those of node:test, whose failures bear this name.
    reports=ToolReports(
        class_name="test",
        joint=" \u203a ",
        kinds="testCodeFailure|hookFailed|Error",
        case=as_output,
    ),
)
