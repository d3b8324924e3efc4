"""Places as tools write them: ``FILE:LINE``, ``FILE(LINE,COLUMN)``, ``in FILE on line N``."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.harmless import STAMP
from gitmem.output.failure import FailureLocation, StackFrame
from gitmem.tools.common.closing import is_closing
from gitmem.tools.common.frames import foreign

_FILE: Final = (
    r"(?P<file>(?:[A-Za-z]:[\\/])?(?:[^\s:()'\"<>|=,;`\[\]]{1,240}/)?[^\s:()'\"<>|=,;`/\[\]]{0,120}"
    r"\.[A-Za-z]\w{0,9}|(?:[\w./-]{0,120}/)?(?:makefile|[A-Z]\w{1,20}file|BUILD)"
    r"|(?:[\w./-]{0,120}/)?[A-Za-z][\w+-]{0,60}\.[1-8](?=:\d{1,7}:\d)"
    r"|(?:[\w./-]{0,120}/)?[\w.-]{0,40}(?:_config|rc|[a-z]tab)(?=:? [Ll]ine \d|:\d))"
)
_SPEAKER: Final = r"(?:\([\w-]+\.\w[\w.]{0,20}\) )?(?P<who>(?:\[?[A-Za-z][\w.+-]{0,40}\]?: ){0,2})"
_LEVEL: Final = (
    r"(?P<level>(?i:fatal error|internal error|syntax error|runtime error|error|fatal|warning|warn"
    r"|note|info|related location|panic|failure)\b(?=\s*[:\[(!])|[EF](?=: ))?"
)
_AT: Final = (
    r"(?:(?::|: (?=\d{1,7}(?:[:.]\d{1,5}:|: \S)))(?P<line>\d{1,7})"
    r"(?:(?:[:.]|: (?=\d{1,5}:))(?P<column>\d{1,5}))?(?:-\d{0,7}(?:[:.]\d{1,5})?)?"
    r"|\[(?P<line_sq>\d{1,7})\](?=:)"
    r"|@(?P<line_at>\d{1,7}):(?P<column_at>\d{1,5})(?=\s)"
    r"|(?:: | (?=\([^()]{1,30}\):))?\((?:line )?(?P<line_in>\d{1,7})"
    r"(?:[,:] ?(?P<column_in>\d{1,5}))?(?:-\d{1,7})?\)"
    r"|(?:(?::|,)? ?(?:on or before )?\b[Ll]ine:? |(?<=['\"]),)(?P<line_of>\d{1,7})"
    r"(?:, ?[Cc]ol(?:umn)?:? (?P<column_of>\d{1,5}))?(?=[\s:,-]))"
)
# What may stand between a place and what is said: characters of the line, a rule of dashes.
_BETWEEN: Final = (
    r"(?::| -|,)?\s*(?:(?:characters?|columns?|col|line|pos:?) \d{1,5}(?:-\d{1,5})?\s*[:,]?\s*)?"
)
_HEAD: Final = lazily(
    rf"{_SPEAKER}(?:(?P<led>(?i:error|warning)) (?:[\w-]{{1,12}} )?\(?(?:in|at|running"
    r"|(?:during|while|when) \w{3,20}ing(?: file)?) )?"
    r"(?:(?!file:/)[a-z]\w{1,20}:(?=[\w./-]+:\d))?(?P<bracket>\[)?"
    rf"(?:file://|(?:[Ff]ile )?(?P<quote>['\"]))?{_FILE}(?(quote)(?P=quote)){_AT}"
    rf"(?(bracket)\])(?(quote)(?!,? in )){_BETWEEN}{_LEVEL}(?P<rest>.*)$"
)
_PARTED: Final = lazily(
    rf"{_SPEAKER}{_FILE}: (?P<rest>\S.{{2,1000}}?) \((?P<line>\d{{1,7}}):(?P<column>\d{{1,5}})\):?$"
)
_IN_LINE: Final = lazily(
    rf"(?:(?P<level>(?i:error|fatal|warning)): )?{_SPEAKER}{_FILE}"
    r"(?:: | - (?P<level_behind>(?i:error|fatal|warning)): )(?P<rest>\S.{2,1000}?)"
    r" (?:in|on|at) line (?P<line>\d{1,7})(?P<column>(?!))?"
    r"(?= (?:near|scanning|parsing|while|when|before|after) |[.:]?$| \((?:check|rule): )"
)
_LEVELLED: Final = lazily(
    rf"[\[(](?:(?P<level>(?i:fatal|error|warning|warn)):)?{_FILE}(?::|: [Ll]ine )"
    r"(?P<line>\d{1,7})(?::(?P<column>\d{1,5}))?[\])](?P<who>)\s*(?P<rest>.*)$"
)
_TAIL: Final = lazily(
    rf"(?P<rest>\S.{{2,1000}}?),? (?:at|in|@|->)? ?(?:\(?file(?:name)?:? )?[(\"']?{_FILE}[\"']?"
    r"(?: on)?(?:,? (?:line|row):? (?P<line>\d{1,7})"
    r"|(?::| (?=\d{1,7}:\d))(?P<line_in>\d{1,7})"
    r"(?:[:,](?P<column>\d{1,5})(?:-\d{1,7}(?::\d{1,5})?)?)?)"
    r"(?:,? col(?:umn)?:? (?P<column_of>\d{1,5}))?\)?(?: on node \S{1,200})?[.:]?$"
)
_TITLE: Final = lazily(r"\w+ [-\u2500]{4,} ")
"""What heads what is said below it, never above."""
_OF_TAIL: Final = lazily(
    r"(?P<rest>\S.{2,400}?),? (?:(?:\(|(?:at|on|in|near) )line (?P<line>\d{1,7})"
    r"(?:,? col(?:umn)? \d{1,6})? (?:of|in) "
    r"(?:file )?"
    r"|line: (?P<line_in>\d{1,7}) |\((?P<line_at>\d{1,7}):(?P<column>\d{1,5})\) (?:in|at) )"
    rf"[\"']?{_FILE}[\"']?\)?(?: :|\.)?$"
)
_ALONE: Final = lazily(
    r"[\s#|\u2502]*(?:(?i:error|fatal|failure)(?:: | -{4,} | in (?=\S+[\s:]\d))"
    r"|[Ee]rror found (?:at|in) |(?:Origin|Location|Source|Position|Where): |File:? +(?=\S+:\d)"
    r"|>>> (?:referenced by|defined (?:at|in))(?=\s)"
    r"|[\u256d\u250c\u2514][\u2500\u2501\u25b8-]+\s?(?:in |\[)?|-->|(?:[Aa]t|[Ii]n|on|from)(?=\s)"
    r"|@|->|[a-z][\w.-]{1,30}:(?= \"))?\s*"
    rf"(?:\[|(?:File )?\"|\(file \"|\('(?=\S+' [Ll]ine ))?{_FILE}[\"']?"
    r"(?::(?P<line>\d{1,7})(?:[:.,](?P<column>\d{1,5}))?(?:-\d{1,7}(?:[:.]\d{1,5})?)?"
    r"|\((?P<line_of>\d{1,7}),\d{1,5}\)"
    r"|(?: on)?,? \(?[Ll]ines? (?P<line_in>\d{1,7})(?:-\d{1,7})?\)?"
    r"|(?= \d+:\d+(?:\s{2,}\S|-\d+\s*$)) (?P<line_at>\d{1,7}):\d{1,5}(?:-\d{1,5})?)"
    r"(?:,? (?:(?:characters?|col(?:umn)?|[Pp]os) |char:)\d+(?:-\d+)?)?[\])]?[.:,]?"
    r"(?::in [`'].*|: [\w.!?]{1,80}/\d{1,2}"
    r"| - \d{1,7}:\d{1,5}(?: \(line .*\))?)?"
    r"(?: \([\w<>.]{1,80}\)|, (?:in|<-) .*| in \S{1,100}| [\u203a\u276d\u276f] \S.*|\t.*"
    r"| {2,}\S{1,200}(?: \w{1,40})?)?\s*$"
)

_QUOTED: Final = lazily(
    r"\s*(?:[>|\u2502\u00b7]\s*)?(?:\d{1,6}\s*)?[|\u2502:]|\s*[\^~\u2500-\u257f|-]+\s*$"
    r"|\s*\d\s*$|\"[^\"]*\"$"
)
"""A line of code that a tool quotes, and the marks below it."""
_OF_FILE: Final = lazily(
    rf".{{0,80}}?\b(?:[Aa]t|on|[Ee]rror) line (?P<line>\d{{1,7}})"
    rf"(?::\d{{1,5}}|,? column \d{{1,5}})? (?:of|in) (?:file:? )?{_FILE}:?\s*$"
)
_LINE_ALONE: Final = lazily(r"\s*(?:[Aa]t |[Oo]n |[Ii]n )?[Ll]ine:? (?P<line>\d{1,7})[:.,]?\s*$")
_FILE_ALONE: Final = lazily(
    rf"\s*(?:(?:in|from|of) (?:the )?)?[Ff]ile:? [\"']?{_FILE}[\"']?"
    r"(?: \(\d{1,7}\))?(?:[,.:;]|\s*$)"
)
_MOST_TO_FILE: Final = 3
_WITHIN: Final = (
    lazily(
        r"(?:\b(?:on|at)|-) line (?P<line>\d{1,7}) (?:in|of) (?:file )?[\"']?"
        rf"{_FILE}(?P<column>(?!))?(?=[\"']?[:.,\s])"
    ),
    lazily(
        rf"(?:^|[\s(\"'\[])(?:\w{{2,8}}://)?{_FILE}"
        r"(?::|: |:\()(?P<line>\d{1,7})[:,](?P<column>\d{1,5})"
        r"(?:-\d{1,5}|,\d{1,7}:\d{1,5}\))?(?=[)\"'\],:\s]|$)"
    ),
    lazily(
        rf"[\s(\"'\[][Ff]ile:? [\"']?{_FILE}[\"']?,? [Ll]ine:? (?P<line>\d{{1,7}})"
        r"(?:, [Cc]olumn:? (?P<column>\d{1,5}))?"
    ),
    lazily(
        rf"[\s(\"'\[]{_FILE}[\"']?,? (?:at |on )?[Ll]ine:? (?P<line>\d{{1,7}})(?P<column>(?!))?"
        r"(?=[:,.\s)]|$)"
    ),
    lazily(
        r"(?:^|[\s(\"'\[])(?P<file>(?:[\w./-]{0,240}/)?[A-Z]\w{1,20}file"
        r"|(?:\.{0,2}|[\w-]{1,80})/(?:[\w./-]{0,240}/)?[\w.-]{1,120}\.[A-Za-z]\w{0,9})"
        r":(?P<line>\d{1,7})(?P<column>(?!))?(?=[)\"'\],:])"
    ),
)
"""A place in the middle of a message. What may be a host and its port is none."""
_STEP: Final = (
    lazily(
        r"\s*(?:(?:at|in|from):? (?:[^\s()\[\]]{1,60} ){0,5})?"
        r"(?:[^\s()\[\]]{1,120}|\([\w ]{1,40}\)) "
        rf"[\[(](?:\w{{2,8}}://)?{_FILE}(?::|, line )(?P<line>\d{{1,7}})"
        r"(?::(?P<column>\d{1,5}))?[\])]\s*$"
    ),
    lazily(
        rf"\s*(?:[^\s()\[\]]{{1,120}} ){{0,3}}[\[(]{_FILE}[\])](?: \([\w ]{{1,40}}\))? "
        r"(?:on |\[)[Ll]ine (?P<line>\d{1,7})(?:, [Cc]olumn (?P<column>\d{1,5}))?\]?\s*$"
    ),
    lazily(rf"\s*[Ff]ile:? \"?{_FILE}\"?,? [Ll]ine:? (?P<line>\d{{1,7}})(?P<column>(?!))?\s*$"),
)
"""A line that says nothing but in which function of which file it was."""
_ENCLOSED: Final = lazily(r".{0,200}?>>>(?P<name>[^\s<>]{1,80})<<<")
ASIDE: Final = lazily(r"\([^()\n]{1,300}\)")
"""What is said beside something else."""
_RULE_ASIDE: Final = lazily(r"\([a-z]+(?:-[a-z]+)+\)")
_COMMAND: Final = lazily(
    r"\s*(?:::(?P<level>error|warning|notice|debug)(?: (?P<parts>[^:]{1,600}))?::"
    r"|##(?:vso)?\[task\.logissue (?P<issue>[^\]]{1,600})\])(?P<rest>.*)$"
)
"""A fault as a linter hands it to GitHub or Azure, with its place in fields."""
_ESCAPED: Final = lazily(r"%(?P<hex>0A|0D|25|2C|3A)")
_SYNTAX: Final = "syntax error"
_MARK: Final = lazily(r"\s+[\^~]+\s*$")
_MARKS: Final = lazily(r"[\s|\u2502\u00b7:]*(?P<marks>[\^~]{2,}(?:\|[\^~]+)?)\s*$")
_NAME: Final = lazily(r"[^\W\d][\w$]{0,80}")
_MOST_BELOW: Final = 12
_MOST_HEADED: Final = 4
"""Lines at the margin that a colon may head."""
_MOST_ABOVE: Final = 7


_INSTALLED: Final = lazily(
    r"/rustc/|/usr/local/[^/]{1,80}/(?:src|lib)/|/usr/(?:share|lib|lib64|include)/"
)
"""Where a language's own sources are."""


