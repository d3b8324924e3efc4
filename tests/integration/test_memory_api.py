"""The Python API: every public method of Memory does what its docstring says, errors included."""

import inspect
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gitmem
from gitmem.errors import (
    ConflictError,
    GitmemError,
    InvalidError,
    NotFoundError,
    UsageError,
)
from gitmem.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

PUBLIC = sorted(name for name in vars(Memory) if not name.startswith("_"))


@pytest.fixture
def memory(repo: "Checkout") -> Iterator[Memory]:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as opened:
        yield opened


def files(memory: Memory) -> dict[str, bytes]:
    root = Path(memory.workspace.site.folder)
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


# --- the shape of the interface -----------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_method_is_documented_and_annotated(name: str) -> None:
    method = inspect.getattr_static(Memory, name)
    method = getattr(method, "__func__", None) or getattr(method, "func", None) or method
    documented = getattr(method, "fget", None) or method
    assert inspect.getdoc(documented)
    signature = inspect.signature(documented)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in list(signature.parameters.values())[0 if name == "now" else 1 :]:
        assert parameter.annotation is not inspect.Parameter.empty, parameter


def test_the_class_can_be_imported_from_the_package() -> None:
    assert gitmem.Memory is Memory
    assert Memory.__doc__


# --- opening and making -------------------------------------------------------------------------


def test_init_makes_a_memory_once_and_changes_nothing_the_second_time(repo: "Checkout") -> None:
    planned = Memory.init(str(repo), dry_run=True)
    assert "gitmem.yaml" in planned.created
    assert not (repo / ".memory").exists()
    assert Memory.init(str(repo)).created == planned.created
    with Memory.open(str(repo)) as memory:
        memory.workspace.settings.set("search.limit", "3", "team")
        before = files(memory)
        assert Memory.init(str(repo)).created == []
        assert files(memory) == before


def test_init_without_attributes_leaves_them_out(repo: "Checkout") -> None:
    assert ".gitattributes" not in Memory.init(str(repo), attributes=False).created
    assert not (repo / ".memory/.gitattributes").exists()


def test_a_memory_is_found_from_any_folder_below(memory: Memory, repo: "Checkout") -> None:
    repo.add("a/b/c.py", "")
    with Memory.open(str(repo / "a" / "b")) as other:
        assert other.workspace.site.folder == memory.workspace.site.folder


def test_here_makes_a_memory_of_its_own_in_a_part_of_the_repository(repo: "Checkout") -> None:
    repo.add("part/x.py", "")
    Memory.init(str(repo))
    Memory.init(str(repo / "part"), here=True)
    with Memory.open(str(repo)) as whole, Memory.open(str(repo / "part")) as part:
        assert part.workspace.site.folder == str(repo / "part" / ".memory")
        part.add("note", {"title": "of the part"})
        assert whole.list() == []
        assert [row.title for row in part.list()] == ["of the part"]
        assert whole.search("part").hits == []
        assert len(part.search("part").hits) == 1


def test_opening_where_there_is_none_says_how_to_start_one(repo: "Checkout") -> None:
    with pytest.raises(NotFoundError) as caught:
        Memory.open(str(repo))
    assert "gitmem init" in caught.value.hint


def test_a_foreign_folder_is_refused_and_left_as_it_is(repo: "Checkout") -> None:
    repo.add(".memory/theirs.txt", "x")
    for attempt in (Memory.init, Memory.open):
        with pytest.raises(ConflictError):
            attempt(str(repo))
    assert os.listdir(repo / ".memory") == ["theirs.txt"]


def test_a_memory_of_a_newer_format_is_refused(memory: Memory, repo: "Checkout") -> None:
    repo.add(".memory/gitmem.yaml", "format: 2\n")
    with pytest.raises(ConflictError, match="format 2"):
        Memory.open(str(repo))


def test_init_in_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        Memory.init(str(tmp_path / "nowhere"))


# --- reading ------------------------------------------------------------------------------------


