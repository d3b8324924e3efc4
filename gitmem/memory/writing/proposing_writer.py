"""Writes new records as drafts that wait until a person keeps them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.capture.learnt import Draft
from gitmem.memory.writing.record_builder import build, refuse_taken, reject_unknown
from gitmem.memory.writing.writer import Fields, Writer

if TYPE_CHECKING:
    from gitmem.records.kinds import Record

_WHY: Final = "is a draft; decide with: gitmem drafts keep, edit or drop"


class ProposingWriter(Writer):
    """Writes drafts into the local journal, and no file of the memory.

    What ``write`` and ``add`` give has its id already: it is the draft's, and the record's if
    the draft is kept.
    """

    def add(self, kind: str, fields: Fields, *, attach: Sequence[str] = ()) -> "Record":
        """Propose a record; see ``Writer.add``. Files to attach are not kept."""
        if attach:
            message = "a draft can't hold attachments: attach them once it is recorded"
            self.workspace.notices.append(message)
        return super().add(kind, fields)

    def write(self, record: "Record") -> str:
        """Keep a record as a draft; one that fixes an error which waits goes along with it."""
        from gitmem.records.convert import to_data

        record, _ = self.encoded(record)
        data = to_data(record)
        fixed = set(getattr(record.links, "fixes", ()))
        for draft in self.workspace.drafts.open():
            if any(other.get("id") in fixed for other in draft.others):
                self.workspace.drafts.add(draft._replace(others=[*draft.others, data]))
                return draft.id
        self.workspace.drafts.add(Draft(record.id, "", {}, [], [], [_WHY], [data]))
        return record.id

    def write_all(self, records: "Iterable[Record]") -> list[str]:
        """Keep several records as drafts."""
        return [self.write(record) for record in records]

    def waiting_error(self, reference: str) -> str | None:
        """Give the id of the one error that waits to be kept and whose id starts so."""
        typed = reference.strip()
        waiting = {
            str(fields["id"])
            for draft in self.workspace.drafts.open()
            for fields in draft.others
            if fields.get("kind") == "error" and str(fields.get("id", "")).startswith(typed)
        }
        return waiting.pop() if len(waiting) == 1 else None


def write_proposed(writer: Writer, draft: Draft) -> list[str]:
    """Write the records of a draft, all or none; give their ids.

    Raises:
        InvalidError: one of them is no good any more.
        ConflictError: one of them is in the memory already.

    """
    records = []
    for fields in draft.others:
        kind = str(fields.get("kind", ""))
        record = build(kind, fields, writer.author, writer.workspace.clock(), None)
        reject_unknown(record, "this draft")
        records.append(record)
    refuse_taken(writer.workspace, records)
    writer.write_all(records)
    return [record.id for record in records]
