"""The building blocks of records: authors, anchors, links, frames, test cases, changes.

Every block is a frozen value that is checked when it is built, by hand or from a
file: constructing means valid. What a newer gitmem or another tool wrote beside the
known fields is kept in ``extra`` and written back.
"""

import math
import re
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from threading import RLock
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple, force_setattr

from gitmem.errors import InvalidError
from gitmem.records.layout import ID_PATTERN

Line = Annotated[
    str,
    Meta(pattern=r"^[^\r\n]*\S[^\r\n]*(?![\r\n])$", max_length=500, description="one line of text"),
]
Questions = Annotated[
    tuple[Line, ...],
    Meta(max_length=5, description="up to 5 lines of text"),
]
"""How people would ask for a record who do not know its words."""
RecordId = Annotated[
    str, Meta(pattern=ID_PATTERN, description="the id of a record, such as err-7k3m9q2d4x")
]
ErrorId = Annotated[
    str,
    Meta(
        pattern=ID_PATTERN.replace("err|fix|dec|ses|pat|note", "err"),
        description="the id of an error, such as err-7k3m9q2d4x",
    ),
]
FixId = Annotated[
    str,
    Meta(
        pattern=ID_PATTERN.replace("err|fix|dec|ses|pat|note", "fix"),
        description="the id of a fix, such as fix-7k3m9q2d4x",
    ),
]
SessionId = Annotated[
    str,
    Meta(
        pattern=ID_PATTERN.replace("err|fix|dec|ses|pat|note", "ses"),
        description="the id of a session, such as ses-7k3m9q2d4x",
    ),
]
RelPath = Annotated[
    str,
    Meta(
        pattern=r"^(?![/\\~]|[A-Za-z]:[/\\])(?!.*(?:^|[/\\])\.\.(?:[/\\]|$))[^\x00\r\n]+(?![\r\n])$",
        max_length=4096,
        description="a path relative to the repository, with forward slashes",
    ),
]
Tag = Annotated[
    str, Meta(pattern=r"^[^\s,\x00-\x1f]+(?!\s)$", max_length=100, description="one word")
]
LineNumber = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0, description="seconds")]
Share = Annotated[float, Meta(ge=0, le=1, description="from 0 to 1")]
Timestamp = Annotated[
    datetime, Meta(tz=True, description="a date and time such as 2026-11-21T09:30:00Z")
]
_HALVES = re.compile("[\ud800-\udfff]")
_INT_LIMITS = range(-(2**63), 2**63)
Scalar = str | int | float | bool | None
Lines = tuple[LineNumber, LineNumber]
_AnyPart = TypeVar("_AnyPart", bound="RecordPart")


_Form = TypeVar("_Form")
# Whether ``built`` is at work, where msgspec checks fields before the hook runs.
_CONVERTING: ContextVar[bool] = ContextVar("converting", default=False)
# What was converted to already, and who is at a first time; see ``_converted``.
_MET: set[type] = set()
_MEETING = RLock()


