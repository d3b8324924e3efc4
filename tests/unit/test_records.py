"""Records: constructing means valid, unknown fields survive, faults are named and placed."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidError
from gitmem.records import codec, convert, layout, migrations, parts
from gitmem.records.kinds import KINDS, Decision, Error, Fix, Note, Record, Session
from gitmem.records.marker import FORMAT, Marker
from gitmem.records.migrations import SCHEMA
from gitmem.records.parts import (
    Alternative,
    Anchor,
    Author,
    Frame,
    Links,
    Location,
    RecordPart,
    Usage,
)

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
ZOE = Author(name="Zoë")


def record_id(kind: str) -> str:
    return f"{layout.PREFIXES[kind]}-7k3m9q2d4x"


def make(kind: type[Record], **fields: Any) -> Any:
    """Build the smallest record of a kind with some fields set."""
    times = {"started": NOW, "ended": NOW} if kind is Session else {}
    needed = {"id": record_id(kind.KIND), "title": "t", "created": NOW, "author": ZOE}
    return kind(**{**needed, **times, **fields})


def all_parts(part: type[RecordPart] = RecordPart) -> Iterator[type[RecordPart]]:
    for child in part.__subclasses__():
        yield child
        yield from all_parts(child)


# --- constructing means valid ---------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_smallest_record_of_each_kind(kind: type[Record]) -> None:
    record = make(kind)
    assert record.kind == kind.KIND
    assert record.schema == SCHEMA
    assert convert.decode(convert.encode(record), "x.yaml") == (record, [])


@pytest.mark.parametrize(
    ("build", "field"),
    [
        (lambda: make(Note, title=""), "title"),
        (lambda: make(Note, title="a\nb"), "title"),
        (lambda: make(Note, body=3), "body"),
        (lambda: make(Note, type="poem"), "type"),
        (lambda: make(Note, id="note-1"), "id"),
        (lambda: make(Note, tags=["a b"]), "tags[0]"),
        (lambda: make(Note, created=NOW.replace(tzinfo=None)), "created"),
        (lambda: make(Note, created="2026-02-30T00:00:00Z"), "created"),
        (lambda: make(Note, schema=0), "schema"),
        (lambda: make(Note, session=record_id("error")), "session"),
        (lambda: make(Error, exit_code="1"), "exit_code"),
        (lambda: make(Error, frames=[{"file": "a", "line": 0}]), "frames[0].line"),
        (lambda: make(Error, attachments=["../x"]), "attachments[0]"),
        (lambda: make(Fix, outcome="perhaps"), "outcome"),
        (lambda: make(Fix, stated_confidence=2), "stated_confidence"),
        (lambda: make(Fix, stated_confidence=float("nan")), "stated_confidence"),
        (lambda: make(Decision, governs=["/etc"]), "governs[0]"),
        (lambda: make(Decision, status="superseded"), "status"),
        (lambda: Author(name=" "), "name"),
        (lambda: Author(name="x", via="robot"), "via"),  # type: ignore[arg-type]
        (lambda: Frame(file="a", line=-1), "line"),
        (lambda: Anchor(path="a/../../b"), "path"),
        (lambda: Links(fixes=("fix-0000000000",)), "fixes[0]"),
        (lambda: Usage(calls=-1), "calls"),
        (lambda: Alternative(option="two\nlines"), "option"),
        (lambda: parts.TestCase(name="x", status="flaky"), "status"),  # type: ignore[arg-type]
        (lambda: Marker(format=0), "format"),
    ],
)
def test_what_is_not_valid_can_not_be_built(build: Callable[[], RecordPart], field: str) -> None:
    with pytest.raises(InvalidError) as caught:
        build()
    assert caught.value.field == field
    assert caught.value.message.startswith(f"{field}: ")
    assert caught.value.hint.startswith(f"{field} must be ")
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: make(Note, id=record_id("fix")), "id: fix-7k3m9q2d4x is the id of kind fix"),
        (lambda: make(Note, tags=["a", "a"]), "tags: a tag is named twice"),
        (
            lambda: make(Error, links=Links(relates=(record_id("error"),))),
            "links.relates: a record can't link to itself",
        ),
        (lambda: make(Session, ended=NOW - timedelta(seconds=1)), "ended: a session can't end"),
        (lambda: Anchor(path="a", lines=(2, 1)), "lines: the first line must not come after"),
    ],
)
def test_fields_that_contradict_each_other(build: Callable[[], RecordPart], message: str) -> None:
    with pytest.raises(InvalidError) as caught:
        build()
    assert caught.value.message.startswith(message)


def test_missing_fields_are_a_type_error_in_code() -> None:
    with pytest.raises(TypeError):
        Author()  # type: ignore[call-arg]


@pytest.mark.parametrize("part", sorted(set(all_parts()), key=repr))
def test_values_can_not_be_changed(part: type[RecordPart]) -> None:
    assert part.__struct_config__.frozen


def test_lists_become_tuples_and_mappings_parts() -> None:
    error = make(Error, tags=["a", "b"], frames=[{"file": "a.py", "line": 3}], test=None)
    assert error.tags == ("a", "b")
    assert error.frames == (Frame(file="a.py", line=3),)


def test_times_become_utc() -> None:
    plus_two = timezone(timedelta(hours=2))
    note = make(Note, created=datetime(2026, 11, 21, 11, 30, tzinfo=plus_two))
    assert note.created == NOW
    assert note.created.tzinfo is UTC
    assert b"created: '2026-11-21T09:30:00Z'" in convert.encode(note)


def test_defaults_are_not_shared() -> None:
    first, second = make(Error), make(Error)
    first.environment["x"] = 1
    assert second.environment == {}


def test_equal_values_are_equal() -> None:
    assert make(Note, body="x") == make(Note, body="x")
    assert make(Note, body="x") != make(Note, body="y")


# --- plain data and canonical order -----------------------------------------------------------


def test_set_fields_come_first_in_their_order_and_unknown_ones_last() -> None:
    note = make(Note, body="x", tags=["a"], extra={"zeta": 1, "alpha": 2})
    assert list(convert.to_data(note)) == [
        "schema", "id", "kind", "title", "created", "author", "tags", "body", "zeta", "alpha",
    ]  # fmt: skip


def test_defaults_are_not_written() -> None:
    text = convert.encode(make(Fix, outcome="unverified", steps=(), applied=None))
    assert set(codec.load(text)) == {"schema", "id", "kind", "title", "created", "author"}
    assert b"applied: false" in convert.encode(make(Fix, applied=False))


def test_reading_sorts_the_keys() -> None:
    text = convert.encode(make(Error, tags=["a"], location=Location(file="a.py", line=1)))
    data = codec.load(text)
    shuffled = dict(sorted(data.items(), reverse=True))
    record = convert.from_data(shuffled)
    assert convert.encode(record) == text


@given(
    text=st.text(max_size=50),
    metrics=st.dictionaries(
        st.text(max_size=5),
        st.one_of(st.none(), st.booleans(), st.integers(-999, 999), st.floats(-9, 9), st.text()),
        max_size=3,
    ),
)
def test_any_text_survives_a_round_trip(text: str, metrics: dict[str, Any]) -> None:
    session = make(Session, goal=text, summary=text, metrics=metrics)
    written = convert.encode(session)
    record, problems = convert.decode(written, "x.yaml")
    assert problems == []
    assert record == session
    assert record is not None
    assert convert.encode(record) == written


# --- unknown fields -------------------------------------------------------------------------

UNKNOWN = {"of_tomorrow": [1, {"deep": None}], "extra": {"even": "this name"}}


def test_unknown_fields_survive_at_every_level() -> None:
    data = {
        "schema": 1,
        "id": "ses-7k3m9q2d4x",
        "kind": "session",
        "title": "t",
        "created": "2026-11-21T09:30:00Z",
        "author": {"name": "Zoë"} | UNKNOWN,
        "anchors": [{"path": "a.py"} | UNKNOWN],
        "links": {"relates": ["err-0000000000"]} | UNKNOWN,
        "started": "2026-11-21T09:30:00Z",
        "ended": "2026-11-21T09:30:00Z",
        "task": {"id": "T1"} | UNKNOWN,
        "changes": [{"path": "a.py"} | UNKNOWN],
        "test_runs": [
            {
                "result": "failed",
                "cases": [{"name": "x", "status": "failed"} | UNKNOWN],
                "timing": {"seconds": 1.0} | UNKNOWN,
            }
            | UNKNOWN
        ],
        "events": [{"at": "2026-11-21T09:30:00Z", "type": "x"} | UNKNOWN],
        "llm": {"calls": 1} | UNKNOWN,
        **UNKNOWN,
    }
    record, problems = convert.decode(codec.dump(data), "x.yaml")
    assert problems == []
    assert record is not None
    assert convert.to_data(record) == data
    assert convert.encode(record) == codec.dump(data)


def test_a_folded_mapping_stays_a_mapping() -> None:
    """What stands in ``environment`` is content, not fields: nothing there is unknown."""
    error = make(Error, environment={"extra": 1, "path": "x"})
    assert convert.from_data(convert.to_data(error)) == error


# --- newer and older schemas ----------------------------------------------------------------


def newer(**fields: Any) -> dict[str, Any]:
    return convert.to_data(make(Note)) | {"schema": SCHEMA + 1} | fields


def test_a_newer_record_is_read_and_said_to_be_newer() -> None:
    record, problems = convert.decode(codec.dump(newer(of_tomorrow=1)), "x.yaml")
    assert record is not None
    assert record.schema == SCHEMA + 1
    assert record.extra == {"of_tomorrow": 1}
    (problem,) = problems
    assert (problem.code, problem.severity, problem.field) == ("newer-schema", "warning", "schema")
    assert str(SCHEMA + 1) in problem.message
    assert str(SCHEMA + 1) in problem.hint


def test_a_newer_record_that_is_not_understood_is_no_error() -> None:
    record, problems = convert.decode(codec.dump(newer(type="poem", title=None)), "x.yaml")
    assert record is None
    assert [problem.code for problem in problems] == ["newer-schema"]
    _, problems = convert.decode(codec.dump(newer(kind="dream")), "x.yaml")
    assert [problem.code for problem in problems] == ["newer-schema"]


def test_a_newer_record_is_not_migrated() -> None:
    data = newer()
    assert migrations.migrate(data, {SCHEMA + 1: lambda _: {}}, SCHEMA) is data


def test_older_data_is_brought_up_to_date_step_by_step() -> None:
    steps: dict[int, migrations.Step] = {
        1: lambda data: {**data, "title": data["name"]},
        2: lambda data: {key: value for key, value in data.items() if key != "name"},
    }
    old = {"schema": 1, "name": "t"}
    assert migrations.migrate(old, steps, 3) == {"schema": 3, "title": "t"}
    assert old == {"schema": 1, "name": "t"}
    assert migrations.migrate({"name": "t"}, steps, 3) == {"schema": 3, "title": "t"}
    assert migrations.migrate({"schema": 2, "name": "t"}, steps, 3) == {"schema": 3}
    assert migrations.migrate({"schema": 3}, steps, 3) == {"schema": 3}


@pytest.mark.parametrize("version", ["1", None, [], 0, -5, 1.0])
def test_a_schema_that_is_no_number_is_left_for_the_reader_to_refuse(version: object) -> None:
    data = {"schema": version}
    assert migrations.migrate(data, {1: lambda _: {}}, 0) is data


def test_every_step_up_to_now_is_there() -> None:
    assert set(migrations.STEPS) == set(range(1, SCHEMA))


# --- faults: what, where, what is allowed ----------------------------------------------------

FAULTY = """\
schema: 1
id: err-7k3m9q2d4x
kind: error
title: ''
created: yesterday
author:
  name: Zoë
  via: robot
