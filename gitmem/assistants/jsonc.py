"""JSON with comments: read it with positions, insert or remove one member of an object or a list.

Comments, key order, indentation and line ends stay: text is put in at one place, and a comma. What
``added`` makes is different for every text that it can be made of, so ``removed`` finds the text
that was there by trying: the one to which ``added`` gives what is there now.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, NoReturn

from gitmem.assistants.assistant import ITEM, nested
from gitmem.errors import InvalidError

_BOM: Final = "\ufeff"
_DEEPEST: Final = 100
_TRIVIA: Final = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
# What still stands on the line and belongs to the value before.
_REMARK: Final = re.compile(r"(?:[ \t]*/\*(?:(?!\*/)[^\r\n])*\*/)*(?P<line>[ \t]*//[^\r\n]*)?")
_LINE_END: Final = re.compile(r"[ \t]*\r?\n")
_PLAIN: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


class Value(NamedTuple):
    """A value with its start and end in the text.

    Attributes:
        start, end: its first character, and the one behind its last.
        plain: as ``json`` reads it.
        members: of an object, or the items of a list; else None.

    """

    start: int
    end: int
    plain: Any
    members: "tuple[Member, ...] | None" = None


class Member(NamedTuple):
    """A member of an object: its key, where that begins, its value, the comma behind it or -1.

    The key of an item of a list is ``ITEM``.
    """

    key: str
    start: int
    value: Value
    comma: int


def read(text: str) -> Value:
    """Read a whole text.

    Raises:
        InvalidError: it is no JSON with comments, or a key is there twice.

    """
    return _JsoncReader(text).whole()


class _JsoncReader:
    def __init__(self, text: str) -> None:
        self.text = text

    def whole(self) -> Value:
        value, at = self.value(self.skip(int(self.text.startswith(_BOM))), 0)
        if self.skip(at) < len(self.text):
            self.refuse(self.skip(at), "there is text after the end")
        return value

    def skip(self, at: int) -> int:
        trivia = _TRIVIA.match(self.text, at)
        return trivia.end() if trivia else at

    def value(self, at: int, depth: int) -> tuple[Value, int]:
        first = self.text[at : at + 1]
        if depth > _DEEPEST:
            self.refuse(at, "it is nested too deeply")
        if first == "{":
            read_value = self.object(at, depth)
        elif first == "[":
            read_value = self.array(at, depth)
        elif first == '"':
            plain, end = self.string(at)
            read_value = Value(at, end, plain)
        else:
            read_value = self.plain(at)
        return read_value, read_value.end

    def plain(self, at: int) -> Value:
        match = _PLAIN.match(self.text, at)
        if not match:
            self.refuse(at, "a value is missing")
        return Value(at, match.end(), json.loads(match[0]))

    def string(self, at: int) -> tuple[str, int]:
        try:
            plain, end = json.JSONDecoder().raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            self.refuse(error.pos, "a string is not closed, or holds what is not allowed")
        return str(plain), end

    def object(self, start: int, depth: int) -> Value:
        members: list[Member] = []
        at = self.skip(start + 1)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                self.refuse(at, "a key is missing")
            key, end = self.string(at)
            if any(member.key == key for member in members):
                self.refuse(at, f"the key {key!r} occurs twice")
            colon = self.skip(end)
            if self.text[colon : colon + 1] != ":":
                self.refuse(colon, "a colon is missing")
            value, after = self.value(self.skip(colon + 1), depth + 1)
            comma, next_ = self.comma(after, "}")
            members.append(Member(key, at, value, comma))
            at = next_
        plain = {member.key: member.value.plain for member in members}
        return Value(start, at + 1, plain, tuple(members))

    def array(self, start: int, depth: int) -> Value:
        items: list[Member] = []
        at = self.skip(start + 1)
        while self.text[at : at + 1] != "]":
            value, after = self.value(at, depth + 1)
            comma, next_ = self.comma(after, "]")
            items.append(Member(ITEM, at, value, comma))
            at = next_
        return Value(start, at + 1, [item.value.plain for item in items], tuple(items))

    def comma(self, at: int, close: str) -> tuple[int, int]:
        """Find the comma behind a value, or none before the end; and what follows."""
        at = self.skip(at)
        if self.text[at : at + 1] == ",":
            return at, self.skip(at + 1)
        if self.text[at : at + 1] != close:
            self.refuse(at, "a comma is missing")
        return -1, at

    def refuse(self, at: int, what: str) -> NoReturn:
        line = self.text.count("\n", 0, at) + 1
        raise InvalidError(f"line {line}: {what}")


def entry_of(text: str, path: tuple[str, ...], item: Any = None) -> Any:  # noqa: ANN401  any value
    """Give the value under some keys; None if there is none.

    Args:
        text: of the file.
        path: keys; ``ITEM`` leads to the item of a list that is equal to ``item``.
        item: what is looked for there.

    Raises:
        InvalidError: the text can't be read, or what should be an object is none.

    """
    value = read(text)
    for key in path:
        member = _member(value, key, item)
        if member is None:
            return None
        value = member.value
    return value.plain


def _member(value: Value, key: str, item: Any) -> Member | None:  # noqa: ANN401  any value
    if key == ITEM:
        if not isinstance(value.plain, list):
            raise InvalidError("a list is expected, not another value")
        return next((own for own in value.members or () if own.value.plain == item), None)
    if not isinstance(value.plain, dict):
        raise InvalidError(f"an object with the key {key!r} is expected, not another value")
    return next((member for member in value.members or () if member.key == key), None)


def whole(path: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """Write a file that holds nothing but an entry."""
    return json.dumps(nested(path, entry), indent=2) + "\n"


def added(text: str, path: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """Put an entry under keys, with objects around it that are missing.

    A text that has something there comes back as it is.

    Raises:
        InvalidError: the text can't be read, or what should be an object is none.

    """
    root = read(text)
    at = root
    for depth, key in enumerate(path):
        member = _member(at, key, dict(entry))
        if member is None:
            return _insert(text, root, at, key, path[depth + 1 :], entry)
        at = member.value
    return text


def _insert(
    text: str,
    root: Value,
    here: Value,
    key: str,
    rest: tuple[str, ...],
    entry: Mapping[str, Any],
) -> str:
    if not here.members:
        item = f"{_named(key)}{_on_one_line(rest, entry)}"
        return text[: here.start + 1] + item + text[here.start + 1 :]
    last = here.members[-1]
    end = last.value.end if last.comma < 0 else last.comma + 1
    remark = _REMARK.match(text, end)
    behind = remark.end() if remark else end
    newline = "\r\n" if "\r\n" in text else "\n"
    indent = _indent(text, here.members[0].start)
    if indent is None and not (remark and remark["line"]):
        gap, value = " ", _on_one_line(rest, entry)
    else:
        unit = _indent(text, root.members[0].start) if root.members else None
        lines = json.dumps(nested(rest, entry), indent=unit or "  ").splitlines()
        gap = newline + (indent or "")
        value = gap.join(lines)
    item = f"{gap}{_named(key)}{value}"
    if last.comma < 0:
        return text[:end] + "," + text[end:behind] + item + text[behind:]
    return text[:behind] + item + "," + text[behind:]


def _named(key: str) -> str:
    return "" if key == ITEM else f"{json.dumps(key)}: "


def _on_one_line(rest: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """Write an entry, with objects around it, on one line.

    Blanks inside their braces tell that we made these objects: one that was there and empty has
    none before its first member.
    """
    value = json.dumps(dict(entry))
    for key in reversed(rest):
        value = f"[ {value} ]" if key == ITEM else f"{{ {json.dumps(key)}: {value} }}"
    return value


def _indent(text: str, at: int) -> str | None:
    """Give the indentation of a position, if only blanks precede it on its line."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    begins = "\n" in text[:at]
    return before if begins and not before.strip(" \t") else None


