"""What users said of an answer: it helped, or it did not. Local, like the rest of the journal."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from gitmem.store.journal import Journal

_STREAM: Final = "feedback"
_LONGEST: Final = 4_000


class Judgement(NamedTuple):
    """One answer that was judged.

    Attributes:
        at: when.
        record: the id of the record that was shown.
        helpful: it helped.
        site: fingerprint of the failure that it was shown for; empty if that is not known.
        question: the text that was asked, redacted; may be empty.

    """

    at: datetime
    record: str
    helpful: bool
    site: str = ""
    question: str = ""


class FeedbackTally(NamedTuple):
    """How often a record helped and did not: with the failure at hand, and with any."""

    here: int = 0
    everywhere: int = 0

    def plus(self, *, helpful: bool, here: bool) -> "FeedbackTally":
        """Count one verdict."""
        vote = 1 if helpful else -1
        return FeedbackTally(self.here + (vote if here else 0), self.everywhere + vote)


class Feedback:
    """The verdicts in one journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def add(self, verdict: Judgement) -> None:
        """Note a verdict."""
        event = verdict._asdict()
        event["at"] = verdict.at.isoformat()
        event["question"] = verdict.question[:_LONGEST]
        self._journal.append(_STREAM, event)

    def all(self) -> Iterator[Judgement]:
        """Give every verdict, oldest first; lines that are none are passed over."""
        for event in self._journal.read(_STREAM):
            try:
                yield Judgement(
                    datetime.fromisoformat(event["at"]),
                    str(event["record"]),
                    bool(event["helpful"]),
                    str(event["site"]),
                    str(event["question"]),
                )
            except (KeyError, TypeError, ValueError):
                continue

    def tallies(self, site: str = "") -> dict[str, FeedbackTally]:
        """Sum the verdicts up by record.

        The last word on one record and one failure counts, so nobody votes twice.

        Args:
            site: fingerprint of the failure at hand.

        """
        last = {(verdict.record, verdict.site, verdict.question): verdict for verdict in self.all()}
        tallies: dict[str, FeedbackTally] = {}
        for verdict in last.values():
            here = bool(site) and verdict.site == site
            tally = tallies.get(verdict.record, FeedbackTally())
            tallies[verdict.record] = tally.plus(helpful=verdict.helpful, here=here)
        return tallies
