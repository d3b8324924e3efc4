"""The embedder that reads whole sentences: a BERT-type encoder that the user installed.

Its file is made by ``install`` out of a model's own files, a quarter of their size, and lies in
the user's cache; it never comes with gitmem. It is computed with numpy, without any framework.
"""

import json
import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import EnvironmentProblem, InvalidError, install
from gitmem.semantic.one_thread import load_numpy  # noqa: TID253  it is loaded where numpy is
from gitmem.semantic.protocol import PROSE, EmbeddedText, Vector, vector
from gitmem.semantic.substance import substance
from gitmem.semantic.text import cut

if TYPE_CHECKING:
    from gitmem.semantic.bert import Encoder
    from gitmem.semantic.wordpiece import WordPieces

FORM: Final = "3"
"""Of the model's file."""
_VECTORS: Final = "3"
"""Raise it when vectors change: those that are stored are made anew."""
MOST_PIECES: Final = 128
"""Of a text so many pieces count. See docs/recall.md for what more of them give."""
_PIECES: Final = ("pieces", "ends of pieces", "slots of pieces")
_AGAIN: Final = "install the model again: gitmem index semantic install"


class SentenceModel:
    """See ``protocol.Embedder``.

    Args:
        path: of the file that ``write_model`` made.

    Raises:
        EnvironmentProblem: the file can't be read, or numpy is not installed.

    """

    contextual = True

    def __init__(self, path: str) -> None:
        if find_spec("numpy") is None:
            raise EnvironmentProblem("the sentence model needs numpy", install("semantic"))
        from gitmem.semantic.tensors import TensorFile, TensorsDamaged

        self._path = path
        try:
            self._file: TensorFile | None = TensorFile(path)
        except (OSError, TensorsDamaged) as error:
            raise _damaged(path, error) from None
        if self._file.metadata.get("form") != FORM:
            raise _damaged(path, "it is of another version of gitmem")
        self.name = f"sentences-{_VECTORS} {self._file.metadata.get('sha256', '')[:32]}"
        self._parts: tuple[Encoder, WordPieces] | None = None

    def embed(self, texts: Sequence[EmbeddedText]) -> list[Vector]:
        """See ``protocol.Embedder``."""
        return [vector(row) for row in self._encode([cut(_read_in(text)) for text in texts])]

    def question(self, text: EmbeddedText) -> list[float]:
        """See ``protocol.Embedder``."""
        return self._encode([cut(text)])[0]

    def close(self) -> None:
        """Close files."""
        self._parts = None
        if self._file is not None:
            self._file.close()
            self._file = None

    def _encode(self, texts: Sequence[str]) -> list[list[float]]:
        encoder, pieces = self._opened()
        most = min(MOST_PIECES, encoder.shape.positions)
        vectors: list[list[float]] = encoder.encode(
            [pieces.of(text, most) for text in texts]
        ).tolist()
        return vectors

    def _opened(self) -> "tuple[Encoder, WordPieces]":
        load_numpy()
        from gitmem.semantic.bert import Encoder, EncoderShape
        from gitmem.semantic.tensors import TensorFile, TensorsDamaged
        from gitmem.semantic.wordpiece import PieceTable, UnreadableTokenizer, WordPieces

        if self._parts is None:
            try:
                file = self._file = self._file or TensorFile(self._path)
                shape = EncoderShape(*json.loads(file.metadata["shape"]))
                text, ends, slots = map(file.view, _PIECES)
                pieces = WordPieces(PieceTable(text, ends.cast("i"), slots.cast("i")))
                self._parts = Encoder(file, shape), pieces
            except (
                OSError, TensorsDamaged, UnreadableTokenizer, LookupError, TypeError, ValueError,
            ) as error:  # fmt: skip
                raise _damaged(self._path, error) from None
        return self._parts


def _read_in(text: EmbeddedText) -> EmbeddedText:
    """Give what is read in a text; all of it where nothing else is left."""
    words = substance(text.text) if text.manner == PROSE else ""
    return text._replace(text=words) if words else text


def _damaged(path: str, cause: object) -> EnvironmentProblem:
    return EnvironmentProblem(f"can't read the sentence model {path}: {cause}", _AGAIN)


def write_model(folder: str, path: str) -> None:
    """Make the file of a ``SentenceModel`` from a model's own files.

    Args:
        folder: holds model.safetensors, tokenizer.json and config.json.
        path: of the file to write; its folder is made.

    Raises:
        EnvironmentProblem: a file is missing or can't be read, or the disk is full.
        InvalidError: it is a model of another type.

    """
    if find_spec("numpy") is None:
        raise EnvironmentProblem("the sentence model needs numpy", install("semantic"))
    load_numpy()
    import numpy as np

    from gitmem.semantic import bert, tensors
    from gitmem.semantic.model_source import sha256_of
    from gitmem.semantic.wordpiece import UnreadableTokenizer, piece_table, vocabulary_of

    weights = os.path.join(folder, "model.safetensors")
    try:
        shape = bert.shape_of(_json(folder, "config.json"))
        bert.check_pooling(_pooling(folder))
        pieces = vocabulary_of(_json(folder, "tokenizer.json"))
        parts = dict(bert.compact(tensors.TensorFile(weights), shape, len(pieces)))
        text, ends, slots = piece_table(pieces)
        tables = np.frombuffer(text, np.uint8), np.array(ends, "<i4"), np.array(slots, "<i4")
        parts.update(zip(_PIECES, tables, strict=True))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        about = {"form": FORM, "shape": json.dumps(shape), "sha256": sha256_of(weights)}
        tensors.write(path, parts, about)
    except (bert.UnreadableModel, UnreadableTokenizer) as error:
        raise InvalidError(
            f"{folder}: {error}", "a BERT-type sentence encoder is wanted, such as all-MiniLM-L6-v2"
        ) from None
    except tensors.TensorsDamaged as error:
        raise InvalidError(f"{weights}: {error}", "fetch the file again") from None
    except FileNotFoundError as error:
        raise EnvironmentProblem(
            f"{error.filename} is missing",
            "a model's folder holds model.safetensors, tokenizer.json and config.json",
        ) from None
    except OSError as error:
        raise EnvironmentProblem(
            f"can't install the model in {path}: {(error.strerror or str(error)).lower()}",
            "free some space, or set XDG_CACHE_HOME to another folder",
        ) from None


def _json(folder: str, name: str) -> Mapping[str, Any]:
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as stream:
        try:
            content = json.load(stream)
        except (ValueError, RecursionError):
            content = None
    if not isinstance(content, dict):
        raise InvalidError(f"{path} is not a JSON object", "fetch the file again")
    return content


def _pooling(folder: str) -> Mapping[str, Any]:
    """Read how a model makes one vector of a text; empty where it does not say."""
    name = os.path.join("1_Pooling", "config.json")
    return _json(folder, name) if os.path.exists(os.path.join(folder, name)) else {}
