"""Tests that an edit gave another name or file, and whose bodies stayed as they were. Pure."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile
from typing import Final, NamedTuple

from gitmem.capture.own_words import FUNCTION, test_words
from gitmem.capture.patches import Patch
from gitmem.capture.renaming import as_moved
from gitmem.capture.roles import holds_tests, is_test
from gitmem.diffs import read_files
from gitmem.lazy_pattern import lazily
from gitmem.matching.test_names import file_of
from gitmem.output.cases import PASSED, Case, leaf_of, same_file

_CLASS: Final = lazily(r"\s*(?:\w+ +)*class (?P<name>\w+)")
_DECORATES: Final = ("@", "#[")
_BESIDE: Final = ("{", "}", ")", "]", "end")
"""What begins a line of a body that is not indented more than its head."""
_LONG_QUOTES: Final = ('"""', "'''", "`")
_BY_NAME: Final = frozenset({"test", "Test"})
TextOf = Callable[[str], str | None]


class TestPlace(NamedTuple):
    """Where a test is defined: its file, and its name after those of the classes around it."""

    file: str
    path: tuple[str, ...]

    @property
    def leaf(self) -> str:
        """Its own name."""
        return self.path[-1]

    def is_of(self, name: str) -> bool:
        """Tell whether a runner's name of a test, parameters aside, may be that of this one."""
        file = file_of(name)
        if file and not same_file(file, self.file):
            return False
        if file.endswith(".py") and "::" in name:
            return tuple(name.partition("[")[0].split("::")[1:]) == self.path
        return leaf_of(name) == self.leaf


def renamed_tests(
    names: Iterable[str], patch: Patch, before: TextOf, after: TextOf
) -> dict[str, TestPlace]:
    """Tell where tests are that an edit renamed or moved, by their former names.

    Each is gone where it was, and its body is in one new place, just as it was; but modules that
    the edit moved have their new names there.

    Args:
        names: of tests, as their runner named them.
        patch: the edit.
        before: gives the text of a file as it was.
        after: gives the text of a file as it is.

    """
    files = read_files(patch.text)
    old = _bodies({part.old for part in files}, before)
    new = _bodies({part.new for part in files}, after)
    was_there, there = ({place for place, _ in bodies} for bodies in (old, new))
    fresh = [(place, body) for place, body in new if place not in was_there]
    moved = [(_stem(was), _stem(now)) for now, was in as_moved(patch)[1].items()]
    places = {}
    for name in names:
        mine = [(place, body) for place, body in old if place.is_of(name)]
        if len(mine) != 1 or mine[0][0] in there:
            continue
        was, body = mine[0]
        for gone, come in moved:
            body = re.sub(rf"\b{re.escape(gone)}\b", come, body)
        same = [place for place, text in fresh if text == body]
        if len(same) == 1 and _is_looked_for(was, same[0]):
            places[name] = same[0]
    return places


def that_passed(places: Mapping[str, TestPlace], cases: Collection[Case]) -> list[str]:
    """Name the former names of tests that ran and passed by their new ones."""
    passing = []
    for name, place in places.items():
        parameters = name.partition("[")[1:]
        same = [c for c in cases if c.name.partition("[")[1:] == parameters and place.is_of(c.name)]
        if same and all(case.status == PASSED for case in same):
            passing.append(name)
    return passing


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _is_looked_for(was: TestPlace, place: TestPlace) -> bool:
    """Tell whether a runner that knew a test by its name and its file's knows the new ones."""
    if was.leaf[:4] in _BY_NAME and place.leaf[:4] != was.leaf[:4]:
        return False
    if was.file == place.file:
        return True
    return is_test(place.file) and (holds_tests(place.file) or not holds_tests(was.file))


def _bodies(files: Iterable[str], text_of: TextOf) -> list[tuple[TestPlace, str]]:
    return [
        (TestPlace(file, path), body)
        for file in sorted(filter(None, files))
        for path, body in _tests_of(text_of(file) or "")
    ]


def _tests_of(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the tests of a text, and functions like them: the name of each, and all but that."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        defined = _definition().match(line)
        if not defined:
            continue
        group = "name" if defined["name"] else "title"
        depth = _depth(line)
        head = line[: defined.start(group)] + "\0" + line[defined.end(group) :]
        first, last = _first(lines, at, depth), _last(lines, at, depth)
        whole = [*lines[first:at], head, *lines[at + 1 : last]]
        body = "\n".join(text if text[:depth].strip() else text[depth:] for text in whole)
        yield (*_around(lines, at, depth), defined[group]), body.rstrip()


@cache
def _definition() -> re.Pattern[str]:
    """Give the pattern of a line that defines a function, by its name, or a test by its title."""
    return lazily(
        rf"\s*(?:[\w.<>\[\]]+ +)*?(?:{FUNCTION}|fun|function|Task)\s+(?:\([^)]*\)\s*)?"
        r"(?P<name>\w+)"
        rf"|\s*@?(?:{test_words()})(?:\.\w+)*[( ]\s*(?P<quote>['\"`])(?P<title>.+?)(?P=quote)"
    )


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _around(lines: list[str], at: int, depth: int) -> Iterator[str]:
    """Name the classes around a line, the outermost first."""
    names = []
    for line in reversed(lines[:at]):
        if line.strip() and _depth(line) < depth:
            depth = _depth(line)
            if of_class := _CLASS.match(line):
                names.append(of_class["name"])
    return reversed(names)


def _first(lines: list[str], at: int, depth: int) -> int:
    """Give the line with which the decorators of a definition begin, or its own."""
    first = at
    for number in range(at - 1, -1, -1):
        line = lines[number]
        beside = _depth(line) == depth
        decorates = beside and line.lstrip().startswith(_DECORATES)
        if not line.strip() or _depth(line) < depth:
            break
        if beside and not decorates and not line.lstrip().startswith(_BESIDE):
            break
        first = number if decorates else first
    return first


def _last(lines: list[str], at: int, depth: int) -> int:
    """Give the line after the body of a definition."""

    def belongs(line: str) -> bool:
        bare = line.strip()
        closes = _depth(line) == depth and bare.startswith(_BESIDE)
        return not bare or _depth(line) > depth or closes

    last = at + 1
    while last < len(lines):
        last += sum(1 for _ in takewhile(belongs, lines[last:]))
        text = "\n".join(lines[at:last])
        # A text of several lines may not be indented.
        if last == len(lines) or not any(text.count(quote) % 2 for quote in _LONG_QUOTES):
            break
        last += 1
    return last
