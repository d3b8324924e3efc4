"""Entry point: finds the command, imports only that, and turns failures into one line."""

import atexit
import contextlib
import gc
import importlib
import os
import sys
from typing import Any, Final, NoReturn

import click

from gitmem._version import __version__
from gitmem.cli.app import App
from gitmem.cli.base import CommandGroup, option
from gitmem.errors import GitmemError

# name -> what it does, so that --help imports no command.
COMMANDS: Final = {
    "init": "Make this repository a memory.",
    "status": "What the memory holds, and how it is.",
    "add": "Write down an error, fix, decision, pattern or note.",
    "run": "Run a command; tell what is known about its failures, learn what fixes them.",
    "hint": "Tell what is known about an error text.",
    "look": "Let your language model look at a picture, and show what it says.",
    "helpful": "Say that a record helped.",
    "unhelpful": "Say that a record did not help.",
    "capture": "Read a saved log or a report; tell what is known about its failures.",
    "attempts": "What was tried on the failures that are there now.",
    "runs": "The observed runs of this work tree, the newest first.",
    "all-passed": "Whether all tests passed in the newest run of tests.",
    "regressions": "Failures that the run before did not have.",
    "best-attempt": "The run with the fewest failures.",
    "explain-fingerprint": "Show how an error is recognised, and why two are or are not one.",
    "shell-init": "Print a snippet for your shell that offers help after a failing command.",
    "keep": "Make records of a draft, so that everybody gets it.",
    "drafts": "What was learnt here and is in no record yet.",
    "search": "Find records by words, phrases, filters or a pasted error.",
    "show": "Show one record and what others say about it.",
    "list": "List records by filters.",
    "log": "The timeline of what was learnt.",
    "review": "What a change teaches, and what is known about the files that it changes.",
    "diff": "What was learnt between two revisions.",
    "why": "Which records touched a line, and how that is known.",
    "blame": "A file from its top down: the records that touched each of its lines.",
    "stale": "Records that speak of code which nobody can find any more.",
    "verify": "Where the code is now that records speak of.",
    "bisect": "Find the commit that brought an error back.",
    "hooks": "Let git call gitmem: check what is staged, name records in commits.",
    "merge-driver": "What git calls where a record was edited on both sides.",
    "ci": "At the end of a job: what is known about its failures.",
    "profile": "How the code is written: languages, names, layout, tests.",
    "extract": "Find patterns in accepted code: a range of commits, a fix that worked, a file.",
    "suggest": "Recorded patterns of code for a task.",
    "graph": "Draw what imports what, or what records say about each other and about files.",
    "resolve": "Write down what fixed an error, or failed to.",
    "link": "Say that a record or a live session belongs to an issue, or a pull or merge request.",
    "describe": "Write the text of a pull request: of a session, or of a range of commits.",
    "supersede": "Write a decision that replaces an older one.",
    "merge-records": "Let one error stand for another that says the same.",
    "forget": "Delete records' files, after showing them.",
    "undo": "Take back what the last watched run wrote, after showing it.",
    "doctor": "Try every way in and out of the memory for real, and say what is off.",
    "check": "Find everything that is wrong with the memory's files.",
    "session": "Start, log, end and look at pieces of work.",
    "index": "Look after catalog and index, which are derived.",
    "semantic": "Look after nearness in meaning: the sentence model and the vectors.",
    "stats": "Errors and fix attempts in numbers: how many, what worked, how long, what came back.",
    "recent": "The fix attempts of the last days (7), with what came of them.",
    "successful": "The ways that worked, by type of error, the surest first.",
    "patterns": "Failures that were recorded again and again, with the best fix.",
    "enrich": "Let your language model write how people would ask for records.",
    "analyse": "Root causes, quick steps and prevention of failures, as people recorded them.",
    "subject": "What is known about a module, service, dependency or model.",
    "trends": "What improves and what declines, of fix attempts and of sessions.",
    "fixers": "Assistants and tools compared by their fix attempts.",
    "query": "Ask the catalog in SQL: one SELECT over documented views.",
    "report": "Write one HTML page that shows what the memory taught.",
    "advise": "What to try, what to avoid, and when to stop.",
    "context": "What is to be known before the next attempt, within a budget of tokens.",
    "cost": "What calls to language models took: dollars, tokens, each call.",
    "export": "Write the whole memory as one JSON document.",
    "import": "Take in what export wrote, or what history, ADRs and other tools hold.",
    "seed": "Packs of knowledge: answers to common errors, where the memory itself has none.",
    "prune": "Delete old records by the policy of the settings; git keeps them.",
    "archive": "Move old records into archives, where search, hint and show still find them.",
    "unarchive": "Bring archived records back as files.",
    "backup": "Write the whole memory into one compressed file, and verify it.",
    "restore": "Bring back what a backup holds and is not here; then look every record of it up.",
    "config": "Show and change settings.",
    "completion": "Print the completion script of your shell.",
    "watch": "Print what changes in the memory, as it happens.",
    "lsp": "Serve the memory to an editor (language server).",
    "setup": "Tell coding assistants of this project's memory.",
    "mcp": "Serve the memory to a coding assistant (Model Context Protocol).",
}
SECTIONS: Final = {
    "Begin": (
        "init", "import", "setup", "hooks", "shell-init", "completion", "config", "doctor",
    ),
    "Every day": ("run", "hint", "search", "show", "list", "log", "status"),
    "Failures": (
        "attempts", "runs", "all-passed", "regressions", "best-attempt", "capture", "look",
        "explain-fingerprint", "helpful", "unhelpful",
    ),
    "Write down": (
        "add", "resolve", "supersede", "link", "session", "describe", "keep", "drafts", "undo",
        "merge-records", "forget",
    ),
    "History": ("why", "blame", "review", "diff", "stale", "verify", "bisect", "ci"),
    "Learn": (
        "advise", "context", "stats", "recent", "successful", "patterns", "analyse", "enrich",
        "subject", "trends", "fixers", "report", "query", "profile", "extract", "suggest", "graph",
        "cost",
    ),
    "Look after": (
        "check", "index", "semantic", "seed", "watch", "export", "backup", "restore", "prune",
        "archive", "unarchive",
    ),
    "Called by other programs": ("lsp", "mcp", "merge-driver"),
}  # fmt: skip
_ELSEWHERE: Final = {
    "help": "--help", "version": "--version", "ls": "list", "find": "search", "grep": "search",
    "new": "add", "note": "add note", "fix": "resolve", "rm": "forget", "remove": "forget",
    "delete": "forget", "sync": "index", "reindex": "index rebuild", "test": "run",
}  # fmt: skip
"""What other tools call it."""
_GARBAGE: Final = 50_000
"""Objects between two searches for garbage: a command makes little, and 700 cost it 5 ms."""
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
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_").replace("import", "import_")
        module = importlib.import_module(f"gitmem.cli.{name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say which command was probably meant when there is none of that name."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = (
                [_ELSEWHERE[name]] if name in _ELSEWHERE else get_close_matches(name, COMMANDS, 1)
            )
            meant = f" (did you mean {near[0]}?)" if near else ""
            raise click.UsageError(f"there is no command {name}{meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands by what they are for."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name]) for name in names])


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001  click calls it so
    if wanted and not ctx.resilient_parsing:
        click.echo(f"gitmem, version {__version__}")
        ctx.exit()


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@option("-C", "start", metavar="DIR", default=".", help="Work as if started in DIR.")
@option("--as", "actor", metavar="WHO", help="Who writes: human, agent:NAME or tool:NAME.")
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
    """Run the command line and leave with its exit code (see docs/exit-codes.md)."""
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)  # memory goes back whole: a last search in it would take 7 ms
    _open_closed_streams()
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


