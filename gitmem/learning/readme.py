"""The first prose of a README: what its project is for. Pure."""

import re
from typing import Final

from gitmem.tools.enclosed import without

_UNDERLINED: Final = re.compile(r"[=\-~^*+#\"'`]{3,}\s*\Z")
# A heading, a table, an image or badge, HTML, a quote, a rule, a list, a fence, a directive.
_NO_PROSE: Final = re.compile(r"\s*(?:#|\||!\[|\[!\[|<|>|-{3,}|[-*+]\s|```|~~~|\.\. )")
_FRONT: Final = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_LINK: Final = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MOST: Final = 800


def summary(text: str) -> str:
    """Give the first paragraph of prose, in one line; empty if there is none.

    Of a paragraph longer than 800 characters it is the first sentences that fit.
    """
    plain = without(_FRONT.sub("", text.replace("\r\n", "\n")), "<!--", "-->")
    for paragraph in re.split(r"\n\s*\n", plain):
        lines = paragraph.strip("\n").split("\n")
        if _NO_PROSE.match(lines[0]) and len(lines) > 1 and lines[0].lstrip().startswith("#"):
            lines = lines[1:]
        if not lines[0].strip() or _NO_PROSE.match(lines[0]) or _is_title(lines):
            continue
        prose = _LINK.sub(r"\1", " ".join(" ".join(lines).split()))
        if prose:
            return _sentences(prose)
    return ""


def _is_title(lines: list[str]) -> bool:
    return any(_UNDERLINED.match(line) for line in lines[:3])


def _sentences(text: str) -> str:
    if len(text) <= _MOST:
        return text
    beginning = ""
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        if len(beginning) + len(sentence) > _MOST:
            break
        beginning = f"{beginning} {sentence}".strip()
    return beginning
