r"""What services, containers and collectors of logs put before each line, taken off for reading.

``web-1  | ``, ``@acme/web:build: ``, ``[rank0]: ``, a time, the job and step of a build: a *prefix*
is made of columns, and it is one if several lines bear the same, but for times and numbers, and
some of what they bear it before is indented or empty. A tool's own word before its messages,
``error: `` or a file with a line, is none. Lines of several sources that are mixed are put together
again.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.json_records import plain_records
from gitmem.matching.shared_heads import MOST_PARTS, SharedHead, extends, heads_of

_LEAST: Final = 3
"""Lines that bear a prefix, at least: a single one keeps what says who speaks."""
_MOST_ALIKE: Final = 8
"""Blocks with nothing new at the beginning of their lines, after which a glance is enough."""
_GLANCE: Final = 400
"""Lines of a block that are looked at then, from the first that may tell of a failure."""
_MOST_COLUMNS: Final = 4
_LONGEST: Final = 240
"""Characters of a line that are looked at for its prefix."""
_MONTH: Final = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_MONTHS: Final = frozenset(_MONTH[3:-1].split("|"))
_SIGNS: Final = ("|", "\t", ": ", "#", "-")
"""One of them stands in each column that begins with a letter, but for a time's."""
_NAME: Final = r"[A-Za-z@][\w@./+~-]{0,80}"
_TIME: Final = (
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
    r"(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?\]?"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?|\[ {0,8}\d{1,8}\.\d{3,6}\]"
)
_LEVEL: Final = (
    r"[\s|:\[-]{0,6}(?i:level=)?"
    r"(?i:error|fatal|critical|severe|warn(?:ing)?|info|debug|trace|notice)\b"
)
"""A record of a log: its time and level are read where its message is."""
# In the order in which they are tried; the name of the group says what kind of column it is.
_COLUMN: Final = lazily(
    r"(?P<mark>##\[[a-z]{1,12}\]|std(?:err|out): )"
    rf"|(?P<log>{_MONTH} [ \d]\d \d\d:\d\d:\d\d [\w.-]{{1,80}} "
    r"(?:[\w./-]{1,60}(?:\[\d{1,8}\])?: ?)?)"
    r"|(?P<job>[^\t\n]{1,100}\t[^\t\n]{1,100}\t)\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,18}Z(?: |$)"
    rf"|(?P<time>\ufeff?(?:{_TIME})(?:[ \t]|$)(?:\d\d[OE](?:[ +]|$))?(?!{_LEVEL}))"
    r"|(?P<timed>#\d{1,4} \d{1,6}\.\d{1,4} )"
    r"|(?P<step>Step #\d{1,4}(?: - \"[^\"\n]{1,60}\")?: ?|#\d{1,4} (?:\d{1,6}\.\d{1,4} )?)"
    rf"|(?P<bar>{_NAME}(?::{_NAME})? {{0,40}}\|(?: |$))"
    r"|(?P<bracket>\[[^\[\]\n]{1,100}\](?:<\w{1,20}>)?:?(?:[ \t]|$))"
    r"|(?P<pod>[a-z][a-z0-9-]{1,60}-[a-z0-9]{5,10}-[a-z0-9]{5} [a-z][a-z0-9-]{0,60}(?: |$))"
    rf"|(?P<task>{_NAME}(?:[:#]{_NAME}){{0,3}}(?:\[\d{{1,8}}\])?:(?: |$))"
    r"|(?P<quote>>(?: |$))"
)
_TIMES: Final = frozenset({"time", "log", "timed", "mark"})
"""Columns that say when, or how a job shows it: they are never a part of what is said."""
_SURE: Final = frozenset({"timed", "mark"})
"""A step of BuildKit with its time, the mark of a job's log, the name of a stream: nothing else
begins so, and a single line is enough."""
_NUMBERS: Final = lazily(r"\d+")
_SAYS_HOW_BAD: Final = lazily(
    r"\W*(?:e|w|i|d|error|err|warning|warn|info|debug|trace|fatal|critical|severe|notice|note|help"
    r"|hint|panic|exception|failure|failed|fail|traceback|caused|cause|fixme|todo|ok|pass|passed|skip"
    r"|skipped|run|ignored|details?|context|statement|expected|actual|got|want|received|usage)\W*",
    re.IGNORECASE,
)
"""Words with which tools begin what they say."""
_LEVELS: Final = ("[error]", "[warn]", "[info]")
"""What sbt and other builds put before each line of what they pass on."""
_PLACED: Final = lazily(r"(?:^|[:(\[ ])[^\s:]*\.[A-Za-z]\w{0,9}(?:[:#(]|\b\W*$)|^\W*\d+\W*$")
"""A file stands there: what a compiler begins its messages with."""
_TYPED: Final = lazily(r"[\w.]*(?:Error|Exception|Warning|Failure|Fault)\b")


