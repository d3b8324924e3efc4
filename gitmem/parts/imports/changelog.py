"""Changelogs: Keep a Changelog, conventional-changelog, and versions with lists below them. Pure.

An entry is what a project says of itself in one line: there is no output to recognise an error
by, and nothing that shows that it worked. So it becomes a note, and a decision only if it says
itself that something was decided.
"""

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

from gitmem.parts.imports.markdown import MarkdownSection, items, plain, sections

_VERSION: Final = re.compile(
    r"(?:[\w.@/-]+[ @])?(?:version |release |v|\[)*"
    r"(?P<version>\d+\.\d+[\w.+-]*|\d+(?=\s*[(\]]))\]?",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|(?P<name>[A-Z][a-z]{2,8})\.? (?P<day1>\d{1,2})(?:st|nd|rd|th)?,? (?P<year1>\d{4})"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th)? (?P<name2>[A-Z][a-z]{2,8})\.?,? (?P<year2>\d{4})"
)
_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_UNRELEASED: Final = re.compile(
    r"\W*(?:unreleased|upcoming|next|master|main|\(?in development)\b", re.IGNORECASE
)
_LABEL: Final = re.compile(
    r"(?:\*\*|__)(?P<name>[^*_]+?):?(?:\*\*|__):?|(?P<bare>[A-Z][\w /-]{2,40}):"
)
_GROUPS: Final = {
    name: re.compile(form, re.IGNORECASE)
    for name, form in {
        "fixed": r"fix(?:es|ed)?|bug ?-?fix(?:es)?|bugs?(?: fixed| fixes)?|fixed bugs|patches"
        r"|corrections?",
        "security": r"security(?: fix(?:es)?)?|vulnerabilit(?:y|ies)",
        "changed": r"chang(?:e[sd]|ed behaviou?r)|behaviou?r changes|(?:potentially )?\W*breaking"
        r"(?: changes?)?|backwards?[- ]incompatible(?: changes?)?|incompatible changes|api changes"
        r"|upgrade notes?",
        "deprecated": r"deprecat(?:ed|ions?)",
        "removed": r"remov(?:ed|als?)|deleted",
    }.items()
}
_DECIDED: Final = re.compile(
    r"\b(?:decision:|(?:we|it was|was|has been|have|maintainers) (?:have )?(?:decided|chosen|chose)"
    r"|we chose)\b",
    re.IGNORECASE,
)
_HASH: Final = re.compile(r"\s*\(?\[?\b[0-9a-f]{7,40}\b\]?(?:\([^)]*\))?\)?(?=\s*(?:,|$))")
_REFERENCE: Final = re.compile(r"(?<![\w&/])#\d{1,7}\b|\bGH-\d{1,7}\b|\bCVE-\d{4}-\d{4,7}\b")


class ChangelogEntry(NamedTuple):
    """One thing that a version did.

    Attributes:
        group: ``fixed``, ``security``, ``changed``, ``deprecated`` or ``removed``.
        title: its first line, without marks.
        text: all of it.
        decided: it says that this was decided.
        references: issues that it names, as tags.

    """

    group: str
    title: str
    text: str
    decided: bool
    references: tuple[str, ...]


class Version(NamedTuple):
    """One version.

    Attributes:
        name: such as ``1.2.0``.
        date: when it was released; None: it does not say.
        line: number of its heading's line, from 1.
        entries: what of it is taken in.
        others: how many entries stand under other headings, or under none.

    """

    name: str
    date: datetime | None
    line: int
    entries: tuple[ChangelogEntry, ...]
    others: int


def read(text: str) -> tuple[list[Version], int]:
    """Read a changelog: its versions, and how many entries are of none that was released."""
    versions: list[Version] = []
    unreleased = 0
    parts = sections(text)
    main = _main_level(parts)
    at = 0
    while at < len(parts):
        part = parts[at]
        at += 1
        if not _begins(part, main):
            continue
        inner = [(part.text, "")]
        while at < len(parts) and parts[at].level > part.level and not _begins(parts[at], main):
            inner.append((parts[at].text, plain(parts[at].title)))
            at += 1
        entries, others = _entries(inner)
        named = _VERSION.match(plain(part.title))
        if named is None or _UNRELEASED.match(plain(part.title)):
            unreleased += len(entries) + others
        else:
            date = _date(part.title) or _date(part.text.partition("\n")[0])
            versions.append(Version(named["version"], date, part.line, tuple(entries), others))
    return versions, unreleased


def _main_level(parts: list[MarkdownSection]) -> int:
    """Tell which headings name versions: the level that most of them are on, the upper of two."""
    counts: dict[int, int] = {}
    for part in parts:
        if part.level and _VERSION.match(plain(part.title)):
            counts[part.level] = counts.get(part.level, 0) + 1
    return max(counts, key=lambda level: (counts[level], -level), default=0)


def _begins(part: MarkdownSection, main: int) -> bool:
    """Tell whether a heading begins a version.

    Beside the main level, where small versions are a level below large ones: there only what
    is a version and a date, and no other words.
    """
    title = plain(part.title)
    match = _VERSION.match(title)
    if part.level == main:
        return bool(match or _UNRELEASED.match(title))
    rest = _DATE.sub("", title[match.end() :]) if match and part.level else "no version"
    rest = rest.replace("[YANKED]", "")
    return not any(map(str.isalpha, rest)) and "." in title


def _entries(inner: list[tuple[str, str]]) -> tuple[list[ChangelogEntry], int]:
    entries: list[ChangelogEntry] = []
    others = 0
    for text, title in inner:
        for group, block in _blocks(text, _group(title)):
            for item in items(block):
                if group:
                    entries.append(_entry(group, item))
                else:
                    others += 1
    return entries, others


def _blocks(text: str, group: str) -> list[tuple[str, str]]:
    """Cut a text at lines that are nothing but a label, such as ``**Bug fixes**``."""
    blocks: list[tuple[str, list[str]]] = [(group, [])]
    for line in text.split("\n"):
        label = _LABEL.fullmatch(line.strip())
        if label and not line.startswith((" ", "\t")):
            blocks.append((_group(label["name"] or label["bare"]), []))
        else:
            blocks[-1][1].append(line)
    return [(named, "\n".join(lines)) for named, lines in blocks]


def _group(title: str) -> str:
    words = re.sub(r"^[^\w]+|[^\w]+$|:[a-z_]+:", "", plain(title)).strip()
    return next((name for name, form in _GROUPS.items() if form.fullmatch(words)), "")


def _entry(group: str, item: str) -> ChangelogEntry:
    first = item.partition("\n\n")[0].replace("\n", " ")
    title = _HASH.sub("", plain(first)).strip().rstrip(",(").strip() or plain(first)
    references = tuple(dict.fromkeys(_REFERENCE.findall(item)))[:10]
    return ChangelogEntry(group, title, item, bool(_DECIDED.search(plain(item))), references)


def _date(text: str) -> datetime | None:
    match = _DATE.search(text)
    if not match:
        return None
    name = match["name"] or match["name2"]
    try:
        month = _MONTHS.index(name[:3].lower()) + 1 if name else int(match["month"])
        year = int(match["year"] or match["year1"] or match["year2"])
        return datetime(
            year, month, int(match["day"] or match["day1"] or match["day2"]), tzinfo=UTC
        )
    except ValueError:
        return None
