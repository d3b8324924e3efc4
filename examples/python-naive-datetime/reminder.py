"""When to remind: the same mistake in other code."""

# ruff: noqa: DTZ007 (the mistake is the point)

from datetime import UTC, datetime


class Reminder:
    """A reminder for one appointment."""

    def __init__(self, appointment: str) -> None:
        self.appointment = datetime.strptime(appointment, "%d.%m.%Y %H:%M")

    def is_over(self) -> bool:
        """Tell whether the appointment is over."""
        return self.appointment < datetime.now(UTC)


print(Reminder("24.12.2031 18:00").is_over())
