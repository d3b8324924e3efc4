"""The command line: a lazy group, one file a command.

Being imported makes no garbage, and looking for some meanwhile takes 2 ms. click imports
``inspect``, which takes 5 ms, and needs it for help alone. What git does for a question to a
large memory takes longer than all imports: it is started before them, by the program alone.
"""

import gc
import importlib.util
import os
import sys
from threading import RLock
from typing import Any

from gitmem.memory import look_ahead


def load_when_used(name: str) -> None:
    """Put a module without contents instead of ``name``, unless that is loaded already.

    ``importlib.util.LazyLoader`` is meant for this, but an import statement asks the module for
    its ``__spec__``, which makes that one load at once (Python 3.11).
    """
    spec = None if name in sys.modules else importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    waiting = [spec.loader.exec_module]
    lock = RLock()

    def load(attribute: str) -> Any:  # noqa: ANN401
        with lock:  # whoever comes second waits until there is something to see
            while waiting:
                waiting.pop()(module)
                del vars(module)["__getattr__"]
        try:
            return vars(module)[attribute]
        except KeyError:
            message = f"module {name!r} has no attribute {attribute!r}"
            raise AttributeError(message) from None

    vars(module)["__getattr__"] = load
    sys.modules[name] = module


_collecting = gc.isenabled()
gc.disable()
if os.path.basename(sys.argv[0]).removesuffix(".exe") == "gitmem":
    look_ahead(sys.argv[1:], os.environ)
load_when_used("inspect")
from gitmem.cli.main import main  # noqa: E402  after what makes it quick

if _collecting:
    gc.enable()

__all__ = ["main"]
