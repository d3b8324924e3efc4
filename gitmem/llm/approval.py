"""Whether a call may be made: allowed, only after a question, or refused. Pure."""

from collections.abc import Callable
from decimal import ROUND_UP, Decimal
from typing import Final, NamedTuple

from gitmem.errors import UsageError
from gitmem.llm.ledger import dollars

GO: Final = "go"
ASK: Final = "ask"
REFUSE: Final = "refuse"


class Estimate(NamedTuple):
    """What a call will take at most.

    Attributes:
        operation: what for, in words.
        model: its name.
        host: where it is sent.
        input: tokens of the question, estimated high.
        output: tokens that the answer may take.
        cost: in dollars, at most; None: the price is not known.
        why: why it is asked about.

    """

    operation: str
    model: str
    host: str
    input: int
    output: int
    cost: Decimal | None
    why: str = ""

    @property
    def line(self) -> str:
        """Tell it in one line."""
        price = "price unknown" if self.cost is None else f"at most {dollars(self.cost, ROUND_UP)}"
        tokens = f"~{self.input} tokens in, up to {self.output} out"
        return f"{self.operation}: {price}, {tokens}, {self.model} at {self.host}"


Approve = Callable[[Estimate], bool]
"""Is shown what a call takes, and says whether it may be made."""


class ApprovalError(UsageError):
    """A call needs approval, and there was nobody to ask."""


class DeclinedError(UsageError):
    """The user declined a call."""


class Rules(NamedTuple):
    """The user's settings about cost, in dollars; ``budget`` 0: no limit."""

    auto: bool
    threshold: Decimal
    budget: Decimal


class Ruling(NamedTuple):
    """``go``, ``ask`` or ``refuse``, and why."""

    answer: str
    why: str


def rule(estimate: Estimate, rules: Rules, spent: Decimal) -> Ruling:
    """Decide on a call.

    The budget comes first: it holds whatever else is set. An unknown price is asked about each
    time: neither a threshold nor a budget can say anything about it.

    Args:
        estimate: what it takes.
        rules: the settings.
        spent: dollars this month so far.

    """
    if estimate.cost is None:
        return Ruling(ASK, "its price is not known (set llm.price)")
    if rules.budget and spent + estimate.cost > rules.budget:
        left = dollars(max(rules.budget - spent, Decimal(0)))
        return Ruling(REFUSE, f"{left} is left of this month's {dollars(rules.budget)}")
    if rules.auto or estimate.cost <= rules.threshold:
        return Ruling(GO, "")
    return Ruling(ASK, f"it may cost more than llm.cost_threshold, {dollars(rules.threshold)}")
