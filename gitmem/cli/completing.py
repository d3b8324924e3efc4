"""What a shell offers for the word that is being typed; imported for completion only.

A parameter is completed by what its usage line calls it: ``ID|DRAFT`` offers ids of records and of
drafts, ``FILE`` the shell's own names of files.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from gitmem.cli import completing_values as values
from gitmem.cli.completing_values import opened
from gitmem.cli.topics import TOPICS
from gitmem.errors import GitmemError
from gitmem.render.shell_words import in_bash, in_powershell, is_offerable
from gitmem.render.text import one_line
from gitmem.tools.choice import names

_MOST: Final = 100
_NAMES: Final = re.compile(r"[A-Z]{2,}\d?")
_BREAKS: Final = frozenset(":=")
"""What divides words for bash."""
_QUOTES: Final = frozenset("\"'")

Offer = Callable[[click.Context, str], Iterable[CompletionItem]]


def offered(
    parameter: click.Parameter, ctx: click.Context, incomplete: str
) -> list[CompletionItem]:
    """Give what may be typed for a parameter.

    Args:
        parameter: an argument or an option with a value.
        ctx: of its command, as far as it is typed.
        incomplete: the beginning of the word.

    """
    named = _NAMES.findall(parameter.metavar or (parameter.name or "").upper())
    if "RELATION" in named:
        named.remove("ID")  # it comes behind the relation
    offers = dict.fromkeys(_OFFERS[name] for name in named if name in _OFFERS)
    items: list[CompletionItem] = []
    for offer in offers:
        with suppress(GitmemError, OSError):  # a fault must not be printed into the prompt
            items += offer(ctx, incomplete)
    # A shell that is told to complete files forgets what it was told before.
    return sorted(items, key=lambda item: item.type == "plain")


def _files(_ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    yield CompletionItem(incomplete, type="file")


def _folders(_ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    yield CompletionItem(incomplete, type="dir")


def _records(*kinds: str) -> Offer:
    def offer(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
        from gitmem.records.layout import PREFIXES

        prefixes = [PREFIXES[kind] for kind in kinds or PREFIXES]
        starts = [f"{prefix}-" for prefix in prefixes if prefix.startswith(incomplete)]
        if incomplete and not starts:
            starts = [incomplete, *(f"{prefix}-{incomplete}" for prefix in prefixes)]
        with opened(ctx) as memory:
            rows = memory.workspace.ask(
                lambda now: [row for start in starts for row in now.catalog.by_prefix(start, _MOST)]
            )
            for row in rows:
                if not kinds or row.kind in kinds:
                    yield CompletionItem(row.id, help=row.title)

    return offer


def _drafts(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    with opened(ctx) as memory:
        for draft in memory.failures.drafts.open():
            if draft.id.startswith(incomplete):
                yield CompletionItem(draft.id, help=draft.title)


def _runs(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    with opened(ctx) as memory:
        for run in memory.failures.runs(_MOST):
            if run.id.startswith(incomplete):
                yield CompletionItem(run.id, help=" ".join(run.command))


def _packs(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    with opened(ctx) as memory:
        for pack in memory.transfer.packs():
            if pack.name.startswith(incomplete):
                yield CompletionItem(pack.name)


def _settings(_ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    from gitmem.config import HELP, KEYS

    for key in KEYS:
        if key.startswith(incomplete):
            yield CompletionItem(key, help=HELP[key])


def _assistants(_ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    from gitmem.assistants.assistant import TOOLS

    for name in TOOLS:
        if name.startswith(incomplete):
            yield CompletionItem(name)


def _command_line(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    """Offer programs for the first word of a command line, and files for the others."""
    if ctx.command.name == "help":
        yield from _commands(ctx, incomplete)
        return
    yield from _files(ctx, incomplete)
    if not ctx.params.get("words") and incomplete and os.sep not in incomplete:
        yield from islice(map(CompletionItem, sorted(_programs(incomplete))), _MOST)


def _programs(incomplete: str) -> set[str]:
    names = set()
    for folder in os.get_exec_path():
        with suppress(OSError), os.scandir(folder) as entries:
            names |= {
                entry.name
                for entry in entries
                if entry.name.startswith(incomplete) and os.access(entry.path, os.X_OK)
            }
    return names


def _commands(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    if not ctx.params.get("words"):
        yield from (CompletionItem(name) for name in TOPICS if name.startswith(incomplete))
    command: click.Command | None = ctx.find_root().command
    for word in ctx.params.get("words") or ():
        command = command.get_command(ctx, word) if isinstance(command, click.Group) else None
    if isinstance(command, click.Group):
        yield from _members(command, incomplete)


def _tools(_ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    yield from map(CompletionItem, sorted(n for n in names() if n.startswith(incomplete)))


def _members(group: click.Group, incomplete: str) -> Iterator[CompletionItem]:
    context = click.Context(group)
    for name in group.list_commands(context):
        member = group.get_command(context, name) if name.startswith(incomplete) else None
        if member:
            yield CompletionItem(name, help=member.get_short_help_str(_MOST))


_OFFERS: Final[dict[str, Offer]] = {
    **dict.fromkeys(("FILE", "PATH", "IMAGE"), _files),
    **dict.fromkeys(("DIR", "FOLDER"), _folders),
    **dict.fromkeys(("ID", "RECORD"), _records()),
    **dict.fromkeys(("ERROR", "STAYS", "MERGED"), _records("error")),
    "DECISION": _records("decision"), "FIX": _records("fix"), "SESSION": values.sessions,
    "DRAFT": _drafts, "RUN": _runs, "PACK": _packs, "KEY": _settings, "ASSISTANT": _assistants,
    "TOOL": _tools,
    "COMMAND": _command_line, "VALUE": values.setting_values, "RELATION": values.relations,
    **dict.fromkeys(("FILTER", "QUERY"), values.filters),
    **dict.fromkeys(("REV", "REV1", "REV2", "RANGE"), values.revisions),
    **dict.fromkeys(("TYPE", "FORMAT", "HOOK", "WHAT"), values.words),
}  # fmt: skip


class _Completing(ShellComplete):
    """Completion that also offers the members of a command that takes arguments itself."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Give what may be typed behind ``args``; nothing where these make no sense."""
        try:
            items = super().get_completions(list(args), incomplete)
        except click.UsageError:
            return []
        command: click.Command | None = self.cli
        for word in args:
            if not word.startswith("-") and isinstance(command, click.Group):
                command = command.get_command(click.Context(command), word)
        if (
            isinstance(command, click.Group)
            and command.params
            and not incomplete.startswith("-")
            and not _wants_value(command, args)
        ):
            offers = {item.value for item in items}
            items += [item for item in _members(command, incomplete) if item.value not in offers]
        return list(_told(items, incomplete))


