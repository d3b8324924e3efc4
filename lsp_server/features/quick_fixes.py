"""Quick fixes for problems in record files: text edits, applied only on request."""

import asyncio
import difflib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lsprotocol import types

from gitmem.records.layout import id_in, kind_of
from lsp_server.features.completion import kind_of_folder
from lsp_server.features.record_files import diagnostic, record_file_at
from lsp_server.outline import OutlineEntry, Steps, kind_in, outline, plain
from lsp_server.positions import line_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.memory import Memory
    from gitmem.records.problems import Problem
    from lsp_server.session import EditorSession

_CLOSE: Final = 0.6
_MOST_VALUES: Final = 8
_MOST_IDS: Final = 3
_MEANT: Final = re.compile(r"did you mean (?:it with '(?P<typo>.+)'|(?P<name>.+))\?")


class TextReplacement(NamedTuple):
    """A piece of text to put in another's place, by lines and characters from 0."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


class QuickFix(NamedTuple):
    """What can be done about a problem; ``preferred`` where there is hardly another way."""

    title: str
    edits: tuple[TextReplacement, ...]
    preferred: bool = False


class RecordText(NamedTuple):
    """A record file's text as quick fixes look at it."""

    path: str
    lines: Sequence[str]
    entries: Sequence[OutlineEntry]

    def entry(self, steps: Steps) -> OutlineEntry | None:
        """Give the entry at a path."""
        return next((entry for entry in self.entries if entry.steps == steps), None)

    @property
    def kind(self) -> str:
        """The record's stated kind, or that of its folder."""
        return kind_in(self.entries) or kind_of_folder(self.path)


def register(server: "EditorSession") -> None:
    """Offer quick fixes among the code actions."""
    server.action_providers.append(problem_actions)


