"""Find the lines of an output that may tell how a test ended, by how they begin and end.

What they say is read by ``gathered``, which is loaded with the first of them: most outputs that
somebody pastes have none.
"""

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import ENDED, MARKS
from gitmem.tools.choice import pattern, values

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from gitmem.matching.outcomes.gathered import Outcomes
    from gitmem.output.cases import CaseOutcome, Report
    from gitmem.output.failure import Failure

_DIGITS: Final = frozenset("0123456789")
_LONGEST_END: Final = max(map(len, ENDED))
_BLANKS: Final = frozenset(
    "\t\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What may stand around a line that tells."""
_SHORT: Final = 8_192
"""Characters of a text of which no pattern is compiled to tell that it has no number of tests."""


class Signs(NamedTuple):
    """What lines are looked for; see the fields of ``ToolTests``.

    Attributes:
        begins: by the first character of a line how it begins.
        ends: by its last character how it ends.
        inside: texts; lines in which one stands are tried for a shape.
        around: texts; lines of a block in which one stands are.
        around_numbers: texts; lines of such a block that begin with a digit are.
        number: a number that may count tests; most lines that begin with one begin with a time.
        shape: what is told neither by the beginning nor by the end.
        firsts, lasts: characters at the edges of lines that may tell; digits come beside.
        any_number: a line break and a number that may count tests.

    """

    begins: "Mapping[str, tuple[str, ...]]"
    ends: "Mapping[str, tuple[str, ...]]"
    inside: tuple[str, ...]
    around: tuple[str, ...]
    around_numbers: tuple[str, ...]
    number: "re.Pattern[str]"
    shape: "re.Pattern[str]"
    firsts: frozenset[str]
    lasts: frozenset[str]
    any_number: "re.Pattern[str]"


@cache
def signs() -> Signs:
    """Collect the signs of all runners."""
    begins, ends = _by_character(_texts("begins"), 0), _by_character(_texts("ends"), -1)
    number = rf"\d++(?:{pattern('tests.numbered').pattern})"
    return Signs(
        begins,
        ends,
        _texts("inside"),
        _texts("around"),
        _texts("around_numbers"),
        lazily(number),
        pattern("tests.shape"),
        _BLANKS.union(begins, (each[0] for each in ENDED)),
        _BLANKS.union(ends),
        lazily(rf"\n\s*+{number}"),
    )


def _texts(field: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for own in values(f"tests.{field}").values() for text in own))


def _by_character(texts: tuple[str, ...], at: int) -> dict[str, tuple[str, ...]]:
    by_character: dict[str, tuple[str, ...]] = {}
    for text in texts:
        by_character[text[at]] = (*by_character.get(text[at], ()), text)
    return by_character


class OutcomeReader:
    """Takes the lines of an output in order, and tells how its tests ended."""

    def __init__(self) -> None:
        self._line = 0  # number of the line at hand
        self._outcomes: Outcomes | None = None

    def feed(self, text: str, lines: "Sequence[str]") -> dict[int, bool]:
        """Take a block, as cleaned text and as its lines.

        Returns:
            The numbers of those that told how tests ended; whether one test is said to have passed.

        """
        own = signs()
        begins, ends, around, number_of_tests = own.begins, own.ends, own.around, own.number
        tree = not text.isascii() and any(mark in text for mark in MARKS)
        every = tree or any(sign in text for sign in around)
        numbers = any(sign in text for sign in own.around_numbers)
        inside = tuple(sign for sign in own.inside if sign in text)
        understood: dict[int, bool] = {}
        # Half of a log's lines begin with a time.
        counts = numbers or len(text) < _SHORT or own.any_number.search("\n" + text)
        firsts, lasts = (own.firsts | _DIGITS if counts else own.firsts), own.lasts
        all_lines = every or inside
        for number, line in enumerate(lines):
            if not (all_lines or line[:1] in firsts or line[-1:] in lasts):
                continue
            if not (bare := line.strip()):
                continue
            first, last = bare[0], bare[-1]
            sure = (
                (first in begins and bare.startswith(begins[first]))
                or (last in ends and bare.endswith(ends[last]))
                or (len(bare) <= _LONGEST_END and bare in ENDED)
            )
            counting = first in _DIGITS and (numbers or number_of_tests.match(bare))
            worth = sure or every or counting
            if inside and not worth:
                for sign in inside:  # no generator: a log can have it in each of its lines
                    if sign in bare:
                        worth = True
                        break
            if worth:
                outcomes = self._gathered()
                outcomes.line = self._line + number
                if outcomes.take(line, bare, sure=sure, tree=tree):
                    understood[number] = outcomes.passed
        if self._outcomes:
            self._outcomes.read_below(self._line, lines)
        self._line += len(lines)
        return understood

    def failing(self) -> "list[tuple[int, int, CaseOutcome]]":
        """Give the tests that failed, where that is told, and up to which line theirs goes.

        Only those of runners that are surely known; the second line is 0 where what a test
        printed does not stand below.
        """
        return self._outcomes.failing() if self._outcomes else []

    def report(self, failures: "Sequence[Failure]") -> "Report | None":
        """Make a report of what was read; None if no runner said anything of a test.

        Args:
            failures: what went wrong, as the parsers read it from the same output.

        """
        if self._outcomes is None and not any(failure.test for failure in failures):
            return None
        return self._gathered().report(failures)

    def _gathered(self) -> "Outcomes":
        if self._outcomes is None:
            from gitmem.matching.outcomes.gathered import Outcomes

            self._outcomes = Outcomes(signs().number, signs().shape)
        return self._outcomes
