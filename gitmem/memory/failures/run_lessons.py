"""What a watched run teaches: found, redacted, and kept as records or drafts."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from gitmem.capture.around import with_surroundings
from gitmem.capture.drafts import KEPT, Drafts
from gitmem.capture.learning import learn
from gitmem.capture.lesson_log import LessonLog
from gitmem.capture.recognising import errors_of_site, recognise
from gitmem.capture.recording_policy import RecordingPolicy
from gitmem.capture.repeated_edits import already_tried
from gitmem.errors import GitmemError
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.core.first_hint import is_first_hint
from gitmem.memory.core.ignored import ignored_problem
from gitmem.memory.core.redaction import redact
from gitmem.sync import NothingYet

if TYPE_CHECKING:
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.learnt import Draft, RepeatedEdit, RunLessons
    from gitmem.capture.runs import Run
    from gitmem.capture.worktree import WorkTree
    from gitmem.catalog.catalog import Catalog
    from gitmem.memory.failures.access import RecordAccess


class Learner:
    """Learns from the runs of one work tree.

    Args:
        records: where what is learnt goes.
        drafts: what was learnt here.
        work_tree: where the commands run.
        assistant: an assistant runs them, and nobody looks on.

    """

    def __init__(
        self,
        records: "RecordAccess",
        drafts: Drafts,
        work_tree: "WorkTree",
        *,
        assistant: bool = False,
    ) -> None:
        self._records = records
        self._assistant = assistant
        self._drafts = drafts
        self._work_tree = work_tree
        self._log = LessonLog(records.workspace.journal, work_tree.name)
        # Of a large memory the files are not compared twice.
        self._catalog: Callable[[], Catalog] = cache(
            partial(records.workspace.ask, lambda now: now.catalog)
        )

    def already_tried(self, runs: "Sequence[Run]", tree: str) -> "list[RepeatedEdit]":
        """Tell which edits at hand were tried before without success.

        Args:
            runs: earlier runs, oldest first.
            tree: the work tree as it is now.

        """
        return already_tried(runs, tree, self._work_tree, self._failed_patches)

    def learn(self, runs: "Sequence[Run]") -> "tuple[RunLessons, list[tuple[Draft, list[str]]]]":
        """Keep what the newest of some runs teaches.

        Gives all of it, and the drafts that became records with the ids of these. One that can't
        be written stays a draft, and a notice says why.
        """
        run = runs[-1]
        config = self._records.workspace.site.config
        policy = RecordingPolicy(config.capture_attempts, config.capture_minutes)
        with self._work_tree.reading():
            lessons = learn(runs, self._work_tree, self._recorded, policy)
            drafts = [
                self._redacted_draft(self._with_surroundings(runs[:-1], draft))
                for draft in lessons.drafts
            ]
        self._log.note_gone(run, lessons.remarks)
        remarks = lessons.remarks
        if lessons.unsteady:
            from gitmem.memory.failures.withdrawing import withdraw

            withdrawn = withdraw(self._records, self._drafts, self._log, lessons.unsteady)
            remarks = [*remarks, *withdrawn]
        standing = [self._drafts.add(draft) for draft in drafts]
        own = [draft for draft in drafts if draft in standing]
        return lessons._replace(drafts=standing, remarks=remarks), self._keep(run, own)

    def _recorded(self, failure: "FingerprintedFailure") -> list[str]:
        """Give the ids of the error records of a failure."""
        try:
            rows = errors_of_site(self._catalog(), failure, failure.fields)
        except NothingYet:
            return []  # of a draft a person sees whether there is a record
        return [row.id for row in rows]

    def _failed_patches(self, failure: "FingerprintedFailure") -> list[tuple[str, str]]:
        """Give the ids and patches of recorded fixes that did not help against a failure."""
        from gitmem.memory.failures.recording import recorded_patch

        patches = [
            (fix.id, recorded_patch(self._records, fix))
            for fix in recognise(self._catalog(), self._drafts, failure).attempts
            if fix.stated == "failed"
        ]
        return [(fix, patch) for fix, patch in patches if patch]

    def _with_surroundings(self, runs: "Sequence[Run]", draft: "Draft") -> "Draft":
        """Add the source lines around the failing one, as they stood when it was seen last."""
        red = [run for run in runs if draft.site in run.sites and run.tree]
        if not red:
            return draft
        tree, folder = red[-1].tree, red[-1].folder
        error = with_surroundings(
            draft.error, lambda path: self._work_tree.text(tree, folder, path)
        )
        workspace = self._records.workspace
        same = fingerprints_of(workspace, error) == fingerprints_of(workspace, draft.error)
        return draft._replace(error=error) if same else draft

    def _redacted_draft(self, draft: "Draft") -> "Draft":
        # A patch shows code, and code may hold what the output did not show.
        error, *fixes = map(self._redacted, (draft.error, *draft.fixes))
        shared = tuple((ids, self._redacted(fields)) for ids, fields in draft.shared)
        actor = self._records.workspace.site.config.actor if self._assistant else ""
        return draft._replace(error=error, fixes=fixes, shared=shared, actor=actor)

    def _redacted(self, fields: Mapping[str, Any]) -> dict[str, object]:
        return dict(redact(self._records.workspace, fields)[0])

    def _keep(self, run: "Run", drafts: "Sequence[Draft]") -> "list[tuple[Draft, list[str]]]":
        workspace = self._records.workspace
        config = workspace.site.config
        asks_first = config.capture_mode != "auto"
        asks_first = asks_first or (self._assistant and config.capture_assistants != "auto")
        written = []
        for draft in drafts:
            if draft.reasons and not asks_first:
                from gitmem.memory.failures.recording import keep

                try:
                    records = keep(self._records, draft)
                except GitmemError as error:
                    workspace.notices.append(f"{draft.id} stays a draft: {error.message}")
                    continue
                self._drafts.mark(draft, KEPT, records)
                self._log.note_written(run, draft, records)
                written.append((draft, records))
        if written:
            self._say_once_if_ignored()
        return written

    def _say_once_if_ignored(self) -> None:
        """Say that git ignores what was just recorded; once in a clone."""
        workspace = self._records.workspace
        ignored = ignored_problem(workspace.site)
        if ignored and is_first_hint(workspace.start, "ignored-hint"):
            workspace.notices.append(f"{ignored.message}; {ignored.hint}")
