"""Whole records: every text in nested plain data, with the key as the name of its value."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gitmem.redaction.allowed import Allowed
from gitmem.redaction.plausible import Weight, weigh, words_of
from gitmem.redaction.redact import BUDGET, Redactor
from gitmem.redaction.spans import Redacted, SecretFinding

_DEEPEST: Final = 200
_LEAST_NUMBER: Final = 6


def redact_data(
    data: Any,  # noqa: ANN401  plain data is of any type
    *,
    environ: Mapping[str, str],
    allow: Sequence[Allowed] = (),
    budget: int = BUDGET,
) -> tuple[Any, tuple[SecretFinding, ...]]:
    """Take the secrets out of mappings, lists and texts; everything else is left as it is.

    What has no findings comes back as it is, not as a copy. Lines and columns of findings count
    in the text that each was found in. The same secret has the same label throughout.
    """
    walk = _Walk(Redactor(environ, allow, budget))
    return walk.value(data, "", 0), tuple(walk.found)


class _Walk:
    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.found: list[SecretFinding] = []

    def value(self, data: Any, key: str, depth: int) -> Any:  # noqa: ANN401
        if isinstance(data, str):
            return self._text(data, key)
        if depth > _DEEPEST:
            self.found.append(SecretFinding("rest", 1, 1, 0, "nested deeper than is searched"))
            return "<redacted:rest, nested too deep>"
        if isinstance(data, Mapping):
            redacted = {
                self._key(name): self.value(inner, str(name), depth + 1)
                for name, inner in data.items()
            }
            return (
                redacted
                if any(a is not b for a, b in zip(redacted.values(), data.values(), strict=False))
                or list(redacted) != list(data)
                else data
            )
        if isinstance(data, list | tuple):
            items = [self.value(inner, key, depth + 1) for inner in data]
            if all(a is b for a, b in zip(items, data, strict=True)):
                return data
            return items if isinstance(data, list) else tuple(items)
        if type(data) is int and abs(data) >= 10 ** (_LEAST_NUMBER - 1) and _is_password(key):
            shown = self._text(str(data), key)
            return data if shown == str(data) else shown
        return data

    def _key(self, name: Any) -> Any:  # noqa: ANN401
        return self._take(self._redactor.redact_name(name), name) if isinstance(name, str) else name

    def _text(self, text: str, key: str) -> str:
        if text and weigh(key) is not Weight.NONE and "\n" not in text:
            return self._take(self._redactor.redact_value(key, text), text)
        return self._take(self._redactor.redact(text), text)

    def _take(self, redacted: Redacted, text: str) -> str:
        self.found += redacted.found
        return redacted.text if redacted.found else text


def _is_password(key: str) -> bool:
    return weigh(key) is Weight.PASSWORD and words_of(key)[-1] != "pass"
