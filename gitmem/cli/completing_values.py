"""Values that a shell offers: of filters, settings, revisions, sessions, formats, and the like."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from gitmem.memory import Memory

_AGO: Final = ("1d", "7d", "30d", "90d", "1y", "yesterday")


def opened(ctx: click.Context) -> "Memory":
    """Open the memory that a command line is about."""
    from gitmem.memory import Memory

    return Memory.open(ctx.find_root().params.get("start") or ".")


def filters(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    """Offer the names of filters, and behind the colon what there is."""
    from gitmem.query import FILTERS

    minus = incomplete[: incomplete.startswith("-")]
    name, colon, value = incomplete[len(minus) :].partition(":")
    if not colon:
        yield from _starting(f"{minus}{name}", (f"{minus}{known_name}:" for known_name in FILTERS))
        return
    values = _values_of(ctx, name, value)
    yield from _starting(incomplete, (f"{minus}{name}:{text}" for text in values))


def _values_of(ctx: click.Context, name: str, start: str) -> Iterable[str]:
    from gitmem.query import KINDS, STATUSES

    if name == "kind":
        return KINDS
    if name == "status":
        return dict.fromkeys(status for statuses in STATUSES.values() for status in statuses)
    if name in {"since", "until"}:
        return _AGO
    if name == "path":
        return _paths(ctx.find_root().params.get("start") or ".", start)
    if name in {"tag", "session"}:
        with opened(ctx) as memory:
            offers = memory.editor.complete("tag" if name == "tag" else "session", start)
        return [offer.text for offer in offers]
    return ()


def _paths(top: str, start: str) -> list[str]:
    folder = os.path.dirname(start)
    with suppress(OSError), os.scandir(os.path.join(top, folder)) as entries:
        return sorted(
            os.path.join(folder, entry.name) + ("/" if entry.is_dir() else "")
            for entry in entries
            if not entry.name.startswith(".")
        )
    return []


def setting_values(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    """Offer what a setting may be."""
    from gitmem.config import CHOICES, Config, field_of

    key = str(ctx.params.get("key") or "")
    truth = ("true", "false") if isinstance(getattr(Config(), field_of(key)), bool) else ()
    yield from _starting(incomplete, CHOICES.get(key, truth))


def revisions(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    """Offer branches and tags, also behind the dots of a range."""
    before, dots, _ = incomplete.rpartition("..")
    with opened(ctx) as memory:
        names = memory.history.named_revisions()
    yield from _starting(incomplete, (f"{before}{dots}{name}" for name in ("HEAD", *names)))


def sessions(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    """Offer live sessions, and those that have a record."""
    with opened(ctx) as memory:
        live = [CompletionItem(work.id, help=work.goal) for work in memory.sessions.live()]
        ended = [
            CompletionItem(offer.text, help=offer.detail)
            for offer in memory.editor.complete("session", incomplete)
        ]
    yield from (item for item in [*live, *ended] if item.value.startswith(incomplete))


def relations(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    """Offer the names of links, and behind the equals sign ids."""
    from gitmem.records.parts import Links

    name, equals, start = incomplete.partition("=")
    if not equals:
        yield from _starting(name, (f"{relation}=" for relation in Links.RELATIONS))
        return
    with opened(ctx) as memory:
        for offer in memory.editor.complete("record", start):
            yield CompletionItem(f"{name}={offer.text}", help=offer.detail)


def words(ctx: click.Context, incomplete: str) -> Iterator[CompletionItem]:
    """Offer the words that a command knows where its help names only what they are."""
    path = ctx.command_path.partition(" ")[2]
    yield from _starting(incomplete, _words_of(path))


def _words_of(path: str) -> Iterable[str]:
    if path == "session log":
        return ("change", "test", "note")
    if path == "runs capture":
        from gitmem.exchange.reports import NAMES

        return ("log", *NAMES)
    if path == "hooks run":
        from gitmem.memory import GitHooks

        return GitHooks.NAMES
    if path == "stats":
        from gitmem.learning.labels import DIMENSIONS

        return DIMENSIONS
    return ()


def _starting(incomplete: str, texts: Iterable[str]) -> Iterator[CompletionItem]:
    return (CompletionItem(text) for text in texts if text.startswith(incomplete))
