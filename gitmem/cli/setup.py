"""``gitmem setup``."""

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError, install

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.assistants.project_files import EditPlan, FileEdit
    from gitmem.assistants.setup import AssistantSetup
    from gitmem.render.text import Painter

_STATES = {
    "registered": "registered", "missing": "not registered", "otherwise": "registered otherwise",
    "unreadable": "can't be read", "": "no file in a project",
}  # fmt: skip


@click.command("setup", cls=Command)
@argument("tools", metavar="[ASSISTANT]...", nargs=-1)
@option("--dry-run", is_flag=True, help="Only show what would change.")
@option("--undo", is_flag=True, help="Remove what was added.")
@option("--all", "every", is_flag=True, help="All assistants that are found here.")
@option("--hooks", is_flag=True, help="Set hooks as well: gitmem then runs without being asked.")
@option("--user", is_flag=True, help="For all your projects, in files of your home folder.")
@option("--coding-tools", is_flag=True, help="Offer the coding_* tools of older memories, too.")
@option("--uvx", is_flag=True, help="Start it by uvx, for applications that don't find gitmem.")
@json_option
@click.pass_obj
def command(
    app: App,
    tools: tuple[str, ...],
    *,
    dry_run: bool,
    undo: bool,
    every: bool,
    hooks: bool,
    user: bool,
    coding_tools: bool,
    uvx: bool,
    as_json: bool,
) -> None:
    """Connect coding assistants to this memory: its server, and a few lines of guidance.

    ASSISTANT is claude, cursor, copilot, copilot-cli, codex, gemini, zed, continue, opencode, kiro,
    amp, devin, cline, windsurf, or agents for any other that reads AGENTS.md. Without one, list
    what this project has. Only files of the project are changed, and their other content stays.

    With --user, the server is registered once for all your projects, and offers nothing in those
    without a memory.

    With --hooks (claude, codex, cursor, copilot, gemini, opencode, devin), the assistant gets what
    is known at the start of a session and after each failed command, and what fixed a failure
    becomes a draft. --all means each one found on this machine or used in the project; with --undo,
    all of them.

    \b
    Example:
      gitmem setup
      gitmem setup claude --dry-run
      gitmem setup claude codex
      gitmem setup --all --hooks
      gitmem setup windsurf --user
      gitmem setup claude --undo
    """
    from gitmem.assistants.assistant import TOOLS, RegistrationForm
    from gitmem.assistants.project_files import carry_out
    from gitmem.assistants.setup import found, plan, plan_user, survey, survey_user

    if user and (hooks or every):
        raise UsageError("hooks and --all are for a project", "gitmem setup cursor --user")
    if every:
        if tools:
            raise UsageError("name assistants, or say --all", "gitmem setup --all --hooks")
        tools = (*TOOLS,) if undo else (*found(app.start, os.environ),)
        if not tools:
            note("no assistant was found; name yours, such as: gitmem setup claude --dry-run")
            return
    if not tools:
        if dry_run or undo or hooks or coding_tools or uvx:
            raise UsageError("of which assistant?", "name it: gitmem setup claude --undo")
        _list(survey_user(os.environ) if user else survey(app.start), as_json=as_json)
        return
    form = RegistrationForm(coding_tools=coding_tools, uvx=uvx)
    if user:
        edits = plan_user(os.environ, tools, form, undo=undo)
    else:
        edits = plan(app.start, tools, undo=undo, hooks=hooks, form=form)
    if not dry_run:
        carry_out(edits)
    _report(edits, app.painter(), dry_run=dry_run, as_json=as_json)
    if not undo and not as_json:
        if not user:
            _warn_without_memory(app)
        if not uvx and find_spec("mcp") is None:
            note(f"the server needs the extra mcp: {install('mcp')}")


def _extras(assistant: "AssistantSetup") -> "Iterator[str]":
    if assistant.guided:
        yield "guided"
    if assistant.hooked:
        yield "hooks"


def _list(assistants: "list[AssistantSetup]", *, as_json: bool) -> None:
    if as_json:
        from gitmem.render.as_json import document

        out(
            document(
                "setup",
                assistants=[
                    {
                        "name": assistant.tool.name,
                        "title": assistant.tool.title,
                        "used": assistant.used,
                        "file": assistant.file,
                        "state": assistant.state or "none",
                        "guided": assistant.guided,
                        "hooks": assistant.hooked,
                        "why": assistant.why,
                    }
                    for assistant in assistants
                ],
            )
        )
        return
    from gitmem.render.text import one_line, table

    out(
        table(
            [
                (
                    assistant.tool.name,
                    _STATES[assistant.state],
                    ", ".join(_extras(assistant)),
                    "used here" if assistant.used else "",
                    assistant.file,
                )
                for assistant in assistants
            ]
        )
    )
    for assistant in assistants:
        if assistant.why:
            note(f"{assistant.file or assistant.tool.name}: {one_line(assistant.why)}")
    open_ = [
        assistant.tool.name
        for assistant in assistants
        if assistant.used
        and (assistant.state == "missing" or not (assistant.state or assistant.guided))
    ]
    if open_:
        note(f"see what would change: gitmem setup {' '.join(open_)} --dry-run")
    elif not any(assistant.guided or assistant.state == "registered" for assistant in assistants):
        note("no assistant is configured yet; name yours, such as: gitmem setup claude --dry-run")


def _report(edits: "EditPlan", painter: "Painter", *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        from gitmem.render.as_json import document

        out(
            document(
                "setup",
                dry_run=dry_run,
                notes=edits.notes,
                changed=[
                    {"path": edit.path, "how": _how(edit), "diff": "\n".join(_diff(edit))}
                    for edit in edits.edits
                ],
            )
        )
        return
    for edit in edits.edits:
        if not dry_run:
            out(f"{_how(edit):<8} {edit.path}")
            continue
        for line in _diff(edit):
            colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
            out(painter.paint(line, colour))
    if not edits.edits:
        out("nothing to change" if dry_run else "nothing was changed")
    for text in edits.notes:
        note(text)


def _how(edit: "FileEdit") -> str:
    if edit.before is None:
        return "made"
    return "removed" if edit.after is None else "changed"


def _diff(edit: "FileEdit") -> "list[str]":
    from difflib import unified_diff

    from gitmem.render.text import safe

    before, after = (
        (data or b"").decode(errors="replace").splitlines() for data in (edit.before, edit.after)
    )
    was = f"a/{edit.path}" if edit.before is not None else "/dev/null"
    now = f"b/{edit.path}" if edit.after is not None else "/dev/null"
    return [safe(line) for line in unified_diff(before, after, was, now, lineterm="")]


def _warn_without_memory(app: App) -> None:
    from gitmem.errors import GitmemError
    from gitmem.memory import Memory

    try:
        Memory.open(app.start, settings=app.flags).close()
    except GitmemError as error:
        note(f"{error.message}: {error.hint}")
