"""The vocabulary of gitmem: what the commands, the editor and Python programs can ask."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.memory.advised import Advised
from gitmem.memory.writable import Texts

if TYPE_CHECKING:
    from gitmem.capture.cases import Failing
    from gitmem.capture.drafts import Drafts
    from gitmem.capture.feedback import Judgement
    from gitmem.capture.job import CiJob, Log
    from gitmem.capture.learnt import Draft
    from gitmem.capture.looking import Best, Captured, LiveFailure, Regressions
    from gitmem.capture.recognising import Match
    from gitmem.capture.runs import Run
    from gitmem.catalog.rows import Row
    from gitmem.llm.modelled import Modelled
    from gitmem.matching.explained import Explained
    from gitmem.matching.failure import Failure
    from gitmem.memory.advice.tasking import Adaptive, Apply, Confirm
    from gitmem.memory.failures.capturing import Taken
    from gitmem.memory.initialise import Initialised
    from gitmem.memory.models.picturing import Pictured
    from gitmem.records.kinds import Record

    # The class has a method named list, so types of lists are named out here.
    Cases = list[Failing]
    Hints = list[Match]
    Lives = list[LiveFailure]
    Records = list[Record]
    Rows = list[Row]
    Runs = list[Run]


class Memory(Advised):
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

    # Work that is observed

    def task(
        self,
        description: str,
        *,
        category: str = "",
        type: str = "general",  # noqa: A002  what the record calls it too
        dependencies: Sequence[str] = (),
        effort: float | None = None,
        id: str = "",  # noqa: A002  likewise
        approach: str = "",
        tags: Sequence[str] = (),
        confirm: "Confirm | None" = None,
        apply: "Apply | None" = None,
    ) -> "Adaptive":
        """Observe a piece of work: a context manager, a decorator, or ``.run(work)``.

        Approach, factors, tools, time and outcome become a session record. On a failure the
        error is looked up and written down; what worked before is offered.

        Args:
            description: what is to be done.
            category: such as ``backend``; what is alike is learnt from together.
            type: such as ``feature`` or ``bugfix``.
            dependencies: what it needs.
            effort: how much work it is thought to be, in any unit that you keep to.
            id: a planner's own name for it.
            approach: how it is done; empty: as it worked best before, see ``recommend``.
            tags: words to find it by.
            confirm: is asked whether the steps of a solution may be applied; None: none are.
            apply: carries out one step; steps are other people's words.

        Raises:
            UsageError: there is no description, or only one of confirm and apply.

        """
        from gitmem.memory.advice.tasking import Adaptive, plan

        about = {"id": id, "category": category, "type": type, "effort": effort}
        more = {"dependencies": tuple(dependencies), "approach": approach, "tags": tags}
        return Adaptive(self, plan(description, about | more), confirm, apply)

    # What is learnt from failures

    @property
    def drafts(self) -> "Drafts":
        """What was learnt here and is in no record yet."""
        return self.writer.drafts

    def known(self, failures: "Iterable[Failure]") -> "Hints":
        """Tell what is known about failures that were parsed already, in their order."""
        from gitmem.memory.failures.knowing import known

        return known(self.reader, failures)

    def hint(self, text: str) -> "Hints":
        """Tell what is known about the failures in an error text, in order of appearance."""
        from gitmem.memory.failures.matching import match
        from gitmem.memory.failures.seeing import seen_in

        return match(self.reader, self.drafts, seen_in(self.workspace, text))

    def read_picture(self, path: str) -> "Pictured":
        """Read the text of a picture, and find the failures in it. Nothing leaves this machine.

        Args:
            path: a PNG, JPEG, WebP or GIF file.

        Raises:
            EnvironmentProblem: the extra is not installed, or the file can't be read.
            InvalidError: it is no picture, or too large, too small or damaged.

        """
        from gitmem.memory.models.picturing import read_picture

        return read_picture(self, path)

    def record_screenshot(
        self, path: str, fields: Mapping[str, Any], seen: "Modelled | None" = None
    ) -> "Record":
        """Write an error record of a screenshot, and keep the picture, without its metadata.

        Where the extra is not installed it is kept unread, and a notice says so. A picture that
        shows what looks like a secret is read and not kept.

        Args:
            path: of the picture.
            fields: what is said beside it; it goes before what is read. ``Unknown`` and
                ``See screenshot`` say nothing.
            seen: what ``look`` gave for it; goes after what is said and read, and is marked.

        Raises:
            InvalidError: it is no picture that can be read, or nothing says what it shows.

        """
        from gitmem.memory.models.picturing import record_screenshot

        return record_screenshot(self, path, fields, seen)

    def helpful(self, reference: str, question: str = "") -> "Judgement":
        """Note that a record helped; see ``judging.judge``."""
        from gitmem.memory.failures.judging import judge

        return judge(self, reference, question, helpful=True)

    def unhelpful(self, reference: str, question: str = "") -> "Judgement":
        """Note that a record did not help; see ``judging.judge``."""
        from gitmem.memory.failures.judging import judge

        return judge(self, reference, question, helpful=False)

    def keep(self, reference: str) -> Texts:
        """Make records of a draft; give their ids."""
        from gitmem.capture.drafts import KEPT
        from gitmem.memory.failures.recording import keep

        draft = self.drafts.find(reference)
        written = keep(self, draft)
        self.drafts.mark(draft, KEPT, written)
        return written

    def edit_draft(
        self,
        reference: str,
        error: Mapping[str, Any],
        fixes: Sequence[Mapping[str, Any]],
        others: Sequence[Mapping[str, Any]] = (),
    ) -> "Draft":
        """Replace the fields of a draft by edited ones, checked as those of records."""
        from gitmem.memory.writing.drafting import edit_draft

        return edit_draft(self.writer, reference, error, fixes, others)

    def capture(
        self,
        pieces: Iterable[bytes | str],
        *,
        command: str = "",
        record: bool = False,
        guesses: bool = False,
        form: str = "",
        source: str = "",
        ci: bool | None = None,
    ) -> "Captured":
        """Tell what is known about the failures in a saved log or a report, read as it comes.

        A report (JUnit XML, SARIF, pytest-json-report) is also noted as a run, once.

        Args:
            pieces: the file, in pieces of any size.
            command: what was run, if it is known.
            record: also write an error record for each failure that is new.
            guesses: also for lines that only look like failures (no known tool, no type).
            form: ``log``, ``junit``, ``sarif``, ``pytest-json`` or ``otel``; empty: by content.
            source: name of the file; without ``command`` reports of one name are compared.
            ci: it ran in continuous integration; None: as the environment says.

        """
        from gitmem.memory.failures.capturing import LogSource, capture

        seen_in_ci = bool(self.environ.get("CI")) if ci is None else ci
        origin = LogSource(source or "-", command, form, seen_in_ci)
        return capture(self, pieces, origin, record=record, guesses=guesses)

    def ci(self, logs: "Iterable[Log]", span: str | None = None) -> "CiJob":
        """Tell what is known about the failures of a job; for its end, see ``gitmem ci``.

        Args:
            logs: its logs and reports.
            span: also review these commits; None: none.

        """
        from gitmem.memory.history.job import job

        return job(self, logs, span)

    def record_text(self, text: str, *, command: str = "") -> "Taken":
        """Write error records of the failures in a text that somebody chose to record.

        Where nothing in it is surely a failure, one record of the whole text is written. What a
        record stands for already is not written again.

        Args:
            text: as a terminal showed it, or as it was selected.
            command: what was run, if it is known.

        """
        from gitmem.memory.failures.capturing import record_text

        return record_text(self, text, command)

    def explain_fingerprint(self, text: str, against: str | None = None) -> "Explained":
        """Explain how the first failure in a text is recognised.

        Args:
            text: an error text.
            against: id of an error record, or another text, to compare it with.

        """
        from gitmem.memory.failures.explaining import explain_fingerprint

        return explain_fingerprint(self, text, against)

    def attempts(self) -> "Lives":
        """List the live failures of this work tree's commands, with what was tried on each."""
        from gitmem.memory.failures import attempting

        return attempting.live(self)

    def attempts_of(self, reference: str) -> "Rows":
        """Give the fix attempts of an error and of those that are the same, oldest first."""
        from gitmem.memory.failures import attempting

        return attempting.of_error(self, reference)

    def write_attempts(self) -> Texts:
        """Write what was tried on live failures and taken back as failed fixes; give ids."""
        from gitmem.memory.failures import attempting

        return attempting.write(self, self.attempts())

    def runs(self, limit: int = 20, *, failed: bool = False) -> "Runs":
        """Give the newest observed runs of this work tree, newest first; limit 0: all."""
        from gitmem.memory.failures import attempting

        return attempting.listed(self, limit, failed=failed)

    def latest_run(self, reference: str | None = None) -> "Run":
        """Give the newest run of tests, or the run whose id starts with ``reference``.

        Raises:
            NotFoundError: nothing was observed yet, or there is no such run.

        """
        from gitmem.memory.failures import attempting

        return attempting.run_of(self, reference)

    def failed_cases(self) -> "Cases":
        """Give what failed in the newest run of tests, case by case."""
        return list(self.latest_run().failing)

    def all_passed(self) -> bool:
        """Tell whether the newest run of tests passed."""
        return self.latest_run().green

    def regressions(self) -> "Regressions":
        """Tell what fails newly in the command last run, against its run before."""
        from gitmem.memory.failures import attempting

        return attempting.regressions(self)

    def best_attempt(self) -> "Best":
        """Pick the best run of the command last run: most tests passed, or fewest failures."""
        from gitmem.memory.failures import attempting

        return attempting.best_attempt(self)
