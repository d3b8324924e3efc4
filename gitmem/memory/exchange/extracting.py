"""``gitmem extract``: patterns out of what was accepted: fixes that worked, changes, files."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from gitmem.capture.applying import PatchRefusedError, check
from gitmem.diffs import FileDiff, read_files
from gitmem.errors import NotFoundError, UsageError, install
from gitmem.git.new_lines import new_lines
from gitmem.git.objects import Objects
from gitmem.git.ranges import range_of
from gitmem.learning.extracted import Extracted, ExtractedPattern
from gitmem.learning.facts import is_test_file
from gitmem.learning.patterns import (
    CodePattern,
    changed,
    fresh,
    outermost,
    patterns,
    worth,
)
from gitmem.memory.codebase.sources import as_source, is_excluded, read_source
from gitmem.memory.core.records import read_record
from gitmem.records.ids import kind_of
from gitmem.records.kinds import Fix, Pattern
from gitmem.store.listing import is_text
from gitmem.syntax.languages import PARSED, known_as, language_of
from gitmem.syntax.reading import LONGEST, parse, readable

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.view import View
    from gitmem.memory.writable import Writable
    from gitmem.records.kinds import Record

_CONTEXT: Final = 3
_MOST_FILES: Final = 1_000
_LONGEST_TITLE: Final = 200
_NO_BLOB: Final = "0000000"


def of_text(text: str, language: str) -> list[CodePattern]:
    """Find the patterns in a piece of source; see ``Memory.extract``."""
    return patterns(parse(text, known_as(language)))


def extract(
    memory: "Writable",
    source: str,
    *,
    fixes: bool,
    language: str,
    only: Sequence[str],
    record: bool,
) -> Extracted:
    """Find new patterns and, if that is asked for, write them; see ``Memory.extract_from``."""
    with closing(_PatternReader(memory, known_as(language))) as reading:
        _read(memory, reading, source, fixes=fixes)
    found = [one for one in reading.found if not only or any(
        fnmatchcase(one.pattern.name, form) for form in only)]  # fmt: skip
    if only and not found and reading.found:
        names = ", ".join(one.pattern.name for one in reading.found[:_CONTEXT])
        raise NotFoundError(
            f"nothing that was found is called {', '.join(only)}", f"such as {names}"
        )
    known = known_digests(memory, {one.pattern.language for one in found})
    new = _fresh(found, known)
    before = sum(one.pattern.digest in known for one in found)
    made = Extracted(
        new, before, len(found) - len(new) - before, dict(reading.passed.most_common()),
        reading.notes,
    )  # fmt: skip
    if not record or not new:
        return made
    written = memory.add_all("pattern", [_fields(one) for one in new])
    return made._replace(written=tuple(one.id for one in written))


def _read(memory: "View", reading: "_PatternReader", source: str, *, fixes: bool) -> None:
    """Read what a source names, whichever it is."""
    if fixes and source:
        raise UsageError("--fixes is all fixes that worked", f"leave {source} out, or --fixes")
    if fixes:
        reading.all_fixes()
    elif source and kind_of(source.lower()):
        reading.fix(memory.find(source, "fix"), named=True)
    elif source and os.path.isfile(os.path.join(memory.start, source)):
        reading.file(source)
    else:
        reading.span(source)
    reading.tell_missing()


def _fresh(found: Sequence[ExtractedPattern], known: AbstractSet[str]) -> list[ExtractedPattern]:
    first: dict[str, ExtractedPattern] = {}
    for one in found:
        first.setdefault(one.pattern.digest, one)
    return [first[one.digest] for one in fresh([one.pattern for one in found], known)]


def keep(
    memory: "Writable", found: Iterable[CodePattern], told: Mapping[str, Any]
) -> "list[Record]":
    """Write those patterns that no record holds yet; see ``Memory.keep_patterns``."""
    some = list(found)
    new = fresh(some, known_digests(memory, {one.language for one in some}))
    return memory.add_all("pattern", [{**_fields(ExtractedPattern(one)), **told} for one in new])


def known_digests(memory: "View", languages: AbstractSet[str]) -> set[str]:
    """Give the digests of all code in pattern records of some languages.

    They are computed from the code each time, so that a record that was edited counts as it is.
    """
    known: set[str] = set()
    for row in memory.list("kind:pattern") if languages else ():
        record = read_record(memory.workspace, row)
        if not isinstance(record, Pattern) or not record.code:
            continue
        language = known_as(record.language)
        if language in languages and readable(language):
            known.update(one.digest for one in patterns(parse(record.code, language)))
    return known


def _fields(one: ExtractedPattern) -> dict[str, Any]:
    """Write a pattern as fields of a record."""
    pattern = one.pattern
    shown = ", ".join(pattern.traits) or pattern.what
    fields: dict[str, Any] = {
        "title": f"{pattern.name}: {shown}"[:_LONGEST_TITLE],
        "author": {"name": "gitmem", "via": "tool", "tool": "gitmem extract"},
        "language": pattern.language,
        "category": pattern.category,
        "complexity": pattern.level,
        "code": pattern.code + "\n",
        "tags": [trait.replace(" ", "-") for trait in pattern.traits],
        "when_to_use": one.when,
    }
    if one.path and is_text(one.path):
        anchor: dict[str, Any] = {"path": one.path, "symbol": pattern.name}
        if not one.fix:  # the lines of a patch are of a file that nobody need have any more
            anchor["lines"] = [pattern.first, pattern.last]
        if one.commit:
            anchor["commit"] = one.commit
        fields["anchors"] = [anchor]
        fields["source"] = f"{one.path}:{pattern.first}" + (
            f" at {one.commit[:10]}" if one.commit else ""
        )
    if one.fix:
        fields["links"] = {"relates": [one.fix]}
    return {name: value for name, value in fields.items() if value}


class _PatternReader:
    """Reads changed source and gathers what is worth keeping.

    Args:
        memory: the memory.
        language: only this one; empty: all.

    """

    def __init__(self, memory: "View", language: str) -> None:
        if language and language not in PARSED:
            raise UsageError(f"source in {language} can't be read", f"one of {', '.join(PARSED)}")
        self._memory = memory
        self._language = language
        self._missing: set[str] = set()
        self._objects: Objects | None = None
        self.found: list[ExtractedPattern] = []
        self.passed: Counter[str] = Counter()
        self.notes: list[str] = []

    def file(self, typed: str) -> None:
        """Read a file as it is in the work tree: its outermost definitions."""
        path = self._memory.path(typed)
        if language_of(path) not in PARSED:
            raise UsageError(f"{typed} is in no language that can be read", f"{', '.join(PARSED)}")
        text = read_source(os.path.join(self._memory.start, typed))
        if text is None:
            raise UsageError(f"{typed} is no source that a person wrote", "name another file")
        if parsed := self._parsed(text, path):
            whole = [one for one in patterns(parsed) if one.what != "error handling"]
            self._take(ExtractedPattern(one, path) for one in outermost(whole))

    def span(self, text: str) -> None:
        """Read what a range of commits adds."""
        places = self._memory.site.require_git()
        span = range_of(places, text)
        folder = self._memory.site.folder_in_repository
        root, _, name = folder.rpartition("/")
        there = [one for one in new_lines(places, span, root)
                 if not one.path.startswith(f"{name}/")]  # fmt: skip
        if len(there) > _MOST_FILES:
            self.notes.append(f"only {_MOST_FILES:,} of {len(there):,} changed files were read")
        for one in there[:_MOST_FILES]:
            if self._wanted(one.path):
                after = self._blob(one.blob)
                if after is None:
                    self.passed["files that nobody wrote, or very long"] += 1
                else:
                    self._change(
                        one.path, after, one.lines, ExtractedPattern(_NOTHING, commit=span.after)
                    )

    def all_fixes(self) -> None:
        """Read the patches of all fixes that worked."""
        for row in self._memory.list("kind:fix status:worked", sort="oldest"):
            self.fix(row)

    def fix(self, row: "Row", *, named: bool = False) -> None:
        """Read the patch of a fix that worked."""
        record = read_record(self._memory.workspace, row)
        if not isinstance(record, Fix) or record.outcome != "worked":
            raise UsageError(
                f"{row.id} did not work: its change is no pattern", "name one that did"
            )
        if not record.patch:
            if named:
                raise UsageError(f"{row.id} has no patch", "name a range of commits instead")
            self.passed["fixes without a patch"] += 1
            return
        errors = self._memory.derived.opened.linked_from(row.file, "fixes")
        said = " ".join((record.approach or record.title).split())
        when = ". ".join(dict.fromkeys([*(one.title for one in errors), said]))
        origin = ExtractedPattern(_NOTHING, fix=row.id, when=when)
        for file in read_files(record.patch.replace("\r\n", "\n")):
            self._part(file, origin)

    def _part(self, file: FileDiff, origin: ExtractedPattern) -> None:
        """Read one file of a patch: whole where git still has it, else as far as it is shown."""
        try:
            check(file)
        except PatchRefusedError:
            self.passed["patches that were cut, or are binary"] += 1
            return
        if not file.new or not self._wanted(file.new):
            return
        text = self._blob(file.header.new_blob) if file.header.new_blob else None
        if text is not None and (added := _added(file, text)):
            self._change(file.new, text, added, origin)
            return
        for text, added, cut in _pieces(file):
            self._change(file.new, text, added, origin, cut=cut)

    def _blob(self, name: str) -> str | None:
        """Read a file that git has; None if it has not, or if that is no source."""
        places = self._memory.site.git_dirs
        if places is None or name.startswith(_NO_BLOB):
            return None
        self._objects = self._objects or Objects(places)
        there = self._objects.read(name, LONGEST)
        return as_source(there[0]) if there and there[1] <= LONGEST else None

    def close(self) -> None:
        """End what reads."""
        if self._objects:
            self._objects.close()

    def _wanted(self, path: str) -> bool:
        if is_excluded(path) or not is_text(path):
            self.passed["files that nobody wrote, or very long"] += 1
        elif language_of(path) not in PARSED:
            self.passed["files in no language that can be read"] += 1
        elif self._language and language_of(path) != self._language:
            self.passed[f"files not in {self._language}"] += 1
        elif is_test_file(path):
            self.passed["files of tests"] += 1
        else:
            return True
        return False

    def _parsed(self, text: str, path: str) -> Any:  # noqa: ANN401  Parsed, or None
        language = language_of(path)
        if not readable(language):
            self._missing.add(language)
            self.passed["files whose language needs the extra code"] += 1
            return None
        return parse(text, language, path)

    def tell_missing(self) -> None:
        """Note which languages only the extra could have read."""
        if self._missing:
            named = ", ".join(sorted(self._missing))
            text = f"{named} can't be read: {install('code')}"
            self.notes = list(dict.fromkeys([*self.notes, text]))

    def _change(
        self,
        path: str,
        text: str,
        added: AbstractSet[int],
        origin: ExtractedPattern,
        *,
        cut: bool = False,
    ) -> None:
        parsed = self._parsed(text, path)
        if parsed is None:
            return
        found = patterns(parsed)
        if cut:  # what ends where the text ends may go on in the file
            end = len(text.rstrip("\n").split("\n"))
            found = [one for one in found if one.last < end]
        some = changed(found, added, parsed.lines)
        self._take(origin._replace(pattern=one, path=path) for one in some)

    def _take(self, found: Iterable[ExtractedPattern]) -> None:
        for one in found:
            if worth(one.pattern):
                self.found.append(one)
            else:
                self.passed["pieces that are tests, trivial, or too long"] += 1


_NOTHING: Final = CodePattern("", "", "", "", 0, 0, 0, 0, 0, (), "")


def _added(file: FileDiff, text: str) -> set[int]:
    """Give the numbers of the lines that a patch adds; none if it does not fit the text."""
    lines = text.replace("\r\n", "\n").split("\n")
    added: set[int] = set()
    drift = 0
    for hunk in file.hunks:
        at = hunk.start + drift
        for sign, said in hunk.lines:
            if sign == "-":
                drift -= 1
                continue
            if at >= len(lines) or lines[at] != said:
                return set()
            at += 1
            if sign == "+":
                added.add(at)
                drift += 1
    return added


def _pieces(file: FileDiff) -> Iterator[tuple[str, set[int], bool]]:
    """Give each changed place as text, its new lines, and whether the file may go on there."""
    for hunk in file.hunks:
        after = [(sign, said) for sign, said in hunk.lines if sign != "-"]
        added = {number for number, (sign, _) in enumerate(after, 1) if sign == "+"}
        context = 0
        for sign, _ in reversed(after):
            if sign == "+":
                break
            context += 1
        ends = not file.old or context < _CONTEXT
        yield "\n".join(said for _, said in after), added, not ends
