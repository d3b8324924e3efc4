"""``gitmem run``: a command is observed; what fails is recognised, what fixes it is learnt."""

import os
import shlex
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.capture.drafts import KEPT, Drafts
from gitmem.capture.history import History
from gitmem.capture.learning import Learnt, Tried, already_tried, learn
from gitmem.capture.patches import Line, parse_patch
from gitmem.capture.recognising import Observed, recognise, seen_of
from gitmem.capture.redaction import redact_data
from gitmem.capture.runs import Run, Seen
from gitmem.capture.worktree import WorkTree
from gitmem.capture.worth import Rule
from gitmem.errors import GitmemError
from gitmem.matching.failure import Failure
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from gitmem.capture.composing import Draft
    from gitmem.catalog.rows import Row
    from gitmem.memory.memory import Memory

_CONSEQUENCES = frozenset({"consequence", "warning"})


class Observer:
    """Observes the commands that are run in one work tree.

    Args:
        memory: where what is learnt goes.
        command: what is run, as an argument list.

    """

    def __init__(self, memory: "Memory", command: Sequence[str]) -> None:
        self._memory = memory
        self._command = self._redacted_command(command)
        site = memory.site
        journal = Journal(site.journal)
        base = site.places.root if site.places else site.root
        self._work_tree = WorkTree.of(
            site.places, os.path.relpath(site.folder, base), memory.author.email
        )
        self._folder = os.path.relpath(os.path.realpath(memory.start), base)
        self._history = History(journal, self._work_tree.name if self._work_tree else base)
        self._drafts = Drafts(journal)
        self._started = memory.now()
        self._earlier = self._history.of(self._command, self._folder)
        self._tree = ""
        self._head = ""
        self._snapshot: threading.Thread | None = None

    def before(self) -> list[Tried]:
        """Look at the code as it is; tell which edits were tried before without success.

        Without live failures of this command the snapshot is taken beside the run.
        """
        if self._work_tree is None:
            return []
        if not self._earlier or self._earlier[-1].green:
            self._snapshot = threading.Thread(target=self._look, daemon=True)
            self._snapshot.start()
            return []
        self._look()
        return already_tried(self._earlier, self._tree, self._work_tree, self._failed_patches)

    def _look(self) -> None:
        if self._work_tree:
            self._head = self._work_tree.head()
            self._tree = self._work_tree.snapshot()

    def after(
        self, exit_code: int, seconds: float, failures: Sequence[Failure], *, whole: bool
    ) -> Observed:
        """Note the run and learn from it.

        Args:
            exit_code: how the command ended, as a shell counts it.
            seconds: how long it took.
            failures: what its output shows.
            whole: the output was read to its end and the command was not stopped.

        """
        if self._snapshot:
            self._snapshot.join()
        own = [one for one in failures if one.severity not in _CONSEQUENCES]
        run = Run(
            id=os.urandom(4).hex(),
            at=self._started,
            seconds=round(seconds, 3),
            command=self._command,
            folder=self._folder,
            exit_code=exit_code,
            tree=self._tree,
            head=self._head,
            failures=self._seen(own, exit_code),
            whole=whole,
            ci=bool(self._memory.environ.get("CI")),
        )
        learnt, kept = Learnt([], [], []), []
        if self._work_tree and run.tree:
            self._history.add(run)
            rule = self._rule()
            learnt = learn([*self._earlier, run], self._work_tree, self._known, rule)
            learnt = learnt._replace(drafts=[self._redacted_draft(one) for one in learnt.drafts])
            kept = self._keep(learnt.drafts)
        catalog = self._memory.derived.catalog()
        before = self._earlier[-1].sites if self._earlier else frozenset()
        recognised = [
            recognise(catalog, self._drafts, seen, still=seen.site in before)
            for seen in run.failures
        ]
        return Observed(run, recognised, learnt, kept)

    def _rule(self) -> Rule:
        config = self._memory.site.config
        return Rule(config.capture_attempts, config.capture_minutes)

    def _seen(self, failures: Sequence[Failure], exit_code: int) -> tuple[Seen, ...]:
        if not failures and exit_code not in {0, 130, 143}:
            # It says nothing that anybody understands; still it failed.
            name = os.path.basename(self._command[0])
            failures = [Failure(tool=name, message=f"{name} exited with {exit_code}")]
        if exit_code == 0:
            failures = []
        found: dict[str, Seen] = {}
        for failure in failures:
            seen = seen_of(failure)
            found.setdefault(seen.site, seen._replace(fields=self._redacted(seen.fields)))
        return tuple(found.values())

    def _redacted(self, fields: dict[str, object]) -> dict[str, object]:
        clean, _ = redact_data(fields, environ=self._memory.others_environ)
        return dict(clean)

    def _redacted_command(self, command: Sequence[str]) -> tuple[str, ...]:
        text = shlex.join(command)
        clean = str(self._redacted({"command": text})["command"])
        return tuple(command if clean == text else shlex.split(clean))

    def _redacted_draft(self, draft: "Draft") -> "Draft":
        # A patch shows code, and code may hold what the output did not show.
        error, *fixes = map(self._redacted, (draft.error, *draft.fixes))
        return draft._replace(error=error, fixes=fixes)

    def _known(self, seen: Seen) -> list[str]:
        rows = self._memory.derived.catalog().errors_with("site", seen.site)
        return [row.id for row in rows]

    def _failed_patches(self, seen: Seen) -> list[tuple[str, str]]:
        catalog = self._memory.derived.catalog()
        known = recognise(catalog, self._drafts, seen)
        failed = [fix for fix in known.attempts if fix.stated == "failed"]
        found = []
        for fix in failed:
            patch = str(getattr(self._memory.show(fix.id).record, "patch", ""))
            if patch:
                found.append((fix.id, patch))
        return found

    def _keep(self, drafts: "Sequence[Draft]") -> "list[tuple[Draft, list[str]]]":
        mode = self._memory.site.config.capture_mode
        done = []
        for draft in drafts if mode != "off" else ():
            if mode == "auto" and draft.reasons:
                records = keep(self._memory, draft)
                self._drafts.add(draft, KEPT, records)
                done.append((draft, records))
            else:
                self._drafts.add(draft)
        return done


