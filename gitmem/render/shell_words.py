"""Words that a shell completes with: what it takes for text, whoever wrote it."""

import re
from typing import Final

from gitmem.render.text import safe

# Whatever else is ASCII means something to bash at one place of a word or another.
_OBEYED: Final = r"[^\w./:=@%+,-]"
_PLAIN_IN_POWERSHELL: Final = r"[A-Za-z_./\\][\w./:=%+\\-]*|--?[A-Za-z][\w-]*"
_QUOTE_IN_POWERSHELL: Final = "['\u2018\u2019\u201a\u201b]"


def is_offerable(text: str) -> bool:
    """Tell whether a shell can be told this text as one word: in a line, and seen as it is."""
    return (
        bool(text) and "\n" not in text and "\t" not in text and safe(text) == text
    ) and text.isprintable()


def in_bash(text: str) -> str:
    """Quote a word as bash quotes names of files, each sign for itself.

    So its beginning can be typed on, and what several words have in common is quoted, too.
    """
    return re.sub(_OBEYED, r"\\\g<0>", text) if text else "''"


def in_powershell(text: str) -> str:
    """Quote a word for PowerShell, where quotes that are printed end a text as plain ones do."""
    if re.fullmatch(_PLAIN_IN_POWERSHELL, text, re.ASCII):
        return text
    return "'" + re.sub(_QUOTE_IN_POWERSHELL, r"\g<0>\g<0>", text) + "'"
