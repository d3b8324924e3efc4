"""Is an invoice overdue? Compares a time with a zone to one without: a TypeError."""

# ruff: noqa: DTZ001 (the mistake is the point)

from datetime import UTC, datetime


def is_overdue(due: datetime) -> bool:
    """Tell whether ``due`` has passed."""
    return datetime.now(UTC) > due


print(is_overdue(datetime(2026, 1, 31)))
