"""Architecture decision records: MADR (2 to 4), adr-tools and Nygard, log4brains. Pure.

What a file says is taken over; what it does not say is not guessed. A file without a title, a
decision or a known status is no such record, and ``NotAnAdrError`` says why.
"""

import re
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.parts.imports.markdown import MarkdownSection, items, plain, sections
from gitmem.records import codec

_STATUS: Final = {
    "accepted": "accepted", "approved": "accepted", "decided": "accepted", "done": "accepted",
    "implemented": "accepted", "active": "accepted", "adopted": "accepted",
    "proposed": "proposed", "draft": "proposed", "pending": "proposed", "in review": "proposed",
    "rejected": "rejected", "declined": "rejected",
    "deprecated": "deprecated", "obsolete": "deprecated", "retired": "deprecated",
}  # fmt: skip
_SUPERSEDED: Final = re.compile(r"super[sc]eded(?:\s+by)?[: ]*(?P<by>.*)", re.IGNORECASE)
_SUPERSEDES: Final = re.compile(r"super[sc]edes[: ]+(?P<what>.+)", re.IGNORECASE)
_RELATED: Final = re.compile(
    r"(?:amend(?:s|ed by)|clarifie[sd](?: by)?|extends|relates to|depends on)[: ]+(?P<what>.+)",
    re.IGNORECASE,
)
_FIELD: Final = re.compile(
    r"(?:[*+-]\s+)?\**(?P<name>status|date|deciders|decision[- ]makers|tags|technical story"
    r"|consulted|informed)\**\s*:\**\s*(?P<value>.*)",
    re.IGNORECASE,
)
_DATE: Final = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})")
_NAMED_DATE: Final = re.compile(r"(?P<year>\d{4})-?(?P<month>\d\d)-?(?P<day>\d\d)[-_]")
_NUMBER: Final = re.compile(r"(?:adr[-_ ]?)?(?P<number>\d{1,6})(?=[-_. ]|$)", re.IGNORECASE)
_TITLE_NUMBER: Final = re.compile(r"(?:adr[-_ ]?)?#?\d{1,6}\s*[.:\u2013\u2014-]\s+", re.IGNORECASE)
_CHOSEN: Final = re.compile(
    r"chosen option\s*:?\s*[\"'\u201c*_`]*(?P<option>.+?)[\"'\u201d*_`]*"
    r"(?:,?\s+because:?\s+(?P<why>.*)|[.,]\s*(?P<rest>.*)|\s*)$",
    re.IGNORECASE | re.DOTALL,
)
_GOOD: Final = re.compile(r"(?:\*\*)?(?:good|bad|neutral|pros?|cons?)\b", re.IGNORECASE)
_LINK: Final = re.compile(r"\[[^\]]{0,500}\]\((?P<to>[^)\s]{1,500})[^)]{0,500}\)")
_TEMPLATE: Final = re.compile(r"\{[^}]+\}")
_OPTION_NUMBER: Final = re.compile(r"^(?:option\s*)?\d+\s*[.:-]\s+", re.IGNORECASE)
_TAG: Final = re.compile(r"(?<![^\s,])[^\s,\x00-\x1f]{1,100}(?![^\s,])")
_LONGEST_LINE: Final = 480
_CONTEXT: Final = ("context and problem statement", "context", "problem", "problem statement",
                   "background", "issue", "decision drivers", "drivers", "forces", "motivation",
                   "assumptions", "constraints")  # fmt: skip
_DECISION: Final = ("decision outcome", "decision", "outcome", "solution", "resolution")
_CONSEQUENCES: Final = ("consequences", "positive consequences", "negative consequences",
                        "implications", "confirmation", "validation", "risks")  # fmt: skip
_RATIONALE: Final = ("rationale", "justification", "argument", "arguments", "reasons")
_OPTIONS: Final = ("considered options", "options considered", "options", "alternatives",
                   "alternatives considered", "considered alternatives", "positions")  # fmt: skip
_PROS: Final = ("pros and cons of the options", "pros and cons", "option details")


class NotAnAdrError(ValueError):
    """A file is no architecture decision record; says why in a few words."""


