"""What a written document says, without what its template says: for a model that reads its start.

Decisions that were written elsewhere begin with their status, date and authors, and link to
others. Of the few pieces that count, these would take a third.
"""

import re
from typing import Final

from gitmem.lazy_pattern import lazily

_MOST: Final = 8_000
"""Characters of a text that are looked at; far fewer count."""
_ASIDE: Final = lazily(
    r"(?s)\A\s*---\n.{0,2000}?\n---\n|<!--.{0,2000}?-->|^:::.{0,1000}?^:::$"
    r"|^[ \t]*```.{0,4000}?^[ \t]*```[ \t]*$",
    re.MULTILINE,
)
_ABOUT: Final = lazily(
    r"^[ \t>|*_-]{0,8}(?:status|date|authors?|deciders?|consulted|informed|approvers?|reviewers?"
    r"|owners?|contact|(?:last )?updated|created|version|tags?|driver|issue|start date)"
    r"[ \t*_|]{0,4}:.*$",
    re.MULTILINE | re.IGNORECASE,
)
_FORMAL: Final = lazily(
    r"^#{1,6}[ \t]*(?:status|date|table of contents|authors?|deciders?|metadata)[ \t]*:?[ \t]*$"
    r"(?:\n(?!#).*){0,40}",
    re.MULTILINE | re.IGNORECASE,
)
_HEADING: Final = lazily(
    r"^#{1,6}[ \t]*(?:context(?: and problem statement)?|decision(?: outcome)?"
    r"|problem(?: statement)?|background|introduction|overview|summary|description|motivation"
    r"|rationale|consequences|abstract)[ \t]*:?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LINK: Final = lazily(r"!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)")
_ADDRESS: Final = lazily(r"https?://\S{1,500}")
_EMPHASIS: Final = lazily(r"[*`]+")
_MARKS: Final = lazily(r"[_#|>]+")


def substance(text: str) -> str:
    """Give the words of a text, without front matter, status, addresses, code and marks."""
    text = text[:_MOST]
    for pattern in (_ASIDE, _FORMAL, _ABOUT, _HEADING):
        text = pattern.sub("", text)
    text = _ADDRESS.sub("", _LINK.sub(r"\1", text))
    return "\n".join(filter(None, map(_plain, text.splitlines())))


def _plain(line: str) -> str:
    return " ".join(_MARKS.sub(" ", _EMPHASIS.sub("", line)).split())
