"""Vectors: pieces against the table's own tokenizer, sums against numpy, no network."""

import json
import math
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.semantic import words as word_table
from gitmem.semantic.choice import AUTO, ENDPOINT, OFF, WORDS, Choice
from gitmem.semantic.endpoint import RemoteEmbedder
from gitmem.semantic.pieces import Pieces, PiecesDamaged, write
from gitmem.semantic.protocol import (
    ERROR,
    PROSE,
    EmbeddedText,
    Vector,
    VectorRow,
    VectorsDamaged,
    vector,
)
from gitmem.semantic.text import ENDS, words
from gitmem.semantic.vectors import Vectors, products, wipe
from gitmem.semantic.words import SIZE, WordTable
from tests.depth import amount, deep, sampled

tokenizers = pytest.importorskip("tokenizers", reason="the extra semantic is not installed")
PACKAGE = word_table.installed() or ""
pytestmark = pytest.mark.skipif(not PACKAGE, reason="the extra semantic is not installed")
VOCABULARY = os.path.join(PACKAGE, "tokenizers", "l2_supercat_tokenizer_config.json")

SAME = "the connection was refused by the database server"
NEAR = "cannot connect: postgres is not accepting clients"
FAR = "the icon of the button has the wrong colour"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("semantic") / "pieces.bin")


@pytest.fixture(scope="module")
def table(cache: str) -> Iterator[WordTable]:
    made = WordTable(PACKAGE, cache)
    yield made
    made.close()


@pytest.fixture(scope="module")
def pieces(cache: str) -> Iterator[Pieces]:
    write(VOCABULARY, cache)
    made = Pieces(cache)
    yield made
    made.close()


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return tokenizers.Tokenizer.from_file(VOCABULARY)


def cosine(table: WordTable, one: EmbeddedText, other: EmbeddedText) -> float:
    (there,) = table.embed([other])
    question = table.question(one)
    values = [byte - 256 if byte > 127 else byte for byte in there.values]
    return sum(map(float.__mul__, question, map(float, values))) / there.norm


# Letters of many scripts, and what the vocabulary has no piece for.
WORD = st.text(
    st.characters(codec="utf-8", exclude_categories=("Z", "C", "Cs"), exclude_characters="\u2581"),
    min_size=1,
    max_size=40,
)


@deep
@settings(max_examples=amount(share=100, ci=300, whole=3000))
@given(word=WORD | st.from_regex(r"[a-zA-Z_]{1,30}", fullmatch=True))
def test_pieces_are_those_of_the_tables_own_tokenizer(
    pieces: Pieces, tokenizer: Any, word: str
) -> None:
    expected = tokenizer.encode(word, add_special_tokens=False).ids
    assert list(pieces.of(word)) == expected
    assert list(pieces.of(word)) == expected, "remembered"


def test_only_the_head_of_a_very_long_word_counts(pieces: Pieces) -> None:
    assert pieces.of("x" * 1_000_000) == pieces.of("x" * 48)


