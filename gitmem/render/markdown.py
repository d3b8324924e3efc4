"""Records as Markdown for editors and reviews. Text from records is quoted, never markup."""

import re
from collections.abc import Iterator
from typing import Final

from gitmem.answers.found import Shown
from gitmem.render.text import one_line, safe

# Brackets, dashes, plus signs, exclamation marks and the underscores of names mean something only
# at the edge of a text, where one of them may meet what stands beside it.
_MARKUP = re.compile(r"([\\`*{}\[\]<>#|~&$@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[-+()!]|[-+()!]$)")
# What closes each bracket that it opens, within its text, can meet nothing.
_CLOSED = re.compile(r"[^()]+(?:\((?:[^()]|\([^()]*\))*\)[^()]*)*(?<=\))")
# Renderers make links of bare addresses, and blocks of lines that begin like this.
_MEANT = re.compile(r"(?<=/)/|(?<=\bwww)\.|^=", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\d{1,9})([.)])")
_LONGEST_FIELD = 600
_LANGUAGE: Final = re.compile(r"[a-z][a-z0-9+#-]{0,19}\Z")
# Renderers draw what stands in fences of these names instead of showing it.
_DRAWN: Final = frozenset(
    {"math", "mermaid", "katex", "latex", "tex", "dot", "graphviz", "plantuml"}
)


def escaped(text: str) -> str:
    """Fold text into one line in which no character has a meaning for Markdown or HTML."""
    line = one_line(text)
    closed = _CLOSED.fullmatch(line)
    line = _MARKUP.sub(r"\\\1", line).replace("\\<", "&lt;").replace("\\>", "&gt;")
    if closed:
        line = f"{line[:-2]})"
    return _NUMBERED.sub(r"\1\\\2", _MEANT.sub(r"\\\g<0>", line))


def fenced(text: str, language: str = "") -> str:
    """Put text into a code fence that is longer than any run of back-ticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{safe(text).rstrip()}\n{fence}"


def prose(text: str) -> Iterator[str]:
    """Write what a person wrote as paragraphs whose lines stay lines."""
    for paragraph in re.split(r"\n\s*\n", safe(text)):
        lines = [escaped(line) for line in paragraph.split("\n") if line.strip()]
        if lines:
            yield "  \n".join(lines)


def fence_language(language: str) -> str:
    """Give the language of a fence; empty for those that renderers would draw."""
    name = language.lower()
    return name if _LANGUAGE.match(name) and name not in _DRAWN else ""


def record_summary(shown: Shown) -> str:
    """A record in a few lines: title, status, what it says, what was tried and what came of it."""
    row = shown.row
    author = escaped(row.author)
    lines = [
        f"**{escaped(row.title)}**",
        f"{row.kind} {row.shown_status or ''} · {row.id} · {author} · {row.created[:10]}".replace(
            "  ", " "
        ),
    ]
    for field in (
        "message",
        "cause",
        "approach",
        "decision",
        "rationale",
        "summary",
        "body",
        "why_failed",
    ):
        text = getattr(shown.record, field, "") or ""
        if text and text != row.title:
            lines.append(
                fenced(text if len(text) <= _LONGEST_FIELD else text[:_LONGEST_FIELD] + "…")
            )
    lines += [
        f"- {fix.verdict}: {escaped(fix.title)} ({fix.id}, {escaped(fix.author)})"
        for fix in shown.attempts
    ]
    for relation, newer in shown.backlinks:
        if relation == "supersedes":
            lines.append(f"- superseded by {newer.id}: {escaped(newer.title)}")
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:])
