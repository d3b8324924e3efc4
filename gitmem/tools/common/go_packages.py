"""Tests of Go, whose package is told below them."""

from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import WORDS, CaseOutcome, Group
from gitmem.tools.forms import Follower

_TEST: Final = lazily(
    r" *--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+) \((?P<seconds>\d+(?:\.\d+)?)s\)$"
)
_PACKAGE: Final = lazily(r"(?P<word>ok  |FAIL|\?   )\t(?P<name>\S+)(?P<rest>(?:[\t ].*)?)$")
_EMPTY: Final = ("no test files", "no tests to run")


class GoPackages(Follower):
    """Keeps tests until the line of their package."""

    def __init__(self) -> None:
        self._waiting: list[CaseOutcome] = []

    def read(self, line: str) -> Sequence[CaseOutcome | Group] | None:
        """Take a line as it stands; at that of a package give this and its tests."""
        if test := _TEST.match(line):
            status = WORDS[test["word"].lower()]
            seconds = float(test["seconds"])
            self._waiting.append(CaseOutcome("go", test["name"], status, "", seconds))
            return ()
        if package := _PACKAGE.match(line):
            name, rest = package["name"], package["rest"]
            if name.startswith("["):  # it could not be built, and is told again
                return ()
            numbers: dict[str, int] | None = {} if any(words in rest for words in _EMPTY) else None
            group = Group(name, package["word"] == "FAIL", numbers)
            return (group, *(outcome._replace(where=name) for outcome in self.rest()))
        # Tests that run are told with -v only, and then those that pass are, too.
        self.names_each = self.names_each or line.lstrip().startswith("=== RUN ")
        return None

    def rest(self) -> Sequence[CaseOutcome]:
        """Give the tests of a package that was never told."""
        waiting, self._waiting = self._waiting, []
        return waiting
