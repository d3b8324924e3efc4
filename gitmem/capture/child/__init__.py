"""Run a command as if we were not there, and listen to what it says.

Each stream is what ours is: a pseudo-terminal where our output is a terminal, else a pipe, and
our own input as it is. What arrives is first passed on unchanged, then handed to the listener;
no more than ``BACKLOG`` bytes wait for it. Only in the foreground of a terminal, with input and
output there, the child gets a session of its own, and every key. Elsewhere it stays in our
process group, where the terminal's signals reach it by themselves, and others in the pipeline
keep their keys.
"""

from gitmem.capture.child.passing import BACKLOG, Listener
from gitmem.capture.child.running import Ended, run

__all__ = ["BACKLOG", "Ended", "Listener", "run"]
