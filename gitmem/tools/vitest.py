"""Vitest: tests of JavaScript and TypeScript; its blocks are read as Jest's are."""

from types import MappingProxyType
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import CaseOutcome
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolOutput,
    ToolReports,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_INVERTS, SPEC_SKIPS
from gitmem.tools.forms import LISTED, CountForm, GroupForm, MarkedTitle


def as_output(name: str, text: str, *, collecting: bool) -> str:  # noqa: ARG001  one form for all
    """Put the head before the text of a case that stands there in the output."""
    broken = "" if " > " in name else f" [ {name} ]"
    return f" FAIL  {name}{broken}\n{text.strip(chr(10))}\n"


_FILE: Final = (
    r"(?P<mark>[\u2713\u276f\xd7\u2193]) +(?:\|[^|]+\| )?(?P<name>\S+\.[cm]?[jt]sx?) "
    r"\((?P<numbers>\d+ tests?(?: \| .*?)?|\d+)\)(?: +\d+(?:\.\d+)?m?s)?(?: .*)?$"
)
_TIME: Final = lazily(r" +\d+(?:\.\d+)?m?s$")
_JOINT: Final = " > "
_SHALLOW: Final = 2
"""Blanks before a file; its tests have two more, and those of suites two for each."""


def outcome_of_title(marked: MarkedTitle) -> CaseOutcome | None:
    """Make a test of a title, which may have its file and suites before it."""
    title = _TIME.sub("", marked.title)
    if _JOINT in marked.title and marked.depth <= _SHALLOW + 1:
        file, _, test = title.partition(_JOINT)
        parts = [file, test] if "." in file or not marked.own else [marked.file, file, test]
        return CaseOutcome("vitest", _JOINT.join(parts), marked.status)
    if (marked.depth - _SHALLOW) // 2 > len(marked.above):
        return None  # a suite is missing
    return CaseOutcome("vitest", _JOINT.join([marked.file, *marked.above, title]), marked.status)


TOOL = Tool(
    "vitest",
    order=161,
    language="javascript",
    tests=ToolTests(
        begins=("Tests", "RUN ", "\u2713 ", "\u276f ", "\xd7 ", "\u2193 "),
        ends=(" tests)",),
        groups=(GroupForm(_FILE),),
        counts=(
            CountForm(
                "Tests ",
                r"Tests +(?:no tests|(?:\d+ (?:failed|passed|skipped|todo)(?: \| )?)+ \(\d+\))$",
                LISTED,
                again=True,
            ),
        ),
        restarts=r"RUN +v\d",
        title_file=_FILE,
        title_joint=_JOINT,
        title_outcome=outcome_of_title,
        names_failing=True,
    ),
    output=ToolOutput(like=("jest",)),
    command=ToolCommand(
        programs=("vitest",), comparable=True, narrows="--testNamePattern.*", only_tests=("",)
    ),
    files=ToolFiles(settings={"vitest.config.*": "Vitest"}),
    silence=ToolSilence(
        skips=(SPEC_SKIPS, "--passWithNoTests"),
        inverts=(SPEC_INVERTS,),
        defines=("it", "test"),
        groups=("describe",),
        asserts=(SPEC_ASSERTS,),
        runner_settings=(r"vitest\.config\.\w+", r"vite\.config\.\w+", r"package\.json"),
        narrower=(r"\bexclude\w*\b", r"--exclude\w*", r"\btestNamePattern"),
        bars=MappingProxyType({r"threshold\w*": False}),
    ),
    frames=ToolFrames(runner=("@?vitest",)),
    ending=ToolEnding(early="--bail.*|-t"),
    reports=ToolReports(suites="vitest tests", joint=" > ", case=as_output, options="--outputFile"),
)
