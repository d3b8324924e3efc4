"""Adding records to a memory: checked, redacted, written as new files."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gitmem.errors import InvalidError, UsageError
from gitmem.memory.core.redaction import redact_record
from gitmem.memory.core.workspace import Workspace
from gitmem.records.layout import path_for

if TYPE_CHECKING:
    from gitmem.records.kinds import Record
    from gitmem.records.parts import Author
    from gitmem.sessions import Sessions

Fields = Mapping[str, Any]


class Writer:
    """Writes new records. No file that is there is ever changed.

    Args:
        workspace: of the memory.
        complete: fills in what a record keeps of the lines that its anchors name.

    """

    def __init__(
        self, workspace: Workspace, complete: Callable[[Fields], Fields] | None = None
    ) -> None:
        self.workspace = workspace
        self._complete = complete

    @cached_property
    def author(self) -> "Author":
        """Who writes: from the settings, else from git."""
        from gitmem.git.identity import identity, parse_actor
        from gitmem.records.parts import Author  # noqa: PLC0415  start-up

        site = self.workspace.site
        name, email = site.config.author_name, site.config.author_email
        # Set to nothing is: none. Who asks from elsewhere has not the e-mail of this machine.
        complete = bool(email) or "author.email" in site.settings.origins
        if not (name and complete):
            from_git = identity(site.git_dirs.root if site.git_dirs else None)
            name, email = name or from_git[0], email or from_git[1]
        via, tool = parse_actor(site.config.actor)
        return Author(name=name, email=email, via=via, tool=tool)

    @cached_property
    def sessions(self) -> "Sessions":
        """The live sessions of this work tree: start, log, end and the rest."""
        from gitmem.memory.writing.record_builder import new_id  # noqa: PLC0415  start-up
        from gitmem.sessions import Sessions

        site = self.workspace.site
        return Sessions(
            journal=self.workspace.journal,
            add_record=self.write,
            root=site.root,
            git_dirs=site.git_dirs,
            actor=self.author,
            clock=self.workspace.clock,
            new_id=new_id,
            max_hours=site.config.session_max_hours,
            exclude=site.folder_in_repository,
        )

    def add(self, kind: str, fields: Fields, *, attach: Sequence[str] = ()) -> "Record":
        """Write a new record.

        Args:
            kind: error, fix, decision, session, pattern or note.
            fields: plain data by field name; id, time, author, session and title are filled in.
            attach: paths of files to keep with it (errors only).

        Raises:
            InvalidError: a field is wrong; nothing was written.

        """
        from gitmem.memory.writing.record_builder import build, refuse_taken, reject_unknown  # noqa: PLC0415

        names: dict[str, bytes] = {}
        if attach:
            from gitmem.memory.writing.attached import read_all

            names = read_all(self.workspace, attach)
            fields = {**fields, "attachments": [*fields.get("attachments", ()), *names]}
        live = self.sessions.current()
        fields = self._completed(fields)
        now = self.workspace.clock()
        record = build(kind, fields, self.author, now, live.id if live else None)
        reject_unknown(record, "this record")
        refuse_taken(self.workspace, [record] if "id" in fields else [])
        if names:
            from gitmem.memory.writing.attached import attach_all

            attach_all(self.workspace, names)
        record = redact_record(self.workspace, record)
        self.write(record)
        return record

    def refuse_wrong(self, kind: str, fields: Fields) -> None:
        """Raise InvalidError where no record of a kind can hold such fields."""
        from gitmem.memory.writing.record_builder import build  # noqa: PLC0415  start-up: imports YAML

        build(kind, fields, self.author, self.workspace.clock(), None)

    def add_all(self, kind: str, entries: Sequence[Fields]) -> "list[Record]":
        """Write several records, all or none; the first bad one is named."""
        from gitmem.memory.writing.record_builder import build, refuse_taken, reject_unknown  # noqa: PLC0415

        live = self.sessions.current()
        now = self.workspace.clock()
        records = []
        for number, fields in enumerate(entries, 1):
            name = f"entry {number} of {len(entries)}: " if len(entries) > 1 else ""
            try:
                # A millisecond apart, so that lists keep the order that they came in.
                at = now + timedelta(milliseconds=number - 1)
                fields_now = self._completed(fields)
                record = build(kind, fields_now, self.author, at, live.id if live else None)
                reject_unknown(record, "this record")
            except InvalidError as error:
                raise InvalidError(name + error.message, error.hint, error.field) from None
            except UsageError as error:  # it is of another kind
                raise UsageError(name + error.message, error.hint) from None
            records.append(redact_record(self.workspace, record))
        with_own_id = zip(records, entries, strict=True)
        refuse_taken(self.workspace, [record for record, fields in with_own_id if "id" in fields])
        self.write_all(records)
        return records

    def _completed(self, fields: Fields) -> Fields:
        if not fields.get("anchors") or self._complete is None:
            return fields
        return self._complete(fields)

    def write(self, record: "Record") -> str:
        """Write a whole record as a new file; give its path within the memory's folder.

        Secrets in it are taken out first; ``redact_record`` says what then is written.
        """
        record, data = self.encoded(record)
        path = path_for(record.kind, record.id, record.title, record.created)
        self.workspace.store.create(path, data)
        if git_dirs := self.workspace.site.git_dirs:
            from gitmem.git.loose import keep

            keep(git_dirs, data)
        return path

    def encoded(self, record: "Record") -> "tuple[Record, bytes]":
        """Give a record without secrets, and its file's bytes; refuse one that is too large."""
        from gitmem.records.convert import encode

        record = redact_record(self.workspace, record)
        data = encode(record)
        most = self.workspace.store.max_bytes
        if len(data) > most:
            hint = "shorten excerpt or patch, or attach the material as a file"
            raise InvalidError(f"this record is larger than {most // 1024} KiB", hint)
        return record, data

    def write_all(self, records: "Iterable[Record]") -> list[str]:
        """Write several records; if one can't be written, those before it are taken back."""
        written: list[str] = []
        try:
            for record in records:
                path = self.write(record)
                written.append(path)
        except BaseException:
            for path in written:
                self.workspace.store.take_back(path)
            raise
        return written

    def waiting_error(self, reference: str) -> str | None:
        """Give the id of an error that waits to be kept and is meant; None: no such one waits."""
        del reference
        return None
