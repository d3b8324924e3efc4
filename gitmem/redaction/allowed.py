"""What a team has said is no secret, each with its reason."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.lazy_pattern import lazily
from gitmem.redaction.providers import ISSUED, PROVIDERS
from gitmem.redaction.spans import SecretSpan

if TYPE_CHECKING:
    from gitmem.config import Pass

LONGEST: Final = 256
"""Only values up to so many characters can be allowed; patterns are as bounded."""

_REPEATS: Final = 2
_ATOM: Final = lazily(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]")
_GROUP_REPEATED: Final = lazily(r"\)[*+?{]")
_VARIABLE: Final = lazily(r"[*+]|\{\d*,\d*\}|(?<!\()\?")
_SHA256: Final = lazily(r"[0-9a-f]{64}\Z")
_BACK: Final = lazily(r"\\[1-9]|\(\?")
# No pattern may let one of these through: such a one would switch redaction off, or nearly so.
_WORDLIKE: Final = ("correct-horse-battery", "correct horse battery", "correcthorse",
                    "Zm9vOmJhcg==", "0f3a9c41d27be856")  # fmt: skip
_HEX: Final = "0f3a9c41d27be856" * 4
_MIXED: Final = "q7Xz0Rk2Vd9LmT4w" * 8
_STARTS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_SIZES: Final = range(8, 97)
_LENGTHS: Final = (16, 17, 20, 22, 24, 28, 32, 34, 35, 36, 40, 43, 48, 64)
_SHUFFLES: Final = 200
_FEW: Final = 50
"""A pattern that matches more than one of so many shuffled values says too little."""


class Allowed(NamedTuple):
    """One value, or one form of value, that stays.

    Attributes:
        reason: why it is no secret; never empty.
        value: the exact value.
        pattern: or a regular expression for the whole value, without groups that repeat, with
            at most two repetitions, so that it can't take longer than the value is long.
        sha256: or the digest of the exact value, in lower-case hex, where not even an allowed
            value shall be written down.

    """

    reason: str
    value: str = ""
    pattern: str = ""
    sha256: str = ""


class Passes(NamedTuple):
    """The allow-list, ready to be asked."""

    values: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]
    digests: frozenset[str]

    def allow(self, secret: str, *, issued: bool = False) -> bool:
        """Tell whether a value was allowed; ``issued``: its form says who issued it."""
        if len(secret) > LONGEST:
            return False
        if secret in self.values:
            return True
        if any(_tells_apart(pattern, secret, issued=issued) for pattern in self.patterns):
            return True
        return bool(self.digests) and _digest(secret) in self.digests


def passes(allow: Sequence[Allowed]) -> Passes:
    """Check an allow-list and make it ready; raise InvalidError for an entry that can't be."""
    return _passes(tuple(allow))


@lru_cache(maxsize=256)
def _tells_apart(pattern: re.Pattern[str], secret: str, *, issued: bool) -> bool:
    """Tell whether a pattern matches a value for what it says, and not for its kind of signs.

    One that a team wrote for its own values does not match these signs in another order. ``AKIA.+``
    or ``[A-Z2-7]{32}`` does, and would let every secret of that form pass. What an issuer's tokens
    begin with stays where it is: to name that tells none of them apart.
    """
    if not pattern.fullmatch(secret):
        return False
    start = 0
    if issued:
        clues = (clue for form in PROVIDERS for clue in form.clues if secret.startswith(clue))
        middle = len(secret) // 2
        start = max(*map(len, clues), *(secret.rfind(sign, 0, middle) + 1 for sign in "_-."))
    signs, state, hits = list(secret[start:]), 1, 0
    for _ in range(_SHUFFLES):
        for at in range(len(signs) - 1, 0, -1):
            # Not ``random``, which takes longer to import than this: Lehmer's generator.
            state = state * 48_271 % 0x7FFF_FFFF
            other = state % (at + 1)
            signs[at], signs[other] = signs[other], signs[at]
        shuffled = secret[:start] + "".join(signs)
        hits += shuffled != secret and pattern.fullmatch(shuffled) is not None
    return hits * _FEW <= _SHUFFLES


