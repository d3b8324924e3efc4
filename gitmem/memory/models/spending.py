"""What calls to language models cost: our own, and those that callers told us of."""

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import UsageError
from gitmem.llm import ledger
from gitmem.memory.models import interactions
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from gitmem.memory.view import View

_MONTH: Final = re.compile(r"\d{4}-(0[1-9]|1[0-2])\Z")
NOW: Final = "now"


def spending(memory: "View", month: str = "") -> ledger.Spending:
    """Tell what was spent in this clone.

    Args:
        memory: the memory.
        month: such as ``2026-11``; ``now``: this one; empty: ever.

    Raises:
        UsageError: that is no month.

    """
    now = f"{memory.now():%Y-%m}"
    month = now if month == NOW else month
    if month and not _MONTH.match(month):
        raise UsageError(f"{month!r} is no month", "such as 2026-11")
    own = own_calls(memory)
    every = sorted([*own, *_told(memory)], key=lambda one: one.at)
    calls = ledger.of_month(every, month) if month else every
    config = memory.site.config
    budget = Decimal(str(config.llm_monthly_budget))
    spent = ledger.total(ledger.of_month(own, now)).cost
    warning = ledger.warning(spent, budget, config.llm_warn_at_percentage)
    return ledger.Spending(month, tuple(calls), ledger.total(calls), budget, spent, warning)


def own_calls(memory: "View") -> list[ledger.Call]:
    """Give the calls that gitmem made, oldest first; the budget is about these."""
    return ledger.read(Journal(memory.site.journal).read(ledger.STREAM))


def as_interactions(calls: list[ledger.Call]) -> list[interactions.Interaction]:
    """Give calls in the form in which a session's record adds them up."""
    return [
        interactions.Interaction(one.at, one.operation, "", "", "", "", _metadata(one))
        for one in calls
    ]


def _metadata(call: ledger.Call) -> dict[str, Any]:
    told = {"model": call.model, "input_tokens": call.input, "output_tokens": call.output}
    return told if call.cost is None else {**told, "cost_usd": float(call.cost)}


def _told(memory: "View") -> list[ledger.Call]:
    """Give the calls that callers told of, as far as they say what those took."""
    return [
        ledger.Call(
            id="",
            at=one.at,
            operation=one.type,
            model=str(one.metadata.get("model", "")),
            host="",
            state=ledger.TOLD,
            input=used.input_tokens or 0,
            output=used.output_tokens or 0,
            cost=None if used.cost_usd is None else Decimal(str(used.cost_usd)),
            measured=True,
        )
        for one in interactions.every(memory)
        if (used := interactions.usage([one]))
    ]
