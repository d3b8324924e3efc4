"""Costs of a coding memory's model calls, under the names that its users know."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from gitmem.llm.ledger import Spending
    from gitmem.memory import Memory


class CallCosts:
    """What calls to language models cost: our own, and those told of with ``record_usage``."""

    def __init__(self, opened: "Callable[[], AbstractContextManager[Memory]]") -> None:
        self._opened = opened

    def _all(self) -> "Spending":
        with self._opened() as memory:
            return memory.models.spending()

    @property
    def total_cost(self) -> float:
        """Give the dollars spent."""
        return float(self._all().total.cost)

    @property
    def total_tokens(self) -> int:
        """Give the tokens in and out."""
        return self._all().total.tokens

    @property
    def call_count(self) -> int:
        """Give how many calls there were."""
        return self._all().total.calls

    @property
    def call_costs(self) -> list[dict[str, Any]]:
        """Give ``timestamp``, ``model`` and ``cost`` of each call, oldest first.

        A call that is not ``priced`` has the cost 0: neither its caller nor the price list says.
        """
        return [
            {
                "timestamp": call.at.isoformat(),
                "model": call.model,
                "cost": float(call.cost or 0),
                "priced": call.cost is not None,
            }
            for call in self._all().calls
        ]
