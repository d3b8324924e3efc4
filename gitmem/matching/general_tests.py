"""Tests that failed, in an output of a runner that nobody knows, found by their form.

A headline says that a test failed: a mark or a word stands before its name or behind it. What it
says of the test stands below, or below its name where that is told again. Only where a place or
two compared values are found there, and the output counts tests, is it a test: linters and builds
mark lines, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.places import alone, at_end, at_head
from gitmem.matching.summed_tests import COUNTS, FAIL, TYPED, counts_tests, summed_tests
from gitmem.matching.tested_words import CODE, PASSED, RULE, TYPE, parts
from gitmem.output.cases import LABELS
from gitmem.output.failure import Failure, FailureLocation, excerpt
from gitmem.tools.common.closing import is_closing
from gitmem.tools.common.compared import compared, of_test

_TIMED: Final = (
    r"(?:(?: \u203a)? *[(\[]?\d[\d.]* ?(?:ms|s|\u00b5s|sec)[)\]]?(?: \([\d.ms|]{2,40}\))?)?"
)
_BEFORE: Final = lazily(
    rf"[\s#*]*(?:[\u2715\u2716\u2717\u2718\u00d7\u274c\u25cf]\s+(?:[(\[]?{FAIL}[)\]]?:?\s+)?"
    rf"|[(\[]\s*(?:{FAIL}|-)\s*[)\]]:?\s+|(?:-{{2,3}} )?{FAIL}(?:: | - |  +)|not ok \d+ -? ?"
    r"|[Ff]ailed [Tt]est:? |[Tt]est (?:[Ff]ailed|FAILED): "
    r"|(?:Failure|Error) in (?:test )?(?=[\w.]+(?: \(|$))"
    r"|In (?=\w+::\w+:$)|(?!\d{1,4}[.)] \S+?:\d)\d{1,4}[.)] )"
    rf"(?:[\w./]{{1,100}}:\d{{1,7}} )?[\"'`]?(?P<name>\S.{{0,200}}?)[\"'`]?"
    rf"{_TIMED}(?: +\d{{1,3}}%)?\s*$"
)
_WITH_PLACE: Final = lazily(
    rf"[\u2500\s#-]*(?:{FAIL}|[Ee]rror) [(\[]['\"]?"
    rf"(?P<place>[^\s'\"()\[\]]{{1,300}}:\d{{1,7}}(?::\d{{1,5}})?)"
    r"['\"]?[)\]]: (?P<name>\S.{0,200}?)(?: [\u2500-]{2,})?\s*$"
)
"""A headline with the place before the name."""
_TIMED_FAIL: Final = lazily(rf"\s*-{{2,3}} {FAIL}: (?P<name>\S.{{0,200}}?) \(\d[\d.]* ?m?s\)\s*$")
_SUITED: Final = lazily(
    rf"\s*(?P<name>\S.{{0,200}}? [>\u203a\u00bb\u276f] \S.{{0,200}}?) {FAIL}{_TIMED}\s*$"
)
"""A suite and its test, and that it failed."""
_LETTER: Final = lazily(r" \([EF]\)$")
_COUNTED: Final = lazily(r"\d\d:\d\d (?:\+\d+ )?(?:~\d+ )?-\d+: (?P<name>\S.{0,200}?) \[E\]\s*$")
"""A time and how many passed and failed so far before the name, a mark behind it."""
_OF_BROWSER: Final = lazily(rf"\S.{{2,80}} \([^()\n]{{2,60}}\) (?P<name>\S.{{0,200}}?) {FAIL}\s*$")
"""A browser and its system before the name."""
_SCENARIO: Final = lazily(
    r"\s*(?:Scenario(?: Outline)?|Example): (?P<name>\S.{0,200}?)(?: +# \S.*)?\s*$"
)
_SCENARIO_AT: Final = lazily(r"\s*(?:Scenario(?: Outline)?|Example): \S.* +# \S+:\d{1,7}\s*$")
_HEADS: Final = lazily(r"[^\n]*(?::\s*(?:\n|$)|\n\s*- [A-Z]\w+ *: \S)")
_AT_STEP: Final = lazily(r"\s+at (?:\S+ )?\(?\S+:\d+:\d+\)?$")
_FRAMED: Final = lazily(
    r"(?P<rule>[-=_*~#\u2500\u2501])(?P=rule){2,200} "
    r"(?:ERROR (?:at (?:setup|teardown) of|collecting) )?"
    r"(?P<name>[^\s()\[\]<]{1,200}(?:[\[(].{0,100}[\])])?)(?: std(?:out|err))? (?P=rule){3,200}\s*$"
)
"""A name that stands in a rule."""
_OF_DEFINITION: Final = lazily(
    r"File \"(?P<place>[^\"\n]{1,300}\", line \d{1,7}), in (?P<name>[^\W\d][\w.]{0,200})\s*$"
)
"""A place and what is defined there, not indented: what was tried there follows."""
_BOXED: Final = lazily(rf".*(?:\| {FAIL} \||\[ {{0,3}}{FAIL} {{0,3}}\])")
_SAYS_FAILED: Final = lazily(r"[\s#]*[Ff]ailed [Tt]est:? ")
"""A headline that is a sentence: what stands below it is only why."""
_BEHIND: Final = lazily(
    rf"\s*(?:- |\{{\d+\}} )?(?:[Tt]est(?: [Cc]ase)?:? )?"
    rf"[\"'`]?(?P<name>\S.{{0,200}}?)[\"'`]?{_TIMED}\s*"
    rf"(?:\.{{2,}}|\u2026|:|->|-{{2,5}}|\s{{3,}}|\||\s\*{{2,5}})\s*[\[(]?{FAIL}[\])]?"
    rf"(?: \*{{2,5}}| \|)?{_TIMED}\s*$"
)
_HEAD: Final = lazily(
    r"(?:\d{1,5}[.)]\s+|[\u203a\u276f\u25cc#*>-]+ |[\[(]FAIL(?:ED)?[\])]\s+)?"
    r"(?:\S.{0,200} (?:[\u203a\u276f\u00bb>/-]|::) )?"
)
"""What may stand before a test's name where it is told again: a number, its suites."""
_COMPARED: Final = lazily(r"(?i)(?:expected|actual|got|received|want(?:ed)?|left|right)\s*:")
_STARTS: Final = lazily(
    r"\s*(?:={2,4} (?:RUN|CONT|NAME)\s+|\[\s*RUN\s*\]:? |RUN:? +)(?P<name>\S.{0,200}?)\s*$"
)
"""A test begins, or goes on after others."""
_PARAMETERS: Final = lazily(r", where \S.*$")
_QUOTED: Final = lazily(r"['\"`\u2018\u201c]\S")
_ITS_PLACE: Final = lazily(
    r"(?: (?:=>|->|@|at|-))? ?[\[(]?"
    r"(?P<place>[^\s()\[\]]{1,300}\.\w{1,10}:\d{1,7}(?::\d{1,5})?)[\])]?:?$"
)
"""What may stand behind a test's name where it is told again."""
_NUMBERED: Final = lazily(
    r"\s*\d{1,4}[.)] (?:[Ff]ailure|[Ee]rror|[Ff]ailed|FAIL(?:URE)?|ERROR):?\s*$"
    r"|(?:Failure|Error) -> \S{1,300} @ \d{1,7}\s*$"
)
"""A number and a word, or where a test begins: the name is in the next line."""
_ITEM: Final = lazily(r"\s*\d{1,4}[.)] [A-Z]\w{3,20}:\s*$|[A-Z][a-z]+ -> \S{1,300} @ \d{1,7}\s*$")
_WAITS: Final = lazily(r"(?:Pending|Skipped|Ignored|Todo)\b[^:]{0,40}:")
_FAILS: Final = lazily(r"(?:Fail|Error|[Uu]nexpected)\w*\b[^:]{0,40}:")
"""What heads a list of tests: of those that are not run, and of those that failed."""
_LOGGED: Final = lazily(
    r"\[pid \d|(?:\[[^\]\n]{1,40}\] )?(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b[\]: ]"
)
"""A record of a log, which says of something that it failed."""
_LONGEST_NAME: Final = 200
_MOST: Final = 4_000
_BLOCK: Final = 60
_MOST_TESTS: Final = 100