@pytest.mark.parametrize("damage", [b"", b"gm", b"other" * 100])
def test_a_file_that_is_no_vocabulary_is_told(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "pieces.bin"
    path.write_bytes(damage)
    with pytest.raises(PiecesDamaged):
        Pieces(str(path))


def test_a_damaged_vocabulary_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "pieces.bin"
    write(VOCABULARY, str(path))
    whole = path.read_bytes()
    for damaged in (whole[:-1], b"", whole[:5_000] + b"\0" + whole[5_001:]):
        path.write_bytes(damaged)
        with pytest.raises(PiecesDamaged):
            Pieces(str(path))
        WordTable(PACKAGE, str(path)).close()
        assert path.read_bytes() == whole


@pytest.mark.parametrize("manner", [ERROR, PROSE])
def test_words_without_the_particulars(manner: str) -> None:
    text = "File /home/me/src/auth_token.py:42 parseHTTPHeader 0xdeadbeef 3f786850e387550fdab8"
    assert words(EmbeddedText(manner, text)) == [
        "file",
        "auth",
        "token",
        "py",
        "parse",
        "http",
        "header",
    ]
    head, tail = ENDS[manner]
    long = words(EmbeddedText(manner, "head " * head + "tail " * tail))
    assert set(long) >= {"head", "tail"}
    assert len(long) < (head + tail) / 4


@pytest.mark.parametrize("manner", [ERROR, PROSE])
def test_what_means_the_same_is_nearer(table: WordTable, manner: str) -> None:
    near = cosine(table, EmbeddedText(manner, SAME), EmbeddedText(manner, NEAR))
    far = cosine(table, EmbeddedText(manner, SAME), EmbeddedText(manner, FAR))
    assert cosine(table, EmbeddedText(manner, SAME), EmbeddedText(manner, SAME)) == pytest.approx(
        1, abs=0.01
    )
    assert near > far + 0.1


@deep
@settings(max_examples=amount(share=15, ci=50, whole=500), deadline=None)
@given(texts=st.lists(st.text(max_size=200), min_size=1, max_size=4))
def test_many_at_once_give_the_same_bytes_as_one_at_a_time(
    table: WordTable, texts: list[str]
) -> None:
    asked = [EmbeddedText(manner, text) for text in texts for manner in (ERROR, PROSE)] * 64
    singly = [table.embed([text])[0] for text in asked[: 2 * len(texts)]] * 64
    assert table.embed(asked) == singly


def test_a_text_without_words_means_nothing(table: WordTable) -> None:
    assert table.embed([EmbeddedText(ERROR, "0x1f 12345 !!")]) == [Vector(0.0, bytes(SIZE))]
    assert table.question(EmbeddedText(ERROR, "")) == []


def test_a_package_with_other_files_is_told(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "tokenizers").mkdir()
    for name in (word_table._TABLE, word_table._VOCABULARY):
        (tmp_path / name).write_bytes(b"\0" * 100)
    with pytest.raises(EnvironmentProblem, match="can't read the word table"):
        WordTable(str(tmp_path), str(tmp_path / "cache"))


def test_a_table_with_a_value_that_is_no_number_is_told(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "tokenizers").symlink_to(os.path.join(PACKAGE, "tokenizers"))
    shape = (word_table._ROWS, word_table._WIDTH)
    no_number = b"\0\x7e" * (shape[0] * shape[1])
    (tmp_path / word_table._TABLE).write_bytes((2).to_bytes(8, "little") + b"{}" + no_number)
    damaged = WordTable(str(tmp_path), str(tmp_path / "cache"))
    with pytest.raises(EnvironmentProblem, match="holds something other than a number"):
        damaged.question(EmbeddedText(ERROR, SAME))
    damaged.close()


def test_without_a_network_and_without_the_packages_own_code(tmp_path: Path) -> None:
    program = """
import sys
def deny(event, args):
    if event.startswith(("socket.", "urllib.", "http.client")):
        raise SystemExit(f"network: {event}")
sys.addaudithook(deny)
from gitmem.semantic.words import WordTable, installed
from gitmem.semantic.protocol import EmbeddedText
table = WordTable(installed(), sys.argv[1])
assert table.question(EmbeddedText("error", "connection refused"))
assert table.embed([EmbeddedText("error", "connection refused")])[0].norm
loaded = {name.partition(".")[0] for name in sys.modules}
print(*sorted(loaded & {"wordllama", "numpy", "tokenizers", "requests", "socket"}))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "pieces")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == ""


def asked(factors: list[float]) -> Any:
    return lambda _: factors


def row(number: int, manner: str, values: list[float]) -> VectorRow:
    """Give what is stored for a file; each has its number for a digest here."""
    return VectorRow(number, b"%d" % number, manner, vector(values))


def digests(*numbers: int) -> dict[int, bytes]:
    return {number: b"%d" % number for number in numbers}


def test_vectors_lie_in_their_rows(tmp_path: Path) -> None:
    path = str(tmp_path / "vectors")
    stored = Vectors(path, "name")
    assert (len(stored), stored.row(1)) == (0, b"")
    stored.write([row(3, ERROR, [3.0, 4.0, 0, 0]), row(1, PROSE, [0, 0, -1.0, 0])])
    assert len(stored) == 4
    found = stored.nearness(asked([0.0, 1.0, -1.0, 0]), digests(1, 3))
    assert found == {1: pytest.approx(1.0, abs=0.001), 3: pytest.approx(0.8, abs=0.01)}
    other = Vectors(path, "name")
    stored.write([row(3, ERROR, [-1.0, 0, 0, 0]), row(9, ERROR, [1.0, 0, 0, 0])])
    other.refresh()
    near = other.nearness(asked([1.0, 0, 0, 0]), digests(3, 9))
    assert near == {3: pytest.approx(-1), 9: pytest.approx(1)}
    with pytest.raises(VectorsDamaged, match="another embedder"):
        Vectors(path, "other")
    with pytest.raises(VectorsDamaged, match="another size"):
        stored.write([row(2, ERROR, [1.0, 0])])
    for one in (stored, other):
        one.close()
    wipe(path)
    wipe(path)
    assert not os.path.exists(path)


def test_each_manner_is_asked_in_its_own_way(tmp_path: Path) -> None:
    stored = Vectors(str(tmp_path / "vectors"), "name")
    stored.write([row(1, ERROR, [1.0, 0]), row(2, PROSE, [1.0, 0]), row(3, PROSE, [0, 0])])
    ways = {ERROR: [0.5, 0.0], PROSE: [0.25, 0.0]}
    found = stored.nearness(ways.__getitem__, digests(1, 2, 3))
    assert found == {1: pytest.approx(0.5), 2: pytest.approx(0.25)}
    assert stored.nearness(lambda _: [], digests(1, 2, 3)) == {}


@settings(max_examples=60)
@given(data=st.data())
def test_any_flipped_bit_of_a_row_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("rows") / "vectors"
    stored = Vectors(str(path), "name")
    stored.write([row(n, ERROR, [n, 1.0, -2.0, 0.5]) for n in range(4)])
    whole = bytearray(path.read_bytes())
    head = len(whole) - 4 * len(stored.row(0))
    place = data.draw(st.integers(head, len(whole) - 1))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(whole)
    hit = (place - head) // len(stored.row(0))
    stored.close()
    again = Vectors(str(path), "name")
    assert [again.intact(n, b"%d" % n) for n in range(4)] == [n != hit for n in range(4)]
    with pytest.raises(VectorsDamaged):
        again.nearness(asked([1.0, 0, 0, 0]), digests(*range(4)))
    assert not again.intact(4, b"4")


def test_the_vector_of_another_file_is_noticed(tmp_path: Path) -> None:
    stored = Vectors(str(tmp_path / "vectors"), "name")
    stored.write([row(1, ERROR, [1.0, 0]), row(2, ERROR, [0, 1.0])])
    assert stored.intact(1, b"1")
    assert not stored.intact(1, b"2")
    with pytest.raises(VectorsDamaged):
        stored.nearness(asked([1.0, 0]), {1: b"1", 2: b"1"})


@settings(max_examples=200)
@given(
    rows=st.lists(st.binary(min_size=12, max_size=12), max_size=40),
    factors=st.lists(st.floats(-1, 1, width=32), min_size=12, max_size=12),
)
def test_products_of_all_rows_at_once_are_those_of_single_rows(
    rows: list[bytes], factors: list[float]
) -> None:
    found = products(factors, rows)
    fine = max(map(abs, factors)) / 2_000
    for row, one in zip(rows, found, strict=True):
        values = [byte - 256 if byte > 127 else byte for byte in row]
        exact = math.fsum(f * v for f, v in zip(factors, values, strict=True))
        assert abs(one - exact) <= fine * sum(map(abs, values)) + 1e-9


def test_products_of_very_long_rows_stay_in_their_lanes() -> None:
    for values, sign in ((b"\x7f", 127), (b"\x80", -128)):
        rows = [values * 9_001, b"\0" * 9_001]
        assert products([1.0] * 9_001, rows) == [pytest.approx(9_001 * sign), 0]
        assert products([-1.0] * 9_001, rows) == [pytest.approx(-9_001 * sign), 0]


def test_without_numpy_the_same_bytes(table: WordTable, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [EmbeddedText(ERROR, f"{SAME} {n} {FAR}") for n in range(70)]
    quick = table.embed(texts)
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert table.embed(texts) == quick


@pytest.mark.parametrize("manner", [ERROR, PROSE])
def test_100_000_records_take_less_than_25_mb(
    tmp_path: Path, table: WordTable, manner: str
) -> None:
    stored = Vectors(str(tmp_path / "vectors"), table.name)
    (one,) = table.embed([EmbeddedText(manner, SAME)])
    stored.write([VectorRow(100_000, b"digest", manner, one)])
    assert os.path.getsize(tmp_path / "vectors") < 25_000_000


def test_the_settings_say_which_embedder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = str(tmp_path / "pieces")
    for name in (AUTO, WORDS):
        made = Choice(name).make(vocabulary)
        assert made is not None
        assert made.name == WordTable.name
        made.close()
    assert Choice(OFF).make(vocabulary) is None
    monkeypatch.setattr(word_table, "PACKAGE", "no_such_package")
    assert Choice(AUTO).make(vocabulary) is None
    with pytest.raises(EnvironmentProblem, match="not installed"):
        Choice(WORDS).make(vocabulary)
    with pytest.raises(UsageError, match=r"semantic\.model"):
        Choice(ENDPOINT, "http://localhost:1/v1").make(vocabulary)
    with pytest.raises(UsageError, match=r"semantic\.endpoint"):
        Choice(ENDPOINT, "", "small").make(vocabulary)


@given(values=st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=8))
def test_any_numbers_become_a_vector(values: list[float]) -> None:
    made = vector(values)
    assert len(made.values) == len(values)
    assert math.isfinite(made.norm)


class _Server(BaseHTTPRequestHandler):
    answers: Any = None
    seen: list[Any]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append((self.path, self.headers.get("Authorization"), body))
        answer = self.answers(body) if callable(self.answers) else self.answers
        self.send_response(200 if answer is not None else 503)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        """Stay silent."""


def letters(body: dict[str, Any]) -> dict[str, Any]:
    data = [
        {"index": at, "embedding": [text.count(letter) for letter in "aeiou"]}
        for at, text in enumerate(body["input"])
    ]
    return {"data": data[::-1]}


@pytest.fixture
def server() -> Iterator[tuple[type[_Server], str]]:
    kind = type("Handler", (_Server,), {"answers": staticmethod(letters), "seen": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield kind, f"http://127.0.0.1:{made.server_port}/v1"
        finally:
            made.shutdown()
            thread.join()


def test_an_endpoint_is_asked_in_the_known_protocol(server: tuple[type[_Server], str]) -> None:
    handler, url = server
    endpoint = RemoteEmbedder(url, "small", "secret")
    assert handler.seen == [], "nothing is sent before it is asked"
    made = endpoint.embed([EmbeddedText(ERROR, "a" * n) for n in range(1, 131)])
    assert {one.values[0] for one in made} == {127}
    assert endpoint.question(EmbeddedText(PROSE, "aaee")) == pytest.approx(
        [0.5**0.5] * 2 + [0.0] * 3
    )
    path, key, body = handler.seen[-1]
    assert (path, key, body["model"]) == ("/v1/embeddings", "Bearer secret", "small")
    assert len(handler.seen) == 3 + 1, "in batches"


@sampled(2)
@pytest.mark.parametrize("answer", [None, {}, {"data": []}, {"data": [{"index": 0}]}, [1]])
def test_an_endpoint_that_answers_nonsense(server: tuple[type[_Server], str], answer: Any) -> None:
    handler, url = server
    handler.answers = answer
    with pytest.raises(EnvironmentProblem, match="no vectors from"):
        RemoteEmbedder(url, "small").embed([EmbeddedText(ERROR, "x")])


def test_an_endpoint_that_is_not_there() -> None:
    endpoint = RemoteEmbedder("http://127.0.0.1:9/v1", "small")
    with pytest.raises(EnvironmentProblem, match="no vectors from"):
        endpoint.question(EmbeddedText(ERROR, "x"))
    with pytest.raises(UsageError):
        RemoteEmbedder("localhost:11434", "small")
