"""What a test has to do with, by its text: its file without what other tests say. Pure."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from gitmem.capture.episodes import files_in
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import defined_by
from gitmem.capture.roles import holds_tests, is_test
from gitmem.lazy_pattern import lazily
from gitmem.output.cases import leaf_of
from gitmem.tools.choice import values

FUNCTION: Final = "def|fn|func|void"
"""Keywords before the name of a function that may be a test."""
_TAKES_IN: Final = lazily(
    r"\s*(?:import|from|use|using|require|include|package|#include|mod)\b"
    r"|\s*(?:const|let|var)\b.*\brequire\("
)
_WAYS: Final = 3
"""Files between a test and what it leads to, the test included."""
_MOST_NAMING: Final = 30
"""Where more files name something, each may lead to it."""
_CLOSES: Final = (")", "}", "]")


@cache
def test_words() -> str:
    """Give the alternatives of words that are called to define a test."""
    return alternatives_of(values("silence.defines"))


def alternatives_of(words: Mapping[str, tuple[str, ...]]) -> str:
    """Give the alternatives of words that tools say, each once."""
    return "|".join(sorted({word for several in words.values() for word in several})) or "(?!)"


def leads_to(
    failure: FingerprintedFailure,
    files: Collection[str],
    functions: Collection[str],
    naming: Callable[[Collection[str], Collection[str]], set[str]],
    text_of: Callable[[str], str],
) -> bool:
    """Tell whether a failing test, or code in which it failed, leads to some functions.

    Args:
        failure: the failure.
        files: those of the functions.
        functions: what was changed of them; none: not only functions were.
        naming: names the files that hold some words, or take some modules in.
        text_of: gives a file's text.

    """
    own, names = set(files), set(functions)
    for file in files if functions else ():
        names |= with_callers(text_of(file), functions)
    for _ in range(_WAYS):
        modules = set(map(_module, own))
        naming_files = naming(names, modules)
        for file in files_in(failure, naming_files, tests=True):
            whole = not functions or not is_test(file)
            if whole or may_concern(text_of(file), failure, names | modules):
                return True
        own = {file for file in naming_files - own if not holds_tests(file)}
        if not own or len(own) > _MOST_NAMING:
            return bool(own)
        names = {
            name.removesuffix("()")
            for file in own
            for line in text_of(file).splitlines()
            if (name := defined_by(line))
        }
    return False


def _module(path: str) -> str:
    """Give the name by which other files take one in."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem in {"__init__", "index", "mod", "lib"} else stem


def may_concern(text: str, failure: FingerprintedFailure, words: Collection[str]) -> bool:
    """Tell whether a test, or what its file has beside tests, holds one of some words.

    What is taken in at the top of a file is there for all of its tests. Where the test is not
    found in the text, nobody can tell.

    Args:
        text: of the file in which the test stands.
        failure: of the test.
        words: names of functions and modules.

    """
    lines = text.splitlines()
    tests = list(_tests_in(lines))
    leaves = {re.escape(leaf_of(place).partition("[")[0]) for place in failure.places if place}
    named = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(leaves)) or '(?!)'})(?!\w)")
    others = [block for block in tests if not named.search(lines[block.start])]
    if len(others) == len(tests):
        return True
    left_out = {at for block in (*others, *_taken_in(lines)) for at in block}
    own = "\n".join(line for at, line in enumerate(lines) if at not in left_out)
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", own) for word in words)


def with_callers(text: str, names: Collection[str]) -> set[str]:
    """Give some functions of a file, with those of the file that call them, or their callers."""
    lines = text.splitlines()
    bodies = {
        name.removesuffix("()"): "\n".join(lines[at + 1 : _end(lines, at)])
        for at, line in enumerate(lines)
        if (name := defined_by(line))
    }
    reached, size = set(names), -1
    while len(reached) != size:
        size = len(reached)
        called = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(reached)))})(?!\w)")
        reached |= {name for name, body in bodies.items() if called.search(body)}
    return reached


def _tests_in(lines: Sequence[str]) -> Iterator[range]:
    """Give the lines of each test."""
    for at, line in enumerate(lines):
        if _test().match(line):
            yield range(at, _end(lines, at))


@cache
def _test() -> re.Pattern[str]:
    return lazily(
        rf"\s*(?:(?:async|public|static|pub)\s+)*(?:(?:{FUNCTION}|function)\s+(?:test|Test)\w*"
        rf"|(?:{test_words()})(?:\.\w+)*\()"
    )


def _taken_in(lines: Sequence[str]) -> Iterator[range]:
    """Give the lines in which names of other files are taken in."""
    for at, line in enumerate(lines):
        if _TAKES_IN.match(line):
            end = at + 1
            while end < len(lines) and _depth(lines[at:end]) > 0:
                end += 1
            yield range(at, end)


def _depth(lines: Sequence[str]) -> int:
    text = "".join(lines)
    return sum(map(text.count, "({[")) - sum(map(text.count, _CLOSES))


def _end(lines: Sequence[str], at: int) -> int:
    """Give the line behind a block, by how it is indented."""
    indent = _indent(lines[at])
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if line.strip() and _indent(line) <= indent:
            return number + line.strip().startswith(_CLOSES)
    return len(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
