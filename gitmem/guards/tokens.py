"""Lines of source as tokens that matter: without comments, blanks, and what formatters decide.

Two texts that differ only in their form (indentation, line ends, quotes, a comma before a closing
bracket, a semicolon at the end of a line) have the same tokens. Nothing is parsed: parts of files
are read, in any language.
"""

import re
from collections.abc import Sequence
from functools import cache
from keyword import iskeyword
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily

_HASH: Final = lazily(
    r"(?:py[ix]?|rb|sh|bash|zsh|p[lm]|ya?ml|toml|r|jl|exs?|nim|tf|cmake|mk|ps1|coffee)"
)
_PYTHON: Final = lazily(r"py[ix]?")
_PROSE: Final = 3
"""Names in a row that stand in no line of code."""
_DASHES: Final = lazily(r"(?:sql|lua|hs|elm|ad[bs]|vhdl?)")
_TOKEN: Final = lazily(
    r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'|`[^`\n]*`"
    r"|[^\W\d]\w*|\d[\w.]*|[-+*/%&|^=<>!~?:.@]?(?:==?|&&|\|\||\+\+|--|->|=>|::|<<|>>|\.\.)"
    r"|[^\w\s]"
)
_DOCSTRING: Final = lazily(
    r"(?:(?<=\n)|^)([ \t]*)[rbuRBU]{0,2}(\"\"\"|''')(?:[^\\]|\\.)*?\2", re.DOTALL
)
_BLOCK_COMMENT: Final = lazily(r"/\*.*?\*/", re.DOTALL)
_MARKUP_COMMENT: Final = lazily(r"<!--.*?-->", re.DOTALL)
_CLOSING: Final = frozenset(")]}")
_IMPORT: Final = lazily(
    r"\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:]+|using\s+[\w.]+;"
    r"|require\b|(?:const|let|var)\s+[\w{},\s]+=\s*require\(|export\s+\{?.*\bfrom\b|package\s).*"
)


class SourceToken(NamedTuple):
    """One token.

    Attributes:
        text: what it says; a string has double quotes, whichever it had.
        line: the place of its line among those that were given, from 0.

    """

    text: str
    line: int


def is_import(line: str) -> bool:
    """Tell whether a line only makes names of others known: it goes and comes with their use."""
    return _IMPORT.fullmatch(line) is not None


def tokens_of(lines: Sequence[str], path: str) -> list[SourceToken]:
    """Give the tokens of lines that stand one below the other in a file.

    Args:
        lines: without their newlines; they may begin and end anywhere in the file.
        path: of the file: its ending tells how comments begin.

    """
    ending = path.rpartition(".")[2].lower()
    comments = _comments_of(ending)
    text = _without_blocks("\n".join(lines), ending)
    tokens: list[SourceToken] = []
    for number, line in enumerate(text.split("\n")):
        words = _words(line, comments)
        if words and words[-1] == ";":
            words.pop()
        tokens += [SourceToken(word, number) for word in words]
    return [
        token
        for at, token in enumerate(tokens)
        if token.text != "," or at + 1 == len(tokens) or tokens[at + 1].text not in _CLOSING
    ]


def _without_blocks(text: str, ending: str) -> str:
    """Take comments over several lines out, and leave their line ends."""
    if _HASH.fullmatch(ending):
        # Of a part of a file nobody knows whether an odd one opens or closes.
        if any(text.count(quotes) % 2 for quotes in ('"""', "'''")):
            return text
        return _DOCSTRING.sub(_line_ends, text)
    if ending in {"html", "xml", "vue", "svelte"}:
        text = _MARKUP_COMMENT.sub(_line_ends, text)
    return _BLOCK_COMMENT.sub(_line_ends, text)


def _line_ends(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


class _Comments(NamedTuple):
    """How comments begin in a file."""

    hash: bool
    dashes: bool
    slashes: bool
    lone_hash: bool
    is_python: bool


@cache
def _comments_of(ending: str) -> _Comments:
    hashes = _HASH.fullmatch(ending) is not None
    dashes = not hashes and _DASHES.fullmatch(ending) is not None
    # Files of settings have no ending that tells; a C preprocessor's # begins no comment.
    is_code = "." in ending or ending.isalnum()
    slashes = not hashes and not dashes
    is_python = _PYTHON.fullmatch(ending) is not None
    return _Comments(hashes, dashes, slashes, slashes and not is_code, is_python)


def _words(line: str, comments: _Comments) -> list[str]:
    """Give the words of a line up to its comment."""
    stripped = line.lstrip()
    if comments.slashes and stripped.startswith(("* ", "*/", "/*")):
        return []  # of a comment that began above
    words: list[str] = []
    for match in _TOKEN.finditer(line):
        word = match[0]
        if word[0] in "#/-" and _begins_comment(line, match.start(), comments):
            break
        if word == "u" and comments.is_python and line.startswith(("'", '"'), match.end()):
            continue  # Python 3 reads no other strings
        words.append(_plain(word) if word[0] == "'" else word)
    return [] if comments.is_python and _is_prose(stripped, words) else words


def _is_prose(stripped: str, words: Sequence[str]) -> bool:
    """Tell whether a line is one of a docstring whose ends are out of sight."""
    names = [word.isalpha() and not iskeyword(word) for word in words]
    return stripped.startswith((".. ", ":param ", ":return")) or any(
        all(names[at : at + _PROSE]) for at in range(len(names) - _PROSE + 1)
    )


def _begins_comment(line: str, at: int, comments: _Comments) -> bool:
    if line[at] == "#":
        return comments.hash or (comments.lone_hash and not line[:at].strip())
    return (comments.dashes and line.startswith("--", at)) or (
        comments.slashes and line.startswith("//", at)
    )


def _plain(word: str) -> str:
    if len(word) > 1 and word[-1] == "'" and '"' not in word:
        return f'"{word[1:-1]}"'
    return word
