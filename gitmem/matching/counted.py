"""What a failure is known by, part by part, and at which levels each part counts."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.matching.fingerprint import LEVELS, TYPED_MESSAGES, fingerprints
from gitmem.matching.labels import is_placed
from gitmem.matching.masks import MaskRule
from gitmem.matching.naming import names_to_keep, with_canonical_names
from gitmem.matching.normalise import template
from gitmem.matching.sameness import IdentityPart, proof_of, site_parts
from gitmem.matching.site import error_name
from gitmem.matching.type_values import type_values
from gitmem.matching.wordings import with_canonical_wording
from gitmem.output.failure import Failure, as_fields

_OF_SITE: Final = ("exact", "site")
_OF_MESSAGE: Final = ("message", "template")
NAME: Final = "name"
"""What a name in the message is called."""
WORDS: Final = "words instead of a place"
"""What the key of a failure's place is called where no place is known."""


class CountedPart(NamedTuple):
    """One thing that counts.

    Attributes:
        what: a name for it: ``place``, ``message``, ``name``, ``cause``, ``source line`` …
        text: as it is compared, with everything masked that varies.
        levels: where it counts, the most exact first.

    """

    what: str
    text: str
    levels: tuple[str, ...]


def counted(failure: Failure, rules: Sequence[MaskRule] = ()) -> tuple[CountedPart, ...]:
    """Give the parts of a failure that count; none of a level that says nothing of it."""
    named = with_canonical_names(failure)
    canonical = with_canonical_wording(named)
    prints = fingerprints(failure, rules)
    *_, place, message, _, kind = prints.keys
    kept_names = names_to_keep(named, rules) if message else ()
    levels: dict[IdentityPart, list[str]] = {}

    def count(part: IdentityPart, *where: str) -> None:
        levels.setdefault(part, []).extend(where)

    name = error_name(canonical)
    placed = is_placed(as_fields(failure))
    what_kind = "code" if kind == failure.code else "type" if kind == name else "message"
    for part in site_parts(named, canonical, place, rules):
        is_place = part.what == "place"
        # Without frames and without a test the words of the tool stand for the place.
        here = part if placed or not is_place else part._replace(what=WORDS)
        count(here, *_OF_SITE, *(["place"] if is_place else []))
    for part in proof_of(named, canonical, rules) or ():
        count(part, "exact")
    count(IdentityPart("message", template(canonical.message, rules)), *_OF_MESSAGE)
    for each in kept_names:
        count(IdentityPart(NAME, each), "message")
    if name in TYPED_MESSAGES:
        types = ", ".join(type_values(canonical.message))
        count(IdentityPart("types in the message", types), *_OF_MESSAGE)
    count(IdentityPart(what_kind, kind), "kind")
    spoken = {level for level, value in zip(LEVELS, prints.values, strict=True) if value}
    parts = [
        CountedPart(part.what, part.text, tuple(each for each in LEVELS if each in where))
        for part, where in ((part, spoken.intersection(at)) for part, at in levels.items())
        if part.text
    ]
    return tuple(part for part in parts if part.levels)
