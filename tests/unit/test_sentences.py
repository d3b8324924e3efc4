"""The sentence encoder: its file, its pieces and its arithmetic, held against others'."""

import json
import math
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

from gitmem.errors import EnvironmentProblem, GitmemError, InvalidError
from gitmem.semantic import tensors
from gitmem.semantic.protocol import ERROR, PROSE, EmbeddedText
from gitmem.semantic.sentences import SentenceModel, write_model
from gitmem.semantic.wordpiece import WordPieces, piece_table
from tests.depth import amount, deep
from tests.sentence_models import CONFIG, PIECES, TOKENIZER, weights, write_folder

REAL = os.environ.get("GITMEM_TEST_SENTENCE_MODEL", "")
LETTERS = "ab s.?,B\u00c4\u00e9\u0301\u4e2d\t\n_-1\u2019\u200b\u3000\ue000\U00020001"
# Of others, editions of Unicode differ.
TEXTS = st.text(st.sampled_from(LETTERS) | st.characters(max_codepoint=0x24F), max_size=40)
SHAPES = st.lists(st.integers(0, 4), max_size=3).map(tuple)


@given(text=TEXTS)
def test_pieces_are_those_of_the_package_tokenizers(text: str) -> None:
    theirs = Tokenizer.from_str(json.dumps(TOKENIZER)).encode(text).ids
    assert WordPieces(piece_table(PIECES)).of(text, 1_000)[1:-1] == theirs


@settings(max_examples=40, deadline=None)
@given(shapes=st.dictionaries(st.text("abc.", min_size=1, max_size=4), SHAPES, max_size=4))
def test_files_of_tensors_are_those_of_the_package_safetensors(
    tmp_path_factory: pytest.TempPathFactory, shapes: dict[str, tuple[int, ...]]
) -> None:
    folder = tmp_path_factory.mktemp("tensors")
    arrays = {
        name: np.arange(math.prod(shape)).astype(kind).reshape(shape)
        for (name, shape), kind in zip(shapes.items(), ("f4", "i1", "f2", "i8"), strict=False)
    }
    ours, theirs = str(folder / "ours"), str(folder / "theirs")
    tensors.write(ours, arrays, {"format": "pt"})
    save_file(arrays, theirs)
    read = load_file(ours)
    file = tensors.TensorFile(theirs)
    assert read.keys() == arrays.keys() == file.entries.keys()
    for name, array in arrays.items():
        assert np.array_equal(read[name], array)
        assert np.array_equal(file.array(name), array)
        assert file.array(name).dtype == array.dtype


@deep
@settings(max_examples=amount(share=60, ci=200, whole=2000), deadline=None)
@given(
    header=st.binary(max_size=60)
    | st.recursive(
        st.none() | st.integers() | st.text(max_size=6),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["a", "dtype", "shape", "data_offsets"]), inner)
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps({"t": value}).encode()),
    rest=st.binary(max_size=20),
    length=st.none() | st.integers(0, 2**64 - 1),
)
def test_what_is_no_file_of_tensors_is_refused_in_one_way(
    tmp_path_factory: pytest.TempPathFactory, header: bytes, rest: bytes, length: int | None
) -> None:
    path = tmp_path_factory.mktemp("tensors") / "file"
    size = len(header) if length is None else length
    path.write_bytes(struct.pack("<Q", size) + header + rest)
    try:
        file = tensors.TensorFile(str(path))
    except tensors.TensorsDamaged:
        return
    for name, entry in file.entries.items():
        assert len(file.view(name)) == entry.end - entry.begin


def as_written(drawn: dict[str, Any], pieces: list[int]) -> np.ndarray[Any, Any]:
    """Compute a text's vector as the papers write it: in doubles, a head at a time."""

    def linear(values: Any, name: str) -> Any:
        return values @ drawn[f"{name}.weight"].astype(float).T + drawn[f"{name}.bias"]

    def norm(values: Any, name: str) -> Any:
        middle = values - values.mean(-1, keepdims=True)
        spread = np.sqrt((middle**2).mean(-1, keepdims=True) + CONFIG["layer_norm_eps"])
        return middle / spread * drawn[f"{name}.weight"] + drawn[f"{name}.bias"]

    values = drawn["embeddings.word_embeddings.weight"].astype(float)[pieces]
    values = values + drawn["embeddings.position_embeddings.weight"][: len(pieces)]
    values = norm(
        values + drawn["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm"
    )
    size = CONFIG["hidden_size"] // CONFIG["num_attention_heads"]
    for layer in range(CONFIG["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        asked, keys, told = (
            linear(values, f"{at}attention.self.{n}") for n in ("query", "key", "value")
        )
        heads = []
        for begin in range(0, CONFIG["hidden_size"], size):
            part = slice(begin, begin + size)
            powers = np.exp(asked[:, part] @ keys[:, part].T / math.sqrt(size))
            heads.append(powers / powers.sum(-1, keepdims=True) @ told[:, part])
        attended = linear(np.concatenate(heads, -1), f"{at}attention.output.dense")
        values = norm(values + attended, f"{at}attention.output.LayerNorm")
        inner = linear(values, f"{at}intermediate.dense")
        inner = np.vectorize(lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))))(inner)
        values = norm(values + linear(inner, f"{at}output.dense"), f"{at}output.LayerNorm")
    mean = values.mean(0)
    vector: np.ndarray[Any, Any] = mean / np.linalg.norm(mean)
    return vector


