"""Record ids: kind prefix, a dash, ten characters of Crockford base32.

Fifty random bits: a repository of 100,000 records has a chance of 1 in 200,000
of a collision anywhere (birthday bound n^2 / 2^51), and creation is exclusive.
Alphabet: https://www.crockford.com/base32.html, lower case.
"""

import re
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
