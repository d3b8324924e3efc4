"""Asking before something is done that can't be taken back, or runs other people's words."""

import sys
from typing import TYPE_CHECKING

import click

from gitmem.cli.app import note
from gitmem.cli.forms import option
from gitmem.errors import UsageError
from gitmem.render.text import one_line, safe

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gitmem.answers.solutions import Solution
    from gitmem.memory import Memory


def yes_option(function: "Any") -> "Any":  # noqa: ANN401  any command, decorated
    """Add ``--yes`` to what asks ``agreed``."""
    return option("--yes", is_flag=True, help="Do not ask.")(function)


def agreed(question: str, refused: str, *, yes: bool) -> bool:
    """Ask whether it shall be done, unless it was said before.

    Args:
        question: what is asked.
        refused: what did not happen where nobody can be asked: "not deleted".
        yes: it was said already (``--yes``).

    Raises:
        UsageError: nobody can be asked.

    """
    if not yes and not sys.stdin.isatty():
        raise UsageError(
            f"{refused}: this is not a terminal, so nobody could confirm", "to confirm, add --yes"
        )
    return yes or click.confirm(question, err=True)


def confirm(memory: "Memory") -> "Callable[[Solution], bool]":
    """Give what asks about a solution. Where nobody can answer, the answer is no.

    A step that would not be run exactly as it is shown is never run.
    """
    people = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    if not people or memory.workspace.environ.get("CI"):
        return lambda _: False
    return _confirmed


def _confirmed(solution: "Solution") -> bool:
    click.echo(
        f"gitmem: {solution.label}, {solution.evidence}: {one_line(solution.approach)}"
        f"  {solution.fix} {one_line(solution.author)}",
        err=True,
    )
    for step in solution.steps:
        click.echo(f"  $ {safe(step)}", err=True)
    if any(safe(step) != step or "\n" in step for step in solution.steps):
        note("these steps can't be shown as they are, so they are not run")
        return False
    from gitmem.cli.draft_prompt import forget_what_was_typed

    forget_what_was_typed()
    try:
        question = "  run these in a shell, then the command again?"
        return click.confirm(question, default=False, err=True)
    except click.Abort:
        click.echo(err=True)
        return False
