"""The value that ``advise`` returns. Pure."""

from typing import NamedTuple

from gitmem.learning.advice import AdviceItem
from gitmem.learning.recommendation import Recommendation
from gitmem.learning.retry_verdict import RetryVerdict


class Advice(NamedTuple):
    """What the records advise.

    Attributes:
        about: what was recognised, a line each.
        tries: what to try, the surest first.
        avoid: what to avoid, the surest first.
        stop: why to stop; empty: nothing says so.
        more: how many items to try and to avoid are not told.
        verdict: whether to keep trying, with the rules; None: nothing was tried that is known.
        task: how to go about a task; None: none was asked about.
        notes: what to do where little is known.

    """

    about: tuple[str, ...] = ()
    tries: tuple[AdviceItem, ...] = ()
    avoid: tuple[AdviceItem, ...] = ()
    stop: tuple[AdviceItem, ...] = ()
    more: tuple[int, int] = (0, 0)
    verdict: RetryVerdict | None = None
    task: Recommendation | None = None
    notes: tuple[str, ...] = ()

    @property
    def knows(self) -> bool:
        """There is something to say."""
        return bool(self.tries or self.avoid or self.stop)
