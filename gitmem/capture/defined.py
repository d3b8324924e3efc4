"""The functions and classes that lines define, and which of them lies around a line. Pure."""

from collections.abc import Iterator

from gitmem.diffs import CONTEXT, REMOVED, Hunk
from gitmem.lazy_pattern import lazily

_DEFINED = lazily(
    r"\b(?:def|class|func|fn|function|interface|trait|struct|module|sub)\s+"
    r"(?:\([^)]*\)\s*)?([\w.]+[?!]?)"
    r"|\b(\w+)\s*(?:=|:)\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=;{}]{1,80})?=>)"
    r"|^(?:(?:[\w<>\[\],.*&:]+|[A-Z][A-Z_]+\([^()]*\))\s+)+(\w+)\s*\([^;]*$"
)
COMMENT = lazily(r"\s*(?://|/\*|\*|#|--|%|;)")
_KEYWORDS = frozenset({
    "if", "for", "while", "return", "else", "switch", "catch", "new", "assert", "await", "case",
    "defer", "elif", "go", "in", "match", "not", "raise", "throw", "unless", "until", "yield",
})  # fmt: skip


def functions_around(hunk: Hunk) -> Iterator[str]:
    """Name the function or class around each line of a hunk; what ends one is indented less."""
    name, depth = defined_by(hunk.heading), -1
    for _, line in hunk.lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if defined := defined_by(text):
            name, depth = defined, indent
        elif text and indent <= depth and text[0] not in ")]{":
            name = ""
        yield name


def defined_by(line: str) -> str:
    """Name the function or class that a line defines; empty if it defines none."""
    match = None if COMMENT.match(line) else _DEFINED.search(line)
    name = next(filter(None, match.groups()), "") if match else ""
    words = line.split()
    if not name or name in _KEYWORDS or words[0] in _KEYWORDS:
        return ""
    return name if "class" in words[:2] else f"{name}()"


def is_in_another(hunk: Hunk, number: int) -> bool:
    """Tell whether a line lies in a function that a hunk leaves as it is, and calls none of those.

    Args:
        hunk: changes other functions, and nothing around them.
        number: of a line that it shows, as it was before.

    """
    around = list(functions_around(hunk))
    changed = {name for (sign, _), name in zip(hunk.lines, around, strict=True) if sign != CONTEXT}
    old = [at for at, (sign, _) in enumerate(hunk.lines) if sign in (CONTEXT, REMOVED)]
    at = old[number - hunk.old_start]
    if not around[at] or around[at] in changed:
        return False
    calls = hunk.lines[at][1]
    return all(name.endswith("()") and name[:-1] not in calls for name in changed)
