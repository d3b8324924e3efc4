"""The ledger of model calls: what was asked of which model, its tokens and its cost. Pure.

A call is two events: one before it is sent, with the estimate, and one after, with what was
measured. Where the second is missing the process died meanwhile, and the estimate counts: money
that may have been spent is never forgotten. No text of a question or an answer is in it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

STREAM: Final = "cost"
ASKED: Final = "asked"
ANSWERED: Final = "answered"
FAILED: Final = "failed"
TOLD: Final = "told"
"""By a caller, of a call that gitmem did not make."""
_TEN_CENTS: Final = Decimal("0.1")
_TENTH_OF_A_CENT: Final = Decimal("0.001")
_CENTS: Final = Decimal("0.01")
_FINER: Final = Decimal("0.0001")
_FINEST: Final = Decimal("0.000001")


class Call(NamedTuple):
    """One call to a model.

    Attributes:
        id: names it within the ledger; empty: somebody else's.
        at: when it was sent.
        operation: what for, such as ``session-summary``.
        model: as it was asked for.
        host: the server; empty: not told.
        state: ``answered``, ``failed``, ``told``, or ``asked``: nobody knows what came of it.
        input: tokens of the question.
        output: tokens of the answer.
        cost: in dollars; None: the price is not known.
        measured: tokens are the server's own figures, not estimates.
        session: id of the session that it belongs to; empty: none.

    """

    id: str
    at: datetime
    operation: str
    model: str
    host: str
    state: str
    input: int
    output: int
    cost: Decimal | None
    measured: bool
    session: str = ""

    def event(self) -> dict[str, Any]:
        """Give it as plain data; the cost as text, as a float would not be exact."""
        cost = None if self.cost is None else str(self.cost)
        return {**self._asdict(), "at": self.at.isoformat(), "cost": cost}


class Total(NamedTuple):
    """Calls together: how many, tokens, dollars, and how many have no known price."""

    calls: int
    input: int
    output: int
    cost: Decimal
    unpriced: int

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input + self.output


class Spending(NamedTuple):
    """What was spent.

    Attributes:
        month: ``2026-11``; empty: ever.
        calls: oldest first.
        total: of these.
        budget: dollars a month; 0: no limit.
        this_month: dollars of the month that is now.
        warning: when the budget is nearly or wholly spent; else empty.

    """

    month: str
    calls: tuple[Call, ...]
    total: Total
    budget: Decimal
    this_month: Decimal
    warning: str


def read(events: Iterable[Mapping[str, Any]]) -> list[Call]:
    """Give the calls of a journal, each as it is known last; what is no call is passed over."""
    calls: dict[str, Call] = {}
    for event in events:
        call = _call(event)
        if call:
            calls[call.id] = call
    return sorted(calls.values(), key=lambda call: (call.at, call.id))


def _call(event: Mapping[str, Any]) -> Call | None:
    try:
        cost = event["cost"]
        call = Call(
            id=str(event["id"]),
            at=datetime.fromisoformat(event["at"]),
            operation=str(event["operation"]),
            model=str(event["model"]),
            host=str(event["host"]),
            state=str(event["state"]),
            input=int(event["input"]),
            output=int(event["output"]),
            cost=None if cost is None else Decimal(cost),
            measured=event["measured"] is True,
            session=str(event.get("session", "")),
        )
    except (KeyError, TypeError, ValueError, InvalidOperation):
        return None
    return call if call.cost is None or call.cost.is_finite() else None


def total(calls: Iterable[Call]) -> Total:
    """Add calls up; those without a known price count with none."""
    call_list = list(calls)
    return Total(
        calls=len(call_list),
        input=sum(call.input for call in call_list),
        output=sum(call.output for call in call_list),
        cost=sum((call.cost for call in call_list if call.cost is not None), Decimal(0)),
        unpriced=sum(call.cost is None for call in call_list),
    )


def of_month(calls: Iterable[Call], month: str) -> list[Call]:
    """Give the calls of a month such as ``2026-11``, in UTC as they were noted."""
    return [call for call in calls if f"{call.at:%Y-%m}" == month]


def warning(spent: Decimal, budget: Decimal, percentage: float) -> str:
    """Say in a line that the month's budget is nearly or wholly spent; else nothing."""
    if not budget or spent * 100 < budget * Decimal(str(percentage)):
        return ""
    share = int(spent * 100 / budget)
    return f"{share}% of this month's budget is spent: {dollars(spent)} of {dollars(budget)}"


def dollars(amount: Decimal | None, rounding: str = ROUND_HALF_UP) -> str:
    """Write an amount: cents, and further digits where it is less than ten cents."""
    if amount is None:
        return "price unknown"
    small = bool(amount) and amount < _TEN_CENTS
    digits = _CENTS if not small else _FINER if amount >= _TENTH_OF_A_CENT else _FINEST
    return f"${amount.quantize(digits, rounding)}"
