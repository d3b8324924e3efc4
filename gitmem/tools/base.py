"""What can be known of a tool: the one form that the rest of the product sees.

A tool is a module of this package with a constant ``TOOL``; every part has a default, so a tool
says only what it is about. Fields are of two kinds. *Data* (texts, numbers, patterns as texts) are
collected in ``index``, which is generated, so that whoever asks for them imports no tool.
*Callables* are asked of the tool itself, which is imported then.

Patterns of several tools are joined to one, in the order of the tools; they are texts and hold no
group that others could bear, too.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from gitmem.tools.code_parts import ToolFiles, ToolFrames, ToolIdentity, ToolSilence, ToolTitle
from gitmem.tools.output_parts import (
    CaseName,
    CaseText,
    EventReader,
    Parse,
    ToolOutput,
    ToolReports,
    ToolTests,
)

__all__ = [
    "CaseName",
    "CaseText",
    "EventReader",
    "Parse",
    "Tool",
    "ToolCommand",
    "ToolEnding",
    "ToolFiles",
    "ToolFrames",
    "ToolIdentity",
    "ToolOutput",
    "ToolReports",
    "ToolSilence",
    "ToolTests",
    "ToolTitle",
]


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
        harmless: rules that are broken without a change of what it says of other code.
        by_file: it is asked about files: what it says of one does not hang on which others.
        by_name: its arguments can be names of tests.
        lists_all: first argument with which it goes on after a test that failed, and names each
            that did; empty: it may not.
        unreadable: rules that a file breaks which it can't read.
        unreadable_types: types of errors in code of its language that nobody can read.
        interrupted: types of errors by which code of its language tells that somebody stopped it:
            nothing failed.

    """

    codes: frozenset[int] = frozenset()
    no_tests: int | None = None
    early: str = ""
    early_alone: str = ""
    at_once: str = ""
    stopped: tuple[str, ...] = ()
    apart: bool = False
    harmless: tuple[str, ...] = ()
    by_file: bool = False
    by_name: bool = False
    lists_all: str = ""
    unreadable: tuple[str, ...] = ()
    unreadable_types: tuple[str, ...] = ()
    interrupted: tuple[str, ...] = ()


class Tool(NamedTuple):
    """One tool.

    Attributes:
        name: of its module; failures and records bear it, unless ``bears`` says another.
        order: the more specific is asked first.
        language: of the code that it is about.
        languages: of other code that it is about, by the ending of the file's name: ``.cc``.
        names: other names of it, as editors, reports and people write them, lower case, each with
            the language of the code if that is told by the name; empty: the tool's.
        bears: names in failures and records where its own is not the only one, the one first that
            stands there if no more is known: its output says it of a part of it (``ld``), or
            looks like another tool's (Flake8's like Ruff's).
        sources: the names, as editors write them behind a message, before its code in brackets.
        output: how its output is read.
        tests: how it tells of tests.
        command: how command lines start it.
        ending: how its runs end.
        silence: what only hides its failures.
        frames: whose code a frame is.
        identity: what makes two of its failures the same.
        title: what a failure of it is called in one line.
        files: which files are its own.
        reports: which reports it writes.
        diagnostic: makes of a code and a message, as a language server gives them, what the tool
            says on a terminal.

    """

    name: str
    order: int = 500
    language: str = ""
    languages: Mapping[str, str] = MappingProxyType({})
    names: Mapping[str, str] = MappingProxyType({})
    bears: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    output: ToolOutput = ToolOutput()
    tests: ToolTests = ToolTests()
    command: ToolCommand = ToolCommand()
    ending: ToolEnding = ToolEnding()
    silence: ToolSilence = ToolSilence()
    frames: ToolFrames = ToolFrames()
    identity: ToolIdentity = ToolIdentity()
    title: ToolTitle = ToolTitle()
    files: ToolFiles = ToolFiles()
    reports: ToolReports = ToolReports()
    diagnostic: Callable[[str, str], tuple[str, str]] | None = None
