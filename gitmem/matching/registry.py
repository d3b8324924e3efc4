"""Which parser reads which tool's output: words only, no parser is imported to find out.

A line is *hot* if it holds one of the ``STEMS``; every word of every parser holds a stem (a
test sees to it), so blocks of a log without any are passed over at the speed of ``in``. On
a hot line the parsers whose words stand in it are tried, those of the command first.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

from gitmem.matching.failure import ParserResult

Parse = Callable[[Sequence[str], int, int], ParserResult | None]

_OF_SHELLS: Final = (
    ": line ",
    "arameter not set",
    "ad substitution",
    "nrecognized option",
    "nvalid option",
    "operand",
    "expression #",
)
"""Of what shells and their programs say of a line or an argument."""
_SHARED: Final[dict[str, tuple[str, ...]]] = {
    "not": (
        "not found",
        "annot ",
        "ould not",
        "not ok ",
        "not recognized",
        "not a TTY",
        "arameter not set",
    ),
    "RR": ("RROR", "ERR!", "ERR_"),
    "ail": ("fail", "Fail"),
    "go:": (".go:", "go: "),
    "ml:": (".yml:", ".yaml:"),
    "ound": ("olution found", "found packages", "nbound variable"),
    "use": ("refused", " in use"),
    "able": ("nable to", "nreachable"),
    "nvalid": ("nvalid argument", "nvalid reference", "nvalid option"),
    "rec": ("recompile with", "nrecognized option"),
}
"""Stems with a piece that they share: a block is searched for the piece, and its lines for them."""
_ALONE: Final = (
    "rror",
    "xception",
    "FAIL",
    "raceback",
    "panic",
    "atal",
    "ATAL",
    "o such ",
    "o module named",
    "enied",
    'File "',
    "Trying:",
    "ndefined",
    "imed out",
    "core dumped",
    "egmentation fault",
    ".py:",
    "--> ",
    "___ ",
    "*** ",
    "equirement",
    "o space left",
    "Aborted",
    "by peer",
    "ultiple definition",
    "Killed",
    "ut of memory",
    "exit",
    " stdout ----",
    "import cycle",
    "main package",
    "o Go files",
    "docker: ",
    " must be a ",
    "dditional property",
    ": line ",
    "ad substitution",
    "operand",
    "expression #",
)
_BEYOND_ASCII: Final = ("\u25cf", "\u2716 ", "\u2717 ", "\u2718 ")
SEARCHED: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    *_SHARED.items(),
    *((stem, (stem,)) for stem in _ALONE),
)
"""What a block is searched for, each with the stems one of which its line must hold."""
SEARCHED_BEYOND: Final = tuple((stem, (stem,)) for stem in _BEYOND_ASCII)
"""The same, for blocks with letters beyond ASCII."""
STEMS: Final[tuple[str, ...]] = tuple(
    stem for _, stems in (*SEARCHED, *SEARCHED_BEYOND) for stem in stems
)


class ParserEntry(NamedTuple):
    """A parser: its module, words one of which a line must hold, commands that run the tool."""

    name: str
    words: tuple[str, ...]
    commands: tuple[str, ...] = ()


# In the order in which they are tried: the most specific first.
ENTRIES: Final[tuple[ParserEntry, ...]] = (
    ParserEntry("tap", ("not ok ", "\u2717 "), ("tape", "bats", "tap", "prove")),
    ParserEntry("unity", (":FAIL",), ("unity", "ceedling")),
    ParserEntry("gtest", (": Failure", ": error:", ": error: "), ("ctest",)),
    ParserEntry("node_spec", ("\u2716 ",), ("node",)),
    ParserEntry(
        "pytest",
        ("= FAILURES =", "= ERRORS =", "___ ", "E  ", "FAILED", "ERROR ", ".py:"),
        ("pytest", "py.test", "tox", "nox"),
    ),
    ParserEntry("unittest", ("FAIL: ", "ERROR: "), ("unittest", "manage.py")),
    ParserEntry(
        "python", ("Traceback (most recent call last)", 'File "', "No module named"), ("python",)
    ),
    ParserEntry(
        "doctest",
        ('File "', "Failed example:", "Trying:"),
        ("doctest",),
    ),
    ParserEntry("mypy", (": error: ",), ("mypy", "dmypy")),
    ParserEntry("pyright", (" - error: ",), ("pyright", "basedpyright")),
    ParserEntry(
        "ty",
        ("error[", "ERROR ", ": error: ", ".py:"),
        ("ty", "pyrefly"),
    ),
    ParserEntry("ruff", (".py:", ".pyi:", ".ipynb:", "--> "), ("ruff", "flake8", "pylint")),
    ParserEntry("actionlint", (".yml:", ".yaml:"), ("actionlint",)),
    ParserEntry("typescript", ("error TS",), ("tsc", "vue-tsc", "ng", "webpack")),
    ParserEntry("eslint", (" error ", "[Error", ", Error - ", '"filePath":"'), ("eslint", "xo")),
    ParserEntry("jest", ("● ", "FAIL "), ("jest", "vitest")),
    ParserEntry(
        "javac",
        (
            ".java:",
            ".kt:",
            ".kts:",
            ".scala:",
            "[ERROR]",
            "[FATAL]",
            "e: ",
        ),
        ("javac", "mvn", "mvnw", "gradle", "gradlew", "ant"),
    ),
    ParserEntry(
        "gradle",
        ("FAILURE: ", "FAILED", "Execution failed for task"),
        ("gradle", "gradlew"),
    ),
    ParserEntry("dotnet", (": error ", "xception", "   at ", "Failed "), ("dotnet", "msbuild")),
    ParserEntry(
        "jvm",
        ("xception", "rror", "\tat ", "Failure"),
        ("java", "mvn", "mvnw", "gradle", "gradlew", "sbt"),
    ),
    ParserEntry("node", ("rror", "xception", "    at "), ("node", "deno", "ts-node", "tsx")),
    ParserEntry(
        "rust",
        ("error: ", "error[", "panicked at", " stdout ----", '"rendered"', '"level":"error'),
        ("cargo", "rustc"),
    ),
    ParserEntry(
        "go",
        (
            ".go:",
            "--- FAIL",
            "panic: ",
            "fatal error: ",
            "go: ",
            "import cycle",
            "main package",
            "found packages",
            "o Go files",
        ),
        ("go", "golangci-lint"),
    ),
    ParserEntry(
        "gcc",
        (
            "error: ",
            "undefined reference",
            "cannot find -l",
            "ultiple definition of",
            "ssertion",
            "ndefined symbols",
            "symbol(s) not found",
            "undefined symbol",
            "uplicate symbol",
            "ld returned",
            "nrecognized file format",
            "recompile with",
            "file format not recognized",
            "cannot open output file",
        ),
        ("gcc", "g++", "clang", "clang++", "cc", "c++", "make", "cmake", "ninja"),
    ),
    ParserEntry(
        "ruby",
        (
            ".rb:",
            "Error)",
            "Exception)",
            "rror: ",
            "-e:",
            "Failure/Error",
            ") Failure:",
            ") Error:",
            "xception: ",
        ),
        ("ruby", "rspec", "rake", "bundle"),
    ),
    ParserEntry(
        "php",
        (
            "Fatal error:",
            "fatal error:",
            "Parse error:",
            "Warning: ",
            ".php:",
            "Failed asserting",
            "\u2718 ",
            "xception: ",
            "Error: ",
        ),
        ("php", "phpunit", "composer"),
    ),
    ParserEntry(
        "docker",
        (
            "ERROR",
            "failed to ",
            "daemon",
            "ocker API",
            "non-zero code",
            "docker: ",
            "nvalid argument",
            "unable to ",
            "not a TTY",
            "nvalid reference",
            " must be a ",
            "dditional property",
        ),
        ("docker", "docker-compose", "buildx"),
    ),
    ParserEntry("npm", ("npm ERR!", "npm error", "ERR_PNPM"), ("npm", "npx", "pnpm", "yarn")),
    ParserEntry(
        "pip",
        ("ERROR: ", "error: ", "No solution found", "equirement"),
        ("pip", "uv", "poetry", "pipenv"),
    ),
    ParserEntry(
        "sql",
        (
            "ERROR:  ",
            "FATAL:  ",
            "PANIC:  ",
            "ERROR ",
            "Parse error",
            "Runtime error",
            "Error: ",
            "connection to server",
            "could not connect to server",
            "could not translate host",
        ),
        ("psql", "mysql", "mariadb", "sqlite"),
    ),
    ParserEntry(
        "make",
        ("*** ", "ninja: ", "FAILED: ", "CMake Error", "error: Recipe"),
        ("make", "cmake", "ninja", "just"),
    ),
    ParserEntry(
        "shell",
        (
            "not found",
            "o such ",
            "enied",
            "annot ",
            "ault",
            "Killed",
            "Aborted",
            "directory",
            "variable",
            "refused",
            "imed out",
            "unexpected",
            "No space",
            "core dumped",
            "bad ",
            "reset by peer",
            "in use",
            "resolve host",
            "not known",
            "unreachable",
            "rror",
            *_OF_SHELLS,
        ),
        ("bash", "sh", "zsh", "dash", "fish"),
    ),
)


@cache
def load(name: str) -> Parse:
    """Import a parser."""
    module = import_module(f"gitmem.matching.parsers.{name}")
    parse: Parse = module.parse
    return parse


def order(command: str | None) -> tuple[ParserEntry, ...]:
    """Give the parsers in the order to try: those that belong to the command come first."""
    words = _words(command or "")
    if not words:
        return ENTRIES
    return tuple(sorted(ENTRIES, key=lambda entry: words.isdisjoint(entry.commands)))


def _words(command: str) -> set[str]:
    """Give the names in a command line: ``./.venv/bin/pytest -q`` names ``pytest``."""
    words = set()
    for word in command[:2_000].replace("\\", "/").split():
        name = word.rsplit("/", 1)[-1].removesuffix(".exe")
        words.add(name)
        words.add(name.rstrip("0123456789.-"))
    return words
