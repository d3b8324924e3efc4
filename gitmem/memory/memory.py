"""The vocabulary of gitmem: what the commands, the editor and Python programs can ask."""

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.memory.writable import Writable

if TYPE_CHECKING:
    from gitmem.capture.cases import Failing
    from gitmem.capture.looking import LiveFailure
    from gitmem.capture.recognising import Match
    from gitmem.capture.runs import Run
    from gitmem.catalog.rows import Row
    from gitmem.memory.advice.facade import Advisor
    from gitmem.memory.codebase.facade import Code
    from gitmem.memory.exchange.facade import Transfer
    from gitmem.memory.checks.facade import MemoryChecks
    from gitmem.memory.checks.status import MemoryStatus
    from gitmem.memory.codebase.facade import Code
    from gitmem.memory.core.facade import SettingsAccess
    from gitmem.memory.exchange.facade import Transfer
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.failures.facade import Failures
    from gitmem.memory.history.facade import History
    from gitmem.memory.initialise import Initialised
    from gitmem.memory.models.facade import Models
    from gitmem.memory.statistics.facade import Statistics
    from gitmem.memory.views.facade import EditorQuestions
    from gitmem.records.kinds import Record

    # The class has a method named list, so types of lists are named out here.
    Cases = list[Failing]
    Hints = list[Match]
    Lives = list[LiveFailure]
    Records = list[Record]
    Rows = list[Row]
    Runs = list[Run]


class Memory(Writable):
    """One repository's memory. Use as a context manager, or call ``close``.

    Every method catches up with the files first. Reading never changes a tracked file.
    Methods raise GitmemError with a message, a hint and an exit code; problems of single
    files are values (see ``check``) and never stop the others from being read.
    """

    @classmethod
    def init(
        cls,
        start: str = ".",
        *,
        here: bool = False,
        dry_run: bool = False,
        attributes: bool = True,
        environ: Mapping[str, str] | None = None,
    ) -> "Initialised":
        """Make a memory for the repository around ``start``; a second call changes nothing.

        Args:
            start: any folder of the work tree.
            here: make it in ``start`` itself, for a package of a monorepo.
            dry_run: only tell what would be made.
            attributes: also write ``.memory/.gitattributes`` (line ends stay LF).
            environ: environment variables, by default the process's own.

        Raises:
            ConflictError: the folder is there and is not ours.

        """
        from gitmem.config import from_environment, layered
        from gitmem.memory.initialise import initialise

        environ = os.environ if environ is None else environ
        name = layered([from_environment(environ)]).config.folder
        return initialise(start, environ, name, here=here, dry_run=dry_run, attributes=attributes)

    # Sub-facades

    @cached_property
    def history(self) -> "History":
        """What the memory says together with git: revisions, reviews, origins, regressions."""
        from gitmem.memory.history.facade import History

        return History(self.records, self.failures, self.checks.files)

    @cached_property
    def failures(self) -> "Failures":
        """What is known of failures, what was tried on them, what watched runs taught."""
        from gitmem.memory.failures.facade import Failures

        return Failures(self.records)

    @cached_property
    def checks(self) -> "MemoryChecks":
        """Whether all is well with files, settings and derived state."""
        from gitmem.memory.checks.facade import MemoryChecks

        return MemoryChecks(self.reader)

    def status(self) -> "MemoryStatus":
        """Count what is there, and tell what slows gitmem down or is in its way."""
        return self.checks.status()

    @cached_property
    def settings(self) -> "SettingsAccess":
        """The settings in force, and changes to them."""
        from gitmem.memory.core.facade import SettingsAccess

        return SettingsAccess(self.workspace)

    @cached_property
    def editor(self) -> "EditorQuestions":
        """What editors and lists ask: of a file, of a text, of all there is."""
        from gitmem.memory.views.facade import EditorQuestions

        return EditorQuestions(self.records)

    @cached_property
    def records(self) -> "RecordAccess":
        """Reading and writing of records together."""
        from gitmem.memory.failures.access import RecordAccess

        return RecordAccess(self.reader, self.writer)

    @cached_property
    def transfer(self) -> "Transfer":
        """What comes in from elsewhere and goes out: imports, packs, retention, backups."""
        from gitmem.memory.exchange.facade import Transfer

        return Transfer(self.reader, self.writer, differences=self.checks.verify)

    @cached_property
    def code(self) -> "Code":
        """The code around the memory: its profile, graphs, patterns, what a patch does to it."""
        from gitmem.memory.codebase.facade import Code

        return Code(self.records)

    @cached_property
    def models(self) -> "Models":
        """What language models make of the records, of pictures, and what they cost."""
        from gitmem.memory.models.facade import Models

        return Models(self.records, recurring=self.statistics.recurring)

    @cached_property
    def advice(self) -> "Advisor":
        """What to try and to know before the next attempt, and work that is observed."""
        from gitmem.memory.advice.facade import Advisor

        return Advisor(self.records, lambda most: self.profile(most=most))

    @cached_property
    def statistics(self) -> "Statistics":
        """What errors, attempts and sessions come to."""
        from gitmem.memory.statistics.facade import Statistics

        return Statistics(self.reader, lambda: self.checks.files(secrets=False))

    # What is learnt from failures

    def hint(self, text: str) -> "Hints":
        """Tell what is known about the failures in an error text, in order of appearance."""
        from gitmem.memory.failures.matching import match
        from gitmem.memory.failures.seeing import seen_in

        return match(self.reader, self.writer.drafts, seen_in(self.workspace, text))
