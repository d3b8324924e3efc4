"""Mask what varies in a message, and say what was masked."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.masks import KEPT_NUMBER, LISTS, QUOTES, STRUCTURE, VALUES, MaskRule

MAX_TEXT: Final = 2_000
"""Characters of a message that take part; the rest repeats or dumps data."""

_WORDS: Final = lazily(r"[^\W\d_][^\W\d_]+")
_MASKS: Final = lazily(r"<[^<>\n]{0,40}>")
_FIRST_MARK: Final = 0xE000  # the first of the characters that nobody uses
QUOTED_NAME: Final = r"['\"`\u2018][A-Za-z_][\w.]{0,80}['\"`\u2019]"
"""What is kept as a name: of an attribute, a module, a variable."""
# The rules for quotes, for all that does not look like a name.
_NAMED: Final = tuple(
    rule._replace(pattern=lazily(rf"(?!{QUOTED_NAME}){rule.pattern.pattern}")) for rule in QUOTES
)
_FEW: Final = 2
_BEFORE: Final = 30  # characters before a number that may say what it is


Keep = Literal["", "names", "values"]


class Masked(NamedTuple):
    """One thing that was masked in a text."""

    name: str
    original: str
    mask: str


class Normalised(NamedTuple):
    """A text with what varies masked, and what that was."""

    text: str
    masked: tuple[Masked, ...]


def normalise(text: str, rules: Sequence[MaskRule] = (), *, keep: Keep = "") -> Normalised:
    """Mask what varies in a text.

    Args:
        text: a message.
        rules: the user's rules, which come first.
        keep: ``names`` keeps quoted names, as of attributes and modules, and masks other
            quoted values; ``values`` keeps all values and masks only places, times and the like.

    """
    collected: list[Masked] = []
    text, marks = _own(text[:MAX_TEXT], rules, collected)
    text = _apply(text, STRUCTURE, collected)
    firm = len(collected)
    masked = text
    if keep != "values":
        masked = _apply(_apply(text, _NAMED if keep else QUOTES, collected), VALUES, collected)
    if keep != "values" and len(_WORDS.findall(_MASKS.sub(" ", masked))) < _FEW:
        # Hardly a word is left: then the identifiers are what tells.
        del collected[firm:]
        masked = _apply(text, VALUES, collected)
    if "<" in masked:
        for pattern, instead in LISTS:
            masked = pattern.sub(instead, masked)
    masked = " ".join(masked.split())
    return Normalised(masked.strip(" .:;,").translate(marks), tuple(collected))


def template(text: str, rules: Sequence[MaskRule] = (), *, keep: Keep = "") -> str:
    """Give a message with everything that varies masked: the same for every occurrence."""
    return _template(text[:MAX_TEXT], tuple(rules), keep)


@lru_cache(16)  # the levels of one failure ask for the same text up to three times
def _template(text: str, rules: tuple[MaskRule, ...], keep: Keep) -> str:
    return normalise(text, rules, keep=keep).text


def _own(
    text: str, rules: Sequence[MaskRule], collected: list[Masked]
) -> tuple[str, dict[int, str]]:
    """Apply the user's rules: a sign stands for each mask, so that no other rule sees it."""
    marks: dict[int, str] = {}
    for number, rule in enumerate(rules):
        marks[_FIRST_MARK + number] = rule.mask
        by_rule: list[Masked] = []
        text = _apply(text, [rule._replace(mask=chr(_FIRST_MARK + number))], by_rule)
        collected.extend(masked._replace(mask=rule.mask) for masked in by_rule)
    return text, marks


def _apply(text: str, rules: Iterable[MaskRule], collected: list[Masked]) -> str:
    signs = _signs(text)
    for rule in rules:
        if signs is None or not rule.needs or not signs.isdisjoint(rule.needs):
            masked = rule.pattern.sub(_masker(rule, collected), text)
            if masked != text:
                text, signs = masked, _signs(masked)
    return text


def _signs(text: str) -> frozenset[str] | None:
    """Give the characters of an ASCII text; in others a digit, say, is many characters."""
    return frozenset(text) if text.isascii() else None


def _masker(rule: MaskRule, collected: list[Masked]) -> Callable[[re.Match[str]], str]:
    def mask(match: re.Match[str]) -> str:
        if rule.name == "number" and _is_kept(match):
            return match[0]
        instead = match.expand(rule.mask)
        collected.append(Masked(rule.name, match[0], instead))
        return instead

    return mask


def _is_kept(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - _BEFORE) : match.start()]
    return bool(KEPT_NUMBER.search(before))
