"""Credentials that tell by where they stand: addresses, headers, ``.netrc`` and command lines."""
# ruff: noqa: E501  a row a place, and a pattern is read as a whole

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from gitmem.capture.redaction.found import Span
from gitmem.capture.redaction.values import is_basic, is_random, is_reference, is_trivial


class Place(NamedTuple):
    """A place where credentials stand; the group of the pattern is what is secret."""

    kind: str
    clue: str
    pattern: str
    hint: str


_BLANK: Final = r"[\s+-]{1,40}"
_WORD: Final = r"[^\s\"'`<>]{1,512}"
_ARGUMENT: Final = (
    r"(?:'([^'\n]{1,512})'|\"([^\"\n]{1,512})\"|([^\s\"'`<>|;&-][^\s\"'`<>|;&]{0,511}))"
)
_USER: Final = (
    r"\b[^\n|;]{0,256}?\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,128}:(" + _WORD + ")"
)
_HASH: Final = (
    r"(\$(?:(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|2[abxy]\$\d\d\$[./A-Za-z0-9]{53}"
    r"|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}"
    r"|g?y\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}"
    r"|argon2i?d?\$v=\d{1,4}\$[A-Za-z0-9$=,+/]{30,512}))(?![./A-Za-z0-9$])"
)
_SQL: Final = r"{}\s{{1,4}}(?:PASSWORD\s{{1,4}})?[\"']([^\"'\n]{{1,256}})"

PLACES: Final[tuple[Place, ...]] = (
    Place("url-password", "://", r"://[^\s/?#:@\"'`<>]{0,128}:([^\s/\"'`<>]{1,256})@", "between a user and a host"),
    Place("netrc-password", "login", "login" + _BLANK + _WORD + _BLANK + "(?:account" + _BLANK + _WORD + _BLANK + ")?password" + _BLANK
          + "(" + _WORD + ")", "the form of .netrc"),
    Place("netrc-password", "machine", "machine" + _BLANK + _WORD + _BLANK + "password" + _BLANK + "(" + _WORD + ")", "the form of .netrc"),
    Place("password", "curl ", "curl" + _USER, "the user argument of a command"),
    Place("password", "wget ", "wget" + _USER, "the user argument of a command"),
    Place("password", "mysql", r"mysql[a-z]{0,8}\b[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", "the password argument of a command"),
    Place("password", "mariadb", r"mariadb\b[^\n|;]{0,256}?\s-p([^\s\"']{3,256})", "the password argument of a command"),
    Place("password", "sshpass ", r"sshpass\s{1,4}-p\s{0,4}" + _ARGUMENT, "the password argument of a command"),
    Place("password", "redis-cli ", r"redis-cli\b[^\n|;]{0,256}?\s-a\s{1,4}" + _ARGUMENT, "the password argument of a command"),
    Place("password", " login ", r" login\b[^\n|;]{0,256}?\s-p[ =]?" + _ARGUMENT, "the password argument of a command"),
    Place("password", "IDENTIFIED BY", _SQL.format("IDENTIFIED BY"), "SQL"),
    Place("password", "dentified by", _SQL.format("dentified by"), "SQL"),
    Place("password-hash", "$", _HASH, "the form of a hash"),
    Place("bearer-token", "earer ", r"earer\s{1,4}[\"']?([A-Za-z0-9._~+/=-]{16,4096})", "the word before it"),
    Place("basic-auth", "asic ", r"asic\s{1,4}([A-Za-z0-9+/]{8,512}={0,2})", "user and password in base64"),
    Place("url-password", "://", r"://([^\s/?#:@\"'`<>]{16,512})@", "before a host"),
)  # fmt: skip
_COOKIES: Final = re.compile(r"ookie:[ \t]{0,8}([^\n\"']{1,4096})")
_COOKIE: Final = re.compile(r"=([^\s;,]{12,4096})")
_EXAMPLE: Final = re.compile(
    r"(?:pass(?:word|wd)?|pwd|pw|secret|token|x{2,}|\*+|\.{3})\Z", re.IGNORECASE
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def spoken_credentials(text: str, start: int, end: int) -> Iterator[Span]:
    """Find credentials by the words and signs around them."""
    for place in PLACES:
        if text.find(place.clue, start, end) < 0:
            continue
        for match in _compiled(place.pattern).finditer(text, start, end):
            group = match.lastindex or 1
            if _is_secret(place, match[group]):
                yield Span(*match.span(group), place.kind, match[group], place.hint)
    if text.find("ookie:", start, end) >= 0:
        for header in _COOKIES.finditer(text, start, end):
            for match in _COOKIE.finditer(text, *header.span(1)):
                if is_random(match[1]):
                    yield Span(*match.span(1), "cookie", match[1], "the value of a cookie")


def _is_secret(place: Place, secret: str) -> bool:
    if place.kind == "basic-auth":
        return is_basic(secret)
    if place.kind == "password-hash":
        return True
    if place.kind == "bearer-token" or place.hint == "before a host":
        return is_random(secret)
    if is_reference(secret) or not any(map(str.isalnum, secret)) or _EXAMPLE.match(secret):
        return False
    return place.kind != "password" or not is_trivial(secret)
