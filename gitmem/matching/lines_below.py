"""What stands below a line that only heads it: an indented block, a list, a message, its causes."""

from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.harmless import is_step
from gitmem.output.failure import MAX_MESSAGE, Failure
from gitmem.tools.common.closing import is_closing

_MOST_BELOW: Final = 6
_MOST_HEADED: Final = 3
_MOST_OF_BLOCK: Final = 20
_BULLET: Final = lazily(
    r"^(?:(?:[*\u2022\u00d7-]|::|\d{1,3}[.)]|\[[xX\u00d7\u2716\u2717\u2718]\])\s+(?=\S)|-(?=[A-Z]))"
)
_NAMED: Final = lazily(r"['\"`][^\W\d]")
_COUNT: Final = lazily(r"[=:]\s*\d{1,9}$")
_QUOTES_CODE: Final = lazily(r"[\u00b7\u2500-\u257f|>^~]|\d{1,6}\s*[\u2502|]")
_LEVEL: Final = lazily(r"(?i:(?:fatal |internal )?(?:error|exception|failure)|fatal|panic):")
_OCCURRED: Final = lazily(
    r"(?i)(?:an? )?(?:\w{1,20} )?(?:error|exception|failure) (?:has )?occurred\b"
)
"""What says no more than that there was one: the reason stands in the next line."""
_CAUSE: Final = lazily(r"\s{2,8}(?:\d{1,3}: )?(?P<said>\S.{0,2000})$")
BOX: Final = lazily(r"\s*[\u256d\u250c]\u2500+ (?:\w+ )?[Ee]rror \u2500+[\u256e\u2510]\s*$")
_IN_BOX: Final = lazily(r"\s*\u2502 (?P<said>.*?)\s*\u2502\s*$")
_MOST_IN_BOX: Final = 12
_GIVES_REASON: Final = lazily(r"\s+(?:Reason|Cause): ")
_MOST_TO_HEAD: Final = 4
_MOST_CAUSES: Final = 12
MOST_ABOVE: Final = 3
"""Lines between a headline and its pointer."""
POINTER: Final = lazily(
    r"[\s|\u2502]*(?:[\u256d\u250c,\u2514]?[\u2500\u2501-]+>?\s?\["
    r"|[\u256d\u250c][\u2500\u2501\u25b8]+\s?|-->|==>)\s*(?=\S)"
)
BRANCH: Final = lazily(r"^\s*(?:[|\u2502]\s*)*[|`\u251c\u2570][-\u2500][>\u25b6]\s+")
"""A branch of a tree of causes, before a headline of its own."""
_LABEL: Final = lazily(
    r"[\s|\u2502:\u00b7\d]*(?:[\u2570\u2514]?[~\u2500-]*\^[~^-]*|[\u2570`\u2514][\u2500-]+[|\u2524]?)\s+(?P<label>\S.*)$"
)
_GOES_ON: Final = lazily(r"\s*[:\u00b7]\s+[|\u2502]\s{2,}(?P<said>\w.*)$")
"""A margin, and behind a second one what a label goes on with."""
_MOST_LABELLED: Final = 8


def following(lines: Sequence[str], at: int) -> list[str]:
    """Give the lines below one that only heads what they say: indented ones if the first is."""
    end = at + 1
    inside = end < len(lines) and lines[end][:1].isspace()
    while end < len(lines) and end <= at + _MOST_HEADED and lines[end].strip():
        if is_step(lines[end]) or (inside and not lines[end][:1].isspace()):
            break
        if end > at + 1 and _closes(lines[end]):
            break
        end += 1
    return [line.strip() for line in lines[at + 1 : end]]


def sentence_below(lines: Sequence[str], at: int) -> list[str]:
    """Give the lines that a line with a comma at its end goes on with, to the end of a sentence."""
    end = at + 1
    most = min(len(lines), at + 1 + _MOST_BELOW)
    while end < most and lines[end].strip() and lines[end - 1].rstrip().endswith((",", ":")):
        end += 1
    return [line.strip() for line in lines[at + 1 : end]]


def _closes(line: str) -> bool:
    """Tell whether a line only closes a run, and names nothing."""
    return is_closing(line) and not _NAMED.search(line)


def reason_below(lines: Sequence[str], at: int) -> list[str]:
    """Give what stands below a line that says only where, or below the code quoted there."""
    below = following(lines, at)
    if not below or not all(map(_QUOTES_CODE.match, below)):
        return below
    end = at + 1
    while end < min(len(lines), at + _MOST_OF_BLOCK) and _QUOTES_CODE.match(lines[end].lstrip()):
        end += 1
    return following(lines, end - 1)[:1]


def listed(lines: Sequence[str], at: int) -> list[str]:
    """Give the list that a message ends with, below an empty line."""
    at += 1
    at += at < len(lines) and not lines[at].strip()
    end = at
    while end < min(len(lines), at + _MOST_HEADED) and _BULLET.match(lines[end].lstrip()):
        end += 1
    return [line.strip() for line in lines[at:end]]


def aligned(lines: Sequence[str], at: int, column: int) -> list[str]:
    """Give the lines below that begin in a column, as what stands behind a level goes on."""
    end = at + 1
    margin = " " * column
    while column and end < min(len(lines), at + 1 + _MOST_BELOW):
        if not lines[end].startswith(margin) or lines[end][column : column + 1].strip() == "":
            break
        end += 1
    return [line.strip() for line in lines[at + 1 : end]]


