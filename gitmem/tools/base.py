"""What can be known of a tool: the one form that the rest of the product sees.

A tool is a module of this package with a constant ``TOOL``; every part has a default, so a tool
says only what it is about. Fields are of two kinds. *Data* (texts, numbers, patterns as texts) are
collected in ``index``, which is generated, so that whoever asks for them imports no tool.
*Callables* are asked of the tool itself, which is imported then.

Patterns of several tools are joined to one, in the order of the tools; they are texts and hold no
group that others could bear, too.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

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
        by_name: its arguments can be names of tests: what stands between the parts of one.
        by_option: the option before the name of a test; empty: none.
        unprepared: pattern of the name by which it tells that no test of a class or a module could
            be run; a group has what the names of those tests begin with.
        lists_all: first argument with which it goes on after a test that failed, and names each
            that did; empty: it may not.
        linkers: tools that speak of a file only after it was compiled.
        runs_built: first argument with which it builds all of a program, then runs it.
        unreadable: rules that a file breaks which it can't read.
        unreadable_types: types of errors in code of its language that nobody can read.
        interrupted: types of errors by which code of its language tells that somebody stopped it:
            nothing failed.
        uncaught: patterns of what stands in its words on an exception only if nobody caught it: the
            program ended there, and failed.

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
    by_name: str = ""
    by_option: str = ""
    unprepared: str = ""
    lists_all: str = ""
    linkers: tuple[str, ...] = ()
    runs_built: str = ""
    unreadable: tuple[str, ...] = ()
    unreadable_types: tuple[str, ...] = ()
    interrupted: tuple[str, ...] = ()
    uncaught: tuple[str, ...] = ()


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
        definition: pattern of a line of code that begins a test, from the line's beginning; a
            group ``name`` has the name, others may be there.
        mark: pattern of what stands in the line above a function that is a test.
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
    definition: str = ""
    mark: str = ""
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

    Patterns are matched from the beginning of a message, whichever tool the failure bears: who
    imports a report may not know the tool.

    Attributes:
        counts_as: the name that fingerprints take for every name of the tool; empty: each name
            stays as it is written.
        code_prefix: letters before the number in each of its codes: ``TS``.
        prose_code: pattern of codes that people name in prose, without the tool.
        bare_code: people and editors write its codes without the letters, too, so that a number
            of more than three digits is one.
        code_tells: ``code``: each code stands for one message, so the words add nothing;
            ``words``: they tell more than the codes do, and are the same in others of its kind;
            empty: both count.
        code_at_place: codes tell errors apart that are raised at one place.
        assertions: types, without a module, by which failed assertions are raised.
        values: quoted names are users, tables and files rather than parts of the code.
        compares: pattern of masked messages that compare values.
        compares_unmasked: the same of messages in which masks would hide that.
        comparing: words, lower case, that its comparisons consist of beside their values.
        origin: what stands in its comparisons between what was shown and where a value comes from.
        silent: pattern of masked messages that say nothing: that an error was expected and did
            not come, or that a condition without words does not hold.
        only_the_end: without a place its failures say only that a program of tests failed.
        crash: pattern of messages that say only by which signal a program ended.
        guesses: it says what it guesses to be wrong only if that looks so.
        closes_quotes: its messages close each quotation and hold no apostrophe, so that a mark
            which a picture of them lost can be put back.
    """

    counts_as: str = ""
    code_prefix: str = ""
    prose_code: str = ""
    bare_code: bool = False
    code_tells: str = ""
    code_at_place: bool = False
    assertions: tuple[str, ...] = ()
    values: bool = False
    compares: str = ""
    compares_unmasked: str = ""
    comparing: tuple[str, ...] = ()
    origin: str = ""
    silent: str = ""
    only_the_end: bool = False
    crash: str = ""
    guesses: bool = False
    closes_quotes: bool = False


class ToolTitle(NamedTuple):
    """Which lines of a message tell most, and what else belongs into a title.

    Patterns are matched from the beginning of a line. ``leads`` and ``cause`` count for failures
    that bear the tool's name, the others for all. Where a value is told, the pattern's only group
    holds it.

    Attributes:
        leads: what the title begins with: ``test``, its name, or ``code``, unless it was said.
        cause: pattern of lines with a cause, the innermost last.
        matcher: pattern of a first line that only says how two values were compared, and by what.
        detail: pattern of the line that tells what the first one is about.
        left: pattern of the line with the first of two compared values.
        right: pattern of the line with the second one.
        differences: pattern of a line below which ``-`` stands before lines that only the
            expected value has, and ``+`` before those that only the actual one has.
        filler: pattern of further lines that say nothing.
    """

    leads: str = ""
    cause: str = ""
    matcher: str = ""
    detail: str = ""
    left: str = ""
    right: str = ""
    differences: str = ""
    filler: str = ""


class ToolFiles(NamedTuple):
    """Files that belong to a tool, what they say of a project, and what lies around it.

    A form of a name is one of a file in any folder, as ``fnmatch`` reads it.

    Attributes:
        tests: pattern of paths of files that hold tests, or what only these use; from the
            beginning of the path to its end.
        collects: pattern of paths of files in which the runner looks for tests by their names.
        manifests: forms of names of files in which people write dependencies.
        locks: forms of names of files that the tool writes of these.
        aside: patterns of names of files, in upper or lower case, whose edit alone mends no code:
            dependencies, and how the tool is set up.
        services: patterns of names of files, without the ending of a form of data, and of folders
            that are for a service only.
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
    aside: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
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