def test_find_takes_whole_ids_unique_prefixes_and_look_alikes(memory: Memory) -> None:
    made = memory.add("note", {"title": "t"})
    tail = made.id.removeprefix("note-")
    for typed in (made.id, made.id.upper(), made.id[:8], tail, tail[:4], f" {made.id} ", "note"):
        assert memory.find(typed).id == made.id
    memory.add("note", {"title": "t"})
    with pytest.raises(UsageError, match="ambiguous: 2 records"):
        memory.find("note")
    for missing in ("note-zzzzzzzzzz", "err", "%", "_", "'"):
        with pytest.raises(NotFoundError):
            memory.find(missing)


def test_the_name_of_its_file_names_a_record(memory: Memory) -> None:
    made = memory.add("note", {"title": "Clocks are hard"})
    path = memory.find(made.id).path
    name = path.rpartition("/")[2]
    for typed in (path, f".memory/{path}", f"/anywhere/{path}", name, name.removesuffix(".yaml")):
        assert memory.find(typed).id == made.id


@pytest.mark.parametrize("typed", ["", " ", "\n"])
def test_an_empty_reference_names_nothing(memory: Memory, typed: str) -> None:
    memory.add("note", {"title": "the only one"})
    with pytest.raises(GitmemError):
        memory.forget(typed)
    assert len(memory.list()) == 1


def test_search_finds_words_and_filters_and_respells(memory: Memory) -> None:
    memory.add("note", {"title": "retry with backoff", "tags": ["net"]})
    memory.add("decision", {"title": "no retry"})
    assert {hit.row.kind for hit in memory.search("retry").hits} == {"note", "decision"}
    assert [hit.row.kind for hit in memory.search("retry tag:net").hits] == ["note"]
    assert len(memory.search("retry", limit=1).hits) == 1
    found = memory.search("bakcoff")
    assert (found.hits, found.suggestion) == ([], "backoff")
    for bad in ("", "kind:poem", '"open'):
        with pytest.raises(UsageError):
            memory.search(bad)


def test_list_and_log_take_filters_sorts_and_limits(memory: Memory) -> None:
    for number in range(3):
        memory.add("note", {"title": f"n{number}", "created": f"2026-01-0{number + 1}T00:00:00Z"})
    assert [row.title for row in memory.list()] == ["n2", "n1", "n0"]
    assert [row.title for row in memory.list(sort="oldest", limit=2)] == ["n0", "n1"]
    assert [row.title for row in memory.list(sort="oldest")] == ["n0", "n1", "n2"]
    assert [row.title for row in memory.list("since:2026-01-02", limit=9)] == ["n2", "n1"]
    with pytest.raises(UsageError, match="is not a filter"):
        memory.list("words")


def test_list_refuses_excluded_words_as_it_refuses_words(memory: Memory) -> None:
    memory.add("note", {"title": "secret"})
    with pytest.raises(UsageError):
        memory.list("-secret")


def test_list_refuses_a_sort_that_it_does_not_know(memory: Memory) -> None:
    with pytest.raises(GitmemError):
        memory.list(sort="beauty")


def test_show_gives_the_record_its_bytes_and_its_surroundings(memory: Memory) -> None:
    error = memory.add("error", {"title": "e", "links": {"relates": ["note-0000000001"]}})
    fix = memory.resolve(error.id, {"approach": "a"})
    shown = memory.show(error.id)
    assert shown.text == Path(memory.workspace.site.folder, shown.row.path).read_bytes()
    assert shown.links == [("relates", None, "note-0000000001")]
    assert [(relation, row.id) for relation, row in shown.backlinks] == [("fixes", fix.id)]


def test_check_and_status_count_what_is_wrong(memory: Memory, repo: "Checkout") -> None:
    memory.add("note", {"title": "t"})
    repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    repo.add(".memory/notes/2026/01/.x.yaml123.tmp", "half")
    repo.add(".memory/poems/x.yaml", "")
    assert {(p.code, p.severity) for p in memory.checks.files()} == {
        ("yaml-syntax", "error"), ("leftover", "info"), ("stranger", "warning"),
    }  # fmt: skip
    status = memory.checks.status()
    assert status.problems == {"error": 1, "info": 1, "warning": 1}
    assert status.counts == [("note", "", 1)]
    assert memory.checks.verify() == []
    memory.checks.rebuild()
    assert memory.checks.status().counts == status.counts


