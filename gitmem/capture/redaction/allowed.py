"""What a team has said is no secret, each with its reason."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gitmem.capture.redaction.found import Span
from gitmem.errors import InvalidError

LONGEST: Final = 256
"""Only values up to so many characters can be allowed; patterns are as bounded."""

_REPEATS: Final = 2
_ATOM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]")
_GROUP_REPEATED: Final = re.compile(r"\)[*+?{]")
_VARIABLE: Final = re.compile(r"[*+]|\{\d*,\d*\}|(?<!\()\?")
_BACK: Final = re.compile(r"\\[1-9]|\(\?")
# No pattern may let all of these through: such a one would switch redaction off.
_PROBES: Final = ("q7Xz0Rk2Vd9LmT4w", "correct-horse-battery", "Zm9vOmJhcg==", "0f3a9c41d27be856")


class Allowed(NamedTuple):
    """One value, or one form of value, that stays.

    Attributes:
        reason: why it is no secret; never empty.
        value: the exact value.
        pattern: or a regular expression for the whole value, without groups that repeat, with
            at most two repetitions, so that it can't take longer than the value is long.

    """

    reason: str
    value: str = ""
    pattern: str = ""


class Passes(NamedTuple):
    """The allow-list, ready to be asked."""

    values: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]

    def allow(self, secret: str) -> bool:
        """Tell whether a value was allowed."""
        if len(secret) > LONGEST:
            return False
        return secret in self.values or any(p.fullmatch(secret) for p in self.patterns)


def passes(allow: Sequence[Allowed]) -> Passes:
    """Check an allow-list and make it ready; raise InvalidError for an entry that can't be."""
    return _passes(tuple(allow))


@lru_cache(maxsize=8)
def _passes(allow: tuple[Allowed, ...]) -> Passes:
    for number, entry in enumerate(allow):
        _check(entry, f"allow[{number}]")
    patterns = tuple(re.compile(entry.pattern) for entry in allow if entry.pattern)
    return Passes(frozenset(entry.value for entry in allow if entry.value), patterns)


def without_allowed(spans: Iterable[Span], allow: Passes, text: str) -> list[Span]:
    """Leave out what was allowed."""
    if not allow.values and not allow.patterns:
        return list(spans)
    return [span for span in spans if not allow.allow(text[span.start : span.end])]


def _check(entry: Allowed, where: str) -> None:
    if not entry.reason.strip():
        raise InvalidError(
            f"{where}: an allowed value needs a reason",
            "say why it is no secret",
            f"{where}.reason",
        )
    if bool(entry.value) == bool(entry.pattern):
        raise InvalidError(f"{where}: give a value or a pattern, and not both", "", where)
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
        raise InvalidError(f"{where}: {pattern!r} is no pattern: {error}", "", field) from None
    if any(compiled.fullmatch(probe) for probe in _PROBES):
        hint = "name what sets these values apart, such as how they begin"
        raise InvalidError(f"{where}: the pattern {pattern!r} would let secrets pass", hint, field)
