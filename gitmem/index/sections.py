"""Terms that mark parts of a document: its title, code, and the files and lines it names.

They lie in the same posting lists as the words, under terms that start with a sign which no
text can give, and a letter. So there is one file format, one way to delete and to merge, and
stock Whoosh opens the index as before.

``t`` words of the title, ``h`` of the head of the message, ``q`` of what is in quotes;
``c`` the innermost failing source line, as a checksum; ``s`` the same without its numbers and
strings, if it has any; ``l`` a file's name, where the value is
the line; ``k`` what kind of text it is: ``trace`` if it has failing source lines; ``f`` the
language of a file that it names a line of.
"""

from math import sqrt
from typing import TYPE_CHECKING, Final
from zlib import crc32

from gitmem.index.analysis import distinct_terms
from gitmem.lazy_pattern import lazily

if TYPE_CHECKING:
    from collections import Counter

    from gitmem.index.document import Document

SIGN: Final = "\x01"
TITLE: Final = "\x01t"
HEAD: Final = "\x01h"
QUOTED: Final = "\x01q"
CODE: Final = "\x01c"
SHAPE: Final = "\x01s"
PLACE: Final = "\x01l"
TRACE: Final = "\x01ktrace"
LANGUAGE: Final = "\x01f"

FULL: Final = 1024
"""The value of a section's term that stands there alone."""
_TYPICAL: Final = 8
_TITLE_TYPICAL: Final = 10
_SATURATION: Final = 1.2
_MOST_TERMS: Final = 24
_MOST_PLACES: Final = 12
_MOST_LINE: Final = 1 << 24
_LITERAL: Final = lazily(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`|\b\d[\w.]*")
_NAME: Final = lazily(r"[^\W\d]\w*")
_KEYWORDS: Final = frozenset({
    "and", "assert", "assertEqual", "assertTrue", "await", "const", "else", "equal", "expect",
    "f", "for", "if", "in", "is", "let", "new", "nil", "None", "not", "null", "or", "r", "raise",
    "return", "self", "this", "throw", "toBe", "toEqual", "true", "True", "false", "False", "var",
})  # fmt: skip
"""What is in any failing line."""


def marks(document: "Document", title: "Counter[str]") -> dict[str, int]:
    """Give the marks of a document with their values, each at least 1.

    Args:
        document: its texts.
        title: how often each term stands in the title.

    """
    from gitmem.index.evidence import languages

    found_marks: dict[str, int] = {}
    if title:
        norm = title.total() / _TITLE_TYPICAL
        for term, count in title.items():
            tf = count / norm
            found_marks[TITLE + term] = int(FULL * tf / (tf + _SATURATION)) or 1
    if document.head:
        found_marks |= _section(HEAD, document.head)
    if document.quoted:
        found_marks |= _section(QUOTED, "\n".join(document.quoted))
    if document.code:
        found_marks[TRACE] = 1
        found_marks[code_term(document.code[-1])] = 1
        if shape := shape_term(document.code[-1]):
            found_marks[shape] = 1
    for file, line in document.places[:_MOST_PLACES]:
        if 0 < line < _MOST_LINE:
            found_marks[place_term(file)] = line
    for language in languages(document.places):
        found_marks[LANGUAGE + language] = 1
    return found_marks


def code_term(line: str) -> str:
    """Give the term of a source line."""
    return f"{CODE}{crc32(line.encode(errors='replace')):08x}"


def shape_term(line: str) -> str:
    """Give the term of a source line without its numbers and strings.

    Empty where it has none, or nothing else that tells.
    """
    shape, masked = _LITERAL.subn("#", line)
    if not masked or not any(word not in _KEYWORDS for word in _NAME.findall(shape)):
        return ""
    return f"{SHAPE}{crc32(shape.encode(errors='replace')):08x}"


def place_term(file: str) -> str:
    """Give the term of a file's name."""
    return PLACE + _writable(file)


def _writable(text: str) -> str:
    """Replace what UTF-8 has no bytes for."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def _section(section: str, text: str) -> dict[str, int]:
    words = distinct_terms(text)[:_MOST_TERMS]
    value = int(FULL / sqrt(1 + len(words) / _TYPICAL)) or 1
    return dict.fromkeys(map(section.__add__, words), value)
