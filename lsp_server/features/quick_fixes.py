"""Quick fixes for what is wrong in record files: each a text edit, none without being asked."""

import asyncio
import difflib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lsprotocol import types

from gitmem.records.ids import kind_of
from gitmem.records.layout import id_in
from lsp_server.features.completion import kind_of_folder
from lsp_server.features.record_files import diagnostic, place_of
from lsp_server.outline import Entry, Steps, kind_in, outline, plain
from lsp_server.places import line_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.memory import Memory
    from gitmem.records.problems import Problem
    from lsp_server.session import EditorSession

_CLOSE: Final = 0.6
_MOST_VALUES: Final = 8
_MOST_IDS: Final = 3
_MEANT: Final = re.compile(r"did you mean (?:it with '(?P<typo>.+)'|(?P<name>.+))\?")


class Edit(NamedTuple):
    """A piece of text to put in another's place, by lines and characters from 0."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class Fix(NamedTuple):
    """What can be done about a problem. ``preferred``: there is hardly anything else."""

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = False


class Sheet(NamedTuple):
    """A record file's text as quick fixes look at it."""

    path: str
    lines: Sequence[str]
    entries: Sequence[Entry]

    def entry(self, steps: Steps) -> Entry | None:
        """Give the entry at a path."""
        return next((one for one in self.entries if one.steps == steps), None)

    @property
    def kind(self) -> str:
        """The kind that the record says it is of, or that its folder stands for."""
        return kind_in(self.entries) or kind_of_folder(self.path)


def register(server: "EditorSession") -> None:
    """Offer quick fixes among the code actions."""
    server.action_providers.append(offered)


async def offered(
    ls: "EditorSession", params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """Give the fixes of the problems on the lines asked about."""
    uri = params.text_document.uri
    place = place_of(ls, uri)
    if place is None:
        return []
    shelf, inside = place
    document = ls.workspace.get_text_document(uri)
    text, version = document.source, document.version
    asked = range(params.range.start.line, params.range.end.line + 1)

    def ask(memory: "Memory", _teller: Any) -> "list[tuple[Problem, Fix]]":  # noqa: ANN401
        lines = text.split("\n")
        sheet = Sheet(inside, lines, outline(lines))
        return [
            (problem, fix)
            for problem in memory.check_text(inside, text)
            if max(problem.line - 1, 0) in asked
            for fix in fixes(memory, sheet, problem)
        ]

    found = await asyncio.wrap_future(shelf.submit(ask))
    if ls.workspace.get_text_document(uri).version != version:
        return []  # edits for a text that is no more
    lines = text.split("\n")
    return [_action(uri, problem, fix, lines, ls.units) for problem, fix in found]


def _action(
    uri: str, problem: "Problem", fix: Fix, lines: Sequence[str], units: "Callable[[str], int]"
) -> types.CodeAction:
    def position(at: tuple[int, int]) -> types.Position:
        return types.Position(line=at[0], character=units(line_at(lines, at[0])[: at[1]]))

    edits = [
        types.TextEdit(
            range=types.Range(start=position(edit.start), end=position(edit.end)),
            new_text=edit.text,
        )
        for edit in fix.edits
    ]
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(problem, lines, units)],
        is_preferred=fix.preferred or None,
        edit=types.WorkspaceEdit(changes={uri: edits}),
    )


def fixes(memory: "Memory", sheet: Sheet, problem: "Problem") -> Iterator[Fix]:
    """Give what can be done about one problem of a record file.

    Args:
        memory: looked into for ids and secrets.
        sheet: the file's text.
        problem: as ``Memory.check_text`` gave it.

    """
    from gitmem.records.codec import steps as steps_of  # noqa: PLC0415  imports YAML

    steps = steps_of(problem.field)
    if problem.code in {"dangling-link", "wrong-kind"}:
        yield from _near_ids(memory, sheet, steps)
        yield from _without(sheet, steps)
    elif problem.code == "secret":
        yield _masked(memory, sheet)
    elif problem.code == "conflict-marker":
        yield from _sides(sheet)
    elif problem.code == "id-mismatch":
        yield from _named_id(sheet)
    elif problem.code == "no-line-end":
        end = (len(sheet.lines) - 1, len(sheet.lines[-1]))
        yield Fix("End the last line", (Edit(end, end, "\n"),), preferred=True)
    elif problem.code in {"unknown-field", "invalid-field"}:
        meant = _MEANT.search(problem.hint)
        if meant:
            yield from _renamed(sheet, steps, meant)
        else:
            yield from _other_values(sheet, steps)
        if steps == ("kind",) and sheet.entry(steps) is None and sheet.kind:
            yield Fix(f"Add kind: {sheet.kind}", (Edit((0, 0), (0, 0), f"kind: {sheet.kind}\n"),))


