"""Parts of a tool about what it prints and writes: outputs, outcomes of tests, reports."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gitmem.output.failure import ParserResult

if TYPE_CHECKING:
    from gitmem.output.cases import CaseOutcome
    from gitmem.tools.forms import CountForm, Follower, GroupForm, LineForm, MarkedTitle

Parse = Callable[[Sequence[str], int, int], ParserResult | None]
"""Reads the failure that begins at a line: lines, its index, the index before which all is used."""


class EventReader(Protocol):
    """Turns the events of an output back into the lines that people see; takes blocks in order."""

    def plain(self, text: str) -> str:
        """Give a block with its events as lines."""

    def rest(self) -> str:
        """Give what was kept back and not given yet."""


class ToolOutput(NamedTuple):
    """How what a tool prints is read.

    Attributes:
        words: of which one stands in a line before the tool is asked about it.
        beside: words after which it is asked, too, on a line that another word makes worth a
            look: they stand in too many lines that tell of no failure.
        needs: pattern of something without which ``parse`` reads nothing, in the line or around
            it: what reads a tool is not loaded before it stands there.
        commands: names in a command line, beside those of the tool's own programs
            (``ToolCommand``), after which it is asked first: of what starts the tool.
        parse: reads a failure.
        like: other tools, whose ``parse`` reads this one's output as well.
        events: a sign that stands in each event, where a tool can print these.
        plain: makes what turns such events into lines.
        closing: pattern of lines at the end of an output that only close it: they count, repeat
            or name a log, and never say what went wrong.
        ends_step: it says that a step of a build failed: what stands above was said in it.
        missing_program: it says of a program of a command line that there is none.
        of_lines: what it says is of a command line, whoever typed it, rather than of code.

    """

    words: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    needs: str = ""
    commands: tuple[str, ...] = ()
    parse: Parse | None = None
    like: tuple[str, ...] = ()
    events: str = ""
    plain: Callable[[], EventReader] | None = None
    closing: str = ""
    ends_step: bool = False
    missing_program: bool = False
    of_lines: bool = False


class ToolTests(NamedTuple):
    """How a runner tells of its tests, beside what went wrong in them.

    Patterns are those of the beginning of a line without the blanks around it, unless told
    otherwise.

    Attributes:
        begins: how lines begin that tell of tests: only those are looked at.
        ends: how such lines end, if they begin in any way.
        numbered: pattern of what follows a number at the beginning of such a line.
        shape: pattern of such lines that neither begin nor end in a way of their own.
        inside: texts; a line in which one stands is tried for ``shape``.
        around: texts; each line of a block of output in which one stands is tried for it.
        around_numbers: the same, of lines that begin with a digit.
        lines: forms of lines that tell all about a test.
        name: makes of a name in such a line the one that the test has in all outputs.
        status: reads from what such a line has ``said`` how the test ended, and what of that is
            to be told of a failure.
        opens: patterns of lines that say which test runs, while how it ended stands below; they
            are held against the line and a blank. Groups: ``name``, or ``test`` and ``owner``.
        closes: pattern of a line that says, in a group ``word``, how that test ended.
        groups: forms of lines that tell of many tests together.
        counts: forms of summaries.
        parts: pattern of a number of a summary that has a line for each, in groups ``word`` and
            ``number``.
        verdict: pattern of the line that ends a summary whose ``parts`` only count all tests;
            a group ``parts`` has the numbers of those that did not simply pass.
        restarts: pattern of lines with which a run begins anew, so that a summary that follows is
            another's, not the same once more.
        follows: pattern of lines, as they stand, from the first of which on ``follow`` is needed.
        follow: makes what follows the lines.
        title_start: how a line begins, from which on marked titles are the tool's own.
        title_file: pattern of a line that names the file whose marked titles follow (``name``).
        title_joint: stands in marked titles that are the tool's own, whatever is above.
        title_outcome: makes a test of a marked title of its own; none if too little is known.
        titles_end: pattern of lines below which tests that failed are only told again.
        titles_beside: pattern of lines that stand between titles and are none.
        names_failing: a test that it only names as failed is a failure.
        names_each: each test gets a line, those that pass, too.
        names_empty: what had no tests to run is told of as a group without any.
        prints_below: pattern of lines that end what a test printed, where that stands below its
            own line; the next one's ends it, too.
        counts_points: the summary counts assertions rather than tests.
        counts_skipped: the summary takes what was skipped for passed; the lines tell it right.
        wrapped_by: tools of which one test runs all of this one's, and fails with them.
        qualified: packages and classes stand before a test's name, with dots between them.
        suffixes: pattern of endings of names of test files that no language has.

    """

    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    numbered: str = ""
    shape: str = ""
    inside: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    around_numbers: tuple[str, ...] = ()
    lines: "tuple[LineForm, ...]" = ()
    name: Callable[[str], str] | None = None
    status: Callable[[str], tuple[str, str]] | None = None
    opens: tuple[str, ...] = ()
    closes: str = ""
    groups: "tuple[GroupForm, ...]" = ()
    counts: "tuple[CountForm, ...]" = ()
    parts: str = ""
    verdict: str = ""
    restarts: str = ""
    follows: str = ""
    follow: "Callable[[], Follower] | None" = None
    title_start: str = ""
    title_file: str = ""
    title_joint: str = ""
    title_outcome: "Callable[[MarkedTitle], CaseOutcome | None] | None" = None
    titles_end: str = ""
    titles_beside: str = ""
    names_failing: bool = False
    names_each: bool = False
    names_empty: bool = False
    prints_below: str = ""
    counts_points: bool = False
    counts_skipped: bool = False
    wrapped_by: tuple[str, ...] = ()
    qualified: bool = False
    suffixes: str = ""


class CaseText(Protocol):
    """Gives what a report says of a case as the tool's own output has it, for its reader."""

    def __call__(self, name: str, text: str, *, collecting: bool) -> str:
        """Give the text.

        Args:
            name: of the case.
            text: what the report says.
            collecting: the case is a file that could not be collected.

        """


