"""The watched command's exit code stands, whatever happens to gitmem: memory, handles, disk."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import Final

from gitmem.system import become

_RUNNING: Final = "gitmem.system.child"
_LACKING: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})

# The loader of shared libraries has no numbers, only words.
_LITTLE_SAID: Final = ("without exception set", "can't start new thread")
"""How Python puts a failure where it had no memory left."""
_LOADER_LACKS: Final = (
    "failed to map segment", *(os.strerror(number) for number in sorted(_LACKING)),
)  # fmt: skip


def exit_code_of_run(args: Sequence[str], error: BaseException) -> int | None:
    """Give the exit code of the command of ``gitmem run``; None where that is not what failed.

    A command that could not even be started, for lack of memory or handles, is run without us:
    this process becomes it.

    Args:
        args: of gitmem.
        error: what happened.

    """
    words = _command(args)
    if not words:
        return None
    running = sys.modules.get(_RUNNING)
    last = getattr(running, "LAST", None)
    if last is not None and last.exit_code is not None:
        return int(last.exit_code)
    if (last is None or not last.started) and is_lack(error):
        try:
            return become(words)
        except OSError as failed:
            return 127 if failed.errno == errno.ENOENT else 126
    return None


def _command(args: Sequence[str]) -> list[str]:
    """Give the words of the command behind ``run``; none where they can't be told for sure."""
    if not args or args[0] != "run":
        return []
    rest = list(args[1:])
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    return rest if rest and not rest[0].startswith("-") else []


def is_lack(error: BaseException) -> bool:
    """Tell whether what happened is for lack of memory or handles, also of a library's loader."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError) or getattr(cause, "errno", None) in _LACKING:
            return True
        if isinstance(cause, SystemError | RuntimeError) and str(cause).endswith(_LITTLE_SAID):
            return True
        if isinstance(cause, ImportError) and any(sign in str(cause) for sign in _LOADER_LACKS):
            return True
        cause = cause.__cause__ or cause.__context__
    return False
