"""What users made of an answer: they said whether it helped, opened it, applied it.

Local, like the rest of the journal.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from gitmem.store.journal import Journal

STREAM: Final = "feedback"
OPENED: Final = "opened"
APPLIED: Final = "applied"
_WORTH: Final = {OPENED: 0.1, APPLIED: 0.5}
"""What a use counts, where a word that it helped counts 1."""
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


class RecordUse(NamedTuple):
    """One record that was opened from among several, or applied.

    Attributes:
        at: when.
        record: its id.
        how: ``opened`` or ``applied``.
        site: fingerprint of the failure that it was shown for; empty if that is not known.

    """

    at: datetime
    record: str
    how: str
    site: str = ""


class FeedbackTally(NamedTuple):
    """What was said of a record and done with it.

    Attributes:
        here: votes with the failure at hand; a record that helped counts 1, one that did not -1.
        everywhere: votes with any failure.
        judged: somebody said something; otherwise it was only used.

    """

    here: float = 0.0
    everywhere: float = 0.0
    judged: bool = False

    def plus(self, vote: float, *, here: bool, judged: bool = False) -> "FeedbackTally":
        """Count one vote."""
        with_here = self.here + (vote if here else 0.0)
        return FeedbackTally(with_here, self.everywhere + vote, self.judged or judged)


class Feedback:
    """The verdicts and uses in one journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def add(self, verdict: Judgement) -> None:
        """Note a verdict."""
        event = verdict._asdict()
        event["at"] = verdict.at.isoformat()
        event["question"] = verdict.question[:_LONGEST]
        self._journal.append(STREAM, event)

    def add_use(self, use: RecordUse) -> None:
        """Note that a record was opened or applied."""
        self._journal.append(STREAM, use._asdict() | {"at": use.at.isoformat()})

    def all(self) -> Iterator[Judgement]:
        """Give every verdict, oldest first; lines that are none are passed over."""
        return (event for event in self._events() if isinstance(event, Judgement))

    def tallies(self, site: str = "") -> dict[str, FeedbackTally]:
        """Sum verdicts and uses up by record.

        The last word on one record and one failure counts, so nobody votes twice. A use counts
        once for each failure, and not where somebody said what came of it.

        Args:
            site: fingerprint of the failure at hand.

        """
        words: dict[tuple[str, str, str], float] = {}
        uses: dict[tuple[str, str], float] = {}
        for event in self._events():
            if isinstance(event, Judgement):
                words[event.record, event.site, event.question] = 1.0 if event.helpful else -1.0
            else:
                key = (event.record, event.site)
                uses[key] = max(uses.get(key, 0.0), _WORTH.get(event.how, 0.0))
        tallies: dict[str, FeedbackTally] = {}
        for (record, about, _), vote in words.items():
            uses.pop((record, about), None)
            tally = tallies.get(record, FeedbackTally())
            tallies[record] = tally.plus(vote, here=bool(site) and about == site, judged=True)
        for (record, about), vote in uses.items():
            tally = tallies.get(record, FeedbackTally())
            tallies[record] = tally.plus(vote, here=bool(site) and about == site)
        return tallies

    def _events(self) -> Iterator[Judgement | RecordUse]:
        for event in self._journal.read(STREAM):
            try:
                yield _read(event)
            except (KeyError, TypeError, ValueError):
                continue


def _read(event: dict[str, Any]) -> Judgement | RecordUse:
    at, record, site = datetime.fromisoformat(event["at"]), str(event["record"]), event["site"]
    if "how" in event:
        return RecordUse(at, record, str(event["how"]), str(site))
    return Judgement(at, record, bool(event["helpful"]), str(site), str(event["question"]))
