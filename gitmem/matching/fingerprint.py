"""Fingerprints: is this failure one that was seen before?

Six levels, from exact to coarse, each a short hash of a readable key:

``exact``     the site and what proves it: *the same error* (see ``sameness``)
``site``      where it failed and what was said there: the same failure again, though its line
              or the compared values are others
``place``     type and own frames; without frames what the tool says: *the same place*
``message``   type and message with the names that tell, wherever it happened: *the same message*
``template``  type and message without what it names: the same kind of mistake
``kind``      the rule code, or the type alone: the same kind of error

What says nothing at a level has no fingerprint there, an empty text: it equals nothing.

They are derived and never stored in records; ``VERSION`` changes with every rule here, in
``normalise`` or in ``frames``, and with it everything derived is computed again.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from gitmem.matching import VERSION
from gitmem.matching.basis import EXIT, basis, tells_only_the_end
from gitmem.matching.masks import MaskRule
from gitmem.matching.naming import names_to_keep, with_canonical_names
from gitmem.matching.normalise import template
from gitmem.matching.sameness import exact_key, says_nothing, site_key
from gitmem.matching.site import error_name, place_key
from gitmem.matching.type_values import type_values
from gitmem.matching.wordings import with_canonical_wording
from gitmem.output.failure import Failure, as_fields

TYPED_MESSAGES: Final = ("", "TypeError")
"""Whose messages compare types: checkers and compilers, which have no exception, and TypeErrors."""
NO_TYPES: Final = (
    "Error",
    "ERROR",
    "FATAL",
    "panic",
    "CommandError",
    "UsageError",
    "ClickException",
)
"""What tells how bad it is, and not what: a pasted line that begins with it may be any tool's.

So do those that a program raises to say what is wrong, and prints without their names.
"""
LEVELS: Final = ("exact", "site", "place", "message", "template", "kind")


class Fingerprints(NamedTuple):
    """The levels of one failure as short hex, and the keys that they are hashes of.

    A level that says nothing is an empty text: look it up nowhere.
    """

    exact: str
    site: str
    place: str
    message: str
    template: str
    kind: str
    keys: tuple[str, ...]

    @property
    def values(self) -> tuple[str, str, str, str, str, str]:
        """The levels, in the order of ``LEVELS``."""
        return self.exact, self.site, self.place, self.message, self.template, self.kind


def fingerprints(failure: Failure, rules: Sequence[MaskRule] = ()) -> Fingerprints:
    """Derive the fingerprints of a failure; ``rules`` are the user's masks."""
    named = with_canonical_names(failure)
    failure = with_canonical_wording(named)
    message_template = template(failure.message, rules)
    name = error_name(failure)
    place = place_key(failure, rules)
    vague = basis(failure) == EXIT or tells_only_the_end(as_fields(failure))
    silent = vague or says_nothing(failure, message_template)
    of_template = ""
    if message_template and not silent:
        of_template = _message_key(failure, name, message_template)
    keys = (
        exact_key(named, failure, place, rules) if place and not vague else "",
        site_key(named, failure, place, rules) if place else "",
        place,
        " | ".join([of_template, *names_to_keep(named, rules)]) if of_template else "",
        of_template,
        failure.code or name or message_template,
    )
    exact, site, where, message, outline, kind = map(hash_of, keys)
    return Fingerprints(exact, site, where, message, outline, kind, keys)


def _message_key(failure: Failure, name: str, message_template: str) -> str:
    """Write the key of the ``template`` level: what was said, and the types that it compares."""
    types = type_values(failure.message) if name in TYPED_MESSAGES else ()
    kind = "" if name in NO_TYPES else name
    return " | ".join([kind, message_template, *types])


def hash_of(key: str) -> str:
    """Write a key as short hex; empty: it says nothing."""
    if not key:
        return ""
    # What it begins with, a type or a code, people write as they like.
    first, bar, rest = key.partition(" | ")
    key = f"{first.casefold()}{bar}{rest}"
    return blake2b(f"{VERSION} {key}".encode(errors="replace"), digest_size=8).hexdigest()
