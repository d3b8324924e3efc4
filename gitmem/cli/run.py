"""``gitmem run``."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from gitmem.cli.app import App, note, told
from gitmem.cli.forms import Between, argument, option, plain
from gitmem.errors import GitmemError, NotFoundError, UsageError
from gitmem.system import load_what_ends_threads

if TYPE_CHECKING:
    from gitmem.capture.observed import Observed
    from gitmem.memory import Memory
    from gitmem.render.text import Painter

_OF_TASKS = ("category", "type", "approach", "effort", "dependencies", "tags")


@plain("run", own_options_first=True, passes_on=True)
@argument("words", nargs=-1, required=True, metavar="COMMAND…")
@option(
    "--task", metavar="TEXT", help="What the work is for: its approach and outcome are recorded."
)
@option("--category", help="Category of the task: backend, frontend, database …")
@option("--type", help="Type of the task: feature, bugfix …")
@option("--approach", help="Approach taken; by default the one that worked best before.")
@option("--effort", type=Between(0, whole=False), help="Estimated effort, in any unit.")
@option(
    "--depends",
    "dependencies",
    multiple=True,
    metavar="NAME",
    help="What it depends on; repeatable.",
)
@option("--tag", "tags", multiple=True, help="A tag for the task.")
def command(app: App, /, words: tuple[str, ...], task: str | None, **given: Any) -> int:  # noqa: ANN401
    """Run a command; recognise its failures and learn what fixes them.

    The command behaves as without gitmem, and its exit code is passed on. When it fails, gitmem
    prints what it knows below the output (on standard error). When it passes again after an
    edit, the error and its fix are recorded. Without a memory it only runs the command.

    With --task the run becomes a session record. If it fails, and a fix that is recorded for it
    has steps, a person at a terminal is asked whether to run them. Nothing is run without a yes.

    \b
    Example:
      gitmem run -- pytest -q
      gitmem run --task "Build the docs" --category docs -- make html
    """
    load_what_ends_threads()
    argv = words[1:] if words[0] == "--" else words
    if not argv:
        raise UsageError("no command to run", "see: gitmem run --help")
    of_task = {name: given[name] for name in _OF_TASKS if given[name]}
    if of_task and task is None:
        raise UsageError("this describes a task, and there is none", 'add --task "WHAT IT IS FOR"')
    with ExitStack() as opened:
        try:
            memory = opened.enter_context(app.memory())
        except GitmemError as problem:
            if task is not None or isinstance(problem, UsageError):
                raise
            return _unobserved(app, argv, problem)
        painter = app.painter(memory.workspace.site.config.ui_color, sys.stderr)
        if task is not None:
            return _task(memory, argv, painter, task, of_task)
        exit_code, finish = memory.failures.run_command(argv, _telling(painter))
        _finished(memory, painter, finish)
    return exit_code


def _unobserved(app: App, argv: tuple[str, ...], problem: GitmemError) -> int:
    """Run the command where there is no memory, or none that can be read: it comes first."""
    from gitmem.system.child import run

    if not isinstance(problem, NotFoundError):
        note(f"nothing is recorded: {problem.message}")
    exit_code = run(argv, on_output=lambda _: None, cwd=app.start, environ=os.environ).exit_code
    # A program that reads what a command prints is disturbed where that pays only.
    if isinstance(problem, NotFoundError) and (exit_code or sys.stderr.isatty()):
        from gitmem.memory import is_first_hint

        if is_first_hint(app.start):
            note("gitmem is not set up here, so nothing is recorded; to begin: gitmem init")
    return exit_code


def _telling(painter: "Painter") -> Callable[[list[Any]], None]:
    from gitmem.render.run_report import tried

    return lambda edits: told(tried(edits, painter))


def _finished(
    memory: "Memory", painter: "Painter", finish: "Callable[[], Observed]"
) -> "Observed | None":
    """Note a run and show what it taught; None if that could not be done."""
    from gitmem.render import run_report as render

    try:
        observed = finish()
        answer = memory.history.of_run(observed.recognised)
        told(render.observed(observed, answer, painter))
        if observed.recognised and memory.workspace.site.config.hub_url:
            from gitmem.cli.elsewhere import of_matches

            told(of_matches(memory, observed.recognised, painter))
        if observed.learnt.drafts:
            from gitmem.cli.draft_prompt import ask

            ask(memory, observed)
    except GitmemError as error:
        # The command's own outcome matters more than what could not be learnt from it.
        note(f"not recorded: {error.message}")
        return None
    return observed


def _task(
    memory: "Memory", argv: tuple[str, ...], painter: "Painter", text: str, of_task: dict[str, Any]
) -> int:
    from gitmem.cli.confirmation import confirm

    return memory.advice.run_task(
        argv,
        text,
        of_task,
        tell=_telling(painter),
        finish=lambda finish: _finished(memory, painter, finish),
        confirm=confirm(memory),
    )
