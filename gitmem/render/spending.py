"""What calls to language models cost, as text, JSON and CSV."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from gitmem.llm.ledger import ASKED, dollars
from gitmem.render.text import Painter, one_line
from gitmem.render.text import table as aligned

if TYPE_CHECKING:
    from gitmem.llm.ledger import Call, Spending

_COLUMNS: Final = (
    "at", "operation", "model", "host", "state", "input_tokens", "output_tokens", "cost_usd",
    "measured", "session",
)  # fmt: skip


def plain(spending: "Spending", painter: Painter) -> Iterator[str]:
    """Write it for a terminal: each call, oldest first, then the sum."""
    if spending.calls:
        yield from (painter.line(0, [(line, ())]) for line in aligned([*map(_row, spending.calls)]))
    total = spending.total
    calls = f"{total.calls} {'call' if total.calls == 1 else 'calls'}"
    tokens = f"{total.tokens} tokens ({total.input} in, {total.output} out)"
    unknown = f"{total.unpriced} without a known price" if total.unpriced else ""
    yield painter.line(
        0,
        [
            (dollars(total.cost), ("bold",)),
            (calls, ()),
            (tokens, ()),
            (unknown, ("yellow",)),
            (spending.month, ("dim",)),
        ],
    )
    if spending.budget:
        left = f"this month {dollars(spending.this_month)} of {dollars(spending.budget)}"
        yield painter.line(0, [(left, ("dim",))])


def _row(call: "Call") -> tuple[str, ...]:
    sure = "" if call.measured else "no answer seen" if call.state == ASKED else "estimated"
    state = "" if call.state in {"answered", ASKED} else call.state
    return (
        f"{call.at:%Y-%m-%d %H:%M}",
        one_line(call.operation),
        one_line(call.model),
        f"{call.input} in",
        f"{call.output} out",
        dollars(call.cost),
        ", ".join(filter(None, (state, sure))),
    )


def as_data(spending: "Spending") -> dict[str, Any]:
    """Give it as plain data; amounts are text, as a float would not be exact."""
    total = spending.total
    return {
        "month": spending.month,
        "total_cost": str(total.cost),
        "total_tokens": total.tokens,
        "input_tokens": total.input,
        "output_tokens": total.output,
        "call_count": total.calls,
        "without_price": total.unpriced,
        "budget": str(spending.budget),
        "this_month": str(spending.this_month),
        "calls": [dict(zip(_COLUMNS, _cells(call), strict=True)) for call in spending.calls],
    }


def table(spending: "Spending") -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """Give columns and a row a call."""
    return _COLUMNS, [_cells(call) for call in spending.calls]


def _cells(call: "Call") -> tuple[object, ...]:
    cost = None if call.cost is None else str(call.cost)
    at = call.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return (at, call.operation, call.model, call.host, call.state, call.input,
            call.output, cost, call.measured, call.session)  # fmt: skip
