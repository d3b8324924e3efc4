"""What a request may ask, as types: they check it, and describe it in the OpenAPI document."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Limit = Annotated[int, Meta(ge=1, le=200, description="how many at most")]
Text = Annotated[str, Meta(max_length=100_000)]
Line = Annotated[str, Meta(min_length=1, max_length=2_000)]
Path = Annotated[str, Meta(min_length=1, max_length=4_096)]
KindName = Literal["error", "fix", "decision", "session", "pattern", "note"]


class NoArguments(Struct, forbid_unknown_fields=True):
    """A question without arguments."""


class SearchQuestion(Struct, forbid_unknown_fields=True):
    """A search.

    Attributes:
        q: words, phrases, filters or a pasted error, as ``gitmem search`` takes them.
        limit: how many hits at most.
        why: also tell what made up each score.

    """

    q: Text
    limit: Limit = 20
    why: bool = False


class ListQuestion(Struct, forbid_unknown_fields=True):
    """A page of a list.

    Attributes:
        filters: such as ``kind:error status:open``.
        sort: by what.
        limit: how many at most.
        cursor: ``next`` of the page before.

    """

    filters: Text = ""
    sort: Literal["created", "oldest", "title", "kind", "status", "author"] = "created"
    limit: Limit = 50
    cursor: Annotated[str, Meta(max_length=200)] = ""


class FileQuestion(Struct, forbid_unknown_fields=True):
    """A file, by its path in the work tree."""

    path: Path


class GraphQuestion(Struct, forbid_unknown_fields=True):
    """A part of the graph of records and files.

    Attributes:
        start: a record's id or a file's path; empty: the newest records.
        depth: how many steps around it.
        limit: how many records and files at most.
        people: also who wrote the records.

    """

    start: Annotated[str, Meta(max_length=4_096)] = ""
    depth: Annotated[int, Meta(ge=1, le=4)] = 2
    limit: Limit = 120
    people: bool = False


class ReviewQuestion(Struct, forbid_unknown_fields=True):
    """A range of commits, such as ``main..topic``; empty: since this branch left the main one."""

    span: Annotated[str, Meta(max_length=2_000)] = ""


class FailureText(Struct, forbid_unknown_fields=True):
    """An error text, such as a traceback or the output of a tool."""

    text: Text


class AdviceQuestion(Struct, forbid_unknown_fields=True):
    """What advice is asked for: one of the three.

    Attributes:
        error: an error text.
        task: what is to be done.
        file: a path in the work tree.

    """

    error: Text = ""
    task: Text = ""
    file: Annotated[str, Meta(max_length=4_096)] = ""


class NewRecord(Struct, forbid_unknown_fields=True):
    """A record to be written: its kind, and plain data by field name."""

    kind: KindName
    fields: dict[str, Any]


class NewAttempt(Struct, forbid_unknown_fields=True):
    """An attempt to fix an error: the fields of a fix record, such as ``title``, ``outcome``."""

    fields: dict[str, Any]


class NewJudgement(Struct, forbid_unknown_fields=True):
    """Whether a record helped, and with which question it was found."""

    helped: bool
    question: Text = ""