class PlacedText(NamedTuple):
    """A line that names a place.

    Attributes:
        who: the program that speaks, as it stands before the place; mostly empty.
        location: the place.
        level: ``error``, ``warning`` and the like, in small letters; empty if none is said.
        rest: what is said of it.

    """

    who: str
    location: FailureLocation
    level: str
    rest: str


def at_head(text: str) -> PlacedText | None:
    """Read a line that begins with a place."""
    if text.lstrip().startswith(("::", "##")):
        return _commanded(text)
    match = _HEAD.match(text)
    if match is None:
        return _parted(text)
    parts = match.groupdict()
    forms = ("", "_in", "_of", "_at", "_sq")
    line, column = (
        next(filter(None, (parts.get(f"{part}{form}") for form in forms)), "0")
        for part in ("line", "column")
    )
    place = FailureLocation(match["file"], int(line), int(column) or None)
    level = (match["level"] or match["led"] or "").lower()
    rest = match["rest"].strip().lstrip(":!]) -\u2022").strip()
    if level == _SYNTAX and rest:  # the grammar is what is wrong: a part of what is said
        rest = f"{match['level']}: {rest}"
    return PlacedText(match["who"], place, level, rest)


def _commanded(text: str) -> PlacedText | None:
    """Read a command to the service that runs a job: the line may be told again in what it says."""
    match = _COMMAND.match(text)
    if match is None:
        return None
    parts = re.split("[,;]", match["parts"] or match["issue"] or "")
    fields = dict(each.strip().partition("=")[::2] for each in parts)
    file = fields.get("file") or fields.get("sourcepath") or ""
    line, column = (
        fields.get(own) or fields.get(other) or ""
        for own, other in (("line", "linenumber"), ("col", "columnnumber"))
    )
    if not (file and line.isdecimal()):
        return None
    file, rest = (
        _ESCAPED.sub(lambda sign: chr(int(sign["hex"], 16)), each) for each in (file, match["rest"])
    )
    again = at_head(rest)
    place = FailureLocation(file, int(line), int(column) if column.isdecimal() else None)
    level = match["level"] or fields.get("type", "")
    return PlacedText("", place, level, (again.rest if again else rest).strip())


