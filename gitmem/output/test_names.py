"""Names of tests: one test is named with and without its file, its package and its suites."""

import re
from collections.abc import Iterable
from typing import Final

from gitmem.lazy_pattern import lazily

_JOINTS: Final = lazily(r" \u203a | > |::")
_FILE: Final = lazily(r"\S*[/\\]\S+\.\w{1,5}|\S+\.(?:[cm]?[jt]sx?|py|rs|rb|php|go|bats)")
# Languages, and their runners, that put packages and classes before a test's name.
_QUALIFIED: Final = ("java", "kotlin", "csharp", "gradle", "maven", "dotnet")
_ARGUMENTS: Final = lazily(r"\([^()]*\)$")
_IDENTIFIERS: Final = lazily(r"[\w.$]+")


def tail(name: str, language: str = "") -> str:
    """Give a test's name without its file and without what stands for the package."""
    head, bracket, params = name.partition("[")
    parts = [part for part in _JOINTS.split(head) if part]
    if len(parts) > 1 and _FILE.fullmatch(parts[0].strip()):
        parts = parts[1:]
    if language in _QUALIFIED:
        words = re.split(r"[.$]", _ARGUMENTS.sub("", ".".join(parts)))[-2:]
    else:
        words = ".".join(parts).split(".")
    return f"{' '.join(words)}{bracket}{params}"


def leaf_of(name: str) -> str:
    """Give the last part of a test's name: that of the test itself."""
    file, _, inner = name.partition("::")
    return re.split("::|\\.| > | \u203a |/", inner or file)[-1].partition("[")[0].strip()


def of_gradle(printed: str, functions: Iterable[str] = ()) -> str:
    """Write a test's name as Java does: ``shop.CartTest.small[2]`` for Gradle's ``… > small[2]``.

    Titles that are no names of classes and methods stay as they are printed.

    Args:
        printed: classes and the test, with ``>`` between them; a class may lack its package.
        functions: the frames of the failure, with their packages, outermost first.

    """
    head, bracket, parameters = printed.partition("[")
    parts = [_ARGUMENTS.sub("", part) for part in head.split(" > ") if part]
    plain = f"{'$'.join(parts[:-1])}.{parts[-1]}"
    if len(parts) == 1 or not _IDENTIFIERS.fullmatch(plain):
        return printed
    whole = (name for name in functions if name == plain or name.endswith(f".{plain}"))
    return f"{next(whole, plain)}{bracket}{parameters}"


def is_file(name: str) -> bool:
    """Tell whether a name is that of a file: what could not be loaded is told of like a test."""
    return bool(_FILE.fullmatch(name)) and not _JOINTS.search(name)


def file_of(name: str) -> str:
    """Give the file that a test's name begins with; empty if it begins with none."""
    parts = _JOINTS.split(name.partition("[")[0], maxsplit=1)
    return parts[0].strip() if len(parts) > 1 and _FILE.fullmatch(parts[0].strip()) else ""


def same_test(name: str, other: str, language: str = "") -> bool:
    """Tell whether two names can be those of one test: where both name a file, it is one file."""
    if name == other:
        return True
    if tail(name, language) != tail(other, language):
        return False
    first, second = file_of(name), file_of(other)
    return not first or not second or same_file(first, second)


def same_file(path: str, other: str) -> bool:
    """Tell whether two paths can be one file's, seen from two folders."""
    first, second = path.replace("\\", "/"), other.replace("\\", "/")
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    return longer == shorter or longer.endswith("/" + shorter.lstrip("./"))


def unprettified(group: str, title: str) -> str:
    """Turn the words of PHPUnit's testdox back into the names of a class and a method.

    Args:
        group: the line above, such as ``Cart (Shop/Cart)``, with backslashes, for ``CartTest``.
        title: such as ``Sums nothing`` for ``testSumsNothing``.

    """
    pretty, _, whole = group.strip().partition(" (")
    name = whole.rstrip(")") or pretty
    words, data, rest = title.partition(" with data set ")
    method = "test" + "".join(word[:1].upper() + word[1:] for word in words.split())
    return f"{name}Test::{method}{data}{rest}" if name else f"{method}{data}{rest}"
