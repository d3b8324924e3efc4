"""The six kinds of record. A record is a value, written once; what changes later is another one.

Nothing here can be computed from other records or changed by another branch: statuses,
counters, rates, fingerprints and attempt numbers are derived.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from gitmem.errors import InvalidError
from gitmem.records.layout import is_id, kind_of
from gitmem.records.migrations import SCHEMA
from gitmem.records.parts import (
    Alternative,
    Anchor,
    Author,
    Change,
    Event,
    FixId,
    Frame,
    GuardRule,
    Line,
    Links,
    Location,
    OtherCase,
    Questions,
    RecordId,
    RecordPart,
    RelPath,
    Scalar,
    Seconds,
    SessionId,
    Share,
    Tag,
    Task,
    TestCase,
    TestRun,
    Timestamp,
    Usage,
    Verification,
)

PLACEHOLDER = "…"
"""Stands in a new record for what a person is to fill in; with it, the record says nothing."""
Outcome = Literal["worked", "partial", "failed", "unverified"]
DecisionStatus = Literal["proposed", "accepted", "rejected", "deprecated"]
Attachment = Annotated[
    str,
    Meta(
        pattern=r"^[0-9a-f]{64}(\.[a-z0-9]{1,10})?(?![\r\n])$",
        description="name of a file in attachments/: sha256 and ending",
    ),
]


class Record(RecordPart, frozen=True, kw_only=True):
    """The envelope that every kind has."""

    KIND: ClassVar[str] = ""

    schema: Annotated[int, Meta(ge=1)] = SCHEMA
    id: RecordId
    title: Line
    created: Timestamp
    author: Author
    tags: tuple[Tag, ...] = ()
    asked_as: Questions = ()
    session: SessionId | None = None
    anchors: tuple[Anchor, ...] = ()
    links: Links = Links()

    @property
    def kind(self) -> str:
        """The kind's name, such as ``error``."""
        return self.KIND

    def _check(self) -> None:
        if is_id(self.id) and kind_of(self.id) != self.KIND:
            message = f"id: {self.id} is the id of kind {kind_of(self.id)}, not {self.KIND}"
            raise InvalidError(message, field=message.partition(":")[0])
        if len(set(self.tags)) != len(self.tags):
            message = "tags: a tag is named twice"
            raise InvalidError(message, field=message.partition(":")[0])
        for relation in Links.RELATIONS:
            if self.id in getattr(self.links, relation):
                message = f"links.{relation}: a record can't link to itself"
                raise InvalidError(message, field=message.partition(":")[0])


class Error(Record, frozen=True, kw_only=True):
    """This went wrong: evidence. Resolved only because a fix that worked links to it."""

    KIND: ClassVar[str] = "error"

    error_type: str = ""
    code: str = ""
    message: str = ""
    chain: tuple[Line, ...] = ()
    symptom: Line | None = None
    cause: Line | None = None
    category: str = ""
    subject: str = ""
    tool: str = ""
    language: str = ""
    location: Location | None = None
    frames: tuple[Frame, ...] = ()
    command: str = ""
    exit_code: int | None = None
    test: TestCase | None = None
    tests: tuple[Line, ...] = ()
    also: tuple[OtherCase, ...] = ()
    environment: dict[str, Scalar] = {}
    excerpt: str = ""
    attachments: tuple[Attachment, ...] = ()


class Fix(Record, frozen=True, kw_only=True):
    """An attempt to fix an error, and what came of it."""

    KIND: ClassVar[str] = "fix"

    approach: str = ""
    symptom: Line | None = None
    cause: Line | None = None
    steps: tuple[str, ...] = ()
    patch: str = ""
    outcome: Outcome = "unverified"
    applied: bool | None = None
    verification: Verification | None = None
    guard: GuardRule | None = None
    lessons: str = ""
    why_failed: str = ""
    worked_partially: str = ""
    reuses: FixId | None = None
    applies_to: tuple[str, ...] = ()
    fixer: str = ""
    analysis: str = ""
    stated_confidence: Share | None = None
    seconds: Seconds | None = None
    usage: Usage | None = None
    environment: dict[str, Scalar] = {}
    notes: str = ""


class Decision(Record, frozen=True, kw_only=True):
    """What was chosen, and why. Superseded only because another decision says so."""

    KIND: ClassVar[str] = "decision"

    status: DecisionStatus = "accepted"
    context: str = ""
    decision: str = ""
    rationale: str = ""
    alternatives: tuple[Alternative, ...] = ()
    consequences: str = ""
    confidence: Share | None = None
    governs: tuple[RelPath, ...] = ()


class Session(Record, frozen=True, kw_only=True):
    """A piece of work, written when it ends."""

    KIND: ClassVar[str] = "session"

    goal: str = ""
    started: Timestamp
    ended: Timestamp
    success: bool | None = None
    summary: str = ""
    branch: str = ""
    task: Task | None = None
    approach: str = ""
    success_factors: tuple[str, ...] = ()
    tools_used: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    test_runs: tuple[TestRun, ...] = ()
    events: tuple[Event, ...] = ()
    llm: Usage | None = None
    config: dict[str, Scalar] = {}
    metrics: dict[str, Scalar] = {}

    def _check(self) -> None:
        super()._check()
        if self.ended < self.started:
            message = "ended: a session can't end before it started"
            raise InvalidError(message, field=message.partition(":")[0])


class Pattern(Record, frozen=True, kw_only=True):
    """A reusable way of doing something."""

    KIND: ClassVar[str] = "pattern"

    language: str = ""
    code: str = ""
    when_to_use: str = ""
    category: str = ""
    complexity: Literal["low", "medium", "high"] | None = None
    source: str = ""
    metrics: dict[str, Scalar] = {}


class Note(Record, frozen=True, kw_only=True):
    """Other knowledge."""

    KIND: ClassVar[str] = "note"

    type: Literal["practice", "howto", "gotcha", "other"] = "other"
    body: str = ""


KINDS: dict[str, type[Record]] = {
    kind.KIND: kind for kind in (Error, Fix, Decision, Session, Pattern, Note)
}
