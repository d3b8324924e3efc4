"""Requirements of Python, as all its manifests write them."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from gitmem.lazy_pattern import lazily

_REQUIREMENT: Final = lazily(r"\s*([A-Za-z0-9][\w.-]*)")


def plain(name: str) -> str:
    """Write a distribution's name as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def required(stated: Iterable[object]) -> Iterator[str]:
    """Name the distributions of requirements; what is none is passed over."""
    for requirement in stated:
        if isinstance(requirement, str) and (match := _REQUIREMENT.match(requirement)):
            yield match[1]


def of_lines(lines: Iterable[str]) -> dict[str, Any]:
    """Read a manifest that only has requirements, one a line."""
    libraries = list(required(lines))
    return {"libraries": libraries, "declared": map(plain, libraries)}
