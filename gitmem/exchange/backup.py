"""A backup: the JSON archive with a manifest, gzipped. It can be verified without a memory."""

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.store.archives import inflated, is_bomb

_MOST_BYTES: Final = 1 << 32
"""Of a backup, unpacked: a small file can claim to hold terabytes."""
_DAMAGED: Final = "choose another backup; nothing was changed"
_OTHER: Final = "this is not a gitmem backup"
_MADE: Final = "make one with: gitmem backup FILE; nothing was changed"
_GZIP: Final = b"\x1f\x8b"


class Verified(NamedTuple):
    """A backup that is whole.

    Attributes:
        data: the JSON archive's bytes.
        manifest: what it says that it holds: records, kinds, attachments, archives, sha256.
        settings: the team's settings, as their file has them; empty: the plain ones.

    """

    data: bytes
    manifest: dict[str, Any]
    settings: str


def pack(content: Mapping[str, Any], settings: str) -> tuple[bytes, dict[str, Any]]:
    """Make a backup of an archive's content; give it with its manifest.

    The same memory gives the same bytes on one machine.
    """
    kinds = Counter(entry["record"].get("kind", "") for entry in content["records"])
    manifest = {
        "records": len(content["records"]),
        "kinds": dict(sorted(kinds.items())),
        "attachments": len(content["attachments"]),
        "archives": len(content.get("archives", {})),
        "sha256": _digest(content, settings),
    }
    whole = {"backup": "gitmem", **content, "settings": settings, "manifest": manifest}
    text = (json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
    data = gzip.compress(text, 6, mtime=0)
    if is_bomb(data, len(text)):  # an attachment of nothing but zeros: not packed, it can be read
        data = gzip.compress(text, 0, mtime=0)
    return data, manifest


def verify(data: bytes) -> Verified:
    """Check a backup from end to end.

    Raises:
        InvalidError: it is none, or it is not as it was written.

    """
    if not data.startswith(_GZIP):
        raise InvalidError(_OTHER, _MADE)
    try:
        whole = json.loads(inflated(data, _MOST_BYTES))
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise InvalidError(f"this backup can't be read: {error}", _DAMAGED) from None
    if not isinstance(whole, dict) or whole.get("backup") != "gitmem":
        raise InvalidError(_OTHER, _MADE)
    manifest, settings = whole.pop("manifest", None), whole.pop("settings", "")
    whole.pop("backup")
    if not isinstance(manifest, dict) or not isinstance(settings, str):
        raise InvalidError("this backup has no manifest", _DAMAGED)
    if _digest(whole, settings) != manifest.get("sha256"):
        raise InvalidError("this backup is damaged: its checksum does not match", _DAMAGED)
    return Verified(json.dumps(whole, ensure_ascii=False).encode(), manifest, settings)


def _digest(content: Mapping[str, Any], settings: str) -> str:
    # Canonical: the digest is of the values, not of how they are laid out.
    text = json.dumps(
        {**content, "settings": settings},
        ensure_ascii=True,
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
    )
    return hashlib.sha256(text.encode()).hexdigest()
