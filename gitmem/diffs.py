"""The reader of unified diffs: as git writes them, ``diff -u``, ``difflib``, and people. Pure.

``DiffReader`` says of one line after the other what it is, and keeps what a file's header says;
``read_parts`` and ``read_files`` give whole files. The number of lines that a hunk announces
decides where it ends, so that a removed line ``-- x`` (shown as ``--- x``) is no header. See the
"Generating patch text with -p" section of git-diff(1), and "Detailed Unified" in GNU diffutils.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

# What a line is; see ``DiffReader.read``.
FILE, HEADER, HUNK, NOTE, OTHER = "file", "header", "hunk", "note", ""
CONTEXT, ADDED, REMOVED, UNTERMINATED = " ", "+", "-", "\\"

_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_BLOBS: Final = re.compile(r"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPED: Final = re.compile(r'(?:\\[0-7]{3})+|\\[abtnvfr"\\]')
_ESCAPES: Final = dict(zip('abtnvfr"\\', '\a\b\t\n\v\f\r"\\', strict=True))
_PREFIX: Final = re.compile(r"[a-z0-9]/")
_NOWHERE: Final = "/dev/null"
_CUT: Final = ("# cut: ", "[cut: ")
_SIGNATURE: Final = "-- "  # ends a diff that was sent by mail; a version follows
_MODES: Final = {"old mode ": "old_mode", "new mode ": "new_mode",
                 "deleted file mode ": "old_mode", "new file mode ": "new_mode"}  # fmt: skip
_MOVES: Final = {"rename from ": "old", "rename to ": "new", "copy from ": "old", "copy to ": "new"}


class FileHeader:
    """What the lines above the hunks of one file say.

    Attributes:
        old_mode, new_mode: such as ``100644``; empty where the diff does not tell.
        mode: the same, of a file that has it before and after.
        old_blob, new_blob: git's ids of the contents, mostly abbreviated; empty: none is told.
        binary: the contents are no text, and are not shown.
        combined: it shows a merge against several parents, whose hunks are not read.

    """

    def __init__(self, line: str = "", errors: str = "replace") -> None:
        self.old_mode = self.new_mode = self.mode = self.old_blob = self.new_blob = ""
        self.binary = False
        self._line = line if line.startswith("diff ") else ""
        self.combined = line.startswith(("diff --cc ", "diff --combined "))
        self._errors = errors
        self._moved: dict[str, str] = {}
        self._shown_names: dict[str, str] = {}
        self._created = self._deleted = False
        self._pair = ("", "")
        self._prefixes: tuple[str, ...] = ("a/", "b/")
        if line.startswith("diff --git "):
            self._read_pair(line[len("diff --git ") :])
        elif self.combined:
            name = _unquoted(line.partition(" ")[2].partition(" ")[2], errors)
            self._pair = (name, name)

    @property
    def old(self) -> str:
        """The name before; empty: there was no such file."""
        return "" if self._created else self._name("old", "new", 0)

    @property
    def new(self) -> str:
        """The name after; empty: the file is deleted."""
        return "" if self._deleted else self._name("new", "old", 1)

    @property
    def has_old_name(self) -> bool:
        """Whether the line ``--- NAME`` was read."""
        return "old" in self._shown_names

    @property
    def is_sure(self) -> bool:
        """Whether more than ``--- NAME`` was read: any text may have such a line."""
        return bool(self._line or "new" in self._shown_names or self.binary)

    def read(self, line: str) -> None:
        """Take a line above the hunks in."""
        if line.startswith("--- "):
            self._shown_names["old"] = self._shown_name(line[4:])
            self._created |= not self._shown_names["old"]
        elif line.startswith("+++ "):
            self._shown_names["new"] = self._shown_name(line[4:])
            self._deleted |= not self._shown_names["new"]
        elif blobs := _BLOBS.match(line):
            self.old_blob, self.new_blob, self.mode = blobs.groups("")
        elif line.startswith(("GIT binary patch", "Binary files ")):
            self.binary = True
        else:
            self._read_extended(line)

    def _read_extended(self, line: str) -> None:
        for words, field in _MODES.items():
            if line.startswith(words):
                setattr(self, field, line[len(words) :].strip())
                self._created |= words == "new file mode "
                self._deleted |= words == "deleted file mode "
        for words, side in _MOVES.items():
            if line.startswith(words):
                self._moved[side] = _unquoted(line[len(words) :].rstrip("\r"), self._errors)

    def _name(self, side: str, other: str, at: int) -> str:
        """Give a name from the surest line that tells it."""
        name = self._moved.get(side) or self._shown_names.get(side) or self._pair[at]
        return name or self._shown_names.get(other, "")

    def _shown_name(self, text: str) -> str:
        """Read a name of ``---`` or ``+++``, which a tab and a time may follow."""
        name, tab, _ = text.partition("\t")
        if not tab:
            name = name.rstrip()
        name = _unquoted(name, self._errors)
        if name == _NOWHERE:
            return ""
        return name[2:] if name.startswith(self._prefixes) else name

    def _read_pair(self, text: str) -> None:
        """Cut ``a/OLD b/NEW``, which is not sure where the names differ and hold blanks."""
        text = text.rstrip("\r")
        quoted = _QUOTED.match(text)
        half = len(text) // 2
        if quoted:
            pair = (quoted[0], text[quoted.end() + 1 :])
        elif text.endswith('"') and ' "' in text:
            at = text.index(' "')
            pair = (text[:at], text[at + 1 :])
        elif (
            text[half : half + 1] == " "
            and text[:half].partition("/")[2] == text[half + 1 :].partition("/")[2]
        ):
            pair = (text[:half], text[half + 1 :])
        else:
            before, blank, name = text.rpartition(" b/")
            pair = (before, f"b/{name}") if blank else (text, text)
        old, new = (_unquoted(name, self._errors) for name in pair)
        if old == new:
            self._prefixes = ()
        elif _PREFIX.match(old) and _PREFIX.match(new):
            self._prefixes = (old[:2], new[:2])
            old, new = old[2:], new[2:]
        self._pair = (old, new)


class DiffReader:
    """Says of each line of a diff what it is.

    Args:
        errors: how bytes of quoted names that are no UTF-8 become text, as in ``bytes.decode``.

    Attributes:
        header: of the file that the last line belongs to; None outside of files.
        places: of the last hunk its first old line, number of old lines, first new line and
            number of new lines, as announced.

    """

    def __init__(self, errors: str = "replace") -> None:
        self.header: FileHeader | None = None
        self.places = (0, 0, 0, 0)
        self._errors = errors
        self._old = self._new = 0  # lines of the hunk that are still to come
        self._in_hunk = self._has_hunks = self._excess = False

    @property
    def whole(self) -> bool:
        """Whether the last hunk has as many lines as it announced."""
        return not (self._old or self._new or self._excess)

    @property
    def in_hunk(self) -> bool:
        """Whether the next line must belong to the hunk."""
        return self._old > 0 or self._new > 0

    @property
    def lacks_blank(self) -> bool:
        """Whether all that lacks is one line of context, which is lost where it was blank."""
        return self._in_hunk and self._old == self._new == 1 and not self._excess

    def read(self, line: str) -> str:
        """Tell what the next line is.

        Args:
            line: without its newline.

        Returns:
            FILE: the first line of a file's part. HEADER: a line above its hunks. HUNK: the first
            line of a hunk. CONTEXT, ADDED, REMOVED: a line of the hunk. UNTERMINATED: the line
            before this one has no newline. NOTE: a remark that is no part of any file, ``# ...``
            or that the diff was cut. OTHER: anything else.

        """
        if self._in_hunk and (kind := self._content(line)):
            return kind
        self._in_hunk = False
        if hunk := _HUNK.match(line):
            return self._begin_hunk(hunk)
        if line.startswith("diff ") or (line.startswith("--- ") and self._is_new_file()):
            return self._begin_file(line)
        if line.startswith(("# ", *_CUT)):
            self.header = None
            return NOTE
        if line.startswith("Binary files ") and (self.header is None or self._has_hunks):
            return self._begin_file(line)
        if self.header is None or self._has_hunks:
            return OTHER
        self.header.read(line)
        return HEADER

    def _is_new_file(self) -> bool:
        """Tell whether a line ``--- NAME`` that comes now begins another file."""
        header = self.header
        return header is None or (not header.combined and (self._has_hunks or header.has_old_name))

    def _begin_file(self, line: str) -> str:
        self.header = FileHeader(line, self._errors)
        self._has_hunks = False
        self.header.read(line)
        return FILE

    def _begin_hunk(self, hunk: re.Match[str]) -> str:
        old, old_count, new, new_count = (int(number or 1) for number in hunk.groups())
        self.places = (old, old_count, new, new_count)
        self._old, self._new = old_count, new_count
        self._in_hunk = self._has_hunks = True
        self._excess = False
        return HUNK

    def _content(self, line: str) -> str:
        """Tell the sign of a line in a hunk; empty: it is none, and the hunk is over."""
        sign = line[:1]
        if sign == UNTERMINATED:
            return sign
        if not self.in_hunk and (
            sign not in {CONTEXT, ADDED, REMOVED}
            or line.startswith(("--- ", "+++ "))
            or line == _SIGNATURE
        ):
            return OTHER
        if sign not in {CONTEXT, ADDED, REMOVED}:
            if line.rstrip("\r"):
                return OTHER
            sign = CONTEXT  # its blank was lost on the way
        old, new = sign != ADDED, sign != REMOVED
        self._excess |= self._old < old or self._new < new
        self._old -= old and self._old > 0
        self._new -= new and self._new > 0
        return sign


class Hunk(NamedTuple):
    """One changed place.

    Attributes:
        old_start, new_start: number of its first line in the old and the new file, from 1; where
            it has no line there, of the line before it, from 0.
        lines: (sign, text without its newline); the sign is a blank, ``+`` or ``-``.
        old_ends, new_ends: False where the old or new text ends here without a newline.
        whole: it has as many lines as it announces.
        text: its part of the diff.

    """

    old_start: int
    new_start: int
    lines: tuple[tuple[str, str], ...]
    old_ends: bool = True
    new_ends: bool = True
    whole: bool = True
    text: str = ""

    @property
    def heading(self) -> str:
        """What its first line says behind the numbers: the function that it stands in."""
        return self.text.partition("\n")[0].split("@@", 2)[-1].strip()

    def part(self, first: int, last: int) -> "Hunk":
        """Give a part of its lines, from 0, as a hunk; the others stay as they are."""
        if (first, last) == (0, len(self.lines)):
            return self
        before = sum(sign in (CONTEXT, REMOVED) for sign, _ in self.lines[:first])
        part = Hunk(self.old_start + before, self.new_start + before, self.lines[first:last])
        sizes = len(part.side(REMOVED)), len(part.side(ADDED))
        head = f"@@ -{part.old_start},{sizes[0]} +{part.new_start},{sizes[1]} @@"
        head = f"{head} {self.heading}".rstrip()
        lines = "".join(f"{sign}{text}\n" for sign, text in part.lines)
        return part._replace(text=f"{head}\n{lines}")

    @property
    def start(self) -> int:
        """The first of its lines in the old file, from 0."""
        return max(self.old_start - 1, 0)

    def side(self, sign: str) -> list[str]:
        """Give the lines before (``-``) or after it (``+``)."""
        return [text for given, text in self.lines if given in (CONTEXT, sign)]


class FileDiff(NamedTuple):
    """What a diff does to one file.

    Attributes:
        old, new: its names; the one before a new and the one after a deleted file are empty.
        header: what else stands above the hunks.
        hunks: the changed places, in their order.
        text: its part of the diff.
        cut: a remark behind it says that the rest was left out.

    """

    old: str
    new: str
    header: FileHeader
    hunks: tuple[Hunk, ...]
    text: str
    cut: bool

    @property
    def path(self) -> str:
        """The file's name, or the old one of a deleted file."""
        return self.new or self.old


