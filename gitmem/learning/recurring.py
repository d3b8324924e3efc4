"""Values about failures that were recorded more than once, and about subjects."""

from typing import NamedTuple

from gitmem.learning.confidence import Rate
from gitmem.learning.figures import FigureGroup, Figures
from gitmem.learning.periodicity import Periodicity
from gitmem.learning.strategies import Strategy

_FULL = 10


class RecurringFailure(NamedTuple):
    """A failure with more than one error record.

    Attributes:
        fingerprint: of level ``site``; empty if it has none (it is put together by links).
        error: id of its newest record.
        title: of that record.
        type, category, subject: of that record.
        records: how many error records it has.
        first, last: when the oldest and the newest was written.
        open: it is not fixed, or came back and was not fixed again.
        came_back: how often it came back after a fix that had worked.
        rate: outcomes of the attempts on it, as far as they are known.
        attempts: how many attempts, of known outcome or not.
        best: the way that worked best; None if none did.
        rhythms: times at which it shows more often than others do.

    """

    fingerprint: str
    error: str
    title: str
    type: str
    category: str
    subject: str
    records: int
    first: str
    last: str
    open: bool
    came_back: int
    rate: Rate
    attempts: int
    best: Strategy | None
    rhythms: tuple[Periodicity, ...]

    @property
    def confidence(self) -> float:
        """How much the rate rests on, 0 to 1: a tenth for each attempt of known outcome."""
        return min(1.0, self.rate.tried / _FULL)


class RecordLine(NamedTuple):
    """A record in a list: id, kind, title, when it was written, and what it says of itself."""

    id: str
    kind: str
    title: str
    created: str
    stated: str


class Subject(NamedTuple):
    """What is known about a module, service, dependency or model.

    Attributes:
        name: as asked.
        names: the subjects that are meant, as recorded.
        total: figures of its errors and the attempts on them.
        types: its errors by type, or category where they have none; the most frequent first.
        effective: ways that worked, the surest first.
        history: its newest attempts.
        notes: notes, patterns and decisions that bear it as a tag, newest first.
        last: when its newest error or attempt was written.

    """

    name: str
    names: tuple[str, ...]
    total: Figures
    types: tuple[FigureGroup, ...]
    effective: tuple[Strategy, ...]
    history: tuple[RecordLine, ...]
    notes: tuple[RecordLine, ...]
    last: str
