"""A stored patch as a workspace edit, in the client's position encoding."""

from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from lsp_server.positions import Units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.capture.applying import Splice
    from gitmem.memory import FileChange

_ANNOTATION: Final = "gitmem"
_DOES: Final = {
    "edit": "changes", "create": "makes", "delete": "deletes", "rename": "renames a file to",
}  # fmt: skip
_MOST_TOLD: Final = 40
_Operation = types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile


class EditCapabilities:
    """What a client can do with an edit.

    Attributes:
        operations: kinds of file operations: ``create``, ``rename``, ``delete``.
        documents: edits may name the version of each document.
        annotations: edits may be explained, and confirmed by the user.

    """

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        workspace = capabilities.workspace
        edit = workspace.workspace_edit if workspace else None
        self.documents = bool(edit and edit.document_changes)
        kinds = (edit.resource_operations if edit else None) or ()
        self.operations = {str(kind.value) for kind in kinds}
        self.annotations = bool(edit and edit.change_annotation_support) and self.documents

    def suffice(self, changes: "Sequence[FileChange]") -> bool:
        """Tell whether the client can carry changes out, and ask where it has to."""
        if any(change.asks for change in changes) and not self.annotations:
            return False
        needed = {change.action for change in changes} - {"edit"}
        return not needed or (self.documents and needed <= self.operations)


def workspace_edit(
    changes: "Sequence[FileChange]",
    abilities: EditCapabilities,
    versions: dict[str, int],
    units: Units,
    title: str,
) -> types.WorkspaceEdit:
    """Write changes as an edit.

    Args:
        changes: what is to be done, file by file.
        abilities: what the client can do.
        versions: of the documents that are open, by path.
        units: counts a text in the client's units.
        title: says where the edit comes from, for clients that show it before.

    """
    # What is in one file and certain is done at once: it can be undone. The rest asks first.
    certain = len(changes) == 1 and not changes[0].asks and changes[0].exact
    mark = _ANNOTATION if abilities.annotations and not certain else None
    if not abilities.documents:
        edits = {_uri(each.path): text_edits(each.text, each.splices, units) for each in changes}
        return types.WorkspaceEdit(changes=edits)
    operations: list[_Operation] = []
    for change in changes:
        operations += _operations(change, versions.get(change.path), units, mark)
    annotation = types.ChangeAnnotation(
        label=title, needs_confirmation=True, description=_told(changes)
    )
    return types.WorkspaceEdit(
        document_changes=operations,
        change_annotations={_ANNOTATION: annotation} if mark else None,
    )


def _told(changes: "Sequence[FileChange]") -> str:
    """Say what happens to each file, first what nobody should do unseen."""
    asked_first = sorted(changes, key=lambda change: not change.asks)
    lines = [
        f"{_DOES[change.action]} {' '.join(change.name.split())}"
        for change in asked_first[:_MOST_TOLD]
    ]
    more = [f"{len(asked_first) - _MOST_TOLD} more"] * (len(asked_first) > _MOST_TOLD)
    return "a past fix, from the memory: " + ", ".join(lines + more)


def _operations(
    change: "FileChange", version: int | None, units: Units, mark: str | None
) -> list[_Operation]:
    uri = _uri(change.path)
    if change.action == "delete":
        return [types.DeleteFile(uri=uri, annotation_id=mark)]
    operations: list[_Operation] = []
    if change.action == "create":
        options = types.CreateFileOptions(overwrite=False, ignore_if_exists=False)
        operations.append(types.CreateFile(uri=uri, options=options, annotation_id=mark))
        edits = [types.TextEdit(range=_range(0, 0, 0, 0), new_text=change.text)]
    else:
        edits = text_edits(change.text, change.splices, units)
    if edits:
        document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
        marked = [_marked(edit, mark) for edit in edits]
        operations.append(types.TextDocumentEdit(text_document=document, edits=marked))
    if change.action == "rename":
        operations.append(
            types.RenameFile(old_uri=uri, new_uri=_uri(change.to), annotation_id=mark)
        )
    return operations


def text_edits(text: str, splices: "Sequence[Splice]", units: Units) -> list[types.TextEdit]:
    """Write replaced lines as edits of a text; its line endings stay as they are."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    last = len(lines) - 1
    edits = []
    for splice in splices:
        new = end.join(splice.lines)
        if splice.end <= last:
            range_ = _range(splice.start, 0, splice.end, 0)
            new += end if splice.lines else ""
        else:
            # Up to the end of a text without a last line break.
            before = splice.start - 1
            at = (before, units(lines[before])) if before >= 0 else (0, 0)
            range_ = _range(*at, last, units(lines[last]))
            new = (end if splice.lines and before >= 0 else "") + new
        edits.append(types.TextEdit(range=range_, new_text=new))
    return edits


def _marked(edit: types.TextEdit, mark: str | None) -> types.TextEdit | types.AnnotatedTextEdit:
    if mark is None:
        return edit
    return types.AnnotatedTextEdit(range=edit.range, new_text=edit.new_text, annotation_id=mark)


def _range(line: int, column: int, end_line: int, end_column: int) -> types.Range:
    return types.Range(
        start=types.Position(line=line, character=column),
        end=types.Position(line=end_line, character=end_column),
    )


def _uri(path: str) -> str:
    return str(from_fs_path(path))