def read_parts(text: str, errors: str = "replace") -> Iterator[FileDiff | str]:
    """Read a unified diff: each file, and each remark that is no part of any, as it comes.

    What stands above the first file, and between files but for remarks, is passed over. A hunk
    without any header belongs to a file without names.

    Args:
        text: the diff; lines end with a newline, and a carriage return before it belongs to them.
        errors: how bytes of quoted names that are no UTF-8 become text, as in ``bytes.decode``.

    """
    reader = DiffReader(errors)
    part: _FilePart | None = None
    lines = text.split("\n")
    unfinished = lines.pop()
    for line in [*lines, *([unfinished] if unfinished else [])]:
        kind = reader.read(line)
        if part and kind in {FILE, NOTE}:
            yield from part.end(cut=line.startswith(_CUT))
            part = None
        if kind == NOTE:
            yield line
        elif part is None and kind in {FILE, HUNK}:
            part = _FilePart(reader)
        if part:
            part.add(kind, line)
    if part:
        if reader.lacks_blank and not unfinished:
            part.add_content(reader.read(CONTEXT), CONTEXT)
        yield from part.end()


def read_files(text: str) -> list[FileDiff]:
    """Read the files of a unified diff; see ``read_parts``."""
    return [part for part in read_parts(text) if isinstance(part, FileDiff)]


