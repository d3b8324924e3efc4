"""The query language of ``gitmem search``: words, "phrases", filters, -excluded, fuzzy~.

A text is read as operators only where it can't be anything else, because most queries are
pasted errors: a text of several lines, or a line that starts like the output of a tool, is
taken literally; ``key:value`` is a filter only for the keys below, in lower case and with
the value right behind the colon; a double quote counts only if it opens at the start of a
word and the next one closes at the end of a word; ``-`` excludes only before a letter.
"""

import re
from collections.abc import Iterable
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta
from typing import Final, NamedTuple, NoReturn, TypeVar

from gitmem.errors import InvalidError, UsageError, closest

STATUSES: Final[dict[str, tuple[str, ...]]] = {
    "error": ("open", "resolved", "claimed", "regressed", "duplicate"),
    "fix": ("worked", "claimed", "partial", "did-not-hold", "failed", "unverified"),
    "decision": ("proposed", "accepted", "rejected", "deprecated", "superseded"),
    "session": ("succeeded", "failed", "ended"),
}
KINDS: Final = ("error", "fix", "decision", "session", "pattern", "note")
MAX_STARS: Final = 8
MAX_TEXT: Final = 1 << 20
"""Characters; of a longer text only both ends are used."""
KEPT_END: Final = 256 << 10

_FIELDS: Final = {
    "kind": "kinds",
    "tag": "tags",
    "path": "paths",
    "status": "statuses",
    "type": "types",
    "author": "authors",
    "session": "sessions",
    "language": "languages",
    "issue": "issues",
}
FILTERS: Final = (*_FIELDS, "since", "until")
_LISTS: Final = ("kind", "status", "tag")  # no value of these can hold a comma
_KEY = re.compile(rf"({'|'.join(FILTERS)}):(?=\S)")
_AGO: Final = r"([0-9]{1,6})([hdwmy])$"
_DAY: Final = r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$"
_WORD = re.compile(r"\S+")
_FUZZY = re.compile(r"(\w[\w.-]*)~([12]?)$")
# How lines of error output start; each is anchored, so a miss costs nothing.
# Compiled when a text needs it: 0.5 ms.
OUTPUT: Final = r"""
      (?:[A-Za-z_][\w$]*[.:\\]{1,2}){0,20}
        [A-Z]\w*(?:Error|Exception|Warning|Interrupt|Failure|Fault):\s  # TypeError: …
    | Traceback\s\(most\srecent
    | (?:fatal|error|panic|warning|FATAL|ERROR|Error|Uncaught|Caused\sby)(?:\[\w+\]|\s[A-Z]+\d+)?:\s
    | [A-Za-z][\w.+-]{0,40}:\s(?:fatal\s)?(?:error|warning|Error|ERROR):\s  # tool: error: …
    | (?:[A-Za-z]:)?[^\s:"]+:\d+(?::\d+)?:?\s+\S      # src/a.c:3:5: error: …
    | [^\s:"]+:\d+:in\s                             # a.rb:4:in 'total': …
    | [^\s:"()]+\(\d+(?:,\d+)?\):?\s+\S               # a.ts(3,5): error TS2322: …
    | File\s"[^"]*",\sline\s\d
    | npm\s(?:ERR!|error)\s
    | (?:PHP\s)?(?:Fatal|Parse|Recoverable\sfatal)\serror:\s
    | (?:make|gmake)(?:\[\d+\])?:\s\*\*\*
    | -?(?:ba|da|z|k)?sh:\s
    | (?:FAILED|ERROR)\s\S+(?:::|\.py)
    | E\s{2,}\S
    | thread\s'[^']*'\spanicked
    | Exception\sin\sthread
    """