class _Headline(NamedTuple):
    """Where an output says that a test failed."""

    name: str
    at: int
    place: FailureLocation | None
    sure: bool = False


def failing_tests(lines: Sequence[str]) -> list[Failure]:
    """Give the tests that an output says have failed; none if it does not seem to be of tests."""
    lines = lines[-_MOST:]
    counts = counts_tests(lines)
    telling = (_WITH_PLACE, _TIMED_FAIL, _OF_DEFINITION, _SCENARIO_AT)
    if not (counts or any(form.match(line) for line in lines for form in telling)):
        return []
    heads: dict[str, _Headline] = {}
    waits = False
    for at, line in enumerate(lines):
        waits = bool(_WAITS.match(line)) or (waits and not _FAILS.match(line))
        if waits:
            continue
        head = _numbered(lines, at) if _NUMBERED.match(line) else _headline(line, at)
        head = head or _scenario(lines, at)
        if head and len(heads) < _MOST_TESTS and not _is_bare_step(lines, at):
            heads.setdefault(head.name, head)
    started = _started(lines)
    longest = _longest(heads.values())
    heads_told = longest if started else _without_suite(lines, longest)
    again = [_told_again(lines, head, started) for head in heads_told]
    if any(again):
        # Those of a list: what stands below one of its lines is not about that test.
        return [failure for failure in again if failure]
    below = [_below(lines, head) for head in heads_told]
    if None in below:
        # Nothing stands below some: does this runner say what is wrong above its headlines?
        above = [_above(lines, head) for head in heads_told]
        below = above if len(list(filter(None, above))) > len(list(filter(None, below))) else below
    return [failure for failure in below if failure] or summed_tests(lines)


