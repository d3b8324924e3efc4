"""How many tests ended how, added up from the summaries of an output."""

from collections import Counter

from gitmem.matching.outcomes.counts import SummaryNumber, read_count, read_part, read_verdict
from gitmem.output.cases import FAILED, PASSED
from gitmem.tools.choice import values


class Totals:
    """Adds up what summaries say.

    Args:
        tools: how often each runner told something; what is read here is counted there.

    """

    def __init__(self, tools: Counter[str]) -> None:
        self._tools = tools
        self._counts: dict[str, Counter[str]] = {}
        self._last: dict[str, dict[str, int]] = {}  # of summaries that are printed again and again
        self._parts: dict[str, Counter[str]] = {}
        self._ran: dict[str, int] = {}  # of all tests, where how they ended stands below

    def __bool__(self) -> bool:
        return bool(self._counts or self._parts)

    def read(self, bare: str) -> bool:
        """Take a line without the blanks around it; tell whether it was of a summary."""
        if count := read_count(bare):
            self._tools[count.tool] += 1
            if count.again:
                self._last[count.tool] = count.numbers
            else:
                self._add(count.tool, count.numbers)
        elif part := read_part(bare):
            self._part(part)
        else:
            return any(self._verdict(tool, bare) for tool in [*self._ran])
        return True

    def _part(self, part: SummaryNumber) -> None:
        if part.tool in values("tests.verdict"):
            self._ran[part.tool] = part.number
            return
        numbers = self._parts.setdefault(part.tool, Counter({PASSED: 0}))
        if part.status:
            numbers[part.status] += part.number
            self._tools[part.tool] += 1

    def _verdict(self, tool: str, bare: str) -> bool:
        numbers = read_verdict(tool, bare)
        if numbers is None:
            return False
        bad = sum(numbers.values())
        numbers[PASSED] = numbers.get(PASSED, 0) + max(0, self._ran.pop(tool) - bad)
        self._add(tool, {FAILED: 0, **numbers})
        self._tools[tool] += 1
        return True

    def _add(self, tool: str, numbers: dict[str, int]) -> None:
        self._counts.setdefault(tool, Counter()).update(numbers)

    def commit(self, tool: str) -> None:
        """Add the last summary of a runner: the next one is of another run."""
        if numbers := self._last.pop(tool, None):
            self._add(tool, numbers)

    def commit_all(self) -> None:
        """Add the last summaries of all runners, once the output is at its end."""
        for tool in [*self._last]:
            self.commit(tool)

    def all(self) -> list[Counter[str]]:
        """Give what each runner counted, assertions left out."""
        every = [*self._counts.values()]
        if not self._tools.keys() & values("tests.counts_points").keys():
            every += self._parts.values()
        return every