class Filters(NamedTuple):
    """Conditions on records. An empty tuple or None is no condition.

    A record passes if it has every one of ``tags``, and for each other field any one of
    the values, and none of the ``excluded`` (field key and value, such as
    ``("kind", "session")``). ``since <= created < until``, both RFC 3339 UTC with a ``Z``,
    comparable as text. ``paths`` are folders or files with forward slashes, or patterns
    with ``*``; the other values are as typed. ``not_held`` are the ids of fixes that did not
    hold, where a status is asked for: that is told by the code, and the catalog knows none of it.
    """

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    excluded: tuple[tuple[str, str], ...] = ()
    since: str | None = None
    until: str | None = None
    not_held: tuple[str, ...] = ()

    @property
    def asks_for_verdicts(self) -> bool:
        """They tell fixes apart by what came of them."""
        statuses = {*self.statuses, *(value for key, value in self.excluded if key == "status")}
        return not statuses.isdisjoint(("worked", "claimed", "did-not-hold"))


class Query(NamedTuple):
    """What is looked for.

    Attributes:
        words: free text to be analysed and ranked; any word may match.
        phrases: texts that must occur, every one.
        excluded: words or phrases that must not occur.
        fuzzy: words and the edit distance, 1 or 2, within which others count as them.
        filters: conditions on the records' fields.
        pasted: ``words`` was taken literally, operators were not looked for.
        related: other words for some of ``words``, which count for less.

    """

    words: str = ""
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    fuzzy: tuple[tuple[str, int], ...] = ()
    filters: Filters = Filters()
    pasted: bool = False
    related: tuple[str, ...] = ()

    @property
    def sought(self) -> str:
        """What is looked for in texts, in one line; empty if there are only filters."""
        words = (self.words, *self.phrases, *(word for word, _ in self.fuzzy), *self.excluded)
        return " ".join(" ".join(words).split())


def parse(text: str, now: datetime) -> Query:
    """Read a query as typed or pasted.

    Args:
        text: any text; of more than MAX_TEXT characters both ends are used, literally.
        now: the moment from which ``since:30d`` counts; without a zone it is UTC.

    Raises:
        UsageError: a filter's value is unknown or unreadable, a quote does not close, or
            nothing is left to look for.

    """
    if len(text) > MAX_TEXT:
        return _literal(f"{text[:KEPT_END]}\n{text[-KEPT_END:]}")
    text = text.strip()
    if not text:
        _refuse("the query is empty", "give words, a pasted error, or a filter such as kind:error")
    if "\n" in text or "\r" in text or (is_output(text) and not _KEY.match(text)):
        return _literal(text)
    parser = _Parser(text, now.replace(tzinfo=UTC) if now.tzinfo is None else now.astimezone(UTC))
    parser.run()
    return parser.query()


def is_filter(word: str) -> bool:
    """Tell whether a word starts as a filter does, excluding ones included."""
    return bool(_KEY.match(word.removeprefix("-")))


_BEGIN_OUTPUT: Final = frozenset({"Exception", "npm"})
"""Words without a sign that can begin the output of a tool; see ``OUTPUT``."""


def is_output(text: str) -> bool:
    """Tell whether a line starts like the output of a tool."""
    words = text.split(" ")
    if all(map(str.isalnum, words)) and words[0] not in _BEGIN_OUTPUT:  # as nearly all typed
        return False
    return re.match(OUTPUT, text, re.VERBOSE) is not None


def _literal(text: str) -> Query:
    if not any(map(str.isalnum, text)):
        _refuse_empty()
    return Query(words=text, pasted=True)


