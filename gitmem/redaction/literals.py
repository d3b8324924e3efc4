"""The value beside a name, or below it: where it ends, and whether it is a secret or just code."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.plausible import (
    HEADS,
    Weight,
    is_basic,
    is_digest,
    is_random,
    is_reference,
    is_trivial,
    is_words,
    weigh,
)
from gitmem.redaction.spans import ScanBudget, SecretSpan
from gitmem.redaction.word_clues import Clues

LONGEST: Final = 4096
"""Characters in which a closing quote is looked for; a longer value ends at white space."""


class Literal(NamedTuple):
    """Where a value stands, and what tells a literal from a variable.

    Attributes:
        start: where it begins, inside its quotes.
        end: where it ends.
        bare: whether it has no quotes.
        shell: ``NAME=value`` as in a shell, a dotenv file or a query: always a literal.
        yaml: ``name: value`` on a line of its own.
        flag: the argument of a command-line option.
        code: joined by a sign that only code uses.
        loose: it merely stands beside the name, as in ``f("password", "value")``.
        said: it follows the name as the next word, as in ``requirepass value``.
        call: what follows makes it a call or a lookup.
        last: nothing more stands on the line.
        assigned: joined by ``=``, as a setting or a variable is.

    """

    start: int
    end: int
    bare: bool
    shell: bool = False
    yaml: bool = False
    flag: bool = False
    code: bool = False
    loose: bool = False
    said: bool = False
    call: bool = False
    last: bool = False
    assigned: bool = False


_QUOTE: Final = lazily(r"(?:[bruflBRUFLN@]{0,2})?(\\{0,4}(?:\"\"\"|'''|[\"'`]))")
_UNTIL: Final = {
    '"': lazily(r'(?:[^"\\\n]|\\[^\n]){0,4096}+(?=")'),
    "'": lazily(r"(?:[^'\\\n]|\\[^\n]){0,4096}+(?=')"),
    "`": lazily(r"[^`\n]{0,4096}+(?=`)"),
}
# A bare value ends at white space, quotes and brackets of markup; and where a list goes on.
_BARE: Final = lazily(
    r"[^\s\"'`<>\x1b]{1,4096}?(?=[\s\"'`<>\x1b]|\Z"
    r"|;(?:\s|\Z|[\"']|[A-Za-z][\w ]{0,40}=)|,(?:\s|\Z|[A-Za-z_][\w-]{0,40}[=:])"
    r"|&[A-Za-z_][\w.\[\]-]{0,40}="
    r"|[)\]}]{1,8}(?:[\s;,.:\"'`]|\Z)|\\[\"'n]|:(?:\s|\Z))"
)
_LONG: Final = lazily(r"[^\s\"'`<>\x1b]+")
_LINE: Final = lazily(
    r"[^\s#][^\n\x1b]{0,4095}?(?=[ \t]{1,64}#|[ \t]{0,64}[,;]?[ \t]{0,8}\r?(?:\n|\Z))"
)
_IDENTIFIER: Final = lazily(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*[!?*]?\Z")
_PATTERN: Final = lazily(r"/?\^.*\$/?\Z|.*(?:\[[a-zA-Z0-9^].*\]|\\[wdsWDSb])[+*{]", re.DOTALL)
_EMBEDDED: Final = lazily(r"\$\{|\{\{|%\(|#\{|\$\(|\{[A-Za-z_][\w.]*\}|<[a-z_-]+>|<redacted:")
_CALL: Final = lazily(r"[A-Za-z_$][\w$.:]{0,80}[(\[]")
_PATH: Final = lazily(r"(?:~|\.{1,2})?/[\w.-]+(?:/[\w.@+-]+)*/?\Z|[A-Za-z]:\\|\\\\")
_PROSE: Final = lazily(
    r"[^\W\d_]+[,.:;!?]?(?: [\W]?[^\W\d_]+(?:['\u2019][^\W\d_]+)?[)\]]?[,.:;!?]{0,3})+\Z"
)
# Words that make a sentence, a label or a list of others; and how sentences begin and end.
_SENTENCE: Final = lazily(
    r"\A[A-Z][a-z]|[,.:;!?]\Z|(?i:\b(?:an?|the|is|are|was|were|be|been|must|should|shall|can|could|may|"
    r"might|will|would|not?|to|of|for|from|in|on|at|by|with|without|and|or|but|if|when|then|than|"
    r"that|this|these|those|your?|my|our|their|its?|has|have|had|do|does|did|please|enter|least|"
    r"only|too|as|into|least|more|less|same|characters?|reset|change|invalid|wrong|weak|strong|"
    r"missing|required|optional|field|string|number|text|login|sign|new|old)\b)"
)
_HOST: Final = lazily(r"(?:[a-z][a-z0-9+]*://)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,12}(?::\d+)?(?:/|\Z)")
_COMMON: Final = lazily(
    r"(?:pass|pwd|secret|token|key|auth|cred|user|value|arg|param|str|input|data|var|field|test|name)s?\d*\Z|.{0,3}\Z",
    re.IGNORECASE,
)
_STEM: Final = lazily(r"pass|pwd|secret|token|key|auth|cred|user|cookie|session", re.IGNORECASE)
_SAID: Final = lazily(r"(?=[^\d\s]*\d)(?=[^a-zA-Z\s]*[a-zA-Z])[^\s/:=()<>\[\]{},.]{8,256}\Z")
_PHRASES: Final = frozenset({"passphrase", "seedphrase", "mnemonic"})
_LEAST_TOKEN: Final = 8
_LEAST_LETTERS: Final = 22
"""Letters that are no word: longer than all but a few names of chemistry."""
_LEAST_NUMBER: Final = 6
_LEAST_WORD: Final = 5


def literal_at(text: str, at: int, end: int, *, line: bool) -> Literal | None:
    """Find the value that begins at a place; ``line``: it may reach to the end of its line."""
    quote = _QUOTE.match(text, at, end)
    if quote:
        quoted = _quoted(text, quote, end)
        if quoted:
            return quoted
        at = quote.end()
    bare = _BARE.match(text, at, end) or _LONG.match(text, at, end)
    if not bare:
        return None
    stop = bare.end()
    following = text[stop : stop + 1]
    last = following in {"", "\r", "\n"}
    if line and not last:
        whole = _LINE.match(text, at, end)
        last = whole is not None and whole.end() <= stop
    return Literal(at, stop, bare=True, call=_CALL.match(bare[0]) is not None, last=last)


def whole_line(text: str, at: int, end: int) -> Literal | None:
    """Take all that stands on the line: a phrase has spaces."""
    line = _LINE.match(text, at, end)
    return Literal(at, line.end(), bare=False) if line else None


def _quoted(text: str, quote: re.Match[str], end: int) -> Literal | None:
    sign, at = quote[1], quote.end()
    if len(sign) > 1:
        close = text.find(sign, at, min(end, at + LONGEST))
        newline = text.find("\n", at, close) if close >= 0 else -1
        return Literal(at, close, bare=False) if close >= 0 and newline < 0 else None
    until = _UNTIL[sign].match(text, at, end)
    return Literal(at, until.end(), bare=False) if until else None


def is_secret(weight: Weight, value: str, literal: Literal, words: list[str]) -> bool:
    """Decide whether a value that stands beside a telling name is secret."""
    if is_trivial(value) or is_reference(value) or _PATTERN.match(value[:80]):
        return False
    if _EMBEDDED.search(value[:LONGEST]) or _is_path(value) or literal.call:
        return False
    if weight is Weight.RANDOM:
        return _is_random(value, words)
    if weight is Weight.TOKEN:
        return _is_token(value, literal)
    return _is_password(value, literal, words)


def is_passphrase(value: str) -> bool:
    """Tell whether words are chosen to be kept secret: several, and no sentence is made of them."""
    return (
        _PROSE.match(value[:400]) is not None
        and not _SENTENCE.search(value)
        and _STEM.search(value) is None
    )


def _is_sentence(value: str, literal: Literal) -> bool:
    """Tell whether words beside a telling name say something about it: help, or a complaint."""
    if literal.loose or _STEM.search(value):
        return True
    if literal.assigned:
        return value[:1].isupper() or value[-1:] in ".:!?"
    return not is_passphrase(value)


def _is_path(value: str) -> bool:
    return _PATH.match(value) is not None and not is_random(value)  # base64 may begin so


def _is_random(value: str, words: list[str]) -> bool:
    if words[-1] in {"auth", "cred", "creds"} and is_basic(value):
        return True
    if is_digest(value):
        # Caches, maps and locks speak of keys that are digests; nobody calls a digest a token.
        called = {"token", "auth", "jwt", "bearer", "sid", "cookie", "sessionid"}
        return words[-1] in called and "-" not in value
    return is_random(value)


def _is_token(value: str, literal: Literal) -> bool:
    if value.isalpha() and value.islower() and len(value) >= _LEAST_LETTERS:
        return True
    if len(value) < _LEAST_TOKEN or " " in value.strip() or is_words(value):
        return False
    if literal.loose or literal.code or (literal.bare and not (literal.shell or literal.flag)):
        return is_random(value, 12) or (is_digest(value) and not literal.call)
    if "/" in value and not is_random(value):
        return False
    return any(character.isdigit() for character in value) and not _COMMON.match(value)


def _is_password(value: str, literal: Literal, words: list[str]) -> bool:
    phrase = not _PHRASES.isdisjoint(words) or words[-2:-1] in (["pass"], ["seed"], ["recovery"])
    if value.isdigit():
        return len(value) >= _LEAST_NUMBER and words[-1] != "pass"
    if not literal.bare:
        if _PROSE.match(value[:400]) and not phrase and _is_sentence(value, literal):
            return False
        if literal.loose and _HOST.match(value):
            return False
        if literal.loose or value.isupper() or value.istitle():
            return not is_words(value)
        return not (
            is_words(value) and (_STEM.search(value) is not None or len(value) < _LEAST_WORD)
        )
    if literal.said:
        return _SAID.match(value) is not None and not _STEM.search(value) and not is_digest(value)
    if literal.flag:
        return not (
            value.startswith("-") or (is_words(value) and value.isupper()) or _COMMON.match(value)
        )
    if literal.shell:
        return not (literal.call or (is_words(value) and _STEM.search(value)))
    if value[0] in "[(":
        return False
    if _IDENTIFIER.match(value):
        plain = (
            literal.code or not any(map(str.isdigit, value)) or _COMMON.match(value) or "." in value
        )
        if plain:
            return (
                literal.yaml
                and literal.last
                and value.islower()
                and value.isalpha()
                and len(value) >= _LEAST_WORD
            )
        return True
    return not literal.call and not is_words(value)


# Values below a telling name: tables of CSV, Markdown and databases, a row a line.
_BEHIND_HEAD: Final = lazily(r"[\w.-]{0,24}\"?[ \t]{0,60}(?P<divider>[,;|\t]|\r?(?=\n))")
_CELL: Final = lazily(r"[ \t]{0,60}[\"']?[A-Za-z_][\w .-]{0,40}[\"']?[ \t]{0,60}\r?\Z")
_RULE: Final = lazily(r"[ \t|:+=-]+\r?\Z")
_DIVIDERS: Final = "|\t;,"
_MOST_ROWS: Final = 1_000
_LONGEST_ROW: Final = 4_096
_MOST_COLUMNS: Final = 40


def column_values(
    text: str, low: str, clues: Clues, start: int, end: int, work: ScanBudget
) -> Iterator[SecretSpan]:
    """Find the values in the columns whose heads say that they are secret.

    Args:
        text: the text.
        low: the same in small letters.
        clues: those of ``NAME_CLUES`` that stand in its words.
        start: where to begin.
        end: where to end.
        work: what it may cost.

    """
    for name in HEADS:
        at = low.find(name, start, end) if name in clues else -1
        while at >= 0:
            if behind := _BEHIND_HEAD.match(text, at, end):
                yield from _in_column(text, start, end, (at, behind["divider"]), work)
            at = low.find(name, at + len(name), end)


def _in_column(
    text: str, start: int, end: int, behind: tuple[int, str], work: ScanBudget
) -> Iterator[SecretSpan]:
    at, divider = behind
    line = text.rfind("\n", start, at) + 1 or start
    stop = text.find("\n", at, end)
    head = text[line:stop] if 0 <= stop < line + _LONGEST_ROW else ""
    divider = divider.strip("\r") or next((sign for sign in _DIVIDERS if sign in head), "")
    names = head.strip(" \r").strip("|").split(divider) if divider else []
    if not 1 < len(names) <= _MOST_COLUMNS or not all(map(_CELL.match, names)):
        return
    number = head.count(divider, 0, at - line)
    name = head.split(divider)[number].strip(" \t\r\"'")
    weight = weigh(name.replace(" ", "_"))
    if weight < Weight.TOKEN:
        return
    for _ in range(_MOST_ROWS):
        begin = stop + 1
        stop = text.find("\n", begin, end)
        stop = end if stop < 0 else stop
        row = text[begin : min(stop, begin + _LONGEST_ROW)]
        cells = row.split(divider)
        work.spend(LONGEST // 64 + len(row))
        if begin >= end or row.count(divider) != head.count(divider):
            return
        value = cells[number].strip(" \t\r\"'")
        if not _RULE.match(row) and _is_cell_secret(value, weight):
            place = (
                begin
                + len(divider.join(cells[:number]))
                + bool(number)
                + cells[number].index(value)
            )
            kind = "password" if weight is Weight.PASSWORD else "token"
            yield SecretSpan(place, place + len(value), kind, value, "the head of its column")


def _is_cell_secret(value: str, weight: Weight) -> bool:
    if is_trivial(value) or is_reference(value) or is_words(value) or value.isdigit():
        return False
    return weight is Weight.PASSWORD or (
        len(value) >= _LEAST_TOKEN and any(map(str.isdigit, value))
    )
