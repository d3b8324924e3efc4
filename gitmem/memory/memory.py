"""The vocabulary of gitmem: what the commands, the editor and Python programs can ask."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gitmem.memory.keeping import Keeping
from gitmem.memory.writable import Texts

if TYPE_CHECKING:
    from gitmem.capture.cases import Failing
    from gitmem.capture.drafts import Drafts
    from gitmem.capture.feedback import Verdict
    from gitmem.capture.job import Job, Log
    from gitmem.capture.learnt import Draft
    from gitmem.capture.looking import Best, Captured, Live, Regressions
    from gitmem.capture.recognising import Recognised
    from gitmem.capture.runs import Run
    from gitmem.catalog.rows import Row
    from gitmem.learning.advised import Advice
    from gitmem.learning.analysis import Findings
    from gitmem.learning.context import Context
    from gitmem.learning.extracted import Extracted
    from gitmem.learning.patterns import CodePattern
    from gitmem.learning.trying import Verdict as GoOn
    from gitmem.llm.modelled import Modelled
    from gitmem.matching.explained import Explained
    from gitmem.matching.failure import Failure
    from gitmem.memory.capturing import Taken
    from gitmem.memory.initialise import Initialised
    from gitmem.memory.modelling import Approve, Speaker
    from gitmem.memory.picturing import Pictured
    from gitmem.memory.tasking import Adaptive, Apply, Confirm
    from gitmem.records.kinds import Record

    # The class has a method named list, so types of lists are named out here.
    Cases = list[Failing]
    Hints = list[Recognised]
    Lives = list[Live]
    Records = list[Record]
    Rows = list[Row]
    Runs = list[Run]


class Memory(Keeping):
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
        from gitmem.config import from_environment, layered  # noqa: PLC0415  start-up
        from gitmem.memory.initialise import initialise  # noqa: PLC0415  start-up

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
        from gitmem.memory.tasking import Adaptive, plan  # noqa: PLC0415  start-up

        about = {"id": id, "category": category, "type": type, "effort": effort}
        more = {"dependencies": tuple(dependencies), "approach": approach, "tags": tags}
        return Adaptive(self, plan(description, about | more), confirm, apply)

    # What is learnt from failures

    @cached_property
    def drafts(self) -> "Drafts":
        """What was learnt here and is in no record yet."""
        from gitmem.capture.drafts import Drafts  # noqa: PLC0415  start-up
        from gitmem.store.journal import Journal  # noqa: PLC0415  start-up

        return Drafts(Journal(self.site.journal))

    def known(self, failures: "Iterable[Failure]") -> "Hints":
        """Tell what is known about failures that were parsed already, in their order."""
        from gitmem.memory.knowing import known  # noqa: PLC0415  start-up

        return known(self, failures)

    def hint(self, text: str) -> "Hints":
        """Tell what is known about the failures in an error text, in order of appearance."""
        from gitmem.memory.matching import match  # noqa: PLC0415  start-up
        from gitmem.memory.seeing import seen_in  # noqa: PLC0415  start-up

        return match(self, self.drafts, seen_in(self, text))

    def read_picture(self, path: str) -> "Pictured":
        """Read the text of a picture, and find the failures in it. Nothing leaves this machine.

        Args:
            path: a PNG, JPEG, WebP or GIF file.

        Raises:
            EnvironmentProblem: the extra is not installed, or the file can't be read.
            InvalidError: it is no picture, or too large, too small or damaged.

        """
        from gitmem.memory.picturing import read_picture  # noqa: PLC0415  start-up

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
        from gitmem.memory.picturing import record_screenshot  # noqa: PLC0415  start-up

        return record_screenshot(self, path, fields, seen)

    def helpful(self, reference: str, question: str = "") -> "Verdict":
        """Note that a record helped; see ``judging.judge``."""
        from gitmem.memory.judging import judge  # noqa: PLC0415  start-up

        return judge(self, reference, question, helpful=True)

    def unhelpful(self, reference: str, question: str = "") -> "Verdict":
        """Note that a record did not help; see ``judging.judge``."""
        from gitmem.memory.judging import judge  # noqa: PLC0415  start-up

        return judge(self, reference, question, helpful=False)

    def keep(self, reference: str) -> Texts:
        """Make records of a draft; give their ids."""
        from gitmem.capture.drafts import KEPT  # noqa: PLC0415  start-up
        from gitmem.memory.observing import keep  # noqa: PLC0415  start-up

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
        from gitmem.memory.drafting import edit_draft  # noqa: PLC0415  start-up

        return edit_draft(self, reference, error, fixes, others)

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
        from gitmem.memory.capturing import Source, capture  # noqa: PLC0415  start-up

        seen_in_ci = bool(self.environ.get("CI")) if ci is None else ci
        origin = Source(source or "-", command, form, seen_in_ci)
        return capture(self, pieces, origin, record=record, guesses=guesses)

    def ci(self, logs: "Iterable[Log]", span: str | None = None) -> "Job":
        """Tell what is known about the failures of a job; for its end, see ``gitmem ci``.

        Args:
            logs: its logs and reports.
            span: also review these commits; None: none.

        """
        from gitmem.memory.job import job  # noqa: PLC0415  start-up

        return job(self, logs, span)

    def record_text(self, text: str, *, command: str = "") -> "Taken":
        """Write error records of the failures in a text that somebody chose to record.

        Where nothing in it is surely a failure, one record of the whole text is written. What a
        record stands for already is not written again.

        Args:
            text: as a terminal showed it, or as it was selected.
            command: what was run, if it is known.

        """
        from gitmem.memory.capturing import record_text  # noqa: PLC0415  start-up

        return record_text(self, text, command)

    def explain_fingerprint(self, text: str, against: str | None = None) -> "Explained":
        """Explain how the first failure in a text is recognised.

        Args:
            text: an error text.
            against: id of an error record, or another text, to compare it with.

        """
        from gitmem.memory.explaining import explain_fingerprint  # noqa: PLC0415  start-up

        return explain_fingerprint(self, text, against)

    def attempts(self) -> "Lives":
        """List the live failures of this work tree's commands, with what was tried on each."""
        from gitmem.memory import attempting  # noqa: PLC0415  start-up

        return attempting.live(self)

    def attempts_of(self, reference: str) -> "Rows":
        """Give the fix attempts of an error and of those that are the same, oldest first."""
        from gitmem.memory import attempting  # noqa: PLC0415  start-up

        return attempting.of_error(self, reference)

    def write_attempts(self) -> Texts:
        """Write what was tried on live failures and taken back as failed fixes; give ids."""
        from gitmem.memory import attempting  # noqa: PLC0415  start-up

        return attempting.write(self, self.attempts())

    def runs(self, limit: int = 20, *, failed: bool = False) -> "Runs":
        """Give the newest observed runs of this work tree, newest first; limit 0: all."""
        from gitmem.memory import attempting  # noqa: PLC0415  start-up

        return attempting.listed(self, limit, failed=failed)

    def latest_run(self, reference: str | None = None) -> "Run":
        """Give the newest run of tests, or the run whose id starts with ``reference``.

        Raises:
            NotFoundError: nothing was observed yet, or there is no such run.

        """
        from gitmem.memory import attempting  # noqa: PLC0415  start-up

        return attempting.run_of(self, reference)

    def failed_cases(self) -> "Cases":
        """Give what failed in the newest run of tests, case by case."""
        return list(self.latest_run().failing)

    def all_passed(self) -> bool:
        """Tell whether the newest run of tests passed."""
        return self.latest_run().green

    def regressions(self) -> "Regressions":
        """Tell what fails newly in the command last run, against its run before."""
        from gitmem.memory import attempting  # noqa: PLC0415  start-up

        return attempting.regressions(self)

    def best_attempt(self) -> "Best":
        """Pick the best run of the command last run: most tests passed, or fewest failures."""
        from gitmem.memory import attempting  # noqa: PLC0415  start-up

        return attempting.best_attempt(self)

    # What the memory advises

    def advise(
        self, text: str = "", *, path: str = "", task: Mapping[str, Any] | None = None
    ) -> "Advice":
        """Advise on an error or words, on a file, on a task, or on what fails now.

        Args:
            text: an error, or a question in words.
            path: a file or ``PATH:LINE``, as typed in the folder ``start``.
            task: what it states: description, category, type, effort, dependencies, complexity.

        """
        from gitmem.memory.advising import advise  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: advise(self, text, path=path, task=task))

    def keep_trying(self, reference: str = "") -> "GoOn":
        """Tell whether to keep trying, or to stop and ask a human; see ``learning.trying``.

        Args:
            reference: an error's id or a unique prefix of one; empty: the command last run.

        """
        from gitmem.memory.persisting import keep_trying  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: keep_trying(self, reference))

    def context(
        self, focus: str = "", *, budget: int = 4000, conventions: bool = False
    ) -> "Context":
        """Give what is to be known before the next attempt; ``render.context`` writes it down.

        Args:
            focus: an error, words, a file or ``PATH:LINE``; empty: what fails now.
            budget: how many tokens it may take, at least 200.
            conventions: also tell how the code is written; see ``profile``.

        """
        from gitmem.memory.context import context  # noqa: PLC0415  start-up

        return self.derived.mended(
            lambda: context(self, focus, budget=budget, conventions=conventions)
        )

    def analyse(self, filters: str = "", *, limit: int = 5) -> "Findings":
        """Tell root causes, quick steps and prevention of failures, as people recorded them.

        Args:
            filters: as of ``stats``.
            limit: how many failures at most, the most frequent first.

        """
        from gitmem.memory.analysing import analyse  # noqa: PLC0415  start-up

        return self.derived.mended(lambda: analyse(self, filters, limit))

    def model_analysis(
        self,
        findings: "Findings",
        approve: "Approve | None" = None,
        speaker: "Speaker | None" = None,
    ) -> "Modelled":
        """Ask the language model of the settings for patterns in what ``analyse`` found.

        Args:
            findings: is sent, without secrets.
            approve: is shown what the call takes and says whether it may be made; None: nobody
                can be asked. See ``memory.modelling.ask`` for what it raises.
            speaker: a model that is lent, instead of the one of the settings.

        Raises:
            NotFoundError: there is nothing to look at.

        """
        from gitmem.memory.analysing import by_model  # noqa: PLC0415  start-up

        return by_model(self, findings, approve, speaker)

    def model_advice(
        self,
        advice: "Advice",
        question: str = "",
        *,
        task: Mapping[str, Any] | None = None,
        approve: "Approve | None" = None,
        speaker: "Speaker | None" = None,
    ) -> "Modelled":
        """Ask the language model of the settings for suggestions, by what ``advise`` found.

        Args:
            advice: is sent, without secrets.
            question: what was asked; is sent too.
            task: what it states, if a task was asked about; likewise.
            approve: as of ``model_analysis``.
            speaker: likewise.

        """
        from gitmem.memory.analysing import advised_by_model  # noqa: PLC0415  start-up

        return advised_by_model(self, advice, question, task, approve, speaker)

    def look(
        self, path: str, what: str = "error", approve: "Approve | None" = None
    ) -> "Modelled":
        """Ask the model that sees (``llm.vision_model``) what a picture shows; it is sent there.

        Args:
            path: a PNG, JPEG, WebP or GIF file; sent without its metadata.
            what: ``error``, ``diagram`` or ``code``.
            approve: as of ``model_analysis``.

        Raises:
            InvalidError: it is no picture, or too large or damaged.
            UsageError: it shows what looks like a secret, or there is no such question.

        """
        from gitmem.memory.looking import look  # noqa: PLC0415  start-up

        return look(self, path, what, approve)

    # Patterns of code

    def extract_from(
        self,
        source: str = "",
        *,
        fixes: bool = False,
        language: str = "",
        only: Sequence[str] = (),
        record: bool = False,
    ) -> "Extracted":
        """Find patterns in what was accepted that no record holds yet.

        Args:
            source: a range of commits as ``review`` takes it, the id of a fix that worked, or a
                file as typed in the folder ``start``; empty: since this branch left the main one.
            fixes: all fixes that worked, instead.
            language: only this one; empty: all.
            only: only patterns with these names, in which ``*`` stands for anything.
            record: also write them as pattern records.

        """
        from gitmem.memory.extracting import extract  # noqa: PLC0415  start-up

        return extract(self, source, fixes=fixes, language=language, only=only, record=record)

    def keep_patterns(
        self, found: "Iterable[CodePattern]", told: Mapping[str, Any] | None = None
    ) -> "Records":
        """Write patterns that ``extract`` found as records, those that no record holds yet.

        Args:
            found: the patterns.
            told: further fields of each record, such as when_to_use, source or metrics.

        """
        from gitmem.memory.extracting import keep  # noqa: PLC0415  start-up

        return keep(self, found, told or {})
