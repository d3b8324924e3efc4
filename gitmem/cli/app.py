"""What every command shares: opening the memory, colours, progress, reading standard input."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

from gitmem.cli.forms import Parameter, argument, option
from gitmem.errors import NotFoundError, UsageError
from gitmem.render.text import Painter, as_text, one_line

if TYPE_CHECKING:
    from gitmem.answers.found import Branches
    from gitmem.memory import Memory, Reader

APP_OPTIONS: Final = (
    Parameter(("-C", "start"), {
        "metavar": "DIR", "default": ".", "help": "Work as if started in DIR."}, is_option=True),
    Parameter(("--as", "actor"), {
        "metavar": "WHO", "help": "The author: human, agent:NAME or tool:NAME."}, is_option=True),
    Parameter(("--color",), {
        "type": ("auto", "always", "never"), "help": "When to colour."}, is_option=True),
)  # fmt: skip
"""Options of gitmem itself, in front of the command."""
_BAR_FROM: Final = 300
_MIN_WIDTH: Final = 20


class PipeClosed(Exception):  # noqa: N818  a state, not a fault
    """Whoever read standard output went away (| head)."""


class App:
    """One run of the command line.

    Args:
        start: the folder to start from (``-C``).
        flags: settings given as flags, by key.

    """

    def __init__(self, start: str, flags: dict[str, Any]) -> None:
        self.start = start
        self.flags = flags

    @classmethod
    def of(cls, options: "Mapping[str, Any]") -> "App":
        """Make it of the values of ``APP_OPTIONS``."""
        flags = {"actor": options["actor"], "ui.color": options["color"]}
        return cls(options["start"], {key: value for key, value in flags.items() if value})

    @contextmanager
    def memory(self) -> "Iterator[Memory]":
        """Open the memory; notices about how it answered go to standard error at the end."""
        from gitmem.memory import Memory

        if not os.path.isdir(self.start):
            with suppress(FileNotFoundError, NotADirectoryError):
                os.stat(self.start)  # raises if the way there is barred
            raise UsageError(f"{self.start} is not a folder", "give -C an existing folder")
        with Memory.open(self.start, settings=self.flags) as memory:
            if sys.stderr.isatty():
                memory.workspace.progress = Bar()
            try:
                yield memory
            except NotFoundError as error:
                from gitmem.cli.other_ids import explained

                raise explained(memory, error) from None
            for notice in dict.fromkeys(memory.workspace.notices):
                note(notice)

    def folder(self) -> str:
        """Give the name that folders of memories have here, also where there is none yet."""
        from gitmem.config import Layer, from_environment, layered

        return layered([from_environment(os.environ), Layer("flag", self.flags)]).config.folder

    @contextmanager
    def reading(
        self, revision: str | None, *, everywhere: bool = False
    ) -> "Iterator[tuple[Reader, Branches | None]]":
        """Open the memory, or what it was at a revision or is on all branches, to be read.

        With it come the names of the branches that have each file, if all were asked for.
        """
        with self.memory() as memory:
            if everywhere:
                past, branches = memory.history.on_all_branches()
                with read_only(past):
                    yield past, branches
            elif revision is not None:
                with read_only(memory.history.at(revision)) as past:
                    yield past, None
            else:
                yield memory.records.reader, None

    def painter_of(self, memory: "Memory") -> Painter:
        """Decide on colour and width for standard output, by a memory's settings."""
        return self.painter(memory.workspace.site.config.ui_color)

    def painter(self, setting: str = "auto", stream: TextIO | None = None) -> Painter:
        """Decide on colour and width for standard output, or another stream."""
        stream = stream or sys.stdout
        setting = self.flags.get("ui.color", setting)
        terminal = stream.isatty()
        plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        colour = setting == "always" or (setting == "auto" and terminal and not plain)
        width = 0
        if terminal:
            try:
                width = int(os.environ.get("COLUMNS", "")) or os.get_terminal_size(1).columns
            except (OSError, ValueError):
                width = _terminal_columns()
        return Painter(colour, max(width, _MIN_WIDTH) if width else 0)


