"""Points of the Test Anything Protocol: ``not ok 2 - adds``."""

import re
from typing import Final

from gitmem.lazy_pattern import lazily

POINT: Final = lazily(
    r"(?P<indent> *)(?P<bad>not )?ok (?P<number>\d+)(?P<dash> -)?(?: (?P<name>(?:[^#\\\n]|\\.|"
    r"(?<! )#|#(?! ?(?:skip|todo|time=)))*?))?"
    r"(?: +# ?(?P<note>(?:skip|todo|time=).*?))?(?P<opens> \{)?\s*$",
    re.IGNORECASE,
)
_TIMED: Final = lazily(r" in \d+ms$")


def title(match: re.Match[str]) -> str:
    """Give the name of a test point, without what only says how long it took."""
    name = (match["name"] or "").replace("\\#", "#").strip()
    return _TIMED.sub("", name)
