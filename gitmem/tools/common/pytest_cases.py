"""Cases of pytest's reports, named and worded as its output has them."""

import re
from collections.abc import Collection
from typing import Final

_RULE: Final = "_" * 20
_MODULE: Final = re.compile(r"test_\w+|\w+_test")


def as_output(name: str, text: str, *, collecting: bool) -> str:
    """Put the head before the text of a case that stands there in the output."""
    short = name if collecting else name.rpartition("::")[2]
    head = f"ERROR collecting {short}" if collecting else short
    return f"{_RULE} {head} {_RULE}\n{text.strip(chr(10))}\n"


def node_id(owner: str, name: str, *, file: str, messages: Collection[str]) -> str:
    """Give the node id; without ``file``, the module is the last part that is named like one."""
    parts = owner.split(".") if owner else []
    if not parts:
        # A file that can't be collected has its dotted path as its name.
        broken = "collection failure" in messages
        return name.replace(".", "/") + ".py" if broken else name
    named = [at for at, part in enumerate(parts) if _MODULE.fullmatch(part)]
    last = named[-1] if named else len(parts) - 1
    path = file or "/".join(parts[: last + 1]) + ".py"
    classes = parts[len(file.removesuffix(".py").split("/")) :] if file else parts[last + 1 :]
    return "::".join([path, *classes, name])
