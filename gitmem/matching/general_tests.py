"""Tests that failed, in an output of a runner that nobody knows, found by their form.

A headline says that a test failed: a mark or a word stands before its name or behind it. What it
says of the test stands below, or below its name where that is told again. Only where a place or
two compared values are found there, and the output counts tests, is it a test: linters and builds
mark lines, too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.harmless import is_step
from gitmem.matching.places import PlacedText, alone, at_end, at_head, is_installed
from gitmem.matching.summed_tests import COUNTS, FAIL, TYPED, counts_tests, summed_tests
from gitmem.output.cases import LABELS
from gitmem.output.failure import Failure, FailureLocation, StackFrame, excerpt
from gitmem.tools.common.closing import is_closing
from gitmem.tools.common.compared import compared, of_test
from gitmem.tools.common.frames import foreign

_TIMED: Final = r"(?: *[(\[]?\d[\d.]* ?(?:ms|s|\u00b5s|sec)[)\]]?(?: \([\d.ms|]{2,40}\))?)?"
_BEFORE: Final = lazily(
    rf"[\s#*]*(?:[\u2715\u2716\u2717\u2718\u00d7\u274c\u25cf]\s+(?:[(\[]?{FAIL}[)\]]?:?\s+)?"
    rf"|[(\[]\s*(?:{FAIL}|-)\s*[)\]]:?\s+|(?:-{{2,3}} )?{FAIL}(?:: | - |  +)|not ok \d+ -? ?"
    r"|[Ff]ailed [Tt]est:? |[Tt]est (?:[Ff]ailed|FAILED): "
    r"|(?:Failure|Error) in (?:test )?(?=[\w.]+(?: \(|$))"
    r"|In (?=\w+::\w+:$)|(?!\d{1,4}[.)] \S+?:\d)\d{1,4}[.)] )"
    rf"[\"'`]?(?P<name>\S.{{0,200}}?)[\"'`]?{_TIMED}\s*$"
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
_COUNTED: Final = lazily(r"\d\d:\d\d (?:\+\d+ )?(?:~\d+ )?-\d+: (?P<name>\S.{0,200}?) \[E\]\s*$")
"""A time and how many passed and failed so far before the name, a mark behind it."""
_OF_BROWSER: Final = lazily(rf"\S.{{2,80}} \([^()\n]{{2,60}}\) (?P<name>\S.{{0,200}}?) {FAIL}\s*$")
"""A browser and its system before the name."""
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
_ON: Final = lazily(r"(?i)(?:note|hint|help): ")
_LABEL: Final = lazily(
    r"(?:Message|Stack|Error|Reason|Details|Failure|Failed example|Exception raised):$"
)
_MARKED: Final = lazily(r"E {2,}(?=\S)")
_BEHIND: Final = lazily(
    rf"\s*(?:- )?(?:[Tt]est(?: [Cc]ase)?:? )?[\"'`]?(?P<name>\S.{{0,200}}?)[\"'`]?\s*"
    rf"(?:\.{{2,}}|\u2026|:|->|-{{2,5}}|\s{{3,}}|\||\s\*{{2,5}})\s*[\[(]?{FAIL}[\])]?"
    rf"(?: \*{{2,5}}| \|)?{_TIMED}\s*$"
)
_HEAD: Final = lazily(
    r"(?:\d{1,5}[.)]\s+|[\u203a\u276f#*>-]+ |[\[(]FAIL(?:ED)?[\])]\s+)?"
    r"(?:\S.{0,200} (?:[\u203a\u276f\u00bb>/-]|::) )?"
)
"""What may stand before a test's name where it is told again: a number, its suites."""
_COMPARED: Final = lazily(r"(?i)(?:expected|actual|got|received|want(?:ed)?|left|right)\s*:")
_WANTED: Final = lazily(r"[,;] (?:but )?(?:want(?:ed)?|expected):? \S")
"""Between the values of a comparison in one line."""
_STARTS: Final = lazily(
    r"\s*(?:={2,4} (?:RUN|CONT|NAME)\s+|\[\s*RUN\s*\]:? |RUN:? +)(?P<name>\S.{0,200}?)\s*$"
)
"""A test begins, or goes on after others."""
_PARAMETERS: Final = lazily(r", where \S.*$")
_PASSED: Final = lazily(
    r"\s*(?:[\u2713\u2714\u221a]|(?:ok|PASS|RUN)\b|[\[(]\s*(?:pass|ok|OK|PASS|RUN|skip|SKIPPED)\s*[\])]"
    r"|=== [A-Z]{3,5} |--- PASS|.{0,200}(?:\.{2,}|-{2,5})\s*(?:ok|OK|PASS(?:ED)?|passed)\b)"
)
_RULE: Final = lazily(r"\s*[-=\u2500\u2501_*~#]{1,200}\s*$")
_CODE: Final = lazily(r"\s*>?\s*\d{1,6}\s*[:|\u2502]")
_PLACE_MARK: Final = lazily(r"\s*[\u203a\u276f>@]?\s*(?:file://)?")
_STEP: Final = lazily(
    r"(?:at|from) \S|package:\S+ |stacktrace:|[Ss]tack ?(?:back)?trace|\[C\]:|#\d+ "
    r"|goroutine \d+ \["
)
_OFFSET: Final = lazily(r"\+0x[0-9a-f]{1,16}$")
"""What stands behind the place of a step whose function the line above names."""
_QUOTED: Final = lazily(r"['\"`\u2018\u201c]\S")
_TYPE: Final = lazily(r"(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Failure|Fault)")
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
_ORDINAL: Final = lazily(r"\d{1,4}[.)] (?=\S+?:\d)")
_LETTER: Final = lazily(r"\w")
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
    telling = (_WITH_PLACE, _TIMED_FAIL, _OF_DEFINITION)
    if not (counts or any(form.match(line) for line in lines for form in telling)):
        return []
    heads: dict[str, _Headline] = {}
    waits = False
    for at, line in enumerate(lines):
        waits = bool(_WAITS.match(line)) or (waits and not _FAILS.match(line))
        if waits:
            continue
        head = _numbered(lines, at) if _NUMBERED.match(line) else _headline(line, at)
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
    if closes or COUNTS.search(line) or _CODE.match(line):
        return None
    forms = (_WITH_PLACE, _BEFORE, _BEHIND, _SUITED, _FRAMED, _OF_BROWSER)
    match = next((each for form in forms if (each := form.match(line))), None)
    name = match["name"] if match else ""
    if match is None or not any(map(str.isalpha, name)) or name in LABELS or alone(name):
        return None
    place = match.groupdict().get("place") or ""
    return _Headline(name.rstrip(":"), at, alone(place), bool(_BOXED.match(line)))


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
        if _PASSED.match(line) or _headline(line, start - 1) or closes:
            break
        start -= 1
    return _failure(lines, head, start, head.at)


