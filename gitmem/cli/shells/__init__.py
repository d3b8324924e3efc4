"""What gitmem gives to shells: a file for each of them, named by its purpose and the shell."""

import os
from typing import Final

_FOLDER: Final = os.path.dirname(__file__)
SHELLS: Final = ("bash", "zsh", "fish", "powershell")


def text_for(shell: str, purpose: str) -> str:
    """Read what a shell is given: its ``completion``, or what it does at its ``prompt``."""
    with open(os.path.join(_FOLDER, f"{purpose}.{shell}"), encoding="utf-8") as file:
        return file.read().rstrip("\n")
