"""``gitmem run``: a command is observed; what fails is recognised, what fixes it is learnt."""

import os
import threading
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from gitmem.capture.cases import Tests, of_failures, of_output, of_report
from gitmem.capture.commands import edits_first, folder_entered, only_tests, what_masks
from gitmem.capture.episodes import lost_tests, may_teach, open_elsewhere, still_there
from gitmem.capture.fingerprinted import FingerprintedFailure, as_before
from gitmem.capture.history import moment
from gitmem.capture.learnt import RunLessons
from gitmem.capture.observed import Match, Observed
from gitmem.capture.outputs import named_outputs, output_files
from gitmem.capture.run_coverage import says_it_fails, without_interruptions
from gitmem.capture.runs import Run, distinct, heard_before
from gitmem.capture.worktree import WorkTree
from gitmem.errors import GitmemError
from gitmem.matching.basis import exited
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.failures.reporting import attach, handed_over, with_report
from gitmem.memory.failures.watched_code import RunStart, WatchedCode
from gitmem.memory.failures.watched_output import WatchedOutput
from gitmem.output.cases import ERROR, FAILED
from gitmem.output.failure import Failure
from gitmem.sync import NothingYet
from gitmem.tools.choice import values

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft, RepeatedEdit
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.failures.run_lessons import Learner
    from gitmem.output.cases import Report

_NOTHING_LEARNT = "nothing can be learnt from this run"
_NOTING = "runs"
"""The lock under which a run is noted, and looked at what was noted beside it."""
_CONSEQUENCES = frozenset({"consequence", "warning"})
_MOST_HEARD = 20


