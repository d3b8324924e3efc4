"""The index on disk: its files, segments and generations, and what damage does to it."""

import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from gitmem.index import manifest
from gitmem.index.blocks import loads
from gitmem.index.document import Document, plain_text
from gitmem.index.protocol import Hit, IndexDamaged
from gitmem.index.scan_index import ScanIndex
from gitmem.index.scoring import impacts
from gitmem.index.whoosh_index import WhooshIndex, wipe
from gitmem.query import Query, parse

NOW = datetime(2026, 11, 21, tzinfo=UTC)
DOCUMENTS = {
    1: Document("Naive datetime compared", "TypeError src/auth/token.py", "can't compare naive"),
    2: Document("Token expires", "src/auth/token.py:42 expire_token", "the token of a session"),
    3: Document("Connection refused", "ConnectionError", "retry the connection, then connect"),
    4: Document("Use UTC everywhere", "", "aware datetimes only; naive ones are refused"),
    5: Document("エラー発生", "", "接続できません"),
}


@pytest.fixture
def directory(tmp_path: Any) -> str:
    return str(tmp_path / "index")


@pytest.fixture(autouse=True)
def _closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every index that a test opens."""
    opened: list[WhooshIndex] = []
    load = WhooshIndex._load

    def noted(index: WhooshIndex, number: int) -> None:
        opened.append(index)
        load(index, number)

    monkeypatch.setattr(WhooshIndex, "_load", noted)
    yield
    for index in opened:
        index.close()


def text_of(key: int) -> str:
    return plain_text(DOCUMENTS[key])


def ask(
    index: ScanIndex | WhooshIndex, query: Query | str, limit: int = 10, **options: Any
) -> list[Hit]:
    made = Query(query) if isinstance(query, str) else query
    return index.search(made, limit, **{"text_of": text_of, **options})


def keys(
    index: ScanIndex | WhooshIndex, query: Query | str, limit: int = 10, **options: Any
) -> list[int]:
    return [hit.key for hit in ask(index, query, limit, **options)]


def made_up(count: int, seed: int = 1) -> list[tuple[int, Document]]:
    picks = random.Random(seed)
    words = [f"w{chr(97 + n % 26)}{chr(97 + n // 26)}o" for n in range(400)]
    weights = [1 / (n + 2) for n in range(400)]

    def some(n: int) -> str:
        return " ".join(picks.choices(words, weights, k=n))

    return [(key + 1, Document(some(4), some(4), some(40))) for key in range(count)]


def test_long_posting_lists_answer_as_the_oracle_does(directory: str) -> None:
    documents = made_up(3000)
    disk, oracle = WhooshIndex(directory), ScanIndex()
    for index in (disk, oracle):
        index.update(documents, [])
        index.update(documents[:5], range(100, 200))
    for words in ("waao wbao", "wcbo", "wzdo waao wkco", "wbao wcao wdao weao wfao"):
        assert ask(disk, words, 50) == ask(oracle, words, 50)


def test_many_small_updates_make_few_segments(directory: str) -> None:
    disk = WhooshIndex(directory)
    for key, made in made_up(40):
        disk.update([(key, made)], [])
    assert len([name for name in os.listdir(directory) if name.endswith(".trm")]) <= 12
    assert disk.keys() == set(range(1, 41))


def test_a_small_update_leaves_the_large_segment_alone(directory: str) -> None:
    disk = WhooshIndex(directory)
    disk.update(made_up(300), [])
    (large,) = [name for name in os.listdir(directory) if name.endswith(".trm")]
    for key, made in made_up(30, seed=2):
        disk.update([(1000 + key, made)], [])
        assert large in os.listdir(directory)


def test_nothing_is_left_behind(directory: str) -> None:
    disk = WhooshIndex(directory)
    for key, made in made_up(20):
        disk.update([(key, made)], [key - 3])
    listed = set(os.listdir(directory))
    known = set(manifest.read(directory, 19)[1])
    assert listed == known | {"_MAIN_19.toc", manifest.name(19)}


def test_stock_whoosh_opens_it_without_gitmem(directory: str) -> None:
    disk = WhooshIndex(directory)
    disk.update(made_up(300), [])
    disk.update(DOCUMENTS.items(), range(250, 301))
    code = f"""
