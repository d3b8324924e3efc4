"""A memory whose new records wait for a person: they are drafts until somebody keeps them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.capture.learnt import Draft
from gitmem.memory.memory import Memory

if TYPE_CHECKING:
    from gitmem.records.kinds import Record

_WHY: Final = "waits to be looked at: gitmem drafts keep, edit or drop"


class Proposing(Memory):
    """A memory that is read as any other, and whose writes become drafts in the local journal.

    No file of the memory is written. What ``write`` and ``add`` give has its id already: it is
    the draft's, and the record's if the draft is kept.
    """

    def add(self, kind: str, fields: Mapping[str, Any], *, attach: Sequence[str] = ()) -> "Record":
        """Propose a record; see ``Memory.add``. Files to attach are not kept."""
        if attach:
            self.derived.notices.append("a draft keeps no files: attach them when it is a record")
        return super().add(kind, fields)

    def write(self, record: "Record") -> str:
        """Keep a record as a draft; one that fixes an error which waits goes along with it."""
        from gitmem.records.convert import to_data  # noqa: PLC0415  start-up: imports YAML

        record, _ = self._encoded(record)
        data = to_data(record)
        fixed = set(getattr(record.links, "fixes", ()))
        for draft in self.drafts.open():
            if any(one.get("id") in fixed for one in draft.others):
                self.drafts.add(draft._replace(others=[*draft.others, data]))
                return draft.id
        self.drafts.add(Draft(record.id, "", {}, [], [], [_WHY], [data]))
        return record.id

    def write_all(self, records: "Iterable[Record]") -> list[str]:
        """Keep several records as drafts."""
        return [self.write(record) for record in records]

    def _error_named(self, reference: str) -> str:
        waiting = {
            str(one["id"])
            for draft in self.drafts.open()
            for one in draft.others
            if one.get("kind") == "error" and str(one.get("id", "")).startswith(reference.strip())
        }
        return waiting.pop() if len(waiting) == 1 else super()._error_named(reference)


def write_proposed(memory: "Memory", draft: Draft) -> list[str]:
    """Write the records of a draft, all or none; give their ids.

    Raises:
        InvalidError: one of them is no good any more.
        ConflictError: one of them is in the memory already.

    """
    from gitmem.memory.writing import build, refuse_taken, reject_unknown  # noqa: PLC0415

    made = []
    for fields in draft.others:
        record = build(str(fields.get("kind", "")), fields, memory.author, memory.now(), None)
        reject_unknown(record, "this draft")
        made.append(record)
    refuse_taken(memory, made)
    memory.write_all(made)
    return [record.id for record in made]
