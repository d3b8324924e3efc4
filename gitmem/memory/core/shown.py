"""What record files may show: all but the secrets that somebody wrote into them."""

from typing import TYPE_CHECKING, Any

from gitmem.catalog.catalog import CatalogDamaged
from gitmem.records import codec
from gitmem.records.migrations import migrate
from gitmem.store.files import ProblemError

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.kinds import Record


def read_at(workspace: "Workspace", path: str) -> "Record | None":
    """Read the record of a file as it may be shown; None: it is gone or broken."""
    from gitmem.records.convert import decode

    try:
        record = decode(workspace.store.read(path), path).record
    except (OSError, ProblemError):
        return None
    return shown_record(workspace, path, record) if record else None


def shown_record(workspace: "Workspace", path: str, record: "Record") -> "Record":
    """Give a record as it may be shown: without the secrets that somebody wrote into its file."""
    if not _holds_secrets(workspace, path):
        return record
    from gitmem.sync.secrets import without_secrets

    return without_secrets(record, workspace.derived.team_rules.passes, workspace.others_environ)


def read_data(workspace: "Workspace", path: str) -> dict[str, Any]:
    """Read the plain data of a file that the catalog knows as a record, as it may be shown.

    It is empty where the file is gone or broken by now.
    """
    try:
        return shown_data(workspace, path, migrate(codec.load(workspace.store.read(path))))
    except (OSError, ProblemError, codec.YamlError):
        return {}


def shown_data(workspace: "Workspace", path: str, data: dict[str, Any]) -> dict[str, Any]:
    """Give a record's plain data as it may be shown."""
    if not _holds_secrets(workspace, path):
        return data
    from gitmem.records.convert import from_data, to_data

    return to_data(shown_record(workspace, path, from_data(data)))


def shown_text(workspace: "Workspace", path: str, text: bytes) -> bytes:
    """Give a record file as it may be shown; written anew where escapes could hide a secret."""
    if not _holds_secrets(workspace, path):
        return text
    if b"\\" in text:
        from gitmem.records.convert import decode, encode

        record = decode(text, path).record
        return encode(shown_record(workspace, path, record)) if record else b""
    return workspace.redacted_text(text.decode(errors="replace")).encode()


def _holds_secrets(workspace: "Workspace", path: str) -> bool:
    """Tell whether a file holds secrets, as the question knew it that led to the file."""
    try:
        return workspace.derived.opened.holds_secrets(path)
    except CatalogDamaged:
        return True  # the next question mends it; till then nothing is shown that was not searched