class Observer:
    """Observes the commands that are run in one work tree.

    Args:
        records: where what is learnt goes.
        command: what is run, as an argument list.
        start: how it began, of a command that has ended already.
        assistant: an assistant runs it, and nobody looks on.
        code: the work tree, where it was looked at already.

    """

    def __init__(
        self,
        records: "RecordAccess",
        command: Sequence[str],
        start: RunStart | None = None,
        *,
        assistant: bool = False,
        code: WatchedCode | None = None,
    ) -> None:
        self._records = records
        self._assistant = assistant
        self._code = code or WatchedCode(records)
        self._command = self._code.redacted(command)
        self._work_tree = records.work_tree
        self._folder, self._timeline = self._code.folder, self._code.timeline
        self._started = start.at if start else records.workspace.clock()
        self._earlier = self._code.earlier(self._command)
        self._tree = start.tree if start else ""
        self._head = start.head if start else ""
        self._off = records.workspace.site.config.capture_mode == "off"
        self._trouble = ""
        self._found_beginning = start is not None
        self._ended: str | None = None  # the snapshot at its end, where that was taken already
        self._outputs = self._written()
        self._heard: tuple[str, ...] = ()
        self._snapshot: threading.Thread | None = None
        self._beside: dict[str, str] = {}

    def _written(self) -> tuple[str, ...]:
        """Name the files of the work tree that output of the command goes to."""
        if self._work_tree is None:
            return ()
        outputs = {*output_files(self._work_tree.root)}
        if named := named_outputs(self._command, self._folder):
            # What a command writes of what is committed is its work, and no protocol of it.
            head = self._work_tree.head()
            outputs.update(path for path in named if self._work_tree.is_new(head, path))
        return tuple(sorted(outputs))

    def before(self) -> "list[RepeatedEdit]":
        """Look at the code as it is; tell which edits were tried before without success.

        Without live failures the snapshot is taken beside the run.
        """
        if self._work_tree is None or self._off:
            return []
        if not self._code.any_red:
            self._snapshot = threading.Thread(target=self._look, daemon=True)
            return []
        self._look()
        self._beside = self._work_tree.beside()
        if not open_elsewhere(self._timeline, self._tree):
            return []
        return self._learner(self._work_tree).already_tried(self._timeline, self._tree)

    def has_ended(self) -> None:
        """Look at the code now, beside what else is done: the command is over.

        If nobody looked when it began, that is the code that it found, too.
        """
        if self._work_tree is None or self._off:
            return
        look = threading.Thread(target=self._look_at_end, args=[self._work_tree], daemon=True)
        look.start()
        self._snapshot = look

    def begin(self) -> None:
        """Begin what is done beside the run; the command was started already.

        Not earlier: a process that is forked while another thread imports may find half a module.
        """
        if self._snapshot and self._snapshot.ident is None:
            self._snapshot.start()

    def wait(self) -> None:
        """Wait for what is done beside the run: no process ends in the middle of it."""
        if self._snapshot and self._snapshot.ident is not None:
            self._snapshot.join()

    def _look(self) -> None:
        if self._work_tree:
            self._tree, self._head = self._look_with(self._work_tree)

    def _look_at_end(self, work_tree: WorkTree) -> None:
        self._ended, head = self._look_with(work_tree)
        if not self._found_beginning:
            self._tree, self._head = self._ended, head

    def _look_with(self, work_tree: WorkTree) -> tuple[str, str]:
        try:
            return self._code.look(self._outputs)
        except GitmemError as error:
            self._trouble = f"{_NOTHING_LEARNT}: {error.message}"
            return "", work_tree.head()
        except MemoryError:  # in a thread nobody else would say so
            self._trouble = f"{_NOTHING_LEARNT}: there is not enough memory"
            return "", ""

    def _end(self, *, failed: bool) -> str:
        """Take a snapshot at the end of a run, where something may be paired with it."""
        if self._work_tree is None or self._off or not self._tree:
            return ""
        if not (failed or self._code.any_red or self._code.passed_elsewhere):
            return ""
        if self._ended is not None:
            return self._ended
        self._outputs = self._written()
        return self._look_with(self._work_tree)[0]

    def _edited(self, end: str) -> tuple[str, ...]:
        """Name the code that was edited while the command ran; one that only tests edits none."""
        if self._work_tree is None or not only_tests(self._command):
            return ()
        files = self._work_tree.edited(self._tree, end, self._head)
        return tuple(file for file in files if file not in self._outputs)

    def after(
        self,
        exit_code: int,
        seconds: float,
        failures: Sequence[Failure],
        *,
        whole: bool,
        stopped: bool = False,
        missing: bool = False,
        report: "Report | None" = None,
        ending: Failure | None = None,
        output: "Report | None" = None,
    ) -> Observed:
        """Note the run and learn from it.

        Args:
            exit_code: how the command ended, as a shell counts it.
            seconds: how long it took.
            failures: what its output shows.
            whole: the output was read to its end and the command was not stopped.
            stopped: a tool said that it ended before it had seen everything.
            missing: there is no such program. Nothing ran, so nothing is noted or learnt: the
                next run that is typed right fixed nothing. What is known of it is told.
            report: what a test runner reported itself; it knows better than its output says.
            ending: how the command ended, by its last lines, for one that failed otherwise
                without a word that anybody understands; or what ended a program behind whose
                failure a line of shell passed.
            output: what its output says of tests that passed, failed and were skipped.

        """
        if not missing:
            self.begin()
        own = [failure for failure in failures if failure.severity not in _CONSEQUENCES]
        shown = self._shown(own, exit_code, report, ending, output)
        self.wait()
        end = "" if missing else self._end(failed=bool(exit_code or failures))
        if end and edits_first(self._command):
            self._tree = end  # the code that was tested
        run = Run(
            id=os.urandom(4).hex(),
            at=self._started,
            seconds=round(seconds, 3),
            command=self._command,
            folder=self._folder,
            exit_code=exit_code,
            tree=self._tree,
            head=self._head,
            failures=distinct(shown.values()),
            whole=whole,
            stopped=stopped,
            ci=bool(self._records.workspace.environ.get("CI")),
            tests=self._tests(report, output, shown),
            end=end,
            edited=self._edited(end),
            outputs=self._outputs,
            around=self._around(failed=bool(exit_code or failures)) if end else {},
            heard=self._heard,
        )
        run = run._replace(past=self._code.past(run))
        if missing:
            recognised = [
                failure for failure in self._recognised(run) if failure.label or failure.similar
            ]
            return Observed(run, recognised, RunLessons([], [], [], []), [])
        learnt, drafts = self._learn(run)
        if self._trouble:
            self._records.workspace.notices.append(self._trouble)
        if not self._off:
            attach(self._records, run, self._earlier)
        ids = {name for _, written in drafts for name in written}
        return Observed(run, self._recognised(run, ids), learnt, drafts)

    def _recognised(self, run: Run, ids: Collection[str] = ()) -> list[Match]:
        """Look failures up; what this run taught, ``ids``, is no help to one that outlived it."""
        if not run.failures:
            return []
        before = self._earlier[-1].sites if self._earlier else frozenset()
        if not run.sites <= before:
            before |= still_there(run.failures, self._timeline)
        from gitmem.memory.failures.matching import leave_out, match  # noqa: PLC0415  start-up

        try:
            matches = leave_out(ids, match(self._records.reader, run.failures, before))
        except NothingYet:
            return []  # what it taught is told all the same
        there = self._code.failed_on(run.tree)
        return [
            each if each.label or each.seen.site not in there else each._replace(still=True)
            for each in matches
        ]

    def _learn(self, run: Run) -> "tuple[RunLessons, list[tuple[Draft, list[str]]]]":
        """Note a run, and keep what it taught; where that can't be done, say so and go on."""
        nothing = RunLessons([], [], [], [])
        if self._work_tree is None or self._off:
            return nothing, []
        earlier = self._timeline
        try:
            with self._records.workspace.journal.exclusive(_NOTING):
                self._code.history.add(run)
                if self._may_teach([*earlier, run]):
                    earlier = self._noted_before(run, self._work_tree)
        except GitmemError as error:
            self._trouble = self._trouble or f"{_NOTHING_LEARNT}: {error.message}"
            return nothing, []
        runs = [*earlier, run]
        return (
            self._learner(self._work_tree).learn(runs) if self._may_teach(runs) else (nothing, [])
        )

    @staticmethod
    def _may_teach(runs: Sequence[Run]) -> bool:
        *earlier, run = runs
        return bool(run.tree) and not all(each.green for each in earlier) and may_teach(runs)

    def _noted_before(self, run: Run, work_tree: WorkTree) -> list[Run]:
        """Give the runs before one: those that ran beside it and were noted first are among them.

        Of these, one that began later counts where it tested the same code: two runs at once
        teach once, and what began on other code later says nothing of an edit before it.
        """
        return [
            other
            for other in self._code.history.timeline()
            if other.id != run.id
            and (moment(other) < moment(run) or not work_tree.patch(other.tree, run.tree))
        ]

    def _learner(self, work_tree: WorkTree) -> "Learner":
        from gitmem.memory.failures.run_lessons import Learner

        drafts = self._records.workspace.drafts
        return Learner(self._records, drafts, work_tree, assistant=self._assistant)

    def _tests(
        self,
        report: "Report | None",
        output: "Report | None",
        shown: dict[Failure, FingerprintedFailure],
    ) -> Tests | None:
        """Put together what is known of the tests: from their runner, else from its output."""
        first = {
            place for run in self._timeline for failure in run.failures for place in failure.places
        }
        if report:
            tests = of_report(report, shown, first) or Tests({}, (), complete=report.complete)
            names = {case.name for case in report.cases}
            return tests if first <= names else tests.also_passed(self._renamed(report, names))
        return of_output(output, shown, first) if output else of_failures(shown)

    def _renamed(self, report: "Report", names: set[str]) -> list[str]:
        """Name the tests that failed, and passed by new names in this run."""
        if self._work_tree is None or not (self._tree and report.complete):
            return []
        from gitmem.capture.renamed_tests import that_passed

        lost = lost_tests(self._timeline, names)
        places = {
            name: place
            for before in {run.left for run in lost.values()}
            for name, place in self._work_tree.renamed_tests(
                [name for name, run in lost.items() if run.left == before], before, self._tree
            ).items()
        }
        return that_passed(places, report.cases)

    def _around(self, *, failed: bool) -> dict[str, str]:
        """Describe what the command ran in, without values.

        What lies beside the code counts as a failed run left it, and as one that passed found it.
        """
        from gitmem.capture.surroundings import surroundings

        if failed and self._work_tree:
            self._beside = self._work_tree.beside()
        environ, start = self._records.workspace.environ, self._records.workspace.start
        return surroundings(environ, start) | self._beside

    def _shown(
        self,
        failures: Sequence[Failure],
        exit_code: int,
        report: "Report | None",
        ending: Failure | None,
        output: "Report | None",
    ) -> dict[Failure, FingerprintedFailure]:
        if report:
            failures = with_report(failures, report)
        stopped, failures = without_interruptions(failures)
        no_tests = output is not None and output.ran == 0
        ran_nothing = no_tests and exit_code in values("ending.no_tests").values()
        if not (failures or stopped or exit_code in {0, 130, 143} or ran_nothing):
            # It says nothing that anybody understands; still it failed.
            name = os.path.basename(self._command[0])
            failures = [ending or Failure(tool=name, message=exited(name, exit_code))]
        heard = heard_before(self._timeline, self._command, self._folder)
        printed = failures if exit_code == 0 else ()
        if exit_code == 0:
            # What a pipe hides, or a suite that counts its failed tests and ends with 0 all the
            # same, of which nothing is learnt; a tool that passes has only warned.
            hidden = what_masks(self._command)
            counts = (output.counts if output else None) or {}
            counted = not hidden and bool(counts.get(FAILED, 0) + counts.get(ERROR, 0))
            failures = [
                failure
                for failure in failures
                if (counted and failure.test)
                or (hidden and (failure is ending or says_it_fails(failure, self._command)))
            ]
            if failures:
                notice = f"exit code hidden by {hidden}" if hidden else "exit code 0, tests failed"
                self._records.workspace.notices.append(notice)
        workspace, entered = self._records.workspace, folder_entered(self._command, "")
        by_test: dict[str, list[FingerprintedFailure]] = {}
        for old in (failure for run in self._timeline for failure in run.failures):
            for place in old.places if old.fields.get("test") else ():
                by_test.setdefault(place, []).append(old)
        self._heard = tuple(
            fingerprinted(workspace, failure, entered).site
            for failure in printed[:_MOST_HEARD]
            if failure not in failures
        )
        shown = {
            failure: as_before(fingerprinted(workspace, failure, entered), by_test)
            for failure in failures
        }
        left = {failure: other for failure, other in shown.items() if other.site not in heard}
        return left or shown


