"""What all lines of a part of an output begin with, whatever it is: the work of who carried them.

A *head* is the same on all lines around one of trouble, but for times and numbers, and what stands
behind it is a text of its own: some of its lines are indented or empty, and some are not. Of
several services that are mixed each has its own. Nothing is known here of a form; columns on some
of the lines only have to have one, see ``prefixes``.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily

_AROUND: Final = 24
"""Lines before and after one of trouble that are compared."""
MOST_PARTS: Final = 6
"""Parts of a block that are compared."""
_LEAST: Final = 3
_LEAST_OF_SEVERAL: Final = 5
_LEAST_FLAT: Final = 8
_DIFFERENT: Final = 4
"""Of so many flat lines one begins unlike the others behind a head, at least."""
_DIFFERENT_TIMED: Final = 8
"""The same behind a time, which nobody says before each of their lines but who carried them."""
_SHARE: Final = 0.9
"""Of the lines of a part that bear a head, or one of several."""
_LONGEST: Final = 200
_MOST_TOKENS: Final = 60
_MOST_CUTS: Final = 6
_MOST_SOURCES: Final = 5
"""Each source has at least so many lines, if a number tells one from another."""
_DAY: Final = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?"
_MONTH: Final = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_ZONE: Final = r"(?: ?(?:Z|UTC|GMT|[AP]M|[+-]\d\d:?\d\d)\b)?(?: (?:19|20)\d\d\b)?"
_CLOCK: Final = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?"
TIME: Final = (
    rf"(?:\d{{4}}[-/]\d\d[-/]\d\d[T ]|{_DAY}{_MONTH} {{1,2}}\d{{1,2}} |\d\d/{_MONTH}/\d{{4}}[: ]"
    rf"|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}},? )?{_CLOCK}{_ZONE}"
    r"|\d{8}T\d{6}(?:\.\d{1,9})?Z?|1\d{9}(?:\d{3}|\.\d{1,9})?\b|\b\d{1,8}\.\d{3,9}\b"
)
"""A time, in the formats that are met; others are numbers."""
_TOKEN: Final = lazily(
    rf"(?P<time>(?<![\w.:/-])(?:{TIME})(?![\w:])(?: \d\d[OE](?= |$))?)"
    r"|(?P<id>(?<!\w)(?=[0-9a-f-]{0,7}\d)[0-9a-f]{6,12}(?:-[0-9a-f]{4,12}){0,4}\b)"
    r"|(?P<number>(?:(?:^|(?<=[\[(#\t])|(?<=[^\w\s] )(?=[ ]{3}))[ ]{1,8})?\d+(?:[.,:]\d+)*)"
    r"|(?P<word>[^\W\d_]+)|(?P<sign>[\s\S])"
)
_TIME, _ID, _NUMBER = "0t0", "0i0", "0"
_PROCESS: Final = lazily(r"\(\d{3,10}\)|\[\d{3,10}\]")
_NUMBERED: Final = lazily(r"[\s#(\[]*0[\s:.|)\]\u2500-\u257f-]*$")
_LEVELLED: Final = lazily(
    r"[\s|:\[-]{0,6}(?i:level=)?(?i:error|fatal|critical|severe|warn(?:ing)?|info|debug|trace|notice)\b"
)
"""A record of a log: its time and level are read where its message is."""
_MASKS: Final = {"time": _TIME, "id": _ID, "number": _NUMBER}
_FORMS: Final = {
    _TIME: rf"(?:{TIME})(?: \d\d[OE](?= |$))?".replace("{", "{{").replace("}", "}}"),
    _ID: r"(?P<at{at}>[0-9a-f-]{{6,60}})",
    _NUMBER: r"(?P<at{at}> {{0,8}}\d+(?:[.,:]\d+)*)",
}
_HOW_BAD: Final = lazily(
    r"\b(?:e|w|errors?|warn|warnings?|fatal|critical|severe|note|help|hint|panic|exceptions?"
    r"|failures?|failed|fail|fails|traceback|caused|cause|ok|pass|passed|skip|skipped|expected|actual"
    r"|got|want|received|usage|at|file|from|in|not)\b(?!\w)",
    re.IGNORECASE,
)
"""Words with which tools begin what they say, and steps of a stack."""
_NAMED: Final = lazily(r"[^\W\d_]{2}|[\[<{|]")
_STREAM: Final = lazily(r"(?i)\berr\b")
"""A stream behind a time; without one a level."""
_MILD_END: Final = lazily(r"0[\])]? (?:level=)?(?i:info|i|debug|d|notice|trace) $")
_LEVEL: Final = lazily(
    r"\W*(?:level\W)?(?:stdout|stderr|out|err|i|info|d|debug|trace|notice|verbose)\W*",
    re.IGNORECASE,
)
_PLACED: Final = lazily(r"[\w/]\.[A-Za-z]\w{0,9}[:(](?:0|$)")
_LAST: Final = frozenset(" \t>|])}:\u2502\u25b8")
_AFTER_TIME: Final = frozenset("-:|")
_MARKS: Final = lazily(r"[\s#\u2500-\u257f:.-]*$")
"""Of these alone code is marked, a list is written, or a box is drawn."""


class _HeadedLine:
    """A line, read as far as it was asked for: most differ from others at their first tokens.

    Attributes:
        line: the text.
        tokens: that were read, in order.
        ends: where in the line each of them ends.

    """

    __slots__ = ("_matches", "ends", "line", "tokens")

    def __init__(self, line: str) -> None:
        """Take a line of which nothing is read yet."""
        self.line = line
        self.tokens: list[str] = []
        self.ends: list[int] = []
        self._matches = _TOKEN.finditer(line[:_LONGEST])

    def has(self, at: int) -> bool:
        """Read on until a token, by its number; tell whether it is there."""
        while len(self.tokens) <= at < _MOST_TOKENS:
            match = next(self._matches, None)
            if match is None:
                return False
            self.tokens.append(_MASKS.get(str(match.lastgroup)) or match[0])
            self.ends.append(match.end())
        return at < len(self.tokens)

    def rest(self, count: int) -> str:
        """Give what stands behind some tokens."""
        return self.line[self.ends[count - 1] :] if self.has(count - 1) else ""

    def raw(self, at: int) -> str:
        """Give a token as it stands there."""
        return self.line[self.ends[at - 1] if at else 0 : self.ends[at]]


class SharedHead(NamedTuple):
    """What lines begin with.

    Attributes:
        pattern: that matches it.
        telling: groups of the pattern, numbers in it by which sources differ.
        tokens: how long it is: the longest of several is right.

    """

    pattern: re.Pattern[str]
    telling: tuple[str, ...]
    tokens: tuple[str, ...]


def heads_of(
    lines: Sequence[str], hot: Iterable[int], most: int = MOST_PARTS
) -> Iterator[SharedHead]:
    """Find what the lines around some of trouble begin with.

    Args:
        lines: of a block.
        hot: numbers of those of trouble.
        most: parts of the block that are compared.

    """
    looked_at, parts = -1, 0
    for at in hot:
        if at < looked_at:
            continue
        if parts == most:
            return
        parts += 1
        looked_at = at + _AROUND
        part = [line for line in lines[max(0, at - _AROUND) : looked_at] if line.strip()]
        if len(part) >= _LEAST:
            yield from _heads(list(map(_HeadedLine, part)))


def without_heads(lines: Sequence[str], at: int, *, named: bool = False) -> Iterator[list[str]]:
    """Give the lines around one as they are if a part of what it begins with is a head.

    Where all lines are flat, nothing tells a head from what is said; but of what stands behind it
    somebody may know the form.

    Args:
        lines: of which one is looked at.
        at: its number.
        named: a number or a time alone is no head.

    """
    row = _HeadedLine(lines[at])
    indented = lines[at][:1].isspace()
    first, last = max(0, at - _AROUND), min(len(lines), at + 2 * _AROUND)
    tried = 0
    for count in takewhile(row.has, range(2, _MOST_TOKENS)):
        head = "".join(row.tokens[:count])
        before = head[-2]
        ends = head[-1] == "\t" or (head[-1] == " " and before != " ")
        word = before.isalpha() and not _MILD_END.search(head)
        is_word = head[-1] == " " and (word or before in ".,;")
        bare = indented and not (before in "|\u2502>:]" and any(map(str.isalpha, head)))
        if not ends or is_word or bare or _MARKS.match(head) or _is_open(head):
            continue
        if named and not _NAMED.search(head):
            continue
        if tried == _MOST_CUTS or _HOW_BAD.search(head) or _PLACED.search(head):
            return
        tried += 1
        yield _without(lines, first, last, _pattern(row.tokens[:count]))


def without_head(lines: Sequence[str], at: int, head: str) -> list[str]:
    """Give the lines around one without a head that is surely one, but for times and numbers."""
    first, last = max(0, at - _AROUND), min(len(lines), at + 2 * _AROUND)
    tokens = _HeadedLine(head)
    tokens.has(_MOST_TOKENS - 1)  # it is read to its end
    return _without(lines, first, last, _pattern(tokens.tokens))


def _without(lines: Sequence[str], first: int, last: int, pattern: re.Pattern[str]) -> list[str]:
    return [
        *lines[:first],
        *(line[match.end() :] if (match := pattern.match(line)) else line
          for line in lines[first:last]),
        *lines[last:],
    ]  # fmt: skip


def _heads(rows: Sequence[_HeadedLine]) -> Iterator[SharedHead]:
    """Follow what lines share, token by token; the last point at which it can be a head counts."""
    waiting: list[tuple[list[_HeadedLine], int, int]] = [(list(rows), 0, 0)]
    while waiting:
        same, depth, fits = waiting.pop()
        groups: dict[str, list[_HeadedLine]] = defaultdict(list)
        ended: list[_HeadedLine] = []
        for row in same:
            (groups[row.tokens[depth]] if row.has(depth) else ended).append(row)
        most = max(map(len, groups.values()), default=0) + len(ended)
        least = _LEAST if most == len(same) else _LEAST_OF_SEVERAL
        shared = [group for group in groups.values() if len(group) >= least]
        covered = len(ended) + sum(map(len, shared))
        indents = depth > 0 and same[0].tokens[depth - 1] == " " and " " in groups
        differ = indents and len(groups) > 1  # some are indented behind it
        if not shared or differ or covered < _SHARE * len(same):
            if fits:
                yield _head(same, fits)
            continue
        if len(shared) > 1 and fits and covered - len(ended) < len(same) - len(ended):
            yield _head(same, fits)
        for group in shared:
            bearing = [*group, *ended]
            deeper = depth + 1 if _may_end(group, ended, depth + 1, fits, len(rows)) else fits
            waiting.append((bearing, depth + 1, deeper))


def extends(head: Sequence[str], shorter: Sequence[str], *, leveled: bool = False) -> bool:
    """Tell whether a head may be right that begins with another one: not by what is said there.

    Args:
        head: the longer one.
        shorter: the other one; empty: none.
        leveled: both are met, so a level behind a time is not the same on all lines.

    """
    longer = "".join(head[len(shorter) :])
    if _MARKS.match(longer):
        return longer.rstrip() in _AFTER_TIME and "".join(shorter).rstrip().endswith(_TIME)
    if not shorter:
        return True
    if _LEVEL.fullmatch(longer):
        return not leveled and "".join(shorter).rstrip(" \t|\u2502:)]-").endswith(_TIME)
    return longer[-1] != " " or not longer[-2:-1].isalpha()


def _is_open(head: str) -> bool:
    """Tell whether a bracket is open at the end of a head: what it holds goes on behind it."""
    return any(head.count(opens) > head.count(closes) for opens, closes in ("[]", "()", "{}"))


def _may_end(
    group: Sequence[_HeadedLine], ended: Sequence[_HeadedLine], count: int, fits: int, number: int
) -> bool:
    """Tell whether a head may end behind some tokens: a text of its own begins there."""
    tokens = group[0].tokens[:count]
    head = "".join(tokens)
    if head[-1] not in _LAST or not head.strip() or _is_open(head):
        return False
    rests = [row.rest(count) for row in group]
    _, timed, behind = head.rpartition(_TIME)
    if timed and not behind.strip(" ]|)-"):
        levelled = sum(_LEVELLED.match(rest) is not None for rest in rests)
        return head[-1] in " \t" and levelled * 2 <= len(rests)
    if not extends(tokens, tokens[:fits]):
        return False
    if _PLACED.search(head):
        return False
    part = len(group) + len(ended) < _SHARE * number
    if _NUMBERED.match(head) and not (_is_process if part else _counts_up)(group, count):
        return False
    if _HOW_BAD.search(behind if timed else head):
        return False
    if _LEVEL.fullmatch(head) or (
        _STREAM.search(head) and not (timed and _LEVEL.fullmatch(behind))
    ):
        return False
    forms = {not rest.strip() or rest[0] in " \t" for rest in rests}
    if forms == {True}:  # all of it is indented; an empty line shows where
        shown = bool(ended) or not all(row.has(count) for row in group)
        return shown and head[-1] in " \t"
    return forms == {True, False} or bool(ended) or _is_flat(group, count, rests)


def _is_flat(group: Sequence[_HeadedLine], count: int, rests: Sequence[str]) -> bool:
    """Tell whether many lines that are not indented differ behind a head, or all are events."""
    if all(rest.startswith('{"') for rest in rests):
        return True
    tokens = group[0].tokens[:count]
    sign, end = tokens[-2:] if count > 1 else ("", "")
    follow = {row.tokens[count] for row in group if row.has(count)}
    _, timed, behind = "".join(tokens).rpartition(_TIME)
    level = bool(timed) and _LEVEL.fullmatch(behind) is not None
    return (
        len(group) >= _LEAST_FLAT
        and end in (" ", "\t")
        and (level or not sign.isalpha())
        and len(follow) * (_DIFFERENT_TIMED if timed else _DIFFERENT) >= len(group)
    )


def _counts_up(rows: Sequence[_HeadedLine], count: int) -> bool:
    """Tell whether the lines are numbered, each of them, or bear one number."""
    at = next(at for at, token in enumerate(rows[0].tokens[:count]) if token == _NUMBER)
    values = [row.raw(at).strip() for row in rows]
    numbers = [int(value) if value.isdigit() else -1 for value in values]
    return len(set(values)) == 1 or all(first < second for first, second in pairwise(numbers))


def _is_process(rows: Sequence[_HeadedLine], count: int) -> bool:
    """Tell whether some lines bear one number in brackets, longer than that of a list's point."""
    heads = {row.line[: row.ends[count - 1]].strip() for row in rows if row.has(count - 1)}
    return len(heads) == 1 and _PROCESS.fullmatch(heads.pop()) is not None


def _head(rows: Sequence[_HeadedLine], count: int) -> SharedHead:
    full = [row for row in rows if row.has(count - 1)]
    tokens = tuple(full[0].tokens[:count])
    telling = []
    for at, token in enumerate(tokens):
        if token in (_ID, _NUMBER):
            values = {row.raw(at).strip() for row in full}
            if len(values) * _MOST_SOURCES <= len(full) or len(values) == 1:
                telling.append(f"at{at}")
    return SharedHead(_pattern(tokens), tuple(telling), tokens)


def _pattern(tokens: Sequence[str]) -> re.Pattern[str]:
    text = [
        _FORMS[token].format(at=at) if token in _FORMS else re.escape(token)
        for at, token in enumerate(tokens)
    ]
    if tokens[-1] in " \t":
        text[-1] = f"(?:{text[-1]}|$)"
    return re.compile("".join(text))