def _failure(lines: Sequence[str], head: _Headline, start: int, end: int) -> Failure | None:
    words, place = _parts(lines[start:end])
    place = place or head.place
    values = compared(words)
    says_failed = _SAYS_FAILED.match(lines[head.at]) is not None
    if not (words or (says_failed and place)) or not (place or any(values) or head.sure):
        return None
    first = words[0] if words else ""
    typed = TYPED.match(first)
    kind = typed["type"] if typed else first if _TYPE.fullmatch(first) else ""
    words = [*([typed["message"]] if typed else []), *words[1:]] if kind else words
    if _COMPARED.match(words[0] if words else "") or says_failed:
        headline = lines[head.at].strip(" #\u2715\u2716\u2717\u2718\u00d7\u25cf")
        words = [head.name if _COUNTED.match(headline) else headline, *words]
    failure = of_test(Failure(error_type=kind, location=place), head.name, words, values)
    return failure._replace(excerpt=excerpt(lines, min(start, head.at), max(end, head.at + 1)))


def _is_head(line: str, name: str) -> bool:
    """Tell whether a line is nothing but a test's name, with a number or a suite before it."""
    framed = _FRAMED.match(line)
    text = framed["name"] if framed else line.strip(" \t|\u2502")
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
        if (other and other.name != name) or _ITEM.match(line):
            break
        heads = at == first and line.rstrip().endswith(":")
        closes = is_closing(line) and not line[:1].isspace() and not heads
        if closes or _PASSED.match(line) or COUNTS.search(line):
            break
        blank = at > first and not lines[at - 1].strip()
        if blank and (not line.strip() or _indent(line) < _indent(lines[first - 1])):
            break
        if at > first and _RULE.match(line) and len(line.strip()) > 1:
            break
        at += 1
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parts(block: Sequence[str]) -> tuple[list[str], FailureLocation | None]:
    """Give what was said, the reason first, and its place."""
    words, place = _parted(block)
    if not words and (noted := _noted(block)):
        return [noted.rest], noted.location
    compares = _comparing(block)
    if compares and compares.rest in words:
        return sorted(words, key=compares.rest.__ne__), compares.location
    return words, place


