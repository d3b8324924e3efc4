"""The secrets that the environment itself holds: what a child prints of them must not be kept."""

from binascii import b2a_base64
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.plausible import Weight, is_reference, is_trivial, is_words, weigh, words_of
from gitmem.redaction.spans import SecretSpan

LEAST: Final = 8
"""Shorter values are not looked for: they would stand in too much that is no secret."""

_LONGEST_LINE_OF_MANY: Final = 16
_PATH: Final = lazily(r"(?:~|\.{1,2})?/[\w.@+ /-]*\Z|[A-Za-z]:\\")
_ADDRESS: Final = lazily(r"[a-z][a-z0-9+.-]{1,20}://(?:[^/@\s]*:([^/\s]+)@)?")
_NAMES_BESIDE: Final = frozenset({"dsn", "credentials", "creds", "cred", "webhook", "pat", "pw"})
_BASE64: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")
_LEAST_BASE64: Final = 12


class Form(NamedTuple):
    """One way in which a secret of the environment may be written.

    Attributes:
        written: what is looked for.
        name: the variable that holds it.
        whole: whether it counts only between signs, as it is made of letters.
        inside: whether it is base64 of something longer, that goes as a whole.

    """

    written: str
    name: str
    whole: bool
    inside: bool = False


def secret_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Pick the variables whose names say that their values are secret."""
    return {
        name: value
        for name, value in environ.items()
        if len(value) >= LEAST and _is_secret_name(name) and not _is_harmless(value)
    }


def forms(environ: Mapping[str, str]) -> tuple[Form, ...]:
    """List what to look for: each secret value as it is, and as it is when encoded."""
    secrets = secret_variables(environ)
    if not secrets:
        return ()
    from urllib.parse import quote, quote_plus  # noqa: PLC0415  start-up: few have any

    by_text: dict[str, Form] = {}
    for name, value in secrets.items():
        for piece in _pieces(value):
            letters = is_words(piece)
            for written in (piece, quote(piece, safe=""), quote_plus(piece), _escaped(piece)):
                by_text.setdefault(written, Form(written, name, letters))
            for written in _in_base64(piece):
                by_text.setdefault(written, Form(written, name, whole=False, inside=True))
    return tuple(sorted(by_text.values(), key=lambda form: -len(form.written)))


def environment_secrets(
    text: str, start: int, end: int, forms: tuple[Form, ...]
) -> Iterator[SecretSpan]:
    """Find where a text holds them."""
    for form in forms:
        at, size = start, len(form.written)
        while (at := text.find(form.written, at, end)) >= 0:
            stop = at + size
            if not (form.whole and _goes_on(text, at, stop)):
                begin, close = _base64_around(text, at, stop) if form.inside else (at, stop)
                # The label's number goes by the variable: encoded or not, it is one secret.
                yield SecretSpan(
                    begin,
                    close,
                    "environment",
                    "$" + form.name,
                    "the value of an environment variable",
                )
                stop = close
            at = stop


def _is_secret_name(name: str) -> bool:
    words = words_of(name)
    return (
        weigh(name) is not Weight.NONE
        or bool(words and words[-1] in _NAMES_BESIDE)
        or ("url" in words or "uri" in words or "string" in words)
    )


def _is_harmless(value: str) -> bool:
    address = _ADDRESS.match(value)
    if address:
        return address[1] is None
    return is_trivial(value) or is_reference(value) or _PATH.match(value) is not None


def _pieces(value: str) -> Iterator[str]:
    """Give a value, or its lines where it has several; and the password of an address."""
    lines = [line.strip() for line in value.splitlines()]
    if len(lines) > 1:
        yield from (
            line for line in lines if len(line) >= _LONGEST_LINE_OF_MANY and "-----" not in line
        )
        return
    address = _ADDRESS.match(value)
    password = address[1] if address else None
    if password is None:
        yield value
    elif len(password) >= LEAST and not is_trivial(password):
        yield password


def _escaped(value: str) -> str:
    """Write a value as it stands in JSON and most code."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _in_base64(value: str) -> Iterator[str]:
    """Give the middle of the base64 of anything that holds the value, at each of three places."""
    data = value.encode("utf-8", "surrogateescape")
    for before in range(3):
        standard = b2a_base64(b"\0" * before + data, newline=False).decode()
        for encoded in (standard, standard.replace("+", "-").replace("/", "_")):
            # What depends on the neighbours: 0, 2 or 3 characters before, the last group after.
            middle = encoded[(0, 2, 3)[before] : (before + len(data)) * 8 // 6]
            if len(middle) >= _LEAST_BASE64:
                yield middle


def _goes_on(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return before.isalnum() or after.isalnum()


def _base64_around(text: str, start: int, end: int) -> tuple[int, int]:
    while start and text[start - 1] in _BASE64:
        start -= 1
    while end < len(text) and text[end] in _BASE64:
        end += 1
    return start, end