@contextmanager
def read_only(past: "Reader") -> "Iterator[Reader]":
    """Close a memory of the past at the end; its notices go to standard error."""
    with past:
        yield past
    for notice in dict.fromkeys(past.workspace.notices):
        note(notice)


def _terminal_columns() -> int:
    try:
        return os.get_terminal_size(1).columns
    except OSError:
        return 80


class Bar:
    """A progress bar on standard error, drawn only for long work."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._at = ("", 0)

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done."""
        if total < _BAR_FROM:
            return
        if self._bar is None or self._at[0] != what:
            import click

            self._bar = click.progressbar(length=total, label=what, file=sys.stderr)
            self._at = (what, 0)
        self._bar.update(done - self._at[1])
        self._at = (what, done)
        if done >= total:
            self._bar.render_finish()
            self._bar = None


def out(lines: Iterable[str] | str) -> None:
    """Print lines. A terminal that knows only ASCII gets marks instead of a traceback."""
    for text in (lines,) if isinstance(lines, str) else lines:
        line = as_text(text)
        try:
            sys.stdout.write(line + "\n")
        except UnicodeEncodeError:
            encoding = sys.stdout.encoding or "ascii"
            sys.stdout.write(line.encode(encoding, "replace").decode(encoding) + "\n")


def note(text: str) -> None:
    """Tell something beside the answer, on standard error."""
    told([f"note: {one_line(text)}"])


def told(lines: Iterable[str]) -> None:
    """Print lines on standard error, where the answer does not stand."""
    for line in lines:
        print(as_text(line), file=sys.stderr, flush=True)  # noqa: T201


def complain(message: str, hint: str = "") -> None:
    """Tell what is wrong and what to do, on standard error."""
    text = as_text(f"gitmem: {one_line(message)}" + (f"\n  {one_line(hint)}" if hint else ""))
    with suppress(OSError, ValueError):  # nobody listens; the exit code says it
        print(text, file=sys.stderr)  # noqa: T201


def standard_input(what: str, limit: int = 64 * 2**20, instead: str = "split it") -> bytes:
    """Read standard input, bounded; raise UsageError if it is closed, empty or too long.

    Args:
        what: what is read.
        limit: how many bytes at most.
        instead: what to do with more.

    """
    if sys.stdin is None or sys.stdin.closed:
        raise UsageError("standard input is closed", f"pipe {what} into it")
    if sys.stdin.isatty():
        note(f"reading {what} from the terminal; end with Ctrl-D")
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except OSError:
        raise UsageError("standard input can't be read", f"pipe {what} into it") from None
    if len(data) > limit:
        raise UsageError(f"more than {limit // 2**20} MiB on standard input", instead)
    if not data.strip():
        raise UsageError("standard input is empty", f"pipe {what} into it")
    return data


def path_option(function: Any) -> Any:  # noqa: ANN401
    """Add ``--path``, which may be given more than once."""
    return option(
        "--path", "paths", multiple=True, metavar="PATH", help="The same as the filter path:PATH."
    )(function)


def question_text(words: tuple[str, ...]) -> str:
    """Join words to be looked for. An output may say ``--flag``; one like our own is misspelt."""
    if any(word.startswith("--") for word in words):
        from gitmem.cli.base import refuse_misspelt

        refuse_misspelt(words)
    return " ".join(words)


def json_option(function: Any) -> Any:  # noqa: ANN401
    """Add ``--json``."""
    return option("--json", "as_json", is_flag=True, help="Answer in JSON.")(function)


def at_option(function: Any) -> Any:  # noqa: ANN401
    """Add ``--at``."""
    return option("--at", "revision", metavar="REV", help="As it was at a commit, branch or tag.")(
        function
    )


def id_argument(name: str = "reference", metavar: str = "ID") -> Callable[..., Any]:
    """Add an argument that takes a record's id or any unique prefix of it."""
    return argument(name, metavar=metavar)
