"""Completion in record files: fields, the words that are allowed, ids, tags and paths.

In every other file only an id that was begun (``err-7k``) is completed.
"""

import asyncio
import functools
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from lsprotocol import types

from gitmem.records.layout import KIND_OF_FOLDER, kind_of
from lsp_server.error_log import log_errors
from lsp_server.features.record_files import record_file_at
from lsp_server.mentions import column_of, unfinished_id
from lsp_server.outline import Steps, kind_in, outline
from lsp_server.positions import EditorRange, line_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory import Memory
    from gitmem.records.shape import Names, Slot
    from lsp_server.session import EditorSession

_PROBE: Final = "probe_of_ours"
_KEY: Final = re.compile(r"(?P<head>[ ]*(?:-[ ]+)*)(?P<word>[\w.-]*)$")
_VALUE: Final = re.compile(r"(?P<head>[ ]*(?:-[ ]+)*[A-Za-z_][\w.-]*:[ ]+)(?P<word>.*)$")
_ITEM: Final = re.compile(r"(?P<head>[ ]*(?:-[ ]+)+)(?P<word>.*)$")
_IN_FLOW: Final = re.compile(r"\[(?:[^\]]*,)?[ ]*")
_TYPES: Final[dict["Names", types.CompletionItemKind]] = {
    "tag": types.CompletionItemKind.Keyword,
    "path": types.CompletionItemKind.File,
}  # fmt: skip


class CursorSlot(NamedTuple):
    """What may be typed at the cursor.

    Attributes:
        slot: what may stand there.
        word: what was typed of it already; it is replaced.
        as_key: a field's name is typed, a colon follows.
        taken: fields that the mapping has already.

    """

    slot: "Slot"
    word: str
    as_key: bool
    taken: frozenset[str]


def register(server: "EditorSession") -> None:
    """Answer requests for completion."""
    options = types.CompletionOptions(trigger_characters=["-", " ", "/", "["])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    @log_errors
    async def on_completion(
        ls: "EditorSession", params: types.CompletionParams
    ) -> types.CompletionList | None:
        uri, at = params.text_document.uri, params.position
        open_memory = ls.open_memory_for(uri)
        if open_memory is None:
            return None
        await open_memory.fresh(1.0)
        lines = ls.lines_of(uri)
        line = line_at(lines, at.line)
        before = line[: column_of(line, at.character, ls.units)]
        file = record_file_at(ls, uri)
        slot = slot_at(lines, at.line, before, kind_of_folder(file.path)) if file else None

        typed_id = unfinished_id(before)
        if typed_id:
            word, offers_from = typed_id, functools.partial(_named, names="record", word=typed_id)
        elif slot:
            word, offers_from = slot.word, functools.partial(_offers, at_cursor=slot)
        else:
            return None
        offers = await asyncio.wrap_future(open_memory.ask(lambda memory, _: offers_from(memory)))
        start = ls.units(before[: len(before) - len(word)])
        span = EditorRange((at.line, start), (at.line, at.character)).range()
        for number, item in enumerate(offers):
            item.text_edit = types.TextEdit(range=span, new_text=item.insert_text or item.label)
            item.insert_text = None
            item.sort_text = f"{number:04}"
        return types.CompletionList(is_incomplete=True, items=offers)


def kind_of_folder(inside: str) -> str:
    """Give the kind of record that a folder is for."""
    return KIND_OF_FOLDER.get(inside.partition("/")[0], "")


def slot_at(lines: "Sequence[str]", number: int, before: str, kind: str) -> CursorSlot | None:
    """Find what may be typed at the cursor of a record file; None in free text.

    Args:
        lines: the text's lines.
        number: the cursor's line, from 0.
        before: what stands before the cursor on its line.
        kind: the kind to go by where the text does not say it.

    """
    from gitmem.records.shape import slot

    kind = kind_in(outline(lines)) or kind
    if number > len(lines):
        return None
    above = [line_at(lines, index) for index in range(number)]
    if typed := _KEY.match(before):
        steps = _steps([*above, f"{typed['head']}{_PROBE}: "])
        if steps is None:
            return None
        here = slot(kind, steps[:-1])
        if here.fields and not here.is_list:
            return CursorSlot(here, typed["word"], True, _taken_keys(lines, steps[:-1], number))  # noqa: FBT003
    if typed := _VALUE.match(before) or _ITEM.match(before):
        steps = _steps([*above, typed["head"]])
        if steps is None:
            return None
        word = typed["word"]
        here = slot(kind, steps)
        if flow := _IN_FLOW.match(word):
            word = word[flow.end() :]
            here = here._replace(is_list=False)
        if not here.is_list:
            return CursorSlot(here._replace(fields={}), word.lstrip("'\""), False, frozenset())  # noqa: FBT003
    return None


def _steps(lines: "Sequence[str]") -> Steps | None:
    """Give the path of what the last line begins; None inside a block of text."""
    entries = outline(lines)
    if not entries or entries[-1].line != len(lines) - 1:
        return None
    return entries[-1].steps


def _taken_keys(lines: "Sequence[str]", mapping: Steps, but: int) -> frozenset[str]:
    return frozenset(
        str(entry.steps[-1])
        for entry in outline(lines)
        if entry.steps[:-1] == mapping and entry.line != but
    )


def _offers(memory: "Memory", at_cursor: CursorSlot) -> list[types.CompletionItem]:
    if at_cursor.as_key:
        return [
            types.CompletionItem(
                label=name,
                kind=types.CompletionItemKind.Field,
                detail=about,
                insert_text=f"{name}: ",
            )
            for name, about in at_cursor.slot.fields.items()
            if name not in at_cursor.taken
        ]
    if at_cursor.slot.values:
        return [
            types.CompletionItem(label=value, kind=types.CompletionItemKind.EnumMember)
            for value in at_cursor.slot.values
        ]
    return _named(memory, at_cursor.slot.names, at_cursor.word) if at_cursor.slot.names else []


def _named(memory: "Memory", names: "Names", word: str) -> list[types.CompletionItem]:
    kind = _TYPES.get(names, types.CompletionItemKind.Reference)
    if names == "record" and "-" in word and kind_of(word) is None:
        return []
    return [
        types.CompletionItem(
            label=offer.text,
            kind=kind,
            detail=offer.detail,
            # Records are found by the words of their titles, too.
            filter_text=offer.text if names in {"tag", "path"} else f"{offer.text} {offer.detail}",
        )
        for offer in memory.editor.complete(names, word)
    ]
