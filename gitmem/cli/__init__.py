"""The command line: a lazy group, one file a command.

Being imported makes no garbage, and looking for some meanwhile takes 2 ms. click imports
``inspect``, which takes 5 ms, and needs it for help alone.
"""

import gc

from gitmem.cli.deferred import load_when_used

_collecting = gc.isenabled()
gc.disable()
load_when_used("inspect")
from gitmem.cli.main import main  # noqa: E402  after what makes it quick

if _collecting:
    gc.enable()

__all__ = ["main"]
