"""The command line: a lazy group, one file a command.

Being imported makes no garbage, and looking for some meanwhile takes 2 ms. click imports
``inspect``, which takes 5 ms, and needs it for help alone. What git does for a question to a
large memory takes longer than all imports: it is started before them, by the program alone.
"""

import gc
import os
import sys

from gitmem.cli.deferred import load_when_used
from gitmem.memory import look_ahead

_collecting = gc.isenabled()
gc.disable()
if os.path.basename(sys.argv[0]).removesuffix(".exe") == "gitmem":
    look_ahead(sys.argv[1:], os.environ)
load_when_used("inspect")
from gitmem.cli.main import main  # noqa: E402  after what makes it quick

if _collecting:
    gc.enable()

__all__ = ["main"]
