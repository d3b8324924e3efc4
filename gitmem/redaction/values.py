"""What a value looks like: drawn at random, a placeholder, a reference, an identifier."""

import binascii
import re
from collections import Counter
from math import log2
from typing import Final

from gitmem.redaction.lazily import lazily

LONGEST_JUDGED: Final = 256
"""Characters of a value that are looked at to judge it."""

# Never secret, whatever they are assigned to. What people put into examples, and the names
# of types and states that follow a colon in code, schemas and messages.
_TRIVIAL: Final = frozenset(
    """
    access account admin administrator any api apikey array attribute auth authentication author
    authorization available bad bearer bool boolean bytes bytearray changed changeme char check
    column correct credentials credential custom default demo denied development digest disabled
    does dummy email empty enabled encrypted enter environment error example expired external
    failed failure fake false field file final first float foobar format found from function
    global guest hash header hidden identifier ignored incorrect input int integer internal
    invalid key keyword last length letmein list local localhost login long malformed mask masked
    match matches maximum minimum mismatch missing must name needed never new next nil none null
    number object off ok old omitted optional options owner param parameter pass passed passwd
    password passphrase path pattern phrase placeholder please postgres postgresql pre present
    private production prompt property public query raise random readonly redacted register
    removed replace required reset response restricted return root sample sanitized secret
    secrets securestring self session set sign signature skipped staging static str string
    success super template temporary test tested tester testing text this todo token tokens too
    true tuple type unauthorized undefined unexpected unicode unknown unset unused update updated
    url user username users utf-8 valid value values variable varchar var void warning was weak
    wrong xxx yes your
    """.split()  # noqa: SIM905  in quotes and commas nobody would read it
)
_EXAMPLE: Final = lazily(
    r"(?i:"
    r"[<\[{(%$*#@&!|\\].{0,2}\Z"  # a lone sign
    r"|[x*.•●_#?:-]{3,}\Z|(.)\1*\Z"  # xxxx, ****, one character repeated
    r"|(?:your|my|some|the|an?|insert|enter|put|add|replace|change|example|sample|dummy|fake|test|todo)"
    r"(?:[-_ ][a-z]+){0,6}[-_ ]?(?:api|auth|access)?[-_ ]?"
    r"(?:password|passwd|secret|token|key|credentials?|value|here|me|it|goes|this|example)\Z"
    r")"
)
# Where the value is not in the text: a variable, a format field, something taken out before.
_REFERENCE: Final = lazily(
    r"(?:b?[\"'])?(?:"
    r"\$(?:[A-Za-z_{(]|\d\Z)|%\(|%[sdrvq]|%[A-Za-z_]+%\Z|\{|\\?\(|#\{|@[A-Za-z.]+@|@-?\Z"
    r"|<[A-Za-z_/!%?][^<>]{0,80}>|<redacted:|\[[A-Za-z_ .-]{2,40}(?:\]|\Z)"
    r"|(?:id|type|src|source|env)="
    r"|!(?:Ref|Sub|GetAtt|vault|ENC|secret|reference)\b|ENC\[|secret://|vault:|env:|op://|arn:aws"
    r"|[*•●]{3}|&[A-Za-z_]\w*\Z|\.\.\.|…|-\Z|:[a-z]+:"
    r"|process\.env|os\.environ|secrets\.|var\.|data\.|self\.|this\.|env\."
    r")"
)
_WORDS: Final = lazily(r"[^\W\d_]+")
_UUID: Final = lazily(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_HEX: Final = lazily(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_TOKEN: Final = lazily(r"[A-Za-z0-9+/=_.~%:-]+\Z")
_PIECES: Final = lazily(r"[a-z]+|[A-Z][a-z]+|[A-Z]+|\d+")
_LEAST_BITS: Final = 2.9
_LEAST_CHANGES: Final = 0.27
_DIGESTS: Final = frozenset({7, 8, 12, 32, 40, 56, 64, 96, 128})


def is_trivial(value: str) -> bool:
    """Tell whether a value is a word that nobody keeps secret, or stands for one."""
    low = value.strip(" \t'\"`.,;:!?").lower()
    return not low or low in _TRIVIAL or len(low) <= 2 or is_example(value)  # noqa: PLR2004


def is_example(value: str) -> bool:
    """Tell whether a value is made to be replaced: ``your-token-here``, ``xxxxxxxx``."""
    return _EXAMPLE.match(value[:LONGEST_JUDGED]) is not None


def is_reference(value: str) -> bool:
    """Tell whether a value says where the secret is instead of what it is."""
    return _REFERENCE.match(value[:LONGEST_JUDGED]) is not None


def is_words(value: str) -> bool:
    """Tell whether a value is nothing but letters in one or more words."""
    return all(part.isalpha() for part in re.split(r"[ _.\-/'\u2019]+", value) if part)


def bits(value: str) -> float:
    """Give Shannon's entropy of a value, in bits a character."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in Counter(value).values()) if size else 0.0


def is_random(value: str, least: int = 16) -> bool:
    """Tell whether a value looks drawn at random and not made of words, dates and versions."""
    value = value[:LONGEST_JUDGED]
    if len(value) < least or not _TOKEN.match(value) or bits(value) < _LEAST_BITS:
        return False
    digits = sum(character.isdigit() for character in value)
    if not digits or digits == len(value) or value.count(":") > 1:
        return False
    pieces = _PIECES.findall(value)
    changes = len(pieces) - 1 - sum(value.count(sign) for sign in "-_./")
    return changes >= _LEAST_CHANGES * sum(map(len, pieces)) or (
        len(value) >= 2 * least and changes >= _LEAST_CHANGES / 2 * sum(map(len, pieces))
    )


def is_digest(value: str) -> bool:
    """Tell whether a value has the form of a digest, an object id or a UUID."""
    return bool(_UUID.match(value)) or (len(value) in _DIGESTS and bool(_HEX.match(value)))


def is_basic(value: str) -> bool:
    """Tell whether a value is ``user:password`` in base64."""
    try:
        said = binascii.a2b_base64(value[: LONGEST_JUDGED // 4 * 4], strict_mode=True)
    except (binascii.Error, ValueError):
        return False
    return b":" in said[1:-1] and said.isascii() and said.decode().isprintable()