def _longest(heads: Iterable[_Headline]) -> list[_Headline]:
    """Leave out headlines that are told again with the test's file or suites."""
    heads = list(heads)
    names = [head.name for head in heads]
    return [
        head
        for head in heads
        if not any(other.endswith(f" {head.name}") for other in names if other != head.name)
    ]


def _is_bare_step(lines: Sequence[str], at: int) -> bool:
    """Tell whether a place and what is defined there are a step of a trace without its margin."""
    below = lines[at + 1].rstrip() if at + 1 < len(lines) else ""
    return bool(_OF_DEFINITION.match(lines[at])) and not (below.endswith(":") and is_closing(below))


def _without_suite(lines: Sequence[str], heads: list[_Headline]) -> list[_Headline]:
    """Leave out the last headline if below it its tests are counted: it is of all of them."""
    below = heads[-1].at + 1 if heads else len(lines)
    return heads[:-1] if below < len(lines) and COUNTS.match(lines[below].strip()) else heads


def _numbered(lines: Sequence[str], at: int) -> _Headline | None:
    """Read the name of a test below a line that only numbers it."""
    text = lines[at + 1].strip() if at + 1 < len(lines) else ""
    place = _ITS_PLACE.search(text)
    name = (text[: place.start()] if place else text).strip().rstrip(":")
    where = alone(place["place"]) if place else None
    return _Headline(name, at + 1, where) if 0 < len(name) <= _LONGEST_NAME else None


def _headline(line: str, at: int) -> _Headline | None:
    if counted := _COUNTED.match(line):
        return _Headline(counted["name"], at, None)
    if defined := _OF_DEFINITION.match(line):
        return _Headline(defined["name"], at, alone(line))
    closes = is_closing(line) and not _QUOTED.search(line)
    if closes or COUNTS.search(line) or CODE.match(line):
        return None
    forms = (_WITH_PLACE, _BEFORE, _BEHIND, _SUITED, _FRAMED, _OF_BROWSER)
    match = next((each for form in forms if (each := form.match(line))), None)
    name = match["name"] if match else ""
    no_name = (
        _LOGGED.match(name)
        or name in LABELS
        or alone(name)
        or TYPE.fullmatch(name.replace(" ", ""))
    )
    if match is None or not any(map(str.isalpha, name)) or no_name:
        return None
    place = match.groupdict().get("place") or ""
    if sited := at_end(name):
        name = _LETTER.sub("", sited.rest.removeprefix("test: "))
        return _Headline(name, at, sited.location)
    return _Headline(name.rstrip(":"), at, alone(place), bool(_BOXED.match(line)))


def _scenario(lines: Sequence[str], at: int) -> _Headline | None:
    """Read a title above an exception in the words of Gherkin, or above a step with its place."""
    if at and lines[at].endswith(":") and lines[at][:1].strip() and not lines[at - 1].strip():
        block = list(takewhile(str.strip, lines[at + 1 : at + _BLOCK]))
        if block and _AT_STEP.match(block[-1]) and not is_closing(lines[at]):
            return _Headline(lines[at].rstrip(":"), at, None)
    title = _SCENARIO.match(lines[at])
    for below in range(at + 1, min(len(lines), at + _BLOCK) if title else 0):
        if lines[below].strip() and _indent(lines[below]) <= _indent(lines[at]):
            break
        if title and TYPED.match(lines[below].strip()):
            return _Headline(title["name"], below - 1, None, sure=True)
    return None


