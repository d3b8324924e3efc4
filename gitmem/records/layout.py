"""Where a record's file lies: folder = kind / year / month, name = slug + id.

The path says nothing that can change, and never changes afterwards. Flat folders would
make every commit rewrite one huge tree object.
"""

import re
from datetime import datetime
from typing import Final

from gitmem.records.ids import ALPHABET, KIND_OF, LENGTH, PREFIXES

MARKER: Final = "gitmem.yaml"
ATTACHMENTS: Final = "attachments"
ARCHIVE: Final = "archive"
"""Where archives of old records lie; see ``gitmem.store.archives``."""
FOLDERS: Final = {kind: f"{kind}s" for kind in PREFIXES} | {"fix": "fixes"}
KIND_OF_FOLDER: Final = {folder: kind for kind, folder in FOLDERS.items()}
_NAME: Final = rf"(?:[^/]*-)?(?P<id>(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{{LENGTH}}})\.ya?ml(?!\n)$"
_PATH: Final = rf"(?P<folder>{'|'.join(KIND_OF_FOLDER)})/[0-9]{{4}}/[0-9]{{2}}/[^/\x00]+(?!\n)$"
_SLUG_LENGTH = 60


def slug(title: str) -> str:
    """Shorten a title to what is readable and safe in every file system (ASCII, no case)."""
    import unicodedata

    text = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", text).strip("-")
    if len(words) > _SLUG_LENGTH:
        words = words[:_SLUG_LENGTH].rsplit("-", 1)[0]
    return words


def path_for(kind: str, record_id: str, title: str, created: datetime) -> str:
    """Give the path of a new record, relative to the memory's folder."""
    name = "-".join(filter(None, (slug(title), record_id)))
    return f"{FOLDERS[kind]}/{created.year:04}/{created.month:02}/{name}.yaml"


def id_in(path: str) -> str | None:
    """Read the id out of a record file's name; None if the name holds none."""
    match = re.match(_NAME, path.rpartition("/")[2])
    return match["id"] if match else None


def is_record_path(path: str) -> bool:
    """Tell whether ``path_for`` could have given ``path``, so that it stays in the folder."""
    return re.match(_PATH, path) is not None and id_in(path) is not None
