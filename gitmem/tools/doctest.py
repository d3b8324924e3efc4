"""doctest: examples of docstrings and documents that gave something else."""

from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFrames,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.examples import parse
from gitmem.tools.forms import LISTED, CountForm

TOOL = Tool(
    "doctest",
    order=80,
    language="python",
    output=ToolOutput(words=('File "', "Failed example:", "Trying:"), parse=parse),
    tests=ToolTests(
        numbered=" passed",
        counts=(CountForm(" passed", r"\d+ passed(?: and \d+ failed)?\.$", LISTED),),
    ),
    command=ToolCommand(programs=("doctest",), comparable=True, only_tests=("",)),
    silence=ToolSilence(example=(">>>",)),
    frames=ToolFrames(runner=("doctest",)),
    # Without apart: it ends with the first file in which something failed.
    ending=ToolEnding(codes=frozenset({1})),
)