tags: [fine, not fine]
frames:
- file: a.py
  line: 1
- file: b.py
  line: zero
exit_code: "1"
"""


def test_all_problems_of_a_file_are_told_in_their_place() -> None:
    record, problems = convert.decode(FAULTY.encode(), "errors/2026/11/x.yaml")
    assert record is None
    assert sorted((p.line, p.column, p.field, p.message, p.hint) for p in problems) == [
        (4, 1, "title", "title: this text is not allowed here",
         "title must be one line of text (at most 500 characters)"),
        (5, 1, "created", "created: not a date and time with a zone",
         "created must be a date and time such as 2026-11-21T09:30:00Z"),
        (8, 3, "author.via", "author.via: unknown value 'robot'",
         "author.via must be one of human, agent, tool"),
        (9, 14, "tags[1]", "tags[1]: this text is not allowed here",
         "tags[1] must be one word (at most 100 characters)"),
        (14, 3, "frames[1].line", "frames[1].line: text is not allowed here",
         "frames[1].line must be a whole number, at least 1"),
        (15, 1, "exit_code", "exit_code: text is not allowed here",
         "exit_code must be a whole number"),
    ]  # fmt: skip
    assert {(p.path, p.code, p.severity) for p in problems} == {
        ("errors/2026/11/x.yaml", "invalid-field", "error")
    }


def test_a_missing_field_with_a_likely_slip_of_the_pen() -> None:
    data = convert.to_data(make(Note))
    data["titel"] = data.pop("title")
    (problem,) = convert.decode(codec.dump(data), "x.yaml").problems
    assert (problem.field, problem.message) == ("title", "title: is missing")
    assert problem.hint == "did you mean it with 'titel'?"


def test_a_missing_field_inside_a_block_is_placed_at_the_block() -> None:
    text = FAULTY.replace("- file: b.py\n  line: zero", "- line: 2").encode()
    (problem,) = (p for p in convert.decode(text, "x").problems if p.field.startswith("frames"))
    assert (problem.field, problem.line, problem.column) == ("frames[1].file", 13, 3)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "kind: is missing"),
        ("errors", "kind: unknown value 'errors'"),
        (7, "kind: unknown value 7"),
        (["error"], "kind: unknown value ['error']"),
    ],
)
def test_a_record_of_no_kind(value: object, message: str) -> None:
    with pytest.raises(InvalidError) as caught:
        convert.from_data({"kind": value} if value else {})
    assert (caught.value.message, caught.value.field) == (message, "kind")
    assert caught.value.hint == "kind must be one of " + ", ".join(KINDS)
    assert [fault.field for fault in convert.all_faults({"kind": value})] == ["kind"]


def test_good_data_has_no_faults() -> None:
    assert convert.all_faults(convert.to_data(make(Note))) == []


@pytest.mark.parametrize(
    ("kind", "field", "value", "hint"),
    [
        ("fix", "outcome", "x", "outcome must be one of worked, partial, failed, unverified"),
        ("fix", "stated_confidence", 2, "stated_confidence must be a number from 0 to 1"),
        ("fix", "steps", "x", "steps must be a list; each entry must be text"),
        ("fix", "reuses", "x", "reuses must be the id of a fix, such as fix-7k3m9q2d4x"),
        ("fix", "applied", "x", "applied must be true or false"),
        (
            "error",
            "location",
            [],
            "location must be a mapping with file, line, column, code, around",
        ),
        ("error", "environment", 1, "environment must be a mapping"),
        ("error", "session", "x", "session must be the id of a session, such as ses-7k3m9q2d4x"),
    ],
)
def test_hints_say_what_is_allowed(kind: str, field: str, value: object, hint: str) -> None:
    data = convert.to_data(make(KINDS[kind])) | {field: value}
    (fault,) = convert.all_faults(data)
    assert (fault.field, fault.hint) == (field, hint)


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])
def test_a_time_beyond_the_calendar_in_utc(time: str) -> None:
    data = convert.to_data(make(Note)) | {"created": time}
    record, (problem,) = convert.decode(codec.dump(data), "x.yaml")
    assert record is None
    assert problem.message == "created: out of range"


# --- known gaps: each of these turns red when it is mended, then the mark goes ----------------


def test_contradictions_are_placed_too() -> None:
    text = convert.encode(make(Note)) + b"tags: [a, a]\n"
    (problem,) = convert.decode(text, "x.yaml").problems
    assert (problem.field, problem.line) == ("tags", text.count(b"\n"))


def test_two_faults_inside_one_field() -> None:
    data = convert.to_data(make(Error)) | {"frames": [{"line": 1}, {"file": "a", "line": 0}]}
    faults = convert.all_faults(data)
    assert [fault.field for fault in faults] == ["frames[0].file", "frames[1].line"]


def test_the_key_of_a_bad_entry_is_named() -> None:
    data = convert.to_data(make(Error)) | {"environment": {"a": 1, "b": [2]}}
    (fault,) = convert.all_faults(data)
    assert fault.field == "environment.b"


@pytest.mark.parametrize(
    "fields",
    [{"goal": "\udcff"}, {"metrics": {"x": float("nan")}}, {"extra": {"x": {1, 2}}}],
    ids=["half-a-surrogate-pair", "nan", "a-set"],
)
def test_what_can_not_be_written_can_not_be_built(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidError):
        make(Session, **fields)


def test_a_known_name_among_the_unknown_fields_is_refused() -> None:
    with pytest.raises(InvalidError):
        make(Note, extra={"title": ""})


def test_a_path_with_a_drive_letter_is_refused() -> None:
    with pytest.raises(InvalidError):
        Anchor(path="C:/x")


# --- ids and paths ----------------------------------------------------------------------------


@given(kind=st.sampled_from(list(KINDS)), random=st.binary(min_size=7, max_size=12))
def test_made_ids_are_ids(kind: str, random: bytes) -> None:
    made = layout.make_id(kind, random)
    assert layout.is_id(made)
    assert layout.kind_of(made) == kind
    assert layout.normalise(made) == made


def test_ids_use_fifty_bits() -> None:
    assert layout.make_id("error", b"\0" * 7) == "err-0000000000"
    assert layout.make_id("error", b"\xff" * 7) == "err-zzzzzzzzzz"
    made = {layout.make_id("note", (1 << bit).to_bytes(7, "big")) for bit in range(50)}
    assert len(made) == 50


def test_the_alphabet_has_no_look_alikes() -> None:
    assert len(set(layout.ALPHABET)) == 32
    assert not set("ilou") & set(layout.ALPHABET)


@pytest.mark.parametrize(
    "text",
    [
        "", "err", "err-", "err-7k3m9q2d4", "err-7k3m9q2d4x5", "xxx-7k3m9q2d4x", "err-7k3m9q2d4i",
        "err-7K3M9Q2D4X", "err-7k3m9q2d4x\n", " err-7k3m9q2d4x", "err_7k3m9q2d4x",
    ],
)  # fmt: skip
def test_what_is_no_id(text: str) -> None:
    assert not layout.is_id(text)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ERR-7K3M9Q2D4X", "err-7k3m9q2d4x"),
        (" err-oil ", "err-011"),
        ("dec-7k", "dec-7k"),
        ("err", "err"),
    ],
)
def test_ids_as_people_type_them(typed: str, meant: str) -> None:
    assert layout.normalise(typed) == meant


def test_the_kind_of_a_prefix() -> None:
    assert layout.kind_of("err-7k") == "error"
    assert layout.kind_of("xyz-7k") is None


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Use UTC everywhere", "use-utc-everywhere"),
        ("  Zoë's café: 100 %!  ", "zoe-s-cafe-100"),
        ("漢字", ""),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "con"),
        ("a" * 100, "a" * 60),
        ("word " * 30, "-".join(["word"] * 12)),
        ("\u202e\u200b\0x", "x"),
    ],
)
def test_slugs(title: str, slug: str) -> None:
    assert layout.slug(title) == slug


@given(
    kind=st.sampled_from(list(KINDS)),
    title=st.text(max_size=200),
    created=st.datetimes(timezones=st.just(UTC)),
)
def test_paths_lead_back_to_the_id(kind: str, title: str, created: datetime) -> None:
    made = record_id(kind)
    path = layout.path_for(kind, made, title, created)
    assert layout.is_record_path(path)
    assert layout.id_in(path) == made
    assert path.isascii()
    assert path == path.lower()
    assert len(path.rpartition("/")[2]) <= 60 + 1 + len(made) + len(".yaml")


def test_a_path_in_full() -> None:
    path = layout.path_for("decision", "dec-7k3m9q2d4x", "Use UTC everywhere", NOW)
    assert path == "decisions/2026/11/use-utc-everywhere-dec-7k3m9q2d4x.yaml"
    assert (
        layout.path_for("fix", "fix-7k3m9q2d4x", "漢", NOW) == "fixes/2026/11/fix-7k3m9q2d4x.yaml"
    )


@pytest.mark.parametrize(
    "path",
    [
        "notes/2026/11/x.yaml", "notes/2026/note-7k3m9q2d4x.yaml", "note-7k3m9q2d4x.yaml",
        "notes/2026/11/../../../note-7k3m9q2d4x.yaml", "/notes/2026/11/note-7k3m9q2d4x.yaml",
        "notes/2026/11/a/note-7k3m9q2d4x.yaml", "notes/2026/11/note-7k3m9q2d4x.txt",
        "notes/2026/11/note-7k3m9q2d4x.yaml\n", "poems/2026/11/note-7k3m9q2d4x.yaml",
        "notes/2026/11/note-7k3m9q2d4x.yaml.tmp", "notes/2026/11/x\0-note-7k3m9q2d4x.yaml",
        "attachments/note-7k3m9q2d4x.yaml", "gitmem.yaml", "",
    ],
)  # fmt: skip
def test_what_is_no_path_of_a_record(path: str) -> None:
    assert not layout.is_record_path(path)


def test_folders_and_kinds_belong_together() -> None:
    assert set(layout.FOLDERS) == set(KINDS) == set(layout.PREFIXES)
    assert len(set(layout.FOLDERS.values())) == len(KINDS)
    assert layout.KIND_OF_FOLDER["fixes"] == "fix"


# --- the marker ---------------------------------------------------------------------------------


def test_the_marker_keeps_settings_and_unknown_fields() -> None:
    marker = Marker(format=FORMAT, settings={"search.limit": 5, "x": ("a", "b")}, extra={"y": 1})
    assert msgspec.structs.asdict(marker)["settings"] == {"search.limit": 5, "x": ("a", "b")}
    assert marker.extra == {"y": 1}
