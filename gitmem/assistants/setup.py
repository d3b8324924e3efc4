"""Registers the memory with a project's coding assistants, or a user's: survey, plan, undo.

Only files of the project, or of the user, are touched, by their names; links and what can't be
written are refused. All that is asked for is worked out first, and written only if nothing was
refused.
"""

import os
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from gitmem.assistants import blocks, jsonc
from gitmem.assistants.assistant import (
    NAME,
    PLAIN,
    TOOLS,
    Assistant,
    RegistrationForm,
    pasted,
    table,
)
from gitmem.assistants.guidance import block_of, guidance_of, put_block, take_guidance
from gitmem.assistants.hook_files import hooked, set_hooks
from gitmem.assistants.hooks import hooks_of
from gitmem.assistants.project_files import EditPlan, ProjectFiles
from gitmem.errors import EnvironmentProblem, InvalidError, UsageError
from gitmem.git.command import git
from gitmem.system import home_of

_MOST_BYTES: Final = 1 << 20
State = Literal["registered", "otherwise", "missing", "unreadable", ""]


class AssistantSetup(NamedTuple):
    """How an assistant is set up in a project.

    Attributes:
        tool: the assistant.
        used: something of it is in the project.
        file: of its registration; empty: it has none in a project.
        state: ``registered``; ``otherwise``: there is an entry of our name, which is not ours;
            ``missing``; ``unreadable``: see ``why``; empty: it has no file in a project.
        guided: the guidance is where it reads it.
        why: why the file can't be read.
        entry: what stands in the registration; empty: nothing.
        hooked: all its hooks are set.

    """

    tool: Assistant
    used: bool
    file: str
    state: State
    guided: bool
    why: str = ""
    entry: Mapping[str, Any] = {}
    hooked: bool = False


def survey(start: str) -> list[AssistantSetup]:
    """Tell for every assistant how it is set up in the project around a folder.

    Raises:
        EnvironmentProblem: this is no work tree of git.

    """
    project = ProjectFiles.around(start)
    return [_setup_of(project, tool) for tool in TOOLS.values()]


def survey_user(environ: Mapping[str, str]) -> list[AssistantSetup]:
    """Tell how the assistants that have a file of the user are set up for all projects.

    Raises:
        EnvironmentProblem: it is not known where the user's files are.

    """
    home = ProjectFiles.at_home(environ)
    setups = [
        _setup_of(home, tool.formed(RegistrationForm(user=True))._replace(signs=tool.homes))
        for tool in TOOLS.values()
        if tool.user
    ]
    return [setup._replace(guided=False, hooked=False) for setup in setups]


def _setup_of(project: ProjectFiles, tool: Assistant) -> AssistantSetup:
    file = _file(project, tool)
    used = any(project.there(sign) for sign in tool.signs)
    state: State = ""
    why, entry, guided, all_hooks = "", None, False, False
    try:
        if file:
            entry = _entry(project.text(file), tool, file)
            state = "missing" if entry is None else "otherwise"
            state = "registered" if _ours(tool, entry) else state
        guided = all(block_of(project, path) == text for path, text in guidance_of(project, tool))
        all_hooks = hooked(project, tool)
    except (EnvironmentProblem, InvalidError) as error:
        state, why = "unreadable", error.message
    return AssistantSetup(
        tool, used, file, state, guided, why, entry if isinstance(entry, dict) else {}, all_hooks
    )


def found(start: str, environ: Mapping[str, str]) -> list[str]:
    """Name the assistants that are on this machine, or are used in the project around a folder.

    Raises:
        EnvironmentProblem: this is no work tree of git.

    """
    project, home = ProjectFiles.around(start), home_of(environ)
    return [
        tool.name
        for tool in TOOLS.values()
        if any(map(project.there, tool.signs))
        or any(shutil.which(program, path=environ.get("PATH")) for program in tool.programs)
        or (home and any(os.path.isdir(os.path.join(home, name)) for name in tool.homes))
    ]


def plan(
    start: str,
    names: Sequence[str],
    *,
    undo: bool = False,
    hooks: bool = False,
    form: RegistrationForm = PLAIN,
) -> EditPlan:
    """Plan the edits that register the memory with assistants of a project, or that undo it.

    Args:
        start: any folder of the project.
        names: of assistants, see ``TOOLS``.
        undo: take out what was put in, hooks too.
        hooks: set the hooks, too.
        form: how the server is to be started; where it is registered, only what this adds counts.

    Raises:
        UsageError: there is no such assistant.
        InvalidError: a file can't be read; the hint holds what to paste.
        EnvironmentProblem: a file is a link or read-only, or this is no work tree.

    """
    tools = _named(names, form)
    project = ProjectFiles.around(start)
    steps = [partial(_registration, undo=undo)]
    if hooks or undo:
        steps.append(partial(set_hooks, undo=undo))
    # Where one file holds both, what was put in last is taken out first.
    ordered = reversed(steps) if undo else steps
    notes = [note for step in ordered for tool in tools for note in step(project, tool)]
    without = [tool.title for tool in tools if not hooks_of(tool.name)]
    if hooks and without and not undo:
        notes.append(f"gitmem has no hooks for {', '.join(without)}")
    if undo:
        take_guidance(project, tools, partial(_registered, project))
    else:
        for tool in tools:
            for path, text in guidance_of(project, tool):
                put_block(project, path, text)
    edits = project.edits()
    written = [edit.path for edit in edits if edit.after is not None]
    notes += [
        f"git ignores {path}, so it applies to this clone only"
        for path in _ignored(project.root, written)
    ]
    return EditPlan(project.root, edits, notes)


