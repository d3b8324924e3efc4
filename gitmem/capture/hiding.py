"""May what a checker says of a file stand in the place of something else that it said? Pure."""

from collections.abc import Collection
from typing import Final

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.matching.naming import names_of
from gitmem.matching.recorded import from_fields
from gitmem.matching.type_values import type_values
from gitmem.tools.choice import values

_QUOTES: Final = "'\"`\u2018\u2019"


def may_hide(
    other: FingerprintedFailure, failure: FingerprintedFailure, earlier: Collection[str]
) -> bool:
    """Tell whether a linter may say something of a file in the place of something else.

    What it can't read hides all of a file; the same rule may be broken in other words.

    Args:
        other: what it says now.
        failure: what it said before.
        earlier: the sites of all that it said before.

    """
    rule = other.fields.get("code")
    unreadable = not rule or any(rule in rules for rules in values("ending.unreadable").values())
    return unreadable or (other.site not in earlier and rule == failure.fields.get("code"))


def hides_nothing(
    other: FingerprintedFailure, failure: FingerprintedFailure, earlier: Collection[str]
) -> bool:
    """Tell whether a checker of types knows of the rest what it knew, whatever it says now.

    A value of the wrong type is an error by itself: the types of all other code stay what they
    are. But of the same thing it may say the same in other words.

    Args:
        other: what it says now.
        failure: what it said before.
        earlier: the sites of all that it said before.

    """
    rule = other.fields.get("code")
    if other.site in earlier or rule not in values("ending.harmless").get(_tool(other), ()):
        return False
    if rule != failure.fields.get("code"):
        return True
    here, there = map(_subjects, (other, failure))
    return bool(here and there) and here.isdisjoint(there)


def _tool(failure: FingerprintedFailure) -> str:
    return str(failure.fields.get("tool", ""))


def _subjects(failure: FingerprintedFailure) -> set[str]:
    """Give what a checker says something of: the names in its message that are no types."""
    types = {text.strip(_QUOTES) for text in type_values(str(failure.fields.get("message", "")))}
    return set(names_of(from_fields(failure.fields))) - types
