"""Vitest: tests of JavaScript and TypeScript; its blocks are read as Jest's are."""

from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.outcome import CaseOutcome
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolTests
from gitmem.tools.forms import LISTED, CountForm, GroupForm, MarkedTitle

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
        programs=("vitest",),
        comparable=True,
        only_tests=("",),
    ),
)
