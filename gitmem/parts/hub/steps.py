"""What one step writes, gathered before any of it is done: for engines without transactions.

A step that fails is thrown away and has changed nothing. What is done at its end is told by
``RepositoryStep`` as differences to what was there when the step first touched a repository.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gitmem.parts.hub.protocol import Entry, Head, Held, Kept


class RepositoryContents(NamedTuple):
    """What an engine has of one repository.

    Attributes:
        records: path and blob of each record, by id.
        held: files that were held back, by path.
        forgotten: ids that were forgotten for good.
        head: how far it was taken; None: the engine does not know it.

    """

    records: dict[str, tuple[str, str]]
    held: dict[str, Held]
    forgotten: set[str]
    head: Head | None


class RepositoryStep:
    """What becomes of one repository in a step.

    Args:
        before: what is there.

    Attributes:
        new: records to be kept, by id.
        now: what will be there.

    """

    def __init__(self, before: RepositoryContents) -> None:
        self.before = before
        self.now = RepositoryContents(
            dict(before.records), dict(before.held), set(before.forgotten), before.head
        )
        self.new: dict[str, Entry] = {}
        self._gone: set[str] = set()

    @property
    def gone(self) -> set[str]:
        """The ids of records to be dropped; some of them may be new again."""
        return self._gone & self.before.records.keys()

    def put(self, entry: Entry) -> bool:
        """Take a record in; False: it is there, or was forgotten for good."""
        if self.now.head is None:
            self.now = self.now._replace(head=Head())
        if entry.id in self.now.records or entry.id in self.now.forgotten:
            return False
        self.new[entry.id] = entry
        self.now.records[entry.id] = (entry.path, entry.blob)
        return True

    def forget(self, ids: Iterable[str], *, for_good: bool) -> int:
        """Drop records; say how many there were."""
        names = set(ids)
        if for_good:
            self.now.forgotten.update(names)
        dropped = names & self.now.records.keys()
        for name in dropped:
            del self.now.records[name]
            self.new.pop(name, None)
        self._gone |= dropped
        return len(dropped)

    def drop(self) -> int:
        """Drop all but what was forgotten for good; say how many records there were."""
        dropped = self.forget(list(self.now.records), for_good=False)
        self.now.held.clear()
        self.now = self.now._replace(head=None)
        return dropped

    def hold(self, held: Iterable[Held]) -> None:
        """Note files of which nothing is kept."""
        self.now.held.update((file.path, file) for file in held)
        if self.now.held and self.now.head is None:
            self.now = self.now._replace(head=Head())

    def release(self, paths: Iterable[str]) -> None:
        """Drop the notes on files that were held back."""
        for path in paths:
            self.now.held.pop(path, None)

    def took(self, head: Head) -> None:
        """Note how far it was taken."""
        self.now = self.now._replace(head=head)


def kept(state: RepositoryContents) -> dict[str, Kept]:
    """Say what is kept of each file, by path."""
    files = {path: Kept(blob, name) for name, (path, blob) in state.records.items()}
    return files | {path: Kept(file.blob, "", file.why) for path, file in state.held.items()}


class PendingStep:
    """What a step writes, by repository.

    Args:
        load: gives what is there of a repository.

    """

    def __init__(self, load: Callable[[str], RepositoryContents]) -> None:
        self._load = load
        self.repositories: dict[str, RepositoryStep] = {}

    def of(self, repository: str) -> RepositoryStep:
        """Give what becomes of a repository."""
        if repository not in self.repositories:
            self.repositories[repository] = RepositoryStep(self._load(repository))
        return self.repositories[repository]