class _FilePart:
    """One file while it is read."""

    def __init__(self, reader: DiffReader) -> None:
        self._reader = reader
        self._header = reader.header or FileHeader()
        self._text: list[str] = []
        self._hunk_from = 0  # where the text of the hunk begins
        self._hunks: list[Hunk] = []
        self._lines: list[tuple[str, str]] = []
        self._places: tuple[int, ...] = ()  # of the hunk that is read
        self._open: set[str] = set()  # signs of its lines without a newline
        self._whole = True

    def add(self, kind: str, line: str) -> None:
        if kind == HUNK:
            self._end_hunk()
            self._hunk_from = len(self._text)
        self._text.append(line)
        if kind == HUNK:
            self._places = self._reader.places
        elif kind == UNTERMINATED and self._lines:
            self._open.add(self._lines[-1][0])
        elif kind in {CONTEXT, ADDED, REMOVED}:
            self.add_content(kind, line)
        self._whole = self._reader.whole

    def add_content(self, sign: str, line: str) -> None:
        self._lines.append((sign, line[1:] if line[:1] == sign else line))
        self._whole = self._reader.whole

    def _end_hunk(self) -> None:
        if self._places:
            old_start, _, new_start, _ = self._places
            old, new = (self._open.isdisjoint({CONTEXT, sign}) for sign in (REMOVED, ADDED))
            lines, text = tuple(self._lines), _joined(self._text[self._hunk_from :])
            self._hunks.append(Hunk(old_start, new_start, lines, old, new, self._whole, text))
        self._lines, self._open = [], set()

    def end(self, *, cut: bool = False) -> Iterator[FileDiff]:
        """Give the file, if it is one; ``cut``: a remark says that its end is left out."""
        self._end_hunk()
        head = self._header
        if not (head.is_sure or self._hunks):
            return
        yield FileDiff(head.old, head.new, head, tuple(self._hunks), _joined(self._text), cut)


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _unquoted(name: str, errors: str) -> str:
    """Read a name that git or GNU diff quoted as C does: bytes of UTF-8 in octal."""

    def plain(escape: re.Match[str]) -> str:
        if char := _ESCAPES.get(escape[0][1]):
            return char
        octal = escape[0].split("\\")[1:]
        return bytes(int(number, 8) & 0xFF for number in octal).decode(errors=errors)

    if len(name) > 1 and name.startswith('"') and name.endswith('"'):
        return _ESCAPED.sub(plain, name[1:-1])
    return name
