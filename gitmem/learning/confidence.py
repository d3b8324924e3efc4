"""Confidence of advice, in words that name the evidence; never a made-up percentage. Pure."""

from typing import Final, NamedTuple

from gitmem.learning.rates import Rate

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
