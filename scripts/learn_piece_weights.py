"""Learn what each piece of a word weighs in a vector: ``gitmem/semantic/piece_weights.bin``.

    python scripts/learn_piece_weights.py DATA

DATA is a folder as ``make eval`` takes it. Weights are inverse document frequencies over its
errors and its decisions; the shared directions are the first singular vectors of the
resulting vectors. Only these figures are kept, nothing of the texts.
"""

import json
import math
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np

from gitmem.semantic.protocol import ERROR, PROSE, EmbeddedText
from gitmem.semantic.words import SIZE, WordTable, WordWeights, installed, write_learnt

PIECES: Final = 32_000
LARGEST: Final = 255
REPEATS: Final = {ERROR: 0.5, PROSE: 0.3}
"""Exponent of a piece's count in its text."""
POWERS: Final = {ERROR: 1.5, PROSE: 1.0}
"""Exponent of idf."""
SHARED: Final = {ERROR: 2, PROSE: 0}
SAMPLE: Final = 2_000
POOLS: Final = {ERROR: "errors_pool.jsonl", PROSE: "decisions_pool.jsonl"}


def learn(table: WordTable, manner: str, texts: list[str]) -> WordWeights:
    """Learn from the texts of one manner."""
    flat = WordWeights(bytes([1]) * PIECES, (0, 1), ())
    counting = WordTable.__new__(WordTable)
    counting.__dict__.update(table.__dict__, _learnt={manner: flat})
    having = Counter(
        piece for text in texts for piece in counting.factors(EmbeddedText(manner, text))
    )
    most = math.log(1 + (len(texts) + 0.5) / 0.5) ** POWERS[manner]
    weights = bytearray(PIECES)
    for piece in range(PIECES):
        count = having.get(piece, 0)
        idf = math.log(1 + (len(texts) - count + 0.5) / (count + 0.5))
        weights[piece] = round(LARGEST * idf ** POWERS[manner] / most)
    repeats = tuple(round(16 * count ** REPEATS[manner]) for count in range(33))
    learnt = WordWeights(bytes(weights), (0, *repeats[1:]), ())
    if not SHARED[manner]:
        return learnt
    table.__dict__["_learnt"] = {manner: learnt}
    chosen = np.random.default_rng(1).permutation(len(texts))[:SAMPLE]
    vectors = table.embed([EmbeddedText(manner, texts[at]) for at in chosen])
    rows = np.array([np.frombuffer(one.values, np.int8) for one in vectors], np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    whole = [
        tuple(int(one) for one in np.rint(direction * 127 / np.abs(direction).max()))
        for direction in directions[: SHARED[manner], :SIZE]
    ]
    return learnt._replace(shared=tuple(whole))


def main() -> None:
    """Learn, and write the file."""
    package = installed()
    if package is None or len(sys.argv) != 2:  # noqa: PLR2004  the program and its argument
        sys.exit("usage: learn_piece_weights.py DATA   (needs the extra: semantic)")
    with tempfile.TemporaryDirectory() as folder:
        table = WordTable(
            package, str(Path(folder) / "pieces.bin"), {ERROR: WordWeights(b"", (), ())}
        )
        learnt = {}
        for manner, name in POOLS.items():
            with (Path(sys.argv[1]) / name).open(encoding="utf-8") as stream:
                rows = [json.loads(line) for line in stream]
            texts = [f"{row['title']}\n{row['body']}" for row in rows]
            learnt[manner] = learn(table, manner, texts)
        write_learnt(learnt)


if __name__ == "__main__":
    main()
