"""What editors show of problems: the panel of problems and the box at the pointer (pure).

Terminals are read by the parsers; these two forms are on screens only, in pictures of them.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gitmem.matching.naming import bare_codes
from gitmem.output.failure import Failure, FailureLocation
from gitmem.tools.choice import borne, language_of, values

_FILE: Final = re.compile(
    r"(?<![\w/.-])(?P<file>(?:[\w.-]+/)*[\w-]+\.(?:tsx?|jsx?|py|c|h|cpp|rs|go|java))\b"
)
# A line of code behind its number.
_NUMBERED: Final = re.compile(r"^\s*(\d{1,6})\s*(?![\s:.,)\]])(\D.*)$", re.MULTILINE)
_UNCLOSED: Final = re.compile(r"('[^'.]+)\.$")
_FOLDER: Final = re.compile(r"^\s*(?P<folder>(?:[\w.-]+/)*[\w.-]+)\s*\d{0,3}\s*$")


def shown(text: str) -> tuple[Failure, ...]:
    """Give the problems that an editor shows, in order of appearance, each once."""
    problems = {
        (problem.code, problem.message, problem.location): problem for problem in _problems(text)
    }
    placed = [
        problem for problem in problems.values() if problem.location and problem.location.line
    ]
    # The box at the pointer repeats a line of the panel, without its place.
    return tuple(placed or problems.values())


@cache
def _problem() -> re.Pattern[str]:
    """Give the pattern of a line that shows a problem.

    ⊗ Type 'string' is not assignable to type 'number'. ts(2322) [Ln 4, Col 3]
    """
    sources = (source for written in values("sources").values() for source in written)
    return re.compile(
        r"^[^\w'\"`]*(?P<message>[\w'\"`].{2,400}?)\s+(?P<source>"
        + "|".join(map(re.escape, sources))
        + r")\s*\(\s*(?P<code>[\w/-]{1,60})\s*\)"
        r"(?:.{0,6}?\[?Ln\s*(?P<line>\d{1,6}),?\s*Col\s*(?P<column>\d{1,4})\]?)?"
    )


def _problems(text: str) -> Iterator[Failure]:
    file = ""
    code_of = {int(match[1]): match[2].strip() for match in _NUMBERED.finditer(text)}
    for line in text.split("\n"):
        problem = _problem().match(line)
        if problem is None:
            file = _file(line) or file
            continue
        tool, language = borne(problem["source"]), language_of(problem["source"])
        code, message = bare_codes().get(tool, "") + problem["code"], problem["message"].strip()
        # A quote before the full stop is easily lost.
        if tool in values("identity.closes_quotes") and message.count("'") % 2:
            message = _UNCLOSED.sub(r"\1'.", message)
        number, column = problem["line"], problem["column"]
        place = None
        if file:
            line_number = int(number) if number else None
            shown_code = code_of.get(line_number, "") if line_number else ""
            place = FailureLocation(file, line_number, int(column) if column else None, shown_code)
        yield Failure(tool, language, "", code, message, location=place, excerpt=line.strip())


def _file(line: str) -> str:
    """Find the file that a line names: a tab, a path above the code, a heading of the panel.

    The panel writes the folder behind the name: ``price.ts src  2``.
    """
    match = _FILE.search(line)
    if not match:
        return ""
    after = _FOLDER.match(line[match.end() :])
    if after and "/" not in match["file"] and not after["folder"].isdigit():
        return f"{after['folder']}/{match['file']}"
    return match["file"]