class _Column(NamedTuple):
    """One column of a line: its kind, its text, and where it ends."""

    kind: str
    text: str
    end: int


class _Prefixed(NamedTuple):
    """What a line may be prefixed with.

    Attributes:
        shape: its kinds and texts, with numbers and times masked.
        source: who speaks: the same for all lines of one source.
        end: where the rest of the line begins.

    """

    shape: tuple[str, ...]
    source: tuple[str, ...]
    end: int


class PrefixReader:
    """Takes the lines of an output, block by block; what it has met before counts in later ones."""

    def __init__(self) -> None:
        self._blocks_alike = 0  # in a row that began with nothing new
        self._blocks_without = 0  # in a row that had no new column
        self._shapes: set[tuple[str, ...]] = set()
        self._firsts: set[str] = set()  # what lines with these begin with
        self._heads: dict[tuple[str, ...], SharedHead] = {}  # the longest first

    def plain(self, lines: Sequence[str], hot: Iterable[int]) -> list[str] | None:
        """Give lines without prefixes, those of each source together; None if there are none.

        Args:
            lines: of the block.
            hot: numbers of those that may tell of a failure: where none of them may bear a prefix
                there is none that matters.

        """
        plain = self._plain(lines, hot)
        read = lines if plain is None else plain
        if any(line.startswith("{") for line in read):
            return plain_records(read) or plain
        return plain

    def _plain(self, lines: Sequence[str], hot: Iterable[int]) -> list[str] | None:
        self._find_heads(lines, hot)
        self._find_columns(lines, hot)
        if not (self._heads or self._shapes):
            return None
        plain: list[str] = []
        waiting: dict[tuple[str, ...], list[str]] = {}
        for line in lines:
            prefix = self._prefix(line)
            if prefix is not None:
                waiting.setdefault(prefix.source, []).append(line[prefix.end :])
                continue
            plain += _apart(waiting)
            waiting.clear()
            plain.append(line)
        return plain + _apart(waiting)

    def _find_heads(self, lines: Sequence[str], hot: Iterable[int]) -> None:
        most = MOST_PARTS if self._blocks_alike < _MOST_ALIKE else 1
        shared = {head.tokens: head for head in heads_of(lines, hot, most)}
        self._blocks_alike += 1
        if shared.keys() <= self._heads.keys():
            return
        self._blocks_alike = 0
        heads = {**self._heads, **shared}
        self._heads = {
            tokens: heads[tokens]
            for tokens in sorted(heads, key=len, reverse=True)
            if all(
                extends(tokens, head, leveled=True)
                for head in heads
                if head == tokens[: len(head)] != tokens
            )
        }

    def _find_columns(self, lines: Sequence[str], hot: Iterable[int]) -> None:
        count, hot = len(self._shapes), list(hot)
        if self._blocks_without >= _MOST_ALIKE and hot:
            first = hot[0]
            lines = lines[first : first + _GLANCE]
            hot = [at - first for at in hot if at < first + _GLANCE]
        self._add_columns(lines, hot)
        self._blocks_without = self._blocks_without + 1 if len(self._shapes) == count else 0

    def _add_columns(self, lines: Sequence[str], hot: Iterable[int]) -> None:
        firsts = {line[:1] for line in (lines[at] for at in hot) if _candidates(line)}
        firsts |= self._firsts
        if not firsts:
            return
        candidates = [
            _candidates(line) if line[:1] in firsts and self._headed(line) is None else []
            for line in lines
        ]
        self._shapes |= _shapes(lines, candidates)
        self._firsts |= {
            line[:1]
            for line, possible in zip(lines, candidates, strict=True)
            if any(each.shape in self._shapes for each in possible)
        }

    def _prefix(self, line: str) -> _Prefixed | None:
        if headed := self._headed(line):
            return headed
        if line[:1] not in self._firsts:
            return None
        possible = _candidates(line)
        return next((each for each in reversed(possible) if each.shape in self._shapes), None)

    def _headed(self, line: str) -> _Prefixed | None:
        for head in self._heads.values():
            match = head.pattern.match(line)
            if match:
                source = (*head.tokens, *(match[group] for group in head.telling))
                return _Prefixed(head.tokens, source, match.end())
        return None


