"""The fallback: lines that say error, fatal, panic or exception, of tools nobody knows."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.matching.excerpt import excerpt
from gitmem.matching.failure import MAX_MESSAGE, Failure, Found

_TYPED: Final = re.compile(
    r"(?:.{0,120}?\b)?(?P<type>(?:[A-Za-z_]\w{0,60}[.:]{1,2}){0,8}"
    r"[A-Z]\w{1,80}(?:Error|Exception|Warning|Fault|Failure|Interrupt|Exit))"
    r"(?:: ?| - |$)(?P<message>.*)"
)
_STRONG: Final = re.compile(
    r"\s*(?:\[?[\w./@+-]{1,60}\]?: ){0,3}"
    r"[\[(]?(?P<word>fatal error|[Ff]atal|FATAL|[Ee]rror|ERROR|ERR!|PANIC|panic|CRITICAL|E)[\])]?"
    r"(?:[:!]\s+|\s+-\s+|\s{2,}|(?<=[\])])\s)(?P<message>\S.*)"
)
_NOT: Final = re.compile(
    r"\b(?:0|no|No|zero|without|Without) (?:\w+ )?(?:errors?|failures?|failed|fail|exceptions?)\b"
    r"|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b|\bfailed=0\b|\berror[-_]?(?:handler|free|code)s?\b"
)
_WEAK: Final = re.compile(
    r"\b(?:errors?|failed|failures?|fatal|exceptions?|panic|cannot|denied|refused|timed out"
    r"|not found|unable to|no such|out of memory|killed|undefined|exit(?:ed)? (?:with )?(?:code|status))\b",
    re.IGNORECASE,
)


def parse(lines: Sequence[str], at: int, floor: int) -> Found | None:  # noqa: ARG001
    """Make a guess of one line."""
    line = lines[at][:2_000]
    if _NOT.search(line) or not _WEAK.search(line) and not _TYPED.match(line):
        return None
    typed = _TYPED.match(line)
    if typed:
        failure = Failure(error_type=typed["type"], message=typed["message"], severity="hint")
    else:
        strong = _STRONG.match(line)
        message = strong["message"] if strong else line.strip()
        severity = "consequence" if strong else "hint"
        failure = Failure(message=message[:MAX_MESSAGE], severity=severity)
    text = excerpt(lines, max(0, at - 1), min(len(lines), at + 3))
    return Found((failure._replace(excerpt=text),), at, at + 1)
