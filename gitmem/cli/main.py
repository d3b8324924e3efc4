"""Entry point: finds the command, imports only that, and turns failures into one line.

The exit code of a watched command stands, whatever happens to gitmem: memory, handles, disk.
"""

import atexit
import errno
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NoReturn

from gitmem.cli.app import APP_OPTIONS, App, PipeClosed, complain
from gitmem.cli.forms import Plain, read_options
from gitmem.errors import GitmemError, next_step
from gitmem.system import become, print_utf8

_PLAIN: Final = frozenset({"search", "hint", "run", "lsp", "mcp"})
"""Commands that are called without click where their line is plain (``gitmem/cli/forms.py``)."""
_GARBAGE: Final = 50_000
"""Objects between two searches for garbage: a command makes little, and 700 cost it 5 ms."""
_COMPLETING: Final = "_GITMEM_COMPLETE"
"""The variable by which the script of a shell asks for completions."""
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code (see docs/troubleshooting.md)."""
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)  # memory goes back whole: a last search in it would take 7 ms
    _open_closed_streams()
    print_utf8()
    if _COMPLETING in os.environ:
        from gitmem.cli.completing import register

        register()
    try:
        code = _run([_utf8(arg) for arg in (sys.argv[1:] if args is None else args)])
        code = _flushed(code)
    except (BrokenPipeError, PipeClosed):
        # Keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = PIPE_CLOSED
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open what was closed (>&-): the next file would take its number, and what is printed."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _utf8(arg: str) -> str:
    """Read an argument as UTF-8 where the locale could not (LANG=C); other bytes stay."""
    return arg if arg.isascii() else os.fsencode(arg).decode(errors="surrogateescape")


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except ValueError:  # closed already, as the language server does
        return code
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _machine(error, "standard output")
    return code


_BEYOND: Final = (MemoryError, ImportError, RuntimeError, SystemError)
"""What a machine without memory ends in, beside errors of its own."""


def _run(args: list[str]) -> int:
    try:
        return _answered(args)
    except (GitmemError, OSError, *_BEYOND) as error:
        if isinstance(error, BrokenPipeError) or (
            not isinstance(error, GitmemError | OSError | MemoryError | RecursionError)
            and not is_lack(error)
        ):
            raise
        code = exit_code_of_run(args, error)
        own_code = _said(error)
        return own_code if code is None else code


def _answered(args: list[str]) -> int:
    call = None if _COMPLETING in os.environ else _plainly(args)
    if call is None:
        from gitmem.cli.group import by_click

        call = partial(by_click, args)
    try:
        result = call()
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except UnicodeEncodeError as error:
        complain("this text holds bytes that are not UTF-8", f"write it in UTF-8 ({error.reason})")
        return 4
    return result if isinstance(result, int) else 0


def _plainly(args: list[str]) -> Callable[[], Any] | None:
    """Give the call of a command that needs no click; None where click is to read the line."""
    ours = read_options(APP_OPTIONS, args, stops=True)
    if ours is None or not ours[1] or ours[1][0] not in _PLAIN:
        return None
    options, (name, *line) = ours
    command: Plain = importlib.import_module(f"gitmem.cli.{name}").command
    given = command.read(line)
    return None if given is None else partial(command.function, App.of(options), **given)


def _said(error: Exception) -> int:
    if isinstance(error, GitmemError):
        complain(error.message, error.hint)
        return error.exit_code
    if isinstance(error, OSError):
        return _machine(error, "this machine")
    return _beyond(error)


def _beyond(error: Exception) -> int:
    if isinstance(error, RecursionError):
        complain("the input is nested too deeply", "flatten it")
        return 4
    complain("there is not enough memory", "close something, or lift the limit (ulimit -v)")
    return 6


def _machine(error: OSError, path: str) -> int:
    what = (error.strerror or str(error)).lower()
    complain(f"{error.filename or path}: {what}", next_step(error))
    return 6


_RUNNING: Final = "gitmem.system.child"
_LACKING: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})

# The loader of shared libraries has no numbers, only words.
_LITTLE_SAID: Final = ("without exception set", "can't start new thread")
"""How Python puts a failure where it had no memory left."""
_LOADER_LACKS: Final = (
    "failed to map segment", *(os.strerror(number) for number in sorted(_LACKING)),
)  # fmt: skip


def exit_code_of_run(args: Sequence[str], error: BaseException) -> int | None:
    """Give the exit code of the command of ``gitmem run``; None where that is not what failed.

    A command that could not even be started, for lack of memory or handles, is run without us:
    this process becomes it.

    Args:
        args: of gitmem.
        error: what happened.

    """
    words = _command(args)
    if not words:
        return None
    running = sys.modules.get(_RUNNING)
    last = getattr(running, "LAST", None)
    if last is not None and last.exit_code is not None:
        return int(last.exit_code)
    if (last is None or not last.started) and is_lack(error):
        try:
            return become(words)
        except OSError as failed:
            return 127 if failed.errno == errno.ENOENT else 126
    return None


def _command(args: Sequence[str]) -> list[str]:
    """Give the words of the command behind ``run``; none where they can't be told for sure."""
    if not args or args[0] != "run":
        return []
    rest = list(args[1:])
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    return rest if rest and not rest[0].startswith("-") else []


def is_lack(error: BaseException) -> bool:
    """Tell whether what happened is for lack of memory or handles, also of a library's loader."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError) or getattr(cause, "errno", None) in _LACKING:
            return True
        if isinstance(cause, SystemError | RuntimeError) and str(cause).endswith(_LITTLE_SAID):
            return True
        if isinstance(cause, ImportError) and any(sign in str(cause) for sign in _LOADER_LACKS):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