def test_vectors_are_those_of_the_arithmetic_as_it_is_written(tmp_path: Path) -> None:
    write_model(str(write_folder(tmp_path / "model")), str(tmp_path / "cache" / "file"))
    model = SentenceModel(str(tmp_path / "cache" / "file"))
    texts = ["where do we keep our bills?", "", "cat", "a b . ? why " * 20]
    pieces = WordPieces(piece_table(PIECES))
    for text in texts:
        expected = as_written(weights(), pieces.of(text, CONFIG["max_position_embeddings"]))
        given_question = np.array(model.question(EmbeddedText(PROSE, text)))
        # Weights are whole bytes: a hundred and twenty-seventh of the largest of their row.
        assert given_question @ expected > 0.999
    embedded = model.embed([EmbeddedText(ERROR, text) for text in texts])
    for text, vector in zip(texts, embedded, strict=True):
        values = np.frombuffer(vector.values, np.int8).astype(float) / vector.norm
        assert values @ model.question(EmbeddedText(PROSE, text)) > 0.999
    model.close()


def test_the_front_matter_of_a_document_is_not_read(tmp_path: Path) -> None:
    write_model(str(write_folder(tmp_path / "model")), str(tmp_path / "file"))
    model = SentenceModel(str(tmp_path / "file"))
    said = "where do we keep our bills?"
    about = f"---\nstatus: a cat\n---\n* Date: a b\n\n## Status\n\na b a\n\n## Context\n\n{said}"
    code = "```\na cat\n```"
    one, other, all_code = model.embed([EmbeddedText(PROSE, text) for text in (said, about, code)])
    assert one == other != all_code
    (output,) = model.embed([EmbeddedText(ERROR, about)])
    assert output != one
    model.close()


def _without(name: str) -> Any:
    return lambda folder: (folder / name).unlink()


def _with(name: str, content: bytes) -> Any:
    return lambda folder: (folder / name).write_bytes(content)


def _with_config(**config: object) -> Any:
    return lambda folder: write_folder(folder, **config)


@pytest.mark.parametrize(
    ("spoil", "error", "told"),
    [
        (_without("tokenizer.json"), EnvironmentProblem, "tokenizer.json is missing"),
        (_without("model.safetensors"), EnvironmentProblem, "model.safetensors is missing"),
        (_with_config(model_type="t5"), InvalidError, "it is a model of type t5, not bert"),
        (_with_config(hidden_act="relu"), InvalidError, "its activation is relu"),
        (_with_config(hidden_size=13), InvalidError, "does not add up"),
        (_with_config(num_hidden_layers=3), InvalidError, "no tensor encoder.layer.2"),
        (_with("config.json", b"[]"), InvalidError, "not a JSON object"),
        (_with("tokenizer.json", b"{}"), InvalidError, "WordPiece"),
        (_with("model.safetensors", b"x" * 90), InvalidError, "header"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_model_is_told_in_a_line(
    tmp_path: Path, spoil: Any, error: type[GitmemError], told: str
) -> None:
    folder = write_folder(tmp_path / "model")
    spoil(folder)
    with pytest.raises(error) as caught:
        write_model(str(folder), str(tmp_path / "cache" / "file"))
    assert told in caught.value.message
    assert "\n" not in caught.value.message + caught.value.hint
    assert caught.value.hint
    assert not (tmp_path / "cache" / "file").exists()


def test_a_damaged_file_is_told_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(EnvironmentProblem, match="can't read the sentence model") as caught:
        SentenceModel(str(path))
    assert "gitmem index semantic install" in caught.value.hint


@pytest.mark.skipif(
    not REAL, reason="GITMEM_TEST_SENTENCE_MODEL names no folder of all-MiniLM-L6-v2"
)
def test_the_real_model_gives_the_published_similarities(tmp_path: Path) -> None:
    """As its authors' documentation prints them (sentence similarity, all-MiniLM-L6-v2)."""
    write_model(REAL, str(tmp_path / "file"))
    model = SentenceModel(str(tmp_path / "file"))
    pairs = {
        ("The cat sits outside", "The cat plays in the garden"): 0.6788,
        ("The new movie is awesome", "The new movie is so great"): 0.8939,
        ("I love pasta", "Do you like pizza?"): 0.5096,
    }
    for (one, other), expected in pairs.items():
        first, second = (model.question(EmbeddedText(PROSE, text)) for text in (one, other))
        assert sum(map(float.__mul__, first, second)) == pytest.approx(expected, abs=0.004)
    model.close()
