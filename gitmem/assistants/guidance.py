"""Puts a few lines of guidance where an assistant reads them, and takes them out."""

import os
from collections.abc import Callable, Iterable
from typing import Final

from gitmem.assistants import blocks, jsonc
from gitmem.assistants.assistant import AGENTS, GUIDANCE, IMPORT, TOOLS, Assistant
from gitmem.assistants.project_files import ProjectFiles
from gitmem.errors import InvalidError

_CLAUDE: Final = "CLAUDE.md"
_GEMINI: Final = "GEMINI.md"


def guidance_of(project: ProjectFiles, tool: Assistant) -> list[tuple[str, str]]:
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


def block_of(project: ProjectFiles, path: str) -> str | None:
    """Give our lines in a file; None: there are none."""
    text = project.text(path)
    return None if text is None else blocks.body(text, blocks.MARKDOWN)


def put_block(project: ProjectFiles, path: str, lines: str) -> None:
    """Put our lines into a file, or in the place of older ones there."""
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


def take_guidance(
    project: ProjectFiles, tools: Iterable[Assistant], registered: Callable[[Assistant], bool]
) -> None:
    """Take guidance out where no assistant that is still registered reads it."""
    gone = {tool.name for tool in tools}
    still_read = {
        path
        for tool in TOOLS.values()
        if tool.name not in gone and registered(tool)
        for path, _ in guidance_of(project, tool)
    }
    names = {name for tool in tools for name in (*tool.guidance, AGENTS)}
    names |= {path for tool in tools for path, _ in guidance_of(project, tool)}
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
