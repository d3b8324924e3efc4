"""The fallback: lines that say error, fatal, panic or exception, of tools nobody knows."""

import re
from collections.abc import Sequence
from typing import Final

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
from gitmem.matching.lines_below import (
    BOX,
    aligned,
    boxed_text,
    following,
    headed_by,
    listed,
    message_below,
    paragraph,
    points,
    reason_below,
    reasons,
    sentence_below,
    told_below,
    with_causes,
)
from gitmem.matching.places import (
    ASIDE,
    PlacedText,
    at_end,
    at_head,
    marked,
    near,
    said_of,
    step_below,
    within,
)
from gitmem.matching.raised import (
    PREPOSITION,
    RAISED_IN,
    of_script,
    raised_below,
    thrown_at,
    with_place,
)
from gitmem.output.failure import (
    MAX_MESSAGE,
    PLAIN_CODES,
    Failure,
    FailureLocation,
    ParserResult,
    excerpt,
)
from gitmem.tools.common.closing import finds, is_closing

_TYPED: Final = lazily(
    r"(?:.{0,120}?\b)?(?P<type>(?:[A-Za-z_]\w{0,60}[.:]{1,2}){0,8}"
    r"[A-Z]\w{1,80}(?:Error|Exception|Warning|Fault|Failure|Interrupt|Exit)|Error(?= \[))"
    r"(?: \[(?P<code>\w{1,80})\])?(?: ?: ?| - |$)(?P<message>.*)"
)
_STRONG: Final = lazily(
    r"\s*(?:[\u00d7\u2716\u2717\u2718\u274c] )?(?P<who>(?:\[?[\w./@+-]{1,60}\]?: ){0,3})"
    r"(?:(?i:runtime|syntax|internal|parse|type|compile|compilation|name|lexical|semantic|link"
    r"|script) )?"
    r"[\[(]?(?P<word>fatal error|[Ff]atal|abort|FATAL|[Ee]rror|ERROR|ERR!|ERR(?=:)|PANIC|panic"
    r"|CRITICAL|FAILED(?=:)|E)[\])]?(?: ?\[?(?P<code>[A-Z]{1,8}-?\d{1,6})\]?(?=:? ))?"
    r"(?: ?\((?P<number>\d{1,6})\)(?=: ))?(?:[:!]\s+|\s+-\s+|\s{2,}|(?<=[\])])\s)(?P<message>\S.*)"
)
# What is called after errors is none: a code, a handler.
_CALLED: Final = lazily(r"error(?<!\werror)[-_]?(?:handler|free|code)s?\b")
# What a runtime writes before an error that nobody caught: of the error itself it says nothing.
_UNCAUGHT: Final = lazily(
    r"\s*(?:(?:PHP )?Fatal error: {1,2})?(?:Uncaught(?: \(in promise\))?:?|Caused by:"
    r"|Exception in thread \"[^\"\n]{0,200}\"|Unhandled Rejection"
    r"|[Uu]nhandled (?:promise )?(?:rejection|exception)[.:]?"
    r"|\(node:\d{1,12}\) \w{1,60}Warning:) "
    r"(?=\(?(?:[A-Za-z_][\w.\\:]{0,200}(?:Error|Exception)|Error)\)?: )"
)
_IN_PARENTHESES: Final = lazily(r"\(([\w.]{1,200})\)(?=: )")
# Source lines that a tool quotes.
_CODE: Final = lazily(
    r"\s*(?:assert|raise|throw|def|return|except|catch|if|elif|for|while|import|from|print"
    r"|logg?(?:er)?\.\w+|console\.\w+|#|//|/?\*)[\s(]"
)
_TYPES: Final = ("Error", "Exception", "Warning", "Fault", "Failure", "Interrupt", "Exit")
_NAMES: Final = lazily(r"['\"`\u2018\u201c]")
_SAID: Final = lazily(r"[^\W\d_]{2,}")
_LEAST_SAID: Final = 2
_WIDTH: Final = 2_000
_MOST_HEADED: Final = 3
_FAR: Final = 6
_SHORT: Final = 4
"""Words of a statement without a name: what it is about stands below."""
_MOST_HEADLINES: Final = 2
_MOST_BESIDE: Final = 200
# What only says where it failed, or by which number, has the reason below it.
_SAYS_WHERE: Final = lazily(
    r"(?:[^:\n]{1,80}: )?(?:\W{0,8}\w+\W{0,8} ){0,2}(?:[Ee]rror|[Ff]ailure) "
    r"(?:\((?P<type>[A-Z]\w{2,80})\) )?(?:in|at|on|while|for) (?:[^:]|:(?=\S)){1,200}:?"
    r"|\[(?P<code>[A-Z]{1,6}-?\d{1,6})\]"
)
_OF_ELEMENT: Final = lazily(
    r"file \S{1,300} line \d{1,7} element \S{1,80}(?P<type>(?!))?(?P<code>(?!))?"
)
"""The place in a style sheet or schema, as libxml writes it."""
_DOING: Final = lazily(
    r"(?:\w+ ){0,2}(?:[Ee]rror|[Ff]ailure)(?: [a-z]{2,20}ing(?: \S{1,80})?)?"
    r"(?P<type>(?!))?(?P<code>(?!))?"
)
"""What was being done when it failed; why stands below."""
_SEXP: Final = lazily(r"\((?i:error|fatal|exception)\b")
"""Solvers and Lisps tell an error as an expression."""
_COMMANDED: Final = lazily(r"^\s*::(error|warning|notice)(?: title=[^:,]{1,200})?::")
_ADVICE: Final = lazily(
    r"\s*(?:\[[\w-]{1,30}\] )?(?:See|Try|Use|Run|If you|To (?:see|get|fix|find|debug|show)"
    r"|For (?:more|[^:]{1,80}, (?:see|re-?run|run|use|try))"
    r"|.{1,80}\bmay have more (?:information|details))\b"
)
_WEAK: Final = lazily(
    r"\b(?:errors?|failed|failures?|fatal|exceptions?|panic|cannot|denied|refused|timed out"
    r"|not found|does(?: not|n't) exist|already exists|unable to|could(?: not|n't)"
    r"|no such|out of memory|killed|undefined|exit(?:ed)? (?:with )?(?:code|status))\b",
    re.IGNORECASE,
)


