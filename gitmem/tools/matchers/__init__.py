"""Problem matchers: tools that a repository describes as data, in the forms of two editors.

They come with a clone, so nothing in them is trusted: see ``steps`` for what bounds a pattern.
"""

from typing import Final, NamedTuple

MOST_FILES: Final = 20


class RefusedMatcher(NamedTuple):
    """A matcher, or a file of them, that is not used.

    Attributes:
        file: relative to the repository.
        reason: in one line.

    """

    file: str
    reason: str
