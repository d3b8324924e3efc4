"""What can be known of a tool: the one form that the rest of the product sees.

A tool is a module of this package with a constant ``TOOL``; every part has a default, so a tool
says only what it is about. Fields are of two kinds. *Data* (texts, numbers, patterns as texts) are
collected in ``index``, which is generated, so that whoever asks for them imports no tool.
*Callables* are asked of the tool itself, which is imported then.

Patterns of several tools are joined to one, in the order of the tools; they are texts and hold no
group that others could bear, too.
"""

from collections.abc import Callable, Sequence
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
        like: another tool, whose ``parse`` reads this one's output as well.
        events: a sign that stands in each event, where a tool can print these.
        plain: makes what turns such events into lines.
        closing: pattern of lines at the end of an output that only close it: they count, repeat
            or name a log, and never say what went wrong.

    """

    words: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    parse: Parse | None = None
    like: str = ""
    events: str = ""
    plain: Callable[[], EventReader] | None = None
    closing: str = ""


class Tool(NamedTuple):
    """One tool.

    Attributes:
        name: that failures and records bear.
        order: the more specific is asked first.
        language: of the code that it is about.
        output: how its output is read.

    """

    name: str
    order: int = 500
    language: str = ""
    output: ToolOutput = ToolOutput()