_TELLS: Final = lazily(
    r"(?i)\b(?:violat\w+|mismatch\w*|missing|invalid|un(?:known|declared|expected|supported|resolved)"
    r"|duplicate\w*|deadlock|(?:is|are|was) not|must)\b"
)
"""What tells what is wrong, beside words of trouble."""
_OF_LINE: Final = lazily(r"\bline \d{1,7}\b")
_ENDED: Final = lazily(r"\bexit(?:ed)? (?:with )?(?:status|code):? \d{1,3}$")
_PRINTED: Final = lazily(r"\s*(?:[\w.-]{1,40} )?std(?:err|out): (?!Nothing)\S")
_HEADS: Final = lazily(r"(?:Failed|Unable|Could not|Cannot|Error) [^\n]{1,400}[.:]$")
_REASON: Final = lazily(r"(?:\[\w+ \d{1,6}\] |['\"`\u2018])[^\n]{4,400}$")
"""What goes on, at the beginning of the next line, with what an exception's own line only heads."""
_BARE_LEVELS: Final = ("error", "errors", "fatal", "failure")
_OFFERS: Final = lazily(r"\W*[Yy]ou (?:can|may|could) (?:use|try|run|set|pass)\b")


def may_be_sure(line: str) -> bool:
    """Tell whether a guess of a line may be more than a faint one; none that is gets lost."""
    stamp = STAMP.match(line)
    line = line[stamp.end() : _WIDTH] if stamp else LOUD.sub("", line[:_WIDTH])
    return bool(_STRONG.match(line) or _UNCAUGHT.match(line) or at_head(line) or _typed(line))


