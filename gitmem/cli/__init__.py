"""The command line: a lazy group, one file a command.

Being imported makes no garbage, and looking for some meanwhile takes 2 ms. Some modules of Python
are imported by many and used by few: ``inspect``, which takes 5 ms, for help alone. What git does
for a question to a large memory takes longer than all imports: it is started before them, by the
program alone.
A hook of an assistant is answered without click.
"""

import gc
import importlib.util
import os
import sys
from collections.abc import Sequence
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


def answers_alone(arguments: Sequence[str]) -> bool:
    """Tell whether a hook of an assistant was called as it is set: with a name, nothing else."""
    from gitmem.assistants.hooks import HOOK_CLIENTS

    return len(arguments) == 1 and arguments[0] in HOOK_CLIENTS


_collecting = gc.isenabled()
gc.disable()
_program = os.path.basename(sys.argv[0]).removesuffix(".exe") == "gitmem"
if _program:
    look_ahead(sys.argv[1:], os.environ)
load_when_used("inspect")
# What is imported comes after what makes it quick.
if _program and sys.argv[1:2] == ["assistant-hook"] and answers_alone(sys.argv[2:]):
    for _name in ("locale", "shutil", "tempfile"):
        load_when_used(_name)
    from gitmem.cli.hook_answers import main
else:
    from gitmem.cli.main import main

if _collecting:
    gc.enable()

__all__ = ["main"]
