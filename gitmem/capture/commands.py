"""Which command lines ask a tool for the same: without what only changes how it is said. Pure."""

import posixpath
import re
import shlex
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily

_STARTERS: Final = (
    ("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"), ("npx",), ("env",),
    ("pnpm", "exec"), ("yarn", "exec"), ("npm", "exec", "--"), ("bundle", "exec"),
)  # fmt: skip
_PYTHON: Final = lazily(r"python[\d.]*|pypy[\d.]*|py")
_SHOWS: Final = lazily(
    r"-v+|-q+|-s|-vv+s?|--verbose|--quiet|--silent|--colou?r(=.*)?|--no-colou?r|--tb=.*"
    r"|-r[a-zA-Z]+|--no-header|--no-summary|--durations=\d+|--show-locals|-l|--pretty(=.*)?"
    r"|-x|--exitfirst|--maxfail=\d+|--reporter=.*|--output-format=.*|--format=.*|-n(auto|\d+)"
)
"""Options that change what is printed, or where a run ends: they ask for nothing else."""
_NARROWS: Final = lazily(
    r"-k.*|-m.*|-t|--lf|--last-failed|--ff|--failed-first|--nf|--new-first|--sw|--stepwise"
    r"|--deselect.*|--ignore.*|--testNamePattern.*|-run.*|--onlyFailures|--onlyChanged|--changed.*"
)
"""Options that leave tests out, or change their order: without them more is asked for."""
_BUILDS: Final = frozenset({"make", "gmake", "ninja"})
_BUILD_SHOWS: Final = lazily(
    r"-s|--silent|--quiet|-w|--(?:no-)?print-directory|-j\d*|--jobs(?:=\d+)?|-k|--keep-going"
    r"|V(?:ERBOSE)?=\d"
)
_SHELLS: Final = frozenset({"sh", "bash", "zsh", "dash", "fish"})
_RUNS_TEXT: Final = lazily(r"-[a-z]*c[a-z]*")
_JOINED: Final = lazily(r"\|(?!\|)|;|\|\|")
_GIVES_UP: Final = lazily(r"\s*\|\|\s*exit\s+(?!0\b)(?:\d+|\$\?)\s*;?\s*$")
"""What fails in other words: it hides nothing."""
_ENTERS: Final = lazily(r"(?:cd|pushd) +(?P<folder>'[^'$`]*'|\"[^\"$`]*\"|[^\s;&|<>$`'\"]+)")
_PREPARES: Final = lazily(
    r"(?:export +)?(?:\w+=(?:'[^']*'|\"[^\"]*\"|[^\s;&|]*)\s*)+|set +[-+][^;&|]*"
    r"|(?:source|\.) +[^\s;&|]+|(?:test|\[) [^;&|]*|umask +\d+|ulimit +[^;&|]*"
)
_FILE: Final = r"(?:'[^'$`]+'|[^\s;&|<>$`'\"]+)"
_EDITS: Final = lazily(
    rf"(?:cat|tee) *(?:>>? *)?{_FILE} *<<-? *(?P<q>['\"]?)(?P<end>\w+)(?P=q)(?: *> */dev/null)?\n"
    r"(?s:.*?\n)?(?P=end)(?=\n)"
    rf"|cat *<<-? *(?P<quote>['\"]?)(?P<last>\w+)(?P=quote) *>>? *{_FILE}\n"
    r"(?s:.*?\n)?(?P=last)(?=\n)"
    r"|(?:sed|perl) +(?:-\w+ +)*-\w*i(?:'[^']*'|\"[^\"]*\"|[^;&|<>'\"\n])*"
    r"|(?:git +apply|patch)(?: +[^\s;&|<>$`]+)*(?: *< *[^\s;&|<>$`]+)?"
)
"""Steps with which assistants edit files in the same line as they run the tests."""
_THEN: Final = lazily(r"\s*(?:&&|;|\n)\s*")
_REDIRECTED: Final = lazily(r"\s(?:[12&]?>>?|<)\s*(?:&[12]|\S+)")
_QUOTED: Final = lazily(
    r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|<<-?\s*(?P<q>['\"]?)(?P<end>\w+)(?P=q)[^\n]*\n"
    r"(?s:.*?\n)??(?P=end)(?=\n|$)"
)
_THEN_ELSE: Final = lazily(
    r"\s*&&\s*(?:git|echo|printf|true|date|pwd|ls|cat|head|tail|wc)\b[^&|;\n]*$"
)
"""What is done where all before it passed, and tests nothing."""
_WRAPPERS: Final = frozenset({"timeout", "time", "nice", "nohup", "stdbuf", "command", "exec",
                              "xvfb-run", "unbuffer"})  # fmt: skip
_TIME: Final = lazily(r"\d+(?:\.\d+)?[smhd]?")
_SYNTAX: Final = ("$", "`", "(", "{", "for ", "while ", "if ")
_LAST_FAILED: Final = frozenset({"--lf", "--last-failed", "--only-failures", "--onlyFailures"})
_OTHER_NAMES: Final = {"mvnw": "mvn", "gradlew": "gradle", "py.test": "pytest"}
_SHOWS_AS: Final = frozenset({
    "--reporter", "--format", "--output-format", "--tb", "--color", "--message-format", "--logger",
    "--verbosity", "--console", "--maxfail", ("rspec", "-f"), ("mocha", "-R"), ("dotnet", "-v"),
    ("dotnet", "-l"), ("pytest", "-n"),
})  # fmt: skip
_NOTHING: Final = lazily("(?!)")
_TESTED: Final = {
    **dict.fromkeys(
        ("pytest", "unittest", "doctest", "mypy", "ruff", "eslint", "pyright", "tsc", "vitest",
         "jest"),
        (_NOTHING, _NOTHING),
    ),
    "go": (lazily(r"-json|-count=\d+|-failfast"), _NOTHING),
    "cargo": (
        lazily(r"--offline|--locked|--no-fail-fast|--message-format.*|--nocapture|--show-output"),
        _NOTHING,
    ),
    "node": (lazily(r"--test-reporter.*|--no-warnings"),
             lazily(r"--test-(?:name-pattern|skip-pattern|only).*")),
    "mocha": (lazily(r"-R|-b|--bail"), lazily(r"-[gf]|--f?grep.*")),
    "rspec": (lazily(r"-[fbpc]|-f\S+|--(?:backtrace|profile|fail-fast|no-fail-fast).*"),
              lazily(r"-[et]|--(?:example|tag|only-failures|next-failure).*")),
    "phpunit": (
        lazily(r"--(?:testdox|do-not-cache-result|no-progress|stop-on-\w+|display-[\w-]+)"),
        lazily(r"--(?:filter|group|exclude-group|testsuite).*"),
    ),
    "bats": (lazily(r"-[tTpF]|--(?:tap|pretty|formatter|timing).*"),
             lazily(r"-f|--filter.*")),
    "ctest": (lazily(r"-V+|-j\d*|--output-on-failure|--parallel.*"), lazily(r"-[RLE]|-I")),
    "mvn": (
        lazily(r"-[BeoX]|-T\S*|-ntp|-fae|-ff|--(?:batch-mode|errors|offline|fail-\w+"
                   r"|no-transfer-progress|debug|threads).*|-Dstyle\.color=.*"),
        lazily(r"-D(?:it\.)?test=.*|-pl|-rf|-am|--projects.*|--resume-from.*"),
    ),
    "gradle": (
        lazily(r"-[iSd]|--(?:console|info|stacktrace|full-stacktrace|offline|continue|debug|scan"
                   r"|(?:no-)?daemon|warning-mode|rerun-tasks|(?:no-)?build-cache|parallel).*"),
        lazily(r"--tests.*"),
    ),
    "dotnet": (lazily(r"--(?:no-restore|no-build|nologo|logger|verbosity).*|-v\S*|-l"),
               lazily(r"--filter.*")),
}  # fmt: skip
"""Tools that test, each with options that change nothing of what it is asked for, and with
options that leave tests out; those that many have aside."""
_RUNNERS: Final = frozenset({"pytest", "py.test", "unittest", "doctest", "vitest", "jest", "mocha",
                             "ava", "rspec", "phpunit", "bats", "ctest"})  # fmt: skip
_RUNNERS_WITH_WORDS: Final = (("go", "test"), ("cargo", "test"), ("node", "--test"))


def only_tests(command: Sequence[str]) -> bool:
    """Tell whether a command runs tests and nothing else, so that it rewrites no code."""
    if ";" in _main_part(_script(command)).text:
        return False
    name, arguments = words_of(command)
    return name in _RUNNERS or any((name, word) in _RUNNERS_WITH_WORDS for word in arguments[:1])


def words_of(command: Sequence[str]) -> tuple[str, list[str]]:
    """Name the program that a command starts, without who starts it, and its arguments."""
    name, arguments = _words_of(tuple(command))
    return name, list(arguments)


def program_of(command: Sequence[str]) -> str:
    """Name the program that a command starts; a wrapper such as ``gradlew`` by what it wraps."""
    name, _ = words_of(command)
    return _OTHER_NAMES.get(name, name)


def starts_with(command: Sequence[str]) -> str:
    """Name the program that a command starts first, as it is typed, whatever that starts."""
    words = _unwrapped(list(command))
    return words[0].rpartition("/")[2] if words else ""


def tool_named(command: Sequence[str]) -> str:
    """Name the tool that a command starts, if it is one that tests or checks code."""
    name = program_of(command)
    return name if name in _TESTED else ""


def asks_for_last_failed(command: Sequence[str]) -> bool:
    """Tell whether a command runs only what failed last, as its runner remembers it."""
    return not _LAST_FAILED.isdisjoint(words_of(command)[1])


@lru_cache(maxsize=256)
def _words_of(command: tuple[str, ...]) -> tuple[str, list[str]]:
    words = _unwrapped(list(command))
    while words and words[0].rpartition("/")[2] in _WRAPPERS:
        del words[0]
        while words and (words[0].startswith("-") or _TIME.fullmatch(words[0])):
            del words[0]
    for starter in _STARTERS:
        if tuple(words[: len(starter)]) == starter:
            words = words[len(starter) :]
            while starter == ("env",) and words and "=" in words[0]:
                words = words[1:]
    name = words[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe") if words else ""
    if _PYTHON.fullmatch(name) and words[1:2] == ["-m"]:
        name, words = "".join(words[2:3]), words[2:]
    return name, words[1:]


def _unwrapped(words: list[str]) -> list[str]:
    """Give what a line of shell starts first: of ``sh -c "pytest 2>&1 | tail"`` that is pytest."""
    script = _main_part(_script(words)).text
    plain = _without_quoted(script)
    if not script or "&&" in plain:
        return words
    joined = _JOINED.search(plain)
    first = script[: joined.start()] if joined else script
    try:
        inner = shlex.split(_REDIRECTED.sub(" ", f"{first} "))
    except ValueError:  # an open quote
        return words
    while inner and re.fullmatch(r"[A-Za-z_]\w*=.*", inner[0]):
        del inner[0]
    return inner if inner and not any(word in first for word in _SYNTAX) else words


def _without_quoted(script: str) -> str:
    """Put as many blanks in the place of what stands in quotes: it joins no commands."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), script)


class _MainPart(NamedTuple):
    """What a line of shell is for, without the steps that prepare it.

    Attributes:
        text: the rest of the line.
        folder: that the steps enter.
        edits: one of the steps edits files.

    """

    text: str
    folder: str
    edits: bool


def _main_part(script: str) -> _MainPart:
    script, folder, edits = script.strip(), "", False
    if script.startswith("(") and script.endswith(")") and script.count("(") == 1:
        script = script[1:-1].strip()
    while step := _ENTERS.match(script) or _PREPARES.match(script) or _EDITS.match(script):
        then = _THEN.match(script, step.end())
        if not then:
            break
        if step.re.pattern == _ENTERS.pattern:
            folder = posixpath.join(folder, step["folder"].strip("'\""))
        edits |= step.re.pattern == _EDITS.pattern
        script = script[then.end() :]
    script = _GIVES_UP.sub("", script)
    while then_else := _THEN_ELSE.search(_without_quoted(script)):
        script = script[: then_else.start()]
    return _MainPart(script, folder, edits)


def edits_first(command: Sequence[str]) -> bool:
    """Tell whether a line of shell edits files before it runs what it is for."""
    return _main_part(_script(command)).edits


def folder_entered(command: Sequence[str], folder: str) -> str:
    """Give the folder in which a command's program is started: ``sh -c "cd sub && pytest"``.

    Args:
        command: an argument list.
        folder: where it runs.

    """
    inner = _main_part(_script(command)).folder
    return posixpath.normpath(posixpath.join(folder, inner)) if inner else folder


def _script(words: Sequence[str]) -> str:
    """Give the script of ``sh -c SCRIPT``; empty for other commands."""
    return _script_of(tuple(words))


@lru_cache(maxsize=256)
def _script_of(words: tuple[str, ...]) -> str:
    name = words[0].rpartition("/")[2] if words else ""
    options = list(takewhile(lambda word: word.startswith("-"), words[1:]))
    if name not in _SHELLS or not any(map(_RUNS_TEXT.fullmatch, options)):
        return ""
    return next(iter(words[len(options) + 1 :]), "")


def runs_script(command: Sequence[str]) -> bool:
    """Tell whether a command is a line of shell, of which a part may not have been run."""
    return bool(_script(command))


def masks_failure(command: Sequence[str]) -> bool:
    """Tell whether a line of shell may pass although a part of it failed: ``pytest | tail``."""
    return bool(_JOINED.search(_without_quoted(_main_part(_script(command)).text)))


def asks(command: Sequence[str], folder: str) -> tuple[str, ...]:
    """Give what a command asks for: equal for command lines that differ only in what they show.

    Args:
        command: an argument list.
        folder: where it runs.

    """
    return _asks(tuple(command), folder)


@lru_cache(maxsize=256)
def _asks(command: tuple[str, ...], folder: str) -> tuple[str, ...]:
    name, arguments = words_of(command)
    name = _OTHER_NAMES.get(name, name)
    if name == "node" and "--test" not in arguments:
        return (folder, *command)
    if name in _BUILDS or name in _TESTED:
        folder = folder_entered(command, folder)
    if name in _BUILDS:
        return (
            folder,
            name,
            *(argument for argument in arguments if not _BUILD_SHOWS.fullmatch(argument)),
        )
    if name not in _TESTED:
        return (folder, *command)
    shows, _ = _TESTED[name]
    words = [
        word
        for before, word in pairwise(["", *arguments])
        if not _SHOWS.fullmatch(word) and not shows.fullmatch(word)
        if not _takes_value(name, word) and not _takes_value(name, before)
    ]
    return (folder, name, *words)


def _takes_value(name: str, option: str) -> bool:
    """Tell whether an option says with its next word how things are shown."""
    return option in _SHOWS_AS or (name, option) in _SHOWS_AS


def leaves_tests_out(word: str) -> bool:
    """Tell whether an option leaves tests out, or changes their order."""
    return bool(_NARROWS.fullmatch(word))


def includes(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether one asks for all that another asked for, which only named targets or tests."""
    left = [word for word in other if word not in words]
    options = [word for word in left if word.startswith("-")]
    if words[1:2] and words[1] in _TESTED:
        _, narrows = _TESTED[words[1]]
        options = [
            word for word in options if not _NARROWS.fullmatch(word) and not narrows.fullmatch(word)
        ]
    return set(words) <= set(other) and not options


def covers(wider: tuple[str, ...], other: tuple[str, ...], place: str) -> bool:
    """Tell whether a command looks at a file as another one did, by the targets that it names.

    Args:
        wider: what the one asks for, see ``asks``.
        other: what the other asks for.
        place: a file, relative to the work tree.

    """
    if wider[:2] != other[:2]:
        return False
    options, more = (
        [word for word in words[2:] if word.startswith("-")] for words in (wider, other)
    )
    if options != more:
        return False
    targets = [
        word.removeprefix("./").rstrip("/") for word in wider[2:] if not word.startswith("-")
    ]
    verbs = [word for word in targets if word in {"check", "run", "lint"}]
    named = [word for word in targets if word not in verbs]
    return not named or any(
        word in {"", "."} or place == word or place.startswith(f"{word}/") for word in named
    )
