"""Archives of record files: gzipped tar files that are named by their content.

``tar -xzf`` unpacks one anywhere, byte by byte what was put in. An archive is written once. Two
branches that archive the same records write two files, or one and the same: they merge without
a conflict, and a record that is in both counts once.
"""

import hashlib
import io
import os
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from gitmem.errors import InvalidError
from gitmem.records.layout import ARCHIVE, id_in, is_record_path
from gitmem.store.files import ProblemError, Store
from gitmem.store.listing import Listing, Stamp, problem
from gitmem.store.readonly import ReadOnly

if TYPE_CHECKING:
    from gitmem.records.problems import Problem

PIECE: Final = 1000
"""Records that one archive holds at most: to read one of them, all of it is unpacked."""
_MOST_BYTES: Final = 1 << 28
"""Of an archive, unpacked."""
_MOST_RATIO: Final = 100
"""Bytes unpacked for each byte packed, beyond the first: records give 5 to 20, gzip up to 1032."""
_FREE_BYTES: Final = 1 << 20
_NAME: Final = re.compile(r"[0-9]{4}-[0-9a-f]{32}\.tar\.gz\Z")
_TEXTLESS: Final = b"* -text\n"


def packed(files: Mapping[str, bytes]) -> bytes:
    """Pack files, by path; the same files give the same bytes on one machine."""
    import gzip
    import tarfile

    tape = io.BytesIO()
    with tarfile.open(fileobj=tape, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, data in sorted(files.items()):
            member = tarfile.TarInfo(path)
            member.size = len(data)
            member.mode = 0o644
            tar.addfile(member, io.BytesIO(data))
    return gzip.compress(tape.getvalue(), 9, mtime=0)


def name_of(year: int, data: bytes) -> str:
    """Name an archive: the year of its records, and the beginning of the SHA-256 of its bytes."""
    return f"{year:04}-{hashlib.sha256(data).hexdigest()[:32]}.tar.gz"


def unpacked(name: str, data: bytes) -> dict[str, bytes]:
    """Give the record files of an archive by path; raise InvalidError if it is not sound.

    Args:
        name: the archive's file name, which says what its bytes must be.
        data: its bytes.

    """
    from gitmem.store.tar import members

    where = f"{ARCHIVE}/{name}"
    hint = "restore it from git: it is written once and never changes"
    if not _NAME.match(name) or name_of(int(name[:4]), data) != name:
        raise InvalidError(f"{where} is damaged: its content does not match its name", hint)
    contents: dict[str, bytes] = {}
    try:
        for path, content in members(inflated(data, _MOST_BYTES)):
            if not is_record_path(path):
                raise InvalidError(f"{where} holds {path!r}, which is not a record", hint)
            contents[path] = content
    except (zlib.error, EOFError, OSError, ValueError) as error:
        raise InvalidError(f"{where} can't be unpacked: {error}", hint) from None
    return contents


def inflated(data: bytes, most: int) -> bytes:
    """Unpack a gzip file; raise EOFError, without unpacking more, if it ``is_bomb``.

    Args:
        data: the file.
        most: bytes that it may hold, whatever it weighs.

    """
    import gzip

    most = min(most, _most_in(data))
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise EOFError(f"{len(data)} bytes hold more than {most} bytes, as no records do")
    return content


def is_bomb(data: bytes, size: int) -> bool:
    """Tell whether a gzip file holds more than its bytes deserve."""
    return size > _most_in(data)


def _most_in(data: bytes) -> int:
    return _FREE_BYTES + _MOST_RATIO * len(data)


def write(store: Store, year: int, files: Mapping[str, bytes]) -> str:
    """Write an archive of some files into a memory; give its path. Once written, it stays."""
    data = packed(files)
    path = f"{ARCHIVE}/{name_of(year, data)}"
    keep_bytes(store)
    if not os.path.lexists(os.path.join(store.root, path)):
        store.create(path, data)
    return path


def keep_bytes(store: Store) -> None:
    """Tell git that archives are no text: the memory's own attributes would mend line ends."""
    rules = f"{ARCHIVE}/.gitattributes"
    if not os.path.lexists(os.path.join(store.root, rules)):
        store.create(rules, _TEXTLESS)


def names(root: str) -> list[str]:
    """Name the archives of a memory, sorted; none where their folder is a link."""
    if os.path.islink(os.path.join(root, ARCHIVE)):
        return []
    try:
        return sorted(
            entry.name
            for entry in os.scandir(os.path.join(root, ARCHIVE))
            if entry.name.endswith(".tar.gz") and entry.is_file(follow_symlinks=False)
        )
    except (FileNotFoundError, NotADirectoryError):
        return []


class Archives(ReadOnly):
    """The record files in a memory's archives.

    Where archives have different texts of one record, that of the last archive by name counts,
    on every clone; ``problems`` tells of it.

    Args:
        root: the memory's folder.
        max_bytes: the largest record.
        wanted: names of the archives.

    """

    def __init__(self, root: str, max_bytes: int, wanted: Iterable[str]) -> None:
        super().__init__(root, max_bytes)
        self.names = tuple(wanted)
        self._homes: dict[str, str] = {}
        self._open: tuple[str, dict[str, bytes]] = ("", {})

    def listing(self) -> Listing:
        """Give every record of every archive; its stamp follows from its content."""
        listing = Listing({}, [], {})
        texts: dict[str, str] = {}
        for name in self.names:
            try:
                files = self.files(name)
            except InvalidError as error:
                listing.problems.append(
                    problem(f"{ARCHIVE}/{name}", "archive", error.message, error.hint)
                )
                continue
            for path, data in files.items():
                digest = hashlib.sha256(data).hexdigest()
                record = id_in(path) or path
                if texts.setdefault(record, digest) != digest:
                    listing.problems.append(_two_texts(name, record))
                listing.files[path] = (0, 0, 0, int(digest[:15], 16))
                self._homes[path] = name
        return listing

    def stamp(self, path: str) -> Stamp:
        """Stamp one file; raise FileNotFoundError if no archive has it."""
        try:
            return self.listing().files[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def stamps(self, paths: Iterable[str]) -> dict[str, Stamp]:
        """Stamp some files; those that no archive has are left out."""
        files = self.listing().files
        return {path: files[path] for path in paths if path in files}

    def read(self, path: str) -> bytes:
        """Read one record; errors are those of ``Store.read``."""
        try:
            data = self.files(self.home(path))[path]
        except (KeyError, InvalidError):
            raise FileNotFoundError(path) from None
        if len(data) > self.max_bytes:
            message = f"{len(data) / 2**20:.1f} MiB is too large for a record"
            raise ProblemError(problem(path, "oversized", message))
        return data

    def home(self, path: str) -> str:
        """Name the archive that has a file; raise KeyError if none has it."""
        if path not in self._homes:
            # Of its year first: the others hold it only where two branches meet.
            year = path.split("/")[1] if "/" in path else ""
            for name in sorted(self.names, key=lambda name: (name[:4] == year, name), reverse=True):
                if path in self.files(name):
                    self._homes[path] = name
                    break
        return self._homes[path]

    def files(self, name: str) -> dict[str, bytes]:
        """Give the records of one archive by path; that of the last call is kept."""
        if self._open[0] != name:
            try:
                data = Store(self.root, _MOST_BYTES).read(f"{ARCHIVE}/{name}")
            except FileNotFoundError:
                raise InvalidError(f"{ARCHIVE}/{name} is gone") from None
            except ProblemError as error:
                raise InvalidError(f"{ARCHIVE}/{name} can't be read: {error}") from None
            self._open = (name, unpacked(name, data))
        return self._open[1]


def _two_texts(name: str, record: str) -> "Problem":
    message = f"another archive has {record} with other content"
    hint = f"compare them (tar -xzOf), then: gitmem archive unarchive {record}"
    return problem(f"{ARCHIVE}/{name}", "two-texts", message, hint)
