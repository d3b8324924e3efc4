"""Node and other programs on V8: errors that nobody caught."""

from gitmem.tools.base import Tool, ToolCommand, ToolFrames, ToolIdentity, ToolOutput, ToolTitle
from gitmem.tools.common.v8_traces import parse

TOOL = Tool(
    "node",
    order=210,
    language="javascript",
    output=ToolOutput(
        words=("rror", "xception"),
        beside=("    at ",),
        commands=("ts-node", "tsx"),
        parse=parse,
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
)
