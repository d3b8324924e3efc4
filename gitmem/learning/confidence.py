"""Confidence of advice, in words that name the evidence; never a made-up percentage. Pure."""

from math import sqrt
from typing import Final, NamedTuple

Z: Final = 1.959963984540054
"""Two-sided 95 %."""


class Rate(NamedTuple):
    """How many of some attempts worked.

    Attributes:
        worked: successes.
        tried: attempts whose outcome is known; what nobody verified is not among them.

    """

    worked: int
    tried: int

    @property
    def share(self) -> float | None:
        """Successes by attempts, 0 to 1; None without any."""
        return self.worked / self.tried if self.tried else None

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, 95 times of 100; without attempts from 0 to 1.

        Wilson's score interval: E. B. Wilson, "Probable inference, the law of succession, and
        statistical inference", J. Am. Stat. Assoc. 22 (1927) 209-212. With few attempts it is
        honest where p +- z * sqrt(p * q / n) is not: one success of one is 0.21 to 1.
        """
        return wilson(self.worked, self.tried)

    @property
    def low(self) -> float:
        """The lower end of the interval: what to rank by, so that 1 of 1 does not beat 19 of 20."""
        return self.interval[0]


def wilson(worked: int, tried: int) -> tuple[float, float]:
    """Give the Wilson score interval of a share at 95 %; see ``Rate.interval``."""
    if not tried:
        return (0.0, 1.0)
    share = worked / tried
    square = Z * Z / tried
    middle = (share + square / 2) / (1 + square)
    half = Z * sqrt((share * (1 - share) + square / 4) / tried) / (1 + square)
    low = 0.0 if worked == 0 else middle - half
    high = 1.0 if worked == tried else middle + half
    return (max(0.0, low), min(1.0, high))


HIGH: Final = "high"
MEDIUM: Final = "medium"
LOW: Final = "low"
TOO_LITTLE: Final = "too little data"
_ORDER: Final = (TOO_LITTLE, LOW, MEDIUM, HIGH)
LEAST: Final = 3
"""Below so many attempts with a known outcome nothing is claimed."""
FROM_HIGH: Final = 0.6
FROM_MEDIUM: Final = 0.3
"""Where the lower end of Wilson's interval has to lie: 6 of 6 are high, 3 of 3 medium."""

SAME: Final = ("same error", "same place")
_MOST: Final = {"same message": MEDIUM, "this file": MEDIUM}


class Confidence(NamedTuple):
    """How sure something is.

    Attributes:
        word: ``high``, ``medium``, ``low`` or ``too little data``.
        rate: how often it went so, of how many attempts.
        label: how what is asked about and what the attempts were made on are alike.

    """

    word: str
    rate: Rate
    label: str = ""

    @property
    def rank(self) -> int:
        """The higher, the surer."""
        return _ORDER.index(self.word)


def confidence(rate: Rate, label: str) -> Confidence:
    """Say how sure it is that what went so will go so again.

    Args:
        rate: how often it went so.
        label: ``same error``, ``same place``, ``same message``, ``this file``, or how else they
            are alike, which is never more than ``low``.

    """
    if rate.tried < LEAST:
        return Confidence(TOO_LITTLE, rate, label)
    word = HIGH if rate.low >= FROM_HIGH else MEDIUM if rate.low >= FROM_MEDIUM else LOW
    most = HIGH if label in SAME else _MOST.get(label, LOW)
    return Confidence(min(word, most, key=_ORDER.index), rate, label)
