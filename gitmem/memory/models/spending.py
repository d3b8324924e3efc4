"""Costs of model calls: our own, and those that callers reported."""

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.llm import ledger
from gitmem.llm.endpoint import home
from gitmem.llm.interactions import usage
from gitmem.llm.prices import Tokens, price
from gitmem.memory.models.interactions import all_interactions

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace

_MONTH: Final = re.compile(r"\d{4}-(0[1-9]|1[0-2])\Z")
NOW: Final = "now"


def spending(workspace: "Workspace", month: str = "") -> ledger.Spending:
    """Tell what was spent in this clone; see ``Models.spending``."""
    this_month = f"{workspace.clock():%Y-%m}"
    month = this_month if month == NOW else month
    if month and not _MONTH.match(month):
        raise UsageError(f"{month!r} is not a month", "such as 2026-11")
    own = own_calls(workspace)
    calls = sorted([*own, *_calls_of_others(workspace)], key=lambda call: call.at)
    if month:
        calls = ledger.of_month(calls, month)
    config = workspace.site.config
    budget = Decimal(str(config.llm_monthly_budget))
    spent = ledger.total(ledger.of_month(own, this_month)).cost
    warning = ledger.warning(spent, budget, config.llm_warn_at_percentage)
    return ledger.Spending(month, tuple(calls), ledger.total(calls), budget, spent, warning)


def list_price(workspace: "Workspace", model: str, tokens: Tokens) -> Decimal | None:
    """Give what tokens of a model cost; see ``Models.list_price``."""
    config = workspace.site.config
    stated = config.llm_price if model in {config.llm_model, config.llm_vision_model} else ""
    url, name = home(model)
    try:
        return price(tokens, name, url, stated) if url or stated else None
    except (EnvironmentProblem, UsageError):  # no list is installed, or llm.price can't be read
        return None


def own_calls(workspace: "Workspace") -> list[ledger.Call]:
    """Give the calls that gitmem made, oldest first; the budget is about these."""
    return ledger.read(workspace.journal.read(ledger.STREAM))


def _calls_of_others(workspace: "Workspace") -> list[ledger.Call]:
    """Give the calls that callers reported, as far as their usage is stated."""
    return [
        ledger.Call(
            id="",
            at=interaction.at,
            operation=interaction.type,
            model=str(interaction.metadata.get("model", "")),
            host="",
            state=ledger.TOLD,
            input=used.input_tokens or 0,
            output=used.output_tokens or 0,
            cost=None if used.cost_usd is None else Decimal(str(used.cost_usd)),
            measured=True,
        )
        for interaction in all_interactions(workspace)
        if (used := usage([interaction]))
    ]
