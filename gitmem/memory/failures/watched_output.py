"""What a watched command prints: what it says, how its tests ended, how it ended itself."""

import os
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.capture.commands import masks_failure
from gitmem.capture.run_coverage import Listener

if TYPE_CHECKING:
    from gitmem.matching.parse import Parser
    from gitmem.memory.core.workspace import Workspace
    from gitmem.output.cases import Report
    from gitmem.output.failure import Failure


class WatchedOutput:
    """An output as it comes. What reads it is loaded with its first piece, beside the command.

    Args:
        workspace: whose matchers know more tools.
        command: an argument list.

    """

    def __init__(self, workspace: "Workspace", command: Sequence[str]) -> None:
        self._workspace = workspace
        self._command = command
        self._parser: Parser | None = None
        self._listener = Listener()

    def feed(self, data: bytes) -> None:
        """Take the next piece."""
        self._reader().feed(data)
        self._listener.feed(data)

    def close(self, *, passed: bool) -> "list[Failure]":
        """Give what went wrong; ``passed``: the exit code tells surely that nothing did."""
        return self._reader().close(passed=passed) if self._parser or not passed else []

    @property
    def whole(self) -> bool:
        """Tell whether all that was read is kept."""
        return not (self._parser and self._parser.more)

    @property
    def stopped(self) -> bool:
        """Tell whether a tool said that it ended before it had seen everything."""
        return self._listener.stopped

    def report(self) -> "Report | None":
        """Say how the tests ended, once it is closed; None if it tells of none."""
        return self._parser.report() if self._parser else None

    def ending(self, failures: "Sequence[Failure]", exit_code: int) -> "Failure | None":
        """Give the failure by which the command ended; None where others tell it, or none did.

        Args:
            failures: what was read.
            exit_code: as a shell counts it; a line of shell may hide that a part of it failed.

        """
        if not exit_code:
            return self._reader().uncaught() if masks_failure(self._command) else None
        name = os.path.basename(self._command[0])
        return None if failures else self._reader().ending(name, exit_code)

    def _reader(self) -> "Parser":
        if self._parser is None:
            from gitmem.matching.parse import Parser
            from gitmem.memory.core.matchers import matchers_of

            command = shlex.join(self._command)
            self._parser = Parser(command, matchers=matchers_of(self._workspace))
        return self._parser
