"""Names of tests: one test is named with and without its file, its package and its suites."""

import re
from functools import cache
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import same_file
from gitmem.tools.choice import pattern, values

_JOINTS: Final = lazily(r" \u203a | > |::")
_SUFFIXES: Final = r"[cm]?[jt]sx?|py|rs|rb|php|go"
"""Endings of files of languages, which stand before a test's name without their folder, too."""
_QUALIFIED: Final = ("java", "kotlin", "csharp")
"""Languages that put packages and classes before a test's name."""
_ROW: Final = lazily(r"(?<=[\w\]]) (?:\[[^\]]*\] ?(?:\(.*\))?|\([^()]*=.*\))$")
"""The label of one of several rows of a test: a text, or what was handed in."""
_ARGUMENTS: Final = lazily(r"\([^()]*\)$")

_NUMBERED: Final = lazily(r"\[\d{1,6}\]$")


def tail(name: str, language: str = "") -> str:
    """Give a test's name without its file and without what stands for the package.

    Args:
        name: as it was told.
        language: of the test, or the runner.

    """
    head, bracket, params = name.partition("[")
    parts = [part for part in _JOINTS.split(head) if part]
    if len(parts) > 1 and _file().fullmatch(parts[0].strip()):
        parts = parts[1:]
    if language in _QUALIFIED or language in values("tests.qualified"):
        words = re.split(r"[.$]", _ARGUMENTS.sub("", ".".join(parts)))[-2:]
    else:
        words = ".".join(parts).split(".")
    return f"{' '.join(words)}{bracket}{params}"


def case_of(name: str, language: str = "") -> str:
    """Give the same without the number of a case, which only some outputs of JUnit tell."""
    short = tail(name, language)
    return _NUMBERED.sub("", short) if language in _QUALIFIED else short


def is_file(name: str) -> bool:
    """Tell whether a name is that of a file: what could not be loaded is told of like a test."""
    return bool(_file().fullmatch(name)) and not _JOINTS.search(name)


def file_of(name: str) -> str:
    """Give the file that a test's name begins with; empty if it begins with none."""
    parts = _JOINTS.split(name.partition("[")[0], maxsplit=1)
    return parts[0].strip() if len(parts) > 1 and _file().fullmatch(parts[0].strip()) else ""


def same_test(name: str, other: str, language: str = "") -> bool:
    """Tell whether two names can be those of one test: where both name a file, it is one file."""
    if name == other:
        return True
    if tail(name, language) != tail(other, language):
        return False
    first, second = file_of(name), file_of(other)
    return not first or not second or same_file(first, second)


def parent_test(name: str) -> str:
    """Give the name of the test of which a name is one row; empty if it is a whole test."""
    match = _ROW.search(name)
    return name[: match.start()] if match else ""


@cache
def _file() -> re.Pattern[str]:
    suffixes = f"{_SUFFIXES}|{pattern('tests.suffixes').pattern}"
    return lazily(rf"\S*[/\\]\S+\.\w{{1,5}}|\S+\.(?:{suffixes})")
