"""The code of a work tree as watched commands find it, and the runs that were noted there."""

import os
import shlex
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from gitmem.capture.history import RunHistory
from gitmem.memory.core.redaction import redact
from gitmem.memory.core.team_rules import mask_rules
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.capture.runs import Run
    from gitmem.memory.failures.access import RecordAccess

_LATELY = 5
_OUTPUTS = 20
"""So many watched runs back files are known as outputs."""


class RunStart(NamedTuple):
    """What a command found when it began: the time, a snapshot of the code, the commit."""

    at: datetime
    tree: str
    head: str


class WatchedCode:
    """The code in which commands are watched, with the runs that were noted; read once.

    Args:
        records: of the memory.

    Attributes:
        base: the work tree's top; outside git the folder that the memory belongs to.
        folder: where commands are run, relative to it.
        history: the runs of each command.
        timeline: the newest runs of the commands last run, oldest first.

    """

    def __init__(self, records: "RecordAccess") -> None:
        self._records = records
        workspace = records.workspace
        site = workspace.site
        self.base = site.repository_root
        self.folder = relative_path(os.path.realpath(workspace.start), self.base)
        name = site.git_dirs.git_dir if site.git_dirs else self.base
        self.history = RunHistory(
            workspace.journal, name, partial(mask_rules, site, workspace.notices)
        )
        self.timeline = self.history.timeline()

    @property
    def any_red(self) -> bool:
        """Whether the newest run of any command failed."""
        newest = {(run.folder, run.command): run.green for run in self.timeline}
        return not all(newest.values())

    @property
    def passed_elsewhere(self) -> bool:
        """Whether what failed may have passed lately for what lies around the code alone."""
        return any(run.green and run.around for run in self.timeline[-_LATELY:])

    def failed_on(self, tree: str) -> frozenset[str]:
        """Name what failed on this very code: it fails still, whatever came in between."""
        same = (run for run in self.timeline if tree and tree in {run.tree, run.left})
        return frozenset[str]().union(*(run.sites for run in same))

    def past(self, run: "Run") -> tuple[str, ...]:
        """Name the open failures past whose place the code ran before it failed otherwise."""
        work_tree = self._records.work_tree
        if work_tree is None or not run.tree or not run.failures:
            return ()
        from gitmem.capture.passed_places import sites_past

        return tuple(sites_past(self.timeline, run, work_tree.patch, work_tree.text))

    def earlier(self, command: Sequence[str]) -> "list[Run]":
        """Give the runs that were noted of a command in this folder, oldest first."""
        mine = (tuple(command), self.folder)
        own = [run for run in self.timeline if (run.command, run.folder) == mine]
        return own or self.history.of(command, self.folder)

    def redacted(self, command: Sequence[str]) -> tuple[str, ...]:
        """Give a command without its secrets, as it is noted."""
        text = shlex.join(command)
        shown = str(redact(self._records.workspace, {"command": text})[0]["command"])
        return tuple(command if shown == text else shlex.split(shown))

    def look(self, outputs: Sequence[str] = ()) -> tuple[str, str]:
        """Take a snapshot without what outputs of watched commands were written to.

        Args:
            outputs: those of the command at hand; what earlier ones wrote is known.

        Returns:
            The snapshot and the commit; both are empty outside git.

        Raises:
            EnvironmentProblem: the snapshot can't be written.

        """
        work_tree = self._records.work_tree
        if work_tree is None:
            return "", ""
        earlier = {path for run in self.timeline[-_OUTPUTS:] for path in run.outputs}
        return work_tree.look(sorted(earlier.union(outputs)))
