"""Write ``gitmem/tools/index.py``: what all tools say, so that nobody imports them to find out.

    generate_tools.py           writes it
    generate_tools.py --check   exits 1 if it is not as the tools are

Texts, numbers and collections of them are copied; of a callable it is only noted who has one.
"""

import pkgutil
import pprint
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import gitmem.tools as package  # noqa: E402
from gitmem.tools.base import Tool  # noqa: E402
from gitmem.tools.collecting import fields_of  # noqa: E402

NO_TOOLS = frozenset(
    {
        "base",
        "choice",
        "collecting",
        "enclosed",
        "forms",
        "index",
        "knowledge",
        "output_parts",
        "packages",
    }
)
"""Modules of the package beside the rooms."""
INDEX = ROOT / "gitmem" / "tools" / "index.py"
_HEAD = '''"""What all tools say, collected; written by ``scripts/generate_tools.py``."""

from collections.abc import Mapping
from typing import Any, Final

'''


def tools() -> list[tuple[str, Tool]]:
    """Give the tools with the names of their modules, the more specific first."""
    found = []
    for module in pkgutil.iter_modules(package.__path__):
        tool = None
        if not module.ispkg and module.name not in NO_TOOLS:
            tool = getattr(import_module(f"{package.__name__}.{module.name}"), "TOOL", None)
        if tool is not None:
            found.append((module.name, tool))
    return sorted(found, key=lambda pair: (pair[1].order, pair[0]))


def fields() -> dict[str, dict[str, Any]]:
    """Give what tools say of each field, those at their defaults left out."""
    return fields_of(tools())


def text() -> str:
    """Write the module."""
    names = tuple(module for module, _ in tools())
    said = "".join(
        f"    {field!r}: {{\n"
        + "".join(f"        {name!r}: {value!r},\n" for name, value in by_tool.items())
        + "    },\n"
        for field, by_tool in fields().items()
    )
    return (
        f"{_HEAD}# fmt: off\n"
        f"NAMES: Final = {pprint.pformat(names, width=96, compact=True)}\n"
        f'"""Modules of tools, the more specific first."""\n\n'
        f"FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {{\n{said}}}\n"
        f'"""By field and tool what it says; of a callable that it has one."""\n'
    )


def main(arguments: list[str]) -> int:
    """Run as a script."""
    wanted = text()
    if "--check" in arguments:
        same = INDEX.exists() and INDEX.read_text(encoding="utf-8") == wanted
        if not same:
            print("gitmem/tools/index.py is not as the tools are: make tools", file=sys.stderr)
        return 0 if same else 1
    INDEX.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
