"""Asking, after a run, whether what was learnt shall be everybody's (``capture.mode: draft``)."""

import contextlib
import sys
from typing import TYPE_CHECKING

import click

from gitmem.cli.app import note, told
from gitmem.render.text import one_line
from gitmem.system import forget_typed

if TYPE_CHECKING:
    from gitmem.capture.observed import Observed
    from gitmem.memory import Memory

_MOST = 3
_QUESTION = "  share it with the team? y: yes, n: no, drop it, l: later"


def ask(memory: "Memory", observed: "Observed") -> None:
    """Ask about each draft of a run; without an answer, or a clear one, it stays a draft.

    Asks only where somebody can answer: all three streams are a terminal, and this is no CI.
    More than three are not asked about: ``gitmem drafts`` lists them.
    """
    people = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    if (
        not people
        or memory.workspace.environ.get("CI")
        or memory.workspace.site.config.capture_mode != "draft"
    ):
        return
    for draft in observed.learnt.drafts[:_MOST]:
        told([f"gitmem: draft {draft.id}  {one_line(draft.fixes[-1]['title'])}"])
        forget_what_was_typed()
        try:
            reply = click.prompt(_QUESTION, default="l", err=True).strip().lower()
        except click.Abort:
            click.echo(err=True)
            return
        if reply in {"y", "yes"}:
            note(f"recorded as {', '.join(memory.failures.keep(draft.id))}")
        elif reply in {"n", "no"}:
            memory.failures.drafts.mark(draft, "dropped")
            note(f"dropped {draft.id}")
        else:
            note(f"it stays a draft; to share it: gitmem drafts keep {draft.id}")


def forget_what_was_typed() -> None:
    """Pass over what was typed while the command ran: it is no answer."""
    with contextlib.suppress(OSError, ValueError):
        forget_typed(sys.stdin.fileno())
