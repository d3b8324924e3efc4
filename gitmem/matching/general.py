"""The statement of a failure in an output of a tool that nobody knows, found by its form.

Not the last line: the one that says what is wrong. It begins with a place, with a word for how bad
it is, or with who speaks; it holds a word of trouble; lines of detail stand indented below. What
only counts, closes, marks a column or is a step of a trace is none. Where no line says enough, none
is given: the exit code is all that is known then.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.harmless import (
    LOUD,
    MILD_LEVELS,
    STAMP,
    counts_none,
    is_step,
    is_table_row,
    is_wrapped_point,
    only_warns,
)
from gitmem.matching.lines_below import following
from gitmem.matching.lines_below import listed as points_below
from gitmem.matching.places import PlacedText, alone, at_end, at_head
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, excerpt
from gitmem.tools.common.closing import is_closing

_MOST: Final = 2_000
"""Lines of an output that are looked at, its last ones."""
_LONGEST: Final = 1_000
_ENOUGH: Final = 3
SURE: Final = 5
"""What must speak for a statement where a guess at another line was made."""
_BELOW: Final = 8
"""Lines below the statement that may belong to it, or say where it is."""
_STRONG: Final = lazily(
    r"(?:[\w./+-]{1,40}: )?(?:\[(?i:emerg|alert|crit|error|err|fatal)\]|(?i:fatal error|fatal|abort"
    r"|error|panic|bug|oops|exception|critical|(?:uncaught|unhandled)(?: exception)?"
    r"|assertion failed)\b"
    r"(?:\[[\w:/.@-]{1,80}\])?(?:[^\w\s]+\s|\s(?!\s))"
    r"|[\u00d7\u2716\u2717\u2718\u274c\u26a0\u25cf]\s|(?:!|\[!\])\s(?=\w))"
)
_WEAK: Final = lazily(
    r"(?i)\b(?:errors?|fail(?:s|ed|ure|ures)?|fatal|exceptions?|panic|cannot|can(?:'|\u2019)t"
    r"|denied|refused|timed out|timeout|not found|unable to|no such|out of memory|killed|undefined"
    r"|undeclared|unknown|unexpected|unresolved|unrecogni[sz]ed|unsupported|unauthori[sz]ed"
    r"|forbidden|invalid|illegal|missing|mismatch(?:ed)?|conflict(?:s|ing)?|incompatible|ambiguous"
    r"|duplicate|expired|corrupt(?:ed)?|violation|violates|problem|wrong|overflow|deadlock"
    r"|would be re(?:formatted|written)"
    r"|could(?: not|n't)|does(?: not|n't)|is not|are not|was not|must(?: not)? be|must have"
    r"|is required|already exists|rejected|attempt to|empty list|no declaration|non-?existent"
    r"|never (?:used|defined|declared|closed|called|read|set)"
    r"|ha(?:s|ve) no|there (?:is|are) no"
    r"|no [\w \"'`.-]{1,60} (?:exists?|found|set|available|match\w*|defined|configured|specified"
    r"|installed)"
    r"|not in scope|insufficient|exceed(?:s|ed)?|too (?:many|few|large|small|long|short|old|new)"
    r"|not (?:allowed|permitted|defined|declared|supported|valid|set|enough|installed))\b"
)
_MILD: Final = lazily(
    r"\s*(?:\[?(?:warning|warn|info|debug|note|notice|hint|help|trace|deprecated)\b"
    r"|\d+ (?:warnings?|info)\b|(?:see|try|use|run|rerun|hint|note|help"
    r"|(?:error! )?- you (?:can|may|could) (?:use|try|run|set|pass)"
    r"|(?:for|to) [^:]{1,80}, (?:see|re-?run|run|use|try|set)|for (?:more|further)"
    r"|more (?:details|info)|a complete log|please)\b)",
    re.IGNORECASE,
)
_WARNS: Final = lazily(
    r"(?:^|[\s\[(])(?:WARN(?:ING)?|INFO|DEBUG|NOTICE)(?:[\]):\s]|$)|\w*Warning: "
    r"|\blevel\"?\s?[=:]\s?\"?(?:warn(?:ing)?|info|debug)\b"
)
"""A level in the middle of a line, as logs write it."""
_FRAMED: Final = lazily(
    r"\s*(?:[>|\u2502\u00b7]\s*)?\d{1,6}\s*[|\u2502]|\s*>?\s*[|\u2502\u2570\u00b7=]"
    r"|\s*[\^~_\u2501\u2500-]+\s*$"
)
"""A line of code that a tool quotes, its margins and its marks."""
_CODE_ABOVE: Final = 10
"""Lines of code that may be shown between a place and what is said of it."""
_RULE_ABOVE: Final = lazily(r"\s*([-=*~\u2500\u2550])\1{9,}\s*$")
_HELP: Final = lazily(r" -> \[[^\]\n]{1,40}\]$")
_POINTS: Final = lazily(r"\s*[\^~]+\s*$")
_SPEAKER: Final = lazily(
    r"\*{3} (?:- )?\S+: (?=\S)|(?:[A-Za-z][\w.+-]{0,40}: ){1,3}(?=\S)|[\w.+-]{1,40}: \(\d{1,4}\) "
)
_CODED: Final = lazily(
    r"(?i:fatal error|error|fatal|failure|panic)\[(?P<code>[\w:/.@-]{1,80})\](?:: | - |\s{2,})"
)
_RULE: Final = lazily(
    r"(?P<rule>(?=[@\w/-]*[A-Za-z])[@\w-]+(?:/[\w-]+)+|\w[\w-]*\([\w/-]+\))(?::|\s|$)"
)
_RULED: Final = lazily(r"[\s\u2501\u2500-]+$")
_FIXABLE: Final = lazily(r"\s+FIXABLE\b")
_TYPED: Final = lazily(
    r"(?P<type>[A-Za-z_][\w.:]{0,120}(?:Error|Exception|Failure|Fault)): (?P<message>\S.*)$"
)
_COMPARED: Final = lazily(
    r"(?i)\s*(?:expected|actual|got|received|passed in|wanted?|left|right)\b.*:"
)
"""What stands below a comparison, indented or not."""
_BULLET: Final = lazily(r"\s*(?:[-*\u2022\u00d7\u2716\u2717>]|Problem \d+|[\w ]{1,30}:)(?:\s|$)")
_POINT: Final = lazily(r"\s*[-*\u2022] [A-Z]")
_FENCE: Final = "```"
_WORDS: Final = lazily(r"[^\W\d_]{2,}")
_LEAST_WORDS: Final = 2
_IN_SENTENCES: Final = frozenset(
    {"the", "is", "of", "when", "we", "this", "that", "it", "and", "if", "but",
     "can", "should", "would", "there", "which", "from", "have", "has", "you", "my", "are", "was"}
)  # fmt: skip
_REPORT_WORDS: Final = 40
_REPORT_LINES: Final = 60


class _Statement(NamedTuple):
    """A line that may say what is wrong, and how much speaks for it."""

    score: int
    at: int
    text: str
    placed: PlacedText | None


def statement(lines: Sequence[str], *, least: int = 0) -> tuple[int, Failure] | None:
    """Give the failure that an output states, and its line, from 0; None if no line says enough.

    Args:
        lines: of the whole output, or its last ones.
        least: how much must speak for it, if more than enough.

    """
    least = max(least, _ENOUGH)
    first = max(0, len(lines) - _MOST)
    if _is_report(lines[first:]):
        return None
    last = _last_telling(lines, first)
    best = None
    for at in range(first, len(lines)):
        weighed = _weighed(lines, at, is_last=at == last)
        if weighed and weighed.score >= least and (best is None or weighed.score > best.score):
            best = weighed
    return (best.at, _failure(lines, best)) if best else None


def _is_report(lines: Sequence[str]) -> bool:
    """Tell whether a person wrote a text: sentences, with the words that only sentences have.

    So is what stands beside a block that is marked as code.
    """
    if _beside_fences(lines):
        return True
    words = [word for line in lines[:_REPORT_LINES] for word in _WORDS.findall(line)]
    common = sum(word in _IN_SENTENCES for word in words)
    return len(words) > _REPORT_WORDS and common * 5 > len(words)


def _beside_fences(lines: Sequence[str]) -> bool:
    """Tell whether a text has blocks between fences, and words outside of them."""
    inside, fences, outside = False, 0, False
    for line in lines:
        if line.lstrip().startswith(_FENCE):
            inside, fences = not inside, fences + 1
        elif not inside:
            outside = outside or bool(_WORDS.search(line))
    return fences > 1 and outside


def _last_telling(lines: Sequence[str], first: int) -> int:
    for at in range(len(lines) - 1, first - 1, -1):
        line = lines[at]
        silent = is_closing(line) or is_step(line) or _FRAMED.match(line) or _MILD.match(line)
        if line.strip() and not silent:
            return at
    return -1


def _weighed(lines: Sequence[str], at: int, *, is_last: bool) -> _Statement | None:
    line = lines[at][:_LONGEST].rstrip()
    if only_warns(line) or is_wrapped_point(lines, at) or is_table_row(lines, at):
        return None
    text = LOUD.sub("", STAMP.sub("", line, count=1)).strip()
    if len(text) < _ENOUGH or _FRAMED.match(line) or is_step(line) or is_closing(text):
        return None
    placed = at_head(text) or at_end(text)
    words = placed.rest if placed else text
    if is_step(words):
        return None
    if (placed and placed.level in MILD_LEVELS) or counts_none(text):
        return None
    if _MILD.match(words) or _WARNS.search(text) or len(_WORDS.findall(words)) < _LEAST_WORDS:
        return None
    weak = bool(_WEAK.search(words))
    strong = bool(_STRONG.match(text)) or bool(placed and placed.level)
    speaks = bool(_SPEAKER.match(text)) and not placed
    # What stands indented below a point of a list is that point, wrapped.
    listed = bool(_POINT.match(line))
    below = not listed and at + 1 < len(lines) and _is_detail(lines[at + 1])
    below = below or (weak and text.endswith(":") and bool(points_below(lines, at)))
    score = (
        (4 if placed and not line[:1].isspace() else 2 if placed else 0)
        + (1 if _wraps_nothing(words) else 3) * strong
        + 2 * weak
        + bool(_WEAK.match(words))
        + bool(weak and at and _RULE_ABOVE.match(lines[at - 1]))
        + speaks
        + (speaks and text.count(": ") > 1)
        + below
        + (2 if weak and not placed and (_place_above(lines, at) or _shown_below(lines, at)) else 0)
        + (weak and (_is_headed(lines, at) or _is_pointed_at(lines, at)))
        + is_last
    )
    return _Statement(score, at, text, placed)


def _shown_below(lines: Sequence[str], at: int) -> bool:
    """Tell whether the next lines are a place alone and the code there."""
    first = at + 1 + (not "".join(lines[at + 1 : at + 2]).strip())
    shown = lines[first + 1 : first + 2]
    return bool(shown and _FRAMED.match(shown[0]) and alone(lines[first]))


def _wraps_nothing(words: str) -> bool:
    """Tell whether the reason that several headlines lead to is none: it only closes."""
    reason = _HELP.sub("", words).rpartition(": ")
    return bool(reason[0]) and is_closing(reason[2])


def _is_headed(lines: Sequence[str], at: int) -> bool:
    """Tell whether the line above says loudly no more than that something failed."""
    above = lines[at - 1].strip() if at else ""
    return bool(_STRONG.match(above)) and is_closing(above)


def _is_pointed_at(lines: Sequence[str], at: int) -> bool:
    """Tell whether the next lines show code with marks below it: of what this line says."""
    return any(map(_POINTS.match, lines[at + 1 : at + 3]))


def _is_detail(line: str) -> bool:
    return line[:1] in (" ", "\t") and bool(line.strip())


def _failure(lines: Sequence[str], best: _Statement) -> Failure:
    placed = best.placed
    message, location = (placed.who + placed.rest, placed.location) if placed else (best.text, None)
    end = best.at + 1
    details: list[str] = []
    blank = False
    while end < len(lines) and end <= best.at + _BELOW:
        line = lines[end]
        if not line.strip():
            if blank:
                break
            blank = True
        elif location is None and (near := alone(line)):
            location = near
        elif _COMPARED.match(line) or (details and _COMPARED.match(details[-1])):
            details.append(line.strip())
        elif is_step(line) or line[:1] not in (" ", "\t"):
            break
        elif _FRAMED.match(line):
            pass
        elif blank and not _BULLET.match(line):
            break
        else:
            details.append(line.strip())
        end += 1
    if message.endswith(":") and not details:
        below = following(lines, best.at) or points_below(lines, best.at)
        details = [line for line in below if not _FRAMED.match(line)]
    code, message = _rule_of(message, details)
    message = _behind_level(message).strip() or message
    typed = _TYPED.match(message)
    text = "\n".join([typed["message"] if typed else message, *details])
    return Failure(
        error_type=typed["type"] if typed else "",
        code=code,
        message=text[:MAX_MESSAGE],
        location=location or _place_above(lines, best.at),
        excerpt=excerpt(lines, max(0, best.at - 1), end),
    )


def _rule_of(message: str, details: list[str]) -> tuple[str, str]:
    """Take the name of a rule from the beginning; what it says may stand below."""
    if coded := _CODED.match(message):
        return coded["code"], message[coded.end() :].strip()
    bare = _FIXABLE.sub("", _RULED.sub("", message))
    match = _RULE.match(_behind_level(bare))
    if match is None:
        return "", message
    rule = match["rule"]
    inner = rule.partition("(")[2].rstrip(")") or rule
    rest = _behind_level(bare)[match.end() :].strip()
    if rest:
        return inner, rest
    if details:
        return inner, details.pop(0).lstrip("\u00d7\u2716\u2717 ")
    return "", message


def _behind_level(message: str) -> str:
    """Take the word for how bad it is from the beginning."""
    match = _STRONG.match(message)
    return message[match.end() :].lstrip(": ") if match else message


def _place_above(lines: Sequence[str], at: int) -> FailureLocation | None:
    """Give the place that stands alone above a line; an empty line or code may stand between."""
    above = at - 1 - (at > 1 and not lines[at - 1].strip())
    least = max(0, at - _CODE_ABOVE)
    while above > least and (_FRAMED.match(lines[above]) or not lines[above].strip()):
        above -= 1
    return alone(lines[above]) if above >= 0 else None