def run_command(
    records: "RecordAccess", command: Sequence[str], tell: "Callable[[list[RepeatedEdit]], None]"
) -> tuple[int, Callable[[], Observed]]:
    """Run a command under observation.

    Gives its exit code, and what notes the run and learns from it: apart, because that may
    fail, and the command's own outcome stands whatever happens to us.

    Args:
        records: the memory.
        command: what to run.
        tell: is told, before the command runs, which edits at hand were tried before.

    """
    from gitmem.system.child import run

    observer = Observer(records, command)
    tell(observer.before())
    output = WatchedOutput(records.workspace, command)

    try:
        with handed_over(records, command) as (environ, take):
            ended = run(
                command,
                on_output=output.feed,
                on_start=observer.begin,
                cwd=records.workspace.start,
                environ=environ,
            )
            report = take()
    except BaseException:
        observer.wait()
        raise

    def finish() -> Observed:
        failures = output.close(passed=not ended.exit_code and not what_masks(command))
        return observer.after(
            ended.exit_code,
            ended.seconds,
            failures,
            whole=ended.signal is None and output.whole,
            stopped=output.stopped,
            missing=ended.missing,
            report=report,
            ending=output.ending(failures, ended.exit_code),
            output=output.report(),
        )

    return ended.exit_code, finish
