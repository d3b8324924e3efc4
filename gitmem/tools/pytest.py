"""pytest: blocks in the long, short and native style, one-line style, summary, collection."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, ParserResult, excerpt
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolReports,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.pytest_block import TraceBlock, read
from gitmem.tools.common.pytest_lines import (
    IN_SUBTESTS,
    LINE_STYLE,
    SUMMARY,
    as_output,
    named_subtest,
    node_id,
    read_line,
    read_summary,
)
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.forms import LISTED, CountForm, GroupForm, LineForm

_SECTION: Final = re.compile(r"=+ (FAILURES|ERRORS) =+$")
_RULE: Final = re.compile(r"={3,}.*={3,}$")
_HEAD: Final = re.compile(r"_+ (?!_ )(\S.{0,400}?) _+$")
_OUTPUT: Final = re.compile(
    r"-+ (?:Captured|generated|live log) .{1,80} -+$|-+ benchmark.{0,80}-+$"
)
_PROGRESS: Final = re.compile(
    r"(?:\[gw\d+\] )?(\S+\.py::\S.{0,400}?) (FAILED|ERROR)\s*(?:\[ *\d+%\])?$"
)
_PLACE: Final = re.compile(
    r"(?:[^\s:][^:\n]{0,400}\.\w{1,5}|<[^>\n]{1,200}>):(\d+): (?:[A-Z]\w+[\w.]*$|in .|$)"
)
_MOST: Final = 3_000


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a section, a block or a line of the summary."""
    line = lines[at]
    if _SECTION.match(line):
        return _section(lines, at)
    if _HEAD.match(line):
        return _blocks(lines, at, at)
    summary = SUMMARY.match(line)
    if summary:
        if IN_SUBTESTS.match(summary["reason"] or ""):
            return passed_over(at, at + 1)  # what is in it was told for itself
        name = named_subtest(summary["name"], summary["label"] or "")
        return read_summary(lines, at, summary[1], name, summary["reason"] or "")
    progress = _PROGRESS.match(line)
    if progress:
        return read_summary(lines, at, progress[2], progress[1], "")
    if line.startswith("E  ") or _PLACE.match(line):
        return _snippet(lines, at, floor)
    return None


def _section(lines: Sequence[str], at: int) -> ParserResult:
    start = at + 1
    while start < len(lines) and not lines[start].strip():
        start += 1
    if start < len(lines) and _HEAD.match(lines[start]):
        return _blocks(lines, at, start) or passed_over(at, at + 1)
    failures: list[Failure] = []
    end = start
    while end < len(lines) and not _RULE.match(lines[end]):
        match = LINE_STYLE.match(lines[end])
        if match:
            failures.append(read_line(match, lines[end]))
        elif _HEAD.match(lines[end]):
            break
        end += 1
    if not failures:
        return passed_over(at, at + 1)
    return ParserResult(tuple(failures), at, end)


def _blocks(lines: Sequence[str], start: int, at: int) -> ParserResult | None:
    """Read block after block, up to the next section or the end of what is here."""
    failures: list[Failure] = []
    while at < len(lines):
        head = _HEAD.match(lines[at])
        if not head:
            break
        body, end = _extent(lines, at + 1)
        failure = read(TraceBlock(head[1], lines[at + 1 : body]))
        if failure:
            failures.append(failure._replace(excerpt=excerpt(lines, at, body)))
        at = end
    return ParserResult(tuple(failures), start, at) if failures else None


def _extent(lines: Sequence[str], at: int) -> tuple[int, int]:
    """Find where a block's trace ends, and where the block with its captured output does."""
    body = 0
    most = min(len(lines), at + _MOST)
    while at < most:
        line = lines[at]
        if line[:1] in "_=-":
            if _HEAD.match(line) or _RULE.match(line):
                break
            if not body and _OUTPUT.match(line):
                body = at
        at += 1
    return body or at, at