class Adr(NamedTuple):
    """One architecture decision record.

    Attributes:
        fields: of the decision: title, status, context, decision, and what else it says.
        deciders: names, in one line; empty: it names none.
        date: when it was decided; None: it does not say.
        superseded: another one took its place.
        superseded_by: names of files or numbers of those, as it writes them.
        supersedes: the same of those whose place it takes.
        related: the same of others that it names by a relation.

    """

    fields: dict[str, Any]
    deciders: str
    date: datetime | None
    superseded: bool
    superseded_by: tuple[str, ...]
    supersedes: tuple[str, ...]
    related: tuple[str, ...]


def read(text: str, name: str) -> Adr:
    """Read a file.

    Args:
        text: what it says.
        name: its name, which may bear a date.

    Raises:
        NotAnAdrError: it is none, or one that can't be read without guessing.

    """
    head, body = _front_matter(text)
    parts = sections(body)
    title = next((plain(part.title) for part in parts if part.level == 1), "")
    title = _TITLE_NUMBER.sub("", title).strip() or str(head.get("title", "")).strip()
    if not title:
        raise NotAnAdrError("it has no title")
    if _TEMPLATE.search(title):
        raise NotAnAdrError("it is a template")
    facts = _facts(parts, head)
    decided = _text(parts, _DECISION)
    if not decided:
        raise NotAnAdrError("it has no section with the decision")
    status, superseded, lines = _status(facts.get("status", ""), _whole_of(parts, ("status",)))
    lines += _whole_of(parts, ("links", "more information", "related")).splitlines()
    chosen, why = _chosen(decided)
    fields: dict[str, Any] = {
        "title": title[:_LONGEST_LINE],
        "status": status,
        "context": _text(parts, _CONTEXT),
        "decision": decided,
        "rationale": "\n\n".join(filter(None, (why, _text(parts, _RATIONALE)))),
        "alternatives": _alternatives(parts, chosen),
        "consequences": _text(parts, _CONSEQUENCES),
        "tags": _TAG.findall(facts.get("tags", ""))[:20],
    }
    return Adr(
        {field: value for field, value in fields.items() if value},
        facts.get("deciders", "")[:_LONGEST_LINE],
        _date(facts.get("date", "")) or _named_date(name),
        superseded,
        *(_targets(lines, pattern) for pattern in (_SUPERSEDED, _SUPERSEDES, _RELATED)),
    )


def number_of(name: str) -> int | None:
    """Read the number out of a file's name or a reference: ``0012-use-x.md``, ``ADR-12``."""
    if _NAMED_DATE.match(name):
        return None
    match = _NUMBER.match(name.strip())
    return int(match["number"]) if match else None


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    if not text.startswith("---\n"):
        return {}, text
    matter, end, body = text[4:].partition("\n---\n")
    if not end:
        raise NotAnAdrError("its front matter does not end")
    try:
        data = codec.load((matter + "\n").encode())
    except (codec.YamlError, InvalidError) as error:
        raise NotAnAdrError(f"its front matter can't be read: {error}") from None
    return {str(key).lower(): value for key, value in data.items()}, body


def _facts(parts: list[MarkdownSection], head: dict[str, Any]) -> dict[str, str]:
    """Collect status, date, deciders and tags: of the front matter, and of lines at the top."""
    facts: dict[str, str] = {}
    for name, value in head.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
        facts[_fact(name)] = plain(text) if name != "status" else text
    for part in parts:
        if part.level <= 1:
            for line in part.text.splitlines():
                if match := _FIELD.fullmatch(line.strip()):
                    facts.setdefault(_fact(match["name"]), match["value"].strip().strip("_*"))
    if "status" not in facts and (text := _whole_of(parts, ("status",))):
        facts["status"] = text
    if "date" not in facts and (text := _whole_of(parts, ("date",))):
        facts["date"] = text
    if "deciders" not in facts and (text := _whole_of(parts, ("deciders",))):
        facts["deciders"] = ", ".join(items(text) or text.split("\n"))
    return facts


def _fact(name: str) -> str:
    name = name.lower().replace(" ", "-")
    return "deciders" if name in {"decision-makers", "decision-maker"} else name


