"""Names of tests: one test is named with and without its file, its package and its suites."""

import re
from typing import Final

_JOINTS: Final = re.compile(r" \u203a | > |::")
_FILE: Final = re.compile(r"\S*[/\\]\S+\.\w{1,5}|\S+\.(?:[cm]?[jt]sx?|py|rs|rb|php|go|bats)")
_QUALIFIED: Final = ("java", "csharp")


def tail(name: str, language: str = "") -> str:
    """Give a test's name without its file and without what stands for the package."""
    head, bracket, params = name.partition("[")
    parts = [part for part in _JOINTS.split(head) if part]
    if len(parts) > 1 and _FILE.fullmatch(parts[0].strip()):
        parts = parts[1:]
    words = ".".join(parts).split(".")
    if language in _QUALIFIED:
        words = words[-2:]
    return f"{' '.join(words)}{bracket}{params}"


def is_file(name: str) -> bool:
    """Tell whether a name is that of a file: what could not be loaded is told of like a test."""
    return bool(_FILE.fullmatch(name)) and not _JOINTS.search(name)


def file_of(name: str) -> str:
    """Give the file that a test's name begins with; empty if it begins with none."""
    parts = _JOINTS.split(name.partition("[")[0], maxsplit=1)
    return parts[0].strip() if len(parts) > 1 and _FILE.fullmatch(parts[0].strip()) else ""


def same_test(one: str, other: str, language: str = "") -> bool:
    """Tell whether two names can be those of one test: where both name a file, it is one file."""
    if one == other:
        return True
    if tail(one, language) != tail(other, language):
        return False
    first, second = file_of(one), file_of(other)
    return not first or not second or first.endswith(second) or second.endswith(first)
