"""Which command lines ask a tool for the same: without what only changes how it is said. Pure."""

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise, takewhile
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.tools.choice import own_pattern, pattern, tools_by_program, usual_programs, values

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
_ENDINGS: Final = (".exe", ".cmd", ".bat")
_WRAPPERS: Final = frozenset({"timeout", "time", "nice", "nohup", "stdbuf", "command", "exec",
                              "xvfb-run", "unbuffer"})  # fmt: skip
_TIME: Final = lazily(r"\d+(?:\.\d+)?[smhd]?")
_SYNTAX: Final = ("$", "`", "(", "{", "for ", "while ", "if ")
_ENV: Final = ("env",)
_SHOWS: Final = lazily(
    r"-v+|-q+|-s|-vv+s?|--verbose|--quiet|--silent|--colou?r(=.*)?|--no-colou?r|-r[a-zA-Z]+|-l"
    r"|--pretty(=.*)?|-x|--reporter=.*|--output-format=.*|--format=.*|-n(auto|\d+)"
)
"""Options that change what is printed, or where a run ends: they ask for nothing else. These,
and the two below, many tools share; a tool's own are ``command.shows``, ``.narrows``, ``.valued``.
"""
_NARROWS: Final = lazily(r"-k.*|-m.*|-t|--ignore.*|--changed.*")
"""Options that leave tests out, or change their order: without them more is asked for."""
_VALUED: Final = frozenset({"--reporter", "--format", "--output-format", "--color"})
"""Options that say with their next word how things are shown."""


def only_tests(command: Sequence[str]) -> bool:
    """Tell whether a command runs tests and nothing else, so that it rewrites no code."""
    if ";" in _main_part(_script(command)).text:
        return False
    name, arguments = words_of(command)
    runners = tools_by_program("command.only_tests")
    words = values("command.only_tests").get(runners.get(_usual(name), ""), ())
    return "" in words or not set(arguments[:1]).isdisjoint(words)


def words_of(command: Sequence[str]) -> tuple[str, list[str]]:
    """Name the program that a command starts, without who starts it, and its arguments."""
    name, arguments = _words_of(tuple(command))
    return name, list(arguments)


def program_of(command: Sequence[str]) -> str:
    """Name the program that a command starts; a wrapper such as ``gradlew`` by what it wraps."""
    return _usual(words_of(command)[0])


def starts_with(command: Sequence[str]) -> str:
    """Name the program that a command starts first, as it is typed, whatever that starts."""
    words = _unwrapped(list(command))
    return _without_folder(words[0]) if words else ""


def tool_named(command: Sequence[str]) -> str:
    """Name the tool that a command starts, if it is one that tests or checks code."""
    name = program_of(command)
    return name if name in _comparable() else ""


def asks_for_last_failed(command: Sequence[str]) -> bool:
    """Tell whether a command runs only what failed last, as its runner remembers it."""
    return not _last_failed().isdisjoint(words_of(command)[1])


def _usual(program: str) -> str:
    """Name the program for which a wrapper stands."""
    return usual_programs().get(program, program)


def _comparable() -> Mapping[str, str]:
    """Give the tools that test or check code, by their usual programs."""
    return tools_by_program("command.comparable")


@cache
def _builders() -> Mapping[str, str]:
    """Give the tools that build targets, by the names of their programs."""
    return {
        program: tool for tool, programs in values("command.builds").items() for program in programs
    }


@cache
def _last_failed() -> frozenset[str]:
    """Give the options of all tools that run only what failed last."""
    return frozenset(chain.from_iterable(values("command.last_failed").values()))


@cache
def _starters() -> tuple[tuple[str, ...], ...]:
    """Give the words that start another program, in the order in which they are taken off.

    What runs a program in a project's surroundings stands outside: ``uv run npx``.
    """
    texts = chain.from_iterable(values("command.starts").values())
    starters = [*(tuple(text.split()) for text in texts), _ENV]
    return tuple(sorted(starters, key=lambda words: ("run" not in words, "exec" in words)))


@cache
def _text_runners() -> frozenset[str]:
    """Give the programs that take a line of shell as an argument."""
    programs = values("command.programs")
    return frozenset(chain.from_iterable(programs[tool] for tool in values("command.runs_text")))


def _without_folder(program: str) -> str:
    r"""Give a program's name alone: ``C:\npm\npx.cmd`` is what ``npx`` is elsewhere."""
    name = program.replace("\\", "/").rpartition("/")[2]
    return next((name[:-4] for end in _ENDINGS if name.lower().endswith(end)), name)


@lru_cache(maxsize=256)
def _words_of(command: tuple[str, ...]) -> tuple[str, list[str]]:
    words = _unwrapped(list(command))
    while words and _without_folder(words[0]) in _WRAPPERS:
        del words[0]
        while words and (words[0].startswith("-") or _TIME.fullmatch(words[0])):
            del words[0]
    for starter in _starters():
        if tuple(words[: len(starter)]) == starter:
            words = words[len(starter) :]
            while starter == _ENV and words and "=" in words[0]:
                words = words[1:]
    name = _without_folder(words[0]) if words else ""
    if words[1:2] == ["-m"] and pattern("command.modules").fullmatch(name):
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
    name = _without_folder(words[0]) if words else ""
    options = list(takewhile(lambda word: word.startswith("-"), words[1:]))
    takes_text = pattern("command.runs_text").fullmatch
    if name not in _text_runners() or not any(map(takes_text, options)):
        return ""
    return next(iter(words[len(options) + 1 :]), "")


def runs_script(command: Sequence[str]) -> bool:
    """Tell whether a command is a line of shell, of which a part may not have been run."""
    return bool(_script(command))


def masks_failure(command: Sequence[str]) -> bool:
    """Tell whether a line of shell may pass although a part of it failed: ``pytest | tail``."""
    return bool(what_masks(command))


def what_masks(command: Sequence[str]) -> str:
    """Say what of a line of shell hides that a part of it failed; empty if nothing does."""
    joined = _JOINED.search(_without_quoted(_main_part(_script(command)).text))
    if not joined:
        return ""
    return "the pipe" if joined[0] == "|" else f"what follows {joined[0]!r}"


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
    name = _usual(name)
    builder, tool = _builders().get(name, ""), _comparable().get(name, "")
    needed = values("command.only_with").get(tool)
    if not (builder or tool) or (needed and needed not in arguments):
        return (folder, *command)
    folder = folder_entered(command, folder)
    shows = own_pattern(builder or tool, "command.shows")
    if builder:
        return (folder, name, *(word for word in arguments if not shows.fullmatch(word)))
    valued = _VALUED.union(values("command.valued").get(tool, ()))
    words = [
        word
        for before, word in pairwise(["", *arguments])
        if not _SHOWS.fullmatch(word) and not shows.fullmatch(word)
        if word not in valued and before not in valued
    ]
    return (folder, name, *words)


def leaves_tests_out(word: str, program: str) -> bool:
    """Tell whether an option leaves tests out, or changes their order, if a program gets it."""
    narrows = own_pattern(_comparable().get(program, ""), "command.narrows")
    return bool(_NARROWS.fullmatch(word) or narrows.fullmatch(word))


def includes(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether one asks for all that another asked for, which only named targets or tests."""
    left = [word for word in other if word not in words]
    options = [word for word in left if word.startswith("-")]
    if words[1:2] and words[1] in _comparable():
        options = [word for word in options if not leaves_tests_out(word, words[1])]
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
