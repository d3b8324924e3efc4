"""What installing gitmem without extras puts on a disk: itself and all that it needs."""

import marshal
import os
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from benchmarks.figures import Figure

_NAME: Final = "gitmem-native"
_PACKAGES: Final = ("gitmem", "lsp_server")
_MB: Final = 1_000_000
_HEADER: Final = 16
"""Bytes before the code in a compiled module."""


def measure() -> Figure:
    """Add up the files of the distributions, compiled modules included, as pip leaves them."""
    names = sorted(needed(_NAME) - {_NAME})
    root = Path(__file__).resolve().parent.parent
    own = sum(sum(_sizes(root / package)) for package in _PACKAGES)
    others = sum(_size(name) for name in names)
    return Figure(
        "install", "Installing", "gitmem and all that it needs", ((own + others) / _MB,), "MB",
        f"{len(names)} other packages",
    )  # fmt: skip


def needed(name: str) -> set[str]:
    """Name a distribution and all that it needs without extras."""
    names, left = set[str](), [name]
    while left:
        package = left.pop()
        if package in names:
            continue
        names.add(package)
        for text in metadata.requires(package) or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                left.append(re.sub(r"[-_.]+", "-", requirement.name).lower())
    return names


def _size(name: str) -> int:
    files = metadata.files(name) or ()
    paths = (str(file.locate()) for file in files)
    return sum(os.path.getsize(path) for path in paths if os.path.isfile(path))


def _sizes(folder: Path) -> Iterator[int]:
    """Give the sizes of our files, each module also compiled, as pip leaves it.

    What lies compiled beside them is only what ran here.
    """
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            yield path.stat().st_size
            if path.suffix == ".py":
                code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
                yield _HEADER + len(marshal.dumps(code))
