"""Find the lines of an output that may tell how a test ended, by how they begin and end.

What they say is read by ``gathered``, which is loaded with the first of them: most outputs that
somebody pastes have none.
"""

from typing import TYPE_CHECKING, Final

from gitmem.output.outcome import ENDED, MARKS, NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.matching.outcomes.gathered import Outcomes
    from gitmem.output.cases import Report
    from gitmem.output.failure import Failure
    from gitmem.output.outcome import CaseOutcome

# A line is looked at if it begins or ends like one that may tell of a test: by its first and
# its last character, what must stand there.
_BEGINS: Final[dict[str, tuple[str, ...]]] = {
    "o": ("ok ",), "n": ("not ok ", "no tests "), "-": ("--- PASS", "--- FAIL", "--- SKIP"),
    "P": ("PASS", "Passed"), "F": ("FAIL", "Failed"), "E": ("ERROR ",), "X": ("XFAIL ", "XPASS "),
    "S": ("SKIP", "SUBFAILED", "Summary [", "Skipped"), "t": ("test",), "O": ("OK",),
    "T": ("Tests", "TAP version", "Test summary"), "#": ("# ",), "?": ("?   \t",), "}": ("}",),
    "[": ("[gw", "[   ", "[  F", "[  P", "[  S", "[INFO] Tests run", "[ERROR] Tests run",
          "[WARNING] Tests run", "[INFO] No tests", "[ERROR] Failed to execute goal"),
    "=": ("=== RUN ", "= ", "=="), "R": ("Ran ", "Running ", "RUN "), "N": ("NO TESTS", "No test"),
    "D": ("Doc-tests ",), "(": ("(pass) ", "(fail) ", "(skip) ", "(todo) "),
    "\u2139": ("\u2139 ",), "\u2713": ("\u2713 ",), "\u276f": ("\u276f ",),
    "\xd7": ("\xd7 ",), "\u2193": ("\u2193 ",),
}  # fmt: skip
_ENDS: Final[dict[str, tuple[str, ...]]] = {
    "k": (" ok",), "D": ("FAILED", "PASSED", "SKIPPED"), "R": ("ERROR",), "L": ("XFAIL", " FAIL"),
    "S": ("XPASS", ":PASS", " s = S"), "]": ("%]",), ".": (" s = .",), "F": (" s = F",),
    "E": (" s = E", ":IGNORE"), ")": (" tests)",),
}  # fmt: skip
_DIGITS: Final = frozenset("0123456789")
_LONGEST_END: Final = max(map(len, ENDED))


class OutcomeReader:
    """Takes the lines of an output in order, and tells how its tests ended."""

    def __init__(self) -> None:
        self._line = 0  # number of the line at hand
        self._outcomes: Outcomes | None = None

    def feed(self, text: str, lines: "Sequence[str]") -> set[int]:
        """Take a block, as cleaned text and as its lines; give those that told how tests ended."""
        tree = not text.isascii() and any(mark in text for mark in MARKS)
        nodes = "::" in text
        unity = ":FAIL: " in text or ":IGNORE: " in text
        verdicts = any(word in text for word in (":PASS", ":FAIL", ":IGNORE"))
        understood: set[int] = set()
        for number, line in enumerate(lines):
            bare = line.strip()
            if not bare:
                continue
            first, last = bare[0], bare[-1]
            sure = (
                (first in _BEGINS and bare.startswith(_BEGINS[first]))
                or (last in _ENDS and bare.endswith(_ENDS[last]))
                or (len(bare) <= _LONGEST_END and bare in ENDED)
            )
            if (
                sure
                or tree
                or unity
                # Half of a log's lines begin with a time.
                or (first in _DIGITS and (verdicts or NUMBER.match(bare)))
                or (nodes and "::" in bare)
            ):
                outcomes = self._gathered()
                outcomes.line = self._line + number
                if outcomes.take(line, bare, sure=sure, tree=tree):
                    understood.add(number)
        self._line += len(lines)
        if self._outcomes:
            self._outcomes.line = self._line
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

            self._outcomes = Outcomes()
        return self._outcomes