def _parted(text: str) -> PlacedText | None:
    """Read a line with the file before what is said, and the line behind; or both in brackets."""
    match = _PARTED.match(text) if text.rstrip("\n").endswith((")", "):")) else None
    match = match or _LEVELLED.match(text) or (" line " in text and _IN_LINE.match(text)) or None
    if match is None:
        return None
    place = FailureLocation(match["file"], int(match["line"]), int(match["column"] or 0) or None)
    parts = match.groupdict()
    level = parts.get("level") or parts.get("level_behind") or ""
    rest = match["rest"] + text[match.end() :]
    return PlacedText(match["who"], place, level.lower(), rest)


def near(lines: Sequence[str], at: int) -> FailureLocation | None:
    """Give the place of what a line says that stands below it, or above the code it quotes."""
    if place := _of_file(lines[at]) or _headed_by_code(lines, at):
        return place
    for below in range(at + 1, min(len(lines), at + 1 + _MOST_BELOW)):
        if _TITLE.match(lines[below]):
            break
        line = STAMP.sub("", lines[below], count=1)
        if place := alone(line) or _of_step(line) or _of_file(line):
            return place
        if place := _in_two(lines, below):
            return place
        if not lines[below].strip() and (below == at + 1 or _QUOTED.match(lines[below - 1])):
            continue
        if is_closing(lines[below]):
            continue
        headed = lines[at].rstrip().endswith(":") and below <= at + _MOST_HEADED
        if not (headed or _QUOTED.match(lines[below]) or lines[below][:1] in (" ", "\t")):
            break
    # The code that Python shows above its marks has no margin.
    shown = _MARK.match(lines[at - 1]) and at > 1 and lines[at - 2][:1].isspace()
    first = at - 3 if shown else at - 1
    for above in range(first, max(-1, at - 1 - _MOST_ABOVE), -1):
        if place := alone(lines[above]) or _of_file(lines[above]) or _of_step(lines[above]):
            return place
        if lines[above].strip() and not _QUOTED.match(lines[above]):
            break
    return None


