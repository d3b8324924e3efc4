"""What gitmem does when git calls its hooks, and how the hooks are installed.

A fault of ours never stands in the way: only a broken record or a secret that is staged refuses a
commit, and with ``guard.block`` a fix that is taken back; after ``SECONDS`` every hook gives up.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import GitmemError
from gitmem.memory.history import hooks

if TYPE_CHECKING:
    from gitmem.answers.guarded import TakenBack
    from gitmem.git.staged import Staged
    from gitmem.memory.history.hooks import InstalledHooks
    from gitmem.memory.memory import Memory
    from gitmem.records.problems import Problem


class StagedProblems(NamedTuple):
    """What is wrong with records that are staged: the memory's folder, and its problems."""

    folder: str
    problems: "list[Problem]"


class StagedTakeBacks(NamedTuple):
    """The fixes that what is staged takes back, whether the settings refuse that, and notices."""

    taken_back: "list[TakenBack]"
    blocks: bool
    notices: tuple[str, ...] = ()


class GitHooks:
    """The hooks of the repository around a folder. It need not have a memory.

    Args:
        start: any folder of the work tree.
        folder: what folders of memories are called.
        environ: environment variables, by default the process's own.

    Attributes:
        NAMES: of the hooks that have lines of ours.
        SECONDS: how long a hook may take.
        REFUSED: the exit code that refuses a commit; nothing else ends with it.
        CALLED: the variable that our lines set to the hook's name; managers of hooks do not.

    Methods raise EnvironmentProblem where there is no work tree of git, or git refuses.

    """

    NAMES: Final = hooks.NAMES
    SECONDS: Final = 2.0
    REFUSED: Final = hooks.REFUSED
    CALLED: Final = hooks.CALLED
    not_installed = staticmethod(hooks.not_installed)

    def __init__(self, start: str, folder: str, environ: Mapping[str, str] | None = None) -> None:
        self._start = start
        self._folder = folder
        self._environ = os.environ if environ is None else environ

    def status(self) -> "InstalledHooks":
        """Tell how our hooks are."""
        return hooks.status(self._start, self._folder)

    def install(self, *, outside: bool = False) -> "InstalledHooks":
        """Put our lines into the hooks, and register the merge driver.

        Args:
            outside: also where the hooks are outside the repository, perhaps for others, too.

        Raises:
            UsageError: they are outside, and that was not agreed to.

        """
        return hooks.install(self._start, self._folder, outside=outside)

    def uninstall(self) -> "InstalledHooks":
        """Take our lines out of the hooks, and the merge driver, too."""
        return hooks.uninstall(self._start, self._folder)

    def check_staged(self) -> list[StagedProblems]:
        """Find errors, secrets and ids twice in records as they are staged; links stay unjudged."""
        root = hooks.repository(self._start).root
        refused = []
        for head, records in hooks.memories_of(self._staged(), self._folder).items():
            folder = f"{head}/{self._folder}".lstrip("/")
            with self._memory(os.path.join(root, head)) as memory:
                problems = [
                    problem
                    for file in records
                    if file.content is not None
                    for problem in memory.editor.check_text(
                        file.path, file.content.decode(errors="replace"), links=False
                    )
                    if problem.severity == "error"
                ]
            problems += hooks.twins(self._start, folder, records, self._environ)
            if problems:
                refused.append(StagedProblems(folder, problems))
        return refused

    def guard_staged(self) -> StagedTakeBacks:
        """Find the fixes that what is staged takes back, by the memory at the work tree's top."""
        root = hooks.repository(self._start).root
        if not os.path.isdir(os.path.join(root, self._folder)):
            return StagedTakeBacks([], blocks=False)
        with self._memory(root) as memory:
            index = self._environ.get("GIT_INDEX_FILE")
            guarded = memory.history.guard(index=index, by="hook")
            blocks = memory.workspace.site.config.guard_block
            notices = tuple(dict.fromkeys(memory.workspace.notices))
            return StagedTakeBacks(guarded.taken_back, blocks, notices)

    def write_trailers(self, message_file: str, source: str = "") -> None:
        """Name the records that are staged as new ones in the message of the commit under way.

        Args:
            message_file: where the message is.
            source: where the message comes from, as git tells ``prepare-commit-msg``.

        """
        trailers = hooks.trailers(self._staged())
        hooks.write_trailers(self._start, message_file, trailers, source)

    def catch_up(self) -> None:
        """Bring derived state of the memory in step, if there is one here.

        It is not made in a hook: that takes longer than a hook may, and would begin anew each time.
        """
        from gitmem.sync.folder import has_catalog

        try:
            with self._memory(self._start) as memory:
                folder = memory.workspace.site.derived
                if folder and has_catalog(folder):
                    memory.checks.catch_up(indexed=False)  # the next search does the rest
        except GitmemError:
            return  # the next command tells

    def keep_committed(self) -> list[str]:
        """Keep drafts whose fix was just committed; give the ids of the records, if any."""
        from gitmem.memory.history.committed_fixes import keep_committed

        try:
            with self._memory(self._start) as memory:
                return keep_committed(memory.records)
        except GitmemError:
            return []  # the next command tells

    def _staged(self) -> "list[Staged]":
        return hooks.staged_files(self._start, self._folder, self._environ)

    def _memory(self, start: str) -> "Memory":
        from gitmem.memory.memory import Memory

        return Memory.open(start, environ=self._environ)
