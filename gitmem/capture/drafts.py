"""Drafts: what was learnt here and is not (yet) everybody's. In the local journal."""

from collections.abc import Callable, Collection
from typing import Any, Final

from gitmem.capture.learnt import Draft
from gitmem.errors import NotFoundError, UsageError
from gitmem.records.layout import KIND_OF
from gitmem.store.journal import Journal

_STREAM = "drafts"
_DIGITS = frozenset("0123456789abcdef")
KEPT, DROPPED = "kept", "dropped"
_MOST_SETTLED: Final = 200
"""So many of the drafts that were kept or dropped stay in the journal."""


class Drafts:
    """The drafts of one memory, folded from the events about them.

    Args:
        journal: with the events.
        there: picks those of some ids whose records are there; None: all are. A draft whose
            records are all gone, by ``git clean`` or with the branch that has them, waits again.

    """

    def __init__(
        self, journal: Journal, there: Callable[[Collection[str]], Collection[str]] | None = None
    ) -> None:
        self._journal = journal
        self._there = there

    def add(self, draft: Draft) -> Draft:
        """Keep a draft; one of the same id is replaced.

        Gives it, or an open one that says all of it: of two who tested one edit at once.
        """
        event = {"event": "draft", **draft._asdict()}
        self._journal.append(_STREAM, event, live=_live)
        folded = self._folded()
        if draft.id in folded:
            return draft
        return next((each for each, _ in folded.values() if _says(each, draft)), draft)

    def mark(self, draft: Draft, state: str, records: list[str] | None = None) -> None:
        """Note that a draft was kept (became ``records``) or dropped."""
        self._journal.append(_STREAM, {"event": state, "id": draft.id, "records": records or []})

    def drop(self, name: str) -> None:
        """Note that a draft of this id is dropped, kept or not."""
        self._journal.append(_STREAM, {"event": DROPPED, "id": name, "records": []})

    def take_back(self, reference: str) -> None:
        """Undo that a draft was dropped; of another one nothing is changed."""
        draft, state = self._folded().get(reference, (None, ""))
        if draft is None or state != DROPPED:
            raise NotFoundError(f"no draft {reference} was dropped", "", reference)
        self.add(draft)

    def drop_of(self, record_id: str) -> None:
        """Note that the drafts which became a record are dropped: somebody deleted it."""
        if self._journal.mentions(_STREAM, record_id):
            for draft in self.all():
                if record_id in draft.records:
                    self.drop(draft.id)

    def open(self) -> list[Draft]:
        """List the drafts that were neither kept nor dropped, oldest first.

        Without one whose edit a later one of the same failure has, that was kept.
        """
        waiting: list[Draft] = []
        recorded: set[object] = set()
        for draft, state in reversed(self._folded().values()):
            if state == KEPT:
                recorded.add((draft.site, _edit_of(draft)))
            elif state == "draft" and (draft.site, _edit_of(draft)) not in recorded:
                waiting.append(draft)
        return waiting[::-1]

    def standing(self) -> list[Draft]:
        """List what was learnt here and not dropped, kept or not, oldest first."""
        return [draft for draft, state in self._folded().values() if state != DROPPED]

    def all(self) -> list[Draft]:
        """List all drafts, kept and dropped ones included, oldest first."""
        return [draft for draft, _ in self._folded().values()]

    def of_site(self, site: str) -> list[Draft]:
        """Give what was learnt here about a failure, kept or not, oldest first."""
        # Of most failures nothing was learnt: that is seen without reading the drafts as such.
        there = bool(site) and self._journal.mentions(_STREAM, site)
        folded = self._folded().values() if there else ()
        return [draft for draft, state in folded if site in draft.all_sites and state != DROPPED]

    def named(self, reference: str) -> Draft | None:
        """Give the open draft that a reference names; None where it names a record, or nothing.

        A hexadecimal reference names a draft. What waits to be written has the id of a record,
        which has to be given in full.
        """
        drafts = self.open()
        if not set(reference) - _DIGITS and reference not in KIND_OF:
            return self.find(reference) if any(d.id.startswith(reference) for d in drafts) else None
        return next((draft for draft in drafts if draft.id == reference), None)

    def find(self, reference: str) -> Draft:
        """Find an open draft by its id or the beginning of it."""
        drafts = [draft for draft in self.open() if draft.id.startswith(reference)]
        if not drafts:
            raise NotFoundError(f"no draft {reference}", "list them with: gitmem drafts", reference)
        if len(drafts) > 1:
            names = ", ".join(draft.id for draft in drafts)
            raise UsageError(f"{reference} is ambiguous", names)
        return drafts[0]

    def _folded(self) -> dict[str, tuple[Draft, str]]:
        folded: dict[str, tuple[Draft, str]] = {}
        for event in self._journal.read(_STREAM):
            name = str(event.get("id", ""))
            state = str(event.get("event", ""))
            draft = _draft(event)
            if draft:
                waiting = (other for other, last in folded.values() if last == "draft")
                if name in folded or not any(_says(other, draft) for other in waiting):
                    folded[name] = (draft, state)
            elif name in folded:
                became = tuple(map(str, event.get("records", ())))
                folded[name] = (folded[name][0]._replace(records=became), state)
        return self._with_those_that_wait_again(folded)

    def _with_those_that_wait_again(
        self, folded: dict[str, tuple[Draft, str]]
    ) -> dict[str, tuple[Draft, str]]:
        names = {
            name for draft, state in folded.values() if state == KEPT for name in draft.records
        }
        if not names or self._there is None:
            return folded
        there = self._there(names)
        return {
            name: (draft, state)
            if state != KEPT or not draft.records or not set(draft.records).isdisjoint(there)
            else (draft._replace(records=()), "draft")
            for name, (draft, state) in folded.items()
        }


def _edit_of(draft: Draft) -> tuple[str, ...]:
    """Give the lines that the edit which worked changes, with the names of the files."""
    patch = str(draft.fixes[-1].get("patch", "")) if draft.fixes else draft.id
    return tuple(line for line in patch.splitlines() if line.startswith(("+", "-")))


def _says(draft: Draft, other: Draft) -> bool:
    """Tell whether a draft says of a failure all that another does."""
    edits, others = ([fix.get("patch") for fix in each.fixes] for each in (draft, other))
    same = draft.site == other.site and bool(edits) and edits == others
    return same and set(other.reasons) <= set(draft.reasons)


def _live(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the events of open drafts and of those that were settled last."""
    state = {str(event.get("id", "")): event.get("event") for event in events}
    settled = [name for name, last in state.items() if last in (KEPT, DROPPED)]
    gone = set(settled[:-_MOST_SETTLED])
    return [event for event in events if str(event.get("id", "")) not in gone]


def _draft(event: dict[str, Any]) -> Draft | None:
    try:
        return Draft(
            id=str(event["id"]),
            site=str(event["site"]),
            error=dict(event["error"]),
            fixes=[dict(fix) for fix in event["fixes"]],
            known=[str(item) for item in event["known"]],
            reasons=[str(item) for item in event["reasons"]],
            others=[dict(item) for item in event.get("others", ())],
            silenced=str(event.get("silenced", "")),
            test_changed=bool(event.get("test_changed")),
            sites=tuple(map(str, event.get("sites", ()))),
            shared=tuple((list(ids), dict(error)) for ids, error in event.get("shared", ())),
            actor=str(event.get("actor", "")),
            doubt=str(event.get("doubt", "")),
        )
    except (KeyError, TypeError, ValueError):
        return None