def _headed_by_code(lines: Sequence[str], at: int) -> FailureLocation | None:
    """Give the place that stands alone, with a colon, above the code shown right above a line.

    The next one below heads another fault.
    """
    above = at - 1
    if at == 0 or not _QUOTED.match(lines[above]):
        return None
    least = max(-1, at - 1 - _MOST_ABOVE)
    while above > least and (_QUOTED.match(lines[above]) or not lines[above].strip()):
        above -= 1
    heads = above > least and lines[above].rstrip().endswith(":")
    return alone(lines[above]) if heads else None


def _in_two(lines: Sequence[str], at: int) -> FailureLocation | None:
    """Read a line with nothing but a number of a line, and the file in one of the next."""
    number = _LINE_ALONE.match(lines[at])
    below = lines[at + 1 : at + 1 + _MOST_TO_FILE] if number else []
    file = next((match for line in below if (match := _FILE_ALONE.match(line))), None)
    return FailureLocation(file["file"], int(number["line"])) if number and file else None


def step_below(lines: Sequence[str], at: int) -> FailureLocation | None:
    """Give the place of the first own one of the steps that stand right below a line."""
    places = map(_of_step, lines[at + 1 : at + 1 + _MOST_BELOW])
    return next(filter(None, places), None)


def within(text: str) -> FailureLocation | None:
    """Give the place that stands in the middle of what is said."""
    return _first_of(match for each in _WITHIN if (match := each.search(text)))