def _snippet(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a block whose head is not there, as people paste it."""
    start = at
    least = max(floor, at - 400)
    while start > least and not (_RULE.match(lines[start - 1]) or _HEAD.match(lines[start - 1])):
        start -= 1
    name = ""
    if start > least:
        head = _HEAD.match(lines[start - 1])
        name = head[1] if head else ""
    body, end = _extent(lines, at)
    failure = read(TraceBlock(name, lines[start:body]))
    if failure and not (name or failure.message) and _is_listed(lines, end):
        return passed_over(start, end)  # the end of a block that ``tail`` cut off
    return one(failure, lines, start - bool(name), body)._replace(end=end) if failure else None


def _is_listed(lines: Sequence[str], at: int) -> bool:
    """Tell whether a summary follows, which names every test that failed."""
    return any(map(SUMMARY.match, lines[at : at + _MOST]))


_NODE: Final = r"[^\s:]\S*?\.\w+(?:::(?:[^\[\s]|\[.*?\](?= - | *$| (?:[A-Z]+\b))|\[)+)+"
_WORKER: Final = r"(?:\[gw\d+\] (?:\[ *\d+%\] )?)?"
_DOTS: Final = r"(?P<dots>[.FEsxXRu]+)\s*(?:\[ *\d+%\])?$"

TOOL = Tool(
    "pytest",
    order=50,
    language="python",
    output=ToolOutput(
        words=("= FAILURES =", "= ERRORS =", "___ ", "FAILED", "ERROR ", ".py:"),
        beside=("E  ",),
        parse=parse,
    ),
    tests=ToolTests(
        begins=(
            "no tests ",
            "PASS",
            "FAIL",
            "ERROR ",
            "XFAIL ",
            "XPASS ",
            "SKIP",
            "SUBFAILED",
            "[gw",
            "= ",
            "==",
        ),
        ends=("FAILED", "PASSED", "SKIPPED", "ERROR", "XFAIL", "XPASS", "%]"),
        numbered=r" (?:x?passed|x?failed|errors?|skipped|deselected|warnings?|subtests)",
        shape=r"\S+\.\w+::\S",
        inside=("::",),
        lines=(
            LineForm(
                "::",
                rf"{_WORKER}(?P<name>{_NODE}) (?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)"
                r"(?: \(.*\))?\s*(?:\[ *\d+%\])?$",
            ),
            LineForm(
                "::",
                rf"{_WORKER}(?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|SUBFAILED)"
                rf"(?:\(.*?\) |\[.*?\] | )(?P<name>{_NODE})(?: - .*)?\s*$",
            ),
        ),
        opens=(r"(?P<name>\S+\.py::\S+) ",),
        groups=(
            GroupForm(
                rf"(?P<name>\S+\.\w+) {_DOTS}",
                more=_DOTS,
                signs={
                    ".": PASSED,
                    "X": PASSED,
                    "F": FAILED,
                    "E": ERROR,
                    "s": SKIPPED,
                    "x": SKIPPED,
                    "u": FAILED,
                },
            ),
        ),
        counts=(
            CountForm(
                " in ",
                r"(?:=+ )?(?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?"
                r"|errors?|rerun|subtests passed|subtests failed)(?:, )?)+ in [\d.]+s\b.*$",
                LISTED,
            ),
            CountForm("no tests ", r"(?:=+ )?no tests (?:ran|collected) in [\d.]+s\b.*$"),
        ),
        names_failing=True,
    ),
    command=ToolCommand(
        programs=("pytest",),
        wrappers=("py.test",),
        comparable=True,
        shows=r"--tb=.*|--no-(?:header|summary)|--durations=\d+|--show-locals|--exitfirst|--maxfail=\d+",
        narrows=(
            "--lf|--last-failed|--ff|--failed-first|--nf|--new-first|--sw|--stepwise|--deselect.*"
        ),
        valued=("-n", "--tb", "--maxfail"),
        last_failed=("--lf", "--last-failed"),
        only_tests=("",),
    ),
    files=ToolFiles(
        tests=r"(?:.*/)?conftest\.py",
        collects=r"(?:.*/)?(?:test_[^/]+|[^/]+_test)\.py",
        folders=frozenset({".pytest_cache"}),
        settings={"pytest.ini": "pytest"},
        sections={"pytest": "pytest"},
        turn=90,
        commands={"pytest.ini": ("pytest",)},
        signs={"pyproject.toml": "[tool.pytest"},
        variables=("PYTEST_CURRENT_TEST",),
    ),
    identity=ToolIdentity(
        assertions=("Failed",),
        compares="assert ",
        origin=" + where ",
        silent=r"DID NOT (?:RAISE|WARN)\b|Regex pattern did not match|the worker crashed$",
    ),
    silence=ToolSilence(
        skips=(
            r"@?pytest\.mark\.(?:skip|skipif|xfail)\b",
            r"pytest\.(?:skip|xfail|importorskip)\(",
            "collect_ignore",
            r"--deselect\b",
            "--ignore(?:-glob)?[= ]",
            r"-[km] ['\"]?not\b",
        ),
        inverts=(r"pytest\.mark\.xfail\b",),
        covers=("pytestmark",),
        runner_settings=(r"pytest\.ini",),
        bars=MappingProxyType({"--cov-fail-under": False}),
        definition=r"\s*(?:async )?def (?P<name>test\w*)\(",
    ),
    frames=ToolFrames(runner=("_?pytest", "pluggy"), evidence=(r"(?:^|/)_?pytest(?:/|\.py$)",)),
    ending=ToolEnding(
        codes=frozenset({1}),
        no_tests=5,
        early=r"-(?!r)[a-zA-Z]*x.*"
        r"|--(?:exitfirst|maxfail|sw|stepwise|lf|last-failed|fail-?fast)\b.*",
        at_once=r"(?s:-n.*|--numprocesses.*)",
        # With -x and --maxfail, with xdist, too; after errors while it collects; in its own code.
        stopped=("stopping after ", "Interrupted: ", "INTERNALERROR"),
        apart=True,
        by_name="::",
    ),
    reports=ToolReports(
        suites=r"(?s:pytest.*)",
        texts=r"\.py:\d+: ",
        options="--(?:junit-?xml|html|report-log|cov-report=(?:xml|html|json|lcov))",
        files=(".py",),
        # The text tells the exception; the kind of failure stands before the message at times.
        kinds=r"(?s:.*)",
        heads=r"(?:failed on (?:setup|teardown) with|collection failure)\s*",
        name=node_id,
        case=as_output,
        sums=IN_SUBTESTS.pattern,
        plugin="GITMEM_PYTEST_REPORT",
        form="pytest-json",
        form_title="a pytest-json-report",
        form_signs=(r'"(?:exitcode|collectors)"\s*:', r'"created"'),
    ),
)