def _apart(waiting: Mapping[tuple[str, ...], list[str]]) -> list[str]:
    """Put the lines of several sources one after another, with a gap that ends what was said."""
    several = len(waiting) > 1
    return [line for rest in waiting.values() for line in ([*rest, "", ""] if several else rest)]


def _candidates(line: str) -> list[_Prefixed]:
    """Give what a line may be prefixed with, the shortest first."""
    if not line or line[0] in " \t" or _is_plain(line[:_LONGEST]):
        return []
    columns = _columns(line)
    prefixed = []
    for count in range(1, len(columns) + 1):
        parts = columns[:count]
        shape = tuple(
            each.kind if each.kind in _TIMES else f"{each.kind} {_NUMBERS.sub('0', each.text)}"
            for each in parts
        )
        source = tuple(each.text for each in parts if each.kind not in {"time", "mark"})
        prefixed.append(_Prefixed(shape, source, parts[-1].end))
    return prefixed


def _is_plain(head: str) -> bool:
    """Tell at the speed of ``in`` that no column begins a line, as it is with most."""
    return (
        (head[0].isalpha() or head[0] == "@")
        and not any(sign in head for sign in _SIGNS)
        and head[-1] != ":"
        and head[:3] not in _MONTHS
    )


def _columns(line: str) -> list[_Column]:
    head = line[:_LONGEST]
    columns: list[_Column] = []
    start = 0
    while len(columns) < _MOST_COLUMNS and (match := _COLUMN.match(head, start)):
        kind = str(match.lastgroup)
        text = match[kind].strip()
        if kind == "log":  # the time differs, the machine and the program are who speaks
            text = text[15:].strip()
        if kind not in _TIMES and not _may_be_column(kind, text):
            break
        columns.append(_Column(kind, text, match.end()))
        start = match.end()
    return columns


def _may_be_column(kind: str, text: str) -> bool:
    if kind in {"job", "step", "pod", "quote"}:
        return True
    if text in _LEVELS:
        return True
    bare = text.strip("[]|: ")
    if _SAYS_HOW_BAD.fullmatch(bare) or _TYPED.search(bare):
        return False
    return kind == "bracket" or not _PLACED.search(bare)


def _shapes(
    lines: Sequence[str], candidates: Sequence[Sequence[_Prefixed]]
) -> set[tuple[str, ...]]:
    """Give the shapes that are prefixes: borne by several lines, also by indented or empty ones."""
    counts: Counter[tuple[str, ...]] = Counter()
    forms: dict[tuple[str, ...], set[bool]] = defaultdict(set)
    for line, possible in zip(lines, candidates, strict=True):
        for prefix in possible:
            counts[prefix.shape] += 1
            rest = line[prefix.end :]
            forms[prefix.shape].add(not rest.strip() or rest[0] in " \t")
    return {
        shape
        for shape, count in counts.items()
        if (_TIMES.issuperset(shape) and shape[-1] in _SURE)
        or (count >= _LEAST and (shape[-1] in _TIMES or forms[shape] == {True, False}))
    }
