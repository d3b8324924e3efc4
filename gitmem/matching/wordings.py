"""The same message under the names that versions and tools give it: ``wordings.txt``.

A failure is rewritten to the canonical wording of its message before it is masked and hashed, so
that ``EOL while scanning string literal`` of Python 3.8 and ``unterminated string literal`` of
3.10 have the same fingerprints. Wordings are compared without a regular expression: the texts
between the holes of a wording stand in the message one after the other.
"""

import os
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.matching.type_values import without_literals
from gitmem.output.failure import Failure

_TABLE: Final = os.path.join(os.path.dirname(__file__), "wordings.txt")
_START: Final = 3
"""Characters by which wordings are told apart: an error without a type has a thousand."""
_LONGEST: Final = 600
"""Characters of a first line that are compared."""
_QUOTES: Final = str.maketrans(dict.fromkeys('"`\u2018\u2019\u201c\u201d', "'"))
_HOLE: Final = "{}"
_QUOTED: Final = lazily(r"(?<!\w)'([^'\n]{1,80})'(?!\w)")
_SUGGESTIONS: Final = (" did you mean", " did you forget", " maybe you mean")
_DIAGNOSIS: Final = " instead of "
"""A suggestion with it says what is wrong, not how a name is written."""
_ENDS_OF_TYPES: Final = ("Error", "Exception", "error", "panic")


class _Wording(NamedTuple):
    """One wording.

    Attributes:
        tool: whose words they are; empty: anybody's.
        kind: the type that goes with it; empty: none does.
        texts: what stands between its holes, one more than there are holes.
        holes: their names; empty: anything.

    """

    tool: str
    kind: str
    texts: tuple[str, ...]
    holes: tuple[str, ...]

    def match(self, line: str) -> dict[str, str] | None:
        """Give what stands in the named holes; None if the line has another wording."""
        if not line.startswith(self.texts[0]):
            return None
        values: dict[str, str] = {}
        start = len(self.texts[0])
        for at, (hole, text) in enumerate(zip(self.holes, self.texts[1:], strict=True), 2):
            if at == len(self.texts):
                end = len(line) - len(text) if line.endswith(text) else -1
            else:
                end = line.find(text, start)
            if end < start or (hole and end == start):
                return None
            if hole:
                values[hole] = line[start:end]
            start = end + len(text)
        return values if start == len(line) else None

    def filled(self, values: dict[str, str], names: Iterable[str]) -> str:
        """Write it with values in its holes; those that not every wording names are left out."""
        shown = [_type_of(values.get(hole, "x")) if hole in names else "..." for hole in self.holes]
        return self.texts[0] + "".join(
            value + text for value, text in zip(shown, self.texts[1:], strict=True)
        )


def _type_of(value: str) -> str:
    """Give the type of a value that is a literal, such as TypeScript's ``'"text"'``."""
    quoted = len(value) > 1 and value[0] == value[-1] == "'"
    return "string" if quoted else without_literals(value)