async def problem_actions(
    ls: "EditorSession", params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """Give the fixes of the problems on the lines asked about."""
    uri = params.text_document.uri
    file = record_file_at(ls, uri)
    if file is None or not ls.has_text(uri):
        return []
    document = ls.workspace.get_text_document(uri)
    text, version = document.source, document.version
    selected = range(params.range.start.line, params.range.end.line + 1)

    def ask(memory: "Memory", _attempts: Any) -> "list[tuple[Problem, QuickFix]]":  # noqa: ANN401
        lines = text.split("\n")
        record = RecordText(file.path, lines, outline(lines))
        return [
            (problem, fix)
            for problem in memory.editor.check_text(file.path, text)
            if max(problem.line - 1, 0) in selected
            for fix in fixes(memory, record, problem)
        ]

    fixable = await asyncio.wrap_future(file.open_memory.ask(ask))
    if ls.workspace.get_text_document(uri).version != version:
        return []  # edits for a text that is no more
    lines = text.split("\n")
    return [_action(uri, problem, fix, lines, ls.units) for problem, fix in fixable]


def _action(
    uri: str, problem: "Problem", fix: QuickFix, lines: Sequence[str], units: "Callable[[str], int]"
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


def fixes(memory: "Memory", record: RecordText, problem: "Problem") -> Iterator[QuickFix]:
    """Give what can be done about one problem of a record file.

    Args:
        memory: looked into for ids and secrets.
        record: the file's text.
        problem: as ``Memory.check_text`` gave it.

    """
    from gitmem.records.codec import steps as steps_of  # noqa: PLC0415  imports YAML

    steps = steps_of(problem.field)
    if problem.code in {"dangling-link", "wrong-kind"}:
        yield from _near_ids(memory, record, steps)
        yield from _without(record, steps)
    elif problem.code == "secret":
        yield _masked(memory, record)
    elif problem.code == "conflict-marker":
        yield from _sides(record)
    elif problem.code == "id-mismatch":
        yield from _named_id(record)
    elif problem.code == "no-line-end":
        end = (len(record.lines) - 1, len(record.lines[-1]))
        yield QuickFix("End the last line", (TextReplacement(end, end, "\n"),), preferred=True)
    elif problem.code in {"unknown-field", "invalid-field"}:
        meant = _MEANT.search(problem.hint)
        if meant:
            yield from _renamed(record, steps, meant)
        else:
            yield from _other_values(record, steps)
        if steps == ("kind",) and record.entry(steps) is None and record.kind:
            yield QuickFix(
                f"Add kind: {record.kind}",
                (TextReplacement((0, 0), (0, 0), f"kind: {record.kind}\n"),),
            )


def _renamed(record: RecordText, steps: Steps, meant: re.Match[str]) -> Iterator[QuickFix]:
    wrong, right = (
        (meant["typo"], str(steps[-1])) if meant["typo"] else (str(steps[-1]), meant["name"])
    )
    entry = record.entry((*steps[:-1], wrong))
    if entry:
        span = (entry.line, entry.column), (entry.line, entry.end)
        yield QuickFix(
            f"Rename {wrong} to {right}", (TextReplacement(*span, right),), preferred=True
        )


def _other_values(record: RecordText, steps: Steps) -> Iterator[QuickFix]:
    """Offer the words that are allowed, the likeliest first."""
    from gitmem.records.shape import slot

    entry = record.entry(steps)
    values = slot(record.kind, steps).values
    if entry is None or not values or entry.is_block:
        return
    written = plain(entry.value)
    near = difflib.get_close_matches(written.lower(), values, 1, _CLOSE)
    ordered = [*near, *(value for value in values if value not in near)]
    for value in ordered[:_MOST_VALUES]:
        span = (entry.line, entry.start), (entry.line, entry.start + len(entry.value))
        lead = "" if record.lines[entry.line][: entry.start].endswith((" ", "\t")) else " "
        yield QuickFix(
            f"Replace by {value}",
            (TextReplacement(*span, lead + value),),
            preferred=[value] == near,
        )


def _near_ids(memory: "Memory", record: RecordText, steps: Steps) -> Iterator[QuickFix]:
    entry = record.entry(steps)
    if entry is None:
        return
    written = plain(entry.value)
    start = written.partition("-")[0] + "-" if kind_of(written) else written
    offers = {offer.text: offer.detail for offer in memory.editor.complete("record", start)}
    others = [offer for offer in offers if offer != id_in(record.path)]
    for near in difflib.get_close_matches(written, others, _MOST_IDS, _CLOSE + 0.2):
        span = (entry.line, entry.start), (entry.line, entry.start + len(entry.value))
        yield QuickFix(f"Replace by {near}: {offers[near]}", (TextReplacement(*span, near),))


def _without(record: RecordText, steps: Steps) -> Iterator[QuickFix]:
    """Offer to take an entry out, with what would be empty without it."""
    entry = record.entry(steps)
    if entry is None:
        return
    name = plain(entry.value)
    gone = entry
    while len(gone.steps) > 1:
        above = gone.steps[:-1]
        beside = [entry for entry in record.entries if entry.steps[:-1] == above and entry != gone]
        parent = record.entry(above)
        if beside or parent is None or parent.line == gone.line:
            break
        gone = parent
    end = (gone.last + 1, 0)
    if gone.last + 1 >= len(record.lines):
        end = (gone.last, len(record.lines[gone.last]))
    yield QuickFix(f"Remove the link to {name}", (TextReplacement((gone.line, 0), end, ""),))


def _named_id(record: RecordText) -> Iterator[QuickFix]:
    entry, named = record.entry(("id",)), id_in(record.path)
    if entry and named:
        span = (entry.line, entry.start), (entry.line, entry.start + len(entry.value))
        yield QuickFix(f"Use the id in the file name, {named}", (TextReplacement(*span, named),))


def _masked(memory: "Memory", record: RecordText) -> QuickFix:
    """Take all secrets out: lines that hold one are replaced, the others stay as they are."""
    masked = memory.workspace.redacted_text("\n".join(record.lines)).split("\n")
    edits = [
        TextReplacement((number, 0), (number, len(line)), new)
        for number, (line, new) in enumerate(zip(record.lines, masked, strict=False))
        if line != new
    ]
    return QuickFix("Remove the secrets from this file", tuple(edits), preferred=True)


def _sides(record: RecordText) -> Iterator[QuickFix]:
    """Offer each side of the first conflict in the file."""
    first: dict[str, int] = {}
    for number, line in enumerate(record.lines):
        mark = line[:7]
        if mark in {"<" * 7, "|" * 7, "=" * 7, ">" * 7}:
            first.setdefault(mark[0], number)
        if mark == ">" * 7:
            break
    if not {"<", "=", ">"} <= first.keys():
        return
    top, middle, bottom = first["<"], first["="], first[">"]
    ours = record.lines[top + 1 : min(first.get("|", middle), middle)]
    theirs = record.lines[middle + 1 : bottom]
    end = (bottom, len(record.lines[bottom]))
    if bottom + 1 < len(record.lines):
        end = (bottom + 1, 0)
    for name, side in (("first", ours), ("second", theirs)):
        text = "".join(f"{line}\n" for line in side)
        yield QuickFix(f"Keep the {name} side", (TextReplacement((top, 0), end, text),))