# --- in and out, settings, sessions -------------------------------------------------------------


def test_export_wipe_import_export_gives_the_same_bytes(
    memory: Memory, repo: "Checkout", tmp_path: Path
) -> None:
    (tmp_path / "p.png").write_bytes(b"\x00\xff")
    memory.add("error", {"title": "ü"}, attach=[str(tmp_path / "p.png")])
    repo.add(
        ".memory/notes/2026/01/later-note-0000000001.yaml",
        "schema: 7\nid: note-0000000001\nkind: note\ntitle: later\nhologram: {a: [1]}\n"
        "created: 2026-01-01T00:00:00Z\nauthor: {name: Ann, mood: good}\n",
    )
    exported = memory.transfer.export()
    assert (exported.records, exported.left_out) == (2, [])
    for path in (repo / ".memory").rglob("*-*.*"):
        path.unlink()
    for path in (repo / ".memory" / "attachments").iterdir():
        path.unlink()
    plan = memory.transfer.import_(exported.data, dry_run=True)
    assert (plan.records, plan.present, memory.list()) == (2, 0, [])
    memory.transfer.import_(exported.data)
    assert memory.transfer.export().data == exported.data
    assert memory.transfer.import_(exported.data).present == 2


@pytest.mark.parametrize("data", [b"", b"{}", b"[1", b"PK\x03\x04", b"\xff", b'{"archive": 1}'])
def test_import_refuses_what_is_no_archive(memory: Memory, data: bytes) -> None:
    with pytest.raises(InvalidError):
        memory.transfer.import_(data)


def test_import_refuses_an_id_with_other_content(memory: Memory) -> None:
    memory.add("note", {"title": "mine"})
    other = json.loads(memory.transfer.export().data)
    other["records"][0]["record"]["title"] = "theirs"
    with pytest.raises(ConflictError, match="other content"):
        memory.transfer.import_(json.dumps(other).encode())


def test_settings_are_read_set_and_taken_away(memory: Memory, repo: "Checkout") -> None:
    assert memory.workspace.settings.get("search.limit") == (10, "default")
    memory.workspace.settings.set("search.limit", "3", "team")
    with Memory.open(str(repo)) as other:
        assert other.workspace.settings.get("search.limit") == (3, "team")
        other.workspace.settings.set("search.limit", None, "team")
    with Memory.open(str(repo), settings={"search.limit": 4}) as other:
        assert other.workspace.settings.get("search.limit") == (4, "flag")
    for key, value, scope in (("no.key", "1", "team"), ("search.limit", "x", "team")):
        with pytest.raises(UsageError):
            memory.workspace.settings.set(key, value, scope)


def test_a_session_ends_in_a_record_that_names_what_was_made(memory: Memory) -> None:
    begun = memory.sessions.start("mend the clock")
    note = memory.add("note", {"title": "learnt"})
    assert note.session == begun.id
    ended = memory.end_session(success=True, summary="")
    assert ended.id == begun.id
    assert memory.find(ended.id).status == "succeeded"
    assert "learnt" in ended.summary
    assert memory.checks.files() == []
    with pytest.raises(NotFoundError):
        memory.end_session()


def test_the_author_is_gits_unless_settings_say_otherwise(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        assert (memory.records.writer.author.name, memory.records.writer.author.email) == (
            "Ada Lovelace",
            "ada@example.com",
        )
    with Memory.open(str(repo), settings={"actor": "agent:claude-code"}) as memory:
        assert (memory.records.writer.author.via, memory.records.writer.author.tool) == (
            "agent",
            "claude-code",
        )
    assert memory.workspace.clock().utcoffset() is not None


def test_a_snapshot_answers_only_inside_its_question(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        kept = memory.workspace.ask(lambda now: now)
        with pytest.raises(RuntimeError, match="only inside"):
            _ = kept.catalog
        assert memory.list() == []
