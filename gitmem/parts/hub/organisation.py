"""What pages of an organisation show: all of it under the condition of who asks."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from gitmem.errors import NotFoundError, UsageError
from gitmem.hub.prints import LABELS, MESSAGE, prints_across
from gitmem.matching.parse import parse as failures_in
from gitmem.parts.hub import questions
from gitmem.parts.hub.protocol import Engine, Head, Seen, SharedPrint, Stored
from gitmem.parts.hub.questions import Story, is_verified
from gitmem.query import Filters, Query, parse
from gitmem.records.kinds import Fix, Record

_OF_ONE_MESSAGE: Final = 20
"""Records of one message that are looked at: a common one is in thousands."""
_NO_FAILURE: Final = frozenset({"consequence", "warning"})


class PublishedRepository(NamedTuple):
    """A repository as the hub has it: how many records, and as of when."""

    name: str
    head: Head
    records: int

    @property
    def taken(self) -> datetime:
        """When it was taken last."""
        return datetime.fromtimestamp(self.head.taken, UTC)


class SharedFailure(NamedTuple):
    """A failure that several repositories had.

    Attributes:
        shared: how many repositories and records.
        stories: the newest record of each repository with what was tried, helpful ones first.

    """

    shared: SharedPrint
    stories: tuple[Story, ...]


class MendedFailure(NamedTuple):
    """A fix that is said to have worked, and the errors that it is for."""

    stored: Stored
    fix: Fix
    verified: bool
    errors: tuple[Story, ...]


class RecordFromElsewhere(NamedTuple):
    """A record as its page shows it.

    Attributes:
        story: the record, with what was tried on it.
        links: relation and record that it links to; None: it is not in the hub.
        backlinks: relation and record that links to it.

    """

    story: Story
    links: tuple[tuple[str, str, Story | None], ...]
    backlinks: tuple[tuple[str, Story], ...]


def repositories(engine: Engine, visible: Seen) -> list[PublishedRepository]:
    """Give the repositories that whoever asks may see, by name."""
    sizes = engine.sizes(visible)
    return [
        PublishedRepository(name, head, sizes.get(name, 0))
        for name, head in sorted(engine.heads().items())
        if may_see(visible, name, head)
    ]


def may_see(visible: Seen, name: str, head: Head) -> bool:
    """Tell whether whoever asks may see a repository."""
    return name in visible.repositories or (visible.internal and head.internal)


def shared_failures(
    engine: Engine, visible: Seen, now: datetime, days: int, limit: int
) -> list[SharedFailure]:
    """Give the failures that several repositories had in the last days.

    Args:
        engine: of the hub.
        visible: what whoever asks may see.
        now: the moment.
        days: before it.
        limit: how many at most.

    """
    since = (now - timedelta(days=days)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    failures = []
    for shared in engine.shared(MESSAGE, since, visible, limit):
        hits = engine.alike([(shared.level, shared.value)], visible, _OF_ONE_MESSAGE)
        by_repository: dict[str, Story] = {}
        labelled = [(stored, LABELS[MESSAGE]) for _, stored in hits]
        for story in sorted(questions.stories(engine, labelled, visible), key=lambda at: at.rank):
            by_repository.setdefault(story.stored.repository, story)
        failures.append(SharedFailure(shared, tuple(by_repository.values())))
    return failures


def mended(engine: Engine, visible: Seen, limit: int) -> list[MendedFailure]:
    """Give the newest fixes that are said to have worked."""
    fixes = [
        (stored, fix)
        for stored in engine.newest(visible, kinds=("fix",), limit=2 * limit)
        if isinstance(fix := questions.record_of(stored), Fix) and fix.outcome == "worked"
    ][:limit]
    keys = {(stored.repository, target) for stored, fix in fixes for target in fix.links.fixes}
    errors = _by_key(engine, keys, visible)
    return [
        MendedFailure(
            stored,
            fix,
            is_verified(fix),
            tuple(
                errors[stored.repository, target]
                for target in fix.links.fixes
                if (stored.repository, target) in errors
            ),
        )
        for stored, fix in fixes
    ]


def newest(engine: Engine, visible: Seen, limit: int, kinds: tuple[str, ...] = ()) -> list[Story]:
    """Give the newest records."""
    stored = engine.newest(visible, kinds=kinds, limit=limit)
    return questions.stories(engine, [(record, "") for record in stored], visible)


def search(engine: Engine, text: str, visible: Seen, now: datetime, limit: int) -> list[Story]:
    """Find records by words, or by the failure in a pasted text.

    Raises:
        UsageError: the text has filters that only a repository's own memory knows.

    """
    query = parse(text, now)
    if query.pasted:
        failures = (each for each in failures_in(text) if each.severity not in _NO_FAILURE)
        if prints := next(filter(None, map(prints_across, failures)), ()):
            hits = [(stored, level) for level, stored in engine.alike(prints, visible, limit)]
            return questions.labelled(questions.stories(engine, hits, visible), prints)
    elif query != Query(words=query.words, filters=Filters(kinds=query.filters.kinds)):
        raise UsageError("a hub is searched by words and by kind:", "such as: timeout kind:error")
    if not query.words:
        return newest(engine, visible, limit, query.filters.kinds)
    return questions.matching(engine, query, visible, limit)


def record(engine: Engine, repository: str, name: str, visible: Seen) -> RecordFromElsewhere:
    """Give a record with its links.

    Raises:
        NotFoundError: there is none, or whoever asks may not see it.

    """
    story = _by_key(engine, {(repository, name)}, visible).get((repository, name))
    if story is None:
        raise NotFoundError("There is no such record, or it is not yours to see.")
    named = tuple(_links(story.record))
    targets = _by_key(engine, {(repository, target) for _, target in named}, visible)
    back = [
        (relation, Story(stored, read, "", ()))
        for relation, _, stored in engine.linking([(repository, name)], visible)
        if (read := questions.record_of(stored))
    ]
    links = tuple((relation, to, targets.get((repository, to))) for relation, to in named)
    return RecordFromElsewhere(story, links, tuple(back))


def _links(linking: Record) -> list[tuple[str, str]]:
    return [
        (relation, target)
        for relation in linking.links.RELATIONS
        for target in getattr(linking.links, relation)
    ]


def _by_key(
    engine: Engine, keys: set[tuple[str, str]], visible: Seen
) -> Mapping[tuple[str, str], Story]:
    if not keys:
        return {}
    stored = engine.newest(visible, only=keys, limit=len(keys))
    read = questions.stories(engine, [(each, "") for each in stored], visible)
    return {(story.stored.repository, story.stored.id): story for story in read}
