"""Values given to names that say so: in settings, code, headers, queries, flags and markup.

A stem such as ``pass`` or ``token`` is looked for first, in the lowered text and at the speed
of a literal search; only around a hit the name is read, then what joins it to a value, then
the value. Each step is bounded, and goes forward.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.literals import (
    LONGEST,
    Literal,
    is_passphrase,
    is_secret,
    literal_at,
    whole_line,
)
from gitmem.redaction.plausible import Weight, weigh, words_of
from gitmem.redaction.spans import ScanBudget, SecretSpan

_LONGEST_NAME: Final = 48
_LONGEST_COMPARED: Final = 256
_KINDS: Final = {Weight.PASSWORD: "password", Weight.TOKEN: "token"}
_HINT: Final = "the name that it is given to"
_LABEL: Final = "redacted:"
_LINE_ENDS: Final = ("\\n", "\\r", "\\t")
"""Ends of lines and tabs as code writes them."""
_NAME_SIGNS: Final = "abcdefghijklmnopqrstuvwxyz0123456789_-."
# From the stem to the value. The text is lowered, quantifiers are possessive: no way back.
_JOINT: Final = (
    r"[a-z0-9_.-]{0,48}+(?P<close>\\{0,3}+[\"'`]?\]?)(?:\[[0-9]{0,6}\])?(?:\x1b\[[0-9;]{0,12}m)?"
    r"(?:[ \t]{0,12}(?P<sign>=>|:{1,3}=|={1,3}|!=|[?.+]=|:(?![:=]))[ \t]{0,32}+"
    r"|\)?[ \t]{0,4}(?P<else>\|\||\?\?|\?:|\)\.(?:unwrap_or|or_?else)\()[ \t]{0,4}"
    r"|(?P<tag>>)|(?P<call>\()[ \t]{0,4}|(?P<comma>,)[ \t]{0,8}|(?P<gap>[ \t]{1,8}+)"
    r"|(?P<below>\r?\n))"
)
_TYPED: Final = lazily(
    r"[A-Za-z&*'\[][\w\[\]<>'&|.?* ]{0,60}?(?:, ?\w{1,20}[\]>]{1,3})?"
    r"[ \t]{0,4}(?<![=!<>]):?=(?!=)[ \t]{0,8}(?=[bruf]{0,2}[\"'`])"
)
# Go says the type behind the name: var password string = "…"; so do Visual Basic and COBOL.
_TYPE_AFTER: Final = lazily(
    r"(?:(?:[Aa]s[ \t])?[\w.*\[\]]{1,40}[ \t]{1,4}=|PIC[ \t]\S{1,20}[ \t]{1,4}VALUE)"
    r"[ \t]{0,4}(?=[\"'`])"
)
# The value stands first.
_COMPARED: Final = tuple(
    # Each begins with its sign, which is searched for many times faster than a class.
    lazily(sign + r"=?[ \t]{0,4}(?P<name>[$@\w.>-]{2,64})")
    for sign in ("==", "!=")
)
_MOST_BLANKS: Final = 4
_METHODS: Final = (".assign", ".equals", ".set")
"""What is called on a name to give it a value, or to compare it with one."""
_ASSIGNED: Final = frozenset({"?=", "::=", ":::=", ".=", "+="})
_SET: Final = frozenset({"set", "setx", "setenv", "set -gx", "set -x"})
_BLOCK: Final = lazily(r"[|>][-+]?[0-9]?[ \t]*\n[+\- ]?[ \t]+(?=\S)")
_TAG: Final = lazily(r"!!(?:str|binary)[ \t]{1,8}")
# A name and its value as two fields of one entry; and what counts where a variable is not set.
_ENTRY: Final = lazily(
    r"[\"']?[ \t]{0,4},?(?:\r?\n[+\- ]?)?[ \t]{0,80}[\"']?[Vv]alue[\"']?[ \t]{0,4}[:=][ \t]{0,4}"
)
_NAME_OF: Final = lazily(r"(?i:[\"']?(?:name|key)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)\Z")
_DEFAULT: Final = lazily(r"(?:default|fallback)[ \t]{0,4}=[ \t]{0,4}")
_IS: Final = lazily(r"(?:is|was|to|set to|est|es|ist|lautet|var|är|er)[ \t]{1,4}")
_VALUE_OF: Final = lazily(r"[\"']?[ \t]{0,8}value[ \t]{0,4}=[ \t]{0,4}")
_CODE_END: Final = lazily(r"\d{0,3}m")
_COLOUR: Final = lazily(r"(?:\x1b\[[0-9;]{0,12}m[ \t]{0,4}){0,4}")
_SCHEME: Final = lazily(
    r"(?i:basic|bearer|token|apikey|digest|negotiate|github-bearer|jwt|key|genie-?key)"
    r"[ \t]{1,4}(?:token=)?[\"']?"
)


class _Place(NamedTuple):
    """Where a name ends and its value may begin."""

    name: str
    start: int
    value: int
    joint: re.Match[str]


@cache
def _pattern(stem: str) -> re.Pattern[str]:
    return re.compile(stem + _JOINT)


def assigned_values(
    text: str, low: str, stems: Sequence[str], start: int, end: int, work: ScanBudget
) -> Iterator[SecretSpan]:
    """Find values that stand beside a telling name.

    Args:
        text: the text.
        low: the same in small letters.
        stems: those of the telling stems that stand in it.
        start: where to begin.
        end: where to end.
        work: what it may cost.

    """
    name_ends: set[int] = set()
    for stem in stems:
        for joint in _pattern(stem).finditer(low, start, end):
            name_end = joint.start("close")
            if name_end in name_ends:
                continue
            name_ends.add(name_end)
            begin = _name_start(low, joint.start(), start)
            name = text[begin:name_end]
            if name.endswith(_METHODS):
                name = name.rpartition(".")[0]
            weight = weigh(name.strip("-."))
            if weight is Weight.NONE or text.startswith(_LABEL, max(0, begin - len(_LABEL))):
                continue  # the latter is a label, from now or earlier
            place = _Place(name, begin, joint.end(), joint)
            literal = _literal(text, place, weight, end)
            if literal is None:
                work.spend(LONGEST)
                continue
            work.spend(literal.end - begin)
            span = _judged(text, place, literal, weight, end)
            if span:
                yield span
    for compared in _COMPARED:
        yield from _compared(compared, text, start, end, work)


def _compared(
    compared: re.Pattern[str], text: str, start: int, end: int, work: ScanBudget
) -> Iterator[SecretSpan]:
    """Find values that stand before a telling name: ``"…" == password``."""
    for match in compared.finditer(text, start, end):
        before = text[max(start, match.start() - _MOST_BLANKS - 1) : match.start()].rstrip(" \t")
        if before[-1:] not in {'"', "'", "`"}:
            continue
        name = match["name"].rpartition(">")[2]
        weight = weigh(name.strip("$@.-"))
        if weight is Weight.NONE:
            continue
        close = text.rfind(before[-1], start, match.start())
        least = max(start, close - _LONGEST_COMPARED, text.rfind("\n", start, close) + 1)
        begin = text.rfind(text[close], least, close) + 1
        work.spend(_LONGEST_COMPARED)
        if not begin:
            continue
        value = text[begin:close]
        literal = Literal(begin, close, bare=False, code=True)
        if is_secret(weight, value, literal, words_of(name)):
            yield SecretSpan(begin, close, _KINDS.get(weight, "secret"), value, _HINT)


def _name_start(low: str, at: int, start: int) -> int:
    least = max(start, at - _LONGEST_NAME)
    end = at
    at = least + len(low[least:at].rstrip(_NAME_SIGNS))
    # The end of the code of a colour is no part of a name.
    colour = _CODE_END.match(low, at, end) if low[at - 1 : at] in {"[", ";"} else None
    return colour.end() if colour and low.rfind("\x1b[", max(0, at - 12), at) >= 0 else at


def _judged(
    text: str, place: _Place, literal: Literal, weight: Weight, end: int
) -> SecretSpan | None:
    scheme = _SCHEME.match(text, literal.start, literal.end if not literal.bare else end)
    if scheme and (not literal.bare or "auth" in place.name.lower()):
        begin = scheme.end()
        if begin >= literal.end and not literal.bare:
            return None  # code goes on to put the value behind the scheme
        if begin >= literal.end:  # a bare value: the scheme was taken for it
            after = literal_at(text, begin, end, line=False)
            literal = after or literal
        else:
            literal = literal._replace(start=begin)
        if weight is Weight.TOKEN and literal.end - literal.start >= 8:  # noqa: PLR2004  Basic needs no digit
            weight = Weight.PASSWORD
    elif literal.bare and weight is Weight.RANDOM and _is_setting(place, literal):
        weight = Weight.TOKEN
    value = text[literal.start : literal.end]
    if not is_secret(weight, value, literal, words_of(place.name)):
        return None
    return SecretSpan(literal.start, literal.end, _KINDS.get(weight, "secret"), value, _HINT)


def _literal(text: str, place: _Place, weight: Weight, end: int) -> Literal | None:
    """Read the value, by what joins it to its name."""
    joint, at = place.joint, place.value
    colour = _COLOUR.match(text, at, end)
    at = colour.end() if colour else at
    if aside := _aside(text, place, at, end):
        return aside
    if joint["sign"]:
        return _signed(text, place, weight, at, end)
    if joint["tag"]:
        return _tagged(text, place, at, end)
    if joint["gap"]:
        return _behind_a_gap(text, place, weight, at, end)
    quoted = literal_at(text, at, end, line=False)
    if quoted is None or quoted.bare or joint["below"] or joint["else"]:
        return None
    if joint["comma"]:
        flag = place.name.startswith("-")
        return quoted._replace(flag=flag, loose=not flag) if joint["close"] else None
    return quoted._replace(loose=True)


def _aside(text: str, place: _Place, at: int, end: int) -> Literal | None:
    """Read a value that stands in a field of its own, or counts where a variable is not set."""
    joint = place.joint
    entry = _ENTRY.match(text, joint.start("close"), end)
    if entry and _NAME_OF.search(text, max(0, place.start - _LONGEST_NAME), place.start):
        literal = literal_at(text, entry.end(), end, line=True)
        return literal and literal._replace(yaml=True)
    if joint["else"]:
        literal = literal_at(text, at, end, line=False)
        return None if literal is None or literal.bare else literal._replace(assigned=True)
    if joint["comma"] and (default := _DEFAULT.match(text, at, end)):
        return literal_at(text, default.end(), end, line=False)
    return None


def _behind_a_gap(text: str, place: _Place, weight: Weight, at: int, end: int) -> Literal | None:
    if place.name.startswith("-"):
        literal = literal_at(text, at, end, line=False)
        return literal and literal._replace(flag=True)
    if attribute := _VALUE_OF.match(text, at, end):
        return literal_at(text, attribute.end(), end, line=False)
    if typed := _TYPE_AFTER.match(text, at, end):
        literal = literal_at(text, typed.end(), end, line=False)
        return literal and literal._replace(assigned=True)
    verb = _IS.match(text, at, end)
    quoted = literal_at(text, verb.end() if verb else at, end, line=False)
    if quoted is None:
        return None
    if not quoted.bare:
        return quoted._replace(loose=weight is not Weight.PASSWORD)
    if weight < Weight.PASSWORD and _before(text, place.start) in _SET:
        return quoted._replace(flag=True)
    is_password = weight is Weight.PASSWORD and not place.joint["close"]
    return quoted._replace(said=True) if is_password else None


def _signed(text: str, place: _Place, weight: Weight, at: int, end: int) -> Literal | None:
    sign = "=" if place.joint["sign"] in _ASSIGNED else place.joint["sign"]
    if sign == ":":
        if text.startswith(_LINE_ENDS, at):
            return None  # a prompt in a literal of code: "Password: \\nRepeat"
        typed = _TYPED.match(text, at, end)
        if typed:
            return literal_at(text, typed.end(), end, line=False)
        tag = _TAG.match(text, at, end)
        at = tag.end() if tag else at
        block = _BLOCK.match(text, at, end)
        if block:
            return literal_at(text, block.end(), end, line=True)
    alone = _starts_line(text, place.start)
    if alone and weight > Weight.RANDOM and text[place.joint.end("close") : at] == "==":
        sign, at = "=", at - 1  # the value begins with a sign of its own
    tight = text[place.joint.end("close") : at] == "="
    literal = literal_at(text, at, end, line=alone and (tight or sign in {":", "="}))
    if literal is None:
        return None
    if alone and literal.bare and not literal.last:
        line = whole_line(text, at, end)
        words = weight is Weight.PASSWORD and line and is_passphrase(text[line.start : line.end])
        if line and (words or "phrase" in place.name.lower()):
            literal = line
    before = text[place.start - 1 : place.start]
    shell = tight and (alone or before in "?&;" or place.name.isupper() or place.name[:1] == "-")
    return literal._replace(
        shell=shell,
        yaml=alone and sign == ":",
        code=sign in {"==", "===", "!=", ":="},
        assigned=sign == "=",
    )


def _tagged(text: str, place: _Place, at: int, end: int) -> Literal | None:
    if text[place.start - 1 : place.start] not in {"<", ":"}:
        return None
    close = text.find("</", at, min(end, at + 4096))
    value = text[at:close].strip() if close > at else ""
    if not value or "\n" in value or "<" in value:
        return None
    begin = text.index(value, at)
    return Literal(begin, begin + len(value), bare=False)


def _before(text: str, at: int) -> str:
    """Give what stands before a place on its line, without what quotes or continues it."""
    begin = text.rfind("\n", max(0, at - 40), at) + 1
    before = text[begin:at] if begin or at <= 40 else "?"  # noqa: PLR2004
    return before.strip(" \t+-\"'#;>|")


def _starts_line(text: str, at: int) -> bool:
    """Tell whether only what may precede a setting stands before it on its line."""
    return _before(text, at) in {
        "",
        "export",
        "set",
        "ENV",
        "ARG",
        "env",
        "$ export",
        "declare -x",
        "setx",
    }


def _is_setting(place: _Place, literal: Literal) -> bool:
    """Tell whether a bare value is a literal by where it stands, and not a variable."""
    words = [word for word in words_of(place.name) if word.isalpha()]
    return (literal.shell or literal.flag) and words[-1] not in {"key", "keys"}
