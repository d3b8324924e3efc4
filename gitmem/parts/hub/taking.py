"""Takes what repositories publish into an engine, by differences.

The hub is compared with the tree at the head of the default branch, never with an older commit:
a forced push, a shallow copy and a sync that was killed need no case of their own. Only files that
are new or gone matter; a modified one is both.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, NamedTuple

from gitmem.errors import ConflictError
from gitmem.git.mirror import Mirror
from gitmem.parts.hub.addresses import bare_address
from gitmem.parts.hub.entries import MOST_BYTES, entries_of
from gitmem.parts.hub.policy import ANALYSIS, Publishing, policy_of
from gitmem.parts.hub.protocol import DUPLICATE, Engine, Entry, Head, Held, Kept
from gitmem.records.layout import MARKER
from gitmem.store.listing import is_record

BATCH: Final = 500
"""Files of one step. What a push changes is nearly always one step."""
_MARKER_BYTES: Final = 1 << 20
_HOME: Final = "publishes nothing"
_JOB: Final = "job"


class SourceRepository(NamedTuple):
    """A repository that a hub reads.

    Attributes:
        name: as answers call it.
        url: as git takes it.
        internal: everybody of the organisation may see it.
        folder: of its memory.
        published: the branch whose jobs send it to the hub; empty: the hub reads it with git.
        host_id: its number at the host; 0: not known yet.
        replaced_by: the number of another repository that has its name now; 0: none has.

    """

    name: str
    url: str = ""
    internal: bool = False
    folder: str = ".memory"
    published: str = ""
    host_id: int = 0
    replaced_by: int = 0

    @property
    def host_name(self) -> str:
        """Its name at the host, in lower case: the path of its address, or its name here."""
        if self.url.startswith("/") or ":" not in self.url:
            return self.name.casefold()
        return bare_address(self.url).partition("/")[2]

    @property
    def replaced(self) -> ConflictError:
        """What to say where ``replaced_by`` is set."""
        return ConflictError(
            f"another repository has the name {self.name} now, by its number at the host",
            f"if that one is wanted: gitmem hub remove {self.name}, then gitmem hub add",
        )


class TakeResult(NamedTuple):
    """What taking a repository came to.

    Attributes:
        repository: its name.
        commit: at which it was taken.
        new: records that the hub did not have.
        gone: records that it dropped; a modified one is counted as both.
        held: files of which nothing is kept, with the reason.
        published: it publishes something at all.

    """

    repository: str
    commit: str
    new: int = 0
    gone: int = 0
    held: tuple[Held, ...] = ()
    published: bool = True


class SentTree(NamedTuple):
    """What a job of a repository sends of it.

    Attributes:
        commit: the head of the branch that is published.
        files: the blob of each file of the memory, by path.
        contents: of blobs, as far as they are sent this time.
        taken: paths whose contents this job sent before.
        run: the number of the job: a newer one has a higher one.

    """

    commit: str
    files: Mapping[str, str]
    contents: Mapping[str, bytes]
    taken: frozenset[str] = frozenset()
    run: int = 0


class _Difference(NamedTuple):
    gone: Mapping[str, Kept]  # by path
    new: Mapping[str, str]  # path to blob


class Taker:
    """Takes repositories into one engine.

    Args:
        engine: where records go.
        clones: the folder of the copies of repositories.

    """

    def __init__(self, engine: Engine, clones: str) -> None:
        self._engine = engine
        self._clones = clones

    def take(self, repository: SourceRepository, *, compare: bool = False) -> TakeResult:
        """Bring the hub to the head of a repository.

        Args:
            repository: which.
            compare: compare all files even if the head is one that was taken already.

        Raises:
            ConflictError: another one has its name now; what was taken of it was dropped.

        """
        name = repository.name
        if repository.replaced_by:
            self._drop(repository)
            raise repository.replaced
        was = self._engine.heads().get(name, Head())
        mirror = self._mirror(repository)
        if was.commit and not compare and was.internal == repository.internal:
            head = mirror.head()
            # What is published, and how, follows from the commit and from our own version.
            if head == was.commit and was.made.startswith((_HOME, ANALYSIS)):
                return TakeResult(name, head, published=was.made != _HOME)
        commit = mirror.fetch()
        blobs = mirror.files(commit, repository.folder)
        policy = self._policy(mirror, blobs)
        if not policy.publish:
            return self._sent_home(repository, commit)
        difference = self._difference(name, blobs, afresh=was.made != policy.made)
        taken_at = Head(commit, policy.made, repository.internal)
        return self._take(
            repository, taken_at, lambda step: self._read(mirror, step), policy, difference
        )

    def receive(self, repository: SourceRepository, sent: SentTree) -> tuple[TakeResult, list[str]]:
        """Take what a job sends, as ``take`` does what git has.

        A step is done with each call that brings contents. Called again with the same, it changes
        nothing; stopped, it is gone on with by the next job.

        Returns:
            What was taken, and blobs whose contents are still wanted; none: it was all.

        Raises:
            ConflictError: a newer job was here before.

        """
        name, files = repository.name, sent.files
        was = self._refuse_older(name, sent.commit, sent.run)
        marker = files.get(MARKER, "")
        if marker and marker not in sent.contents:
            return TakeResult(name, sent.commit), [marker]
        policy = policy_of(sent.contents[marker]) if marker else Publishing()
        head = Head(sent.commit, policy.made, repository.internal, run=max(sent.run, was.run))
        if not policy.publish:
            return self._sent_home(repository, sent.commit, _JOB, head.run), []
        whole = self._difference(name, files, afresh=was.made != policy.made, taken=sent.taken)
        brought = {path: blob for path, blob in whole.new.items() if blob in sent.contents}
        wanted = sorted({blob for path, blob in whole.new.items() if path not in brought})
        if wanted and not brought:
            return TakeResult(name, sent.commit), wanted
        gone = {
            path: entry
            for path, entry in whole.gone.items()
            if path in brought or path not in whole.new
        }

        def read(step: Mapping[str, str]) -> dict[str, tuple[str, bytes]]:
            return {path: (blob, sent.contents[blob]) for path, blob in step.items()}

        part = _Difference(gone, brought)
        return self._take(repository, head, read, policy, part, _JOB, last=not wanted), wanted

    def head(self, repository: SourceRepository) -> str:
        """Ask a repository for the commit at the head of its default branch."""
        return self._mirror(repository).head()

    def differences(self, repository: SourceRepository) -> list[str]:
        """Name the files in which the hub differs from the head of a repository."""
        mirror = self._mirror(repository)
        blobs = mirror.files(mirror.fetch(), repository.folder)
        policy = self._policy(mirror, blobs)
        made_with = self._engine.heads().get(repository.name, Head()).made
        if not policy.publish:
            return sorted(self._engine.ids(repository.name))
        gone, new = self._difference(repository.name, blobs, afresh=made_with != policy.made)
        return sorted({*gone, *new})

    def _mirror(self, repository: SourceRepository) -> Mirror:
        digest = hashlib.blake2b(repository.url.encode(), digest_size=10).hexdigest()
        return Mirror(os.path.join(self._clones, f"{digest}.git"), repository.url)

    def _policy(self, mirror: Mirror, blobs: Mapping[str, str]) -> Publishing:
        if MARKER not in blobs:
            return Publishing()
        contents = dict(mirror.contents([blobs[MARKER]], _MARKER_BYTES))
        return policy_of(contents[blobs[MARKER]])

    def _sent_home(
        self, repository: SourceRepository, commit: str, who: str = "sync", run: int = 0
    ) -> TakeResult:
        engine = self._engine
        with engine.writing():
            if who == _JOB:
                self._refuse_older(repository.name, commit, run)
            gone = engine.drop(repository.name)
            engine.took(repository.name, Head(commit, _HOME, repository.internal, run=run))
        if gone:
            engine.audit(who, "opted out", repository.name, gone)
        return TakeResult(repository.name, commit, gone=gone, published=False)

    def _refuse_older(self, name: str, commit: str, run: int) -> Head:
        was = self._engine.heads().get(name, Head())
        if run < was.run and commit != was.commit:
            raise ConflictError(
                f"{name}: a newer job has published already: this one is {run}, that {was.run}"
            )
        return was

    def _drop(self, repository: SourceRepository) -> None:
        engine = self._engine
        if repository.name in engine.heads():
            with engine.writing():
                gone = engine.drop(repository.name)
            engine.audit("sync", "another has its name", repository.name, gone)

    def _difference(
        self,
        name: str,
        blobs: Mapping[str, str],
        *,
        afresh: bool,
        taken: Collection[str] = frozenset(),
    ) -> _Difference:
        there = {path: blob for path, blob in blobs.items() if is_record(path)}
        present = self._engine.ids(name)
        gone = {
            path: entry
            for path, entry in present.items()
            if (afresh and path not in taken) or there.get(path) != entry.blob
        }
        dropped = {entry.id for entry in gone.values() if entry.id}
        if dropped:  # another file of the same id may come into its place
            gone |= {
                path: entry
                for path, entry in present.items()
                if entry.why == DUPLICATE and path not in taken
            }
        new = {path: blob for path, blob in there.items() if path in gone or path not in present}
        return _Difference(gone, new)

    def _take(
        self,
        repository: SourceRepository,
        head: Head,
        read: Callable[[Mapping[str, str]], dict[str, tuple[str, bytes]]],
        policy: Publishing,
        difference: _Difference,
        who: str = "sync",
        *,
        last: bool = True,
    ) -> TakeResult:
        name, commit = repository.name, head.commit
        engine = self._engine
        gone = {
            path: entry for path, entry in difference.gone.items() if path not in difference.new
        }
        steps = list(self._steps(difference.new)) or [{}]
        new = dropped = 0
        held: list[Held] = []
        for number, step in enumerate(steps):
            entries, kept_out = entries_of(name, commit, read(step), policy)
            of_step = {path: difference.gone[path] for path in step if path in difference.gone}
            with engine.writing():
                if who == _JOB:  # another one may have come meanwhile
                    self._refuse_older(name, commit, head.run)
                for old in (gone, of_step) if number == 0 else (of_step,):
                    dropped += engine.forget(name, [entry.id for entry in old.values() if entry.id])
                    engine.release(name, [path for path, entry in old.items() if entry.why])
                entries, doubles = self._once(name, entries)
                new += engine.put(entries)
                engine.hold(name, [*kept_out, *doubles])
                if last and number == len(steps) - 1:
                    engine.took(name, head)
                elif not difference.gone:  # who was stopped in a first filling goes on here
                    engine.took(name, head._replace(commit=""))
            held += [*kept_out, *doubles]
        if new or dropped:
            engine.audit(who, "took", name, new + dropped)
        return TakeResult(name, commit, new, dropped, tuple(held))

    def _once(self, name: str, entries: list[Entry]) -> tuple[list[Entry], list[Held]]:
        """Leave out what has the id of another file, or was forgotten for good."""
        there = {entry.id: path for path, entry in self._engine.ids(name).items() if entry.id}
        forgotten = self._engine.forgotten(name)
        accepted: list[Entry] = []
        held: list[Held] = []
        for entry in sorted(entries, key=lambda candidate: candidate.path):
            if entry.id in forgotten:
                held.append(Held(entry.path, entry.blob, "forgotten"))
            elif there.setdefault(entry.id, entry.path) != entry.path:
                held.append(Held(entry.path, entry.blob, DUPLICATE))
            else:
                accepted.append(entry)
        return accepted, held

    def _steps(self, new: Mapping[str, str]) -> Iterator[dict[str, str]]:
        paths = sorted(new)
        for at in range(0, len(paths), BATCH):
            yield {path: new[path] for path in paths[at : at + BATCH]}

    def _read(self, mirror: Mirror, step: Mapping[str, str]) -> dict[str, tuple[str, bytes]]:
        contents = dict(mirror.contents(list(step.values()), MOST_BYTES)) if step else {}
        return {path: (blob, contents[blob]) for path, blob in step.items()}
