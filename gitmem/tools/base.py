"""What can be known of a tool: the one form that the rest of the product sees.

A tool is a module of this package with a constant ``TOOL``; every part has a default, so a tool
says only what it is about. Fields are of two kinds. *Data* (texts, numbers, patterns as texts) are
collected in ``index``, which is generated, so that whoever asks for them imports no tool.
*Callables* are asked of the tool itself, which is imported then.

Patterns of several tools are joined to one, in the order of the tools; they are texts and hold no
group that others could bear, too.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gitmem.output.failure import ParserResult

if TYPE_CHECKING:
    from gitmem.output.outcome import CaseOutcome
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
        prints_below: what a test printed stands below its line, up to that of the next.
        counts_points: the summary counts assertions rather than tests.
        counts_skipped: the summary takes what was skipped for passed; the lines tell it right.
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
    prints_below: bool = False
    counts_points: bool = False
    counts_skipped: bool = False
    qualified: bool = False
    suffixes: str = ""


class ToolCommand(NamedTuple):
    """How a command line starts a tool, and what it then asks for.

    What is said of arguments holds for the usual program and its wrappers; the other programs
    only tell whose output a command line will print.

    Attributes:
        programs: names of the tool's own programs, the usual one first.
        wrappers: other names of the usual program, as of scripts that fetch it: ``gradlew``.
        modules: pattern of names of programs that start another one with ``-m``: ``python3 -m``.
        runs_text: pattern of the option after which its programs take a line of shell: ``-c``.
        starts: words before a command line that is started then: ``uv run``.
        comparable: it tests or checks code, so two command lines that differ only in what they
            show ask it for the same.
        only_with: an argument without which the program is no such tool: ``node --test``.
        builds: names of programs that build targets, and are compared by these.
        shows: pattern of whole arguments that only change what is printed, or where a run ends,
            beside those that many tools share.
        narrows: pattern of whole arguments that leave tests out, beside those that many share.
        valued: options that say with their next word how things are shown, beside those that
            many share.
        last_failed: options that run only what failed last, as the tool remembers it.
        only_tests: first arguments with which it runs tests and rewrites no code; an empty text
            for a program that never does anything else.

    """

    programs: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    modules: str = ""
    runs_text: str = ""
    starts: tuple[str, ...] = ()
    comparable: bool = False
    only_with: str = ""
    builds: tuple[str, ...] = ()
    shows: str = ""
    narrows: str = ""
    valued: tuple[str, ...] = ()
    last_failed: tuple[str, ...] = ()
    only_tests: tuple[str, ...] = ()


class ToolEnding(NamedTuple):
    """How a run of a tool ends, and whether all was said by then.

    Attributes:
        codes: how it exits when it came to its end and something failed.
    """

    codes: frozenset[int] = frozenset()


class ToolSilence(NamedTuple):
    """Edits after which a failure is not shown any more, and not fixed.

    Attributes:
        skips: pattern of what leaves a test out, or lets it fail.
    """

    skips: str = ""


class ToolFrames(NamedTuple):
    """Whose code a frame is, as the tool's and its language's traces write it.

    Attributes:
        runner: pattern of paths of a runner's own code.
    """

    runner: str = ""


class ToolIdentity(NamedTuple):
    """What makes two failures of a tool the same.

    Attributes:
        values: quoted names are users, tables and files rather than parts of the code.
    """

    values: bool = False


class ToolFiles(NamedTuple):
    """Files that belong to a tool, and what they say of a project.

    Attributes:
        settings: forms of names of settings files, each with the tool's name for people.
    """

    settings: Mapping[str, str] = MappingProxyType({})


class ToolReports(NamedTuple):
    """Reports that a tool writes.

    Attributes:
        suites: names that it gives to its suites in JUnit XML.
    """

    suites: tuple[str, ...] = ()


class Tool(NamedTuple):
    """One tool.

    Attributes:
        name: that failures and records bear.
        order: the more specific is asked first.
        language: of the code that it is about.
        names: other names of it, as editors, reports and people write them, lower case, each with
            the language of the code if that is told by the name; empty: the tool's.
        output: how its output is read.
        tests: how it tells of tests.
        command: how command lines start it.
        ending: how its runs end.
        silence: what only hides its failures.
        frames: whose code a frame is.
        identity: what makes two of its failures the same.
        files: which files are its own.
        reports: which reports it writes.
        diagnostic: an editor's code and message as the tool says them on a terminal.

    """

    name: str
    order: int = 500
    language: str = ""
    names: Mapping[str, str] = MappingProxyType({})
    output: ToolOutput = ToolOutput()
    tests: ToolTests = ToolTests()
    command: ToolCommand = ToolCommand()
    ending: ToolEnding = ToolEnding()
    silence: ToolSilence = ToolSilence()
    frames: ToolFrames = ToolFrames()
    identity: ToolIdentity = ToolIdentity()
    files: ToolFiles = ToolFiles()
    reports: ToolReports = ToolReports()
    diagnostic: Callable[[str, str], tuple[str, str]] | None = None
