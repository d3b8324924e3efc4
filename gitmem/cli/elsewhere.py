"""What the organisation's hub knows, below what the memory itself says."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.render import elsewhere as render

if TYPE_CHECKING:
    from gitmem.capture.observed import Match
    from gitmem.memory import Memory
    from gitmem.render.text import Painter

_SECONDS: Final = 0.5
"""How long a terminal waits for a hub, behind the memory's own answer."""


def of_matches(memory: "Memory", matches: "Sequence[Match]", painter: "Painter") -> Iterable[str]:
    """Tell what other repositories know of failures."""
    return render.told(memory.failures.elsewhere(matches, _SECONDS), painter)


def data_of(memory: "Memory", matches: "Sequence[Match]") -> list[dict[str, Any]]:
    """Give the same as plain data."""
    return render.as_data(memory.failures.elsewhere(matches, _SECONDS))


def of_text(
    memory: "Memory", text: str, labels: Iterable[str], painter: "Painter", *, why: bool
) -> Iterable[str]:
    """Tell what other repositories know of a text that was searched for."""
    answers = memory.failures.elsewhere_of(text, labels, _SECONDS)
    return render.told(answers, painter, why=why)
