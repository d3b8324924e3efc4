"""Whether a title has to name the type of an error, or says it already. Pure."""

import re


def with_type(line: str, kind: str) -> str:
    """Put a type before a line that does not name it."""
    return line if not kind or _says(line, kind) else f"{kind}: {line}".rstrip(": ")


def _says(line: str, kind: str) -> bool:
    """Tell whether a line names a type: ``T`` is not in ``Text``, ``Error`` is in ``TypeError``."""
    if kind not in line:
        return False
    return bool(re.search(rf"(?:(?<!\w)|(?<=[a-z0-9])(?=[A-Z])){re.escape(kind)}(?!\w)", line))