@lru_cache(maxsize=8)
def _passes(allow: tuple[Allowed, ...]) -> Passes:
    for number, entry in enumerate(allow):
        check(entry, f"allow[{number}]")
    patterns = tuple(re.compile(entry.pattern) for entry in allow if entry.pattern)
    values = frozenset(entry.value for entry in allow if entry.value)
    return Passes(values, patterns, frozenset(entry.sha256 for entry in allow if entry.sha256))


def _digest(secret: str) -> str:
    import hashlib  # noqa: PLC0415  start-up, and few teams have digests

    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=8)
def from_settings(entries: "tuple[Pass, ...]") -> tuple[tuple[Allowed, ...], tuple[str, ...]]:
    """Read the allow-list of a team's settings.

    Gives the entries that are good, and what is wrong with the others, a line each. A value that
    only such an entry would let pass is redacted: that side is the safe one.
    """
    good, faults = [], []
    for entry in entries:
        allowed = Allowed(entry.why, entry.value, entry.pattern, entry.sha256.lower())
        try:
            check(allowed, entry.where)
        except InvalidError as error:
            faults.append(f"{error.message} ({error.hint})" if error.hint else error.message)
        else:
            good.append(allowed)
    return tuple(good), tuple(faults)


def without_allowed(spans: Iterable[SecretSpan], allow: Passes, text: str) -> list[SecretSpan]:
    """Leave out what was allowed."""
    if not any(allow):
        return list(spans)
    return [
        span
        for span in spans
        if not allow.allow(text[span.start : span.end], issued=span.hint == ISSUED)
    ]


def check(entry: Allowed, where: str) -> None:
    """Check one entry; raise InvalidError that names it as ``where`` if it can't be."""
    if not entry.reason.strip():
        raise InvalidError(
            f"{where}: an allowed value needs a reason",
            "say why it is not a secret",
            f"{where}.reason",
        )
    if sum(map(bool, (entry.value, entry.pattern, entry.sha256))) != 1:
        raise InvalidError(f"{where}: give one of value, pattern and sha256", "", where)
    if entry.sha256 and not _SHA256.match(entry.sha256):
        hint = "64 digits of lower-case hex, as sha256sum prints them"
        raise InvalidError(f"{where}: {entry.sha256[:80]!r} is not a SHA-256", hint, where)
    if len(entry.value) > LONGEST or len(entry.pattern) > LONGEST:
        raise InvalidError(
            f"{where}: at most {LONGEST} characters can be allowed", "allow a shorter value", where
        )
    if entry.pattern:
        _check_pattern(entry.pattern, where)


def _check_pattern(pattern: str, where: str) -> None:
    field = f"{where}.pattern"
    bare = _ATOM.sub("x", pattern)
    if (
        _GROUP_REPEATED.search(bare)
        or _BACK.search(pattern)
        or len(_VARIABLE.findall(bare)) > _REPEATS
    ):
        hint = "at most two of * + ? {m,n}, none of them after a group, and no (?…) or \\1"
        raise InvalidError(f"{where}: the pattern {pattern!r} could take too long", hint, field)
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InvalidError(
            f"{where}: {pattern!r} is not a valid pattern: {error}", "", field
        ) from None
    if any(compiled.fullmatch(probe) for probe in _probes()):
        hint = "describe what sets these values apart, such as how they begin"
        raise InvalidError(f"{where}: the pattern {pattern!r} would let secrets pass", hint, field)


@cache
def _probes() -> tuple[str, ...]:
    """Give values such as secrets are: drawn at random, and as issuers of tokens begin them."""
    drawn = [f"{start}{_MIXED[: size - 1]}" for start in _STARTS for size in _SIZES]
    digests = [_HEX[:size] for size in (24, 32, 40, 48, 64)]
    issued = [
        f"{before}{clue}{drawn_from[:size]}"
        for form in PROVIDERS
        for clue in form.clues
        for before, drawn_from in (
            ("", _MIXED),
            (_MIXED[:12], _MIXED),
            ("", _MIXED.upper()),
            ("", _HEX),
        )
        for size in _LENGTHS
    ]
    return (*_WORDLIKE, *digests, *map(str.upper, digests), *drawn, *issued)
