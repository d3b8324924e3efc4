"""The commands: what each is for, and the group of click that imports the one that is called."""

import contextlib
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from gitmem._version import __version__
from gitmem.cli.app import APP_OPTIONS, App, PipeClosed, complain, note
from gitmem.cli.base import CommandGroup, command_of
from gitmem.cli.forms import Parameter

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


_VERSION: Final = Parameter(
    ("--version",),
    {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _show_version,
     "help": "Show the version and exit."},
    is_option=True,
)  # fmt: skip


@click.command(
    cls=LazyGroup,
    params=[*APP_OPTIONS, _VERSION],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.pass_context
def cli(ctx: click.Context, /, **given: Any) -> None:  # noqa: ANN401
    """A repository that remembers: decisions, errors and what fixed them, as files in git.

    \b
    Example:
      gitmem init
      gitmem run -- pytest -q
      gitmem search "naive datetime"
    """
    ctx.obj = App.of(given)


def by_click(args: list[str]) -> Any:  # noqa: ANN401
    """Let click read a command line and call the command; give what that gives, or an exit code."""
    try:
        return cli.main(args, prog_name="gitmem", standalone_mode=False)
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
        complain(_message(error), hint)
        return 2
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        complain(error.format_message())
        return error.exit_code


def _message(error: click.UsageError) -> str:
    """Say what was typed wrong. click sorts the options that may be meant by the alphabet."""
    if not isinstance(error, click.NoSuchOption) or not error.possibilities:
        return error.format_message()
    return f"{error.message.rstrip('.')} (did you mean {' or '.join(error.possibilities)}?)"
