"""What answers look like, as types: they describe the answers in the OpenAPI document.

The data itself is what ``gitmem.render`` makes for the commands' ``--json``.
"""

from typing import Any, TypedDict

Data = dict[str, Any]
"""As the command of the same name prints it."""


class RecordSummary(TypedDict):
    """A record as lists show it."""

    id: str
    kind: str
    status: str
    title: str
    created: str
    author: str
    email: str
    via: str
    session: str | None
    error_type: str
    category: str
    subject: str
    gist: str
    path: str


class FoundRecord(RecordSummary):
    """A record that was found, with what is known around it."""

    score: float
    label: str
    layer: str
    attempts: list[RecordSummary]
    errors: list[RecordSummary]
    stale: dict[str, Any]


class SearchAnswer(TypedDict):
    """The hits of a search, best first, and a respelling where there are none.

    ``few_words``: none has more than a third of the words; likely nothing is recorded about this.
    """

    hits: list[FoundRecord]
    suggestion: str | None
    few_words: bool


class ListAnswer(TypedDict):
    """A page of a list, and the cursor of the next one."""

    records: list[RecordSummary]
    next: str | None


class FileAnswer(TypedDict):
    """What concerns a file."""

    decisions: list[RecordSummary]
    errors: list[RecordSummary]
    fixes: list[RecordSummary]


class AttemptsAnswer(TypedDict):
    """The attempts on an error."""

    attempts: list[RecordSummary]


class RecordLink(TypedDict):
    """A link that a record makes."""

    relation: str
    id: str
    found: bool
    title: str | None


class WholeRecord(TypedDict):
    """A whole record, and the records that link to it."""

    status: str
    path: str
    layer: str
    record: dict[str, Any]
    links: list[RecordLink]
    backlinks: list[dict[str, Any]]
    also_tried: list[dict[str, Any]]


class HintAnswer(TypedDict):
    """What is known of each failure, what looks like them where none is, what a hub says.

    ``came_back`` tells of a fix that had worked what became of it.
    """

    failures: list[dict[str, Any]]
    similar: list[FoundRecord]
    came_back: list[dict[str, Any]]
    elsewhere: list[dict[str, Any]]