def said_of(lines: Sequence[str], at: int, rest: str) -> str:
    """Add the line below to what is said of a place: what an aside heads, or a name in marks."""
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    if below and ASIDE.fullmatch(rest) and at_head(below) is None:
        return f"{below}\n{rest}"
    if _RULE_ASIDE.fullmatch(below):
        return f"{rest} {below}"
    enclosed = _ENCLOSED.match(below)
    return f"{rest}\n`{enclosed['name']}`" if enclosed else rest


def _of_step(text: str) -> FailureLocation | None:
    place = _first_of(match for each in _STEP if (match := each.match(text)))
    if place is None:
        return None
    return None if foreign(StackFrame(place.file), "") else place


def _first_of(matches: Iterator[re.Match[str]]) -> FailureLocation | None:
    match = next(matches, None)
    if match is None:
        return None
    column = int(match["column"]) if match["column"] else None
    return FailureLocation(match["file"], int(match["line"]), column)


def _of_file(text: str) -> FailureLocation | None:
    match = _OF_FILE.match(text)
    return FailureLocation(match["file"], int(match["line"])) if match else None


def marked(lines: Sequence[str], at: int) -> str:
    """Give the name below which marks stand in the code that is quoted below a line."""
    for below in range(at + 2, min(len(lines), at + 2 + _MOST_ABOVE)):
        marks = _MARKS.match(lines[below])
        if marks:
            # Where numbers of lines grow, some tools put the marks beside the name.
            first, last = marks.span("marks")
            names = _NAME.finditer(lines[below - 1])
            return next(
                (name[0] for name in names if name.start() < last and name.end() > first), ""
            )
        indented = bool(lines[below].strip()) and lines[below][0] in " \t|\u2502"
        if not (indented or _QUOTED.match(lines[below])):
            break
    return ""


def at_end(text: str) -> PlacedText | None:
    """Read a line that ends with a place."""
    match = _OF_TAIL.match(text) or _TAIL.match(text)
    if match is None:
        return None
    parts = match.groupdict()
    number = parts.get("column") or parts.get("column_of")
    column = int(number) if number else None
    line = match["line"] or match["line_in"] or parts.get("line_at", "")
    place = FailureLocation(match["file"], int(line), column)
    return PlacedText("", place, "", match["rest"].strip())


def alone(text: str) -> FailureLocation | None:
    """Read a line that says nothing but a place."""
    match = _ALONE.match(text)
    if match is None:
        return None
    column = int(match["column"]) if match["column"] else None
    line = match["line"] or match["line_in"] or match["line_at"] or match["line_of"]
    return FailureLocation(match["file"], int(line), column)


def is_installed(file: str) -> bool:
    """Tell whether a file came with a language or the system."""
    return _INSTALLED.match(file) is not None
