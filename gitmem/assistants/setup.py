"""Registers the memory with a project's coding assistants: survey, plan, undo.

Only files of the project are touched, by their names in it; links and what can't be written are
refused. All that is asked for is worked out first, and written only if nothing was refused.
"""

import os
import shutil
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from gitmem.assistants import blocks, jsonc
from gitmem.assistants.hook_files import hooked, set_hooks
from gitmem.assistants.hooks import HOOK_CLIENTS
from gitmem.assistants.project_files import EditPlan, ProjectFiles
from gitmem.assistants.tools import AGENTS, GUIDANCE, IMPORT, NAME, TOOLS, Tool, pasted, table
from gitmem.errors import EnvironmentProblem, InvalidError, UsageError
from gitmem.git.command import git

_MOST_BYTES: Final = 1 << 20
_CLAUDE: Final = "CLAUDE.md"
_GEMINI: Final = "GEMINI.md"
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

    tool: Tool
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
    project = ProjectFiles(start)
    return [_setup_of(project, tool) for tool in TOOLS.values()]


def _setup_of(project: ProjectFiles, tool: Tool) -> AssistantSetup:
    file = _file(project, tool)
    used = any(project.there(sign) for sign in tool.signs)
    state: State = ""
    why, entry, guided, all_hooks = "", None, False, False
    try:
        if file:
            entry = _entry(project.text(file), tool, file)
            state = "missing" if entry is None else "otherwise"
            state = "registered" if entry == dict(tool.entry) else state
        guided = all(_block(project, path) == text for path, text in _guidance(project, tool))
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
    project, home = ProjectFiles(start), environ.get("HOME", "")
    return [
        tool.name
        for tool in TOOLS.values()
        if any(map(project.there, tool.signs))
        or any(shutil.which(program, path=environ.get("PATH")) for program in tool.programs)
        or (home and any(os.path.isdir(os.path.join(home, name)) for name in tool.homes))
    ]


def plan(start: str, names: Sequence[str], *, undo: bool = False, hooks: bool = False) -> EditPlan:
    """Plan the edits that register the memory with assistants, or that undo it.

    Args:
        start: any folder of the project.
        names: of assistants, see ``TOOLS``.
        undo: take out what was put in, hooks too.
        hooks: set the hooks, too.

    Raises:
        UsageError: there is no such assistant.
        InvalidError: a file can't be read; the hint holds what to paste.
        EnvironmentProblem: a file is a link or read-only, or this is no work tree.

    """
    for name in names:
        if name not in TOOLS:
            raise UsageError(f"gitmem can't set up {name!r}", f"it knows: {', '.join(TOOLS)}")
    project = ProjectFiles(start)
    tools = [TOOLS[name] for name in dict.fromkeys(names)]
    steps = [partial(_registration, undo=undo)]
    if hooks or undo:
        steps.append(partial(set_hooks, undo=undo))
    # Where one file holds both, what was put in last is taken out first.
    ordered = reversed(steps) if undo else steps
    notes = [note for step in ordered for tool in tools for note in step(project, tool)]
    without = [tool.title for tool in tools if tool.name not in HOOK_CLIENTS]
    if hooks and without and not undo:
        notes.append(f"gitmem has no hooks for {', '.join(without)}")
    if undo:
        _take_guidance(project, tools)
    else:
        for tool in tools:
            for path, text in _guidance(project, tool):
                _put_block(project, path, text)
    edits = project.edits()
    written = [edit.path for edit in edits if edit.after is not None]
    notes += [
        f"git ignores {path}, so it applies to this clone only"
        for path in _ignored(project.root, written)
    ]
    return EditPlan(project.root, edits, notes)


def _ignored(root: str, paths: Sequence[str]) -> list[str]:
    if not paths:
        return []
    return os.fsdecode(git(root, "check-ignore", "--", *paths, ok=(0, 1))).splitlines()


# Registrations


def _file(project: ProjectFiles, tool: Tool) -> str:
    there = [file for file in tool.files if project.there(file)]
    return (there or [*tool.files, ""])[0]


def _entry(text: str | None, tool: Tool, file: str) -> Any:  # noqa: ANN401  any value
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


def _registration(project: ProjectFiles, tool: Tool, *, undo: bool) -> list[str]:
    file = _file(project, tool)
    if not file:
        if undo or not tool.path:
            return []
        return [f"{tool.aside}: {pasted(tool, file)}"]
    try:
        entry = _entry(project.text(file), tool, file)
        if entry is not None and entry != dict(tool.entry):
            return [f"{file} has an entry of its own for {NAME}, which stays as it is"]
        text = project.text(file)
        registered = _without(text, tool, file) if undo else _with(text, tool, file)
        if registered != text:
            _refuse_unfit(registered, tool, file, None if undo else dict(tool.entry))
    except InvalidError as error:
        by_hand = "remove the entry by hand" if undo else f"add by hand: {pasted(tool, file)}"
        raise InvalidError(
            f"{file} can't be edited: {error.message}", f"mend it, or {by_hand}"
        ) from None
    project.write(file, registered)
    return [] if undo or not tool.aside or entry is not None else [tool.aside]