def _typed(line: str) -> re.Match[str] | None:
    return _TYPED.match(line) if any(word in line for word in _TYPES) else None


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Make a guess of one line."""
    line = lines[at][:_WIDTH]
    if at and _wraps(lines[at - 1], line):
        return None
    if BOX.match(line):
        return _boxed(lines, at)
    line = _COMMANDED.sub(r"\1: ", line, count=1)
    stamp = STAMP.match(line)
    loud = None if stamp else LOUD.match(line)
    level = stamp["level"] if stamp else loud and loud[0]
    start = stamp or loud
    line = line[start.end() :] if start else line
    if uncaught := _UNCAUGHT.match(line):
        line = _IN_PARENTHESES.sub(r"\1", line[uncaught.end() :], count=1)
    typed = _typed(line)
    if _is_harmless(lines, at, line) or (stamp and stamp["mild"] and not typed):
        return None
    bare = _STRONG.sub(r"\g<message>", line, count=1)
    if thrown := thrown_at(lines, at, bare, line) or of_script(lines, at):
        return thrown
    if raised := RAISED_IN.match(line):
        return raised_below(lines, at, raised)
    telling = level or typed or _WEAK.search(line) or finds(line) or _SAYS_WHERE.match(line)
    if not telling:
        return None
    if not typed:
        return _untyped(lines, at, line, _STRONG.match(line))
    own = not line[: typed.start("type")].strip()
    # In the middle of a line the words before the type tell as much as those after it.
    message = message_below(lines, at, typed["message"]) if own else line.strip()
    message = "\n".join([message, *listed(lines, at)]) if message.endswith(":") else message
    message = "\n".join([message, *aligned(lines, at, len(lines[at]) - len(line))])
    if own and not line.startswith(" "):
        message = "\n".join([message, *_reason_of(lines, at, message)])
    if own and is_closing(message):  # how many there are; of which fields stands below
        message = "\n".join([message, *following(lines, at)])
    code = "" if typed["code"] in (None, *PLAIN_CODES) else typed["code"]
    failure = Failure(error_type=typed["type"], code=code, message=message)
    failure = with_place(failure) if own else failure._replace(severity="hint")
    failure = failure._replace(location=failure.location or step_below(lines, at))
    if own and failure.location is None and at > 1 and lines[at - 1].strip(" ^~") == "":
        failure = failure._replace(location=near(lines, at))
    text = excerpt(lines, max(0, at - 1), min(len(lines), at + 3))
    return ParserResult((failure._replace(excerpt=text),), at, at + 1)


def surely(lines: Sequence[str], at: int) -> ParserResult | None:
    """Make a guess of a line that says how bad it is, or begins with a place; None of others."""
    result = parse(lines, at, at)
    sure = result and (result.failures[0].severity != "hint" or at_head(lines[at].strip()))
    return result if sure else None


def _reason_of(lines: Sequence[str], at: int, message: str) -> list[str]:
    """Give what an exception only wraps: what a program printed, or the exception below."""
    if _ENDED.search(message):
        return [
            line.strip() for line in lines[at + 1 : at + 1 + _MOST_HEADED] if _PRINTED.match(line)
        ]
    if _HEADS.match(message) and at + 1 < len(lines) and _REASON.match(lines[at + 1]):
        return [lines[at + 1]]
    below = at + 2
    if message.endswith(":") and below < len(lines) and not lines[at + 1].strip():
        within = _TYPED.match(lines[below])
        return [lines[below]] if within and not within.start("type") else []
    return []


def _is_harmless(lines: Sequence[str], at: int, line: str) -> bool:
    """Tell whether a line, without its time and level, tells of no failure for all its words."""
    text = line.strip()
    return bool(
        not text
        or is_step(line)
        or _CODE.match(line)
        or only_warns(line)
        or counts_none(line)
        or is_table_row(lines, at)
        or is_wrapped_point(lines, at)
        or _CALLED.search(line)
        or (ASIDE.fullmatch(text) and not _SEXP.match(text))
        or _is_label(lines, at)
    )


def _is_label(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line only says that the line below, with its place, tells of a failure."""
    label = lines[at].rstrip().endswith(":") and at + 1 < len(lines) and is_closing(lines[at])
    return label and at_head(lines[at + 1].strip()) is not None


def _wraps(above: str, line: str) -> bool:
    """Tell whether a line goes on, far to the right, with a sentence that the one above began."""
    rest = line.lstrip()
    goes_on = len(line) - len(rest) >= _FAR and rest[:1].islower()
    begins = goes_on and above[:1].strip() and above.rstrip()[-1:].isalnum()
    return bool(begins) and _WEAK.search(above) is not None


