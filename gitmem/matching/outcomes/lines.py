"""Runners that tell all about a test in one line: its name, how it ended, how long it took."""

import re
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.outcome import WORDS, CaseOutcome
from gitmem.output.test_names import of_gradle


class _LineForm(NamedTuple):
    """A form of such a line: the runner, a word that the line must hold, its pattern."""

    tool: str
    word: str
    pattern: re.Pattern[str]


_NODE: Final = r"[^\s:]\S*?\.\w+(?:::(?:[^\[\s]|\[.*?\](?= - | *$| (?:[A-Z]+\b))|\[)+)+"
_VERDICT: Final = r"(?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)"
_WORKER: Final = r"(?:\[gw\d+\] (?:\[ *\d+%\] )?)?"

_FORMS: Final = (
    _LineForm("pytest", "::", lazily(
        rf"{_WORKER}(?P<name>{_NODE}) {_VERDICT}(?: \(.*\))?\s*(?:\[ *\d+%\])?$")),
    _LineForm("pytest", "::", lazily(
        rf"{_WORKER}(?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|SUBFAILED)"
        rf"(?:\(.*?\) |\[.*?\] | )(?P<name>{_NODE})(?: - .*)?\s*$")),
    _LineForm("unittest", " ... ", lazily(
        r"(?P<test>\w+) \((?P<owner>[\w.<>]+)\)(?: [(\[].*[)\]])? \.\.\. "
        r"(?P<word>ok|FAIL|ERROR|skipped|expected failure|unexpected success)(?: .*)?$")),
    _LineForm("cargo", " ... ", lazily(
        r"test (?P<name>\S.*?)(?: - should panic| - compile(?: fail)?)? \.\.\. "
        r"(?P<word>ok|FAILED|ignored)(?:, .*)?(?: <[\d.]+s>)?$")),
    _LineForm("cargo", " --- FAILED", lazily(r"(?P<name>\w[\w:]*) --- (?P<word>FAILED)$")),
    _LineForm("cargo", "s] ", lazily(
        r"(?P<word>PASS|FAIL|SKIP|TIMEOUT) \[ *(?P<seconds>[\d.]+)s\] (?:\( *\d+/\d+\) )?"
        r"(?P<where>\S+(?: \S+)?) (?P<name>\S+)$")),
    _LineForm("gradle", " > ", lazily(
        r"(?P<name>[\w.$]+(?: > .+?)+) (?P<word>PASSED|FAILED|SKIPPED)(?: \([\d.]+ ?m?s\))?$")),
    _LineForm("dotnet", "ed ", lazily(
        r"(?P<word>Passed|Failed|Skipped) (?P<name>[\w+]+(?:\.[\w+]+)+(?:\(.*\))?)"
        r"(?: \[(?:< )?[\d., msh]+\])?$")),
    _LineForm("minitest", " s = ", lazily(
        r"(?P<name>[A-Z][\w:]*#test_.+?) = (?P<seconds>[\d.]+) s = (?P<word>[.FES])$")),
    _LineForm("gtest", " ms", lazily(
        r"\[ +(?P<word>OK|FAILED|SKIPPED) +\] (?P<name>[\w/]+\.[\w/]+)(?:, where .*)? "
        r"\((?P<ms>\d+) ms(?: total)?\)$")),
    _LineForm("unity", ":", lazily(
        r"(?P<where>[^\s:]+\.\w+):\d+:(?P<name>\w+):(?P<word>PASS|FAIL|IGNORE)(?:: .*)?$")),
    _LineForm("bun", ") ", lazily(
        r"\((?P<word>pass|fail|skip|todo)\) (?P<name>\S.*?)(?: \[[\d.]+ms\])?$")),
)  # fmt: skip
_CTEST: Final = lazily(
    r"\d+/\d+ +Test +#\d+: (?P<name>\S.*?) \.*\s*(?P<said>\S.*?) +(?P<seconds>[\d.]+) sec$"
)
_SKIPPING: Final = ("***Skipped", "(Disabled)")


def read_line(line: str) -> CaseOutcome | None:
    """Read a line without the blanks around it; None if it tells of no test."""
    for form in _FORMS:
        if form.word in line and (match := form.pattern.match(line)):
            return _outcome(form.tool, match)
    ctest = _CTEST.match(line) if line[0].isdigit() and " Test" in line else None
    if ctest:
        verdict = ctest["said"]
        skipped = any(word in verdict for word in _SKIPPING)
        status = PASSED if verdict.endswith("Passed") else SKIPPED if skipped else FAILED
        verdict = verdict.replace("***", " ").strip() if status == FAILED else ""
        return CaseOutcome("ctest", ctest["name"], status, "", float(ctest["seconds"]), verdict)
    return None


def _outcome(tool: str, match: re.Match[str]) -> CaseOutcome:
    parts = match.groupdict()
    name = parts.get("name") or ""
    if tool == "unittest":
        owner, test = parts["owner"] or "", parts["test"] or ""
        name = owner if owner.endswith(f".{test}") else f"{owner}.{test}"
    elif tool == "gradle":
        name = of_gradle(name)
    seconds = float(parts["seconds"]) if parts.get("seconds") else None
    if parts.get("ms"):
        seconds = int(parts["ms"] or 0) / 1_000
    status = WORDS[(parts["word"] or "").lower()]
    return CaseOutcome(tool, name, status, parts.get("where") or "", seconds)
