"""How a command ended of which nothing else tells that it failed, or what."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.capture.commands import masks_failure

if TYPE_CHECKING:
    from gitmem.matching.parse import Parser
    from gitmem.output.failure import Failure


def ending_of(
    parser: "Parser", failures: "Sequence[Failure]", command: Sequence[str], exit_code: int
) -> "Failure | None":
    """Give the failure by which a command ended; None where others tell it, or nothing failed.

    Args:
        parser: has read its output to the end.
        failures: what it read.
        command: an argument list.
        exit_code: as a shell counts it; a line of shell may hide that a part of it failed.

    """
    if not exit_code:
        return parser.uncaught() if masks_failure(command) else None
    return None if failures else parser.ending(os.path.basename(command[0]), exit_code)