class RecordPart(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of everything in a record file. ``extra`` holds fields unknown to this version."""

    extra: dict[str, Any] = {}

    def __post_init__(self) -> None:
        """Check every field against its type; coerce lists to tuples, mappings to parts."""
        checked: Struct = self
        if not _CONVERTING.get():
            try:
                checked = _converted(self, _checker(type(self)), of_object=True)
            except msgspec.ValidationError as error:
                from gitmem.records.explain import explain

                raise explain(type(self), error) from None
        own = astuple(self)
        values = own if checked is self else astuple(checked)
        for name, given, before in zip(self.__struct_fields__, values, own, strict=True):
            value = given
            if type(value) is str:
                if not value.isascii():
                    _refuse_unwritable(name, value)
            elif isinstance(value, datetime):
                try:
                    value = value.astimezone(UTC)
                except OverflowError:  # the first or last day of all, west or east of Greenwich
                    raise InvalidError(
                        f"{name}: out of range", f"{name} is not a date", name
                    ) from None
            elif isinstance(value, dict):
                _refuse_unwritable(name, value)
            if value is not before:
                force_setattr(self, name, value)
        if self.extra and (clash := self.extra.keys() & {*self.__struct_fields__} - {"extra"}):
            name = min(clash)
            raise InvalidError(f"{name}: a known field can't be among the unknown ones", "", name)
        self._check()

    def _check(self) -> None:
        """Raise InvalidError for what no field can see alone."""


def built(data: Mapping[str, Any], part: type[_AnyPart]) -> _AnyPart:
    """Build a part from plain data, each field checked once, which takes half of the time.

    Raises:
        msgspec.ValidationError: a field is not of its type.
        InvalidError: something that no type says is wrong.

    """
    before = _CONVERTING.set(True)
    try:
        return _converted(data, part)
    finally:
        _CONVERTING.reset(before)


def _converted(value: object, form: type[_Form], *, of_object: bool = False) -> _Form:
    """Convert, the first time with nobody beside.

    msgspec 0.22 takes a type apart when it first meets it, running Python meanwhile. A second
    thread that converts to it then works with half of that, and the process crashes.
    """
    if form in _MET:
        return msgspec.convert(value, form, from_attributes=of_object)
    with _MEETING:
        try:
            return msgspec.convert(value, form, from_attributes=of_object)
        finally:
            _MET.add(form)


def _refuse_unwritable(name: str, value: object) -> None:
    """Refuse, in free data, what no file could hold: half a character, NaN, other types."""
    if isinstance(value, str):
        if value.isascii() or not _HALVES.search(value):
            return
        message = f"{name}: half a surrogate pair is not text"
        raise InvalidError(message, "decode the bytes with errors='replace'", name)
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise InvalidError(f"{name}: the key {key!r} is not text", "keys are text", name)
            _refuse_unwritable(f"{name}.{key}", item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_unwritable(name, item)
    elif isinstance(value, float) and not math.isfinite(value):
        raise InvalidError(f"{name}: {value} is a number that can't be stored", "", name)
    elif isinstance(value, int) and value not in _INT_LIMITS:
        raise InvalidError(f"{name}: {value} has more than 64 bits", "write it as text", name)
    elif value is not None and not isinstance(value, int | float):
        what = type(value).__name__
        raise InvalidError(f"{name}: a {what} is not plain data", "text, numbers, lists", name)


def _refuse_backwards(lines: "Lines | None") -> None:
    if lines and lines[0] > lines[1]:
        message = "lines: the first line must not come after the last"
        raise InvalidError(message, field="lines")


@cache
def _checker(part: type[RecordPart]) -> type[Struct]:
    """Build the same fields without the hook, so that checking does not recurse."""
    hints = get_type_hints(part, include_extras=True)
    fields = [(name, hints[name]) for name in part.__struct_fields__]
    return msgspec.defstruct(f"{part.__name__}Fields", fields, kw_only=True)


class Author(RecordPart, frozen=True, kw_only=True):
    """Who wrote a record: a person, an assistant or a tool."""

    name: Line
    email: Annotated[str, Meta(pattern=r"^\S*(?!\s)$", max_length=320)] = ""
    via: Literal["human", "agent", "tool"] = "human"
    tool: str = ""
    model: str = ""


class Anchor(RecordPart, frozen=True, kw_only=True):
    """A place in the code that a record is about."""

    path: RelPath
    lines: Lines | None = None
    symbol: str = ""
    content_hash: str = ""
    quote: str = ""
    commit: Annotated[str, Meta(pattern=r"^([0-9a-f]{7,64})?(?![\r\n])$")] = ""

    def _check(self) -> None:
        _refuse_backwards(self.lines)


class Links(RecordPart, frozen=True, kw_only=True):
    """What a record says about other records. Statuses are derived from these."""

    fixes: tuple[ErrorId, ...] = ()
    supersedes: tuple[RecordId, ...] = ()
    duplicates: tuple[RecordId, ...] = ()
    caused_by: tuple[RecordId, ...] = ()
    implements: tuple[RecordId, ...] = ()
    relates: tuple[RecordId, ...] = ()

    RELATIONS: ClassVar[tuple[str, ...]] = (
        "fixes", "supersedes", "duplicates", "caused_by", "implements", "relates",
    )  # fmt: skip


class Frame(RecordPart, frozen=True, kw_only=True):
    """One line of a stack trace, innermost last."""

    file: str
    function: str = ""
    line: LineNumber | None = None
    code: str = ""
    in_app: bool | None = None


class Location(RecordPart, frozen=True, kw_only=True):
    """Where an error shows: the line that a compiler or a linter names."""

    # ``code`` is the line as the tool printed it, ``around`` what stood there in the file, with
    # its neighbours. (Not in the docstring: Pythons differ in how they indent a long one, and
    # it becomes part of a schema.)

    file: str
    line: LineNumber | None = None
    column: LineNumber | None = None
    code: str = ""
    around: str = ""


class TestCase(RecordPart, frozen=True, kw_only=True):
    """One test and how it ended."""

    __test__: ClassVar[bool] = False  # pytest would take it for a class of tests

    name: Line
    status: Literal["passed", "failed", "error", "skipped"]
    input: str = ""
    expected: str = ""
    actual: str = ""
    message: str = ""
    failing_function: str = ""
    failing_line: LineNumber | None = None
    seconds: Seconds | None = None


class OtherCase(RecordPart, frozen=True, kw_only=True):
    """What another test said that failed of the same cause: of the same type, with other values."""

    message: str = ""
    location: Location | None = None
    frames: tuple[Frame, ...] = ()
    test: TestCase | None = None


class Timing(RecordPart, frozen=True, kw_only=True):
    """How long a test run took, and which cases took longest."""

    seconds: Seconds
    slowest: dict[str, Seconds] = {}


class TestRun(RecordPart, frozen=True, kw_only=True):
    """One run of a test suite inside a session. Passed and failed cases follow from ``cases``."""

    __test__: ClassVar[bool] = False  # pytest would take it for a class of tests

    id: str = ""
    attempt: Annotated[int, Meta(ge=1)] | None = None
    at: Timestamp | None = None
    command: str = ""
    path: str = ""
    result: Literal["passed", "failed", "error"]
    summary: str = ""
    passed: Count | None = None
    failed: Count | None = None
    errors: Count | None = None
    skipped: Count | None = None
    cases: tuple[TestCase, ...] = ()
    timing: Timing | None = None
    error_analysis: str = ""


class CheckResult(RecordPart, frozen=True, kw_only=True):
    """What a verifying command said, before or after a fix."""

    result: Literal["passed", "failed", "error"]
    exit_code: int | None = None
    summary: str = ""
    cases: tuple[TestCase, ...] = ()


class Verification(RecordPart, frozen=True, kw_only=True):
    """How it was checked that a fix works: an observed command, before and after."""

    command: str = ""
    before: CheckResult | None = None
    after: CheckResult | None = None
    seconds: Seconds | None = None


class GuardRule(RecordPart, frozen=True, kw_only=True):
    """What must not come into the code again, as a tool finds it: a pattern, or a whole rule."""

    tool: Literal["ast-grep", "semgrep"] = "ast-grep"
    language: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9+# -]{0,29}(?![\r\n])$")]
    pattern: Annotated[str, Meta(max_length=4_000)] = ""
    rule: dict[str, Any] = {}

    def _check(self) -> None:
        if bool(self.pattern.strip()) == bool(self.rule):
            raise InvalidError("pattern: give a pattern or a rule, not both", "", "pattern")


class Usage(RecordPart, frozen=True, kw_only=True):
    """Tokens and cost of language-model calls, as handed in by the caller."""

    calls: Count | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Annotated[float, Meta(ge=0)] | None = None
    models: tuple[str, ...] = ()


class Alternative(RecordPart, frozen=True, kw_only=True):
    """An option that was not chosen, and why not."""

    option: Line
    why_not: str = ""


class Task(RecordPart, frozen=True, kw_only=True):
    """What a session set out to do, in the words of a planner."""

    id: str = ""
    category: str = ""
    type: str = "general"
    complexity: Literal["low", "medium", "high"] | None = None
    effort: Annotated[float, Meta(ge=0)] | None = None
    dependencies: tuple[str, ...] = ()
    dependencies_resolved: tuple[str, ...] = ()


class Change(RecordPart, frozen=True, kw_only=True):
    """A file that a session changed, and why."""

    path: RelPath
    action: Literal["create", "edit", "delete", "rename", "refactor", "test"] = "edit"
    reason: str = ""
    renamed_from: RelPath | None = None
    added: Count | None = None
    removed: Count | None = None
    lines: Lines | None = None
    related_files: tuple[RelPath, ...] = ()
    diff: str = ""

    def _check(self) -> None:
        _refuse_backwards(self.lines)


class Event(RecordPart, frozen=True, kw_only=True):
    """Something worth telling that happened during a session."""

    at: Timestamp
    type: Line
    text: str = ""
    role: str = ""
    record: RecordId | None = None
