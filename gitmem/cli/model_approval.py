"""Asking whether a language model may be called, with what that costs, before anything is sent."""

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gitmem.cli.app import note
from gitmem.cli.forms import option

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.llm.approval import Estimate
    from gitmem.memory import Memory

_Said = TypeVar("_Said")


def yes_option(function: Any) -> Any:  # noqa: ANN401
    """Add ``--yes``."""
    return option("--yes", is_flag=True, help="Approve the model's cost; the budget still holds.")(
        function
    )


def approval(memory: "Memory", *, yes: bool) -> "Callable[[Estimate], bool] | None":
    """Give what approves a call; None where nobody can be asked and nobody said yes before."""
    if yes:
        return lambda _: True
    people = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    return _confirmed if people and not memory.workspace.environ.get("CI") else None


def by_the_model(memory: "Memory", ask: "Callable[[], _Said]") -> "_Said | None":
    """Ask a model beside an answer that stands without it; None, and a note, if it gives none.

    What has to be set right first (no model, no approval, no budget) is raised as it is.
    """
    from gitmem.errors import EnvironmentProblem, NotFoundError
    from gitmem.llm.approval import DeclinedError

    try:
        return ask()
    except (DeclinedError, EnvironmentProblem, NotFoundError) as error:
        hint = f" ({error.hint})" if error.hint else ""
        memory.workspace.derived.notices.append(
            f"{error.message}{hint}; what follows is from the records"
        )
        return None


def _confirmed(estimate: "Estimate") -> bool:
    from gitmem.cli.draft_prompt import forget_what_was_typed

    note(estimate.line)
    note(f"asked because {estimate.why}")
    forget_what_was_typed()
    try:
        return click.confirm("  send it?", default=False, err=True)
    except click.Abort:
        click.echo(err=True)
        return False