def _refuse_unfit(text: str | None, tool: Tool, file: str, wanted: Any) -> None:  # noqa: ANN401
    """Read a text back before it is written: a table of ours may not fit what is there."""
    if _entry(text, tool, file) != wanted:
        raise InvalidError("the entry can't be added without changing something else")


def _with(text: str | None, tool: Tool, file: str) -> str:
    if file.endswith(".toml"):
        lines = table(tool)
        if text is None:
            return blocks.whole(lines, blocks.TOML)
        if blocks.body(text, blocks.TOML) is None and _entry(text, tool, file):
            return text  # somebody wrote the same
        return blocks.put(text, lines, blocks.TOML)
    whole = jsonc.whole(tool.path, tool.entry)
    return whole if text is None else jsonc.added(text, tool.path, tool.entry)


def _without(text: str | None, tool: Tool, file: str) -> str | None:
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


# Guidance


def _guidance(project: ProjectFiles, tool: Tool) -> list[tuple[str, str]]:
    """Give the guidance files of an assistant, with our lines in each."""
    if tool.name == "claude":
        return _for_claude(project)
    if tool.name == "gemini":
        named = _gemini_reads(project)
        if AGENTS in named:
            return [(AGENTS, GUIDANCE)]
        return [(_led(project, named[0]), GUIDANCE)]
    there = [name for name in tool.guidance if project.there(name)]
    return [(_led(project, (there or [AGENTS])[0]), GUIDANCE)]


def _for_claude(project: ProjectFiles) -> list[tuple[str, str]]:
    """Give Claude Code's files: its newer versions read AGENTS.md only where no CLAUDE.md is."""
    file = _led(project, _CLAUDE)
    if file != _CLAUDE:
        return [(file, GUIDANCE)]
    text = project.text(_CLAUDE)
    block = None if text is None else blocks.body(text, blocks.MARKDOWN)
    if text is None or block == IMPORT:
        return [(AGENTS, GUIDANCE), (_CLAUDE, IMPORT)]
    if block is None and IMPORT in text.split():
        return [(AGENTS, GUIDANCE)]
    return [(_CLAUDE, GUIDANCE)]


def _gemini_reads(project: ProjectFiles) -> list[str]:
    """Give the names of files with guidance that the project's settings name, or the usual one."""
    try:
        text = project.text(TOOLS["gemini"].files[0])
        plain = jsonc.read(text).plain if text else {}
    except InvalidError:
        plain = {}
    context = plain.get("context") if isinstance(plain, dict) else None
    named = context.get("fileName") if isinstance(context, dict) else None
    names = named if isinstance(named, list) else [named]
    good = [name for name in names if isinstance(name, str) and name and "/" not in name]
    return good or [_GEMINI]


def _led(project: ProjectFiles, name: str) -> str:
    """Follow a link from one file in the project's top folder to another one there."""
    full = os.path.join(project.root, name)
    if os.path.islink(full):
        target = os.readlink(full)
        if os.path.basename(target) == target and not os.path.islink(
            os.path.join(project.root, target)
        ):
            return target
    return name


def _block(project: ProjectFiles, path: str) -> str | None:
    text = project.text(path)
    return None if text is None else blocks.body(text, blocks.MARKDOWN)


def _put_block(project: ProjectFiles, path: str, lines: str) -> None:
    text = project.text(path)
    try:
        written = (
            blocks.whole(lines, blocks.MARKDOWN)
            if text is None
            else blocks.put(text, lines, blocks.MARKDOWN)
        )
    except InvalidError as error:
        raise _torn(path, error) from None
    project.write(path, written)


def _torn(path: str, error: InvalidError) -> InvalidError:
    pair = f"{blocks.MARKDOWN.begin} … {blocks.MARKDOWN.end}"
    return InvalidError(f"{path}, {error.message}", f"leave one pair, or none: {pair}")


def _take_guidance(project: ProjectFiles, tools: Iterable[Tool]) -> None:
    """Take guidance out where no assistant that is still registered reads it."""
    gone = {tool.name for tool in tools}
    still_read = {
        path
        for tool in TOOLS.values()
        if tool.name not in gone and _registered(project, tool)
        for path, _ in _guidance(project, tool)
    }
    names = {name for tool in tools for name in (*tool.guidance, AGENTS)}
    names |= {path for tool in tools for path, _ in _guidance(project, tool)}
    for path in sorted(names - still_read):
        if os.path.islink(os.path.join(project.root, path)):
            continue
        text = project.text(path)
        try:
            lines = None if text is None else blocks.body(text, blocks.MARKDOWN)
        except InvalidError as error:
            raise _torn(path, error) from None
        if text is None or lines is None:
            continue
        alone = text == blocks.whole(lines, blocks.MARKDOWN)
        project.write(path, None if alone else blocks.without_block(text, lines, blocks.MARKDOWN))


def _registered(project: ProjectFiles, tool: Tool) -> bool:
    file = _file(project, tool)
    try:
        return bool(file) and _entry(project.text(file), tool, file) is not None
    except (InvalidError, EnvironmentProblem):
        return False
