"""Modules that are loaded when something in them is used, not when they are imported.

``importlib.util.LazyLoader`` is meant for this, but an import statement asks the module for
its ``__spec__``, which makes that one load at once (Python 3.11).
"""

import importlib.util
import sys
from threading import RLock
from typing import Any


def load_when_used(name: str) -> None:
    """Put a module without contents in the place of ``name``, unless that is loaded already."""
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
