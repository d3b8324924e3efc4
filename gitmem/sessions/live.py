"""A live session, folded from the events of its journal. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.records.parts import Author, Lines, RecordId, RecordPart, Task, TestRun

START, LOG, RESUME, END, ABANDON = "start", "log", "resume", "end", "abandon"


class Leg(NamedTuple):
    """The part of a session that was worked in one work tree.

    Attributes:
        worktree: names the work tree within its repository; survives moving it.
        root: where it lay, for messages.
        branch: what was checked out, empty if detached.
        head: the commit at the start, empty before the first one.
        tree: snapshot at the start, empty if none could be taken.
        until: snapshot when the work went on elsewhere, empty while it goes on here.
        since: when the work began here.

    """

    worktree: str
    root: str
    branch: str
    head: str
    tree: str
    until: str
    since: datetime


class Logged(NamedTuple):
    """One event that somebody logged. Empty fields were not given."""

    at: datetime
    type: str
    text: str = ""
    path: str = ""
    reason: str = ""
    action: str = ""
    lines: Lines | None = None
    related_files: tuple[str, ...] = ()
    diff: str = ""
    role: str = ""
    record: RecordId | None = None
    test_run: TestRun | None = None


class LiveSession(NamedTuple):
    """A session that has not ended.

    Attributes:
        id: also the id of the record that it becomes.
        actor: who began it, and is the author of its record.
        holder: who took it up last.
        turn: counts up with every start and resume; the highest is the current one.
        last: time of the newest event.
        legs: where it was worked on; the last one is where it is now.
        pid: process that started or resumed it.
        gaps: what could not be observed, one line each.
        over: its end is written, only its stream was not closed yet.
        stale: no event for so long that it counts as left behind.
        stale_others: ids of this actor's sessions here that are; set by ``start`` only.

    """

    id: str
    goal: str
    actor: Author
    holder: Author
    started: datetime
    turn: int
    last: datetime
    tags: tuple[str, ...]
    task: Task | None
    legs: tuple[Leg, ...]
    pid: int
    logged: tuple[Logged, ...]
    gaps: tuple[str, ...]
    over: bool = False
    stale: bool = False
    stale_others: tuple[str, ...] = ()

    @property
    def here(self) -> Leg:
        """Where it is worked on now."""
        return self.legs[-1]

    @property
    def owner(self) -> tuple[str, ...]:
        """The work tree and the actor that it belongs to now."""
        return (self.here.worktree, *owner_of(self.holder))


def owner_of(actor: Author) -> tuple[str, str, str]:
    """Tell actors apart: by e-mail (or name, without one), by via and by tool; not by model."""
    return (actor.email.lower() or actor.name, actor.via, actor.tool)


def fold(session_id: str, events: Iterable[dict[str, Any]]) -> LiveSession | None:
    """Build the session from its events; None if its start can't be read."""
    live: LiveSession | None = None
    for event in events:
        try:
            live = _begun(session_id, event) if live is None else _followed(live, event)
        except (GitmemError, LookupError, TypeError, ValueError) as error:
            if live is None:
                return None
            gap = f"an event of the journal can't be read: {str(error).splitlines()[0]}"
            live = live._replace(gaps=(*live.gaps, gap))
    return live


def _begun(session_id: str, event: dict[str, Any]) -> LiveSession:
    if event["event"] != START:
        raise ValueError(event["event"])
    at = moment(event["at"])
    task = event.get("task")
    actor = Author(**event["actor"])
    return LiveSession(
        id=session_id,
        goal=str(event["goal"]),
        actor=actor,
        holder=actor,
        started=at,
        turn=int(event.get("turn", 0)),
        last=at,
        tags=tuple(event.get("tags", ())),
        task=Task(**task) if task else None,
        legs=(_leg(event, at),),
        pid=int(event.get("pid", 0)),
        logged=(),
        gaps=tuple(event.get("gaps", ())),
    )


def _followed(live: LiveSession, event: dict[str, Any]) -> LiveSession:
    at = max(live.last, moment(event["at"]))
    kind = event["event"]
    if kind == LOG:
        return live._replace(last=at, logged=(*live.logged, _logged(event)))
    if kind == RESUME:
        return _resumed(live, event, at)
    if kind in {END, ABANDON}:
        return live._replace(last=at, over=True)
    return live._replace(last=at)  # written by a newer version


def _resumed(live: LiveSession, event: dict[str, Any], at: datetime) -> LiveSession:
    legs = live.legs
    if "worktree" in event:  # it goes on in another work tree
        left = live.here._replace(until=str(event.get("until") or ""))
        legs = (*legs[:-1], left, _leg(event, at))
    return live._replace(
        holder=Author(**event["actor"]) if event.get("actor") else live.holder,
        turn=int(event.get("turn", live.turn)),
        last=at,
        legs=legs,
        pid=int(event.get("pid", 0)),
        gaps=(*live.gaps, *event.get("gaps", ())),
    )


def _leg(event: dict[str, Any], at: datetime) -> Leg:
    return Leg(
        worktree=str(event["worktree"]),
        root=str(event["root"]),
        branch=str(event.get("branch") or ""),
        head=str(event.get("head") or ""),
        tree=str(event.get("tree") or ""),
        until="",
        since=at,
    )


def _logged(event: dict[str, Any]) -> Logged:
    run, lines = event.get("test_run"), event.get("lines")
    texts = {name: str(event.get(name, "")) for name in ("text", "path", "reason", "action")}
    return Logged(
        at=moment(event["at"]),
        type=str(event["type"]),
        **texts,
        lines=(int(lines[0]), int(lines[1])) if lines else None,
        related_files=tuple(event.get("related_files", ())),
        diff=str(event.get("diff", "")),
        role=str(event.get("role", "")),
        record=event.get("record"),
        test_run=TestRun(**run) if run else None,
    )


def moment(text: str) -> datetime:
    """Read a time of the journal, always with its zone."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def plain(value: Any) -> Any:  # noqa: ANN401  any part of a record
    """Turn a part of a record into plain JSON data that builds the same part again."""
    if isinstance(value, RecordPart):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: plain(field) for name, field in fields.items() if _is_set(field)}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime) else value


def _is_set(value: object) -> bool:
    return value is not None and value not in ("", (), {})
