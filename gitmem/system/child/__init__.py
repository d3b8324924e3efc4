"""Run a command as if we were not there, and listen to what it says.

What arrives is first passed on unchanged, then handed to the listener; no more than ``BACKLOG``
bytes wait for it.

On Unix each stream is what ours is: a pseudo-terminal where our output is a terminal, else a pipe,
and our own input as it is. Only in the foreground of a terminal, with input and output there, the
child gets a session of its own, and every key. Elsewhere it stays in our process group, where the
terminal's signals reach it by themselves, and others in the pipeline keep their keys.

On Windows its output is a pipe, and it shares our console: keys and Ctrl-C reach it without us.
"""

import sys

from gitmem.system.child.shared import BACKLOG, LAST, Ended, Listener

if sys.platform == "win32":
    from gitmem.system.child.windows import run
else:
    from gitmem.system.child.running import run

__all__ = ["BACKLOG", "LAST", "Ended", "Listener", "run"]
