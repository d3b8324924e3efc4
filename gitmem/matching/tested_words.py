"""What is said of a test that failed: the reason and the place, not the stack and the code."""

from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.harmless import is_step
from gitmem.matching.places import PlacedText, alone, at_end, at_head, is_installed
from gitmem.output.failure import FailureLocation, StackFrame
from gitmem.tools.common.closing import is_closing
from gitmem.tools.common.compared import compared
from gitmem.tools.common.frames import foreign

_ON: Final = lazily(r"(?i)(?:note|hint|help): ")
_LABEL: Final = lazily(
    r"(?:Message|Stack|Error|Reason|Details|Failure|Failed example|Exception raised):$"
)
_MARKED: Final = lazily(r"E {2,}(?=\S)")
_WANTED: Final = lazily(r"[,;] (?:but )?(?:want(?:ed)?|expected):? \S")
"""Between the values of a comparison in one line."""
PASSED: Final = lazily(
    r"\s*(?:[\u2713\u2714\u221a]|(?:ok|PASS|RUN)\b|[\[(]\s*(?:pass|ok|OK|PASS|RUN|skip|SKIPPED)\s*[\])]"
    r"|=== [A-Z]{3,5} |--- PASS|.{0,200}(?:\.{2,}|-{2,5})\s*(?:ok|OK|PASS(?:ED)?|passed)\b)"
)
RULE: Final = lazily(r"\s*[-=\u2500\u2501_*~#]{1,200}\s*$")
_EDGE: Final = lazily(r"\s*[\u256d\u2570]\u2500")
CODE: Final = lazily(r"\s*>?\s*\d{1,6}\s*[:|\u2502]")
_CODE_MARK: Final = "\u2771"
_NUMBERED_CODE: Final = lazily(r"[\s\u2502]*(?:\u2771 )?\d{1,6}(?:\s|$)")
"""Code without a margin, where a mark stands before one of its lines."""
_PLACE_MARK: Final = lazily(r"\s*[\u203a\u276f>@]?\s*(?:file://)?")
_STEP: Final = lazily(
    r"(?:at|from) \S|package:\S+ |stacktrace:|[Ss]tack ?(?:back)?trace|\[C\]:|#\d+ "
    r"|goroutine \d+ \["
)
_OFFSET: Final = lazily(r"\+0x[0-9a-f]{1,16}$")
"""What stands behind the place of a step whose function the line above names."""
TYPE: Final = lazily(r"(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Failure|Fault)")
_ORDINAL: Final = lazily(r"\d{1,4}[.)] (?=\S+?:\d)")
_LETTER: Final = lazily(r"\w")


def parts(block: Sequence[str]) -> tuple[list[str], FailureLocation | None]:
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
            ends_step = not headed.rest or TYPE.fullmatch(headed.rest)
            place = (_own(headed.location) if ends_step else None) or place or headed.location
            if headed.rest and not headed.rest.startswith("(") and not is_closing(headed.rest):
                words.append(headed.rest)
        elif ends := at_end(text.rstrip(":")):
            place = place or _own(ends.location)
            if not text.endswith(":"):
                words.append(ends.rest)
            elif not heading:  # it only heads what is said below: that is the reason
                reason_at, heading = len(words), text
        else:
            words.append(text)
    ended = at_end(heading.rstrip(":")) if words[reason_at:] else None
    step = (_own(ended.location) if ended else None) or step
    words = words[reason_at:] or words
    telling = [each for each in words if not (each.startswith("Fail") and is_closing(each))]
    return behind_marks or telling or words, step or place


def _telling(block: Sequence[str], *, marked: bool) -> Iterator[str]:
    """Give the lines that may say something; beside what is said behind marks stands code."""
    shows = any(_CODE_MARK in line for line in block)
    for line in block:
        text = _ORDINAL.sub("", line.strip(" \t\u2502#"), count=1)
        if shows and (code := _NUMBERED_CODE.match(line)):
            if _CODE_MARK in line:
                yield line[code.end() :].strip(" \t\u2502")
            continue
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
    shown = any(form.match(line) for form in (CODE, RULE, _EDGE, PASSED))
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
