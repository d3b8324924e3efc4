"""What a tool says of how it tells of its tests: forms of lines, and who follows several lines."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from gitmem.output.cases import CaseOutcome, Group

LISTED: Final = "listed"
"""Of a summary: numbers stand before their words, ``1 failed, 2 passed``."""
NAMED: Final = "named"
"""Of a summary: numbers stand behind their words, ``Failures: 1, Skipped: 2``."""
ALL: Final = "all"
"""Of a number in a fixed order: it counts all tests."""


class CountForm(NamedTuple):
    """A form of a summary that stands in one line.

    Attributes:
        word: stands in each such line.
        pattern: of the line without the blanks around it; a group ``all`` counts all tests.
        numbers: how they are read: ``LISTED``, ``NAMED``, or the statuses (or ``ALL``) of the
            groups in their order; none if nothing ran.
        again: it may be printed several times for one run, and the last one counts.
        whole: it counts all tests of the run, those too that were counted above.

    """

    word: str
    pattern: str
    numbers: str | tuple[str, ...] = ()
    again: bool = False
    whole: bool = False


class LineForm(NamedTuple):
    """A form of a line that tells all about one test.

    Attributes:
        word: stands in each such line.
        pattern: of the line without the blanks around it. Groups: ``name``, or ``test`` and
            ``owner``; ``word`` for how it ended, or ``said`` if ``ToolTests.status`` reads that;
            ``seconds`` or ``ms``; ``where`` for the file or package.

    """

    word: str
    pattern: str


class GroupForm(NamedTuple):
    """A form of a line that tells of the tests of a file, a class or a package together.

    Attributes:
        pattern: of the line without the blanks around it. Groups: ``name``; ``bad`` is there if
            something failed, or ``mark`` is one of tests that did not pass; ``dots`` has a sign
            for each test, ``numbers`` a listed summary that begins with the number of all, ``all``
            that number, beside groups named as statuses.
        more: pattern of lines below that go on with ``dots``.
        signs: the status of each sign.
    """

    pattern: str
    more: str = ""
    signs: Mapping[str, str] = MappingProxyType({})


class MarkedTitle(NamedTuple):
    """A title with a mark before it, which says how the test of that title ended.

    Attributes:
        title: without what only says how long it took.
        status: how the test ended.
        depth: how many blanks stand before the mark.
        above: titles of the suites that it is in, the outermost first.
        top: the last line that stands at the margin.
        file: whose tests are told of; empty if nobody says.
        own: the tool itself told the file.
    """

    title: str
    status: str
    depth: int
    above: tuple[str, ...] = ()
    top: str = ""
    file: str = ""
    own: bool = False


class Follower(Protocol):
    """Follows what a runner tells in several lines; takes them in order.

    Attributes:
        where: the file, package or binary of the tests that come next, if their lines do not say.
        names_each: it was told that each test gets a line, those that pass, too.
    """

    where: str = ""
    names_each: bool = False

    def read(self, line: str) -> Sequence[CaseOutcome | Group] | None:
        """Take a line as it stands; give what it tells, None if others may read it, too."""

    def rest(self) -> Sequence[CaseOutcome]:
        """Give what was kept back and not given yet, once the output is at its end."""
        return ()