def _started(lines: Sequence[str]) -> dict[str, list[int]]:
    """Give the lines that say that a test begins, or that it goes on."""
    started: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        if match := _STARTS.match(line):
            started.setdefault(match["name"], []).append(at)
    return started


def _told_again(
    lines: Sequence[str], head: _Headline, started: Mapping[str, Sequence[int]]
) -> Failure | None:
    """Read what is said of a test below its name, where that is told again, or where it began."""
    begins = [at for at in started.get(_PARAMETERS.sub("", head.name), ()) if at < head.at]
    if begins:
        end = min(_end(lines, begins[-1] + 1, head.name), head.at)
        return _failure(lines, head, begins[-1] + 1, end) or _below(lines, head)
    for start in (*range(head.at + 1, len(lines)), *range(head.at)):
        if _is_head(lines[start], head.name):
            end = _end(lines, start + 1, head.name)
            end = min(end, head.at) if start < head.at else end
            own = head._replace(sure=head.sure or _FRAMED.match(lines[start]) is not None)
            if failure := _failure(lines, own, start + 1, end):
                return failure
    return None


def _below(lines: Sequence[str], head: _Headline) -> Failure | None:
    return _failure(lines, head, head.at + 1, _end(lines, head.at + 1, head.name))


def _above(lines: Sequence[str], head: _Headline) -> Failure | None:
    """Read what is said of a test above its headline, up to the test before it."""
    if _OF_DEFINITION.match(lines[head.at]):
        return None
    start = head.at
    while start > 0 and start > head.at - _BLOCK:
        line = lines[start - 1]
        closes = is_closing(line) and not at_head(line)
        if PASSED.match(line) or _headline(line, start - 1) or closes:
            break
        start -= 1
    return _failure(lines, head, start, head.at)


def _failure(lines: Sequence[str], head: _Headline, start: int, end: int) -> Failure | None:
    words, place = parts(lines[start:end])
    place = place or head.place
    values = compared(words)
    says_failed = _SAYS_FAILED.match(lines[head.at]) is not None
    if not (words or (says_failed and place)) or not (place or any(values) or head.sure):
        return None
    first = words[0] if words else ""
    typed = TYPED.match(first)
    kind = typed["type"] if typed else first if TYPE.fullmatch(first) else ""
    words = [*([typed["message"]] if typed else []), *words[1:]] if kind else words
    if _COMPARED.match(words[0] if words else "") or says_failed:
        headline = lines[head.at].strip(" #\u2715\u2716\u2717\u2718\u00d7\u25cf")
        words = [head.name if _COUNTED.match(headline) else headline, *words]
    failure = of_test(Failure(error_type=kind, location=place), head.name, words, values)
    return failure._replace(excerpt=excerpt(lines, min(start, head.at), max(end, head.at + 1)))


def _is_head(line: str, name: str) -> bool:
    """Tell whether a line is nothing but a test's name, with a number or a suite before it."""
    framed = _FRAMED.match(line)
    text = framed["name"] if framed else line.strip(" \t|\u2502\u2500\u2501=")
    text = _ITS_PLACE.sub("", text).rstrip(":")
    if text == name:
        return True
    before = text.removesuffix(name)
    return before != text and _HEAD.fullmatch(before) is not None


def _end(lines: Sequence[str], at: int, name: str) -> int:
    """Find the end of a block: another test, a rule, what only counts, or two empty lines."""
    most = min(len(lines), at + _BLOCK)
    first = at
    while at < most:
        line = lines[at]
        other = _headline(line, at)
        if (other and (other.name != name or at > first)) or _ITEM.match(line):
            break
        heads = at == first and bool(_HEADS.match("\n".join(lines[at : at + 2])))
        closes = is_closing(line) and not line[:1].isspace() and not heads
        if closes or PASSED.match(line) or COUNTS.search(line):
            break
        blank = at > first and not lines[at - 1].strip()
        if blank and (not line.strip() or _indent(line) < _indent(lines[first - 1])):
            break
        title = at > first and lines[at - 1].rstrip().endswith(":")
        if at > first and not title and RULE.match(line) and len(line.strip()) > 1:
            break
        at += 1
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
