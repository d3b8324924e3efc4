"""What a manifest of Go says."""

import re
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.tools.enclosed import blocks

_MODULE: Final = lazily(r"^module\s+(\S+)", re.MULTILINE)
_VERSION: Final = lazily(r"^go\s+(\S+)", re.MULTILINE)
_BLOCK: Final = lazily(r"^require\s*\(", re.MULTILINE)
_BLOCK_END: Final = lazily(r"^\)", re.MULTILINE)
_ONE: Final = lazily(r"^require\s+(?!\()(.*)$", re.MULTILINE)


def read(text: str) -> dict[str, Any]:
    """Read ``go.mod``."""
    module, version = _MODULE.search(text), _VERSION.search(text)
    required = blocks(text, _BLOCK, _BLOCK_END)
    lines = [line for block in required for line in block.splitlines()]
    lines += _ONE.findall(text)
    stated = [
        (line, words[0])
        for line in lines
        if (words := line.split()) and not words[0].startswith("//")
    ]
    return {
        "name": module[1] if module else "",
        "wants": version[1] if version else "",
        "libraries": [name for line, name in stated if "// indirect" not in line],
        "declared": [name for _, name in stated],
    }
