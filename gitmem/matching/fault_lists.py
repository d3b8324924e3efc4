"""Lists of faults in an output of a tool that nobody knows, each with its place.

Linters, checkers and compilers tell what is wrong fault by fault, in few forms:

- a headline, and the place in a pointer below: ``--> FILE:LINE`` or a box that begins with it;
- a place with the name of a rule, and what is wrong below;
- a file alone in its line, and rows with a line and a column of it;
- lines that begin with a place, those without a word of trouble, too;
- a headline with the steps of a stack below.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.document_faults import document_faults
from gitmem.matching.fault_rows import (
    BARE_RULE,
    FILE,
    LEAST_SAID,
    LEVELS,
    LONGEST,
    RULED,
    SAID,
    code_above,
    differences,
    fault_rows,
    with_code,
    with_level,
)
from gitmem.matching.harmless import is_step, only_warns
from gitmem.matching.json_faults import json_faults
from gitmem.matching.lines_below import (
    BRANCH,
    MOST_ABOVE,
    POINTER,
    headline_above,
    label_of,
    reason_of,
)
from gitmem.matching.places import PlacedText, alone, at_head, is_installed, marked, said_of
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, StackFrame, excerpt
from gitmem.tools.common.closing import is_closing
from gitmem.tools.common.frames import foreign

_MOST: Final = 100
_MOST_STEPS: Final = 30
_HEADLINE: Final = lazily(
    r"[\s|\u2502]*(?:(?P<mark>[\u00d7\u2716\u2717\u2718\u274c\u26a0\u2715xX!])\s+)?"
    r"(?:(?P<level>(?i:fatal error|syntax error|type error|parse error|error|fatal|warning|warn"
    r"|note|help|info|hint|advice|failure|bug)\b)"
    r"(?:\[(?P<code>[\w:/.@-]{1,80})\])?(?:\s*[:!]\s*|\s+-\s+|\s{2,}))?"
    r"(?:\[(?P<bracket>[A-Za-z]{0,20}[A-Z_\d-]{2,60})\]:?\s+"
    r"|(?P<rule>[\w-]+\([\w/@-]+\)|[@\w-]+(?:/[\w-]+)+|[A-Z]{1,6}\d{2,6}"
    r"|[a-z]+(?:-[a-z]+)+(?:\[[\w-]{1,60}\])?(?=:)):?\s+)?"
    r"(?P<message>\S.*)$"
)
_NUMBERED: Final = lazily(r"[A-Z]{1,8}\d{2,6}")
_CAMEL: Final = lazily(r"[A-Z][a-z]+(?:[A-Z][A-Za-z]*)+")
_CODED: Final = lazily(
    r"(?:[A-Z]{1,6}\d{2,6}|\[[A-Z]{0,6}\d{2,6}\]|[a-z]+(?:-[a-z]+)+(?:\[[\w-]{1,60}\])?:) \S.*\w.*$"
)
"""A code and what is wrong; the place stands alone below."""
_TITLED: Final = lazily(
    r"-- (?:\[(?P<code>[A-Z]\w{1,8})\] )?(?P<kind>[A-Z][\w ]{2,60}): (?P<place>\S+?:\d+:\d+)[ -]*$"
)
"""A title with the place at its end; what is wrong stands in the margin of the code below."""
_MARKED: Final = lazily(r"\^+\s*$")
_MARGIN: Final = lazily(r"\s*(?:\d{1,6} ?)?\|\s*(?P<said>.*)$")
_LEAD: Final = lazily(
    r"\s*%?\[?(?P<level>(?i:error|warning|warn|fatal|info))(?:-(?P<code>[A-Z]\w{2,40}))?\]?:? "
    r"(?:[\u2022-] |(?P<rule>[A-Z][A-Za-z]{3,60}) - )?(?=\S+:\d)"
)
_LEVEL_BEHIND_CODE: Final = lazily(rf"^{LEVELS}:\s+")
_FRAMED: Final = lazily(r"\s*(?:\d{1,6}\s*)?[|\u2502]|\s*[\^~]+")
_MOST_DETAILS: Final = 7
_MILD: Final = frozenset({"warning", "warn"})
_ASIDE: Final = frozenset({"note", "help", "info", "hint", "advice", "related location"})
"""Levels of what a tool adds to a fault."""
_MILD_MARKS: Final = frozenset("!\u26a0")
_BARE: Final = lazily(r".*\.\w+:\d+(?::\d+)? [^:]*$")
_BELOW: Final = lazily(r"\s+(?P<mark>[\u00d7\u2716\u2717\u2718\u274c\u26a0x!]) (?P<message>\S.*)$")
_IN_FILE: Final = lazily(r"In (?P<file>\S+) line (?P<line>\d{1,7}):$")
_LINE_OF_CODE: Final = lazily(r"\s*L?(?P<line>\d{1,7}) ?[|\u2502:]")
_UNDER: Final = lazily(
    r"\s*\^[~^-]*\s+(?:(?P<code>[A-Z]{1,4}\d{2,5}) \((?P<level>\w+)\): )?(?P<message>\S.*)$"
)
_STEP: Final = lazily(
    r"\s*(?:at|by|in|from|called (?:from|at)|#\d+|\d+:|0x[0-9a-f]+ in)\s.*?"
    r"(?P<file>(?:(?<![A-Za-z])[A-Za-z]:)?[^\s:()\[\]'\"]{1,300}\.[A-Za-z]\w{0,9})"
    r"(?::|, line )(?P<line>\d{1,7})"
)
_SCHEME: Final = lazily(r"(?:^|[\s(])(?!file:)[a-z]{2,12}:$")
"""Before a path that is of a language or a package, not of a disk."""
_FRAME: Final = lazily(r"\s+(?:at|by)\s+\S|\s+from\s+\S+:\d|\s*#\d+\s|0x[0-9a-f]+ in \S")
_TYPED: Final = lazily(
    r"(?:[Uu]ncaught |[Uu]nhandled )?"
    r"(?P<type>[A-Za-z_][\w.:]{0,120}(?:Error|Exception|Failure|Fault)): (?P<message>\S.*)$"
)
_PROCESS: Final = lazily(r"(?:==\d+==)?\s*(?:ERROR: )?")
_ERROR: Final = lazily(r"\bERROR: \w")
_FEW: Final = 3
_NAMED: Final = lazily(r"['\"`\u2018\u201c]")
_TROUBLE: Final = lazily(
    r"(?i)\b(?:error|warning|fatal|fail\w*|un[a-z]{5,}|in(?:valid|correct|consistent)"
    r"|expects|expect(?:ed|ing)|missing|not|no|cannot|can't|must|should|too|never|without|duplicate\w*"
    r"|illegal|wrong|bad|mis\w+)\b"
)


_NAMES: Final = lazily(r"'[^'\n]{1,200}'|`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"")
_NUMBERED_HEAD: Final = lazily(r"[A-Z]\w{2,10} \d{1,5}(?= )")
"""A word and a number of what is wrong."""


class Fault(NamedTuple):
    """A fault that is listed: its lines, the last not counted, and whether it only warns."""

    start: int
    end: int
    failure: Failure
    mild: bool


_EACH_SAYS: Final = lazily(r"[A-Z]\w{2,20}: ")


def _details(lines: Sequence[str], at: int) -> list[str]:
    """Give the indented lines below one that only heads what they say.

    Where each line of it begins with the same level they are indented behind that.
    """
    who = _EACH_SAYS.match(lines[at])
    if who and lines[at + 1 : at + 2] and lines[at + 1].startswith(who[0] + "  "):
        lines = [
            line.removeprefix(who[0]) if number > at else line
            for number, line in enumerate(lines[: at + _MOST_DETAILS])
        ]
    end = at + 1
    while end < min(len(lines), at + _MOST_DETAILS) and lines[end][:1] in (" ", "\t"):
        if not lines[end].strip() or _FRAMED.match(lines[end]) or at_head(lines[end].strip()):
            break
        end += 1
    return [line.strip().lstrip("\u2022*- ") for line in lines[at + 1 : end]]


def faults(lines: Sequence[str]) -> list[Fault]:
    """Give the faults that an output lists; where some are errors, what only warns is left out."""
    forms = (_pointed, _titled, _ruled, _rows, _placed, _under, _with_stack)
    for form in forms:
        listed = []
        for fault in form(lines):
            listed.append(fault)
            if len(listed) == _MOST:
                break
        if listed:
            return _without_echoes([each for each in listed if not each.mild] or listed)
    if listed := [
        _fault(lines, each.start, each.stop, "", words, place, mild=False)
        for each, words, place in differences(lines)
    ]:
        return listed
    if listed := [
        _fault(lines, each.at, each.at + 1, "", each.message, each.place, mild=False)
        for each in document_faults(lines)
    ]:
        return listed
    listed = [Fault(at, at + 1, failure, mild) for at, failure, mild in json_faults(lines)]
    return [each for each in listed if not each.mild] or listed


def _without_echoes(listed: Sequence[Fault]) -> list[Fault]:
    """Leave out what only follows from the fault before: at its very place, without a rule.

    Where no column tells the place, a few words that name nothing.
    """
    own_faults: list[Fault] = []
    for fault in listed:
        failure = fault.failure
        place = failure.location
        if own_faults and place and not failure.code and place == own_faults[-1].failure.location:
            words = len(SAID.findall(failure.message))
            names = _NAMED.search(failure.message) or any(map(str.isdigit, failure.message))
            if place.column or (words <= _FEW and not names):
                continue
        own_faults.append(fault)
    return own_faults


def _fault(
    lines: Sequence[str], start: int, end: int, code: str, message: str,
    place: FailureLocation | None, *, mild: bool,
) -> Fault:  # fmt: skip
    typed = _TYPED.match(message)
    failure = Failure(
        error_type=typed["type"] if typed else "",
        code=code,
        message=(typed["message"] if typed else message)[:MAX_MESSAGE],
        location=place,
        excerpt=excerpt(lines, start, min(len(lines), end)),
    )
    return Fault(start, end, failure, mild)


def _pointed(lines: Sequence[str]) -> Iterator[Fault]:
    """Read headlines that have their place in a pointer below."""
    last = -1
    for at, line in enumerate(lines):
        pointer = POINTER.match(line[:LONGEST])
        where = line[pointer.end() :].rstrip("]\u2500- ") if pointer else ""
        if at and _CODED.match(lines[at - 1]) and line[:1].strip():
            where = where or line
        place = alone(where) if where else None
        if where and place is None and (file := FILE.match(where)):
            if fault := _labelled(lines, at, file["file"]):
                yield fault
                last = at
            continue
        start = headline_above(lines, at, last) if place else None
        if place is None or start is None:
            if place and (reason := reason_of(lines, at)):
                start, code = code_above(lines, at - 1)
                yield _fault(lines, start, at + MOST_ABOVE, code, reason, place, mild=False)
                last = at
            continue
        head = _HEADLINE.match(BRANCH.sub("", lines[start][:LONGEST]))
        if head is None or (head["level"] or "").lower() in _ASIDE:
            continue
        rule = head["rule"] or ""
        start, above = code_above(lines, start)
        code = head["code"] or head["bracket"] or rule.partition("(")[2].rstrip(")") or rule
        code = code or above
        message = head["message"].strip()
        label = label_of(lines, at)
        if label and label != message:
            message += f"\n{label}"
        elif not _NAMED.search(message) and (name := marked(lines, at)):
            message += f"\n`{name}`"
        mild = (head["level"] or "").lower() in _MILD or head["mark"] in _MILD_MARKS
        yield _fault(lines, start, at + MOST_ABOVE, code, message, place, mild=mild)
        last = at


def _labelled(lines: Sequence[str], at: int, file: str) -> Fault | None:
    """Read a pointer to a file, with the line beside the code, and what is wrong at its marks."""
    number = next(filter(None, map(_LINE_OF_CODE.match, lines[at + 1 : at + MOST_ABOVE])), None)
    label = label_of(lines, at)
    if number is None or not label:
        return None
    place = FailureLocation(file, int(number["line"]))
    return _fault(lines, at, at + MOST_ABOVE + 1, "", label, place, mild=False)


def _titled(lines: Sequence[str]) -> Iterator[Fault]:
    """Read titles with their place, and what stands in the margin below the marks."""
    for at, line in enumerate(lines):
        title = _TITLED.match(line[:LONGEST])
        place = alone(title["place"]) if title else None
        if title is None or place is None:
            continue
        end, statements = at + 1, list[str]()
        marked_code = False
        while end < min(len(lines), at + _MOST_STEPS) and (inside := _MARGIN.match(lines[end])):
            if marked_code:
                statements.append(inside["said"].strip())
            marked_code = marked_code or bool(_MARKED.match(inside["said"]))
            end += 1
        message = "\n".join(filter(None, statements)) or title["kind"]
        mild = "Warning" in title["kind"]
        yield _fault(lines, at, end, title["code"] or "", message, place, mild=mild)


def _ruled(lines: Sequence[str]) -> Iterator[Fault]:
    """Read places with the name of a rule, or of nothing, below which it stands what is wrong."""
    for at, line in enumerate(lines[:-1]):
        placed = at_head(line) if line[:1].strip() and len(line) < LONGEST else None
        ruled = RULED.match(placed.rest) if placed and _BARE.match(line) else None
        if placed is None or ruled is None:
            continue
        below = at + 1 + (not lines[at + 1].strip())
        marked_line = _BELOW.match(lines[below]) if below < len(lines) else None
        if marked_line:
            mild = marked_line["mark"] in _MILD_MARKS
            code, message = ruled["rule"] or "", marked_line["message"].strip()
            yield _fault(lines, at, below + 1, code, message, placed.location, mild=mild)


def _rows(lines: Sequence[str]) -> Iterator[Fault]:
    for row in fault_rows(lines):
        yield _fault(lines, row.at, row.at + 1, row.code, row.message, row.place, mild=row.mild)


def _under(lines: Sequence[str]) -> Iterator[Fault]:
    """Read what is said behind the marks below a line of code, of a file that stands above."""
    file, number = "", 0
    for at, line in enumerate(lines):
        if len(line) > LONGEST:
            continue
        if heading := _IN_FILE.match(line):
            file, number = heading["file"], int(heading["line"])
        elif heading := FILE.match(line.strip()):
            file, number = heading["file"], 0
        elif code := _LINE_OF_CODE.match(line):
            number = int(code["line"])
        elif file and number and (under := _UNDER.match(line)):
            level = (under["level"] or "").lower()
            if level in _ASIDE or not SAID.search(under["message"]):
                continue
            rule, message = with_code(under["message"])
            place = FailureLocation(file, number)
            code_name = under["code"] or rule
            yield _fault(lines, at, at + 1, code_name, message, place, mild=level in _MILD)


def _is_fault(words: str) -> bool:
    """Tell whether words sound like trouble, or name the rule that is broken."""
    code = with_code(words)[0]
    by_code = "/" in code or _NUMBERED.fullmatch(code) or _CAMEL.fullmatch(code)
    return bool(_TROUBLE.search(_NAMES.sub("", words)) or by_code)


def _placed(lines: Sequence[str]) -> Iterator[Fault]:
    """Read lines that begin with a place; if none of them has a word of trouble, it is no list."""
    listed: list[_PlacedLines] = []
    for at in range(len(lines)):
        entry = _placed_line(lines, at)
        if entry and listed and _goes_on(listed[-1], entry, lines[at]):
            above = listed[-1]
            rest = f"{above.placed.rest}\n{entry.placed.rest}"
            listed[-1] = above._replace(end=entry.end, placed=above.placed._replace(rest=rest))
        elif entry:
            listed.append(entry)
    tells = any(each.level or _is_fault(each.placed.rest) for each in listed)
    if not tells and not _is_all(lines, listed):
        return
    if any(each.level == "error" for each in listed):
        # Beside errors, what neither has a level nor sounds like trouble is a step.
        listed = [each for each in listed if each.level or _is_fault(each.placed.rest)]
    bare = len(listed) > 1 and all(BARE_RULE.search(each.placed.rest) for each in listed)
    for at, end, placed, level_before, code_before in listed:
        level = level_before
        code, words = with_code(placed.rest, bare=bare)
        if code and not level and (behind := _LEVEL_BEHIND_CODE.match(words)):
            level, words = behind["level"].lower(), words[behind.end() :]
        if level in _ASIDE:
            continue
        mild = level in _MILD or only_warns(lines[at])
        yield _fault(
            lines, at, end, code or code_before, placed.who + words, placed.location, mild=mild
        )


def _is_all(lines: Sequence[str], listed: Sequence["_PlacedLines"]) -> bool:
    """Tell whether an output is nothing but lines that begin with a place, a column in each."""
    speaking = sum(bool(SAID.search(line)) and not is_closing(line) for line in lines)
    exact = all(each.placed.location.column for each in listed)
    return _FEW <= speaking <= len(listed) and exact


class _PlacedLines(NamedTuple):
    """What is said of a place, its lines, the last not counted, how bad it is, and its code."""

    at: int
    end: int
    placed: PlacedText
    level: str
    code: str


def _placed_line(lines: Sequence[str], at: int) -> _PlacedLines | None:
    """Read a line that begins with a place, and what it only heads."""
    line = lines[at]
    led = _LEAD.match(line)
    text = (line[led.end() :] if led else line).strip(" \t\u2502\u2514\u251c\u2500")
    placed = at_head(text) if len(line) < LONGEST else None
    if placed is None or placed.level in _ASIDE or is_step(placed.rest) or is_step(line):
        return None
    code = (led["code"] or led["rule"] or "") if led else ""
    level, rest = with_level(placed.rest)
    level = placed.level or (led["level"].lower() if led else "") or level
    if is_closing(rest) and (below := _details(lines, at)):
        rest = "\n".join(below)
        return _PlacedLines(at, at + 1, placed._replace(rest=rest), level or "error", code)
    if level in _ASIDE or is_closing(rest) or (not level and only_warns(line)):
        return None
    heads = rest.endswith(":")
    if heads and not level and not _TROUBLE.search(rest):  # it says where, and heads the rest
        rest = ""
    if heads or not SAID.search(with_code(rest)[1]):
        rest = "\n".join(filter(None, [rest, *_details(lines, at)]))
    if not SAID.search(rest):
        return None
    numbered = _NUMBERED_HEAD.match(line)
    if numbered and lines[at + 1 : at + 2] and lines[at + 1].startswith(f"{numbered[0]}."):
        rest = f"{rest}\n{lines[at + 1].partition(': ')[2]}"  # the same, told more exactly
    return _PlacedLines(at, at + 1, placed._replace(rest=said_of(lines, at, rest)), level, code)


def _goes_on(above: _PlacedLines, entry: _PlacedLines, line: str) -> bool:
    """Tell whether a line says more of the fault of the line above: its place is the same."""
    coded = entry.code or above.code
    coded = coded or with_code(entry.placed.rest)[0] or with_code(above.placed.rest)[0]
    here = (above.end, above.placed.who, above.placed.location)
    same = here == (entry.at, entry.placed.who, entry.placed.location)
    alike = above.level == entry.level and entry.placed.location.column is not None
    return same and not coded and (alike or ":   " in line)


def _own_step(step: re.Match[str]) -> FailureLocation | None:
    """Give the place of a step unless the code there is a library's or the language's."""
    file = step["file"].removeprefix("//")  # behind ``file:``
    if _SCHEME.search(step.string[: step.start("file")]) or is_installed(file):
        return None
    return None if foreign(StackFrame(file), "") else FailureLocation(file, int(step["line"]))


def _with_stack(lines: Sequence[str]) -> Iterator[Fault]:
    """Read headlines that have the steps of a stack below."""
    for at, line in enumerate(lines[:-1]):
        if not line.strip() or line[0].isspace() or not _FRAME.match(lines[at + 1]):
            continue
        if is_closing(line) or is_step(line) or only_warns(line) or len(line) > LONGEST:
            continue
        if _FRAME.match(line):
            continue
        end = at + 1
        own: FailureLocation | None = None
        while end < min(len(lines), at + _MOST_STEPS) and _FRAME.match(lines[end]):
            step = _STEP.match(lines[end])
            if step and own is None:
                own = _own_step(step)
            end += 1
        if own is None or len(SAID.findall(line)) < LEAST_SAID or line.rstrip().endswith(":"):
            continue
        above = at > 0 and _ERROR.search(lines[at - 1])
        words = [
            _PROCESS.sub("", each, count=1).strip() for each in lines[at - bool(above) : at + 1]
        ]
        head = _HEADLINE.match(words[-1])
        code = (head["code"] or "") if head else ""
        if head and code:
            words[-1] = head["message"].strip()
        yield _fault(lines, at, end, code, "\n".join(words), own, mild=False)
