"""The arithmetic of BERT-type sentence encoders, with numpy.

Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers"; the mean over a
text's pieces is its vector (Reimers and Gurevych 2019, "Sentence-BERT"). Texts of a batch lie
one behind the other, so no padding is computed; only attention is computed text by text.

Weights are whole bytes with a factor for each row, four times smaller than they come; the
activations stay single floats.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from gitmem.semantic.tensors import TensorFile, TensorsDamaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Bytes = NDArray[np.int8]

_LARGEST: Final = 127.0
_SCALE: Final = " scale"
_PREFIXES: Final = ("", "bert.", "0.auto_model.", "model.")
_EMBEDDINGS: Final = "embeddings."
WORDS: Final = f"{_EMBEDDINGS}word_embeddings.weight"
_BATCH_PIECES: Final = 2_048
"""Pieces of a batch: the intermediate values of one layer stay in the processor's cache."""


class EncoderShape(NamedTuple):
    """How large an encoder is.

    Attributes:
        layers, heads, width: numbers of layers, of heads, and dimensions of a vector.
        positions: pieces of the longest text.
        epsilon: added to variances.

    """

    layers: int
    heads: int
    width: int
    positions: int
    epsilon: float


class UnreadableModel(Exception):  # noqa: N818  it names a state of the files
    """The model is of another type than this module computes."""


