"""Sessions of this work tree and actor: start, log, resume, abandon, end."""

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from gitmem.errors import ConflictError, EnvironmentProblem, NotFoundError, UsageError
from gitmem.git.git_dirs import GitDirs
from gitmem.records.kinds import Record, Session
from gitmem.records.parts import Author, Change, Lines, Scalar, Task, TestRun, Usage
from gitmem.sessions import entries, session_changes, session_record
from gitmem.sessions.live import ABANDON, END, LiveSession, owner_of
from gitmem.sessions.register import Register
from gitmem.sessions.summary import Produced
from gitmem.store.journal import Journal
from gitmem.system import relative_path


class LogEntry(NamedTuple):
    """What ``log`` wrote where, and a gentle word on what is missing."""

    session: str
    warnings: tuple[str, ...]


class SessionStatus(NamedTuple):
    """A live session so far. ``changes`` are those logged, or those git sees if asked for."""

    live: LiveSession
    seconds: float
    changes: tuple[Change, ...]
    test_runs: tuple[TestRun, ...]
    gaps: tuple[str, ...]


class Sessions:
    """The sessions of one repository, seen from one work tree by one actor.

    Every method raises EnvironmentProblem where the journal can't be read or written, and
    NotFoundError where there is no such live session.

    Args:
        journal: where live sessions are noted.
        add_record: writes the record of a session that ended.
        root: the folder that counts as the work tree outside git; with places, theirs counts.
        git_dirs: the repository, None outside git.
        actor: who works.
        clock: gives the time now, with a zone.
        new_id: gives a new record id of a kind.
        max_hours: a session without an event for longer counts as left behind.
        exclude: the memory's folder, relative to the work tree.

    """

    def __init__(
        self,
        journal: Journal,
        add_record: Callable[[Record], str],
        root: str | None,
        git_dirs: GitDirs | None,
        actor: Author,
        clock: Callable[[], datetime],
        new_id: Callable[[str], str],
        *,
        max_hours: float = 24,
        exclude: str = ".memory",
    ) -> None:
        self._journal = journal
        self._add_record = add_record
        self._root = git_dirs.root if git_dirs else root or ""
        self._places = git_dirs
        self._actor = actor
        self._clock = clock
        self._new_id = new_id
        self._exclude = exclude
        owner = (self._worktree(), *owner_of(actor))
        self._register = Register(journal, owner, clock, timedelta(hours=max_hours))

    def start(
        self,
        goal: str,
        *,
        tags: Iterable[str] = (),
        task: Task | None = None,
        beside: bool = False,
    ) -> LiveSession:
        """Begin a session here.

        Args:
            goal: what the work is for, in the words of whoever starts it.
            tags: single words, kept in the record.
            task: what a planner knows about it.
            beside: also while another session of this actor is live in this work tree.

        Raises:
            ConflictError: one is live here, and ``beside`` was not asked for.
            UsageError: there is no goal.
            InvalidError: a tag is not one word.

        """
        if not goal.strip():
            raise UsageError("a session needs a goal", "say in a few words what the work is for")
        self._refuse_second(beside=beside)
        self._register.close_ended()
        where = entries.place(self._worktree(), self._root, self._look())
        session_id = self._new_id("session")
        event, begun = entries.begin(
            session_id, goal, self._clock(), self._actor, where, tags=tags, task=task
        )
        with self._journal.exclusive():  # of two that start at once only one may pass
            stale = self._refuse_second(beside=beside)
            turn = self._register.next_turn()
            self._journal.append(session_id, event | {"turn": turn})
        return begun._replace(turn=turn, stale_others=tuple(live.id for live in stale))

    def live(self, *, everywhere: bool = False) -> list[LiveSession]:
        """List the live sessions of this actor here, or of all; in the order they were taken up."""
        return self._register.live(everywhere=everywhere)

    def current(self) -> LiveSession | None:
        """Give the session that ``log`` and ``end`` mean when none is named.

        That is the one in ``GITMEM_SESSION``, and only that where it is set: to take another
        one instead would put the work to the wrong account. Else the newest one of this work
        tree and actor that was not left behind.
        """
        return self._register.current()

    def status(self, session: str | None = None, *, compare: bool = False) -> SessionStatus:
        """Give the state of a live session. With ``compare``, git is asked what changed so far."""
        live = self._register.wanted(session)
        whole = session_changes.UNKNOWN
        if compare:
            whole = session_changes.whole(live, self._worktree(), self._places, self._exclude)
        changes, _ = session_record.merge(whole.changes, live.logged, certain=whole.certain)
        runs = tuple(entry.test_run for entry in live.logged if entry.test_run)
        seconds = max(0.0, (self._clock() - live.started).total_seconds())
        gaps = tuple(dict.fromkeys((*live.gaps, *whole.gaps)))
        return SessionStatus(live, seconds, changes, runs, gaps)

    def log(
        self,
        type: str,  # noqa: A002  what the record calls it too
        text: str,
        *,
        session: str | None = None,
        path: str | None = None,
        reason: str | None = None,
        action: str | None = None,
        lines: Lines | None = None,
        related_files: Iterable[str] = (),
        diff: str = "",
        role: str = "",
        record: str | None = None,
        test_run: TestRun | None = None,
    ) -> LogEntry:
        """Note an event in a live session.

        Args:
            type: ``change``, ``test``, ``note``, or any other word.
            text: what happened.
            session: id of the session, or its beginning; the current one if not given.
            path: the file it is about, absolute or relative to the work tree's top.
            reason: why a file was changed.
            action: of a change: create, edit, delete, rename, refactor or test.
            lines: first and last line that it is about.
            related_files: other files that matter to it.
            diff: of a change; cut after 20,000 characters.
            role: which part of a team of assistants it comes from.
            record: id of a record that it speaks of.
            test_run: of a test: what ran and how it ended.

        Raises:
            InvalidError: a value that no record could hold.
            UsageError: a path outside the work tree, or a change without a path.

        """
        live = self._register.wanted(session)
        event = entries.note(
            type,
            text,
            max(self._clock(), live.last),
            self._root,
            path=path,
            reason=reason,
            action=action,
            lines=lines,
            related_files=related_files,
            diff=diff,
            role=role,
            record=record,
            test_run=test_run,
        )
        self._journal.append(live.id, event, create=False)
        return LogEntry(
            live.id, entries.gentle(reason or "") if type == session_record.CHANGE else ()
        )

    def resume(self, session: str) -> LiveSession:
        """Make a live session the current one here, whoever began it and in which work tree.

        What it changed so far in another work tree is kept; from now on it is compared here.
        """
        live = self._register.wanted(session)
        where = {}
        if live.here.worktree != self._worktree():
            where = entries.place(self._worktree(), self._root, self._look())
            where["until"] = session_changes.tree_of(live.here.root, self._exclude)
            if not where["until"]:
                where["gaps"].append("earlier changes in the work tree are not known")
        at = max(self._clock(), live.last)
        event = entries.moved(at, self._actor, where) | {"turn": self._register.next_turn()}
        self._journal.append(live.id, event, create=False)
        return self._register.wanted(live.id)

    def abandon(self, session: str | None = None) -> LiveSession:
        """Close a session without a record. Its events stay among the journal's closed streams."""
        live = self._register.wanted(session)
        self._register.close(live, ABANDON)
        return live

    def end(
        self,
        session: str | None = None,
        *,
        success: bool | None = None,
        summary: str | None = None,
        approach: str = "",
        success_factors: Iterable[str] = (),
        tools_used: Iterable[str] = (),
        tags: Iterable[str] = (),
        llm: Usage | None = None,
        config: dict[str, Scalar] | None = None,
        metrics: dict[str, Scalar] | None = None,
        produced: Callable[[str], Sequence[Produced]] | None = None,
    ) -> Session:
        """End a session: compare the work tree with its start, and write its record.

        A session that was left behind ends with its last event, and files are not compared,
        since anything may have happened since; resume it first to have them compared.

        Args:
            session: id of the session, or its beginning; the current one if not given.
            success: whether it reached its goal, None if nobody says.
            summary: told by the caller; put together from the facts if not given.
            approach: how it was worked.
            success_factors: what helped.
            tools_used: what it was worked with.
            tags: more tags.
            llm: language-model calls, as handed in.
            config: settings it ran with.
            metrics: any other figures.
            produced: gives the records written in the session of an id.

        Raises:
            ConflictError: it is live in another work tree.
            InvalidError: a value that no record can hold. The session stays live, as it does
                whenever its record can't be written.

        """
        live = self._register.wanted(session)
        report = session_record.SessionReport(
            success=success,
            summary=(summary or "").strip(),
            approach=approach,
            success_factors=tuple(success_factors),
            tools_used=tuple(tools_used),
            tags=tuple(tags),
            llm=llm,
            config=config or {},
            metrics=metrics or {},
        )
        record = self._built(live, report, produced)
        self._add_record(record)
        try:
            self._register.close(live, END)
        except (EnvironmentProblem, NotFoundError) as error:
            raise EnvironmentProblem(
                f"{live.id} has its record, but stays live: {error.message}",
                f"then close it with gitmem session abandon {live.id}",
            ) from error
        return record

    def draft(
        self,
        session: str | None = None,
        *,
        success: bool | None = None,
        produced: Callable[[str], Sequence[Produced]] | None = None,
    ) -> Session:
        """Give the record that ``end`` would write now, put together from the facts alone."""
        live = self._register.wanted(session)
        return self._built(live, session_record.SessionReport(success=success), produced)

    def _built(
        self,
        live: LiveSession,
        report: session_record.SessionReport,
        produced: Callable[[str], Sequence[Produced]] | None,
    ) -> Session:
        self._refuse_elsewhere(live)
        whole = session_changes.whole(live, self._worktree(), self._places, self._exclude)
        return session_record.build(
            live,
            live.last if live.stale else max(self._clock(), live.last),
            report,
            observed=whole.changes,
            certain=whole.certain,
            branch=whole.branch,
            gaps=tuple(dict.fromkeys((*live.gaps, *whole.gaps))),
            produced=produced(live.id) if produced else (),
        )

    def finish(self, session: str) -> None:
        """Close a session whose record is written already: its end was cut short."""
        self._register.close(self._register.wanted(session), END)

    def _refuse_second(self, *, beside: bool) -> list[LiveSession]:
        """Raise ConflictError if one is live here already; give those left behind."""
        own = self.live()
        fresh = [live for live in own if not live.stale]
        if fresh and not beside:
            title = session_record.title_of(fresh[-1].goal)
            raise ConflictError(
                f"the session {fresh[-1].id} is already live here: {title}",
                "continue it with gitmem session log, end it with gitmem session end, "
                "or start one beside it with gitmem session start --beside",
            )
        return [live for live in own if live.stale]

    def _refuse_elsewhere(self, live: LiveSession) -> None:
        root = live.here.root
        if live.here.worktree != self._worktree() and os.path.isdir(root):
            raise ConflictError(
                f"{live.id} is live in another work tree: {root}",
                f"end it there with gitmem -C {shlex.quote(root)} session end {live.id}, "
                f"or take it over first with gitmem session resume {live.id}",
            )

    def _look(self) -> session_changes.RepositoryState:
        return session_changes.look(self._places, self._exclude)

    def _worktree(self) -> str:
        """Name this work tree within its repository, so that moving either keeps its sessions."""
        if self._places is None:
            return self._root
        return relative_path(self._places.git_dir, self._places.common_dir)