def plan_user(
    environ: Mapping[str, str], names: Sequence[str], form: RegistrationForm, *, undo: bool = False
) -> EditPlan:
    """Plan the edits that register the memory for all projects of a user; see ``plan``."""
    tools = _named(names, form._replace(user=True))
    home = ProjectFiles.at_home(environ)
    notes = []
    for tool in tools:
        if tool.user:
            notes += _registration(home, tool._replace(aside=""), undo=undo)
        elif not undo:
            notes.append(f"{tool.title}: {tool.user_aside or 'no file for all projects is known'}")
    # By its folder there an assistant is found, and may be one that was empty before.
    return EditPlan(home.root, home.edits(), notes, tidy=False)


def _named(names: Sequence[str], form: RegistrationForm) -> list[Assistant]:
    for name in names:
        if name not in TOOLS:
            raise UsageError(f"gitmem can't set up {name!r}", f"it knows: {', '.join(TOOLS)}")
    return [TOOLS[name].formed(form) for name in dict.fromkeys(names)]


def _ignored(root: str, paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    return os.fsdecode(git(root, "check-ignore", "--", *paths, ok=(0, 1))).splitlines()


# Registrations


def _file(project: ProjectFiles, tool: Assistant) -> str:
    there = [file for file in tool.files if project.there(file)]
    return (there or [*tool.files, ""])[0]


def _entry(text: str | None, tool: Assistant, file: str) -> Any:  # noqa: ANN401  any value
    """Give our entry in a text; None if there is none."""
    if text is None:
        return None
    try:
        text.encode()
        if not file.endswith(".toml"):
            return jsonc.entry_of(text, tool.path)
        here: Any = tomllib.loads(text)
    except UnicodeEncodeError:
        raise InvalidError("it is not in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidError(str(error)) from None
    for key in tool.path:
        if not isinstance(here, dict):
            raise InvalidError(f"a table with the key {key!r} is expected, not another value")
        here = here.get(key)
        if here is None:
            return None
    return here


def _ours(tool: Assistant, entry: Any) -> Assistant | None:  # noqa: ANN401  any value
    """Give the assistant with the entry that is there, if it is one that we write."""
    return next((form for form in tool.forms() if dict(form.entry) == entry), None)


def _plain(tool: Assistant) -> list[dict[str, Any]]:
    """Give the entries of an assistant that ask for nothing more than the server."""
    return [
        dict(TOOLS[tool.name].formed(RegistrationForm(user=user)).entry) for user in (False, True)
    ]


def _registration(project: ProjectFiles, tool: Assistant, *, undo: bool) -> list[str]:
    file = _file(project, tool)
    if not file:
        if undo or not tool.path:
            return []
        where = f"{tool.title} keeps its servers in a file of yours, ~/{tool.user}"
        return [f"{where}: gitmem setup {tool.name} --user"]
    try:
        text = project.text(file)
        entry = _entry(text, tool, file)
        there = _ours(tool, entry)
        if entry is not None and there is None:
            return [f"{file} has an entry of its own for {NAME}, which stays as it is"]
        if undo:
            edited = _without(text, there or tool, file)
        elif there and (dict(tool.entry) in (dict(there.entry), *_plain(tool))):
            return []
        else:
            edited = _with(_without(text, there, file) if there else text, tool, file)
        if edited != text:
            _refuse_unfit(edited, tool, file, None if undo else dict(tool.entry))
    except InvalidError as error:
        by_hand = "remove the entry by hand" if undo else f"add by hand: {pasted(tool, file)}"
        raise InvalidError(
            f"{file} can't be edited: {error.message}", f"mend it, or {by_hand}"
        ) from None
    project.write(file, edited)
    return [] if undo or not tool.aside or entry is not None else [tool.aside]


def _refuse_unfit(text: str | None, tool: Assistant, file: str, wanted: Any) -> None:  # noqa: ANN401
    """Read a text back before it is written: a table of ours may not fit what is there."""
    if _entry(text, tool, file) != wanted:
        raise InvalidError("the entry can't be added without changing something else")


def _with(text: str | None, tool: Assistant, file: str) -> str:
    if file.endswith(".toml"):
        lines = table(tool)
        if text is None:
            return blocks.whole(lines, blocks.TOML)
        if blocks.body(text, blocks.TOML) is None and _entry(text, tool, file):
            return text  # somebody wrote the same
        return blocks.put(text, lines, blocks.TOML)
    whole = jsonc.whole(tool.path, tool.entry)
    return whole if text is None else jsonc.added(text, tool.path, tool.entry)


def _without(text: str | None, tool: Assistant, file: str) -> str | None:
    if text is None:
        return None
    if file.endswith(".toml"):
        lines = table(tool)
        if text == blocks.whole(lines, blocks.TOML):
            return None
        taken = blocks.without_block(text, lines, blocks.TOML)
        if taken == text and _entry(text, tool, file):
            raise InvalidError("the table gitmem is there without its marks")
        return taken
    if text == jsonc.whole(tool.path, tool.entry):
        return None
    return jsonc.removed(text, tool.path, tool.entry)


def _registered(project: ProjectFiles, tool: Assistant) -> bool:
    file = _file(project, tool)
    try:
        return bool(file) and _entry(project.text(file), tool, file) is not None
    except (InvalidError, EnvironmentProblem):
        return False