class _Group:
    """Wordings of one message, the canonical one first, and what less exact versions say of it.

    They are read when something of their type is asked for.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.broader_lines: list[str] = []

    @cached_property
    def wordings(self) -> tuple[_Wording, ...]:
        """All of its wordings, the canonical one first."""
        return tuple(map(_wording, self.lines))

    @cached_property
    def broader(self) -> tuple[_Wording, ...]:
        """What some versions say of this mistake and of others."""
        return tuple(map(_wording, self.broader_lines))

    @cached_property
    def names(self) -> frozenset[str]:
        """The holes that every wording names."""
        return frozenset.intersection(*(frozenset(wording.holes) for wording in self.wordings))


def with_canonical_wording(failure: Failure) -> Failure:
    """Give a failure with its type and message in their canonical wording, if there is one."""
    if (match := _matched(failure)) is None:
        return failure
    group, wording, values = match
    canonical = group.wordings[0]
    # What a tool writes below is how that version of it explains the first line.
    message = canonical.filled(values, group.names)
    same_kind = canonical.kind.casefold() == wording.kind.casefold()
    named = failure.error_type if same_kind else canonical.kind
    return failure._replace(error_type=named, message=message)


def left_out(failure: Failure) -> tuple[str, ...]:
    """Give what a message names and its canonical wording does not."""
    if (match := _matched(failure)) is None:
        return ()
    group, _, values = match
    return tuple(value for hole, value in values.items() if hole not in group.names)


def _matched(failure: Failure) -> tuple[_Group, _Wording, dict[str, str]] | None:
    """Give the wording that a message has, its group, and what stands in its holes."""
    kind = failure.error_type.rpartition(".")[2].casefold()
    line = _first_line(failure.message)
    for group, wording in _alike(kind, failure.tool, line[:_START]):
        values = wording.match(line)
        if values is not None:
            return group, wording, values
    return None


def own_quotes(failure: Failure) -> frozenset[str]:
    """Give what stands in quotes in this wording of a message alone, whatever it is about.

    ``with no `__getitem__` method`` names nothing: another tool says the same without it. What the
    canonical wording has in quotes tells messages apart, such as a missing ``;`` and ``)``.
    """
    if (match := _matched(failure)) is None:
        return frozenset()
    group, wording, _ = match
    return _quoted(wording) - _quoted(group.wordings[0])


def _quoted(wording: _Wording) -> frozenset[str]:
    return frozenset(_QUOTED.findall(_HOLE.join(wording.texts)))


def other_names(failure: Failure) -> Iterator[Failure]:
    """Give a failure under the names that other versions give some of its kind.

    Some say of several mistakes what others tell apart.
    """
    kind = failure.error_type.rpartition(".")[2].casefold()
    named = with_canonical_wording(failure)
    line, own = _first_line(failure.message), _first_line(named.message)
    for group in _by_type().get(kind, ()):
        if not group.broader_lines:
            continue
        canonical = group.wordings[0]
        if canonical.tool not in ("", failure.tool):
            continue
        if canonical.match(own) is not None:
            for wording in group.broader:
                yield failure._replace(message=wording.filled({}, ()))
        elif any(wording.match(line) is not None for wording in group.broader):
            yield failure._replace(message=canonical.filled({}, canonical.holes))


def _first_line(message: str) -> str:
    return _plain(message.partition("\n")[0][:_LONGEST])


def _plain(line: str) -> str:
    """Make all quotation marks one; leave a suggestion at the end out, and the full stop."""
    line = " ".join(line.translate(_QUOTES).split())
    small = line.lower()
    for suggestion in _SUGGESTIONS:
        at = small.find(suggestion)
        if at > 0 and _DIAGNOSIS not in small[at:]:
            line, small = line[:at].rstrip(" (;,:?-"), small[:at]
    return line.rstrip(".")


@lru_cache(4096)
def _alike(kind: str, tool: str, start: str) -> list[tuple[_Group, _Wording]]:
    """Give the wordings that a line with such a start can have, those that say most first.

    Of those that say as much a tool's own come first. Only these are read whole.
    """
    pairs = [
        (group, _wording(text))
        for first, group, text in _starts(kind, tool)
        if first.startswith(start) or start.startswith(first)
    ]
    pairs = [pair for pair in pairs if pair[1].kind.casefold() == kind]
    pairs.sort(key=lambda pair: (-sum(map(len, pair[1].texts)), not pair[1].tool))
    return pairs


@cache
def _starts(kind: str, tool: str) -> list[tuple[str, _Group, str]]:
    """Give how anybody's wordings that go with a type begin, and a tool's own."""
    mark, named = f"[{tool}] ", f"{kind}: " if kind else ""
    starts = []
    for group in _by_type().get(kind, ()):
        for text in group.lines:
            if text[0] == "[" and not text.startswith(mark):
                continue
            words = text.removeprefix(mark)
            if words[: len(named)].casefold() == named:
                start = words[len(named) :][:_START].translate(_QUOTES).partition("{")[0]
                starts.append((start.rstrip(" (;,:?-."), group, text))
    return starts


@cache
def _by_type() -> dict[str, list[_Group]]:
    by_type: dict[str, list[_Group]] = {}
    for group in _groups():
        for kind in {_kind_of(line).casefold() for line in group.lines}:
            by_type.setdefault(kind, []).append(group)
    return by_type


@cache
def _groups() -> tuple[_Group, ...]:
    """Read the groups of the table; see the head of the file."""
    groups: list[_Group] = []
    with open(_TABLE, encoding="utf-8") as file:
        for line in file:
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if text.startswith("= "):
                groups.append(_Group())
            if text.startswith("~ "):
                groups[-1].broader_lines.append(text[2:])
            else:
                groups[-1].lines.append(text.removeprefix("= "))
    return tuple(groups)


def _kind_of(text: str) -> str:
    if text[0] == "[":  # the name of a tool
        return ""
    kind, colon, _ = text.partition(": ")
    named = kind.endswith(_ENDS_OF_TYPES) and kind.replace("::", "").isidentifier()
    return kind if colon and named else ""


@cache
def _wording(text: str) -> _Wording:
    tool = ""
    if text.startswith("["):
        tool, _, text = text[1:].partition("] ")
    kind = _kind_of(text)
    parts = _plain(text.removeprefix(f"{kind}: ") if kind else text).split("{")
    texts, holes = [parts[0]], []
    for part in parts[1:]:
        name, closed, after = part.partition("}")
        if closed and (not name or (name.isalpha() and len(name) == 1)):
            holes.append(name)
            texts.append(after)
        else:  # a brace of the message itself
            texts[-1] += "{" + part
    return _Wording(tool, kind, tuple(texts), tuple(holes))
