"""When to remind: the same mistake in other code, and Python words it differently."""

# ruff: noqa: DTZ007 (the mistake is the point)

from datetime import UTC, datetime


class Reminder:
    """A reminder for one appointment."""

    def __init__(self, appointment: str) -> None:
        self.appointment = datetime.strptime(appointment, "%d.%m.%Y %H:%M")

    def hours_left(self) -> float:
        """Count the hours until the appointment."""
        return (self.appointment - datetime.now(UTC)).total_seconds() / 3600


print(Reminder("24.12.2031 18:00").hours_left())
