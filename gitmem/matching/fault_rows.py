"""Rows with a line, and mostly a column, of a file that stands alone above them. Pure.

Some tools number their faults: the place stands behind the number, and below it what is wrong.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.places import alone, at_head
from gitmem.output.failure import FailureLocation
from gitmem.tools.common.closing import is_closing

LONGEST: Final = 1_000
SAID: Final = lazily(r"[^\W\d_]{2,}")
LEAST_SAID: Final = 2
RULED: Final = lazily(
    r"(?P<rule>[@\w-]+(?:/[\w-]+)+|[a-z]+(?:-[a-z]+)+|[A-Z]{1,6}\d{2,6})?(?:\s+FIXABLE)?"
    r"[\s\u2500\u2501-]*$"
)
FILE: Final = lazily(
    r"(?i:file:? )?(?P<file>(?:[A-Za-z]:)?[^\s:|<>()'\"]{0,300}\.[A-Za-z]\w{0,9})"
    r"(?::(?: \w+:)?(?: [a-z]+)? errors?:|:| \(\d+\)|:? *-+)?\s*$"
)
_OF_FIRST: Final = lazily(
    r"\s+(?P<file>(?:[A-Za-z]:)?[^\s:|<>()'\"]{0,300}\.[A-Za-z]\w{0,9}):\d{1,7}:\d{1,6}\s*$"
)
"""A file with the place of its first row."""
_TABLE: Final = lazily(r"\s*Line\s{2,}(?P<file>[^\s:|<>()'\"]{1,300}\.[A-Za-z]\w{0,9})\s*$")
"""The head of a table, whose rows are the lines of a file."""
_ROW: Final = lazily(
    r"(?:\s+(?:\W\s+)?|(?=\d+:\d+[\s-]))(?P<word>[Ll]ine:? )?(?P<line>\d{1,7})"
    r"(?:(?::|, ?(?:[Cc]ol(?:umn)?:? )?)(?P<column>\d{1,6}))?(?:-\d{1,7}(?::\d{1,6})?)?"
    r"\s*(?::|,| -|\s| \|)\s*(?:[\u2713\u2714] )?"
    r"(?:(?P<level>(?i:error|warning|warn|fatal|info))\b(?:[:\s]| \|)\s*(?:\[[x ]\] )?"
    r"|(?P<mark>[\u00d7\u2716\u2717\u2718\u274c\u26a0\u2715])\s+)?"
    r"(?P<message>[^\s|\u2502].*?)"
    r"(?:(?:\s{2,}|\t|(?<=[.?!)]) (?=[a-z]+(?:-[a-z]+)+\s*$))(?P<code>[@\w./()-]{2,80})"
    r"(?: {2,}[\w-]+)?)?\s*$"
)
_CODED: Final = lazily(r"(?P<code>[A-Z]{1,4}\d{2,5}):? (?P<message>\S.*)$")
"""What a row says behind the code of its rule: such a row needs no column."""
_NUMBERED: Final = lazily(r"\s{0,4}(?:\[\d{1,4}\]|\d{1,4}[.)]) (?P<place>\S+?)(?: at [#/$]\S*)?$")
_OF_LINE: Final = lazily(
    r"\s{0,4}(?:\d{1,4}[.):] )?(?:(?P<level>(?i:error|warning|warn|fatal|info)) )?"
    r"(?:at|on|in) line (?P<line>\d{1,7})(?:,? (?:at )?col(?:umn)?:? (?P<column>\d{1,6}))?:?\s*$"
)
"""A line of the file above, and nothing of what is wrong there."""
_MOST_BELOW: Final = 2
"""Lines below a numbered place of which one says what is wrong."""
_MARKED: Final = lazily(
    r"\s*[\u00d7\u2716\u2717\u2718\u274c] (?P<code>[a-z]+(?:-[a-z]+)+|[@\w-]+/[\w-]+)(?: - |: )"
    r"(?P<message>\S.*)$"
)
"""A mark and the rule that a whole file breaks."""
_MARKED_BEHIND: Final = lazily(
    r"\s*[\u00d7\u2716\u2717\u2718\u274c]\s+(?P<message>\S.*?)\s+\[(?P<code>[a-z]+(?:-[a-z]+)+)\]$"
)
"""A mark, what is wrong, and the rule that says so; of what was asked for, not of a file."""
_CODE_ALONE: Final = lazily(
    r"(?i:error|warning): (?P<code>\w+(?:::[\w-]+)+|\w+(?:[./-]\w+)*)(?: \(link\))?\s*$"
)
_RULE: Final = lazily(r"[a-z]+(?:-[a-z]+)+$")
_LED: Final = lazily(
    r"(?P<level>(?i:error|warning)): (?P<line>\d{1,7}):(?P<column>\d{1,6})\s+"
    r"(?P<code>[a-z]+(?:-[a-z]+)+) {2,}(?P<message>\S.*)$"
)
_UNPLACED: Final = lazily(
    r"\s+(?P<level>error|warn(?:ing)?) (?P<code>[a-z]+(?:-[a-z]+)+): (?P<message>\S.*?)\s*$"
    r"|\d{1,6}: (?P<number>[A-Z]{1,3}\d{1,4}) (?P<words>\S.*)$"
)
"""Rows with a rule that name no file: a level first, or a line of what was asked for."""
_IN_FILE: Final = lazily(r"In (?P<file>[^\s:|<>()'\"]{0,300}\.[A-Za-z]\w{0,9}):?\s*$")
_SAID_OF_LINE: Final = lazily(
    r"(?P<message>\S.{2,400}?),? (?:on|at) line (?P<line>\d{1,7})"
    r"(?:(?:,| at) col(?:umn)? (?P<column>\d{1,6}))?[.]?(?:$|(?<=\.)  ?[A-Z(].*$)"
)
_CODE: Final = lazily(r"\s*(?:>\s*)?\d{1,6}\s?[|\u2502]|[-\s]*\^")
_ARROWS: Final = ("\u2192", "->", "=>")
_LEADS: Final = lazily(
    r"(?P<file>(?:[\w@.-]{1,100}/)*[\w@-][\w@.-]{0,100}\.[A-Za-z]\w{0,9}) (?:\u2192|[-=]>)(?:\s|$)"
)
"""A file that leads to another one: the first is where somebody has to look."""
_MARGIN: Final = lazily(r"\s*[|\u2502]")
_LIST: Final = lazily(
    r"(?P<what>(?:Unused|Missing|Unlisted|Unresolved|Unknown|Duplicate|Undefined|Undeclared)"
    r"(?: [a-z]+){1,3})(?: \((?P<count>\d{1,4})\)|:)?\s*$"
)
"""What is wrong with each of those that are listed below."""
_ITEM: Final = lazily(
    r"\s*(?P<bullet>[*\u2022-] )?(?P<name>\S+?)"
    r"(?:(?::| {2,}) *(?P<place>\S+\.\w+(?::\d+(?::\d+)?)?))?\s*$"
)
_ROW_WITH_CODE: Final = lazily(
    r"(?P<code>[A-Z]{1,4}\d{2,5}) (?P<line>\d{1,7}):(?P<column>\d{1,6}):? (?P<level>(?!))?"
    r"(?P<mark>(?!))?(?P<word>(?!))?(?P<message>\S.*)$"
)
_CODE_FIRST: Final = lazily(
    r"(?:(?:[A-Z]: )?(?:\[\w+\] )?(?P<cop>[A-Z]\w{1,40}(?:/[A-Z]\w{1,60}){1,3}):"
    r"|\[(?P<square>[A-Za-z][\w@/.-]{1,60})\]:?|(?P<code>[A-Z]{1,6}\d{2,6}):?"
    r"|(?P<column>[A-Z][a-z]+(?:[A-Z][A-Za-z]*)+):(?=\t))(?:\s+|$)"
)
_CODE_LAST: Final = lazily(
    r"\s+(?:\[(?:(?i:error|warning)/)?(?P<square>(?:\w+/)*[A-Za-z@][\w@/.:-]{1,60}?)\*?\]"
    r"|\((?:(?:check|rule): (?P<named>[\w/-]{2,60})"
    r"|(?P<round>[a-z]+(?:[-/][\w-]+)+|[A-Z]{1,8}-?\d{2,6}|[a-z]+[A-Z]\w+))\))$"
)
_RULE_BEHIND: Final = lazily(r"^(?P<message>.+) [\u2022-] (?P<rule>[a-z]+(?:_[a-z]+)+)$")
"""A rule with bars below, behind what separates the parts of the line."""
LEVELS: Final = r"(?P<level>(?i:error|warning|warn|fatal|info|note|severe))"
_LEVEL_FIRST: Final = lazily(rf"^[\[(]{LEVELS}(?:/\d+)?[\])]:?\s+")
_LEVEL_LAST: Final = lazily(rf"\s+[\[(]{LEVELS}[\])]$")
BARE_RULE: Final = lazily(r"\s+\((?P<rule>[a-z][\w/-]{1,80})\)$")
_CHANGED: Final = lazily(
    r"--- (?:a/)?(?P<file>(?:[^\s:]{1,300}/)?[^\s:/]{1,200}\.[A-Za-z]\w{0,9})(?:[\t ].*)?$"
)
"""The name of a file; what a test compared is called otherwise."""
_HUNK: Final = lazily(r"@@ -(?P<line>\d{1,7})(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@")
_MOST_CHANGED: Final = 400
_MOST_SHOWN: Final = 6


class FaultRow(NamedTuple):
    """A row: the number of its line in the output, what it says, and whether it only warns."""

    at: int
    code: str
    message: str
    place: FailureLocation | None
    mild: bool


def fault_rows(lines: Sequence[str]) -> Iterator[FaultRow]:
    """Give the rows, in their order."""
    file, table = "", False
    yield from _listed(lines)
    yield from _said_of_lines(lines)
    for at, line in enumerate(lines):
        if len(line) > LONGEST or not line.strip():
            continue
        if heading := _heading(lines, at):
            file, table = heading["file"], bool(_TABLE.match(line))
            continue
        stated = _stated_below(lines, at) or _below_code(lines, at) or _of_file(lines, at, file)
        if stated:
            yield stated
            continue
        if file and (numbered := _told_of_line(lines, at, file)):
            yield numbered
            continue
        row = _ROW_WITH_CODE.match(line) if file else None
        if row is None and not (line[0].isspace() or (line[0].isdigit() and _ROW.match(line))):
            heading = FILE.match(line)
            if heading or not (RULED.match(line) or is_closing(line)):
                file, table = (heading["file"] if heading else ""), False
            continue
        row = row or (_ROW.match(line) if file else None)
        if row is None:
            continue
        coded = _CODED.match(row["message"])
        ruled = _RULE.match(row["code"] or "") or row["word"]
        if not (table or coded or ruled or row["column"] or row["level"] or row["mark"]):
            continue
        if not SAID.search(row["message"]) or is_closing(row["message"]):
            continue
        level = (row["level"] or "").lower()
        if level != "info":
            column = int(row["column"]) if row["column"] else None
            place = FailureLocation(file, int(row["line"]), column)
            mild = level in {"warning", "warn"} or row["mark"] == "\u26a0"
            code = row["code"] or (coded["code"] if coded else "")
            code = code.partition("(")[2].rstrip(")") or code
            wrapped = _wrapped(lines, at, row.start("message")) if table else []
            wording = coded["message"] if coded and code == coded["code"] else row["message"]
            message = " ".join([wording.strip(), *wrapped])
            yield FaultRow(at, code, message, place, mild)


def _heading(lines: Sequence[str], at: int) -> re.Match[str] | None:
    """Read the head of a table, or a file with the place of the row below it."""
    if heading := _TABLE.match(lines[at]):
        return heading
    below = "".join(lines[at + 1 : at + 2])
    return _OF_FIRST.match(lines[at]) if _ROW.match(below) else None


def _stated_below(lines: Sequence[str], at: int) -> FaultRow | None:
    """Read a place with a number before it, and the statement below it."""
    numbered = _NUMBERED.match(lines[at])
    place = alone(numbered["place"]) if numbered else None
    if place is None:
        return None
    below = (line for line in lines[at + 1 : at + 1 + _MOST_BELOW] if line.strip())
    statement = next(below, "").strip()
    if len(SAID.findall(statement)) < LEAST_SAID or is_closing(statement) or alone(statement):
        return None
    return FaultRow(at, "", statement, place, mild=False)


def _told_of_line(lines: Sequence[str], at: int, file: str) -> FaultRow | None:
    """Read a number of a line of the file, and the statement below it."""
    where = _OF_LINE.match(lines[at])
    statement = lines[at + 1].strip() if where and at + 1 < len(lines) else ""
    if where is None or len(SAID.findall(statement)) < LEAST_SAID or is_closing(statement):
        return None
    column = int(where["column"]) if where["column"] else None
    place = FailureLocation(file, int(where["line"]), column)
    return FaultRow(at, "", statement, place, mild=(where["level"] or "").startswith("warn"))


def _below_code(lines: Sequence[str], at: int) -> FaultRow | None:
    """Read a place, the code there, and the statement at the margin below an empty line."""
    end = at + 1
    parted = end < len(lines) - 1 and not lines[end].strip()
    end += parted
    if end == len(lines) or not (_CODE.match(lines[end]) or _MARGIN.match(lines[end])):
        return None
    spoken = at_head(lines[at])
    place = alone(lines[at]) or (spoken.location if spoken and not spoken.rest else None)
    if place is None:
        return None
    while end < len(lines) and (_CODE.match(lines[end]) or _MARGIN.match(lines[end])):
        end += 1
    if parted:  # all of it is parted by empty lines, and indented alike
        return _paragraph_below(lines, at, end, place)
    below = lines[end : end + 2]
    parted = bool(below) and not below[0].strip()
    # Whoever speaks before the place goes on at once.
    statement = (
        below[-1] if below and parted else below[0] if below and spoken and spoken.who else ""
    )
    if statement[:1].isspace() or len(SAID.findall(statement)) < LEAST_SAID:
        return None
    silent = is_closing(statement) or alone(statement)
    return None if silent else FaultRow(at, "", statement.strip(), place, mild=False)


def _paragraph_below(
    lines: Sequence[str], at: int, end: int, place: FailureLocation
) -> FaultRow | None:
    """Read the lines below an empty one that are indented as the place above the code is."""
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    last = end = end + 1
    while last < min(len(lines), end + _MOST_SHOWN) and lines[last].strip():
        if not lines[last].startswith(margin):
            return None
        last += 1
    statements = [line.strip() for line in lines[end:last]]
    if not margin or len(SAID.findall(" ".join(statements))) < LEAST_SAID:
        return None
    return FaultRow(at, "", "\n".join(statements), place, mild=False)


def _of_file(lines: Sequence[str], at: int, file: str) -> FaultRow | None:
    """Read the rule that a whole file breaks, or that is said of no file."""
    if file and (marked := _MARKED.match(lines[at])):
        return FaultRow(at, marked["code"], marked["message"], FailureLocation(file), mild=False)
    if behind := _MARKED_BEHIND.match(lines[at]):
        place = FailureLocation(file) if file else None
        return FaultRow(at, behind["code"], behind["message"], place, mild=False)
    if led := _LED.match(lines[at]):
        above = next((place for line in lines[at - 1 :: -1] if (place := alone(line))), None)
        line, mild = int(led["line"]), led["level"].lower() == "warning"
        place = above and FailureLocation(above.file, line, int(led["column"]))
        return FaultRow(at, led["code"], led["message"], place, mild=mild)
    if file or (bare := _UNPLACED.match(lines[at])) is None:
        return None
    mild = (bare["level"] or "").startswith("warn")
    words = bare["message"] or bare["words"]
    leads = _LEADS.match(words)
    place = FailureLocation(leads["file"]) if leads else None
    if words.endswith(_ARROWS):
        words = " ".join([words, *_chain(lines, at)])
    return FaultRow(at, bare["code"] or bare["number"], words, place, mild=mild)


def _chain(lines: Sequence[str], at: int) -> list[str]:
    """Give what a line that ends with an arrow leads to, line by line."""
    end = at + 1
    while end < len(lines) and lines[end - 1].rstrip().endswith(_ARROWS) and lines[end].strip():
        end += 1
    return [line.strip() for line in lines[at + 1 : end]]


def _said_of_lines(lines: Sequence[str]) -> Iterator[FaultRow]:
    """Give what ends with the line it is said of, below the name of the file."""
    file = ""
    for at, line in enumerate(lines):
        if line.startswith("In ") and (inside := _IN_FILE.match(line)):
            file = inside["file"]
        elif len(line) < LONGEST and (stated := _SAID_OF_LINE.match(line)):
            column = int(stated["column"]) if stated["column"] else None
            bare = _OF_LINE.match(line) or len(SAID.findall(stated["message"])) < LEAST_SAID
            heads = lines[at + 1 : at + 2] and lines[at + 1][:1].isspace()
            if bare or not (file or (column and not heads)):
                continue
            place = FailureLocation(file, int(stated["line"]), column) if file else None
            yield FaultRow(at, "", stated["message"], place, mild=False)


def _listed(lines: Sequence[str]) -> Iterator[FaultRow]:
    """Read headings of what is missing or too many, and the names below."""
    for start, line in enumerate(lines):
        head = _LIST.match(line) if line[:1].isupper() else None
        for at in range(start + 1, len(lines) if head else 0):
            item = _ITEM.match(lines[at])
            listed = at - start <= int(head["count"] or 0) if head else False
            if head is None or item is None or not (listed or item["bullet"]):
                break
            place = None
            if item["place"]:
                place = alone(item["place"]) or FailureLocation(item["place"])
            yield FaultRow(at, "", f"{head['what']}: {item['name']}", place, mild=False)


def code_above(lines: Sequence[str], at: int) -> tuple[int, str]:
    """Give the line with nothing but a code that stands above a statement, and the code."""
    above = at - 1 - (at > 0 and not lines[at - 1].strip())
    coded = _CODE_ALONE.match(lines[above]) if above >= 0 else None
    return (above, coded["code"]) if coded else (at, "")


def _wrapped(lines: Sequence[str], at: int, column: int) -> list[str]:
    """Give what a row of a table goes on with, below the column in which its message begins."""
    end = at + 1
    while end < len(lines) and lines[end].strip() and not lines[end][:column].strip():
        if not lines[end].strip()[0].isascii():  # a sign, behind which the row's rule is told
            break
        end += 1
    return [line.strip() for line in lines[at + 1 : end]]


def with_level(words: str) -> tuple[str, str]:
    """Part the level that words bear in brackets, first or last, from what is said."""
    for form in (_LEVEL_FIRST, _LEVEL_LAST):
        if match := form.search(words):
            return match["level"].lower(), (words[: match.start()] + words[match.end() :]).strip()
    return "", words


def with_code(words: str, *, bare: bool = False) -> tuple[str, str]:
    """Part the code or rule that words begin or end with from what is said."""
    if bare and (ends := BARE_RULE.search(words)):
        return ends["rule"], words[: ends.start()].strip()
    if behind := _RULE_BEHIND.match(words):
        return behind["rule"], behind["message"].strip()
    if begins := _CODE_FIRST.match(words):
        code = next(filter(None, begins.groups()))
        return code, words[begins.end() :].strip()
    if ends := _CODE_LAST.search(words):
        code = ends["square"] or ends["named"] or ends["round"]
        return code, words[: ends.start()].strip()
    return "", words


def differences(lines: Sequence[str]) -> Iterator[tuple[range, str, FailureLocation]]:
    """Give for each file its lines in the output, what differs first, and where."""
    for at, line in enumerate(lines[:-2]):
        old = _CHANGED.match(line) if line.startswith("--- ") else None
        hunk = _HUNK.match(lines[at + 2]) if old and lines[at + 1].startswith("+++ ") else None
        if old is None or hunk is None:
            continue
        number, end = int(hunk["line"]), at + 3
        while end < len(lines) and lines[end].startswith(" "):
            number, end = number + 1, end + 1
        start = end
        while end < min(len(lines), start + _MOST_CHANGED) and lines[end][:1] in ("-", "+"):
            end += 1
        if changed := lines[start : min(end, start + _MOST_SHOWN)]:
            yield range(at, end), "\n".join(changed), FailureLocation(old["file"], number)
