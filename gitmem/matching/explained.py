"""A text as it is understood: its failure, the fingerprints, and how another one compares."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gitmem.matching.explain import Explanation, FailureComparison, compare, explain
from gitmem.matching.masks import MaskRule
from gitmem.matching.parse import main_failure, parse
from gitmem.matching.recorded import from_fields
from gitmem.output.failure import Failure, as_fields

if TYPE_CHECKING:
    from gitmem.tools.matchers.reader import Matchers


class Explained(NamedTuple):
    """How a text is understood.

    Attributes:
        failure: the failure that it speaks of, as a record would keep it.
        understood: a parser, or the fallback, found it; otherwise the text is the message.
        more: how many more failures the text holds.
        explanation: how the fingerprints came about.
        against: the failure that it is compared with, if there is one.
        comparison: why the two are or are not one.

    """

    failure: Failure
    understood: bool
    more: int
    explanation: Explanation
    against: Failure | None = None
    comparison: FailureComparison | None = None


def explained(
    text: str,
    against: Failure | None = None,
    rules: Sequence[MaskRule] = (),
    recorded: Callable[[Failure], Failure] | None = None,
    matchers: "Matchers | None" = None,
) -> Explained:
    """Explain the first failure in a text, and compare it with another one.

    Args:
        text: an error text.
        against: what it is compared with; None: nothing.
        rules: the team's masks.
        recorded: makes of a failure what a record of it would hold.
        matchers: that the repository describes its own tools with; None: none.

    """
    failures = parse(text, matchers=matchers)
    failure = (recorded or as_recorded)(failures[0] if failures else main_failure(text))
    comparison = compare(failure, against, rules) if against else None
    more = max(0, len(failures) - 1)
    return Explained(failure, bool(failures), more, explain(failure, rules), against, comparison)


def as_recorded(failure: Failure) -> Failure:
    """Give a failure with what a record of it keeps: only that counts in a fingerprint."""
    return from_fields(as_fields(failure))
