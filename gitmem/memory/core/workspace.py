"""One memory as everything that works on it sees it: its files, derived state, settings, clock."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gitmem.errors import EnvironmentProblem
from gitmem.git.state import file_stamp, tip_stamp
from gitmem.memory.core.site import Site, user_config_path
from gitmem.memory.core.team_rules import allowed_secrets
from gitmem.records.layout import MARKER
from gitmem.store import GUARDS, RUNS
from gitmem.store.files import Store
from gitmem.store.listing import records_there
from gitmem.sync import Progress, quiet
from gitmem.system import LockUnavailable, lock

if TYPE_CHECKING:
    from gitmem.capture.drafts import Drafts
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.facade import SettingsAccess
    from gitmem.store.journal import Journal
    from gitmem.sync.derived import Derived

_Answer = TypeVar("_Answer")
_Data = TypeVar("_Data")
_MOST_DIGITS: Final = 7  # of a line's number
_STORING: Final = "storing.lock"
_STORING_SECONDS: Final = 30.0


def system_clock() -> datetime:
    """The present, in UTC."""
    return datetime.fromtimestamp(time.time(), UTC)


class Workspace:
    """One memory and its surroundings; what workers take.

    Attributes:
        site: where the memory is, with its settings.
        environ: environment variables.
        start: the folder that paths are typed in.
        clock: gives the time now, in UTC.
        store: the record files.
        progress: is told how long work goes.
        waits: questions wait until derived state is in step; else what takes long is left to
            another process, and they are answered from what lies there. To be set at first.

    """

    def __init__(
        self,
        site: Site,
        environ: Mapping[str, str],
        start: str = ".",
        *,
        store: Store | None = None,
        derived: "Derived | None" = None,
        clock: Callable[[], datetime] = system_clock,
    ) -> None:
        self.site = site
        self.environ = environ
        self.start = start
        self.clock = clock
        self.progress: Progress = quiet
        self.waits = True
        self.store = store or Store(site.folder, site.config.limits_record_kib * 1024)
        if derived:
            self.derived = derived
        self._early_notices: list[str] = []  # before anybody asked for derived state
        self._snapshot: Snapshot | None = None
        self._harmless: set[int] = set()  # hashes of the journal's lines that hold no secrets
        self._cleaned: dict[int, dict[str, Any]] = {}  # of the others: their events without them

    @cached_property
    def derived(self) -> "Derived":
        """Catalog and index; asked through ``ask`` alone."""
        from gitmem.memory.core.derived_state import derived_of, hurried_derived_of

        if self.waits:
            derived = derived_of(self.site, self.store, self.environ, self.redacted_text)
        else:
            derived = hurried_derived_of(self.site, self.store, self.environ)
        derived.notices += self._early_notices
        return derived

    def ask(self, question: Callable[["Snapshot"], _Answer]) -> _Answer:
        """Answer a question from derived state that is in step with the files.

        Where that proves damaged by the question, it is made anew and the question asked again;
        also where files changed while it was answered. A question must therefore change nothing.
        One that is asked within another sees the same snapshot.
        """
        if self._snapshot is not None:
            return question(self._snapshot)

        from gitmem.memory.core.derived_state import Snapshot

        def attempt() -> _Answer:
            snapshot = self._snapshot = Snapshot(self.derived, self.progress)
            try:
                return question(snapshot)
            finally:
                snapshot.end()
                self._snapshot = None

        return self.derived.mended(attempt)

    @contextmanager
    def one_at_a_time(self) -> Iterator[None]:
        """Keep others of this work tree from writing between a look whether it exists and a write.

        Raises:
            EnvironmentProblem: others hold the lock for long, or this file system has none.

        """
        if self.site.derived is None:
            self.notices.append("no folder for a lock: what several store at once may be doubled")
            yield
            return
        try:
            folder = os.path.dirname(self.site.derived)  # all versions have the same
            os.makedirs(folder, exist_ok=True)
            with lock(os.path.join(folder, _STORING), _STORING_SECONDS):
                yield
        except LockUnavailable as error:
            hint = "try again; gitmem add writes without looking for the same record"
            raise EnvironmentProblem(f"can't store it once: {error.reason}", hint) from None

    def ask_promptly(
        self, question: Callable[["Snapshot"], _Answer], shown: "Callable[[_Answer], Iterable[Row]]"
    ) -> _Answer:
        """Answer a question as ``ask`` does, but without waiting for git's look at all files.

        What git found for the question before is taken; only an edit in place of a committed
        record since then can be missed. What this answer and the one before show is looked at in
        any case, and where nothing is found, everything is.

        Args:
            question: as for ``ask``.
            shown: gives the records that an answer shows.

        """
        if self._snapshot is not None or self.site.config.index_complete:
            return self.ask(question)

        def checked(now: "Snapshot") -> tuple[_Answer, bool]:
            answer = question(now)
            rows = list(shown(answer))
            return answer, bool(rows) and not now.has_changed(rows)

        comparison = self.derived.comparison
        comparison.prompt = True
        try:
            answer, will_do = self.ask(checked)
        finally:
            comparison.prompt = False
        return answer if will_do or not comparison.as_of_ns else self.ask(question)

    def ask_in_parts(
        self, question: Callable[["Snapshot"], Iterator[_Answer]]
    ) -> Iterator[_Answer]:
        """Answer a question part by part, as its generator gives them.

        The first part is given when the files were compared, as by ``ask``. All others come from
        the same state; the generator must hold what it reads them from.

        Raises:
            EnvironmentProblem: derived state proves damaged after the first part.

        """

        def begin(now: "Snapshot") -> tuple[list[_Answer], Iterator[_Answer]]:
            parts = question(now)
            return list(islice(parts, 1)), parts

        from gitmem.memory.core.derived_state import DAMAGE, Snapshot

        outer = self._snapshot
        first, parts = self.ask(begin)
        yield from first
        snapshot = outer or Snapshot(self.derived, self.progress, in_step=True)
        while first:
            self._snapshot = snapshot
            try:
                first = list(islice(parts, 1))
            except DAMAGE as error:
                message = f"the rest of the answer can't be read: {error}"
                raise EnvironmentProblem(message, "ask again: it is rebuilt") from error
            finally:
                self._snapshot = outer
            yield from first

    def reading(self, derived: "Derived") -> "Workspace":
        """Give the same workspace over other records: a revision, an archive, a pack."""
        other = Workspace(
            self.site,
            self.environ,
            self.start,
            store=derived.store,
            derived=derived,
            clock=self.clock,
        )
        other.progress = self.progress
        return other

    def close(self) -> None:
        """Close files."""
        if "derived" in vars(self):  # somebody asked
            self.derived.close()
            self.derived.comparison.listen(None)

    @property
    def notices(self) -> list[str]:
        """What the user should know beside an answer: a line each, printed by the faces."""
        return self.derived.notices if "derived" in vars(self) else self._early_notices

    @property
    def journal(self) -> "Journal":
        """The local journal: runs, drafts, live sessions."""
        from gitmem.store.journal import Journal  # noqa: PLC0415  start-up

        return Journal(self.site.journal, self._without_secrets)

    @property
    def has_runs(self) -> bool:
        """Whether a command was ever watched in this clone."""
        return self._has_stream(RUNS)

    @property
    def has_guarded(self) -> bool:
        """Whether a guard ever told something in this clone."""
        return self._has_stream(GUARDS)

    def _has_stream(self, start: str) -> bool:
        try:
            return any(name.startswith(start) for name in os.listdir(self.site.journal))
        except OSError:
            return False

    @property
    def drafts(self) -> "Drafts":
        """What was learnt here and is in no record yet."""
        from gitmem.capture.drafts import Drafts  # noqa: PLC0415  start-up

        return Drafts(self.journal, partial(records_there, self.site.folder))

    @property
    def settings(self) -> "SettingsAccess":
        """The settings one by one, with where they come from, and changes to them."""
        from gitmem.memory.core.facade import SettingsAccess

        return SettingsAccess(self.site, self.environ)

    @property
    def others_environ(self) -> Mapping[str, str]:
        """The environment without our own variables, but for keys: a session's id is no secret."""
        return {
            name: value
            for name, value in self.environ.items()
            if not name.startswith("GITMEM_") or name.endswith("_KEY")
        }

    def path(self, typed: str) -> str:
        """Make a path that was typed in the folder ``start`` relative to the memory's root."""
        from gitmem.memory.core.paths import repository_path

        return repository_path(self.site.root, self.start, typed)

    def glob(self, typed: str) -> str:
        """Make a path or pattern that was typed in ``start`` relative to the memory's root."""
        from gitmem.memory.core.paths import repository_glob

        return repository_glob(self.site.root, self.start, typed)

    def path_filter(self, value: str) -> str:
        """Take a value of the filter ``path:`` that begins with ``./`` or so from ``start``."""
        from gitmem.memory.core.paths import path_filter

        return path_filter(self.site.root, self.start, value)

    def place(self, typed: str) -> tuple[str, int]:
        """Take ``PATH`` or ``PATH:LINE``, typed in ``start``, apart; without a line it is 0."""
        path, _, line = typed.rpartition(":")
        is_line = line.isascii() and line.isdecimal() and len(line) <= _MOST_DIGITS
        if path and is_line and not os.path.lexists(os.path.join(self.start, typed)):
            return self.path(path), int(line)
        return self.path(typed), 0

    def redacted_text(self, text: str) -> str:
        """Give a text with its secrets replaced, with as many lines as it had."""
        from gitmem.redaction import redact

        allow = allowed_secrets(self.site)
        return redact(text, environ=self.others_environ, allow=allow).text

    def redacted_data(self, data: _Data) -> _Data:
        """Give plain data with the secrets in it replaced."""
        from gitmem.redaction import redact_data

        allow = allowed_secrets(self.site)
        clean: _Data = redact_data(data, environ=self.others_environ, allow=allow)[0]
        return clean

    def _without_secrets(
        self, lines: list[bytes], events: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Give events of the journal without secrets; nearly all surely hold none."""
        from gitmem.redaction import redact, redact_data

        environ, allow = self.others_environ, allowed_secrets(self.site)
        keys = [hash((line, allow)) for line in lines]
        new = {
            at: key
            for at, key in enumerate(keys)
            if key not in self._harmless and key not in self._cleaned
        }
        text = b"\n".join(lines[at] for at in new).decode(errors="replace")
        if new and not redact(text, environ=environ, allow=allow).found:
            self._harmless.update(new.values())
            new = {}
        # One line that holds a secret does not make the others be looked at again.
        for at, key in new.items():
            if redact(lines[at].decode(errors="replace"), environ=environ, allow=allow).found:
                self._cleaned[key] = redact_data(events[at], environ=environ, allow=allow)[0]
            else:
                self._harmless.add(key)
        return [
            _copied(self._cleaned[key]) if key in self._cleaned else event
            for key, event in zip(keys, events, strict=True)
        ]

    def has_old_settings(self) -> bool:
        """Tell whether the settings of the team or the user were changed since they were read."""
        paths = (os.path.join(self.site.folder, MARKER), user_config_path(self.environ))
        return tuple(file_stamp(path) for path in paths) != self.site.stamps

    def commit_stamp(self) -> tuple[object, ...]:
        """Give what differs once another commit is checked out, also one just made."""
        return tip_stamp(self.site.git_dirs) if self.site.git_dirs else ()

    def edition(self) -> tuple[object, ...]:
        """Give what differs once there is more to know; for who answers without catching up."""
        drafts = file_stamp(os.path.join(self.site.journal, "drafts.jsonl"))
        return *self.derived.edition(), drafts

    def without_sync(self) -> None:
        """Answer from now on from derived state as it lies, without catching up.

        Where there is nothing to answer from, questions raise EnvironmentProblem.
        """
        from gitmem.sync.without_sync import WithoutSync  # noqa: PLC0415  start-up

        self.close()
        former = self.derived
        self.derived = WithoutSync(
            self.store, former.directory, 0, former.team_rules, self.site.git_dirs
        )


def _copied(data: Any) -> Any:  # noqa: ANN401  plain data
    if isinstance(data, dict):
        return {name: _copied(value) for name, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list) else data
