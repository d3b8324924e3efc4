"""Entry point: finds the command, imports only that, and turns failures into one line."""

import atexit
import contextlib
import gc
import os
import sys
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from gitmem._version import __version__
from gitmem.cli.app import App, note
from gitmem.cli.base import CommandGroup, command_of, option
from gitmem.cli.unwatched import exit_code_of_run, is_lack
from gitmem.errors import GitmemError, next_step
from gitmem.system import print_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitmem.part import PartCommand

ABOUT: Final = "A repository that remembers: errors, what fixed them, and decisions."
# name -> what it does, so that --help imports no command.
COMMANDS: Final = {
    "init": "Set up gitmem in this repository.",
    "setup": "Connect coding assistants to this memory.",
    "hooks": "Let git call gitmem: check staged records, name records in commits.",
    "import": "Import records from an export, git history, ADRs or other tools.",
    "config": "Show and change settings.",
    "doctor": "Test gitmem in a scratch repository, and report what is broken.",
    "run": "Run a command; recognise its failures and learn what fixes them.",
    "hint": "Show what is known about an error text.",
    "search": "Find records by words, phrases, filters or a pasted error.",
    "show": "Show one record or draft, and the records that link to it.",
    "list": "List records by filters.",
    "log": "Show the timeline of records, newest first.",
    "status": "Count the records; list live sessions and problems.",
    "add": "Add an error, fix, decision, pattern or note.",
    "resolve": "Record what fixed an error, or failed to.",
    "edit": "Edit a record or a draft in your editor.",
    "drafts": "List drafts: what was learnt here and is not recorded yet.",
    "undo": "Take back what the last watched run recorded.",
    "forget": "Delete records.",
    "session": "Start, log and end a piece of work.",
    "helpful": "Say whether a record helped, so that it ranks higher or lower.",
    "why": "Show which records explain a line or a file.",
    "review": "Show what a change teaches, and what is known about its files.",
    "guard": "Show which fixes that worked a change takes back.",
    "diff": "Show what was learnt between two revisions.",
    "check": "Check the memory's files for errors (for CI).",
    "ci": "At the end of a CI job: show what is known about its failures.",
    "advise": "Say what to try, what to avoid, and when to stop.",
    "context": "Print what to know before the next attempt, within a token budget.",
    "stats": "Count errors and fixes: what worked, how long, what came back.",
    "serve": "Show the memory in a browser, on this machine only.",
    "runs": "List the watched runs of this work tree.",
    "code": "Look at the code itself: its style, its patterns, its imports.",
    "pack": "Packs: ready-made answers to common errors.",
    "archive": "Move old records into compressed archives, which stay searchable.",
    "backup": "Write the whole memory to one compressed file, and verify it.",
}
HIDDEN: Final = {
    "help": "Explain a command, or a topic: filters, ids, exit-codes.",
    "index": "Rebuild and verify the search index, which is derived from the records.",
    "look": "Ask your language model what a picture shows.",
    "tools": "List the tools whose output is read; show what is read of an output.",
    "explain-fingerprint": "Show how an error is recognised, and why two are the same or not.",
    "completion": "Print the completion script of your shell.",
    "shell-init": "Print a snippet for your shell that offers help after a failing command.",
    "merge-driver": "Merge a record field by field; git calls it.",
    "lsp": "Serve the memory to an editor (language server).",
    "mcp": "Serve the memory to a coding assistant (Model Context Protocol).",
    "assistant-hook": "Answer a hook of a coding assistant.",
}
"""Seldom typed, or called by other programs: ``--help`` leaves them out."""
SEEDS: Final = {
    "model": "stats subject", "cleanup": "archive prune --older-than",
    "mcp serve": "mcp --coding-tools",
    "coding start": "session start", "coding end": "session end",
    "coding status": "session status", "coding resume": "session resume",
    "coding analyze-patterns": "code profile",
    "coding sessions": "list kind:session", "coding session": "show",
    "coding errors": "list kind:error",
    "coding decisions": "list kind:decision", "coding decision": "show",
}  # fmt: skip
"""What memories that gitmem replaces call it, in one word or two; see docs/compat.md."""
SECTIONS: Final = {
    "Start": ("init", "setup", "hooks", "import", "config", "doctor"),
    "Work": (
        "run", "hint", "search", "show", "list", "log", "status", "add", "resolve", "drafts",
        "edit", "undo", "forget", "session", "helpful",
    ),
    "Understand": (
        "why", "advise", "context", "review", "guard", "diff", "ci", "stats", "runs", "serve",
        "code",
    ),
    "Maintain": ("check", "pack", "archive", "backup"),
}  # fmt: skip
_EVERYDAY: Final = {
    "Start": ("init", "setup", "doctor"),
    "Work": (
        "run", "hint", "search", "show", "list", "log", "status", "add", "resolve", "drafts",
        "edit", "undo",
    ),
    "Understand": ("why", "advise", "review", "stats"),
}  # fmt: skip
_ELSEWHERE: Final = {
    "version": "--version", "ls": "list", "find": "search", "grep": "search",
    "new": "add", "note": "add note", "fix": "resolve", "rm": "forget", "remove": "forget",
    "delete": "forget", "sync": "index", "reindex": "index rebuild", "test": "run", "man": "help",
    "recent": "stats recent", "successful": "stats successful", "patterns": "stats recurring",
    "subject": "stats subject", "trends": "stats trends", "fixers": "stats fixers",
    "report": "stats report", "analyse": "stats analyse",
    "query": "stats query", "cost": "stats cost",
    "all-passed": "runs all-passed", "regressions": "runs regressions",
    "best-attempt": "runs best-attempt", "attempts": "runs attempts", "capture": "runs capture",
    "bisect": "runs bisect", "profile": "code profile", "extract": "code extract",
    "suggest": "code suggest", "graph": "code graph", "prune": "archive prune",
    "unarchive": "archive unarchive", "keep": "drafts keep", "blame": "why --by-line",
    "unhelpful": "helpful --not", "seed": "pack", "restore": "backup restore",
    "export": "backup export", "supersede": "edit supersede", "link": "edit link",
    "merge-records": "edit merge", "describe": "review describe", "verify": "check anchors",
    "stale": "check stale", "watch": "log --follow", "semantic": "index semantic",
    "enrich": "index enrich",
}  # fmt: skip
"""What other tools call it, or what stands under its noun."""
_LISTED_BY: Final = {
    "DRAFT": "list them with: gitmem drafts",
    "ID|DRAFT": "list them with: gitmem list, and gitmem drafts",
    "PACK": "list them with: gitmem pack",
}
"""What to do next where an argument is missing, by its name in the help."""
_GARBAGE: Final = 50_000
"""Objects between two searches for garbage: a command makes little, and 700 cost it 5 ms."""
_COMPLETING: Final = "_GITMEM_COMPLETE"
"""The variable by which the script of a shell asks for completions."""
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


