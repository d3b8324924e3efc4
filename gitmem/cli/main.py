"""Entry point: finds the command, imports only that, and turns failures into one line."""

import atexit
import gc
import importlib
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NoReturn

from gitmem.cli.app import APP_OPTIONS, App, PipeClosed, complain
from gitmem.cli.forms import Plain, read_options
from gitmem.cli.unwatched import exit_code_of_run, is_lack
from gitmem.errors import GitmemError, next_step
from gitmem.system import print_utf8

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
