"""How a command ended that failed without a word that any parser knows: its last telling line."""

from collections.abc import Sequence

from gitmem.matching.basis import exited
from gitmem.output.failure import MAX_MESSAGE, Failure, excerpt
from gitmem.tools.common.closing import LOOKED_AT, telling_line


def ending(lines: Sequence[str], name: str, exit_code: int) -> Failure:
    """Give a failure for a command that failed: no tool is known for its words.

    Args:
        lines: the last lines of the output.
        name: the program's.
        exit_code: how it ended.

    """
    telling = telling_line(lines, 0, len(lines))
    if not telling:
        return Failure(tool=name, message=exited(name, exit_code))
    quoted = excerpt(lines, max(0, len(lines) - LOOKED_AT), len(lines))
    return Failure(message=telling[:MAX_MESSAGE], excerpt=quoted)
