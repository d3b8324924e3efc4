"""Summaries of tests: how many there were, which failed, and what went wrong in them."""

from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.places import at_head
from gitmem.output.failure import Failure, excerpt
from gitmem.tools.common.compared import of_test

FAIL: Final = r"(?:FAIL(?:ED|URE)?|[Ff]ail(?:ed|ure)?|ERROR|KO|NOT OK|not ok)"
_SUMMED: Final = lazily(
    rf"\s*{FAIL} (?P<name>\S*(?:::|\u203a|#|/)[^\s\[]*(?:\[[^\]]{{0,100}}\])?)"
    r" - (?P<message>\S.*)$"
)
"""A line of a summary: the whole name of a test, and what went wrong in it."""
_ENDED: Final = lazily(
    rf"\s*(?:\(\d+/\d+\) )?(?P<name>[^\s:]{{1,200}}:[A-Za-z_][\w.:#-]{{1,200}}): +{FAIL}: +"
    r"(?P<message>\S.*?)(?: \(\d[\d.]* ?m?s\))?\s*$"
)
"""A test, behind it how it ended and why."""
TYPED: Final = lazily(
    r"(?:[Ee]rror: )?(?P<type>(?:[a-z_]\w{0,60}\.){0,8}"
    r"[A-Z][\w.:]{0,120}(?:Error|Exception|Failure|Fault))(?: \[\w+\])?: (?P<message>\S.*)$"
)
"""An exception and what it says."""
COUNTS: Final = lazily(
    r"(?i)\b(?:\d+ (?:\w+ )?(?:tests?|specs?|examples?|scenarios?|assertions?|test cases)"
    r"|(?:tests?|specs?|examples?|assertions|test cases)(?: run)?(?:: *| {3,})\d+"
    r"|(?:total|passed|failed):? +\d+|\d+ (?:failed|passed|failing|passing|broken|errored)"
    r"|runs?:? +\d+,? +(?:failures|errors):? +\d+"
    r"|\d+ (?:success(?:es)?|failures?)(?= /)|run (?:completed|finished) in \d+"
    r"|\d\d:\d\d \+\d+ (?:~\d+ )?-\d+"
    r"|(?:fail|pass) \d+(?= \|| \]))\b"
)
"""How runners count their tests."""
_ARROWED: Final = lazily(
    rf"(?P<name>\S*(?:[:/]\S+)+) +-> +{FAIL}: (?P<message>\S.*?)(?: +\[\d[\d.]* ?m?s\])?\s*$"
)
"""A program of tests and its test, and behind an arrow how it ended and why."""
_MOST: Final = 100


def counts_tests(lines: Sequence[str]) -> bool:
    """Tell whether an output says how many tests there were, or how many of them failed."""
    return any(map(COUNTS.search, lines))


def summed_tests(lines: Sequence[str]) -> list[Failure]:
    """Read the lines of a summary that name a test and say what went wrong in it."""
    placed = [each for line in lines if (each := at_head(line.strip()))]
    failures: list[Failure] = []
    names: set[str] = set()
    for at, line in enumerate(lines):
        match = _SUMMED.match(line) or _ENDED.match(line) or _ARROWED.match(line)
        if match is None or len(failures) == _MOST or match["name"] in names:
            continue
        names.add(match["name"])
        message = match["message"].strip()
        wording = message.removesuffix("...")
        place = next((each.location for each in placed if wording in each.rest), None)
        failure = of_test(Failure(location=place), match["name"], [message], ("", ""))
        typed = TYPED.match(message)
        if typed:
            failure = failure._replace(error_type=typed["type"], message=typed["message"])
        failures.append(failure._replace(excerpt=excerpt(lines, at, at + 1)))
    return failures
