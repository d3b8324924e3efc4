"""setuptools: builds packages of Python from ``setup.py`` and ``setup.cfg``."""

from typing import Any

from gitmem.tools.base import Tool, ToolFiles
from gitmem.tools.common.requirements import of_lines


def read_manifest(text: str) -> dict[str, Any]:
    """Read ``setup.cfg`` by hand: what configparser refuses in it is no matter here."""
    values, inside = [], False
    for line in text.splitlines():
        stated = line
        if line[:1].strip():
            inside = line.startswith(("install_requires", "tests_require"))
            stated = line.partition("=")[2]
        if inside:
            values.append(stated)
    return of_lines(values)


TOOL = Tool(
    "setuptools",
    order=296,
    language="python",
    files=ToolFiles(
        manifests=("setup.cfg",),
        supplies=("setup.py", "setup.cfg"),
        reads={"setup.cfg": "Python"},
        read=read_manifest,
        aside=(r"setup\.cfg", r"manifest\.in"),
    ),
)