def _renamed(sheet: Sheet, steps: Steps, meant: re.Match[str]) -> Iterator[Fix]:
    wrong, right = (
        (meant["typo"], str(steps[-1])) if meant["typo"] else (str(steps[-1]), meant["name"])
    )
    entry = sheet.entry((*steps[:-1], wrong))
    if entry:
        span = (entry.line, entry.column), (entry.line, entry.end)
        yield Fix(f"Rename {wrong} to {right}", (Edit(*span, right),), preferred=True)


def _other_values(sheet: Sheet, steps: Steps) -> Iterator[Fix]:
    """Offer the words that are allowed, the likeliest first."""
    from gitmem.records.shape import slot  # noqa: PLC0415  imports YAML

    entry = sheet.entry(steps)
    values = slot(sheet.kind, steps).values
    if entry is None or not values or entry.is_block:
        return
    said = plain(entry.value)
    near = difflib.get_close_matches(said.lower(), values, 1, _CLOSE)
    ordered = [*near, *(value for value in values if value not in near)]
    for value in ordered[:_MOST_VALUES]:
        span = (entry.line, entry.start), (entry.line, entry.start + len(entry.value))
        lead = "" if sheet.lines[entry.line][: entry.start].endswith((" ", "\t")) else " "
        yield Fix(f"Replace by {value}", (Edit(*span, lead + value),), preferred=[value] == near)


def _near_ids(memory: "Memory", sheet: Sheet, steps: Steps) -> Iterator[Fix]:
    entry = sheet.entry(steps)
    if entry is None:
        return
    said = plain(entry.value)
    start = said.partition("-")[0] + "-" if kind_of(said) else said
    offers = {offer.text: offer.detail for offer in memory.complete("record", start)}
    own = id_in(sheet.path)
    for near in difflib.get_close_matches(said, [one for one in offers if one != own], _MOST_IDS,
                                          _CLOSE + 0.2):  # fmt: skip
        span = (entry.line, entry.start), (entry.line, entry.start + len(entry.value))
        yield Fix(f"Replace by {near}: {offers[near]}", (Edit(*span, near),))


def _without(sheet: Sheet, steps: Steps) -> Iterator[Fix]:
    """Offer to take an entry out, with what would be empty without it."""
    entry = sheet.entry(steps)
    if entry is None:
        return
    name = plain(entry.value)
    gone = entry
    while len(gone.steps) > 1:
        above = gone.steps[:-1]
        beside = [one for one in sheet.entries if one.steps[:-1] == above and one != gone]
        parent = sheet.entry(above)
        if beside or parent is None or parent.line == gone.line:
            break
        gone = parent
    end = (gone.last + 1, 0)
    if gone.last + 1 >= len(sheet.lines):
        end = (gone.last, len(sheet.lines[gone.last]))
    yield Fix(f"Remove the link to {name}", (Edit((gone.line, 0), end, ""),))


def _named_id(sheet: Sheet) -> Iterator[Fix]:
    entry, named = sheet.entry(("id",)), id_in(sheet.path)
    if entry and named:
        span = (entry.line, entry.start), (entry.line, entry.start + len(entry.value))
        yield Fix(f"Take the id of the file's name, {named}", (Edit(*span, named),))


def _masked(memory: "Memory", sheet: Sheet) -> Fix:
    """Take all secrets out: lines that hold one are replaced, the others stay as they are."""
    masked = memory.without_secrets("\n".join(sheet.lines)).split("\n")
    edits = [
        Edit((number, 0), (number, len(line)), new)
        for number, (line, new) in enumerate(zip(sheet.lines, masked, strict=False))
        if line != new
    ]
    return Fix("Take the secrets out of this file", tuple(edits), preferred=True)


def _sides(sheet: Sheet) -> Iterator[Fix]:
    """Offer each side of the first conflict in the file."""
    first: dict[str, int] = {}
    for number, line in enumerate(sheet.lines):
        mark = line[:7]
        if mark in {"<" * 7, "|" * 7, "=" * 7, ">" * 7}:
            first.setdefault(mark[0], number)
        if mark == ">" * 7:
            break
    if not {"<", "=", ">"} <= first.keys():
        return
    top, middle, bottom = first["<"], first["="], first[">"]
    ours = sheet.lines[top + 1 : min(first.get("|", middle), middle)]
    theirs = sheet.lines[middle + 1 : bottom]
    end = (bottom, len(sheet.lines[bottom]))
    if bottom + 1 < len(sheet.lines):
        end = (bottom + 1, 0)
    for name, kept in (("first", ours), ("second", theirs)):
        text = "".join(f"{line}\n" for line in kept)
        yield Fix(f"Keep the {name} side", (Edit((top, 0), end, text),))