def shape_of(config: Mapping[str, Any]) -> EncoderShape:
    """Read the shape from a ``config.json``.

    Raises:
        UnreadableModel: another type of model.

    """
    kind = config.get("model_type")
    if kind != "bert":
        raise UnreadableModel(f"it is a model of type {kind}, not bert")
    if config.get("hidden_act") != "gelu":
        raise UnreadableModel(f"its activation is {config.get('hidden_act')}, not gelu")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise UnreadableModel("its positions are not absolute")
    try:
        shape = EncoderShape(
            int(config["num_hidden_layers"]),
            int(config["num_attention_heads"]),
            int(config["hidden_size"]),
            int(config["max_position_embeddings"]),
            float(config["layer_norm_eps"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableModel(f"its config.json says too little ({error})") from None
    if min(shape[:4]) < 1 or shape.width % shape.heads:
        raise UnreadableModel("its config.json does not add up")
    return shape


def check_pooling(pooling: Mapping[str, Any]) -> None:
    """Refuse a model whose vectors are not the mean over pieces; empty: it does not say."""
    if pooling and (
        not pooling.get("pooling_mode_mean_tokens") or pooling.get("pooling_mode_cls_token")
    ):
        raise UnreadableModel("its vectors are not the mean over the pieces of a text")


def compact(
    source: TensorFile, shape: EncoderShape, pieces: int
) -> Iterator[tuple[str, "NDArray[np.generic]"]]:
    """Yield an encoder's tensors in the form of ``Encoder``, by name.

    Args:
        source: the model's weights.
        shape: of the encoder.
        pieces: that its tokenizer knows.

    Raises:
        TensorsDamaged: the file lacks one, or one holds something other than a number.
        UnreadableModel: the tokenizer is another model's.

    """
    names = [WORDS]
    prefix = next((p for p in _PREFIXES if p + names[0] in source.entries), "")
    names += [f"{_EMBEDDINGS}{part}_embeddings.weight" for part in ("position", "token_type")]
    names += [f"{_EMBEDDINGS}LayerNorm.{part}" for part in ("weight", "bias")]
    for layer in range(shape.layers):
        names += [f"{_layer(layer)}{name}.{part}" for name in _PARTS for part in ("weight", "bias")]
    for name in names:
        tensor = source.array(prefix + name).astype(np.float32)
        if not np.isfinite(tensor).all():
            raise TensorsDamaged(f"{name} holds something other than a number")
        if tensor.ndim == 1:
            yield name, tensor
            continue
        if name == WORDS and tensor.shape[0] != pieces:
            raise UnreadableModel("its tokenizer is another model's")
        scale = np.abs(tensor).max(axis=1) / _LARGEST
        scale[scale == 0] = 1
        rounded = np.rint(tensor / scale[:, None]).astype(np.int8)
        # Layers lie in the file as they are multiplied.
        yield name, rounded if name.startswith(_EMBEDDINGS) else rounded.T
        yield name + _SCALE, scale


_PARTS: Final = (
    "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.output.dense", "attention.output.LayerNorm",
    "intermediate.dense", "output.dense", "output.LayerNorm",
)  # fmt: skip


def _layer(number: int) -> str:
    return f"encoder.layer.{number}."


class _Linear(NamedTuple):
    """A layer that multiplies; several that have the same inputs are one.

    Attributes:
        parts: whole bytes, inputs by outputs, one beside the other.
        scale, bias: each output's factor, and what is added to it.

    """

    parts: "tuple[Bytes, ...]"
    scale: "Floats"
    bias: "Floats"

    def of(self, values: "Floats", room: "Floats") -> "Floats":
        """Multiply.

        Args:
            values: pieces by inputs.
            room: for the weights as single floats. To use it again is quicker than to keep them:
                fresh memory costs more than the conversion.

        """
        inputs, outputs = values.shape[1], len(self.bias)
        weights = room[: inputs * outputs].reshape(inputs, outputs)
        begin = 0
        for part in self.parts:
            np.copyto(weights[:, begin : begin + part.shape[1]], part)
            begin += part.shape[1]
        product = values @ weights
        product *= self.scale
        product += self.bias
        return product


class _Norm(NamedTuple):
    """Brings each row to mean 0 and variance 1, then scales and shifts its dimensions."""

    weights: "Floats"
    bias: "Floats"
    epsilon: float

    def of(self, values: "Floats") -> "Floats":
        """Bring rows to it."""
        values = values - values.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", values, values) / values.shape[1]
        values *= (1 / np.sqrt(variance + self.epsilon))[:, None].astype(np.float32)
        values *= self.weights
        values += self.bias
        return values


_Layer = tuple[_Linear, _Linear, _Norm, _Linear, _Linear, _Norm]


class Encoder:
    """Computes vectors of texts that are split into pieces already.

    Args:
        tensors: a file that holds what ``compact`` gave.
        shape: of the encoder.

    Raises:
        TensorsDamaged: the file is of another shape.

    """

    def __init__(self, tensors: TensorFile, shape: EncoderShape) -> None:
        self.shape = shape
        self._words = tensors.array(WORDS)
        self._word_scale = _floats(tensors, WORDS + _SCALE)
        self._positions = _unpacked(tensors, f"{_EMBEDDINGS}position_embeddings.weight")
        self._positions = (
            self._positions + _unpacked(tensors, f"{_EMBEDDINGS}token_type_embeddings.weight")[0]
        )
        self._norm = _norm(tensors, f"{_EMBEDDINGS}LayerNorm", shape)
        self._layers = [self._read_layer(tensors, number) for number in range(shape.layers)]
        self._largest = max(
            sum(part.size for part in linear.parts)
            for joint, output, _, up, down, _ in self._layers
            for linear in (joint, output, up, down)
        )
        if self._words.shape[1] != shape.width or self._positions.shape[0] < shape.positions:
            raise TensorsDamaged("its tensors have another shape than its config.json says")

    def _read_layer(self, tensors: TensorFile, number: int) -> _Layer:
        at = _layer(number)
        return (
            _linear(tensors, *(at + name for name in _PARTS[:3])),
            _linear(tensors, at + _PARTS[3]),
            _norm(tensors, at + _PARTS[4], self.shape),
            _linear(tensors, at + _PARTS[5]),
            _linear(tensors, at + _PARTS[6]),
            _norm(tensors, at + _PARTS[7], self.shape),
        )

    def encode(self, texts: Sequence[Sequence[int]]) -> "Floats":
        """Give the vector of each text, of length 1.

        Args:
            texts: pieces of each, at most as many as there are positions.

        Returns:
            Texts by dimensions.

        """
        vectors = np.empty((len(texts), self.shape.width), np.float32)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        batch: list[int] = []
        pieces = 0
        for at in order:
            if batch and pieces + len(texts[at]) > _BATCH_PIECES:
                vectors[batch] = self._encode([texts[n] for n in batch])
                batch, pieces = [], 0
            batch.append(at)
            pieces += len(texts[at])
        if batch:
            vectors[batch] = self._encode([texts[n] for n in batch])
        return vectors

    def _encode(self, texts: Sequence[Sequence[int]]) -> "Floats":
        numbers = np.fromiter((n for text in texts for n in text), np.int64)
        places = np.concatenate([np.arange(len(text)) for text in texts])
        values = self._words[numbers].astype(np.float32) * self._word_scale[numbers, None]
        values += self._positions[places]
        values = self._norm.of(values)
        ends = np.cumsum([len(text) for text in texts])
        bounds = [(int(end) - len(text), int(end)) for text, end in zip(texts, ends, strict=True)]
        room = np.empty(self._largest, np.float32)
        for joint, output, first_norm, up, down, second_norm in self._layers:
            attended = self._attention(joint.of(values, room), bounds)
            values = first_norm.of(values + output.of(attended, room))
            values = second_norm.of(values + down.of(_gelu(up.of(values, room)), room))
        means = np.stack([values[begin:end].mean(axis=0) for begin, end in bounds])
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        vectors: Floats = (means / np.maximum(lengths, 1e-12)).astype(np.float32)
        return vectors

    def _attention(self, joint: "Floats", bounds: Sequence[tuple[int, int]]) -> "Floats":
        heads, width = self.shape.heads, self.shape.width
        size = width // heads
        attended = np.empty((joint.shape[0], width), np.float32)
        for begin, end in bounds:
            parts = joint[begin:end].reshape(end - begin, 3, heads, size).transpose(1, 2, 0, 3)
            queries, keys, contents = parts
            scores = (queries / np.float32(math.sqrt(size))) @ keys.transpose(0, 2, 1)
            scores -= scores.max(axis=2, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=2, keepdims=True)
            attended[begin:end] = (scores @ contents).transpose(1, 0, 2).reshape(-1, width)
        return attended


def _linear(tensors: TensorFile, *names: str) -> _Linear:
    """Read layers that multiply the same inputs.

    Raises:
        TensorsDamaged: one of them is not of whole bytes, inputs by outputs.

    """
    parts = []
    for name in names:
        part = tensors.array(f"{name}.weight")
        if part.dtype != np.int8 or part.ndim != 2:  # noqa: PLR2004  rows and columns
            raise TensorsDamaged(f"{name} is not of whole bytes")
        parts.append(part.astype(np.int8, copy=False))
    scales = [_floats(tensors, f"{name}.weight{_SCALE}") for name in names]
    biases = [_floats(tensors, f"{name}.bias") for name in names]
    return _Linear(tuple(parts), np.concatenate(scales), np.concatenate(biases))


def _norm(tensors: TensorFile, name: str, shape: EncoderShape) -> _Norm:
    weights, bias = _floats(tensors, f"{name}.weight"), _floats(tensors, f"{name}.bias")
    return _Norm(weights, bias, shape.epsilon)


def _floats(tensors: TensorFile, name: str) -> "Floats":
    return tensors.array(name).astype(np.float32)


def _unpacked(tensors: TensorFile, name: str) -> "Floats":
    return tensors.array(name).astype(np.float32) * _floats(tensors, name + _SCALE)[:, None]


def _gelu(values: "Floats") -> "Floats":
    """Give x times the normal distribution's share below x, in place.

    The error function by Abramowitz and Stegun, 7.1.26: wrong by 1.5e-7 at most.
    """
    x = np.abs(values)
    x *= np.float32(math.sqrt(0.5))
    t = np.float32(0.3275911) * x
    t += 1
    np.reciprocal(t, out=t)
    series = np.full_like(t, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series *= t
        series += np.float32(factor)
    series *= t
    x *= x
    np.negative(x, out=x)
    np.exp(x, out=x)
    series *= x  # 1 - erf(|x|)
    half = np.abs(values)
    half *= series
    half *= np.float32(0.5)
    np.maximum(values, 0, out=values)
    values -= half
    return values