def _status(stated: str, section: str) -> tuple[str, bool, list[str]]:
    """Give its status, whether it was superseded, and the lines that say so."""
    lines = [line.strip(" *_-\t") for line in [*stated.splitlines(), *section.splitlines()]]
    lines = [line for line in lines if line]
    if not lines:
        return "accepted", False, []
    if _TEMPLATE.search(stated) or "|" in lines[0]:
        raise NotAnAdrError("it is a template: no status is chosen")
    superseded = any(re.match(r"super[sc]eded\b", line, re.IGNORECASE) for line in lines)
    for line in lines:
        word = re.split(r"[^a-z ]", plain(line).lower(), maxsplit=1)[0].strip()
        status = _STATUS.get(word) or _STATUS.get(word.partition(" ")[0])
        if status:
            return status, superseded, lines
    if superseded:
        return "accepted", True, lines
    raise NotAnAdrError(f"its status is unknown: {lines[0][:60]}")


def _targets(lines: list[str], pattern: re.Pattern[str]) -> tuple[str, ...]:
    targets: dict[str, None] = {}
    for line in lines:
        match = pattern.search(line)
        if not match:
            continue
        target_text = next(filter(None, match.groups()), "")
        links = [link["to"] for link in _LINK.finditer(target_text)]
        for target in (
            links or re.findall(r"(?:ADR[- ]?)?\d{1,6}\b", target_text, re.IGNORECASE)[:4]
        ):
            targets[target.partition("#")[0].rpartition("/")[2]] = None
    return tuple(targets)


def _date(text: str) -> datetime | None:
    match = _DATE.search(text)
    return _day(match) if match else None


def _named_date(name: str) -> datetime | None:
    match = _NAMED_DATE.match(name)
    return _day(match) if match else None


def _day(match: re.Match[str]) -> datetime | None:
    try:
        return datetime(int(match["year"]), int(match["month"]), int(match["day"]), tzinfo=UTC)
    except ValueError:
        return None


def _text(parts: list[MarkdownSection], names: tuple[str, ...]) -> str:
    """Give the sections of these names, those inside them too but for what has its own field."""
    paragraphs: list[str] = []
    inside, level = "", 0
    for part in parts:
        name = _name(part)
        if name in names:
            inside, level = name, part.level
            is_another = part.text and paragraphs
            paragraphs.append(f"{plain(part.title)}:\n{part.text}" if is_another else part.text)
        elif inside and part.level > level:
            if not _has_own_field(name):
                paragraphs.append(f"{plain(part.title)}:\n{part.text}")
        else:
            inside = ""
    return "\n\n".join(filter(None, paragraphs)).strip()


def _whole_of(parts: list[MarkdownSection], names: tuple[str, ...]) -> str:
    return "\n".join(part.text for part in parts if _name(part) in names).strip()


def _name(part: MarkdownSection) -> str:
    return re.sub(r"^[\d.\s]+", "", plain(part.title).lower()).strip(" :*")


def _has_own_field(name: str) -> bool:
    own = (*_CONTEXT, *_DECISION, *_CONSEQUENCES, *_RATIONALE, *_OPTIONS, *_PROS, "status", "date")
    return name in own


def _chosen(decided: str) -> tuple[str, str]:
    first = decided.partition("\n\n")[0]
    match = _CHOSEN.search(decided if first.rstrip(" :").endswith("because") else first)
    if not match:
        return "", ""
    return plain(match["option"]).strip(), (match["why"] or "").strip()


def _alternatives(parts: list[MarkdownSection], chosen: str) -> list[dict[str, str]]:
    """Give the options that were not chosen, with their arguments."""
    options: dict[str, str] = {}
    for part in parts:
        if _name(part) in _OPTIONS:
            options |= dict.fromkeys(map(plain, items(part.text)), "")
    inside, level = False, 0
    for part in parts:
        if _name(part) in (*_PROS, *_OPTIONS):
            inside, level = True, part.level
        elif inside and part.level > level:
            name = _OPTION_NUMBER.sub("", plain(part.title))
            like = next((option for option in options if _same(option, name)), name)
            options[like] = part.text.strip()
        else:
            inside = False
    return [
        {"option": option[:_LONGEST_LINE], "why_not": why}
        for option, why in options.items()
        if option and not (chosen and _same(option, chosen)) and not _GOOD.match(option)
    ]


def _same(name: str, other: str) -> bool:
    first, second = (re.sub(r"\W+", " ", text).strip().lower() for text in (name, other))
    return first == second or (bool(second) and first.startswith(second + " "))