class CaseName(Protocol):
    """Gives the name that a tool's output has for a case of a report in JUnit XML."""

    def __call__(self, owner: str, name: str, *, file: str, messages: Collection[str]) -> str:
        """Give the name.

        Args:
            owner: the class that the report names.
            name: the test that the report names.
            file: the file that the report names; empty if it names none.
            messages: heads of what went wrong in it.

        """


class ToolReports(NamedTuple):
    """Reports that a tool writes.

    Attributes:
        suites: pattern of names of whatever stands in JUnit XML, which only its reports hold.
        texts: pattern of what only its reports hold in the text of a case that failed.
        traces: pattern of what such a text holds if the code is of its language, whoever ran it.
        class_name: the class that it gives every test; the suites around a test then name it.
        files: endings of names of cases that are files: they could not be loaded.
        joint: what stands between class and test in the names of its tests.
        kinds: pattern of types of failures, in JUnit XML, that say nothing of what went wrong.
        heads: pattern of what it writes there before the message.
        name: names a case as its output does.
        programs: a class is the program that has the test, which its output tells beside the name.
        case: a case as its output.
        statuses: pattern of an attribute ``status``, in JUnit XML, of cases that did not pass,
            which only its reports hold where class and test are one name.
        not_run: pattern of what it writes of a test as if that were skipped, though it could not
            run, which failed.
        in_output: pattern of messages that say nothing: what the test printed says it.
        sums: pattern of messages that only count what else went wrong in the same case.
        folder: in which each module of a build has results, as parts of a path.
        options: pattern of options that are followed by the name of the file for a report.
        plugin: variable that names to our plugin for it the folder for a report.
        form: form of reports that only it writes, as ``--format`` names it.
        form_title: what people call this form.
        form_signs: patterns that all are found near the beginning of such a report.

    """

    suites: str = ""
    texts: str = ""
    traces: str = ""
    class_name: str = ""
    files: tuple[str, ...] = ()
    joint: str = ""
    kinds: str = ""
    heads: str = ""
    name: CaseName | None = None
    programs: bool = False
    case: CaseText | None = None
    statuses: str = ""
    not_run: str = ""
    in_output: str = ""
    sums: str = ""
    folder: tuple[str, ...] = ()
    options: str = ""
    plugin: str = ""
    form: str = ""
    form_title: str = ""
    form_signs: tuple[str, ...] = ()