def removed(text: str, path: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """Take an entry out again, with the objects that ``added`` made around it.

    A text that has something else there, or nothing, comes back as it is. Where the text was
    changed since around the entry, only the entry goes.

    Raises:
        InvalidError: as for ``added``.

    """
    if entry_of(text, path, dict(entry)) != dict(entry):
        return text
    for candidate in _candidates(text, path, dict(entry)):
        try:
            if added(candidate, path, entry) == text:
                return candidate
        except InvalidError:
            continue
    return _cut(text, path, dict(entry))


def _chain(text: str, path: tuple[str, ...], item: Any) -> list[tuple[Value, Member]]:  # noqa: ANN401  any value
    """Give the objects on the way to an entry, each with the member that leads on."""
    here, chain = read(text), []
    for key in path:
        member = _member(here, key, item)
        if member is None:
            return []
        chain.append((here, member))
        here = member.value
    return chain


def _candidates(text: str, path: tuple[str, ...], item: Any) -> Iterator[str]:  # noqa: ANN401  any value
    for here, member in _chain(text, path, item):
        members = here.members or ()
        if members[-1] != member:
            continue
        if len(members) == 1:
            yield text[: member.start] + text[member.value.end :]
            continue
        comma = members[-2].comma
        remark = _REMARK.match(text, comma + 1)
        behind = remark.end() if remark else comma + 1
        if member.comma < 0:
            yield text[:comma] + text[comma + 1 : behind] + text[member.value.end :]
        else:
            yield text[:behind] + text[member.comma + 1 :]


def _cut(text: str, path: tuple[str, ...], item: Any) -> str:  # noqa: ANN401  any value
    here, member = _chain(text, path, item)[-1]
    start, end = member.start, member.value.end
    if member.comma >= 0:
        end = member.comma + 1
    # Its lines go whole, unless something else stands on its last one.
    if _indent(text, start) is not None and _LINE_END.match(text, end):
        start = text.rfind("\n", 0, start)
        start -= int(text[start - 1 : start] == "\r")
    members = here.members or ()
    if member.comma < 0 and len(members) > 1:
        comma = members[-2].comma
        return text[:comma] + text[comma + 1 : start] + text[end:]
    return text[:start] + text[end:]
