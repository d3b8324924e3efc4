"""Vectors beside the index: in step with the files, made anew when damaged, never in the way."""

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.catalog.catalog import Catalog
from gitmem.catalog.vector_rows import AT_ONCE
from gitmem.errors import UsageError
from gitmem.memory import Memory
from gitmem.semantic import words
from gitmem.semantic.vectors import Vectors
from gitmem.sync import difference, ingest, workers
from gitmem.sync.record_vectors import FILE, RecordVectors
from gitmem.system import lock
from tests.answers import derived_folder
from tests.depth import amount, deep, sampled
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = pytest.mark.skipif(not words.installed(), reason="the extra is not installed")

QUESTION = "why was the connection refused when parsing"


def write(root: Path, rng: Random) -> Path:
    """Write a random record."""
    data = record(rng, [])
    path = root / ".memory" / path_of(data)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text_of(data))
    return path


@pytest.fixture
def world(repo: "Checkout", built: "Built") -> "Checkout":
    """Give a memory of eighty records whose vectors are made."""
    built(repo, eighty)
    ask(repo)
    return repo


def eighty(repo: "Checkout") -> None:
    Memory.init(str(repo))
    rng = Random(3)
    for _ in range(80):
        write(repo, rng)
    ask(repo)


def ask(root: Path, **given: Any) -> tuple[list[str], list[str]]:
    """Ask; give the ids that were found, and the notices."""
    with Memory.open(str(root), **given) as memory:
        found = memory.search(QUESTION, limit=40)
        return [hit.row.id for hit in found.hits], memory.workspace.derived.notices


def meant(root: Path, **given: Any) -> set[str]:
    """Ask; give the ids of the hits that meaning added to."""
    with Memory.open(str(root), **given) as memory:
        hits = memory.search(QUESTION, limit=40).hits
        return {hit.row.id for hit in hits if "meaning" in dict(hit.parts)}


def vectors_of(root: Path, name: str = words.WordTable.name) -> dict[str, bytes]:
    """Give the stored row of every record, by path; all must be noted and intact."""
    folder = derived_folder(root)
    with Memory.open(str(root)) as memory:
        catalog = memory.workspace.derived.catalog()
        assert catalog.vectors_in_step(name, AT_ONCE)
        paths = catalog.record_paths()
        digests = catalog.with_vectors(paths, AT_ONCE)
        assert digests.keys() == paths.keys()
        stored = Vectors(str(folder / FILE), name)
        rows = {path: stored.row(file) for file, path in paths.items()}
        assert all(stored.intact(file, digest) for file, digest in digests.items())
        stored.close()
    return rows


def rebuilt(root: Path) -> bytes:
    """Delete everything derived, build it again, and give the vectors' digest."""
    for path in sorted(derived_folder(root).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    ask(root)
    return hashlib.sha256((derived_folder(root) / FILE).read_bytes()).digest()


def generation(root: Path) -> str:
    """Name the state of the text index."""
    with Memory.open(str(root)) as memory:
        return memory.workspace.derived.catalog().meta("index_generation")


def test_meaning_adds_to_hits_and_says_so(world: "Checkout") -> None:
    assert meant(world)
    assert meant(world, settings={"semantic.embedder": "off"}) == set()
    with Memory.open(str(world)) as memory:
        for hit in memory.search(QUESTION).hits:
            assert hit.score == pytest.approx(sum(part for _, part in hit.parts))


def test_few_words_are_looked_up_and_not_asked(world: "Checkout") -> None:
    with Memory.open(str(world)) as memory:
        hits = memory.search("connection refused null").hits
        assert hits
        assert not any("meaning" in dict(hit.parts) for hit in hits)


STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "edit", "remove", "break", "ask", "list", "off"]),
              st.integers(0, 2**16)),
    min_size=1, max_size=14,
)  # fmt: skip


@deep
@settings(max_examples=amount(share=6, ci=20, whole=200), deadline=None)
@given(steps=STEPS)
def test_whatever_happens_to_files_the_vectors_are_those_of_a_rebuild(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    root = tmp_path_factory.mktemp("life")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    Memory.init(str(root))
    files: list[Path] = []
    for number, (step, seed) in enumerate(steps):
        if step == "write" or not files:
            files.append(write(root, Random(seed)))
        path = files[seed % len(files)]
        if step == "edit" and path.exists():
            path.write_bytes(path.read_bytes() + f"extra_{number}: seen\n".encode())
        elif step == "break":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"title: [")
        elif step == "remove":
            path.unlink(missing_ok=True)
        elif step == "ask":
            ask(root)
        elif step == "off":
            ask(root, settings={"semantic.embedder": "off"})
        elif step == "list":
            with Memory.open(str(root)) as memory:
                memory.list()
    ask(root)
    kept = vectors_of(root)
    if kept:
        assert rebuilt(root) == rebuilt(root)
    else:
        rebuilt_nothing = derived_folder(root) / FILE
        rebuilt_nothing.unlink(missing_ok=True)
    assert vectors_of(root) == kept


