"""Paths of this machine become paths of the repository: a record is read on other machines.

``/home/ann/shop/src/clock.py`` says ``src/clock.py`` in a record of the repository
``/home/ann/shop``, and what lies elsewhere in a home folder starts with ``~``.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

_LEAST: Final = 4
"""Characters of a folder's path: a repository in ``/`` or ``/a`` says nothing worth cutting."""


def localised(data: Any, roots: Sequence[str], home: str = "") -> Any:  # noqa: ANN401
    """Shorten paths in every text of plain data.

    Args:
        data: texts, mappings and lists of them; other values stay.
        roots: the repository's folder under all its names.
        home: the user's home folder; empty: it is not known.

    """
    names = tuple(root.rstrip("/") for root in roots if len(root.rstrip("/")) >= _LEAST)
    return _each(data, names, home.rstrip("/") if len(home.rstrip("/")) >= _LEAST else "")


def _each(data: Any, roots: tuple[str, ...], home: str) -> Any:  # noqa: ANN401
    if isinstance(data, str):
        for root in roots:
            if root in data:
                data = _under(root).sub("", data)
        if home and home in data:
            data = _under(home).sub("~/", data)
        return data
    if isinstance(data, dict):
        return {key: _each(value, roots, home) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_each(value, roots, home) for value in data]
    return data


@cache
def _under(folder: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.~/-])(?:file://)?{re.escape(folder)}/(?=[^\s/])")
