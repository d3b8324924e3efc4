r"""A text in one plain form before it is searched: what people read, without what stands between.

The zeros of UTF-16, colours, signs that are not seen, full-width letters and signs, a name in
another language, a value on the line below its name, parts of a string that the language joins,
a command's words as a list, and how languages write a name and its value (``_Construct``): each
is read as what it means, in lines that have one of them.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.plausible import HEADS, STEMS
from gitmem.redaction.spans import SecretSpan, lines_with
from gitmem.redaction.word_clues import Clues, ClueSearch

_Piece = tuple[int, int, str]

# NUL, colours and other codes of a terminal.
_CODES: Final = {
    "\x00": lazily(r"\x00+"),
    "\x1b": lazily(
        r"\x1b(?:\[[0-9;:?]{0,24}[A-Za-z]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|[()][A-Z0-9])"
    ),
}
_NOT_ASCII: Final = lazily(r"[^\x00-\x7f]+")
# Not seen, full-width, or another form of a quote, a blank or a colon.
_FORMS: Final = lazily(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f"
    "\u2190\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
    "\u2236\ua789\ufe55\ufe13\ufe66\u02d0\uff01-\uff5e"
    "\U0001d400-\U0001d7ff]"
)
_SAME: Final = {
    **dict.fromkeys("\u2236\ua789\ufe55\ufe13\u02d0", ":"),
    "\ufe66": "=",
    "\u2190": "=",
}
FOREIGN: Final = "xx_password"
"""Stands for a name in another language, which is judged more carefully."""
# "Password" in the languages that most software speaks; the searches themselves know German.
_NAMES: Final = lazily(
    r"(?<![^\W_])(?i:mots?[ _-]?de[ _-]?passe|contrase(?:ñ|n)as?|contrasenya|contrasinal"
    r"|clave[ _-](?:secreta|de[ _-]acceso|privada)|senhas?|palavra[ _-]?passe"
    r"|parola(?:[ _-]d'ordine)?|wachtwoord(?:en)?|kennwort|lösenord|adgangskode|kodeord|passord"
    r"|salasana|has[łl]o|heslo|parol[aei]?|şifre|jelszó|geslo|lozinka|slaptažodis|parool"
    r"|lykilorð|mật[ _-]khẩu|kata[ _-]sandi|pasahitza|cyfrinair)(?![^\W_])"
    r"|(?i:парол[ьяею]|κωδικός(?: πρόσβασης)?|סיסמה|كلمة[ _](?:المرور|السر)|رمز عبور|पासवर्ड|รหัสผ่าน)"
    r"|密[码碼]|口令|パスワード|暗証番号|비밀번호|암호"
)
_PASSE: Final = "passe"
_PASSE_ALONE: Final = lazily(r"passe(?![a-z0-9])")
_NAME_CLUES: Final = (
    _PASSE, "contrasen", "clave", "senha", "parol", "wachtwoord", "kennwort", "adgangskode",
    "kodeord", "passord", "salasana", "haslo", "heslo", "geslo", "lozinka", "sandi", "pasahitza",
    "cyfrinair",
)  # fmt: skip
_OTHER_CLUES: Final = (
    "contrase\u00f1", "contraseñ", "hasł", "lösenord", "şifre", "jelszó", "slaptažod", "lykilorð",
    "khẩu", "парол", "κωδικ", "סיסמה", "كلمة", "رمز", "पासवर्ड", "รหัสผ่าน", "密码", "密碼", "口令",
    "パスワード", "暗証番号", "비밀번호", "암호",
)  # fmt: skip
_AROUND: Final = 24
# The value stands on the line below, in quotes.
_BELOW: Final = lazily(
    r"\n(?:(?<=[\"']:\n)|(?<=[\"'] :\n)|(?<=[=\\\r]\n)|(?<=[:=] \n))[+\- ]?[ \t]{0,80}(?=[\"'])"
)
_BELOW_CLUES: Final = (
    '":\n', "':\n", '" :\n', "' :\n", "=\n", "\\\n", "\r\n", ": \n", "= \n",
)  # fmt: skip
# Parts of a string that the language joins.
_JOINED: Final = tuple(
    # Each begins with its quote, which is searched for many times faster than one of two.
    lazily(
        quote + r"(?<=[^\s(\[,=:{].)(?:[ \t]{0,8}(?:\r?\n[ \t]{0,80})?(?:\+|\.\.?|&|\|\||<>|~)"
        r"[ \t]{0,8}(?:\\?\r?\n[ \t]{0,80})?|[ \t]{1,8}\\\r?\n[ \t]{0,80})[uUbBrRfF]?"
        + quote
        + r"(?=[^\s)\],;}])"
    )
    for quote in ('"', "'")
)
_JOINING: Final = (
    *(f"\n{sign}\n" for sign in ("+", ".", "..", "&", "||", "<>", "~", "\\")),
    '"+"', "'+'", '"..', "'..",
)  # fmt: skip
# A command's words as a list: an option is one of them.
_LISTED: Final = lazily(r"(?P<q>[\"']),[ \t]{0,4}(?P=q)--?[A-Za-z]")
_OPTIONS: Final = ("\n'-", '\n"-', "','-", '","-')
_BETWEEN: Final = lazily(r"([\"']),[ \t]{0,4}\1")


def plain_form(
    text: str, low: str, start: int, end: int, clues: Clues
) -> Iterator[tuple[SecretSpan, str]]:
    """Give what is read in place of which pieces; nothing if all is plain already.

    Args:
        text: the text.
        low: the same in small letters.
        start: where a line begins.
        end: where one ends.
        clues: those of ``NAME_CLUES`` that stand in words between the two.

    """
    pieces = _kept_apart(sorted(_pieces(text, low, start, end, clues)))
    yield from lines_with(text, start, end, pieces)


def _kept_apart(pieces: list[_Piece]) -> Iterator[_Piece]:
    reached = -1
    for piece in pieces:
        if piece[0] >= reached:
            yield piece
            reached = piece[1]


def _pieces(text: str, low: str, start: int, end: int, clues: Clues) -> Iterator[_Piece]:
    for sign, codes in _CODES.items():
        if text.find(sign, start, end) >= 0:
            yield from ((*match.span(), "") for match in codes.finditer(text, start, end))
    if not text.isascii():
        yield from _forms(text, start, end)
    if named := [clue for clue in (*_NAME_CLUES, *_OTHER_CLUES) if clue in clues]:
        yield from _names(text, low, start, end, named)
    if any(text.find(clue, start, end) >= 0 for clue in _BELOW_CLUES):
        yield from _below(text, start, end)
    if not clues.isdisjoint(_JOINING):
        for joined in _JOINED:
            yield from ((*match.span(), "") for match in joined.finditer(text, start, end))
    if not clues.isdisjoint(_OPTIONS):
        yield from _listed(text, start, end)
    if not clues.isdisjoint(STEMS):
        yield from _constructs(text, low, start, end, clues)


def _forms(text: str, start: int, end: int) -> Iterator[_Piece]:
    for run in _NOT_ASCII.finditer(text, start, end):
        for match in _FORMS.finditer(text, *run.span()):
            yield *match.span(), _form(match[0])


def _below(text: str, start: int, end: int) -> Iterator[_Piece]:
    for match in _BELOW.finditer(text, start, end):
        head = text[max(start, match.start() - 12) : match.start()].rstrip(" \t\r\\")
        if head.endswith("=") or (head[-1:] == ":" and head[:-1].rstrip()[-1:] in {"'", '"'}):
            yield text.rfind(head[-1], start, match.start()) + 1, match.end(), " "


def _names(text: str, low: str, start: int, end: int, clues: Iterable[str]) -> Iterator[_Piece]:
    places: set[int] = set()
    for clue in clues:
        if clue == _PASSE:  # which each line of a test that passed holds
            places.update(match.start() for match in _PASSE_ALONE.finditer(low, start, end))
            continue
        at = low.find(clue, start, end)
        while at >= 0:
            places.add(at)
            at = low.find(clue, at + 1, end)
    for at in places:
        for match in _NAMES.finditer(text, max(start, at - _AROUND), min(end, at + 2 * _AROUND)):
            if match.start() <= at < match.end():
                yield (*match.span(), FOREIGN)


def _listed(text: str, start: int, end: int) -> Iterator[_Piece]:
    reached = start
    for match in _LISTED.finditer(text, start, end):
        if match.start() < reached:
            continue
        line = text.rfind("\n", start, match.start()) + 1 or start
        reached = text.find("\n", match.end(), end)
        reached = end if reached < 0 else reached
        yield from ((*comma.span(), " ") for comma in _BETWEEN.finditer(text, line, reached))


def _form(sign: str) -> str:
    if sign in _SAME:
        return _SAME[sign]
    plain = unicodedata.normalize("NFKC", sign)
    if unicodedata.category(sign) in {"Cf", "Mn", "Lo"}:
        return ""
    return plain if plain.isascii() else ""


def is_foreign(text: str, span: SecretSpan) -> bool:
    """Tell whether a value was found by a name in another language."""
    line = text.rfind("\n", 0, span.start) + 1
    return (
        re.search(rf"{FOREIGN}[^\n]{{0,80}}\Z", text[max(line, span.start - 100) : span.start])
        is not None
    )


# How languages and formats write a name and its value: password <- "x", Some("x"), r#"x"#, q(x).
_NEAR: Final = 120
"""Characters before a construct in which the name stands."""
_FARTHEST: Final = 400
"""Characters in which its end is looked for."""
_NAMED: Final = lazily("|".join(STEMS))


class _Construct(NamedTuple):
    """A way to write a value.

    Attributes:
        clue: what stands in it as it is: searched for many times faster than a pattern.
        word: what a word of the text holds then, as ``ClueSearch`` takes it.
        pattern: what is read as something else; it begins with the clue.
        meaning: what it is read as.
        before: what must stand before it; its group 1 is read as nothing, too.
        end: what ends the value and is read as a quote; empty: it ends as any value does.
        joins: the value may stand on the line below its name.
        words: one of these stands right before it; empty: anything.

    """

    clue: str
    word: str
    pattern: re.Pattern[str]
    meaning: str
    before: re.Pattern[str]
    end: str = ""
    joins: bool = False
    words: tuple[str, ...] = ()


_ANY: Final = lazily(r"\Z")
# What only wraps a text: types, options, settings, conversions.
_WRAPPING: Final = (
    "some", "some!", "just", "ok", "optional", "of", "string", "str", "text", "secret", "secretstr",
    "secretbytes", "sensitive", "masked", "password", "passphrase", "credential", "value",
    "literal", "bytes", "buffer", "from", "pack", "strdup", "qstring", "nsstring", "pointer", "ptr",
    "lazy", "default", "field", "plain", "protected", "obfuscated",
)  # fmt: skip
_WRAPPER: Final = lazily(r"[=:>(,{ ][ \t]{0,4}((?:[A-Za-z_][\w.:]{0,40}(?:\.|::))?\w{2,16}!?)\Z")
_HERE: Final = lazily(r"=[ \t]{0,4}(\"?\$\(cat[ \t]{0,4})?\Z")
_CONS: Final = lazily(r"\([\w*+:-]{2,48}\Z")
_ATTRIBUTE: Final = lazily(r"<[^<>]{0,80}\b(?:name|key|id)=\"[\w.-]{2,48}\Z")
_TELLING_TAG: Final = lazily(
    r"<[\w:.-]{0,40}(?i:password|passwd|passphrase|secret|token|apikey)( [^<>]{1,200})\Z"
)
_CONSTRUCTS: Final = (
    _Construct("<-", "\n<-", lazily(r"<-(?=[ \t]{0,4}[\"'])"), "=", lazily(r"[\w.][ \t]{0,4}\Z")),
    _Construct('<<"', '<<"', lazily(r"<<(?=\")"), "", _ANY),
    _Construct(
        '#"', '#"', lazily(r"#\"(?=[^\n]{3,200}\"#)"), '"', lazily(r"[=(:,][ \t]{0,4}(r?#{0,2})\Z")
    ),
    _Construct(
        "string(", "string(", lazily(r"string\(\d{1,6}\) (?=\")"), "", lazily(r"=>\Z"), joins=True
    ),
    _Construct('";s:', '";s:', lazily(r"\";s:\d{1,6}:(?=\")"), '"=', _ANY),
    _Construct("= [[", "\n[[", lazily(r"= \[\[(?=[^\]\n\"']{3,200}\]\])"), '= "', _ANY, "]]"),
    _Construct("= ''", "\n''", lazily(r"= ''(?=[^'\n\s,);][^'\n]{2,200}'')"), '= "', _ANY, "''"),
    _Construct(
        "= q", "\nq", lazily(r"= q{1,2}(?P<open>[({\[<|!])(?=[^\n]{3,200})"), '= "', _ANY, "q"
    ),
    _Construct(
        "= %", "\n%", lazily(r"= %[qQ]?(?P<open>[({\[<|!])(?=[^\n]{3,200})"), '= "', _ANY, "%"
    ),
    _Construct('("', '("', lazily(r"\((?=\")"), "", _WRAPPER, words=_WRAPPING),
    _Construct("('", "('", lazily(r"\((?=')"), "", _WRAPPER, words=_WRAPPING),
    _Construct(
        "<<", "<<", lazily(r"<<[-~]?[\"']?\w{2,24}[\"']?[^\n]{0,40}\n[ \t]{0,80}"), "", _HERE
    ),
    _Construct(' . "', "\n.\n", lazily(r" \. (?=\")"), " = ", _CONS),
    _Construct(
        "<string>",
        "<string>",
        lazily(r"<string>"),
        '="',
        lazily(r"(</key>)\Z"),
        "</string>",
        joins=True,
    ),
    _Construct("<Value>", "<value>", lazily(r"<Value>"), "", lazily(r"[\w:]{4,60}>\Z"), joins=True),
    _Construct('">', '">', lazily(r"\">(?=[^<>\n]{3,400}</)"), '="', _ATTRIBUTE, "</"),
    _Construct('">', '">', lazily(r"\">(?=[^<>\n]{3,400}</)"), ">", _TELLING_TAG),
    _Construct("<![CDATA[", "<![cdata[", lazily(r"<!\[CDATA\["), "", _ANY, "]]>"),
    _Construct(": &", "\n&", lazily(r": &\w{1,40} "), ": ", _ANY),
    _Construct(
        '"value": ',
        '"value":',
        lazily(r"\"value\": (?=\")"),
        "",
        lazily(r"\":[ \t]{0,4}(\{)\Z"),
        joins=True,
    ),
    _Construct(
        "]\nvalue = ", "\nvalue\n", lazily(r"\]\nvalue = "), " = ", lazily(r"\[[\w.-]{2,60}\Z")
    ),
)
_WORDS: Final = tuple(construct.word for construct in _CONSTRUCTS)
NAME_CLUES: Final = ClueSearch(
    (*STEMS, *HEADS, *_NAME_CLUES, *_OTHER_CLUES, *_JOINING, *_OPTIONS, *_WORDS), shown=str.lower
)
"""Of telling names, and of what is not in a plain form."""
_CLOSING: Final = {"(": ")", "{": "}", "[": "]", "<": ">", "|": "|", "!": "!"}
# A name and its value as two members of a tuple.
_TUPLE: Final = lazily(r"\{[ \t]{0,2}'?[a-z]\w{1,47}'?([ \t]{0,2},[ \t]{0,2})(?=[\"<])")


def _constructs(text: str, low: str, start: int, end: int, clues: Clues) -> Iterator[_Piece]:
    for construct in _CONSTRUCTS:
        at = text.find(construct.clue, start, end) if construct.word in clues else -1
        while at >= 0:
            if not construct.words or low.endswith(construct.words, start, at):
                yield from _construct_at(construct, text, low, start, at, end)
            at = text.find(construct.clue, at + len(construct.clue), end)
    for match in _TUPLE.finditer(text, start, end):
        if _NAMED.search(low, *match.span()):
            yield *match.span(1), "= "


def _construct_at(
    construct: _Construct, text: str, low: str, start: int, at: int, end: int
) -> Iterator[_Piece]:
    begin = at
    if construct.joins:
        while begin > start and text[begin - 1] in " \t\r\n":
            begin -= 1
    line = max(text.rfind("\n", start, begin) + 1, start, begin - _NEAR)
    if not _NAMED.search(low, line, begin):
        return
    match = construct.pattern.match(text, at, end)
    before = construct.before.search(text, line, begin) if match else None
    if match is None or before is None:
        return
    if before.re.groups and before[1]:
        begin = before.start(1)
    if not construct.end:
        yield begin, match.end(), construct.meaning
        return
    ends = _CLOSING.get(match.groupdict().get("open", ""), construct.end)
    close = text.find(ends, match.end(), match.end() + _FARTHEST)
    if close > match.end() and "\n" not in text[match.end() : close]:
        yield begin, match.end(), construct.meaning
        yield close, close + len(ends), '"'
