"""``Memory.history``: questions that need the records and the git history."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from gitmem.errors import GitmemError, InvalidError, NotFoundError
from gitmem.memory.reading.reader import Reader

if TYPE_CHECKING:
    from gitmem.answers.changes import Description, Differences, Review
    from gitmem.answers.found import Branches
    from gitmem.answers.guard_rules import Proposal
    from gitmem.answers.guarded import Guarded, Proof, TakenBack
    from gitmem.answers.places import FileHistory, PlacedAnchor, RecordOrigin, Regression
    from gitmem.capture.job import CiJob, Log
    from gitmem.capture.observed import Match
    from gitmem.capture.telling import LookUp
    from gitmem.catalog.rows import Row
    from gitmem.git.bisect import BisectResult
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.failures.facade import Failures
    from gitmem.memory.history.guarded_texts import EditedTexts
    from gitmem.memory.history.issue_links import Linked
    from gitmem.memory.history.meant import Meant
    from gitmem.memory.history.record_changes import BranchChanges
    from gitmem.records.problems import Problem


class History:
    """Revisions of a memory, what ranges of commits teach, and where records and lines come from.

    Unless said otherwise methods raise EnvironmentProblem outside git, and where git refuses.

    Args:
        records: of the memory.
        failures: of the memory.
        check: lists what is wrong with the memory's files.

    """

    def __init__(
        self,
        records: "RecordAccess",
        failures: "Failures",
        check: "Callable[[], list[Problem]]",
    ) -> None:
        self._records = records
        self._reader = records.reader
        self._workspace = records.workspace
        self._failures = failures
        self._check = check

    # Revisions

    def at(self, revision: str, *, or_empty: bool = False) -> Reader:
        """Give the memory as it was at a revision, straight from git's objects; close it, too.

        Args:
            revision: a commit, branch, tag or anything else that git takes for one.
            or_empty: where there was no memory yet, or no commit (an empty name), give an empty
                memory.

        Raises:
            NotFoundError: there is no such revision, or there was no memory yet.

        """
        from gitmem.memory.reading.revisions import at

        return Reader(at(self._workspace, revision, or_empty=or_empty))

    def on_all_branches(self) -> "tuple[Reader, Branches]":
        """Give what all branches hold together, as a memory to be read and closed.

        With it come the names of the branches that have each file of the memory.
        """
        from gitmem.memory.reading.revisions import on_all_branches

        workspace, branches = on_all_branches(self._workspace)
        return Reader(workspace), branches

    def named_revisions(self) -> list[str]:
        """Give the names of branches and tags.

        Raises:
            EnvironmentProblem: this is no git repository, or git refuses.

        """
        from gitmem.git.command import git

        root = self._workspace.site.require_git().root
        places = ("refs/heads", "refs/tags", "refs/remotes")
        names = git(root, "for-each-ref", "--format=%(refname:short)", *places)
        return names.decode(errors="replace").split()

    def diff(self, before: str = "", after: str | None = None) -> "Differences":
        """Tell what was learnt between two revisions.

        Args:
            before: the former one; empty: where this branch left its upstream, or the default
                branch where it has none.
            after: the later one; None: the files as they are now.

        """
        from gitmem.memory.history.memory_diff import diff

        return diff(self._workspace, before, after)

    def provenance(self, reference: str, revision: str | None = None) -> "RecordOrigin":
        """Tell which commit added a record, and what git says of it.

        Args:
            reference: an id or a unique prefix of one.
            revision: the record as it was there; None: as it is.

        """
        from gitmem.memory.history.provenance import provenance

        if revision is None:
            return provenance(self._workspace.site, self._reader.find(reference))
        with self.at(revision) as past:
            return provenance(self._workspace.site, past.find(reference), revision)

    # What a change teaches

    def review(self, span: str = "", *, worktree: bool = False) -> "Review":
        """Tell what a range of commits teaches, and what is known about the files it changes.

        Args:
            span: ``A..B``, ``A...B``, ``A`` or ``A^!``; empty: since this branch left the main
                one.
            worktree: up to the files as they are now, committed or not.

        """
        from gitmem.memory.history.review import review

        return review(self._workspace, span, worktree=worktree)

    def changed_on_branch(self) -> "BranchChanges":
        """Tell what became of records since this branch left the default one, committed or not.

        Outside git it is nothing.
        """
        from gitmem.memory.history.review import changed_on_branch

        return changed_on_branch(self._workspace)

    def ci(self, logs: "Iterable[Log]", span: str | None = None) -> "CiJob":
        """Tell what is known about the failures of a job; for its end, see ``gitmem ci``.

        Args:
            logs: its logs and reports.
            span: also review these commits; None: none.

        """
        from gitmem.memory.history.ci_job import ci_job, why_unreviewed

        review, unreviewed = None, ""
        try:
            review = None if span is None else self.review(span)
        except NotFoundError as error:  # the logs have more to tell
            unreviewed = why_unreviewed(error, self._workspace.site.git_dirs)
        job = ci_job(self._failures, logs, self._check(), review, unreviewed)
        return job.with_returned(self.look_up(job.failures).came_back)

    def describe(self, session: str | None = None, *, span: str = "") -> "Description":
        """Put together what a pull request says, of a session or of a range of commits.

        Args:
            session: id or prefix of one, live or ended; None: the current one, else the range.
            span: a range as for ``review``; empty: this branch.

        Raises:
            NotFoundError: there is no such session, or no such commit.

        """
        from gitmem.memory.history.description import describe

        return describe(self._reader, self._records.writer.sessions, session, span)

    def link(self, reference: str, issue: str, why: str = "") -> "Linked":
        """Say that a record or a live session belongs to an issue or a pull request.

        Args:
            reference: an id or a unique prefix of one.
            issue: ``#12``, ``!7``, ``owner/repo#12``, or its address.
            why: a sentence about it.

        Raises:
            InvalidError: it is not an issue.

        """
        from gitmem.memory.history.issue_links import link

        return link(self._reader, self._records.writer, reference, issue, why)

    def guard(
        self, span: str = "", *, work_tree: bool = False, index: str | None = None, by: str = ""
    ) -> "Guarded":
        """Tell which fixes a change takes back.

        Args:
            span: a range as for ``review``; empty: what is staged.
            work_tree: what differs from the commit that is checked out, staged or not.
            index: git's index file if it is another than the work tree's own, as in a hook.
            by: who tells it before a commit, ``hook`` or ``command``, for statistics.

        """
        from gitmem.memory.history.guarding import guard

        return guard(self._workspace, span, work_tree=work_tree, index=index, by=by)

    def guard_diff(self, diff: str) -> "Guarded":
        """Tell which fixes a unified diff takes back, outside git too."""
        from gitmem.memory.history.guarding import guard_diff

        return self._workspace.ask(lambda _: guard_diff(self._workspace, diff))

    @property
    def edited(self) -> "EditedTexts":
        """What edits do to fixes, saved or not."""
        from gitmem.memory.history.guarded_texts import EditedTexts

        return EditedTexts(self._workspace)

    def propose_rule(self, reference: str, may_keep: "Callable[[Proposal], bool]") -> "Proposal":
        """Propose a rule that finds what a fix fixed, or check the one that its record has.

        Args:
            reference: the fix: an id or a unique prefix of one.
            may_keep: asked whether a new rule is written into the record.

        Raises:
            InvalidError: it is not a fix.
            NotFoundError: no rule follows from it, or its code is not in the history.

        """
        from gitmem.memory.history.proposing import propose_rule

        row = self._reader.find(reference)
        if row.kind != "fix":
            raise InvalidError(f"{row.id} is no fix", hint="name one: gitmem list kind:fix")
        return propose_rule(self._records.writer, row, may_keep)

    def prove(self, taken: "TakenBack", may_run: Callable[[str], bool]) -> "Proof":
        """Run what had shown a fix to work, in the work tree as it is.

        Args:
            taken: the fix.
            may_run: asked for a command that this clone has never run.

        Raises:
            EnvironmentProblem: it can't be started.

        """
        from gitmem.memory.history.proving import prove

        return prove(self._workspace, taken, self.look_up, may_run)

    def say_meant(self, reference: str, why: str = "") -> "Meant":
        """Write down that a fix may be taken back: ``guard`` does not tell it again.

        Args:
            reference: the fix: an id or a unique prefix of one.
            why: a sentence about it.

        Raises:
            InvalidError: it is not a fix.

        """
        from gitmem.memory.history.meant import say_meant

        return say_meant(self._reader, self._records.writer, reference, why)

    # Lines and places

    def blame(self, place: str) -> "FileHistory":
        """Tell which records touched a file or a line of it, and why that is known.

        Args:
            place: ``PATH`` or ``PATH:LINE``, as typed in the folder ``start``.

        """
        from gitmem.memory.history.blame import blame, place_typed

        return blame(self._workspace, *place_typed(self._workspace, place))

    def anchors(self, reference: str | None = None) -> "list[PlacedAnchor]":
        """Find where the lines that records refer to are now, and which can't be found.

        Args:
            reference: an id or a unique prefix of one; None: all records.

        """
        from gitmem.memory.anchors.stale_anchors import anchors

        row = None if reference is None else self._reader.find(reference)
        return anchors(self._workspace, row)

    def stale(self) -> "list[PlacedAnchor]":
        """List the anchors of records that no longer hold, with the reasons."""
        from gitmem.memory.anchors.stale_anchors import stale

        return stale(self._workspace)

    # Errors that came back

    def regression(self, reference: str) -> "Regression":
        """Tell what became of the fix of an error that came back.

        Args:
            reference: any record of the error: an id or a unique prefix of one.

        Raises:
            NotFoundError: no fix of it worked, or it did not come back.

        """
        from gitmem.memory.history.regressions import regression_of

        return regression_of(self._reader, reference)

    def came_back(self, errors: "Iterable[Row]", fixes: "Iterable[Row]") -> "Regression | None":
        """Tell what became of the fix of an error that shows now; None if none had worked.

        Args:
            errors: all records of the error.
            fixes: all attempts on it.

        """
        from gitmem.memory.history.regressions import regression

        if self._workspace.site.git_dirs is None:
            return None
        return regression(self._workspace, errors, fixes, now=True)

    def look_up(self, what: "str | Sequence[Match]") -> "LookUp":
        """Give the one answer about failures that every face renders.

        Args:
            what: an error text, words that name a failure of now, or failures that were recognised
                already, such as those of a run.

        """
        from gitmem.memory.history.look_up import look_up

        return look_up(self._failures, what, self.came_back)

    def of_run(self, matches: "Sequence[Match]") -> "LookUp":
        """Give the same of a run's failures; where git refuses, a notice says what is not known."""
        from gitmem.capture.telling import LookUp

        try:
            if any(match.errors for match in matches):
                return self.look_up(matches)
        except GitmemError as error:
            notice = f"whether fixes are gone is not known: {error.message}"
            self._workspace.notices.append(notice)
        return LookUp(tuple(matches))

    def bisect_script(self, regression: "Regression") -> list[str]:
        """Give the commands of git that search the range of a regression.

        Raises:
            NotFoundError: there is no range, or no command that shows the error.

        """
        from gitmem.memory.history.regressions import script

        return script(regression)

    def bisect(self, regression: "Regression", tell: Callable[[str], None]) -> "BisectResult":
        """Run the recorded command over the range of a regression, as ``git bisect run`` does.

        It is only for who asked for just that. The work tree is as it was at the end.

        Args:
            regression: as ``regression`` gives it.
            tell: is told each line of output.

        Raises:
            NotFoundError: there is no range, or no command that shows the error.
            ConflictError: the work tree is not clean, or git is in the middle of something.

        """
        from gitmem.memory.history.regressions import bisect

        return bisect(self._workspace.site, regression, tell)
