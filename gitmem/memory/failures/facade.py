"""What is known of failures, what was tried on them, and what watched runs taught."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.cases import Failing
    from gitmem.capture.drafts import Drafts
    from gitmem.capture.feedback import Judgement
    from gitmem.capture.learnt import Draft, RepeatedEdit
    from gitmem.capture.looking import Best, Captured, LiveFailure, Regressions
    from gitmem.capture.observed import Match, Observed
    from gitmem.capture.runs import Run
    from gitmem.capture.telling import AttemptDetails
    from gitmem.catalog.rows import Row
    from gitmem.hub.messages import Elsewhere
    from gitmem.matching.explained import Explained
    from gitmem.matching.fingerprint import Fingerprints
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.failures.capturing import Taken
    from gitmem.memory.failures.knowing import AttemptReader
    from gitmem.memory.failures.observing import Observer
    from gitmem.memory.failures.undoing import RunRecords
    from gitmem.output.cases import Report
    from gitmem.output.failure import Failure
    from gitmem.records.kinds import Record
    from gitmem.tools.matchers.found import FoundMatchers
    from gitmem.tools.matchers.reader import Matchers

_HUB_SECONDS: Final = 0.3
"""How long an editor or an assistant waits for a hub, behind the memory's own answer."""


class Failures:
    """The part of a memory that is about failures; ``memory.failures``.

    Args:
        records: of the memory.

    """

    def __init__(self, records: "RecordAccess") -> None:
        self._records = records

    @property
    def drafts(self) -> "Drafts":
        """What was learnt here and is in no record yet."""
        return self._records.workspace.drafts

    def known(self, failures: "Iterable[Failure]") -> "list[Match]":
        """Tell what is known about failures that were parsed already, in their order."""
        from gitmem.memory.failures.knowing import known

        return known(self._records.reader, failures)

    def elsewhere(
        self, matches: "Iterable[Match]", seconds: float = _HUB_SECONDS
    ) -> "list[Elsewhere]":
        """Ask the organisation's hub, if there is one; see ``elsewhere.of_matches``."""
        if not self._records.workspace.site.config.hub_url:
            return []
        from gitmem.memory.failures.elsewhere import of_matches

        return of_matches(self._records.workspace, matches, seconds)

    def elsewhere_of_failure(self, failure: "Failure", seconds: float) -> "list[Elsewhere]":
        """Ask the hub about one failure; see ``elsewhere.of_failure``."""
        if not self._records.workspace.site.config.hub_url:
            return []
        from gitmem.memory.failures.elsewhere import of_failure

        return of_failure(self._records.workspace, failure, seconds)

    def elsewhere_of(self, text: str, labels: "Iterable[str]", seconds: float) -> "list[Elsewhere]":
        """Ask the hub about a text that was searched for; see ``elsewhere.of_text``."""
        if not self._records.workspace.site.config.hub_url:
            return []
        from gitmem.memory.failures.elsewhere import of_text

        return of_text(self._records.workspace, text, labels, seconds)

    def helpful(self, reference: str, question: str = "") -> "Judgement":
        """Note that a record helped; see ``judging.judge``."""
        from gitmem.memory.failures.judging import judge

        return judge(self._records, reference, question, helpful=True)

    def unhelpful(self, reference: str, question: str = "") -> "Judgement":
        """Note that a record did not help; see ``judging.judge``."""
        from gitmem.memory.failures.judging import judge

        return judge(self._records, reference, question, helpful=False)

    def applied(self, reference: str) -> None:
        """Note that somebody applied a fix; see ``judging.note_applied``."""
        from gitmem.memory.failures.judging import note_applied

        note_applied(self._records, self._records.reader.find(reference, "fix"))

    def keep(self, reference: str) -> list[str]:
        """Make records of a draft; give their ids."""
        from gitmem.capture.drafts import KEPT
        from gitmem.memory.failures.recording import keep, with_known

        draft = self.drafts.find(reference)
        written = keep(self._records, with_known(self._records, draft))
        self.drafts.mark(draft, KEPT, written)
        return written

    def occurrences(self, errors: "Iterable[Row]") -> dict[str, tuple[str, tuple[str, ...]]]:
        """Give by id the failure that an error belongs to, and when that was seen.

        Errors of packs and archives are left out.
        """
        from gitmem.memory.failures.occurrences import occurrences_by_error

        rows = list(errors)
        return self._records.workspace.ask(lambda now: occurrences_by_error(now.catalog, rows))

    def each_failure(self, hits: "Iterable[SearchHit]", most: int) -> "list[tuple[SearchHit, int]]":
        """Give the best record of each failure among hits, and how often that was seen.

        See ``each_failure``.
        """
        from gitmem.memory.failures.each_failure import each_failure

        return each_failure(self._records, hits, most)

    def last_records(self) -> "RunRecords":
        """Give what the newest watched run wrote; see ``undoing``."""
        from gitmem.memory.failures.undoing import last_records

        return last_records(self._records)

    def undo(self, written: "RunRecords") -> None:
        """Delete the records of a watched run; see ``undoing``."""
        from gitmem.memory.failures.undoing import undo

        undo(self._records, written)

    def merge(self, stays: str, merged: str) -> "Row":
        """Let one error stand for another that says the same; see ``writing.merging``."""
        from gitmem.memory.writing.merging import merge_errors

        reader = self._records.reader
        return merge_errors(
            self._records.writer, reader.find(stays, "error"), reader.find(merged, "error")
        )

    def dismiss(self, run: str) -> "Run":
        """Learn nothing from a watched run, named by its id or the beginning of one."""
        from gitmem.memory.failures.undoing import dismiss

        dismissed = self.latest_run(run)
        dismiss(self._records, dismissed.id)
        return dismissed

    def last_failure(self) -> dict[str, Any]:
        """Give the fields of an error record of the failure that was watched last."""
        from gitmem.memory.failures.last_failure import last_failure

        return last_failure(self._records)

    def resolve_last(self, fields: Mapping[str, Any]) -> "Record":
        """Write down what fixed the failure that was watched last; see ``last_failure``."""
        from gitmem.memory.failures.last_failure import resolve_last

        return resolve_last(self._records, fields)

    def describe_watched(
        self, error: str, fields: Mapping[str, Any], *, waits: bool = False
    ) -> list[str]:
        """Add what is said of a fix to what was learnt when its command passed; give ids."""
        from gitmem.memory.failures.describing import describe_watched

        return describe_watched(self._records, error, fields, waits=waits)

    def edit_draft(
        self,
        reference: str,
        error: Mapping[str, Any],
        fixes: Sequence[Mapping[str, Any]],
        others: Sequence[Mapping[str, Any]] = (),
    ) -> "Draft":
        """Replace the fields of a draft by edited ones, checked as those of records."""
        from gitmem.memory.writing.draft_edit import edit_draft

        return edit_draft(self._records.writer, reference, error, fixes, others)

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

        seen_in_ci = bool(self._records.workspace.environ.get("CI")) if ci is None else ci
        origin = LogSource(source or "-", command, form, seen_in_ci)
        return capture(self._records, pieces, origin, record=record, guesses=guesses)

    def record_text(self, text: str, *, command: str = "") -> "Taken":
        """Write error records of the failures in a text that somebody chose to record.

        Where nothing in it is surely a failure, one record of the whole text is written. What a
        record stands for already is not written again.

        Args:
            text: as a terminal showed it, or as it was selected.
            command: what was run, if it is known.

        """
        from gitmem.memory.failures.capturing import record_text

        return record_text(self._records, text, command)

    def watched(self, text: str) -> "dict[str, Any] | None":
        """Give the error of a failure that a text names, and no other, as a command showed it."""
        from gitmem.memory.failures.watched_in_full import watched_in_full

        return watched_in_full(self._records, text)

    def shown(self, text: str, error_type: str) -> "dict[str, Any]":
        """Give the error of the one failure of a type that a text shows; nothing: it shows none."""
        from gitmem.memory.failures.watched_in_full import shown_in_full

        return shown_in_full(self._records, text, error_type) or {}

    def meant_by(self, text: str) -> "list[Match]":
        """Tell what is known about the failures in a text, or else about the one that it names.

        The name of a test is enough, where that test fails now.
        """
        from gitmem.memory.core.fingerprints import fingerprints_of, seen_in
        from gitmem.memory.failures.matching import match

        failures = seen_in(self._records.workspace, text)
        matches = match(self._records.reader, failures)
        if not self._records.workspace.has_runs or any(failure.label for failure in matches):
            return matches
        from gitmem.memory.failures.watched_in_full import watched_in_full

        # What begins with blanks may say something else without them.
        shown = None if text[:1].isspace() else failures
        fields = watched_in_full(self._records, text, shown)
        if fields is None:
            from gitmem.memory.failures.observed_runs import still_failing

            failing = still_failing(self._records)
            return [failure._replace(still=failure.seen.site in failing) for failure in matches]
        site = fingerprints_of(self._records.workspace, fields).site
        live = [failure.known for failure in self.attempts()]
        return [failure for failure in live if failure.seen.site == site] or matches

    def is_output(self, text: str) -> bool:
        """Tell what a failed program printed from words about it."""
        from gitmem.memory.failures.capturing import is_output

        return is_output(text)

    def matchers(self) -> "Matchers | None":
        """Give the tools that the repository describes itself; None: there are none."""
        from gitmem.memory.core.matchers import matchers_of

        return matchers_of(self._records.workspace)

    def found_matchers(self) -> "FoundMatchers | None":
        """Give the same with their files, and what is refused; None: nothing at all, or off."""
        from gitmem.memory.core.matchers import found_matchers

        return found_matchers(self._records.workspace.site)

    def explain_fingerprint(self, text: str, against: str | None = None) -> "Explained":
        """Explain how the first failure in a text is recognised.

        Args:
            text: an error text.
            against: id of an error record, or another text, to compare it with.

        """
        from gitmem.memory.failures.explaining import explain_fingerprint

        return explain_fingerprint(self._records, text, against)

    def attempts(self) -> "list[LiveFailure]":
        """List the live failures of this work tree's commands, with what was tried on each."""
        from gitmem.memory.failures import attempting

        return attempting.live(self._records)

    def attempts_of(self, reference: str) -> "list[Row]":
        """Give the fix attempts of an error and of those that are the same, oldest first."""
        from gitmem.memory.failures.recorded_attempts import of_error

        return of_error(self._records, reference)

    def write_attempts(self) -> list[str]:
        """Write what was tried on live failures and taken back as failed fixes; give ids."""
        from gitmem.memory.failures import attempting

        return attempting.write(self._records, self.attempts())

    def runs(self, limit: int = 20, *, failed: bool = False) -> "list[Run]":
        """Give the newest observed runs of this work tree, newest first; limit 0: all."""
        from gitmem.memory.failures.observed_runs import listed

        return listed(self._records, limit, failed=failed)

    def latest_run(self, reference: str | None = None) -> "Run":
        """Give the newest run of tests, or the run whose id starts with ``reference``.

        Raises:
            NotFoundError: nothing was observed yet, or there is no such run.

        """
        from gitmem.memory.failures.observed_runs import run_of

        return run_of(self._records, reference)

    def failed_cases(self) -> "list[Failing]":
        """Give what failed in the newest run of tests, case by case."""
        return list(self.latest_run().failing)

    def all_passed(self) -> bool:
        """Tell whether the newest run of tests passed."""
        return self.latest_run().green

    def regressions(self) -> "Regressions":
        """Tell what fails newly in the command last run, against its run before."""
        from gitmem.memory.failures import attempting

        return attempting.regressions(self._records)

    def best_attempt(self) -> "Best":
        """Pick the best run of the command last run: most tests passed, or fewest failures."""
        from gitmem.memory.failures import attempting

        return attempting.best_attempt(self._records)

    def observer(self, command: Sequence[str]) -> "Observer":
        """Give what notes a run of a command that somebody else starts, and learns from it."""
        from gitmem.memory.failures.observing import Observer

        return Observer(self._records, command)

    def run_command(
        self, command: Sequence[str], tell: "Callable[[list[RepeatedEdit]], None]"
    ) -> "tuple[int, Callable[[], Observed]]":
        """Run a command under observation; see ``observing.run_command``."""
        from gitmem.memory.failures.observing import run_command

        return run_command(self._records, command, tell)

    def assistant_began(self, call: str) -> None:
        """Note the code as a command of an assistant finds it; see ``assistant_calls``."""
        from gitmem.memory.failures.assistant_calls import begun

        begun(self._records, call)

    def assistant_ended(
        self, call: str, line: str, output: str, exit_code: int | None
    ) -> "Observed | None":
        """Observe a command of an assistant that has ended; see ``assistant_commands``."""
        from gitmem.memory.failures.assistant_commands import ended

        return ended(self._records, call, line, output, exit_code)

    def assistant_untold(self) -> "list[Draft]":
        """Give what an assistant's commands taught since it was asked last."""
        from gitmem.memory.failures.assistant_calls import untold

        return untold(self._records.workspace)

    def prepare_packs(self) -> None:
        """Have a process read the packs of advice on failures, unless somebody has read them."""
        from gitmem.memory.reading.packs import prepare

        prepare(self._records.workspace)

    def assistant_news(self, session: str, matches: "list[Match]") -> "list[Match]":
        """Leave out the advice of packs that an assistant's session was given already."""
        from gitmem.memory.failures.assistant_calls import without_repeated_advice

        return without_repeated_advice(self._records.workspace, session, matches)

    def attempt_reader(self) -> "AttemptReader":
        """Give what reads attempts and the commits that brought them, each once."""
        from gitmem.memory.failures.knowing import AttemptReader

        return AttemptReader(self._records.workspace)

    def read_attempts(self, failure: "Match") -> "list[AttemptDetails]":
        """Read what the first attempts on a failure say, what helped most first."""
        from gitmem.memory.failures.knowing import read_attempts

        return read_attempts(self._records.workspace, failure)

    def resembling(self, text: str, matches: "Sequence[Match]" = ()) -> "tuple[SearchHit, ...]":
        """Give what search finds for a text in which no known failure was recognised.

        Args:
            text: the text.
            matches: what ``meant_by`` told of it, if it was asked: it may have searched already.

        """
        from gitmem.memory.failures.matching import resembling

        return resembling(self._records.reader, text, matches)

    def fingerprints(self, fields: dict[str, Any]) -> "Fingerprints":
        """Give the fingerprints of an error record's fields, by the team's rules too."""
        from gitmem.memory.core.fingerprints import fingerprints_of

        return fingerprints_of(self._records.workspace, fields)

    def fields_of(self, failure: "Failure") -> dict[str, Any]:
        """Give the fields of an error record of a failure; paths are relative to the repository."""
        from gitmem.memory.core.fingerprints import fields_of

        return fields_of(self._records.workspace, failure)

    def plugin_report(self, data: dict[str, Any]) -> "Report":
        """Read the report that our pytest plugin made, in the form of pytest-json-report."""
        from gitmem.memory.failures.reporting import as_report

        return as_report(data, self._records.workspace.site.repository_root)