def _run(args: list[str]) -> int:
    try:
        result: Any = cli.main(args, prog_name="gitmem", standalone_mode=False)
    except GitmemError as error:
        _complain(error.message, error.hint)
        return error.exit_code
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        with contextlib.suppress(OSError, ValueError):
            print(error.format_message(), file=sys.stderr)  # noqa: T201
        return 2
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "gitmem"
        _complain(error.format_message(), f"see: {where} --help")
        return 2
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted; nothing more was written")
        return INTERRUPTED
    except click.ClickException as error:
        _complain(error.format_message())
        return error.exit_code
    except RecursionError:
        _complain("the input is nested too deeply", "flatten it")
        return 4
    except UnicodeEncodeError as error:
        _complain("this text holds bytes that are not UTF-8", f"write it in UTF-8 ({error.reason})")
        return 4
    except BrokenPipeError:
        raise
    except OSError as error:
        return _machine(error, "this machine")
    return result if isinstance(result, int) else 0


def _machine(error: OSError, path: str) -> int:
    what = (error.strerror or str(error)).lower()
    _complain(f"{error.filename or path}: {what}", "nothing half-written was left behind")
    return 6


def _complain(message: str, hint: str = "") -> None:
    from gitmem.render.text import one_line

    text = f"gitmem: {one_line(message)}" + (f"\n  {one_line(hint)}" if hint else "")
    with contextlib.suppress(OSError, ValueError):  # nobody listens; the exit code says it
        print(text, file=sys.stderr)  # noqa: T201
