"""Paths of this machine become paths of the repository: a record is read on other machines.

``/home/ann/shop/src/clock.py`` says ``src/clock.py`` in a record of the repository
``/home/ann/shop``, and what lies elsewhere in a home folder starts with ``~``.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

_STROKE: Final = re.compile(r"\\{1,2}|/")
_LEAST: Final = 4
"""Characters of a folder's path: a repository in ``/`` or ``/a`` says nothing worth cutting."""


def localised(data: Any, roots: Sequence[str], home: str = "") -> Any:  # noqa: ANN401
    """Shorten paths in every text of plain data.

    Args:
        data: texts, mappings and lists of them; other values stay.
        roots: the repository's folder under all its names.
        home: the user's home folder; empty: it is not known.

    """
    names = tuple(root.rstrip("/\\") for root in roots if len(root.rstrip("/\\")) >= _LEAST)
    return _each(data, names, home.rstrip("/\\") if len(home.rstrip("/\\")) >= _LEAST else "")


def _each(data: Any, roots: tuple[str, ...], home: str) -> Any:  # noqa: ANN401
    if isinstance(data, str):
        for root in roots:
            data = _cut(data, root, "")
        return _cut(data, home, "~/") if home else data
    if isinstance(data, dict):
        return {key: _each(value, roots, home) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_each(value, roots, home) for value in data]
    return data


def _cut(text: str, folder: str, instead: str) -> str:
    if folder[1:2] != ":":
        return _under(folder).sub(instead, text) if folder in text else text
    for pattern in _under_drive(folder):
        text = pattern.sub(lambda match: instead + _STROKE.sub("/", match[1]), text)
    return text


@cache
def _under_drive(folder: str) -> tuple[re.Pattern[str], ...]:
    """Find what lies in a folder of Windows: in any case, with either stroke, perhaps doubled.

    In a path alone there may be blanks; in a text they end it.
    """
    stroke = f"(?:{_STROKE.pattern})"
    under = stroke.join(map(re.escape, _STROKE.split(folder))) + stroke
    alone = rf"(?i)\A{under}([^\n\"<>|?*:]+)\Z"
    return re.compile(alone), re.compile(
        rf"(?i)(?<![\w.~/\\-])(?:file:///)?{under}([^\s\"'<>|?*:(),]+)"
    )


@cache
def _under(folder: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.~/-])(?:file://)?{re.escape(folder)}/(?=[^\s/])")