def _told(items: Iterable[CompletionItem], incomplete: str) -> Iterator[CompletionItem]:
    """Leave out what no shell could be told, or would not take as it stands.

    Much of it comes from the repository: names of files, branches and tags, ids, goals of sessions.
    """
    for item in items:
        if item.type == "plain":
            dashed = item.value.startswith("-") and not incomplete.startswith("-")
            if dashed or not is_offerable(item.value):
                continue
            item.help = one_line(item.help or "") or None
        yield item


def _wants_value(command: click.Command, args: list[str]) -> bool:
    """Tell whether the word behind ``args`` is the value of an option."""
    return any(
        isinstance(parameter, click.Option) and not parameter.is_flag and args[-1:] == [name]
        for parameter in command.params
        for name in parameter.opts
    )


class _InBash(_Completing, BashComplete):
    """Completion for bash, which takes ``kind:err`` and ``relates=err`` for three words."""

    _cut = ""
    _is_quoted = False

    def get_completion_args(self) -> tuple[list[str], str]:
        """Give the words before, and the beginning of the one that is typed, as one word."""
        args, incomplete = super().get_completion_args()
        typed = os.environ["COMP_WORDS"].split("\n")[int(os.environ["COMP_CWORD"]) :]
        self._is_quoted = bool(_QUOTES.intersection("\n".join(typed)))
        if incomplete in _BREAKS and args:
            incomplete = args.pop() + incomplete
            self._cut = incomplete
        elif len(args) > 1 and args[-1] in _BREAKS:
            self._cut = args[-2] + args[-1]
            incomplete = self._cut + incomplete
            del args[-2:]
        return args, incomplete

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Give no name that needs quotes where one is open: it would end at the name's own."""
        items = super().get_completions(args, incomplete)
        if not self._is_quoted:
            return items
        return [item for item in items if item.type != "plain" or in_bash(item.value) == item.value]

    def format_completion(self, item: CompletionItem) -> str:
        """Leave out what bash does not replace, and quote the rest: bash inserts it as it is."""
        item.value = item.value.removeprefix(self._cut)
        if item.type == "plain":
            item.value = in_bash(item.value)
        return super().format_completion(item)


class _InZsh(_Completing, ZshComplete):
    """Completion for zsh, which quotes by itself what it inserts."""

    def format_completion(self, item: CompletionItem) -> str:
        """Double what zsh takes for a quote of a colon in front of a description."""
        if item.help:
            item.value = item.value.replace("\\", "\\\\")
        return super().format_completion(item)


class _InFish(_Completing, FishComplete):
    """Completion for fish, which quotes by itself what it inserts."""


class _InPowerShell(_Completing):
    """Completion for PowerShell, which inserts as it is what it is told beside what it shows."""

    name = "powershell"
    source_template = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Give the words before, and the beginning of the one that is typed."""
        words, at = os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"])
        return words[1:at], "".join(words[at : at + 1])

    def format_completion(self, item: CompletionItem) -> str:
        """Give the kind, and of a word what is inserted, what is shown, and what is told of it."""
        text = item.value
        return "\t".join((item.type, in_powershell(text), text, item.help or text))


def register() -> None:
    """Let click complete for gitmem as above."""
    for shell in (_InBash, _InZsh, _InFish, _InPowerShell):
        add_completion_class(shell)