class _Parser:
    """Walks once over a single line and sorts its words."""

    def __init__(self, text: str, now: datetime) -> None:
        self.text = text
        self.now = now
        self.words: list[str] = []
        self.phrases: list[str] = []
        self.excluded: list[str] = []
        self.fuzzy: list[tuple[str, int]] = []
        self.wanted: dict[str, list[str]] = {}
        self.unwanted: list[tuple[str, str]] = []
        self.since: str | None = None
        self.until: str | None = None

    def run(self) -> None:
        at = 0
        while match := _WORD.search(self.text, at):
            at = self.word(match.start(), match.end())

    def word(self, start: int, end: int) -> int:
        """Take the word at ``start``; return where to go on."""
        text = self.text
        minus = (
            text[start] == "-"
            and end > start + 1
            and (text[start + 1].isalpha() or text[start + 1] in '_"')
        )
        key = _KEY.match(text, start + minus, end)
        at = key.end() if key else start + minus
        name = key[1] if key else ""
        if text[at] == '"' and at + 1 < end:
            close = text.find('"', at + 1)
            if close < 0:
                _refuse(
                    f"a quote is not closed: {text[at : at + 40]}",
                    'close it with ", or leave it out',
                )
            if close + 1 == len(text) or text[close + 1].isspace():
                self.quoted(name, text[at + 1 : close], minus=minus)
                return close + 1
            # The second quote stands inside a word: both are part of a message.
            rest = _WORD.match(text, close)
            end = rest.end() if rest else close + 1
            self.words.append(text[start:end])
            return end
        if name:
            self.filter(name, text[at:end], minus=minus)
        else:
            self.bare(text[at:end], minus=minus)
        return end

    def quoted(self, name: str, value: str, *, minus: bool) -> None:
        if name:
            self.filter(name, value, minus=minus)
        elif value.strip():
            (self.excluded if minus else self.phrases).append(value.strip())

    def bare(self, word: str, *, minus: bool) -> None:
        fuzzy = _FUZZY.match(word)
        if fuzzy and minus:
            _refuse(
                f"'-{word}' can't be excluded together with ~", "exclude the exact word, without ~"
            )
        if fuzzy:
            self.fuzzy.append((fuzzy[1], int(fuzzy[2] or 1)))
        else:
            (self.excluded if minus else self.words).append(word)

    def filter(self, name: str, value: str, *, minus: bool) -> None:
        value = value.strip()
        if not value:
            _refuse(f"{name}: needs a value", f"write it as {name}:value")
        if name in ("since", "until"):
            self.bound(name, value, minus=minus)
            return
        values = [part for part in value.split(",") if part] if name in _LISTS else [value]
        for item in values or [value]:
            checked = _checked(name, item)
            if minus:
                self.unwanted.append((name, checked))
            else:
                self.wanted.setdefault(_FIELDS[name], []).append(checked)

    def bound(self, name: str, value: str, *, minus: bool) -> None:
        if minus:
            other = "until" if name == "since" else "since"
            _refuse(f"-{name}: can't be excluded", f"use {other}:{value}")
        when = moment(value, self.now, end=name == "until")
        if name == "since":
            self.since = max(self.since or when, when)
        else:
            self.until = min(self.until or when, when)

    def query(self) -> Query:
        if self.since and self.until and self.since >= self.until:
            _refuse(
                f"since ({self.since}) is not before until ({self.until})",
                "swap them or widen the range",
            )
        wanted = {name: _unique(values) for name, values in self.wanted.items()}
        _check_statuses(wanted.get("statuses", ()), wanted.get("kinds", ()))
        filters = Filters(
            **wanted, excluded=_unique(self.unwanted), since=self.since, until=self.until
        )
        words = " ".join(self.words)
        sought = any(map(str.isalnum, words)) or self.phrases or self.excluded or self.fuzzy
        if not sought and (words or filters == Filters()):
            _refuse_empty()
        return Query(
            words, _unique(self.phrases), _unique(self.excluded), _unique(self.fuzzy), filters
        )


_T = TypeVar("_T")


def _unique(values: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(values))


def _checked(name: str, value: str) -> str:
    if name == "kind" and value not in KINDS:
        _refuse_unknown(name, value, KINDS)
    if name == "status" and not any(value in statuses for statuses in STATUSES.values()):
        _refuse_unknown(name, value, _unique(s for statuses in STATUSES.values() for s in statuses))
    if name == "issue":
        _check_issue(value)
    if name == "path":
        value = value.replace("\\", "/")
        if value.count("*") > MAX_STARS:
            _refuse(
                f"path:{value[:80]} has more than {MAX_STARS} stars",
                "name a folder; everything below it matches",
            )
    return value