def test_other_processes_make_the_same_vectors(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    Memory.init(str(repo))
    rng = Random(5)
    for _ in range(300):
        write(repo, rng)
    monkeypatch.setattr(workers, "BATCH", 20)
    alone = rebuilt(repo)
    asked: list[workers.ReadingJob] = []
    start = workers.start

    def noted(job: workers.ReadingJob) -> workers.Workers | None:
        asked.append(job)
        return start(job)

    monkeypatch.setattr(workers, "start", noted)
    monkeypatch.setattr(ingest, "MANY", 100)
    assert rebuilt(repo) == alone
    assert asked
    assert asked[0].vocabulary
    assert len(vectors_of(repo)) == 300


def test_vectors_of_another_embedder_are_made_anew_and_nothing_else(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    before = generation(world)
    monkeypatch.setattr(words.WordTable, "name", "words-of-tomorrow")
    assert meant(world)
    assert len(vectors_of(world, "words-of-tomorrow")) == 80
    assert generation(world) == before


def flipped(whole: bytes, step: int) -> bytes:
    """Flip a bit of every row."""
    damaged = bytearray(whole)
    for at in range(len(whole) - step, 0, -step):
        damaged[at + 20] ^= 1
    return bytes(damaged)


@sampled(3)
@pytest.mark.parametrize("damage", ["gone", "row", "cut", "empty", "head", "zeros"])
def test_damaged_vectors_are_made_anew_and_nothing_else(world: "Checkout", damage: str) -> None:
    path = derived_folder(world) / FILE
    whole, before, expected = path.read_bytes(), generation(world), ask(world)
    rows = vectors_of(world)
    path.unlink()
    middle, step = len(whole) // 2, len(next(iter(rows.values())))
    damaged = {
        "empty": b"",
        "head": b"\0" * 300,
        "cut": whole[: middle + 7],
        "row": flipped(whole, step),
        "zeros": whole[:middle] + bytes(len(whole) - middle),
    }
    if damage in damaged:
        path.write_bytes(damaged[damage])
    assert ask(world) == expected
    assert path.read_bytes() == whole
    assert generation(world) == before


@sampled(2)
@pytest.mark.parametrize("damage", ["gone", "cut", "empty", "head"])
def test_a_lost_file_of_vectors_is_made_anew_by_whoever_looks_next(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    # Otherwise a young file may be read again, and to catch up mends, too.
    monkeypatch.setattr(difference, "RACY_NS", -(10**12))
    path = derived_folder(world) / FILE
    whole = path.read_bytes()
    path.unlink()
    damaged = {"empty": b"", "head": b"\0" * 300, "cut": whole[: len(whole) // 2]}
    if damage in damaged:
        path.write_bytes(damaged[damage])
    with Memory.open(str(world)) as memory:
        assert memory.checks.verify() == []
    assert path.read_bytes() == whole


@sampled(1)
@pytest.mark.parametrize("damage", ["row", "another"])
def test_wrong_vectors_are_found_by_verify_and_mended_by_a_rebuild(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(difference, "RACY_NS", -(10**12))
    path = derived_folder(world) / FILE
    whole = path.read_bytes()
    rows = vectors_of(world)
    one, other = list(rows.values())[:2]
    assert one != other
    with Memory.open(str(world)) as memory:
        assert memory.checks.verify() == []
    damaged = {
        "row": whole.replace(one, one[:-1] + bytes([one[-1] ^ 1])),
        "another": whole.replace(one, other),  # a whole vector, of another text
    }
    path.write_bytes(damaged[damage])
    with Memory.open(str(world)) as memory:
        (found,) = memory.checks.verify()
        assert found.startswith("vectors: ")
        assert ".yaml" in found
    rebuilt(world)
    with Memory.open(str(world)) as memory:
        assert memory.checks.verify() == []


def renumbered(world: "Checkout") -> None:
    """Take records away, so that a rebuild gives the others numbers that others had."""
    for path in sorted((world / ".memory").rglob("*-*.yaml"))[::3]:
        path.unlink()


def rebuild_once(root: Path, new: int = 0) -> Callable[[], None]:
    """Give what rebuilds derived state as another process does, the first time it is called.

    Args:
        root: the repository.
        new: so many records are written before.

    """
    left = [True]

    def rebuild() -> None:
        if left and left.pop():
            for seed in range(new):
                write(root, Random(seed))
            with Memory.open(str(root)) as memory:
                memory.checks.rebuild()

    return rebuild


def answered(memory: Memory) -> list[tuple[str, float]]:
    return [(hit.row.id, hit.score) for hit in memory.search(QUESTION, limit=40).hits]


def test_a_rebuild_in_the_middle_of_a_question_gives_no_vectors_of_other_records(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    renumbered(world)
    # With new ones every number of before is one of another record afterwards.
    rebuild, with_vectors = rebuild_once(world, new=60), Catalog.with_vectors

    def rebuilt_before(catalog: Catalog, files: Iterable[int], of: str) -> dict[int, bytes]:
        rebuild()
        return with_vectors(catalog, files, of)

    with Memory.open(str(world)) as memory:
        before = answered(memory)
        with monkeypatch.context() as patched:
            patched.setattr(Catalog, "with_vectors", rebuilt_before)
            answer = answered(memory)
    with Memory.open(str(world)) as memory:
        assert answer in (before, answered(memory))
        assert memory.checks.verify() == []


def test_vectors_made_beside_a_rebuild_never_land_in_the_rows_of_other_records(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    renumbered(world)
    rng = Random(4)
    for _ in range(10):
        write(world, rng)
    ask(world, settings={"semantic.embedder": "off"})  # the new ones have no vectors yet
    rebuild, in_step = rebuild_once(world), RecordVectors.in_step

    def rebuilt_after(vectors: RecordVectors, catalog: Catalog) -> bool:
        answer = in_step(vectors, catalog)
        if vectors.of == AT_ONCE and not answer:
            rebuild()
        return answer

    with monkeypatch.context() as patched:
        patched.setattr(RecordVectors, "in_step", rebuilt_after)
        ask(world)
    with Memory.open(str(world)) as memory:
        assert memory.checks.verify() == []


def test_verify_sees_the_vector_of_another_record_that_no_embedder_is_asked_about(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(difference, "RACY_NS", -(10**12))
    path = derived_folder(world) / FILE
    whole = path.read_bytes()
    first, second = list(vectors_of(world).values())[:2]
    path.write_bytes(whole.replace(first, second))
    monkeypatch.setattr(RecordVectors, "remote", True)
    with Memory.open(str(world)) as memory:
        (difference_found,) = memory.checks.verify()
    assert difference_found.startswith("vectors: ")


def test_vectors_of_an_older_form_are_made_anew(world: "Checkout") -> None:
    path = derived_folder(world) / FILE
    whole, expected = path.read_bytes(), ask(world)
    path.write_bytes(whole.replace(b"gmvectors4", b"gmvectors3"))
    assert ask(world) == expected
    assert path.read_bytes() == whole


def test_who_holds_the_lock_is_not_waited_for(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    # Files as young as their reading would be read again, for which the lock is needed.
    monkeypatch.setattr(difference, "RACY_NS", -(10**12))
    expected = ask(world, settings={"semantic.embedder": "off"})[0]
    path = derived_folder(world) / FILE
    whole = path.read_bytes()
    path.write_bytes(flipped(whole, len(next(iter(vectors_of(world).values())))))
    with lock(str(derived_folder(world) / "lock"), 0):
        found, notices = ask(world, settings={"index.wait_seconds": 0})
    assert sorted(found) == sorted(expected)
    assert notices == []


def test_a_folder_in_place_of_the_words_pieces_is_replaced(world: "Checkout") -> None:
    expected = meant(world)
    place = derived_folder(world) / "pieces"
    place.unlink()
    (place / "inside").mkdir(parents=True)
    assert ask(world)[1] == []
    assert meant(world) == expected
    assert place.is_file()
    assert not list(place.parent.glob("*.tmp"))


def test_without_the_extra_everything_works_silently(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "PACKAGE", "no_such_package")
    Memory.init(str(repo))
    for seed in range(9):
        write(repo, Random(seed))
    found, notices = ask(repo)
    assert found
    assert notices == []
    assert not (derived_folder(repo) / FILE).exists()
    notices = ask(repo, settings={"semantic.embedder": "words"})[1]
    assert len(notices) == 1
    assert "not installed" in notices[0]


def test_a_question_needs_no_network_and_loads_nothing_heavy(world: "Checkout") -> None:
    program = """
import sys
def deny(event, args):
    if event.startswith(("socket.", "urllib.", "http.client")):
        raise SystemExit(f"network: {event}")
sys.addaudithook(deny)
from gitmem.memory import Memory
with Memory.open(sys.argv[1]) as memory:
    hits = memory.search(sys.argv[2]).hits
    assert any("meaning" in dict(hit.parts) for hit in hits)
heavy = {"wordllama", "numpy", "tokenizers", "requests"}
print(*sorted({name.partition(".")[0] for name in sys.modules} & heavy))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(world), QUESTION],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


class Server(BaseHTTPRequestHandler):
    """Embeds a text as the counts of a few letters."""

    asked: list[str]
    working = True

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked += body["input"]
        self.send_response(200 if self.working else 500)
        self.end_headers()
        data = [
            {"index": at, "embedding": [text.count(letter) + 0.1 for letter in "etaoinsh"]}
            for at, text in enumerate(body["input"])
        ]
        self.wfile.write(json.dumps({"data": data}).encode())

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[tuple[type[Server], dict[str, str]]]:
    kind = type("Handler", (Server,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield (
                kind,
                {
                    "semantic.embedder": "endpoint",
                    "semantic.endpoint": f"http://127.0.0.1:{made.server_port}/v1",
                    "semantic.model": "letters",
                },
            )
        finally:
            made.shutdown()
            thread.join()


def test_an_endpoint_embeds_each_record_once(
    world: "Checkout", server: tuple[type[Server], dict[str, str]]
) -> None:
    handler, chosen = server
    assert meant(world, settings=chosen)
    assert len(handler.asked) == 80 + 1
    assert meant(world, settings=chosen)
    assert len(handler.asked) == 80 + 2
    write(world, Random(99))
    ask(world, settings=chosen)
    assert len(handler.asked) == 81 + 3


def test_an_endpoint_that_fails_is_told_of_once_and_done_without(
    world: "Checkout", server: tuple[type[Server], dict[str, str]]
) -> None:
    handler, chosen = server
    expected = ask(world, settings={"semantic.embedder": "off"})[0]
    handler.working = False
    found, notices = ask(world, settings=chosen)
    assert found == expected
    assert len(notices) == 1
    assert "500" in notices[0]
    handler.working = True
    assert meant(world, settings=chosen)
    handler.working = False
    found, notices = ask(world, settings=chosen)
    assert (found, len(notices)) == (expected, 1)


def test_no_secret_of_a_question_is_sent(
    world: "Checkout", server: tuple[type[Server], dict[str, str]]
) -> None:
    handler, chosen = server
    secret = "ghp_" + "a1B2" * 9
    with Memory.open(str(world), settings=chosen) as memory:
        memory.search(f"why was the connection refused with {secret}")
    sent = "\n".join(handler.asked)
    assert "why was the connection refused with" in sent
    assert secret not in sent


@sampled(1)
@pytest.mark.parametrize(
    ("key", "value"),
    [("semantic.embedder", "endpoint"), ("semantic.endpoint", "http://x/v1"),
     ("semantic.model", "m")],
)  # fmt: skip
def test_a_clone_does_not_choose_where_text_is_sent(
    world: "Checkout", key: str, value: str
) -> None:
    with Memory.open(str(world)) as memory, pytest.raises(UsageError, match="team setting"):
        memory.workspace.settings.set(key, value, "team")
    (world / ".memory" / "gitmem.yaml").write_text(f"format: 1\nsettings:\n  {key}: {value}\n")
    with Memory.open(str(world)) as memory:
        assert any(key in text for text in memory.workspace.site.settings.complaints)
        assert getattr(memory.workspace.site.config, key.replace(".", "_")) != value


def test_the_catalog_forgets_vectors_with_their_files(world: "Checkout") -> None:
    path = next((world / ".memory").rglob("*-*.yaml"))
    path.unlink()
    ask(world)
    catalog = Catalog(str(derived_folder(world) / "catalog.sqlite"), rules(world))
    assert len(catalog.all_with_vectors(AT_ONCE)) == 79
    catalog.close()


def rules(root: Path) -> int:
    """Give the version of the rules that the catalog was made by."""
    with Memory.open(str(root)) as memory:
        version: int = memory.workspace.derived.catalog()._ask("PRAGMA user_version")[0][0]
        return version % 1000
