"""An embedder that asks a server which speaks the OpenAI embeddings protocol.

Meant for a model on one's own machine (Ollama, llama.cpp, vLLM). Texts are sent to the
address in the personal settings, so no team setting and no record can choose it.
"""

import http.client
import json
import math
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.semantic.protocol import EmbeddedText, Vector, vector
from gitmem.semantic.text import cut

_BATCH: Final = 64
_SECONDS: Final = 30.0
"""To wait for a batch of records."""
_HASTE: Final = 5.0
"""To wait for a question, which somebody waits for."""
_LARGEST_ANSWER: Final = 64 << 20
_OK: Final = 200


class RemoteEmbedder:
    """See ``protocol.Embedder``. Nothing is sent before something is embedded or asked.

    Args:
        url: of the server, up to and with ``/v1``: ``http://localhost:11434/v1``.
        model: the model's name there.
        key: sent as a bearer token if not empty.

    Raises:
        UsageError: the address is none, or there is no model.

    """

    contextual = False

    def __init__(self, url: str, model: str, key: str = "") -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError(
                f"semantic.endpoint: {url!r} is not an address", "such as http://localhost:11434/v1"
            )
        if not model:
            raise UsageError("semantic.model is not set", "name the model that the server offers")
        self._url = url.rstrip("/")
        self._parts = urlsplit(self._url)
        self._model = model
        self._key = key
        self.name = f"endpoint {model} {self._url}"

    def embed(self, texts: Sequence[EmbeddedText]) -> list[Vector]:
        """See ``protocol.Embedder``."""
        vectors: list[Vector] = []
        for at in range(0, len(texts), _BATCH):
            batch = [cut(text) for text in texts[at : at + _BATCH]]
            vectors.extend(map(vector, self._ask(batch, _SECONDS)))
        return vectors

    def question(self, text: EmbeddedText) -> list[float]:
        """See ``protocol.Embedder``."""
        values = self._ask([cut(text)], _HASTE)[0]
        length = math.sqrt(math.fsum(value * value for value in values))
        return [value / length for value in values] if length else []

    def close(self) -> None:
        """Nothing stays open."""

    def _ask(self, texts: list[str], seconds: float) -> list[list[float]]:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body = json.dumps({"model": self._model, "input": [text or " " for text in texts]})
        secure = self._parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(self._parts.hostname or "", self._parts.port, timeout=seconds)
        try:
            connection.request("POST", f"{self._parts.path}/embeddings", body, headers)
            answer = connection.getresponse()
            data = answer.read(_LARGEST_ANSWER)
            if answer.status != _OK:
                raise self._problem(f"it answered {answer.status} {answer.reason}")
            return _vectors(json.loads(data), len(texts))
        except (OSError, http.client.HTTPException) as error:
            raise self._problem(str(error) or type(error).__name__) from None
        except (ValueError, KeyError, TypeError, IndexError):
            raise self._problem("its answer is not a list of embeddings") from None
        finally:
            connection.close()

    def _problem(self, cause: str) -> EnvironmentProblem:
        return EnvironmentProblem(
            f"no vectors from {self._url}: {cause}",
            "check that the server runs, or set semantic.embedder to off",
        )


def _vectors(answer: dict[str, Any], wanted: int) -> list[list[float]]:
    rows = sorted(answer["data"], key=lambda row: int(row["index"]))
    vectors = [[float(number) for number in row["embedding"]] for row in rows]
    sizes = {len(vector) for vector in vectors}
    if len(vectors) != wanted or len(sizes) != 1 or not min(sizes):
        raise ValueError("other vectors than asked for")
    return vectors
