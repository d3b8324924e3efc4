"""What can be known of a tool: the one form that the rest of the product sees.

A tool is a module of this package with a constant ``TOOL``; every part has a default, so a tool
says only what it is about. Fields are of two kinds. *Data* (texts, numbers, patterns as texts) are
collected in ``index``, which is generated, so that whoever asks for them imports no tool.
*Callables* are asked of the tool itself, which is imported then.

Patterns of several tools are joined to one, in the order of the tools; they are texts and hold no
group that others could bear, too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

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
    """Files that belong to a tool, what they say of a project, and what lies around it.

    A form of a name is one of a file in any folder, as ``fnmatch`` reads it.

    Attributes:
        tests: pattern of paths of files that hold tests, or what only these use; from the
            beginning of the path to its end.
        collects: pattern of paths of files in which the runner looks for tests by their names.
        manifests: forms of names of files in which people write dependencies.
        locks: forms of names of files that the tool writes of these.
        supplies: forms of names of files whose edit can bring what was missing around the code,
            such as a package or a program.
        generated: forms of names of other files that nobody writes by hand.
        noise: forms of names of logs, caches and measurements: no file to which an edit goes.
        folders: names of folders with nothing else in them.
        settings: forms of names of settings files, each with the tool's name for people; one with
            a ``/`` at its end is a folder, from the project's top.
        sections: of a table ``tool`` in a file of TOML, each with the tool's name for people.
        reads: forms of names of manifests that ``read`` knows, each with the name for people of
            the language that they are about.
        read: gives what a manifest says, by the fields of ``learning.manifests.Manifest``, and
            as ``sections`` those of its table ``tool``. It gets the data of a file of JSON or
            TOML, and of others the text; what it stumbles over makes a broken manifest.
        turn: tools with lower numbers are told first where a project is built and tested.
        commands: files at a project's top by whose presence alone it is built and tested with
            these commands.
        signs: files at the top that other tools have, too, each with a text in them, with which
            the commands of the first file of ``commands`` count, if none of those is there.
        wrapper: a script at the top that stands for the first word of a command.
        runs: files at the top that list what can be run, each with how such a command begins.
            Of tools with the same file the one whose lock lies beside it counts, else the last.
        targets: gives what such a file lists; it gets what ``read`` would.
        installed: the folder in which packages lie, from that of a command; a ``*`` at the end of
            a part stands for any rest.
        interpreters: programs of which the first on the path leads to ``installed``: it lies in
            the folder above that of the program.
        distribution: the ending of names there that tell a package and, after a ``-``, its
            version; without one each name is a package's.
        variables: of the environment, that the tool sets anew for each test.

    """

    tests: str = ""
    collects: str = ""
    manifests: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()
    supplies: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()
    folders: frozenset[str] = frozenset()
    settings: Mapping[str, str] = MappingProxyType({})
    sections: Mapping[str, str] = MappingProxyType({})
    reads: Mapping[str, str] = MappingProxyType({})
    read: Callable[[Any], Mapping[str, Any]] | None = None
    turn: int = 0
    commands: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    signs: Mapping[str, str] = MappingProxyType({})
    wrapper: str = ""
    runs: Mapping[str, str] = MappingProxyType({})
    targets: Callable[[Any], Iterable[str]] | None = None
    installed: str = ""
    interpreters: tuple[str, ...] = ()
    distribution: str = ""
    variables: tuple[str, ...] = ()


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
