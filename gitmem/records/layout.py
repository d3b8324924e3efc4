"""Ids of records, and where their files lie: folder = kind / year / month, name = slug + id.

The path says nothing that can change, and never changes afterwards. Flat folders would
make every commit rewrite one huge tree object.

An id is the kind's prefix, a dash, and ten characters of Crockford's base32 in lower case
(https://www.crockford.com/base32.html): fifty random bits, so that a repository of 100,000 records
has a chance of 1 in 200,000 of a collision anywhere, and creation is exclusive.
"""

import re
from datetime import datetime
from typing import Final

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH: Final = 10
PREFIXES: Final = {
    "error": "err",
    "fix": "fix",
    "decision": "dec",
    "session": "ses",
    "pattern": "pat",
    "note": "note",
}
KIND_OF: Final = {prefix: kind for kind, prefix in PREFIXES.items()}
ID_PATTERN: Final = rf"^(?:{'|'.join(KIND_OF)})-[{ALPHABET}]{{{LENGTH}}}(?![\r\n])$"


def make_id(kind: str, random: bytes) -> str:
    """Build an id for ``kind`` from at least 7 random bytes (50 bits are used)."""
    bits = int.from_bytes(random[:7], "big")
    chars = [ALPHABET[bits >> (5 * i) & 31] for i in range(LENGTH)]
    return f"{PREFIXES[kind]}-{''.join(chars)}"


def is_id(text: str) -> bool:
    """Tell whether ``text`` is a whole, well-formed id."""
    return re.match(ID_PATTERN, text) is not None


def kind_of(record_id: str) -> str | None:
    """Name the kind that an id or a prefix of one (``err-7k``) speaks of."""
    return KIND_OF.get(record_id.partition("-")[0])


def normalise(typed: str) -> str:
    """Read an id as people type it: any case, and Crockford's look-alikes i l o."""
    prefix, dash, rest = typed.strip().lower().partition("-")
    return prefix + dash + rest.translate(str.maketrans("ilo", "110"))


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