class PipeClosed(Exception):  # noqa: N818  a state, not a fault
    """Whoever read standard output went away (| head)."""


class LazyGroup(CommandGroup):
    """A group whose commands are imported when they are called."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Run the command; click itself would end a closed pipe with exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise PipeClosed from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands, without importing them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name in COMMANDS or cmd_name in HIDDEN:
            return command_of(cmd_name)
        part = commands_of_parts().get(cmd_name)
        command: click.Command | None = part.load() if part else None
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, also under another name; else say which one was probably meant."""
        old, new, rest = named(args)
        name = args[0]
        if old:
            if sys.stderr.isatty() and not ctx.resilient_parsing:
                note(f"gitmem {old} is called gitmem {new} now")
            args = [*new.split(), *rest]
        elif not (is_command(name) or name.startswith("-")):
            meant = nearest(name)
            raise click.UsageError(
                f"there is no command {name}" + (f" (did you mean {meant}?)" if meant else "")
            )
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the everyday commands, as git does: the whole fits a screen."""
        usage = f"Usage: {ctx.command_path} [-C DIR] [--as WHO] [--color WHEN] COMMAND …"
        more = "gitmem help --all lists all commands, gitmem help COMMAND explains one."
        lines = [ABOUT, "", usage, *listing(_EVERYDAY), "", more]
        formatter.write("\n".join(lines) + "\n")


def is_command(name: str) -> bool:
    """Tell whether there is such a command; parts are asked where the core has none."""
    return name in COMMANDS or name in HIDDEN or name in commands_of_parts()


def commands_of_parts() -> "Mapping[str, PartCommand]":
    """Look for what parts bring, which no everyday command pays for."""
    from gitmem.part import part_commands

    return part_commands()


def listing(sections: "Mapping[str, Sequence[str]]") -> "Iterator[str]":
    """List commands under the titles of their sections."""
    for title, names in sections.items():
        yield from ("", title)
        yield from (f"   {name:<9}{COMMANDS[name].rstrip('.')}" for name in names)


def named(words: "Sequence[str]") -> tuple[str, str, "Sequence[str]"]:
    """Give the other name that words begin with, what it is called now, and the rest."""
    for length in (2, 1):
        name = " ".join(words[:length])
        if name in SEEDS:
            return name, SEEDS[name], words[length:]
    return "", "", words


def nearest(name: str) -> str:
    """Give the command that was probably meant, as it is typed now; empty if none is near."""
    from difflib import get_close_matches

    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    if family := [seed for seed in SEEDS if seed.startswith(f"{name} ")]:
        return ", ".join(family)
    near = get_close_matches(name, (*COMMANDS, *HIDDEN, *commands_of_parts(), *_ELSEWHERE), 1)
    return _ELSEWHERE.get(near[0], near[0]) if near else ""


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001  click calls it so
    if wanted and not ctx.resilient_parsing:
        click.echo(f"gitmem, version {__version__}")
        ctx.exit()


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@option("-C", "start", metavar="DIR", default=".", help="Work as if started in DIR.")
@option("--as", "actor", metavar="WHO", help="The author: human, agent:NAME or tool:NAME.")
@option("--color", type=click.Choice(["auto", "always", "never"]), help="When to colour.")
@option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context, start: str, actor: str | None, color: str | None) -> None:
    """A repository that remembers: decisions, errors and what fixed them, as files in git.

    \b
    Example:
      gitmem init
      gitmem run -- pytest -q
      gitmem search "naive datetime"
    """
    flags = {key: value for key, value in (("actor", actor), ("ui.color", color)) if value}
    ctx.obj = App(start, flags)


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


def _message(error: click.UsageError) -> str:
    """Say what was typed wrong. click sorts the options that may be meant by the alphabet."""
    if not isinstance(error, click.NoSuchOption) or not error.possibilities:
        return error.format_message()
    return f"{error.message.rstrip('.')} (did you mean {' or '.join(error.possibilities)}?)"


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
    try:
        result: Any = cli.main(args, prog_name="gitmem", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        with contextlib.suppress(OSError, ValueError):
            print(error.format_message(), file=sys.stderr)  # noqa: T201
        return 2
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "gitmem"
        hint = f"see: {where} --help"
        if isinstance(error, click.MissingParameter) and error.param is not None:
            hint = _LISTED_BY.get(error.param.metavar or "", hint)
        _complain(_message(error), hint)
        return 2
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        return INTERRUPTED
    except click.ClickException as error:
        _complain(error.format_message())
        return error.exit_code
    except UnicodeEncodeError as error:
        _complain("this text holds bytes that are not UTF-8", f"write it in UTF-8 ({error.reason})")
        return 4
    return result if isinstance(result, int) else 0


def _said(error: Exception) -> int:
    if isinstance(error, GitmemError):
        _complain(error.message, error.hint)
        return error.exit_code
    if isinstance(error, OSError):
        return _machine(error, "this machine")
    return _beyond(error)


def _beyond(error: Exception) -> int:
    if isinstance(error, RecursionError):
        _complain("the input is nested too deeply", "flatten it")
        return 4
    _complain("there is not enough memory", "close something, or lift the limit (ulimit -v)")
    return 6


def _machine(error: OSError, path: str) -> int:
    what = (error.strerror or str(error)).lower()
    _complain(f"{error.filename or path}: {what}", next_step(error))
    return 6


def _complain(message: str, hint: str = "") -> None:
    from gitmem.render.job_log import as_text
    from gitmem.render.text import one_line

    text = as_text(f"gitmem: {one_line(message)}" + (f"\n  {one_line(hint)}" if hint else ""))
    with contextlib.suppress(OSError, ValueError):  # nobody listens; the exit code says it
        print(text, file=sys.stderr)  # noqa: T201