def points(lines: Sequence[str], at: int) -> list[str]:
    """Give the points of a list that stands in the indented block below a line."""
    bullets: list[str] = []
    for line in lines[at + 1 : at + 1 + _MOST_OF_BLOCK]:
        if line.strip() and not line[0].isspace():
            break
        if _BULLET.match(line.lstrip()):
            bullets.append(line.strip())
    return bullets[:_MOST_BELOW]


def paragraph(lines: Sequence[str], at: int) -> list[str]:
    """Give the indented lines or the list below a loud line: what it only heads."""
    if at + 1 >= len(lines) or lines[at][:1].isspace():
        return []
    if _BULLET.match(lines[at + 1]):
        return listed(lines, at)
    first = at + 1 + (not lines[at + 1].strip())
    below = lines[first : first + _MOST_HEADED]
    end = next((n for n, line in enumerate(below) if not (line.strip() and line[0] == " ")), None)
    texts = [line.strip() for line in below[:end]]
    return [] if any(is_step(line) or _QUOTES_CODE.match(line) for line in texts) else texts


def reasons(lines: Sequence[str], at: int, message: str) -> list[str]:
    """Give the list below a line that closes with a colon; no list of counts."""
    below = listed(lines, at) if message.endswith(":") else []
    return [] if all(map(_COUNT.search, below)) else below


def told_below(lines: Sequence[str], at: int, message: str) -> list[str]:
    """Give what stands as a list or indented below a line that only closes; no list of counts."""
    below = following(lines, at)
    if _LEVEL.fullmatch(message):
        return below
    indented = [line[:1].isspace() for line in lines[at + 1 : at + 1 + len(below)]]
    bare = [_BULLET.sub("", each) for each in below]
    is_list = message.endswith(":")
    points_of_it = [
        point
        for each, point, inside in zip(below, bare, indented, strict=True)
        if (point != each if is_list else inside and not _QUOTES_CODE.match(each))
    ]
    if is_list and not points_of_it and _OCCURRED.match(message):
        return below[:1]
    return [] if all(map(_COUNT.search, points_of_it)) else points_of_it


def message_below(lines: Sequence[str], at: int, message: str) -> str:
    """Take the next lines for a message that only begins below its type."""
    if message.strip():
        return message
    end = at + 1
    while end < len(lines) and end < at + _MOST_BELOW and lines[end].strip():
        if end > at + 1 and _closes(lines[end]):
            break
        end += 1
    return "\n".join(lines[at + 1 : end])[:MAX_MESSAGE]


def headed_by(lines: Sequence[str], at: int) -> str:
    """Give the line at the margin whose reason stands in an indented one below it."""
    if not _GIVES_REASON.match(lines[at]):
        return ""
    heads = (line for line in reversed(lines[max(0, at - _MOST_TO_HEAD) : at]))
    return next((line.strip() for line in heads if line[:1].strip()), "")


def boxed_text(lines: Sequence[str], at: int) -> tuple[str, int]:
    """Give the text in the box whose upper edge a line is, and where it ends."""
    end, texts = at + 1, []
    while end < min(len(lines), at + _MOST_IN_BOX) and (inside := _IN_BOX.match(lines[end])):
        texts.append(inside["said"].strip())
        end += 1
    return " ".join(filter(None, texts))[:MAX_MESSAGE], end


def with_causes(
    lines: Sequence[str], at: int, message: str
) -> tuple[str, tuple[Failure, ...], int]:
    """Read the list of what led to it, as Rust's ``anyhow`` writes it; and where it ends.

    Of a message that only closes the causes are what it says.
    """
    head = at + (at < len(lines) and not lines[at].strip())
    if head >= len(lines) or lines[head].rstrip() != "Caused by:":
        return message, (), at
    end = head + 1
    causes: list[str] = []
    while end < min(len(lines), head + _MOST_CAUSES) and (cause := _CAUSE.match(lines[end])):
        causes.append(cause["said"].rstrip()[:MAX_MESSAGE])
        end += 1
    if causes and is_closing(message):
        return "\n".join([message, *causes]), (), end
    return message, tuple(Failure(message=each) for each in causes), end if causes else at


def label_of(lines: Sequence[str], at: int) -> str:
    """Give what stands beside the marks below the code that a pointer shows."""
    for line in lines[at + 1 : at + 1 + _MOST_LABELLED]:
        if match := _LABEL.match(line):
            return match["label"].strip()
        if not line.strip() or (POINTER.match(line) and line.rstrip()[-1] not in "^~"):
            break
    return ""


def reason_of(lines: Sequence[str], at: int) -> str:
    """Give what stands beside the marks where the headline only closes, and what goes on there."""
    label = label_of(lines, at) if at and is_closing(lines[at - 1].strip(" \u00d7x")) else ""
    margins = (_GOES_ON.match(line) for line in lines[at + 1 : at + 1 + _MOST_LABELLED])
    more = [margin["said"].strip() for margin in margins if margin]
    return "\n".join([label, *more]) if label else ""


def headline_above(lines: Sequence[str], at: int, floor: int) -> int | None:
    """Find the headline above a pointer: code that is quoted between them belongs to another."""
    for above in range(at - 1, max(floor, at - 1 - MOST_ABOVE), -1):
        text = BRANCH.sub("", lines[above]).strip()
        if not text:
            continue
        framed = text[0] in "|\u2502\u2570\u2514\u00b7=`" or text.partition(" ")[0].isdigit()
        if framed or is_closing(text) or is_step(text):
            return None
        return above
    return None