def _parted(block: Sequence[str]) -> tuple[list[str], FailureLocation | None]:
    """Part what was said from the place, from the stack and from the code that is shown."""
    words: list[str] = []
    place: FailureLocation | None = None
    step: FailureLocation | None = None
    reason_at, heading = 0, ""
    behind_marks = [_MARKED.sub("", line).strip() for line in block if _MARKED.match(line)]
    for text in _telling(block, marked=bool(behind_marks)):
        if _STEP.match(text) or is_step(text):
            step = step or _place_of_step(text)
        elif stands := alone(_PLACE_MARK.sub("", text, count=1)):
            # The last one is the innermost: of a stack, or what follows a title.
            place = _own(stands) or place
        elif (headed := at_head(text)) and _OFFSET.match(headed.rest):
            del words[1:]  # the name of the function
            step = step or _own(headed.location)
        elif headed:
            ends_step = not headed.rest or _TYPE.fullmatch(headed.rest)
            place = (_own(headed.location) if ends_step else None) or place or headed.location
            if headed.rest and not headed.rest.startswith("(") and not is_closing(headed.rest):
                words.append(headed.rest)
        elif ends := at_end(text.rstrip(":")):
            place = place or ends.location
            if not text.endswith(":"):
                words.append(ends.rest)
            elif not heading:  # it only heads what is said below: that is the reason
                reason_at, heading = len(words), text
        else:
            words.append(text)
    ended = at_end(heading.rstrip(":")) if words[reason_at:] else None
    step = (_own(ended.location) if ended else None) or step
    return (behind_marks or words[reason_at:] or words), step or place


def _telling(block: Sequence[str], *, marked: bool) -> Iterator[str]:
    """Give the lines that may say something; beside what is said behind marks stands code."""
    for line in block:
        text = _ORDINAL.sub("", line.strip().lstrip("\u2502#").strip(), count=1)
        if marked and not (at_head(text) or _STEP.match(text)):
            continue
        if _LETTER.search(text) and not _is_aside(line, text):
            yield text


def _comparing(block: Sequence[str]) -> PlacedText | None:
    """Read the first line with a place that compares: it is the reason, whatever stands above."""
    placed = (each for line in block if (each := at_head(line.strip())))
    compares = (each for each in placed if _WANTED.search(each.rest) or any(compared([each.rest])))
    return next(compares, None)


def _noted(block: Sequence[str]) -> PlacedText | None:
    """Read the note with a place that is all that is said."""
    notes = (_ON.sub("", line.strip()) for line in block if _ON.match(line.strip()))
    return next(filter(None, map(at_end, notes)), None)


def _is_aside(line: str, text: str) -> bool:
    """Tell whether a line shows code, is a rule, tells of another test, or labels what follows."""
    shown = any(form.match(line) for form in (_CODE, _RULE, _PASSED))
    return shown or _ON.match(text) is not None or _LABEL.match(text) is not None


def _own(place: FailureLocation) -> FailureLocation | None:
    """Give a place unless the code there is nobody's own."""
    nobodys = is_installed(place.file) or foreign(StackFrame(place.file), "")
    return None if nobodys else place


def _place_of_step(text: str) -> FailureLocation | None:
    """Give the place that a step of a stack ends with, unless the code there is nobody's own."""
    end = text.rstrip(")").rpartition("(")[2].split()[-1:] or [""]
    place = alone(text) or alone(end[0].removeprefix("file://"))
    return _own(place) if place else None
