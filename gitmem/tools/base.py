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

    Attributes:
        names_failing: a test that it only names as failed is a failure.
    """

    names_failing: bool = False


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

    Nearly all are patterns, the alternatives of one apart, so that what several tools share is
    looked for once. They are searched for in a line. Of two that match at the same place the
    earlier tool's is counted, so they should match alike there. Names of files are patterns of
    whole names, without folders.

    Attributes:
        skips: what leaves a test out, or lets it fail.
        inverts: what lets a test pass because it fails.
        defines: words that are called to define a test, such as ``it``; no patterns.
        groups: words that are called around several tests, such as ``describe``; no patterns.
        covers: words that begin a statement about all tests of a file; no patterns.
        asserts: what only a test asks, where no function around it tells that it is one.
        example: how a line of an example begins that is run as a test.
        allows: what keeps a linter or a type checker from speaking.
        passes: what lets a command pass that fails.
        steps: names of files whose lines are steps that are run.
        unheard: a step in such a file whose failure counts for nothing.
        settings: names of files with settings of linters and type checkers.
        looser: a rule that is switched off in such a file.
        runner_settings: names of files with settings of runners.
        narrower: what leaves tests out in such a file.
        bars: patterns of names of figures to reach, each with whether more of it is looser.

    """

    skips: tuple[str, ...] = ()
    inverts: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    asserts: tuple[str, ...] = ()
    example: tuple[str, ...] = ()
    allows: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    unheard: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    looser: tuple[str, ...] = ()
    runner_settings: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    bars: Mapping[str, bool] = MappingProxyType({})


class ToolFrames(NamedTuple):
    """Whose code a frame is, as the tool's and its language's traces write it.

    Most are patterns, the alternatives of one apart. Those of folders, and of functions that
    assert, match a name alone: ``common.frames`` says what may stand around it.

    Attributes:
        folders: folders with code of others, at any depth.
        paths: what else in a path tells that it leads to code of others; searched for.
        roots: the beginnings of such paths.
        files: what stands in the place of a file where the code is nobody's own; no patterns.
        names: the beginnings of names of functions that are others', by the language.
        libraries: folders of libraries, rather than of the language or a runner.
        library_names: the beginnings of names of a library's functions, by the language.
        runner: folders and modules of a runner's own code.
        asserting: functions that only say that something is not as it should be.
        raising: functions that make or raise an error for whoever found it; searched for.
        clean: what compilers and interpreters put around a function's name: when it is taken
            away (the lower number first; those of one number and text at once), a pattern, and
            the text that takes its place.
        nameless: names of functions that stand for none; no patterns.
        evidence: paths of code of others for ranking texts that are alike; searched for.
        evidence_names: the beginnings of names of functions for that, in any language.

    """

    folders: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    names: Mapping[str, str] = MappingProxyType({})
    libraries: tuple[str, ...] = ()
    library_names: Mapping[str, str] = MappingProxyType({})
    runner: tuple[str, ...] = ()
    asserting: tuple[str, ...] = ()
    raising: tuple[str, ...] = ()
    clean: tuple[tuple[int, str, str], ...] = ()
    nameless: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    evidence_names: tuple[str, ...] = ()


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
