"""What callers hand in, read strictly: what can't be meant is refused by its name, not guessed."""

import math
from typing import Any, Final

from gitmem.config import truth_of
from gitmem.errors import UsageError

_MOST: Final = 1e12


def truth(value: Any, name: str) -> bool | None:  # noqa: ANN401  whatever the caller gave
    """Read whether something is so; None where nobody says.

    Words are read as in settings, so that ``"no"`` does not become a yes.
    """
    if value is None or isinstance(value, bool):
        return value
    try:
        return truth_of(str(int(value)) if value in (0, 1) else value)
    except ValueError:
        raise _refused(value, name, "True or False") from None


def number(value: Any, name: str, least: float = 0, most: float = _MOST) -> float:  # noqa: ANN401  likewise
    """Read a number within limits."""
    try:
        stated = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        stated = math.nan
    if not least <= stated <= most:
        limits = f"at least {least:g}" if most == _MOST else f"from {least:g} to {most:g}"
        raise _refused(value, name, f"a number, {limits}")
    return stated


def whole(value: Any, name: str, least: int = 0) -> int:  # noqa: ANN401  likewise
    """Read a whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise _refused(value, name, f"a whole number, at least {least}")
    return value


def limit(value: Any, name: str) -> int | None:  # noqa: ANN401  likewise
    """Read how many count; None: all."""
    return None if value is None else whole(value, name, 1)


def _refused(value: object, name: str, allowed: str) -> UsageError:
    return UsageError(f"{name}: {value!r} is not allowed", f"{name} must be {allowed}")
