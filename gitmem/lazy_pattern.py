"""Regular expressions that are compiled at their first use: most commands need few of them."""

import re
from typing import Any, cast

_waiting: list["_Lazy"] = []  # for their first use
_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn")


class _Lazy:
    """Stands for a compiled pattern; from the first question on its methods are the pattern's."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags
        _waiting.append(self)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever a pattern has
        if name not in _METHODS:
            raise AttributeError(name)
        self.compile()
        return self.__dict__[name]

    def compile(self) -> None:
        compiled = re.compile(self.pattern, self.flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))


def lazily(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Give a pattern that is compiled at its first use.

    It has a pattern's methods, its text and the flags that were given, nothing else.
    """
    return cast("re.Pattern[str]", _Lazy(pattern, flags))


def compile_next() -> bool:
    """Compile one of the patterns that were not used yet; false if there is none."""
    while True:
        try:
            pattern = _waiting.pop()
        except IndexError:  # asked beforehand, another thread could take the last one meanwhile
            return False
        if _METHODS[0] not in pattern.__dict__:
            pattern.compile()
            return True
