"""Which of your setting and the team's counts: yours, the stricter of the two, or both."""

from collections.abc import Mapping
from typing import Final

USERS_WIN: Final = ("llm.", "semantic.", "tools.repository")
"""Settings that cost something, send text away or read a clone's patterns: the user's own win."""
_ORDERS: Final[Mapping[str, tuple[object, ...]]] = {
    "capture.mode": ("auto", "draft", "off"),
    "capture.assistants": ("auto", "draft"),
    "guard.block": (False, True),
    "hub.publish": (True, False),
}
"""The strictest value last."""
_TOGETHER: Final = frozenset({"hub.stay_home"})
"""What is kept from others: what either names counts."""


def of_both(key: str, own: str | float, teams: str | float) -> str | float:
    """Give the value that counts; of other settings it is the team's."""
    if key in _TOGETHER:
        return ", ".join(text for text in (str(own), str(teams)) if text)
    order = _ORDERS.get(key, ())
    return own if key in _ORDERS and order.index(own) >= order.index(teams) else teams
