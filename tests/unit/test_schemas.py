"""The published JSON Schemas say the same as the reader does."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from gitmem.records import codec, convert
from gitmem.records.kinds import KINDS
from gitmem.records.layout import PREFIXES
from gitmem.records.schema import DIALECT, schemas
from scripts import generate_schemas

SCHEMAS: Final = schemas()
FORMATS: Final = jsonschema.FormatChecker(formats=())


@FORMATS.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


def sample(kind: str) -> dict[str, Any]:
    """Give the smallest record of a kind."""
    data = {
        "schema": 1,
        "id": f"{PREFIXES[kind]}-7k3m9q2d4x",
        "kind": kind,
        "title": "naive and aware datetimes can't be compared",
        "created": "2026-11-21T09:30:00Z",
        "author": {"name": "Zoë"},
    }
    times = {"started": "2026-11-21T09:30:00Z", "ended": "2026-11-21T10:30:00Z"}
    return data | (times if kind == "session" else {})


COMMON: Final[dict[str, Any]] = {
    "author": {"name": "Zoë", "email": "z@example.org", "via": "agent", "tool": "x", "model": "y"},
    "asked_as": ["where do our bills live"],
    "tags": ["datetime", "utc"],
    "session": "ses-0000000000",
    "anchors": [
        {
            "path": "app/clock.py", "lines": [3, 5], "symbol": "now", "content_hash": "abc",
            "quote": "now()", "commit": "0123abc",
        }
    ],
    "links": {
        "fixes": ["err-0000000000"], "supersedes": ["dec-0000000000"],
        "duplicates": ["err-0000000001"], "caused_by": ["note-0000000000"],
        "implements": ["dec-0000000001"], "relates": ["pat-0000000000"],
    },
    "of_tomorrow": {"kept": [1, {"as": "it is"}]},
}  # fmt: skip
CASE: Final = {
    "name": "test_clock", "status": "failed", "input": "1", "expected": "2", "actual": "3",
    "message": "no", "failing_function": "now", "failing_line": 7, "seconds": 0.5,
}  # fmt: skip
FULL: Final[dict[str, dict[str, Any]]] = {
    "error": {
        "error_type": "TypeError", "code": "E1", "message": "can't compare\ntwo lines",
        "symptom": "it stops", "chain": ["KeyError: 'a'"],
        "cause": "mixed datetimes", "category": "TIMEOUT", "subject": "clock", "tool": "pytest",
        "language": "python",
        "location": {"file": "a.py", "line": 1, "column": 2, "code": "x", "around": "w\nx"},
        "frames": [{"file": "a.py", "function": "f", "line": 1, "code": "x", "in_app": True}],
        "command": "pytest", "exit_code": -9, "test": CASE,
        "environment": {"python": "3.11", "cores": 2, "load": 0.5, "ci": False, "tz": None},
        "excerpt": "…", "attachments": ["0" * 64 + ".png"],
        "tests": ["test_a.py::test_one", "test_a.py::test_two"],
        "also": [
            {
                "message": "assert 3 == 4",
                "location": {"file": "test_a.py", "line": 7},
                "frames": [{"file": "test_a.py", "function": "test_two", "line": 7}],
                "test": {"name": "test_a.py::test_two", "status": "failed"},
            }
        ],
    },
    "fix": {
        "approach": "use UTC", "symptom": "it stops", "cause": "mixed datetimes",
        "steps": ["one", "two"], "patch": "--- a\n+++ b\n",
        "outcome": "worked", "applied": True,
        "verification": {
            "command": "pytest",
            "before": {"result": "failed", "exit_code": 1, "summary": "1 failed", "cases": [CASE]},
            "after": {"result": "passed"},
            "seconds": 3,
        },
        "guard": {"tool": "semgrep", "language": "c++", "rule": {"patterns": [{"pattern": "x"}]}},
        "lessons": "x", "why_failed": "x", "worked_partially": "x", "reuses": "fix-0000000000",
        "applies_to": ["<3"], "fixer": "x", "analysis": "x", "stated_confidence": 0.5,
        "seconds": 12.5,
        "usage": {
            "calls": 1, "input_tokens": 2, "output_tokens": 3, "cost_usd": 0.01, "models": ["m"]
        },
        "environment": {"os": "linux"}, "notes": "x",
    },
    "decision": {
        "status": "proposed", "context": "x", "decision": "x", "rationale": "x",
        "alternatives": [{"option": "local time", "why_not": "summer time"}],
        "consequences": "x", "confidence": 1, "governs": ["app/**/*.py"],
    },
    "session": {
        "goal": "x", "success": False, "summary": "x", "branch": "main",
        "task": {
            "id": "T1", "category": "c", "type": "bug", "complexity": "low", "effort": 1.5,
            "dependencies": ["T0"], "dependencies_resolved": ["T0"],
        },
        "approach": "x", "success_factors": ["x"], "tools_used": ["x"],
        "changes": [
            {
                "path": "a.py", "action": "rename", "reason": "x", "renamed_from": "b.py",
                "added": 1, "removed": 0, "lines": [1, 1], "related_files": ["c.py"], "diff": "x",
            }
        ],
        "test_runs": [
            {
                "id": "1", "attempt": 1, "at": "2026-11-21T10:00:00+01:00", "command": "x",
                "result": "error", "summary": "x", "passed": 1, "failed": 0, "errors": 0,
                "skipped": 0, "cases": [CASE], "timing": {"seconds": 1, "slowest": {"t": 0.5}},
                "error_analysis": "x",
            }
        ],
        "events": [
            {
                "at": "2026-11-21T10:00:00Z", "type": "note", "text": "x", "role": "x",
                "record": "err-0000000000",
            }
        ],
        "llm": {"calls": 0}, "config": {"depth": 3}, "metrics": {"coverage": 0.9},
    },
    "pattern": {
        "language": "python", "code": "x", "when_to_use": "x", "category": "x",
        "complexity": "high", "source": "x", "metrics": {"uses": 1},
    },
    "note": {"type": "gotcha", "body": "x"},
}  # fmt: skip


def each(kind: str, where: str, *values: Any) -> list[tuple[str, str, Any]]:
    """Give one case for each value."""
    return [(kind, where, value) for value in values]


MISSING: Final = object()
# Refused by the reader and by the schema: kind, where, what.
BAD: Final[list[tuple[str, str, Any]]] = [
    *(("error", name, MISSING) for name in ("id", "kind", "title", "created", "author")),
    ("error", "author.name", MISSING),
    ("session", "started", MISSING),
    ("session", "ended", MISSING),
    *each("error", "kind", "errors", "fix", "Error", 1, None, []),
    *each("error", "title", "", "  ", "a\nb", "x" * 501, 3, None, ["a"], {}),
    *each("error", "created", "2026-11-21", "2026-11-21T09:30:00", "2026-02-30T00:00:00Z", "", 5),
    *each("error", "id", "err-short", "fix-7k3m9q2d4x", "ERR-7K3M9Q2D4X", "err-7k3m9q2d4i", "", 1),
    *each("error", "schema", 0, -1, "1", True, None, 1.5),
    *each("error", "tags", "x", ["a b"], [1], [""], None, {"a": 1}),
    *each("error", "exit_code", "1", 1.5, True, []),
    *each("error", "frames", [{"file": "a", "line": 0}], [{"line": 1}], {"file": "a"}, ["a"], None),
    *each("error", "anchors", [{"path": "/etc/passwd"}], [{"path": "../x"}], [{"path": "~/x"}]),
    *each("error", "anchors", [{"path": "a/../../b"}], [{"path": ""}], [{"path": "a\nb"}]),
    *each("error", "anchors", [{"path": "\\\\x\\y"}], [{"path": "a", "lines": [1]}]),
    *each("error", "anchors", [{"path": "a", "lines": [0, 2]}], [{"path": "a", "lines": "1-2"}]),
    *each("error", "anchors", [{"path": "a", "lines": [1, 2, 3]}], [{"path": "a", "commit": "x"}]),
    *each("error", "links", [], None, {"fixes": ["fix-0000000000"]}, {"relates": ["x"]}),
    *each("error", "session", "err-0000000000"),
    *each("error", "author", "Zoë"),
    *each("error", "author.via", "robot"),
    *each("error", "author.email", "a b"),
    *each("error", "environment", {"a": [1]}, "x"),
    *each("error", "attachments", ["x"], ["0" * 64 + "/../x"], "x"),
    *each("error", "test", {"name": "t"}, {"name": "t", "status": "flaky"}),
    *each("error", "symptom", "a\nb"),
    *each("fix", "outcome", "perhaps", None, True, "Worked"),
    *each("fix", "stated_confidence", 1.5, -0.1, "high", True),
    *each("fix", "steps", "one"),
    *each("fix", "reuses", "err-0000000000"),
    *each("fix", "usage", {"calls": -1}),
    *each("fix", "verification", {"after": {"result": "green"}}),
    *each("fix", "guard", {"pattern": "x"}, {"language": "go", "pattern": "x" * 4_001}),
    *each("fix", "guard", {"language": "go", "pattern": "x", "tool": "sh"}),
    *each("fix", "seconds", -1),
    *each("decision", "status", "superseded"),
    *each("decision", "governs", ["/x"]),
    *each("decision", "alternatives", [{"why_not": "x"}]),
    *each("session", "changes", [{"path": "a", "action": "move"}]),
    *each("session", "events", [{"at": "now", "type": "x"}]),
    *each("session", "metrics", {"a": {"b": 1}}),
    *each("session", "test_runs", [{"result": "failed", "cases": [{"name": "x", "status": "?"}]}]),
    *each("pattern", "complexity", "x"),
    *each("note", "type", "poem"),
    *each("note", "body", 1),
]
# What no schema can say, because it takes two fields together (or YAML's 1.0, which is no
# whole number to us): refused by the reader only.
BEYOND_SCHEMAS: Final[list[tuple[str, str, Any]]] = [
    ("error", "tags", ["a", "a"]),
    ("error", "links", {"relates": ["err-7k3m9q2d4x"]}),
    ("error", "anchors", [{"path": "a", "lines": [2, 1]}]),
    ("error", "exit_code", 1.0),
    ("session", "ended", "2026-11-21T09:29:59Z"),
]


def changed(kind: str, where: str, what: object) -> dict[str, Any]:
    """Give the smallest record with one value changed, added or taken away."""
    data = sample(kind)
    *outer, name = where.split(".")
    inner: dict[str, Any] = data
    for step in outer:
        inner = inner[step]
    if what is MISSING:
        del inner[name]
    else:
        inner[name] = what
    return data


def schema_accepts(kind: str, data: dict[str, Any]) -> bool:
    validator = jsonschema.Draft202012Validator(
        SCHEMAS[f"{kind}.schema.json"], format_checker=FORMATS
    )
    return bool(validator.is_valid(data))


def reader_accepts(data: dict[str, Any]) -> bool:
    return convert.decode(codec.dump(data), "x.yaml").record is not None


def _name(case: tuple[str, str, Any]) -> str:
    kind, where, what = case
    return f"{kind}-{where}-{'missing' if what is MISSING else repr(what)[:40]}"


def test_files_are_up_to_date() -> None:
    assert generate_schemas.differences(generate_schemas.FOLDER) == []


def test_differences_are_told(tmp_path: Path) -> None:
    generate_schemas.write(tmp_path)
    (tmp_path / "note.schema.json").unlink()
    (tmp_path / "fix.schema.json").write_text("{}", encoding="utf-8")
    (tmp_path / "poem.schema.json").write_text("{}", encoding="utf-8")
    assert generate_schemas.differences(tmp_path) == [
        "fix.schema.json: out of date",
        "note.schema.json: missing",
        "poem.schema.json: of no kind of record",
    ]
    generate_schemas.write(tmp_path)
    assert generate_schemas.differences(tmp_path) == []


def test_there_is_one_for_each_kind_and_the_marker() -> None:
    assert set(SCHEMAS) == {f"{kind}.schema.json" for kind in (*KINDS, "gitmem")}


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema_of_2020_12(name: str) -> None:
    schema = SCHEMAS[name]
    assert schema["$schema"] == DIALECT
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_reference_leads_somewhere(name: str) -> None:
    text = json.dumps(SCHEMAS[name])
    definitions = SCHEMAS[name].get("$defs", {})
    assert text.count('"$ref": ') == sum(
        text.count(f'"$ref": "#/$defs/{target}"') for target in definitions
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_a_full_sample_is_known(kind: str) -> None:
    known = set(SCHEMAS[f"{kind}.schema.json"]["properties"])
    data = sample(kind) | COMMON | FULL[kind]
    assert set(data) - {"of_tomorrow"} == known, "a field is missing in the samples, or too much"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", ["small", "full"])
def test_samples_are_accepted_by_both(kind: str, size: str) -> None:
    data = sample(kind) | (COMMON | FULL[kind] if size == "full" else {})
    assert convert.decode(codec.dump(data), "x.yaml").problems == []
    assert schema_accepts(kind, data)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_accepted(kind: str) -> None:
    record = convert.from_data(sample(kind) | COMMON | FULL[kind])
    assert schema_accepts(kind, codec.load(convert.encode(record)))


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_bad_records_are_refused_by_both(case: tuple[str, str, Any]) -> None:
    kind, where, what = case
    data = changed(kind, where, what)
    assert not schema_accepts(kind, data)
    # The reader takes the kind from the record, the schema is for one kind: "fix" is another's.
    if (where, what) != ("kind", "fix"):
        assert not reader_accepts(data)


@pytest.mark.parametrize("case", BEYOND_SCHEMAS, ids=_name)
def test_what_only_the_reader_can_refuse(case: tuple[str, str, Any]) -> None:
    kind, where, what = case
    data = changed(kind, where, what)
    assert schema_accepts(kind, data)
    assert not reader_accepts(data)


@pytest.mark.parametrize(
    ("data", "good"),
    [
        ({"format": 1}, True),
        ({"format": 1, "settings": {"search.limit": 5, "x": ["a", "b"]}}, True),
        ({"format": 1, "of_tomorrow": True}, True),
        ({}, False),
        ({"format": 0}, False),
        ({"format": "1"}, False),
        ({"format": 1, "settings": {"x": {"y": 1}}}, False),
    ],
    ids=["small", "settings", "unknown-field", "empty", "zero", "text", "nested-setting"],
)
def test_the_marker_file(data: dict[str, Any], *, good: bool) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMAS["gitmem.schema.json"])
    assert validator.is_valid(data) is good
