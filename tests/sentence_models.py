"""A tiny sentence model made by tests: random weights, a vocabulary of a few pieces."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from gitmem.semantic import tensors

WORDS = ("bill", "invoice", "store", "where", "do", "we", "keep", "the", "our", "##s", "a", "b",
         "##a", "##b", "cat", ".", "?", "postgres", "why")  # fmt: skip
PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS)
CONFIG: dict[str, Any] = {
    "model_type": "bert", "hidden_act": "gelu", "hidden_size": 12, "num_attention_heads": 3,
    "num_hidden_layers": 2, "intermediate_size": 20, "max_position_embeddings": 16,
    "layer_norm_eps": 1e-12, "vocab_size": len(PIECES), "type_vocab_size": 2,
}  # fmt: skip
TOKENIZER: dict[str, Any] = {
    "version": "1.0", "added_tokens": [], "truncation": None, "padding": None,
    "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                   "strip_accents": None, "lowercase": True},
    "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": None, "decoder": None,
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 100,
              "vocab": {piece: number for number, piece in enumerate(PIECES)}},
}  # fmt: skip


def weights(seed: int = 7) -> dict[str, np.ndarray[Any, Any]]:
    """Draw the weights of a model of this shape, by the names that they have in files."""
    draw = np.random.default_rng(seed)
    width, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]

    def of(*shape: int) -> np.ndarray[Any, Any]:
        return draw.normal(0, 0.4, shape).astype(np.float32)

    drawn = {
        "embeddings.word_embeddings.weight": of(len(PIECES), width),
        "embeddings.position_embeddings.weight": of(CONFIG["max_position_embeddings"], width),
        "embeddings.token_type_embeddings.weight": of(2, width),
        "embeddings.LayerNorm.weight": 1 + of(width),
        "embeddings.LayerNorm.bias": of(width),
    }
    for layer in range(CONFIG["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        for name, rows, columns in (
            ("attention.self.query", width, width), ("attention.self.key", width, width),
            ("attention.self.value", width, width), ("attention.output.dense", width, width),
            ("intermediate.dense", inner, width), ("output.dense", width, inner),
        ):  # fmt: skip
            drawn[f"{at}{name}.weight"], drawn[f"{at}{name}.bias"] = of(rows, columns), of(rows)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            drawn[f"{at}{name}.weight"], drawn[f"{at}{name}.bias"] = 1 + of(width), of(width)
    return drawn


def write_folder(folder: Path, **config: object) -> Path:
    """Write a model's folder as sentence encoders come."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors.write(str(folder / "model.safetensors"), weights(), {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(CONFIG | config), encoding="utf-8")
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER), encoding="utf-8")
    return folder
