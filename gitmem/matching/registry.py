"""Which tool reads which line: words only, no tool is imported to find out.

A line is *hot* if it holds one of the ``STEMS`` or a word of a tool. There the tools whose words
stand in it are asked, those of the command first. Outputs of events, such as lines of JSON, are
read as the lines that people see.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.tools.choice import load, own_pattern, values
from gitmem.word_search import WordSearch, plain_words

if TYPE_CHECKING:
    from gitmem.tools.base import EventReader, Parse

STEMS: Final = (
    "not found",
    "annot ",
    "ould not",
    "not ok ",
    "not recognized",
    "not a TTY",
    "arameter not set",
    "RROR",
    "ERR!",
    "ERR_",
    "fail",
    "Fail",
    ".go:",
    "go: ",
    ".yml:",
    ".yaml:",
    "olution found",
    "found packages",
    "nbound variable",
    "refused",
    " in use",
    "nable to",
    "nreachable",
    "nvalid argument",
    "nvalid reference",
    "nvalid option",
    "recompile with",
    "nrecognized option",
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
    "abort: ",
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
    "\u25cf",
    "\u2716 ",
    "\u2717 ",
    "\u2718 ",
)
"""Words of trouble: what makes a line worth a look, whatever tool has printed it."""


_SHORT: Final = 200
"""Lines of an output in which it is looked for what a tool needs: start-up counts there."""


class ParserEntry(NamedTuple):
    """A tool whose output is read.

    Attributes:
        name: its name.
        words: one of them must stand in a line.
        commands: names in command lines.
        needs: what must stand in the line, or around it.

    """

    name: str
    words: tuple[str, ...]
    commands: frozenset[str] = frozenset()
    needs: re.Pattern[str] | None = None

    def may_stand(self, lines: Sequence[str]) -> bool:
        """Tell whether what it needs stands in a short output, before what reads it is loaded."""
        return self.needs is None or len(lines) > _SHORT or any(map(self.needs.search, lines))


@cache
def stems() -> tuple[str, ...]:
    """Give what makes a line worth a look: words of trouble, and those of the tools."""
    own = (word for words in values("output.words").values() for word in words)
    return tuple(dict.fromkeys((*STEMS, *own)))


@cache
def searched() -> WordSearch:
    """Give the same, as what blocks are searched for."""
    return plain_words(stems())


@cache
def entries() -> tuple[ParserEntry, ...]:
    """Give the tools whose output is read, in the order in which they are asked."""
    named: dict[str, set[str]] = {}
    for field in ("command.programs", "command.wrappers", "output.commands"):
        for name, programs in values(field).items():
            named.setdefault(name, set()).update(programs)
    # A shell says little itself: what is read below it is mostly what others printed, as pasted.
    for name in values("command.runs_text"):
        named.pop(name, None)
    for name, readers in values("output.like").items():
        for other in readers:
            named.setdefault(other, set()).update(named.get(name, ()))
    beside, needs = values("output.beside"), values("output.needs")
    return tuple(
        ParserEntry(
            name,
            (*words, *beside.get(name, ())),
            frozenset(named.get(name, ())),
            own_pattern(name, "output.needs") if name in needs else None,
        )
        for name, words in values("output.words").items()
    )


@cache
def reader(name: str) -> "Parse":
    """Import what reads a tool's output."""
    parse = load(name).output.parse
    if parse is None:
        raise LookupError(f"{name} has words but no parse")
    return parse


class WordLookup:
    """Tells which tools' words stand in a line.

    Args:
        entries: the tools, in the order in which they are to be given.

    """

    def __init__(self, entries: tuple[ParserEntry, ...]) -> None:
        self._entries = entries
        holders: dict[str, int] = {}  # by word a bit for each tool, the lowest for the first
        for number, entry in enumerate(entries):
            for word in entry.words:
                holders[word] = holders.get(word, 0) | 1 << number
        self._words = WordSearch(holders.items())

    def tools_in(self, line: str) -> Iterator[ParserEntry]:
        """Give the tools of which a word stands in a line, in their order."""
        left = self._words.bits_in(line)
        while left:
            lowest = left & -left
            yield self._entries[lowest.bit_length() - 1]
            left ^= lowest


def order(command: str | None) -> tuple[ParserEntry, ...]:
    """Give the parsers in the order to try: those that belong to the command come first."""
    words = _words(command or "")
    if not words:
        return entries()
    return tuple(sorted(entries(), key=lambda entry: words.isdisjoint(entry.commands)))


def _words(command: str) -> set[str]:
    """Give the names in a command line: ``./.venv/bin/pytest -q`` names ``pytest``."""
    words = set()
    for word in command[:2_000].replace("\\", "/").split():
        name = word.rsplit("/", 1)[-1].removesuffix(".exe")
        words.add(name)
        words.add(name.rstrip("0123456789.-"))
    return words


class EventStream:
    """Takes blocks of text in order; what is no event stays as it is."""

    def __init__(self) -> None:
        self._readers: dict[str, EventReader] = {}

    def plain(self, text: str) -> str:
        """Give a block with the events of each tool as plain lines."""
        for name, sign in values("output.events").items():
            if name not in self._readers and sign in text and (make := load(name).output.plain):
                self._readers[name] = make()
        for reader in self._readers.values():
            text = reader.plain(text)
        return text

    def rest(self) -> str:
        """Give what was kept back for an end that never came."""
        return "".join(reader.rest() for reader in self._readers.values())
