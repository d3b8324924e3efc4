"""Writing through the Python API: whole records or none, and errors that name the field."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.errors import (
    ConflictError,
    EnvironmentProblem,
    InvalidError,
    NotFoundError,
    UsageError,
)
from gitmem.memory import Memory
from gitmem.records.convert import from_data
from gitmem.records.kinds import KINDS, Decision, Error, Fix

if TYPE_CHECKING:
    from tests.conftest import Checkout


@pytest.fixture
def memory(repo: "Checkout") -> Iterator[Memory]:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as opened:
        yield opened


def files(memory: Memory) -> dict[str, bytes]:
    root = Path(memory.workspace.site.folder)
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


# --- writing ------------------------------------------------------------------------------------

LEAST: dict[str, dict[str, Any]] = {
    "error": {"message": "boom"}, "fix": {"approach": "try"}, "decision": {"decision": "so"},
    "session": {"goal": "g", "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T01:00:00Z"},
    "pattern": {"code": "x"}, "note": {"body": "b"},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_add_writes_a_whole_record_of_every_kind_and_gives_it_back(
    memory: Memory, kind: str
) -> None:
    made = memory.add(kind, {"title": "t", **LEAST[kind]})
    assert made.kind == kind
    assert made.author.name == "Ada Lovelace"
    shown = memory.show(made.id)
    assert shown.record == made
    assert [row.id for row in memory.list(f"kind:{kind}")] == [made.id]
    assert memory.checks.files() == []


@pytest.mark.parametrize(
    ("kind", "fields", "field"),
    [
        ("note", {}, "title"),
        ("note", {"title": "t", "boddy": "x"}, "boddy"),
        ("note", {"title": "a\nb"}, "title"),
        ("fix", {"title": "t", "outcome": "maybe"}, "outcome"),
        ("error", {"title": "t", "links": {"fixes": ["err-1"]}}, "links.fixes[0]"),
        ("session", {"title": "t"}, "started"),
        ("note", {"title": "t", "id": "err-0000000001"}, ""),
    ],
)
def test_add_refuses_what_is_wrong_names_the_field_and_writes_nothing(
    memory: Memory, kind: str, fields: dict[str, Any], field: str
) -> None:
    before = files(memory)
    with pytest.raises(InvalidError) as caught:
        memory.add(kind, fields)
    assert caught.value.field.startswith(field)
    assert "\n" not in caught.value.message
    assert files(memory) == before


def test_add_refuses_kinds_that_are_unknown_or_contradict(memory: Memory) -> None:
    with pytest.raises(UsageError, match="no kind poem"):
        memory.add("poem", {"title": "t"})
    with pytest.raises(UsageError, match="kind: fix"):
        memory.add("note", {"title": "t", "kind": "fix"})


def test_the_same_id_twice_is_refused(memory: Memory) -> None:
    made = memory.add("note", {"title": "t"})
    with pytest.raises(ConflictError):
        memory.records.writer.write(made)
    assert len(memory.list()) == 1


def test_a_record_beyond_the_limit_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidError, match="larger than"):
        memory.add("note", {"title": "t", "body": "x" * 2_000_000})


def test_attachments_are_kept_beside_and_checked(memory: Memory, tmp_path: Path) -> None:
    picture = tmp_path / "Screen Shot.PNG"
    picture.write_bytes(b"\x89PNG")
    made = memory.add("error", {"title": "t"}, attach=[str(picture)])
    assert isinstance(made, Error)
    (name,) = made.attachments
    kept = Path(memory.workspace.site.folder, "attachments", name)
    assert kept.read_bytes() == b"\x89PNG"
    assert name.endswith(".png")
    kept.write_bytes(b"other")
    assert [p.code for p in memory.checks.files()] == ["attachment"]
    kept.unlink()
    assert "missing" in memory.checks.files()[0].message


def test_attaching_what_is_missing_or_too_large_writes_nothing(
    memory: Memory, tmp_path: Path
) -> None:
    before = files(memory)
    with pytest.raises(EnvironmentProblem):
        memory.add("error", {"title": "t"}, attach=[str(tmp_path / "none")])
    large = tmp_path / "large"
    large.write_bytes(bytes(6 * 2**20))
    with pytest.raises(InvalidError, match="larger than"):
        memory.add("error", {"title": "t"}, attach=[str(large)])
    assert files(memory) == before


def test_add_all_writes_all_or_none_and_names_the_bad_one(memory: Memory) -> None:
    with pytest.raises(InvalidError, match="entry 2 of 3"):
        memory.records.writer.add_all("note", [{"title": "a"}, {"title": "b\nc"}, {"title": "d"}])
    assert memory.list() == []
    assert len(memory.records.writer.add_all("note", [{"title": "a"}, {"title": "b"}])) == 2
    assert memory.records.writer.add_all("note", []) == []


def test_write_all_takes_back_what_it_wrote_when_one_can_not_be_written(memory: Memory) -> None:
    there = memory.add("note", {"title": "there"})
    data = {
        "kind": "note", "id": "note-0000000001", "title": "t",
        "created": "2026-01-01T00:00:00Z", "author": {"name": "Ann"},
    }  # fmt: skip
    with pytest.raises(ConflictError):
        memory.records.writer.write_all([from_data(data), there])
    assert [row.id for row in memory.list()] == [there.id]


def test_resolve_writes_a_fix_that_resolves(memory: Memory) -> None:
    error = memory.add("error", {"title": "t"})
    fix = memory.resolve(error.id, {"approach": "do this"})
    assert isinstance(fix, Fix)
    assert (fix.outcome, fix.links.fixes) == ("worked", (error.id,))
    assert memory.find(error.id).status == "resolved"
    memory.resolve(error.id, {"approach": "and that", "outcome": "failed"})
    backlinks = memory.show(error.id).backlinks
    assert [row.stated for _, row in backlinks] == ["worked", "failed"]
    with pytest.raises(UsageError):
        memory.resolve(error.id, {})
    with pytest.raises(NotFoundError, match=r"is of another kind: fix"):
        memory.resolve(fix.id, {"approach": "x"})


def test_supersede_writes_a_decision_in_place_of_another(memory: Memory) -> None:
    old = memory.add("decision", {"title": "old"})
    new = memory.supersede(old.id, {"title": "new"})
    assert memory.find(old.id).status == "superseded"
    assert memory.show(new.id).links[0][:1] == ("supersedes",)
    with pytest.raises(NotFoundError):
        memory.supersede("dec-0000000000", {"title": "x"})


def test_a_decision_that_supersedes_others_by_a_link_takes_over_what_it_does_not_say(
    memory: Memory,
) -> None:
    old = memory.add("decision", {"title": "a", "governs": ["src/**", "lib/**"], "tags": ["time"]})
    other = memory.add("decision", {"title": "b", "governs": ["lib/**", "doc/*"], "tags": ["utc"]})
    links = {"supersedes": [old.id, other.id]}
    new = memory.add("decision", {"title": "new", "tags": ["clock"], "links": links})
    assert isinstance(new, Decision)
    assert (new.governs, new.tags) == (("src/**", "lib/**", "doc/*"), ("clock",))
    with pytest.raises(InvalidError):
        memory.add("decision", {"title": "x", "links": {"supersedes": old.id}})


def test_forget_deletes_one_file_and_gives_what_it_was(memory: Memory) -> None:
    made = memory.add("note", {"title": "t"})
    assert memory.forget(made.id).title == "t"
    assert memory.list() == []
    with pytest.raises(NotFoundError):
        memory.forget(made.id)