def _boxed(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read what stands in a box that is called an error, as Rich draws it: one wrapped text."""
    message, end = boxed_text(lines, at)
    if not message:
        return None
    failure = Failure(message=message, excerpt=excerpt(lines, at, min(len(lines), end + 1)))
    return ParserResult((failure,), at, end)


def _untyped(
    lines: Sequence[str], at: int, line: str, strong: re.Match[str] | None
) -> ParserResult | None:
    """Make a guess of a line without the name of an exception."""
    wording = strong["message"] if strong else line
    if placed := at_head(line.strip()):
        return _placed(lines, at, placed)
    if strong and (placed := at_head(wording)) and not _quotes(lines, at, strong):
        return _placed(lines, at, placed._replace(level=placed.level or "error"))
    if (strong and _quotes(lines, at, strong)) or is_step(wording) or _OFFERS.match(wording):
        return None
    if strong is None and (_ADVICE.match(line) or line.strip().lower() in _BARE_LEVELS):
        return None
    message = strong["who"] + wording if strong else line.strip()
    place, kind, code = None, "", (strong["code"] or "") if strong else ""
    ended = at_end(message.rstrip(":"))
    heads = (
        _SAYS_WHERE.fullmatch(message)
        or _OF_ELEMENT.fullmatch(message)
        or (ended and (_SAYS_WHERE.fullmatch(ended.rest) or _DOING.fullmatch(ended.rest)))
    )
    end = at + 1
    headed = [] if heads or _NAMES.search(message) else paragraph(lines, at)
    closes = is_closing(message) and not (heads and heads["type"])
    if not closes and ended and PREPOSITION.match(message, len(ended.rest)):
        message, place = ended.rest, ended.location
    place = place if place or closes else near(lines, at) or within(message)
    if closes:
        below = told_below(lines, at, message) or (
            listed(lines, at) if finds(message) else reasons(lines, at, message)
        )
        message = "\n".join(below) or message
        place = ended.location if ended and below else place
    elif message.endswith(":") and not heads:
        message = "\n".join([message, *(following(lines, at) or listed(lines, at))])
    elif heads and (below := reason_below(lines, at)):
        kind, code = heads["type"] or "", heads["code"] or code
        end += len(below)
        place = place or near(lines, end - 1)
        if not kind and (typed := _TYPED.match(below[0])) and not typed.start("type"):
            kind, below[0] = typed["type"], typed["message"]
        below += points(lines, at)
        only_place = _OF_ELEMENT.fullmatch(message) or _DOING.fullmatch(message)
        where = kind or code or only_place or ended
        message = "\n".join(below if where else [message, *below])
        strong = strong or (heads if place and ended else None)
    elif headed := headed if strong or len(message.split()) < _SHORT else listed(lines, at):
        message = "\n".join([message, *headed])
    elif above := headed_by(lines, at):
        message = f"{above}\n{message}"
    message = _whole(lines, at, message, place=place)
    message, causes, end = with_causes(lines, end, message)
    sure = strong is not None and not _is_headline(lines, at, message)
    failure = Failure(
        error_type=kind, code=code, message=message[:MAX_MESSAGE], location=place,
        severity="error" if sure else "hint", causes=causes,
        excerpt=excerpt(lines, max(0, at - 1), min(len(lines), max(at + 3, end))),
    )  # fmt: skip
    return ParserResult((failure,), at, end)


def _whole(lines: Sequence[str], at: int, message: str, *, place: FailureLocation | None) -> str:
    """Add what a sentence goes on with, or the name that is marked in the code below."""
    if message.endswith(","):
        return "\n".join([message, *sentence_below(lines, at)])
    if "\n" not in message and message.count('"') % 2:
        return "\n".join([message, *following(lines, at)[:1]])
    name = marked(lines, at) if place and not _NAMES.search(message) else ""
    return f"{message}\n`{name}`" if name else message


def _is_headline(lines: Sequence[str], at: int, message: str) -> bool:
    """Tell whether a loud line names no trouble, and the very next lines are loud as well."""
    below = lines[at + 1 : at + 1 + _MOST_HEADLINES]
    tells = (_WEAK, _TELLS, _OF_LINE)
    return not any(each.search(message) for each in tells) and any(
        line[:1].strip() and _STRONG.match(line) and not is_closing(line) for line in below
    )


def beside(lines: Sequence[str], at: int) -> list[int]:
    """Number the lines that say something of a place in the form of one: a list of faults.

    Most of a list hold no word of trouble.
    """
    if at_head(lines[at]) is None:
        return []
    numbers: list[int] = []
    for step in (-1, 1):
        near_by = at + step
        while 0 <= near_by < len(lines) and len(numbers) < _MOST_BESIDE:
            if lines[near_by][:1].isspace() or at_head(lines[near_by]) is None:
                break
            numbers.append(near_by)
            near_by += step
    return numbers


def placed_fault(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read a line of a list of faults."""
    placed = at_head(lines[at])
    return _placed(lines, at, placed) if placed else None


def _placed(lines: Sequence[str], at: int, placed: PlacedText) -> ParserResult | None:
    """Make a guess of a line that begins with a place: what follows is said of it."""
    message = said_of(lines, at, placed.rest) if placed.level else placed.rest
    if (
        placed.level in MILD_LEVELS
        or ASIDE.fullmatch(message)
        or is_step(placed.rest)
        or len(_SAID.findall(placed.rest)) < (1 if placed.level else _LEAST_SAID)
    ):
        return None
    failure = Failure(
        message=(placed.who + message)[:MAX_MESSAGE],
        location=None if is_closing(placed.rest) else placed.location,
        severity="error" if placed.level else "hint",
        excerpt=excerpt(lines, max(0, at - 1), min(len(lines), at + 3)),
    )
    return ParserResult((failure,), at, at + 1)


def _quotes(lines: Sequence[str], at: int, strong: re.Match[str]) -> bool:
    """Tell whether a line goes on with what the line above says, behind the same level."""
    head = lines[at][: strong.start("message")]
    return head.endswith("  ") and at > 0 and lines[at - 1].startswith(head.rstrip())
