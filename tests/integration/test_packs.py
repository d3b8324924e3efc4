"""Packs of knowledge: what comes with gitmem is right, and stays below the memory's own."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory, errors
from gitmem.index import scoring
from gitmem.index.protocol import Hit
from gitmem.index.whoosh_index import WhooshIndex
from gitmem.matching.parse import parse
from gitmem.mcp.hints import hint
from gitmem.memory.reading.packs import BUILT_IN
from gitmem.query import Query
from gitmem.records.convert import decode, encode
from gitmem.records.kinds import Error, Fix, Note, Pattern
from gitmem.records.layout import id_in
from gitmem.render.lists import hits
from gitmem.render.match_markdown import match_text
from gitmem.render.run_report import recognised
from gitmem.render.text import Painter
from gitmem.store.tar import files_of
from tests.depth import sampled
from tests.e2e.test_startup import NOT_FOR_READING, imported

if TYPE_CHECKING:
    from gitmem.records.kinds import Record
    from tests.conftest import Checkout

ARCHIVES = Path(__file__).resolve().parents[2] / "gitmem" / "packs"
WRITTEN = ("foundations", "python", "node", "git")
FEW = pytest.mark.parametrize("pack", WRITTEN)
OLD_HASH = """\
Error: error:0308010C:digital envelope routines::unsupported
    at new Hash (node:internal/crypto/hash:67:19)
    at Object.createHash (node:crypto:130:10)
    at module.exports (/app/node_modules/webpack/lib/util/createHash.js:135:53)"""
MISSING = "ModuleNotFoundError: No module named 'flask'"
# What these tools print carries no mark of a failure: it is found by searching, not in a log.
UNMARKED = {
    "Fixture", "ScopeMismatch:", "There", "git:", "import", "imported", "in", "merge:", "node:",
}  # fmt: skip


def records(pack: str) -> "list[tuple[Path, bytes, Record]]":
    found = []
    for name, data in files_of(str(ARCHIVES / f"{pack}.tar.gz")).items():
        path = Path(name)
        record, problems = decode(data, path.name)
        assert record, path
        assert not problems, path
        found.append((path, data, record))
    return found


def laid_out(pack: str, folder: Path) -> None:
    """Write the records of a pack as files, as a team has them."""
    for name, data in files_of(str(ARCHIVES / f"{pack}.tar.gz")).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def memory(repo: "Checkout", cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))  # packs are made ready once for all tests
    monkeypatch.delenv("GITMEM_PACKS_OFF")
    Memory.init(str(repo))
    with Memory.open(str(repo)) as opened:
        yield opened


@pytest.mark.parametrize("pack", [pack for pack in BUILT_IN if pack != "foundations"])
def test_a_pack_is_rich(pack: str) -> None:
    found = [record for _, _, record in records(pack)]
    assert sum(isinstance(record, Error) for record in found) >= 40
    fixes = [record for record in found if isinstance(record, Fix)]
    assert len(fixes) >= 40
    assert {fix.outcome for fix in fixes} == {"unverified"}, "advice, which nobody here has tried"


@pytest.mark.parametrize("pack", BUILT_IN)
def test_every_record_of_a_pack_is_whole(pack: str) -> None:
    found = records(pack)
    ids = [record.id for _, _, record in found]
    assert len(ids) == len(set(ids))
    fixed: set[str] = set()
    for path, data, record in found:
        assert encode(record) == data, path
        assert id_in(path.name) == record.id
        assert record.tags, path
        if isinstance(record, Error):
            assert record.cause, path
            assert record.excerpt, path
            assert record.category, path
        if isinstance(record, Fix):
            assert record.steps, path
            fixed.update(record.links.fixes)
    assert fixed == {record.id for _, _, record in found if isinstance(record, Error)}


def test_no_id_is_in_two_packs() -> None:
    ids = [record.id for pack in BUILT_IN for _, _, record in records(pack)]
    assert len(ids) == len(set(ids))


@sampled(2)
@FEW
def test_what_a_tool_prints_leads_to_its_entry(pack: str, memory: Memory) -> None:
    lost = []
    for path, _, record in records(pack):
        if not isinstance(record, Error):
            continue
        found = [hit.row.id for one in memory.hint(record.excerpt) for hit in one.similar]
        if not found and record.excerpt.split()[0] in UNMARKED:
            found = [hit.row.id for hit in memory.search(record.title).hits]
        if record.id not in found:
            lost.append((path.name, found))
    assert lost == []


@pytest.mark.parametrize("pack", ["foundations", "python"])
def test_a_whole_traceback_leads_to_the_entry(pack: str, memory: Memory) -> None:
    trace = 'Traceback (most recent call last):\n  File "/app/main.py", line 3, in main\n    go()\n'
    lost = []
    for path, _, record in records(pack):
        if isinstance(record, Error) and record.error_type and "pytest" not in record.tags:
            hints = memory.hint(trace + record.excerpt)
            if record.id not in [hit.row.id for one in hints for hit in one.similar]:
                lost.append(path.name)
    assert lost == []


def test_code_in_a_pattern_runs() -> None:
    for path, _, record in records("foundations"):
        if isinstance(record, Pattern):
            exec(compile(record.code, path.name, "exec"), {"__name__": "pattern"})  # noqa: S102


# The seeds


def test_s2_26_the_design_patterns_are_there(memory: Memory) -> None:
    titles = [
        row.title for row in memory.transfer.seed("foundations").rows if row.kind == "pattern"
    ]
    assert [title.partition(":")[0] for title in titles] == [
        "Singleton", "Factory", "Async Context Manager", "Repository",
    ]  # fmt: skip


def test_s2_27_the_practices_are_there() -> None:
    found = {r.title.partition(":")[0] for _, _, r in records("foundations") if isinstance(r, Note)}
    assert found == {"Error handling", "async and await", "Type hints"}


def test_s2_28_the_common_errors_are_there(memory: Memory) -> None:
    for text in (
        "ModuleNotFoundError: No module named 'numpy'",
        "TypeError: 'NoneType' object is not subscriptable",
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nTimeoutError\n',
        "ConnectionRefusedError: [Errno 111] Connection refused",
    ):
        ((hit,),) = [one.similar for one in memory.hint(text)]
        assert hit.layer == "pack foundations", text
        assert hit.attempts, text


def test_s2_29_seeding_tells_how_much_there_is(memory: Memory) -> None:
    assert memory.transfer.seed("foundations", write=True).counts == {
        "patterns": 4, "best_practices": 3, "common_errors": 4,
    }  # fmt: skip


def test_s2_30_custom_knowledge_is_a_note(memory: Memory) -> None:
    made = memory.add("note", {"title": "Deploys", "body": "Through the queue.", "tags": ["ops"]})
    assert memory.search("deploys queue").hits[0].row.id == made.id


def test_s2_31_seeding_twice_writes_once(memory: Memory) -> None:
    first = memory.transfer.seed("foundations", write=True)
    again = memory.transfer.seed("foundations", write=True)
    assert len(first.written) == len(first.rows) == len(again.present)
    assert not again.written
    assert again.counts == first.counts
    assert memory.checks.files() == []


# Below the own


def test_nothing_of_a_pack_is_in_the_memory(memory: Memory) -> None:
    before = sorted(Path(memory.workspace.site.folder).rglob("*"))
    assert memory.hint(MISSING)[0].similar
    assert memory.search("circular import").hits
    assert memory.list() == []
    assert memory.statistics.count() == 0
    assert memory.checks.status().counts == []
    assert memory.transfer.export().records == 0
    assert memory.checks.files() == []
    assert memory.statistics.query("SELECT count(*) FROM all_records").rows == [(0,)]
    assert sorted(Path(memory.workspace.site.folder).rglob("*")) == before


def test_a_pack_is_silent_where_the_memory_knows(memory: Memory) -> None:
    made = memory.add(
        "error", {"error_type": "ModuleNotFoundError", "message": "No module named 'flask'"}
    )
    (one,) = memory.hint(MISSING)
    assert [row.id for row in one.errors] == [made.id]
    assert one.similar == ()
    assert [hit.row.id for hit in memory.search(MISSING).hits] == [made.id]


def test_own_hits_come_first(memory: Memory) -> None:
    own = memory.add("note", {"title": "Circular tables in the hall", "body": "Ask Ann."})
    hits = memory.search("circular import of modules").hits
    assert hits[0].row.id == own.id
    assert hits[0].layer == ""
    assert hits[1].layer == "pack python"
    assert all(hit.layer.startswith("pack ") for hit in hits[1:])


def test_words_that_are_in_every_sentence_find_nothing_in_a_pack(memory: Memory) -> None:
    assert memory.search("is it that which you would do with them").hits == []
    titles = [hit.row.title for hit in memory.search("rename a branch").hits]
    assert not [title for title in titles if "connect()" in title], "it only shares a and rename"


def test_a_full_page_opens_no_pack(memory: Memory) -> None:
    memory.add("note", {"title": "Circular import, we know", "body": "."})
    assert len(memory.search("circular import", 1).hits) == 1
    assert "layers" not in memory.__dict__


def test_a_warm_pack_costs_no_heavy_import(repo: "Checkout", memory: Memory) -> None:
    for command in (("search", "circular import"), ("search", "kind:error")):
        imported(repo, *command)
        assert sorted(imported(repo, *command) & NOT_FOR_READING) == []


def test_another_message_of_the_type_is_no_match(memory: Memory) -> None:
    (one,) = memory.hint("TypeError: the flux capacitor wants 1.21 gigawatts")
    assert one.similar == ()


@pytest.mark.parametrize("before", ["", "It was fine until we moved to another machine. " * 9])
def test_a_text_that_is_one_failure_is_searched_for_once(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    memory.add("note", {"title": "Pages are built at night", "body": "By cron."})
    searched: list[str] = []
    search = WhooshIndex.search

    def noted(index: WhooshIndex, query: Query, limit: int, **named: Any) -> list[Hit]:
        searched.append(query.words)
        return search(index, query, limit, **named)

    monkeypatch.setattr(WhooshIndex, "search", noted)
    scoring.parse_question.cache_clear()
    text = f"{before}\n{OLD_HASH}".strip()
    parts = hint(memory, text).parts
    assert [part.data["label"] for part in parts] == ["", "similar, general advice, pack node"]
    taken_apart = scoring.parse_question.cache_info()
    assert taken_apart.misses * 2 == len(searched), "once for both"
    # Among the own records, then in the packs; what else it says, likewise.
    assert searched == [OLD_HASH, OLD_HASH, *([text, text] if before else [])]


def test_filters_alone_ask_no_pack(memory: Memory) -> None:
    assert memory.search("kind:error").hits == []


def test_editors_are_told_by_fingerprints(repo: "Checkout", memory: Memory) -> None:
    memory.checks.catch_up()
    hasty = Memory.open(str(repo))
    hasty.checks.without_sync()  # as a hover asks
    for asked in (memory, hasty):
        (one,) = asked.failures.known(parse(MISSING))
        assert not one.label
        assert not one.is_known
        assert [hit.layer for hit in one.similar] == ["pack foundations"]
        text = match_text(asked.failures.attempt_reader().tell(one))
        assert text.startswith("**gitmem: general advice, pack foundations** · ")
        assert "unverified: Install the package" in text
    hasty.close()


def test_a_hover_does_not_wait_for_packs(
    repo: "Checkout", memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.workspace.derived.catalog()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Memory.open(str(repo)) as again:
        again.checks.without_sync()
        (one,) = again.failures.known(parse(MISSING))
        assert one.similar == ()
    assert list(tmp_path.iterdir()) == [repo]


def test_a_packs_record_is_shown(memory: Memory) -> None:
    (hit,) = memory.hint(MISSING)[0].similar
    shown = memory.show(hit.row.id)
    assert shown.layer == "pack foundations"
    assert shown.backlinks
    with pytest.raises(errors.NotFoundError, match="is of pack foundations"):
        memory.resolve(hit.row.id, {"title": "it is not ours"})


def test_some_records_are_written(memory: Memory) -> None:
    (hit,) = memory.hint(MISSING)[0].similar
    made = memory.transfer.seed("foundations", write=True, only=[hit.row.id])
    assert set(made.written) == {hit.row.id, hit.attempts[0].id}
    (one,) = memory.hint("ModuleNotFoundError: No module named 'requests'")
    assert one.label == "same error"


def test_an_edited_record_is_left_as_it_is(memory: Memory) -> None:
    made = memory.transfer.seed("foundations", write=True)
    row = memory.find(made.written[0])
    path = Path(memory.workspace.site.folder) / row.path
    path.write_bytes(path.read_bytes().replace(b"import", b"our-import"))
    edited = path.read_bytes()
    assert memory.transfer.seed("foundations", write=True).different == (row.id,)
    assert path.read_bytes() == edited


# Switches


def test_a_pack_is_switched_off_and_on(repo: "Checkout", memory: Memory) -> None:
    memory.transfer.switch_pack("foundations", on=False, scope="team")
    with Memory.open(str(repo)) as again:
        assert again.hint(MISSING)[0].similar[0].layer == "pack python"
        again.transfer.switch_pack("all", on=False, scope="team")
    with Memory.open(str(repo)) as again:
        assert again.hint(MISSING)[0].similar == ()
        assert not any(pack.on for pack in again.transfer.packs())
        again.transfer.switch_pack("git", on=True, scope="team")
    with Memory.open(str(repo)) as again:
        assert [pack.name for pack in again.transfer.packs() if pack.on] == ["git"]
        with pytest.raises(errors.ConflictError, match="set by the team"):
            again.transfer.switch_pack("node", on=True, scope="user")
        again.transfer.switch_pack("all", on=True, scope="team")
    with Memory.open(str(repo)) as again:
        assert all(pack.on for pack in again.transfer.packs())
        assert again.workspace.settings.get("packs.off") == ("", "default")


def test_the_last_setting_of_the_user_leaves_no_empty_file(
    repo: "Checkout", memory: Memory, sealed_git: Path
) -> None:
    memory.transfer.switch_pack("git", on=False)
    path = sealed_git / ".config" / "gitmem" / "config.yaml"
    assert path.read_text() == "packs.off: git\n"
    with Memory.open(str(repo)) as again:
        again.transfer.switch_pack("git", on=True)
    assert not path.exists()
    with Memory.open(str(repo)) as again:
        assert all(pack.on for pack in again.transfer.packs())


def test_an_unknown_pack_is_named(memory: Memory) -> None:
    with pytest.raises(errors.NotFoundError, match="no pack cobol"):
        memory.transfer.seed("cobol")


# Packs of the team


@pytest.fixture
def other(make_repo: Callable[..., "Checkout"]) -> "Checkout":
    made = make_repo("other")
    Memory.init(str(made))
    with Memory.open(str(made)) as memory:
        memory.add("note", {"title": "Deploys go through the queue", "body": "Ask first."})
    made.commit("first note")
    return made


def test_a_pack_of_another_repository_is_pinned(
    repo: "Checkout", other: "Checkout", memory: Memory
) -> None:
    commit = other.git("rev-parse", "HEAD")
    assert memory.transfer.add_pack("platform", str(other)).records == 1
    with Memory.open(str(other)) as theirs:
        theirs.add("note", {"title": "Deploys need two reviews", "body": "Since May."})
    other.commit("second note")
    with Memory.open(str(repo)) as again:
        (source,) = again.workspace.site.config.packs_sources
        assert source.commit == commit
        assert [hit.layer for hit in again.search("deploys").hits] == ["pack platform"]
        assert again.transfer.pack_problems("platform") == []


def test_a_clone_fetches_only_when_it_is_told(
    repo: "Checkout", other: "Checkout", memory: Memory
) -> None:
    memory.transfer.add_pack("platform", str(other))
    shutil.rmtree(repo / ".git" / "gitmem" / "packs")
    with Memory.open(str(repo)) as again:
        assert again.search("deploys").hits == []
        with pytest.raises(errors.NotFoundError, match="not here"):
            again.transfer.seed("platform")
        assert [pack.records for pack in again.transfer.fetch_packs()] == [1]
    with Memory.open(str(repo)) as again:
        assert len(again.search("deploys").hits) == 1


def test_a_folder_of_the_repository_is_a_pack(repo: "Checkout", memory: Memory) -> None:
    laid_out("git", repo / "docs" / "house")
    assert memory.transfer.add_pack("house", str(repo / "docs" / "house")).records > 80
    with Memory.open(str(repo)) as again:
        assert again.transfer.packs()[-1].source == again.workspace.site.config.packs_sources[0]
        assert "house" in [pack.name for pack in again.transfer.packs() if pack.on]


def test_a_broken_file_takes_nothing_else_with_it(repo: "Checkout", memory: Memory) -> None:
    folder = repo / "house" / "notes" / "2026" / "01"
    folder.mkdir(parents=True)
    (folder / "deploy-note-0123456789.yaml").write_text(
        "schema: 1\nid: note-0123456789\nkind: note\ntitle: Deploys wait\n"
        "created: 2026-01-01T00:00:00Z\nauthor: {name: A}\nbody: b\n"
    )
    (folder / "bad-note-1123456789.yaml").write_text("title: [\n")
    memory.transfer.add_pack("house", str(repo / "house"))
    with Memory.open(str(repo)) as again:
        assert len(again.search("deploys wait").hits) == 1
        (problem,) = again.transfer.pack_problems("house")
        assert problem.path.startswith("house/notes/")
        assert again.checks.files() == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{name: x, path: /etc}", "inside the repository"),
        ("{name: x, path: ../y}", "inside the repository"),
        ("{name: x, url: 'https://example.org/x.git'}", "pinned"),
        ("{name: x, url: 'https://example.org/x.git', commit: main}", "in full"),
        (f"{{name: x, url: '--upload-pack=touch x', commit: {'0' * 40}}}", "dash"),
        ("{name: X/Y}", "name must be short"),
    ],
)
def test_a_bad_source_is_told_and_passed_over(repo: "Checkout", entry: str, said: str) -> None:
    Memory.init(str(repo))
    marker = f"format: 1\nsettings:\n  packs.sources:\n    - {entry}\n"
    repo.add(".memory/gitmem.yaml", marker)
    with Memory.open(str(repo)) as memory:
        assert memory.workspace.site.config.packs_sources == ()
        assert said in memory.checks.complaints()[0]
        assert memory.checks.complaints()[0].startswith(".memory/gitmem.yaml:4:")


def test_an_address_that_runs_something_is_refused(repo: "Checkout", memory: Memory) -> None:
    with pytest.raises(errors.EnvironmentProblem):
        memory.transfer.add_pack("evil", f"ext::sh -c 'touch {repo}/evil'")
    assert not (repo / "evil").exists()
    assert memory.workspace.site.config.packs_sources == ()


def test_a_link_out_of_the_repository_is_not_read(repo: "Checkout", tmp_path: Path) -> None:
    Memory.init(str(repo))
    outside = tmp_path / "outside"
    laid_out("git", outside)
    (repo / "house").symlink_to(outside)
    repo.add(
        ".memory/gitmem.yaml",
        "format: 1\nsettings:\n  packs.sources:\n    - {name: house, path: house}\n",
    )
    with Memory.open(str(repo)) as memory:
        assert memory.transfer.packs()[-1].place == ""


def test_the_teams_list_keeps_what_stands_in_it(repo: "Checkout", other: "Checkout") -> None:
    Memory.init(str(repo))
    before = (
        "format: 1\nsettings:\n  # ours\n  packs.sources:\n  # the first\n  - name: a\n"
        "    path: docs/a\n  search.limit: 7\n"
    )
    repo.add(".memory/gitmem.yaml", before)
    with Memory.open(str(repo)) as memory:
        memory.transfer.add_pack("b", str(other))
    text = (repo / ".memory" / "gitmem.yaml").read_text()
    assert text.startswith(before.removesuffix("  search.limit: 7\n"))
    assert text.endswith("  search.limit: 7\n")
    with Memory.open(str(repo)) as memory:
        assert [one.name for one in memory.workspace.site.config.packs_sources] == ["a", "b"]
        assert memory.checks.complaints() == []


def test_a_packs_fix_is_unverified_for_everybody_and_never_counted(memory: Memory) -> None:
    memory.checks.catch_up()
    (hit,) = memory.hint(MISSING)[0].similar
    assert (hit.source, [fix.verdict for fix in hit.attempts]) == (
        "general advice, pack foundations", ["unverified"],
    )  # fmt: skip
    hover = match_text(
        memory.failures.attempt_reader().tell(memory.failures.known(parse(MISSING))[0])
    )
    terminal = "\n".join(recognised(memory.hint(MISSING), Painter()))
    search = "\n".join(hits(memory.search("No module named requests").hits, Painter(), why=False))
    for text in (hover, terminal, search):
        assert "general advice, pack foundations" in text
        assert "unverified: Install the package" in text
    assert [fix.shown_status for _, fix in memory.show(hit.row.id).backlinks] == ["unverified"]
    memory.transfer.seed("foundations", write=True)
    total = memory.statistics.stats().total
    assert (total.errors, total.attempts, total.worked, total.open) == (0, 0, 0, 0)
    assert memory.statistics.recurring() == []
    assert memory.list("kind:error status:open") == []
