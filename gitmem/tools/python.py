"""Python: exceptions that nobody caught, and modules that are not there."""

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
)
from gitmem.tools.common.python_traces import parse

TOOL = Tool(
    "python",
    order=70,
    language="python",
    output=ToolOutput(
        words=("Traceback (most recent call last)", 'File "', "No module named"), parse=parse
    ),
    command=ToolCommand(programs=("python",), modules=r"python[\d.]*|pypy[\d.]*|py"),
    files=ToolFiles(
        noise=("*.pyc", "*.pyo"),
        folders=frozenset({"__pycache__", ".venv"}),
        installed="lib/python*/site-packages",
        interpreters=("python", "python3"),
        distribution=".dist-info",
    ),
    identity=ToolIdentity(assertions=("AssertionError",)),
    frames=ToolFrames(
        folders=("site-packages", "dist-packages", r"\.venv", r"\.eggs", r"\.pyenv", "pyodide"),
        paths=(
            "/python/(?:lib/)?pyspark/",
            r"(?:^|/)(?:lib(?:64)?|lib-dynload|Lib)/python\d?(?:\.\d+)?(?:/|$)",
            "/Lib/(?!site)",
            r"python[\d.]*/lib/",
            r"(?:^|/)Python\.framework/",
            "PYTHON_LIB",
        ),
        roots=("<frozen",),
        files=("<string>", "<stdin>"),
        libraries=("site-packages", "dist-packages"),
        runner=("runpy",),
        clean=(
            (10, r"<locals>\.", ""),
            (20, r"\.?<(?:lambda|listcomp|dictcomp|setcomp|genexpr)>", ""),
        ),
        evidence=(
            "site-packages",
            "dist-packages",
            "lib/python",
            "importlib",
            "<frozen",
            r"(?:^|/)runpy(?:/|\.py$)",
        ),
    ),
    ending=ToolEnding(
        interrupted=("KeyboardInterrupt",),
        uncaught=(
            r"^Traceback \(most recent call last\):\n  File .+, in (?:<module>|_run_module\w+)$",
        ),
        unreadable_types=("SyntaxError", "IndentationError", "TabError"),
    ),
)