def _check_issue(value: str) -> None:
    from gitmem.records.issues import parse

    try:
        parse(value)
    except InvalidError as error:
        _refuse(f"issue:{value[:80]}: {error.message}", f"{error.hint}; to find the text, quote it")


def _check_statuses(statuses: tuple[str, ...], kinds: tuple[str, ...]) -> None:
    possible = _unique(s for kind in kinds for s in STATUSES.get(kind, ()))
    for status in statuses if kinds else ():
        if status not in possible:
            hint = f"one of {', '.join(possible)}" if possible else "leave out status:"
            _refuse(f"no {' or '.join(kinds)} has the status '{status}'", hint)


def _refuse_unknown(name: str, value: str, allowed: tuple[str, ...]) -> NoReturn:
    near = closest(value.lower(), allowed)
    guess = f"did you mean {name}:{near}? " if near else ""
    _refuse(
        f"unknown {name} '{value[:80]}'",
        f"{guess}{name} is one of {', '.join(allowed)}; to search for the text, quote it",
    )


def _refuse_empty() -> NoReturn:
    _refuse("the query has nothing to look for", "give a word, a phrase or a filter")


def _refuse(message: str, hint: str) -> NoReturn:
    raise UsageError(" ".join(message.split()), hint)


def moment(text: str, now: datetime, *, end: bool = False) -> str:
    """Read a date as people type it.

    Args:
        text: ``30d`` (hours h, days d, weeks w, months m, years y ago), ``today``,
            ``yesterday``, ``2026``, ``2026-01``, ``2026-01-31``, or RFC 3339.
        now: the present, with a zone.
        end: give the end of the day, month or year that is named, not its start.

    Returns:
        RFC 3339 in UTC, whole seconds, such as ``2026-11-21T00:00:00Z``.

    Raises:
        UsageError: unreadable, or no such day.

    """
    try:
        when = _moment(text.lower(), now, end)
    except OverflowError:
        when = datetime.max.replace(tzinfo=UTC) if end else datetime.min.replace(tzinfo=UTC)
    except ValueError:
        _refuse(
            f"'{text[:40]}' is not a date",
            "write 30d, 12h, 2w, 6m, 1y, today, yesterday, 2026-01, 2026-01-31 or"
            " 2026-01-31T09:30:00Z",
        )
    return when.replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def _moment(text: str, now: datetime, end: bool) -> datetime:  # noqa: FBT001  private
    if ago := re.match(_AGO, text):
        count, unit = int(ago[1]), ago[2]
        if unit in "my":
            return _months_before(now, count * (12 if unit == "y" else 1))
        return now - timedelta(hours=count * {"h": 1, "d": 24, "w": 168}[unit])
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if text in ("today", "yesterday"):
        back = (text == "yesterday") - end
        return midnight - timedelta(days=back)
    if not (day := re.match(_DAY, text)):
        # Only a date with a time is left; without a zone it is UTC.
        if "t" not in text and " " not in text:
            raise ValueError
        full = datetime.fromisoformat(text.upper())
        return full.replace(tzinfo=UTC) if full.tzinfo is None else full.astimezone(UTC)
    year, month, number = (int(part or 1) for part in day.groups())
    start = datetime(year, month, number, tzinfo=UTC)
    if not end:
        return start
    if day[3]:
        return start + timedelta(days=1)
    return _months_before(start, -1 if day[2] else -12)


def _months_before(when: datetime, count: int) -> datetime:
    """Go back whole months; the 31st becomes the last day of a shorter month."""
    total = when.year * 12 + when.month - 1 - count
    if not MINYEAR * 12 <= total < (MAXYEAR + 1) * 12:
        raise OverflowError
    first = when.replace(year=total // 12, month=total % 12 + 1, day=1)
    following = first.replace(day=28) + timedelta(days=4)
    length = (following - timedelta(days=following.day)).day
    return first.replace(day=min(when.day, length))
