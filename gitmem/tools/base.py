"""What can be known of a tool: the one form that the rest of the product sees.

A tool is a module of this package with a constant ``TOOL``; every part has a default, so a tool
says only what it is about. Fields are of two kinds. *Data* (texts, numbers, patterns as texts) are
collected in ``index``, which is generated, so that whoever asks for them imports no tool.
*Callables* are asked of the tool itself, which is imported then.

Patterns of several tools are joined to one, in the order of the tools; they are texts and hold no
group that others could bear, too.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from gitmem.output.failure import ParserResult

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
        commands: names in a command line, beside those of the tool's own programs, after which
            it is asked first: of what starts the tool, such as ``tox``.
        parse: reads a failure.
        like: other tools, whose ``parse`` reads this one's output as well.
        events: a sign that stands in each event, where a tool can print these.
        plain: makes what turns such events into lines.
        closing: pattern of lines at the end of an output that only close it: they count, repeat
            or name a log, and never say what went wrong.

    """

    words: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    parse: Parse | None = None
    like: tuple[str, ...] = ()
    events: str = ""
    plain: Callable[[], EventReader] | None = None
    closing: str = ""


class ToolTests(NamedTuple):
    """How a runner tells of its tests, beside what went wrong in them.

    Attributes:
        names_failing: a test that it only names as failed is a failure.
    """

    names_failing: bool = False


class ToolCommand(NamedTuple):
    """How a command line starts a tool, and what it then asks for.

    Attributes:
        programs: names of the tool's own programs, the usual one first.
    """

    programs: tuple[str, ...] = ()


class ToolEnding(NamedTuple):
    """How a run of a tool ends, and whether all was said by then.

    Options are compared with whole words of a command line.

    Attributes:
        codes: how it exits when it came to its end and something failed; only of a tool that has
            named all failures by then.
        no_tests: how it exits where there was no test to run: nothing failed.
        early: pattern of options with which it ends earlier, or leaves out what did not fail last
            time, whichever program they are given to: what starts the tool may pass them on.
        early_alone: pattern of such options that mean something else to other tools: they count
            where the tool itself is started.
        at_once: pattern of options with which tests run beside each other, so in no order.
        stopped: what it says when it stopped before the end, or could not look at everything.
        apart: its failures are independent; without, a new one may change what others say.
        by_file: it is asked about files: what it says of one does not hang on which others.
        by_name: its arguments can be names of tests.
        lists_all: first argument with which it goes on after a test that failed, and names each
            that did; empty: it may not.
        unreadable: rules that a file breaks which it can't read.
        unreadable_types: types of errors in code of its language that nobody can read.

    """

    codes: frozenset[int] = frozenset()
    no_tests: int | None = None
    early: str = ""
    early_alone: str = ""
    at_once: str = ""
    stopped: tuple[str, ...] = ()
    apart: bool = False
    by_file: bool = False
    by_name: bool = False
    lists_all: str = ""
    unreadable: tuple[str, ...] = ()
    unreadable_types: tuple[str, ...] = ()


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
        case: a case as its output.
        folder: in which each module of a build has results, as parts of a path.
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
    case: CaseText | None = None
    folder: tuple[str, ...] = ()
    plugin: str = ""
    form: str = ""
    form_title: str = ""
    form_signs: tuple[str, ...] = ()


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
