"""The events of ``go test -json`` turned back into the lines that ``go test -v`` prints.

Events of tests that run beside each other are mixed; here every test's lines come together, when
it has ended. What is no event stays as it is.
"""

import json
from typing import Any, Final

SIGN: Final = '"Action":"'
_ENDS: Final = frozenset({"pass", "fail", "skip"})
_NOT_BUILT: Final = " [build failed]"
_MOST_WAITING: Final = 1 << 20  # characters of output of tests that have not ended


class GoEvents:
    """Takes blocks of text in order."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], list[str]] = {}
        self._size = 0

    def plain(self, text: str) -> str:
        """Give a block with its events as plain lines."""
        if SIGN not in text:
            return text
        lines: list[str] = []
        for line in text.split("\n"):
            event = _event(line)
            if event is None:
                lines.append(line + "\n")
            else:
                lines += self._of_event(event)
        return "".join(lines).removesuffix("\n") + "\n"

    def rest(self) -> str:
        """Give what tests said that never ended."""
        rest = "".join(part for parts in self._waiting.values() for part in parts)
        self._waiting.clear()
        return rest

    def _of_event(self, event: dict[str, Any]) -> list[str]:
        action, output = event.get("Action"), event.get("Output")
        key = (str(event.get("Package", "")), str(event.get("Test", "")))
        if isinstance(output, str):
            if not key[1] or self._size > _MOST_WAITING:
                return [output]
            self._waiting.setdefault(key, []).append(output)
            self._size += len(output)
        if action in _ENDS and key in self._waiting:
            parts = self._waiting.pop(key)
            self._size -= sum(map(len, parts))
            return parts
        return []


def _event(line: str) -> dict[str, Any] | None:
    if not line.startswith("{") or SIGN not in line:
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("Action"), str) else None


def as_output(name: str, text: str, *, collecting: bool) -> str:  # noqa: ARG001  one form for all
    """Put the lines around the text of a case that stand there in the output."""
    if _NOT_BUILT in text:
        return ""  # no test failed: a package is named, and what the compiler said stands elsewhere
    return f"--- FAIL: {name.rpartition('::')[2]} (0.00s)\n{text}\nFAIL\n"
