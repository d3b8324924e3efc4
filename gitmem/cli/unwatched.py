"""The watched command's exit code stands, whatever happens to gitmem: memory, handles, disk."""

import errno
import os
import resource
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Final

_RUNNING: Final = "gitmem.capture.child.running"
_FEW: Final = 64
_LACKING: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})


def end_a_thread() -> None:
    """Let a thread end now where there are few handles: its end opens a library, or aborts."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < _FEW:
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()


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
    if (last is None or not last.started) and _is_lack(error):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        try:
            os.execvp(words[0], words)  # noqa: S606  the user's own command, as typed
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


def _is_lack(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, MemoryError) or getattr(cause, "errno", None) in _LACKING:
            return True
        cause = cause.__cause__ or cause.__context__
    return False