import sys
from whoosh.index import open_dir
from whoosh.query import Or, Term
with open_dir({directory!r}).searcher() as searcher:
    reader = searcher.reader()
    print(searcher.doc_count())
    for words in ("waao", "datetime", "wbao wzjo"):
        query = Or([Term("text", word) for word in words.split()])
        print(sorted(
            reader_.column_reader("key")[number - offset]
            for number in (hit.docnum for hit in searcher.search(query, limit=None))
            for reader_, offset in reader.leaf_readers()
            if 0 <= number - offset < reader_.doc_count_all()
        ))
    print([hit.docnum for hit in searcher.search(Term("key", 3))] != [])
print(any(name.startswith("gitmem") for name in sys.modules))
"""
    out = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        check=True, capture_output=True, text=True, cwd="/",
    )  # fmt: skip
    alive = {**dict(made_up(300)), **DOCUMENTS}
    weights = {key: impacts(alive[key]) for key in (*DOCUMENTS, *range(6, 250))}
    expected = [
        sorted(key for key, weight in weights.items() if weight.keys() & set(words))
        for words in (["waao"], ["datetime"], ["wbao", "wzjo"])
    ]
    assert out.stdout.split("\n") == ["249", *map(str, expected), "True", "False", ""]


def test_the_index_can_be_read_while_it_is_updated(directory: str) -> None:
    writer = WhooshIndex(directory)
    writer.update(DOCUMENTS.items(), [])
    reader = WhooshIndex(directory)
    before = ask(reader, "naive token")
    writer.update([], [1, 2])
    writer.update([(9, DOCUMENTS[1])], [])
    assert ask(reader, "naive token") == before
    assert reader.generation() != writer.generation() == WhooshIndex(directory).generation()


def test_two_writers_that_forgot_the_lock_lose_nothing(directory: str) -> None:
    one, other = WhooshIndex(directory), WhooshIndex(directory)
    one.update([(1, DOCUMENTS[1])], [])
    with pytest.raises(IndexDamaged):
        other.update([(2, DOCUMENTS[2])], [])
    assert WhooshIndex(directory).keys() == {1}


@pytest.mark.parametrize("call", range(1, 14))
def test_an_update_cut_short_leaves_the_former_generation(
    directory: str, call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = WhooshIndex(directory)
    disk.update(DOCUMENTS.items(), [])
    before = (disk.generation(), ask(disk, "naive token"))
    calls = 0

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls >= call:
                raise OSError(28, "No space left on device")
            return real(*args, **options)

        return wrapped

    with monkeypatch.context() as patch:
        for name in ("replace", "unlink"):
            patch.setattr(os, name, dying(getattr(os, name)))
        patch.setattr("builtins.open", dying(open))
        try:
            disk.update(made_up(20), [2])
        except OSError as error:
            assert error.errno == 28  # noqa: PT017  late calls come after the commit
        except IndexDamaged:
            pass
    after = WhooshIndex(directory)
    if after.generation() == before[0]:
        assert ask(after, "naive token") == before[1]
    else:
        assert after.keys() == {*range(1, 21)}
    after.update([(50, DOCUMENTS[1])], [])
    assert {50} <= WhooshIndex(directory).keys()


# Damage


@pytest.fixture
def built(directory: str) -> str:
    disk = WhooshIndex(directory)
    disk.update(made_up(120), [])
    disk.update(DOCUMENTS.items(), [7])
    disk.close()
    return directory


def answers(directory: str) -> Any:
    """Everything that is read; IndexDamaged where it is damaged."""
    disk = WhooshIndex(directory)
    try:
        found = [ask(disk, query, text_of=lambda key: "") for query in ("naive waao", "wzdo wbao")]
        disk.search(Query(fuzzy=(("datetmie", 2),)), 5, text_of=text_of)
        return found, disk.keys(), disk.suggest(Query("datetmie"))
    finally:
        disk.close()


def damages(data: bytes, picks: random.Random) -> Iterator[bytes | None]:
    yield None
    yield b""
    yield data[: len(data) // 2]
    yield data[:-1]
    yield picks.randbytes(len(data))
    yield data + b"\0"
    yield bytes(len(data))
    for _ in range(6):
        at = picks.randrange(len(data) or 1)
        flipped = bytes([data[at] ^ 1 << picks.randrange(8)]) if data else b"x"
        yield data[:at] + flipped + data[at + 1 :]


@pytest.mark.parametrize("same_time", [False, True])
def test_a_damaged_file_is_noticed(built: str, *, same_time: bool) -> None:
    right = answers(built)
    picks = random.Random(4)
    noticed = 0
    for name in sorted(os.listdir(built)):
        path = os.path.join(built, name)
        with open(path, "rb") as stream:
            data = stream.read()
        stamp = os.stat(path)
        for damage in damages(data, picks):
            if damage is None:
                os.unlink(path)
            else:
                with open(path, "wb") as stream:
                    stream.write(damage)
                if same_time:  # as a failing disk does it
                    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
            try:
                found = answers(built)
            except IndexDamaged:
                noticed += 1
            else:
                if name.endswith(".toc") and damage is None:
                    assert found[1] == set()
                elif not same_time:
                    assert found == right or damage == data, name
        with open(path, "wb") as stream:
            stream.write(data)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert answers(built) == right
    assert noticed > 60


def test_a_copied_index_is_whole(built: str, tmp_path: Any) -> None:
    right = answers(built)
    shutil.copytree(built, tmp_path / "copy", copy_function=shutil.copyfile)
    assert answers(str(tmp_path / "copy")) == right


def test_another_version_is_not_read(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "_HEAD", "gitmem 99")
    with pytest.raises(IndexDamaged, match="another version"):
        WhooshIndex(built)


def test_a_generation_that_stock_whoosh_wrote_is_not_read(built: str) -> None:
    shutil.copy(os.path.join(built, "_MAIN_1.toc"), os.path.join(built, "_MAIN_2.toc"))
    with pytest.raises(IndexDamaged):
        WhooshIndex(built)


def test_a_file_in_place_of_the_folder_is_no_index(tmp_path: Any) -> None:
    (tmp_path / "file").write_text("x")
    assert WhooshIndex(str(tmp_path / "file")).generation() == ""


def test_wiping_removes_the_index_and_nothing_else(built: str) -> None:
    for name in ("keep.txt", "MAIN", "_MAIN_.toc", "gitmem_1.files.txt"):
        with open(os.path.join(built, name), "w", encoding="utf-8") as stream:
            stream.write("keep")
    wipe(built)
    assert sorted(os.listdir(built)) == ["MAIN", "_MAIN_.toc", "gitmem_1.files.txt", "keep.txt"]
    disk = WhooshIndex(built)
    assert disk.generation() == ""
    disk.update(DOCUMENTS.items(), [])
    assert disk.keys() == set(DOCUMENTS)
    wipe(os.path.join(built, "nowhere"))


def test_wiping_follows_no_link(built: str, tmp_path: Any) -> None:
    target = tmp_path / "target"
    target.write_text("x")
    os.symlink(target, os.path.join(built, "MAIN_link.trm"))
    wipe(built)
    assert target.read_text() == "x"
    assert os.listdir(built) == []


def test_a_crafted_index_calls_nothing() -> None:
    class Bad:
        def __reduce__(self) -> Any:
            return os.system, ("true",)

    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(pickle.UnpicklingError):
            loads(pickle.dumps(Bad(), protocol))


def test_a_huge_paste_is_fast(directory: str) -> None:
    disk = WhooshIndex(directory)
    documents = made_up(500)
    disk.update(documents, [])
    paste = "\n".join(made.body for _, made in documents * 30)
    assert ask(disk, parse(paste[: 1 << 20], NOW))
