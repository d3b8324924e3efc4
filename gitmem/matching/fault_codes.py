"""What tools put before or behind what they say: the name of a rule, and how bad it is."""

from typing import Final

from gitmem.lazy_pattern import lazily

_CODE_FIRST: Final = lazily(
    r"(?:(?:[A-Z]: )?(?:\[\w+\] )?(?P<cop>[A-Z]\w{1,40}(?:/[A-Z]\w{1,60}){1,3}):"
    r"|\[(?P<square>[A-Za-z][\w@/.-]{1,60})\]:?|(?P<code>[A-Z]{1,6}\d{2,6}):?)(?:\s+|$)"
)
_CODE_LAST: Final = lazily(
    r"\s+(?:\[(?:(?i:error|warning)/)?(?P<square>(?:\w+/)*[A-Za-z@][\w@/.:-]{1,60}?)\*?\]"
    r"|\((?P<round>[a-z]+(?:[-/][\w-]+)+|[A-Z]{1,8}-?\d{2,6}|[a-z]+[A-Z]\w+)\))$"
)
_RULE_BEHIND: Final = lazily(r"^(?P<message>.+) [\u2022-] (?P<rule>[a-z]+(?:_[a-z]+)+)$")
"""A rule with bars below, behind what separates the parts of the line."""
LEVELS: Final = r"(?P<level>(?i:error|warning|warn|fatal|info|note|severe))"
_LEVEL_FIRST: Final = lazily(rf"^[\[(]{LEVELS}(?:/\d+)?[\])]:?\s+")
_LEVEL_LAST: Final = lazily(rf"\s+[\[(]{LEVELS}[\])]$")
BARE_RULE: Final = lazily(r"\s+\((?P<rule>[a-z][\w/-]{1,80})\)$")


def with_level(words: str) -> tuple[str, str]:
    """Part the level that words bear in brackets, first or last, from what is said."""
    for form in (_LEVEL_FIRST, _LEVEL_LAST):
        if match := form.search(words):
            return match["level"].lower(), (words[: match.start()] + words[match.end() :]).strip()
    return "", words


def with_code(words: str, *, bare: bool = False) -> tuple[str, str]:
    """Part the code or rule that words begin or end with from what is said."""
    if bare and (ends := BARE_RULE.search(words)):
        return ends["rule"], words[: ends.start()].strip()
    if behind := _RULE_BEHIND.match(words):
        return behind["rule"], behind["message"].strip()
    if begins := _CODE_FIRST.match(words):
        return begins["cop"] or begins["square"] or begins["code"], words[begins.end() :].strip()
    if ends := _CODE_LAST.search(words):
        return ends["square"] or ends["round"], words[: ends.start()].strip()
    return "", words
