"""``CodingMemoryManager``: the coding memory of one user in one repository.

The repository is the project: ``project_id`` becomes a tag, ``user_id`` the author's name.
Summaries are put together from what was observed. Where the manager was given a model, a summary
by that model stands below, once it is approved.
"""

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from gitmem.config import parse
from gitmem.errors import (
    ConflictError,
    EnvironmentProblem,
    InvalidError,
    NotFoundError,
    UsageError,
)
from gitmem.llm.interactions import usage
from gitmem.memory import user_settings
from gitmem.parts.compat.arguments import truth, whole
from gitmem.parts.compat.call_costs import CallCosts
from gitmem.parts.compat.coding_options import as_claim, embedder, lines_of, refuse
from gitmem.parts.compat.coding_search import RecalledError, similar_errors
from gitmem.parts.compat.coding_vision import seen_by
from gitmem.parts.compat.shared import awaited, context, listed, opened, or_default, tag, tagged

if TYPE_CHECKING:
    from gitmem.llm.approval import Approve
    from gitmem.memory import Memory
    from gitmem.records.kinds import Record, Session
    from gitmem.sessions import LiveSession

_UNKNOWN: Final = frozenset({"", "unknown"})
_MINUTE: Final = 60


class CodingMemoryManager:
    """The coding memory of one user in one repository.

    Args:
        user_id: the name that records bear; empty: as git says.
        project_id: a tag of what is written.
        model: the setting ``llm.model``; if given, or in ``CODING_MEMORY_MODEL``, sessions end
            with a summary by it, too.
        vision_model: the setting ``llm.vision_model``; if given, or in
            ``CODING_MEMORY_VISION_MODEL``, screenshots of errors are sent to it, too.
        auto_approve: the setting ``llm.auto_approve``; None: as it is set elsewhere.
        cost_threshold: the setting ``llm.cost_threshold``; None: as it is set elsewhere.
        enable_rag: closeness in meaning is searched, too, with a RuntimeWarning where nothing
            for it is installed; false: only words are; None: as it is set elsewhere.
        folder: any folder of the repository.
        approve: is shown what a call takes and says whether it may be made; None: what needs
            approval is not sent, and ``notes`` of the answer says so.

    Raises:
        UsageError: an option that there is not, or a value that it can't have.

    """

    def __init__(
        self,
        user_id: str = "",
        project_id: str = "",
        *,
        model: str = "",
        vision_model: str = "",
        auto_approve: bool | None = None,
        cost_threshold: float | None = None,
        enable_rag: bool | None = None,
        folder: str = ".",
        approve: "Approve | None" = None,
        **others: object,
    ) -> None:
        refuse(others)
        self.user_id = or_default(user_id, "")
        self.project_id = or_default(project_id, "")
        given_settings = {
            "author.name": self.user_id or None,
            "llm.model": model or None,
            "llm.vision_model": vision_model or None,
            "llm.auto_approve": auto_approve,
            "llm.cost_threshold": cost_threshold,
            "semantic.embedder": embedder(enable_rag),
        }
        self._settings = {
            key: parse(key, value) for key, value in given_settings.items() if value is not None
        }
        in_force = user_settings(self._settings, os.environ)
        # The older memory's own variables choose models for its calls, as its user meant them to;
        # a setting of gitmem alone makes no call.
        by_variable = bool(os.environ.get("CODING_MEMORY_MODEL"))
        self.model = model or (in_force.llm_model if by_variable else "")
        by_variable = bool(os.environ.get("CODING_MEMORY_VISION_MODEL"))
        self.vision_model = vision_model or (in_force.llm_vision_model if by_variable else "")
        self.auto_approve = in_force.llm_auto_approve
        self.cost_threshold = in_force.llm_cost_threshold
        self.coding_analyzer = CallCosts(self.memory)
        self.approve = approve
        self._folder = folder

    @contextmanager
    def memory(self) -> "Iterator[Memory]":
        """Open the memory in the name of the user."""
        with opened(self._folder, self._settings) as memory:
            yield memory

    async def track_file_change(
        self,
        file_path: str,
        action: str = "edit",
        diff: str = "",
        reason: str = "",
        related_files: object = None,
        line_range: object = None,
    ) -> dict[str, Any]:
        """Note why a file was changed; gives the session's id, and a warning of a poor reason.

        ``line_range`` is ``"42,57"``, or two numbers.
        """
        return await awaited(
            self._track,
            file_path,
            action,
            diff,
            reason,
            listed(related_files),
            lines_of(line_range),
        )

    def _track(
        self,
        path: str,
        action: str,
        diff: str,
        reason: str,
        related: list[str],
        lines: tuple[int, int] | None,
    ) -> dict[str, Any]:
        with self.memory() as memory:
            live = self._live(memory)
            session = live or memory.sessions.start(
                reason or f"{action} {path}", tags=self._tags(), beside=True
            )
            try:
                noted = memory.sessions.log(
                    "change",
                    "",
                    session=session.id,
                    path=path,
                    reason=reason,
                    action=action,
                    lines=lines,
                    related_files=related,
                    diff=diff,
                )
            except InvalidError:
                if live is None:
                    memory.sessions.abandon(session.id)
                raise
            if live is None:
                # Nobody began a session: the change is one of its own.
                memory.end_session(session.id)
            return {"session": session.id, "warnings": list(noted.warnings)}

    async def record_error(
        self,
        error_type: str,
        message: str,
        stack_trace: str = "",
        file_path: str = "",
        line_number: int = 0,
        solution: str | None = None,
        screenshot: str | None = None,
        tags: object = None,
    ) -> str:
        """Write an error down, and its solution if there is one; gives the error's id.

        A screenshot that can't be read is left out with a RuntimeWarning: the error is kept.
        """
        fields: dict[str, Any] = {
            "error_type": error_type,
            "message": message,
            "excerpt": stack_trace,
            "tags": self._tags(*listed(tags)),
        }
        if file_path not in _UNKNOWN:
            fields["location"] = {"file": file_path, "line": line_number or None}
        return await awaited(self._record_error, fields, solution, screenshot)

    def _record_error(
        self, fields: Mapping[str, Any], solution: str | None, screenshot: str | None
    ) -> str:
        with self.memory() as memory:
            live = self._session(memory)
            whole = memory.failures.shown(fields["excerpt"], fields["error_type"])
            all_fields = {**whole, **fields, **live}
            record = self._with_picture(memory, screenshot, all_fields)
            if solution:
                fields = as_claim(memory, {"approach": solution, "tags": self._tags(), **live})
                memory.resolve(record.id, fields)
            return record.id

    def _with_picture(
        self, memory: "Memory", screenshot: str | None, fields: Mapping[str, Any]
    ) -> "Record":
        """Write an error down with its screenshot; one that can't be read must not lose it."""
        if screenshot:
            try:
                model = self.vision_model
                answer = seen_by(memory, model, screenshot, self.approve) if model else None
                return memory.models.record_screenshot(screenshot, fields, answer)
            except (EnvironmentProblem, InvalidError, NotFoundError, UsageError) as trouble:
                text = f"gitmem: the error is kept without its screenshot: {trouble.message}"
                warnings.warn(text, RuntimeWarning, stacklevel=2)
        return memory.add("error", fields)

    async def record_decision(
        self,
        decision: str,
        rationale: str = "",
        alternatives: object = None,
        impact: str = "",
        tags: object = None,
        related_files: object = None,
        confidence: float | None = None,
    ) -> str:
        """Write a decision down; gives its id."""
        fields: dict[str, Any] = {
            "decision": decision,
            "rationale": rationale,
            "alternatives": [{"option": alternative} for alternative in listed(alternatives)],
            "consequences": impact,
            "governs": listed(related_files),
            "tags": self._tags(*listed(tags)),
            "confidence": confidence,
        }

        def write() -> str:
            with self.memory() as memory:
                return memory.add("decision", {**fields, **self._session(memory)}).id

        return await awaited(write)

    async def start_coding_session(self, description: str, tags: object = None) -> str:
        """Begin a session; gives its id.

        Raises:
            ConflictError: this user has one in this project and work tree already.

        """

        def start() -> str:
            with self.memory() as memory:
                live = self._live(memory)
                if live:
                    raise ConflictError(
                        f"the session {live.id} is active already: {live.goal}",
                        "end it first, with coding_end_session or gitmem session end",
                    )
                labels = self._tags(*listed(tags))
                return memory.sessions.start(description, tags=labels, beside=True).id

        return await awaited(start)

    async def end_coding_session(
        self, summary: str | None = None, *, success: bool | None = None
    ) -> dict[str, Any]:
        """End the session; gives ``session_id``, ``summary``, ``duration_minutes``, ``success``.

        ``files_changed`` are those that git saw, then those that were only tracked.
        Without a summary it is put together from the facts: goal, changes, tests, records; if the
        manager was given a model, one by that model stands below, or ``notes`` says why not.
        """
        reached = truth(success, "success")

        def end() -> dict[str, Any]:
            with self.memory() as memory:
                live = self._live(memory)
                if live is None:
                    raise NotFoundError(
                        "no session is active", "begin one with coding_start_session"
                    )
                record = self._ended(memory, live.id, summary, success=reached)
                logged = [entry.path for entry in live.logged if entry.type == "change"]
                changed = [*(change.path for change in record.changes), *logged]
                minutes = (record.ended - record.started).total_seconds() / _MINUTE
                return {
                    "session_id": record.id,
                    "summary": record.summary,
                    "duration_minutes": round(minutes, 1),
                    "success": record.success,
                    "files_changed": list(dict.fromkeys(changed)),
                    "notes": list(memory.workspace.derived.notices),
                }

        return await awaited(end)

    def _ended(
        self, memory: "Memory", session: str, summary: str | None, *, success: bool | None
    ) -> "Session":
        used = usage(memory.models.interactions(session))
        report: dict[str, Any] = {"summary": summary, "success": success, "llm": used}
        if self.model and not summary:
            try:
                return memory.end_session(session, summarise=True, approve=self.approve, **report)
            except UsageError as error:
                # No address, no approval, no budget: the session ends all the same.
                hint = f" ({error.hint})" if error.hint else ""
                memory.workspace.derived.notices.append(
                    f"no summary by {self.model}: {error.message}{hint}"
                )
        return memory.end_session(session, **report)

    async def search_errors(self, query: str, k: int = 5) -> list[dict[str, Any]]:
        """Find past errors by what is said of them; best first, each with what was tried.

        Records of one failure are one answer: ``seen`` counts them.
        """
        most = whole(k, "k")

        def search() -> list[dict[str, Any]]:
            with self.memory() as memory:
                return similar_errors(memory, query, most)

        return await awaited(search)

    async def get_project_context(self, focus: str | None = None) -> str:
        """Give the project's context, and how its code is written, as Markdown quoted as data.

        How the code is written is told in a git repository only. See ``Advisor.context``.
        """

        def ask() -> str:
            with self.memory() as memory:
                # Only git tells which files are the project's code.
                tracked = memory.workspace.site.git_dirs is not None
                return context(memory, focus or "", conventions=tracked)

        return await awaited(ask)

    async def analyze_patterns(self) -> dict[str, Any]:
        """Give what the code base shows of conventions; see ``Memory.profile``."""

        def ask() -> dict[str, Any]:
            with self.memory() as memory:
                return dict(memory.code.profile()._asdict())

        return await awaited(ask)

    async def recall(self, error_id: str) -> RecalledError:
        """Give an error that may be changed and handed to ``store``."""

        def read() -> RecalledError:
            with self.memory() as memory:
                shown = memory.show(error_id)
                worked = [row.title for row in shown.attempts if row.helped]
                message = str(getattr(shown.record, "message", "") or shown.row.title)
                solved = worked[-1] if worked else ""
                return RecalledError(
                    shown.row.id, shown.row.error_type, message, solved, bool(worked)
                )

        return await awaited(read)

    async def store(self, error_id: str, error: RecalledError) -> str:
        """Write down how an error was solved, as a fix that links to it; gives the fix's id."""

        def write() -> str:
            if not error.solution:
                raise UsageError("the error has no solution", "set its solution first")
            with self.memory() as memory:
                outcome = "worked" if error.resolved else "unverified"
                fields = {"approach": error.solution, "outcome": outcome, "tags": self._tags()}
                fields = as_claim(memory, {**fields, **self._session(memory)})
                return memory.resolve(error_id, fields).id

        return await awaited(write)

    async def record_usage(
        self, model: str, input_tokens: int = 0, output_tokens: int = 0, cost: float | None = None
    ) -> None:
        """Note what a call to a language model took: private, and summed up in the session.

        Without a cost it is that of the price list, where the model is in it.
        """
        numbers: dict[str, Any] = {
            "model": model, "input_tokens": input_tokens, "output_tokens": output_tokens,
        }  # fmt: skip

        def write() -> None:
            with self.memory() as memory:
                live = self._live(memory)
                listed_price = memory.models.list_price(model, input_tokens, output_tokens)
                dollars = listed_price if cost is None else cost
                more = {} if dollars is None else {"cost_usd": float(dollars)}
                session = live.id if live else "none"
                memory.models.note_interaction(session, "usage", metadata=numbers | more)

        await awaited(write)

    def _tags(self, *more: str) -> list[str]:
        project = tag(self.project_id)
        return tagged(*([f"project-{project}"] if project else []), *more)

    def _live(self, memory: "Memory") -> "LiveSession | None":
        """Find the session of this user and project in this work tree."""
        mark = set(self._tags())
        name = memory.records.writer.author.name
        own = [
            live
            for live in memory.sessions.live()
            if not live.stale and live.actor.name == name and mark <= set(live.tags)
        ]
        return own[-1] if own else None

    def _session(self, memory: "Memory") -> dict[str, str]:
        live = self._live(memory)
        return {"session": live.id} if live else {}
