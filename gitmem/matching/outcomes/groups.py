"""Files, classes and packages whose tests a runner tells of together, in one line."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.outcomes.counts import listed
from gitmem.matching.outcomes.tree import VITEST_FILE
from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED, Group

_DOTS: Final = r"(?P<dots>[.FEsxXRu]+)\s*(?:\[ *\d+%\])?$"
_PYTEST: Final = lazily(rf"(?P<name>\S+\.\w+) {_DOTS}")
_PYTEST_MORE: Final = lazily(rf"{_DOTS}")
_JEST: Final = lazily(r"(?P<word>PASS|FAIL) +(?P<name>\S+\.[cm]?[jt]sx?)(?: \(\d[\d.]* m?s\))?$")
_MAVEN: Final = lazily(
    r"(?:\[\w+\] )?Tests run: (?P<all>\d+), Failures: (?P<failed>\d+), Errors: (?P<error>\d+), "
    r"Skipped: (?P<skipped>\d+), Time elapsed: .* (?:--? )?in (?P<name>[\w.$]+)$"
)
_SIGNS: Final = {
    ".": PASSED, "X": PASSED, "F": FAILED, "E": ERROR, "s": SKIPPED, "x": SKIPPED, "u": FAILED,
}  # fmt: skip


class Groups:
    """Gathers the groups of an output."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._dotted = ""

    def all(self) -> tuple[Group, ...]:
        """Give the groups in order of appearance."""
        return tuple(self._groups.values())

    def add(self, name: str, *, bad: bool, numbers: Mapping[str, int] | None) -> None:
        """Take a group; of one that is told twice the later word counts."""
        self._groups[name] = Group(name, bad, numbers)

    def read(self, line: str) -> bool:
        """Take a line without the blanks around it; tell whether it was about a group."""
        dotted, self._dotted = self._dotted, ""
        if dots := _PYTEST.match(line):
            self._dots(dots["name"], dots["dots"])
        elif dotted and (dots := _PYTEST_MORE.match(line)):
            self._dots(dotted, dots["dots"])
        elif jest := _JEST.match(line):
            self.add(jest["name"], bad=jest["word"] == "FAIL", numbers=None)
        elif vitest := VITEST_FILE.match(line):
            self._vitest(vitest)
        elif maven := _MAVEN.match(line):
            numbers = {status: int(maven[status]) for status in (FAILED, ERROR, SKIPPED)}
            numbers[PASSED] = int(maven["all"]) - sum(numbers.values())
            bad = bool(numbers[FAILED] or numbers[ERROR])
            if numbers[PASSED] or bad or numbers[SKIPPED]:  # those of nested classes are theirs
                self.add(maven["name"], bad=bad, numbers=numbers)
        else:
            return False
        return True

    def _dots(self, name: str, dots: str) -> None:
        group = self._groups.get(name)
        numbers = Counter(group.counts if group and group.counts else {})
        numbers.update(_SIGNS[sign] for sign in dots if sign in _SIGNS)
        self.add(name, bad=bool(numbers[FAILED] or numbers[ERROR]), numbers=dict(numbers))
        self._dotted = name

    def _vitest(self, match: re.Match[str]) -> None:
        numbers_text = match["numbers"]
        numbers = listed(numbers_text)
        whole = re.match(r"\d+", numbers_text)
        rest = int(whole[0]) - sum(numbers.values()) if whole else 0
        numbers[PASSED] = max(0, rest)
        bad = match[0][:1] in "\u276f\xd7" or bool(numbers[FAILED])
        self.add(match["file"], bad=bad, numbers=numbers if int(whole[0] if whole else 0) else {})
