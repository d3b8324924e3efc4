"""Small charts of characters, for terminals; without a terminal there are only numbers."""

from collections.abc import Sequence
from typing import Final

_STEPS: Final = "▁▂▃▄▅▆▇█"
_PARTS: Final = " ▏▎▍▌▋▊▉"
_EMPTY: Final = "·"


def sparkline(values: Sequence[float]) -> str:
    """Draw numbers as columns, the largest in full height; none at all is a dot."""
    most = max(values, default=0)
    if most <= 0:
        return _EMPTY * len(values)
    top = len(_STEPS) - 1
    return "".join(_STEPS[round(value / most * top)] if value > 0 else _EMPTY for value in values)


def bar(share: float, width: int = 10) -> str:
    """Draw a share, 0 to 1, as a bar of so many columns, to an eighth of a column."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (_PARTS[rest] if rest else "")).ljust(width)
