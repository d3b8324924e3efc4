"""The same failure somewhere else, and failures that only look like it.

Somewhere else the folders, the libraries' place and the line numbers differ. What looks like a
failure and is another one has its message with another key, package, file or name in it.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.matching.parse import main_failure

_LINE: Final = re.compile(
    r"((?:\", |\.sh: |bash: )line "
    r"|(?<=[\w>])\.(?:py|[cm]?[jt]sx?|java|rb|php|rs|go|c|h|cpp|pl|sh|toml|txt)[:(])(\d{1,5})"
)
_NAME: Final = r"[A-Za-z_][\w.@/-]*"
_SENTENCES: Final = {
    "key": (
        rf"KeyError: '({_NAME})'",
        r"UNIQUE constraint failed: \w+\.(\w+)",
        r"Missing script: \"([\w:-]+)\"",
        r"invalid choice: '(\w+)'",
        r"'(\w+)' not found in `markers`",
        r"missing in type '\{ (\w+):",
        r"Property '(\w+)' is missing",
    ),
    "package": (
        rf"No module named '({_NAME})'",
        rf"Cannot find (?:module|package) '((?:\./)?{_NAME})'",
        r"requirement ([\w-]+)==",
        r"stubs not installed for \"(\w+)\"",
        r"registry\.npmjs\.org/([\w-]+)",
        r"by \"([A-Z]\w+)\"",
        rf"partially initialized module '({_NAME})'",
    ),
    "file": (
        r"No such file or directory: '(?:[\w.-]+/)*([\w.-]+)'",
        r"No rule to make target '([\w./-]+)'",
        r"fatal error: ([\w./]+): No such file",
        r"cat: ([\w./-]+): No such file",
        r"Permission denied: '(?:[\w.-]+/)*([\w.-]+)'",
        r"\./([\w-]+)\.sh: (?:Permission denied|cannot execute)",
    ),
    "name": (
        r"has no attribute '(\w+)'",
        r"has no attribute \"(\w+)\"",
        r"(?:no member named|undeclared \(first use|undefined reference to) [`'\u2018](\w+)",
        r"cannot import name '(\w+)'",
        r"argument: '(\w+)'",
        r"no such table: (\w+)",
        r"fixture '(\w+)' not found",
        r"Undefined name `(\w+)`",
        r"borrow `(\w+)`",
        r"moved value: `(\w+)`",
        r"\(reading '(\w+)'\)",
        r"undefined method [`'](\w+)",
        r"'(\w+)' is possibly",
        r"Parameter '(\w+)' implicitly",
        r"local variable '(\w+)'",
        r"function \u2018(\w+)\u2019",
        r"(\w+): unbound variable",
        r"unhashable type: '(\w+)'",
        r"Object of type (\w+) is not",
        r"patterns: `(?:\w+::)*(\w+)` not covered",
        r"unreported exception (\w+)",
        r"checked out|delete branch '(\w+)'",
    ),
}  # fmt: skip
"""What tools say of something that they name, by what kind of thing it is."""
_OTHERS: Final = {
    "key": ("currency", "street", "weight", "deadline"),
    "package": ("tablewriter", "colourlib", "geoshapes", "mailqueue"),
    "file": ("inventory.csv", "layout.conf", "calendar.dat", "members.lst"),
    "name": ("rebalance", "checksum", "viewport", "quarter"),
}  # fmt: skip


class Home(NamedTuple):
    """Where a project lies on some machine.

    Attributes:
        project: its folder.
        libraries: the folder of its libraries.
        lines: how many lines more its files begin with.

    """

    project: str
    libraries: str
    lines: int


HOMES: Final = (
    Home("/srv/payments/app", "/opt/venvs/payments/lib/python3.12/site-packages/", 11),
    Home("/home/ci/work/billing", "/home/ci/.venv/lib/python3.11/site-packages/", 4),
    Home("/Users/eva/code/shop", "/Users/eva/code/shop/.venv/lib/python3.13/site-packages/", 27),
)
"""Of two repositories that have had the failure, and of whoever asks."""


def moved(text: str, home: Home) -> str:
    """Give an output of the benchmark as it looks in another home."""
    text = re.sub(r"(?<![\w/.-])project(?=[/'\"\s:)])", home.project, text)
    text = text.replace("venv/lib/python/site-packages/", home.libraries)
    return _LINE.sub(lambda match: f"{match[1]}{int(match[2]) + home.lines}", text)


def look_alikes(text: str) -> Iterator[tuple[str, str]]:
    """Give the kind and the text of another failure with the same message about something else."""
    failure = main_failure(text)
    message = f"{failure.error_type}: {failure.message}"
    for kind, sentences in _SENTENCES.items():
        for sentence in sentences:
            match = re.search(sentence, message)
            if match and match[1]:
                other = _other(_OTHERS[kind], match[1])
                whole = rf"(?<![\w]){re.escape(match[1])}(?![\w])"
                yield kind, re.sub(whole, other, text)
                break


def _other(names: Sequence[str], name: str) -> str:
    number = hashlib.sha256(name.encode()).digest()[0]
    other = names[number % len(names)]
    ending = name.rpartition(".")[2] if "." in name else ""
    return f"{other.partition('.')[0]}.{ending}" if ending else other.partition(".")[0]
