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
from gitmem.semantic.endpoint import Endpoint
from gitmem.semantic.pieces import Pieces, PiecesDamaged, write
from gitmem.semantic.protocol import ERROR, PROSE, Text, Vector, vector
from gitmem.semantic.text import HEAD, TAIL, words
from gitmem.semantic.vectors import Vectors, VectorsDamaged, wipe
from gitmem.semantic.words import SIZE, WordTable

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


def cosine(table: WordTable, one: Text, other: Text) -> float:
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


@settings(max_examples=300)
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
    with pytest.raises((PiecesDamaged, ValueError)):
        Pieces(str(path))


def test_a_damaged_vocabulary_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "pieces.bin"
    write(VOCABULARY, str(path))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(PiecesDamaged):
        Pieces(str(path))
    WordTable(PACKAGE, str(path)).close()
    assert path.read_bytes() == whole


def test_words_without_the_particulars() -> None:
    text = "File /home/me/src/auth_token.py:42 parseHTTPHeader 0xdeadbeef 3f786850e387550fdab8"
    assert words(text) == ["file", "auth", "token", "py", "parse", "http", "header"]
    long = "head " * HEAD + "tail " * TAIL
    assert set(words(long)) >= {"head", "tail"}
    assert len(words(long)) < (HEAD + TAIL) / 4


@pytest.mark.parametrize("manner", [ERROR, PROSE])
def test_what_means_the_same_is_nearer(table: WordTable, manner: str) -> None:
    near = cosine(table, Text(manner, SAME), Text(manner, NEAR))
    far = cosine(table, Text(manner, SAME), Text(manner, FAR))
    assert cosine(table, Text(manner, SAME), Text(manner, SAME)) == pytest.approx(1, abs=0.01)
    assert near > far + 0.1


@settings(max_examples=50, deadline=None)
@given(texts=st.lists(st.text(max_size=200), min_size=1, max_size=4))
def test_many_at_once_give_the_same_bytes_as_one_at_a_time(
    table: WordTable, texts: list[str]
) -> None:
    asked = [Text(manner, text) for text in texts for manner in (ERROR, PROSE)] * 64
    singly = [table.embed([text])[0] for text in asked[: 2 * len(texts)]] * 64
    assert table.embed(asked) == singly


def test_a_text_without_words_means_nothing(table: WordTable) -> None:
    assert table.embed([Text(ERROR, "0x1f 12345 !!")]) == [Vector(0.0, bytes(SIZE))]
    assert table.question(Text(ERROR, "")) == []


def test_a_package_with_other_files_is_told(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "tokenizers").mkdir()
    for name in (word_table._TABLE, word_table._VOCABULARY):
        (tmp_path / name).write_bytes(b"\0" * 100)
    with pytest.raises(EnvironmentProblem, match="can't read the word table"):
        WordTable(str(tmp_path), str(tmp_path / "cache"))


def test_without_a_network_and_without_the_packages_own_code(tmp_path: Path) -> None:
    program = """
import sys
def deny(event, args):
    if event.startswith(("socket.", "urllib.", "http.client")):
        raise SystemExit(f"network: {event}")
sys.addaudithook(deny)
from gitmem.semantic.words import WordTable, installed
from gitmem.semantic.protocol import Text
table = WordTable(installed(), sys.argv[1])
assert table.question(Text("error", "connection refused"))
assert table.embed([Text("error", "connection refused")])[0].norm
loaded = {name.partition(".")[0] for name in sys.modules}
print(*sorted(loaded & {"wordllama", "numpy", "tokenizers", "requests", "socket"}))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "pieces")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == ""


def test_vectors_lie_in_their_rows(tmp_path: Path) -> None:
    path = str(tmp_path / "vectors")
    stored = Vectors(path, "name", 4)
    assert stored.nearness([1.0, 0, 0, 0], [1]) == {}
    stored.write([(3, vector([3.0, 4.0, 0, 0])), (1, vector([0, 0, -1.0, 0]))])
    assert len(stored) == 4
    found = stored.nearness([0.0, 1.0, -1.0, 0], [0, 1, 2, 3, 99])
    assert found == {1: pytest.approx(1.0), 3: pytest.approx(0.8, abs=0.01)}
    stored.write([(3, vector([-1.0, 0, 0, 0]))])
    assert Vectors(path, "name", 4).nearness([1.0, 0, 0, 0], [3]) == {3: pytest.approx(-1)}
    for name, size in (("other", 4), ("name", 8)):
        with pytest.raises(VectorsDamaged):
            Vectors(path, name, size)
    wipe(path)
    wipe(path)
    assert not os.path.exists(path)


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
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        try:
            yield kind, f"http://127.0.0.1:{made.server_port}/v1"
        finally:
            made.shutdown()
            thread.join()


def test_an_endpoint_is_asked_in_the_known_protocol(server: tuple[type[_Server], str]) -> None:
    handler, url = server
    endpoint = Endpoint(url, "small", "secret")
    assert endpoint.size == 5
    made = endpoint.embed([Text(ERROR, "a" * n) for n in range(1, 131)])
    assert {one.values[0] for one in made} == {127}
    assert endpoint.question(Text(PROSE, "aaee")) == pytest.approx([0.5**0.5] * 2 + [0.0] * 3)
    path, key, body = handler.seen[-1]
    assert (path, key, body["model"]) == ("/v1/embeddings", "Bearer secret", "small")
    assert len(handler.seen) == 1 + 3 + 1, "in batches"


@pytest.mark.parametrize("answer", [None, {}, {"data": []}, {"data": [{"index": 0}]}, [1]])
def test_an_endpoint_that_answers_nonsense(server: tuple[type[_Server], str], answer: Any) -> None:
    handler, url = server
    handler.answers = answer
    with pytest.raises(EnvironmentProblem, match="no vectors from"):
        Endpoint(url, "small")


def test_an_endpoint_that_is_not_there() -> None:
    with pytest.raises(EnvironmentProblem, match="no vectors from"):
        Endpoint("http://127.0.0.1:9/v1", "small")
    with pytest.raises(UsageError):
        Endpoint("localhost:11434", "small")