def keep(memory: "Memory", draft: "Draft") -> list[str]:
    """Write a draft as records: the error (unless it is open already), and its fixes.

    An error that came back after it was fixed gets a record of its own that says so.
    """
    status = {row.id: row.status for one in draft.known if (row := _find(memory, one))}
    live = [one for one, state in status.items() if state in {"open", "regressed"}]
    written: list[str] = []
    if live:
        errors = live
    else:
        links = {"duplicates": [next(iter(status))]} if status else {}
        fields = {**draft.error, **({"links": links} if links else {})}
        made = memory.add("error", _clean(memory, fields))
        written.append(made.id)
        errors = [made.id]
    for fix in not_yet_written(memory, errors, draft.fixes):
        fields = {**fix, "links": {"fixes": errors}}
        written.append(memory.add("fix", _clean(memory, fields)).id)
    return written


def not_yet_written(
    memory: "Memory", errors: Sequence[str], fixes: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Leave out failed attempts that the memory has already: those tried long are written early."""
    failed = [fix for fix in fixes if fix.get("outcome") == "failed" and fix.get("patch")]
    if not failed or not errors:
        return list(fixes)
    known = set()
    for error in errors:
        for relation, row in memory.show(error).backlinks:
            if relation == "fixes" and row.stated == "failed":
                patch = str(getattr(memory.show(row.id).record, "patch", "") or "")
                known.add(parse_patch(patch).lines)
    left = []
    for fix in fixes:
        lines = frozenset[Line]()
        if fix in failed:
            lines = parse_patch(str(_clean(memory, {"patch": fix["patch"]})["patch"])).lines
        if not lines or lines not in known:
            left.append(fix)
            known.add(lines)
    return left


def _find(memory: "Memory", record_id: str) -> "Row | None":
    try:
        return memory.find(record_id)
    except GitmemError:
        return None


def _clean(memory: "Memory", fields: dict[str, object]) -> dict[str, object]:
    clean, _ = redact_data(fields, environ=memory.others_environ)
    return dict(clean)


def run_command(
    memory: "Memory", command: Sequence[str], tell: Callable[[list[Tried]], None]
) -> tuple[int, Callable[[], Observed]]:
    """Run a command under observation.

    Gives its exit code, and what notes the run and learns from it: apart, because that may
    fail, and the command's own outcome stands whatever happens to us.

    Args:
        memory: the memory.
        command: what to run.
        tell: is told, before the command runs, which edits at hand were tried before.

    """
    from gitmem.capture.child import run  # noqa: PLC0415  start-up
    from gitmem.matching.parse import Parser  # noqa: PLC0415  start-up

    observer = Observer(memory, command)
    tell(observer.before())
    parser = Parser(shlex.join(command))
    ended = run(command, on_output=parser.feed, cwd=memory.start, environ=memory.environ)

    def finish() -> Observed:
        failures = parser.close()
        whole = ended.signal is None and not parser.more
        return observer.after(ended.exit_code, ended.seconds, failures, whole=whole)

    return ended.exit_code, finish
