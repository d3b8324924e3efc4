"""``gitmem code extract``: code patterns from fixes that worked, from changes, and from files."""

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
from gitmem.learning.facts import is_test_file
from gitmem.learning.pattern_results import Extracted, ExtractedPattern
from gitmem.learning.patterns import (
    CodePattern,
    changed,
    fresh,
    is_worth_keeping,
    outermost,
    patterns,
)
from gitmem.memory.codebase.sources import as_source, is_excluded, read_source
from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Fix, Pattern
from gitmem.records.layout import kind_of
from gitmem.store.listing import is_text
from gitmem.syntax.languages import PARSED, known_as, language_of
from gitmem.syntax.parse import LONGEST, parse, readable

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.reading.reader import Reader
    from gitmem.records.kinds import Record

_CONTEXT: Final = 3
_MOST_FILES: Final = 1_000
_LONGEST_TITLE: Final = 200
_NO_BLOB: Final = "0000000"


def of_text(text: str, language: str) -> list[CodePattern]:
    """Find the patterns in a piece of source; see ``Code.extract``."""
    return patterns(parse(text, known_as(language)))


def extract(
    records: "RecordAccess",
    source: str,
    *,
    fixes: bool,
    language: str,
    only: Sequence[str],
    record: bool,
) -> Extracted:
    """Find new patterns and, on request, write them; see ``Code.extract_from``."""
    with closing(_PatternReader(records.reader, known_as(language))) as reading:
        _read(reading, source, fixes=fixes)
    matching = [
        pattern
        for pattern in reading.extracted
        if not only or any(fnmatchcase(pattern.pattern.name, form) for form in only)
    ]
    if only and not matching and reading.extracted:
        names = ", ".join(pattern.pattern.name for pattern in reading.extracted[:_CONTEXT])
        raise NotFoundError(f"no pattern found is called {', '.join(only)}", f"such as {names}")
    digests = recorded_digests(records.reader, {pattern.pattern.language for pattern in matching})
    new = _fresh(matching, digests)
    before = sum(pattern.pattern.digest in digests for pattern in matching)
    twice = len(matching) - len(new) - before
    passed = dict(reading.passed.most_common())
    extracted = Extracted(new, before, twice, passed, reading.notes)
    if not record or not new:
        return extracted
    written = records.writer.add_all("pattern", [_fields(pattern) for pattern in new])
    return extracted._replace(written=tuple(pattern.id for pattern in written))


def _read(reading: "_PatternReader", source: str, *, fixes: bool) -> None:
    """Read what a source names, whichever it is."""
    if fixes and source:
        raise UsageError("--fixes is all fixes that worked", f"leave {source} out, or --fixes")
    if fixes:
        reading.all_fixes()
    elif source and kind_of(source.lower()):
        reading.fix(reading.reader.find(source, "fix"), named=True)
    elif source and os.path.isfile(os.path.join(reading.reader.workspace.start, source)):
        reading.file(source)
    else:
        reading.span(source)
    reading.tell_missing()


def _fresh(
    extracted: Sequence[ExtractedPattern], digests: AbstractSet[str]
) -> list[ExtractedPattern]:
    first: dict[str, ExtractedPattern] = {}
    for pattern in extracted:
        first.setdefault(pattern.pattern.digest, pattern)
    new = fresh([pattern.pattern for pattern in extracted], digests)
    return [first[pattern.digest] for pattern in new]


def keep(
    records: "RecordAccess", patterns: Iterable[CodePattern], fields: Mapping[str, Any]
) -> "list[Record]":
    """Write those patterns that no record holds yet; see ``Code.keep_patterns``."""
    code = [pattern for pattern in patterns if is_worth_keeping(pattern)]
    digests = recorded_digests(records.reader, {pattern.language for pattern in code})
    entries = [{**_fields(ExtractedPattern(pattern)), **fields} for pattern in fresh(code, digests)]
    return records.writer.add_all("pattern", entries)


def recorded_digests(reader: "Reader", languages: AbstractSet[str]) -> set[str]:
    """Give the digests of all code in pattern records of some languages.

    Of a record that holds several pieces, such as a whole file, none counts: each is worth a
    record. Digests are computed from the code each time, so that an edited record counts as it is.
    """
    digests: set[str] = set()
    for row in reader.list("kind:pattern") if languages else ():
        record = read_record(reader.workspace, row)
        if not isinstance(record, Pattern) or not record.code:
            continue
        language = known_as(record.language)
        if language in languages and readable(language):
            parts = patterns(parse(record.code, language))
            if len(outermost(parts)) == 1:
                digests.update(pattern.digest for pattern in parts)
    return digests


def _fields(extracted: ExtractedPattern) -> dict[str, Any]:
    """Write a pattern as fields of a record."""
    pattern = extracted.pattern
    shown = ", ".join(pattern.traits) or pattern.what
    fields: dict[str, Any] = {
        "title": f"{pattern.name}: {shown}"[:_LONGEST_TITLE],
        "author": {"name": "gitmem", "via": "tool", "tool": "gitmem code extract"},
        "language": pattern.language,
        "category": pattern.category,
        "complexity": pattern.level,
        "code": pattern.code + "\n",
        "tags": [trait.replace(" ", "-") for trait in pattern.traits],
        "when_to_use": extracted.when,
    }
    if extracted.path and is_text(extracted.path):
        anchor: dict[str, Any] = {"path": extracted.path, "symbol": pattern.name}
        if not extracted.fix:  # the lines of a patch are of a file that nobody need have any more
            anchor["lines"] = [pattern.first, pattern.last]
        if extracted.commit:
            anchor["commit"] = extracted.commit
        fields["anchors"] = [anchor]
        fields["source"] = f"{extracted.path}:{pattern.first}" + (
            f" at {extracted.commit[:10]}" if extracted.commit else ""
        )
    if extracted.fix:
        fields["links"] = {"relates": [extracted.fix]}
    return {name: value for name, value in fields.items() if value}


class _PatternReader:
    """Reads changed source and gathers what is worth keeping.

    Args:
        reader: of the memory.
        language: only this one; empty: all.

    """

    def __init__(self, reader: "Reader", language: str) -> None:
        if language and language not in PARSED:
            raise UsageError(f"source in {language} can't be read", f"one of {', '.join(PARSED)}")
        self.reader = reader
        self._workspace = reader.workspace
        self._site = reader.workspace.site
        self._language = language
        self._missing: set[str] = set()
        self._objects: Objects | None = None
        self.extracted: list[ExtractedPattern] = []
        self.passed: Counter[str] = Counter()
        self.notes: list[str] = []

    def file(self, typed: str) -> None:
        """Read a file as it is in the work tree: its outermost definitions."""
        path = self._workspace.path(typed)
        if language_of(path) not in PARSED:
            raise UsageError(
                f"{typed} is in a language that gitmem can't read", f"{', '.join(PARSED)}"
            )
        text = read_source(self._workspace.site.root, path)
        if text is None:
            raise UsageError(f"{typed} is not source code that a person wrote", "name another file")
        if parsed := self._parsed(text, path):
            whole = [pattern for pattern in patterns(parsed) if pattern.what != "error handling"]
            self._take(ExtractedPattern(pattern, path) for pattern in outermost(whole))

    def span(self, text: str) -> None:
        """Read what a range of commits adds."""
        dirs = self._site.require_git()
        span = range_of(dirs, text)
        folder = self._site.folder_in_repository
        root, _, name = folder.rpartition("/")
        files = [
            file for file in new_lines(dirs, span, root) if not file.path.startswith(f"{name}/")
        ]
        if len(files) > _MOST_FILES:
            self.notes.append(f"only {_MOST_FILES:,} of {len(files):,} changed files were read")
        origin = ExtractedPattern(_NOTHING, commit=span.after)
        for file in files[:_MOST_FILES]:
            if self._wanted(file.path):
                after = self._blob(file.blob)
                if after is None:
                    self.passed["generated or very long files"] += 1
                else:
                    self._change(file.path, after, file.lines, origin)

    def all_fixes(self) -> None:
        """Read the patches of all fixes that worked."""
        for row in self.reader.list("kind:fix status:worked,claimed", sort="oldest"):
            self.fix(row)

    def fix(self, row: "Row", *, named: bool = False) -> None:
        """Read the patch of a fix that worked."""
        record = read_record(self._workspace, row)
        if not isinstance(record, Fix) or record.outcome != "worked":
            raise UsageError(
                f"{row.id} did not work, so its change is not a pattern", "name one that did"
            )
        if not record.patch:
            if named:
                raise UsageError(f"{row.id} has no patch", "name a range of commits instead")
            self.passed["fixes without a patch"] += 1
            return
        fixed_by = self._workspace.ask(lambda now: now.catalog.fixed_by([row.file]))
        titles = [error.title for error in fixed_by.get(row.file, ())]
        approach = " ".join((record.approach or record.title).split())
        when = ". ".join(dict.fromkeys([*titles, approach]))
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
        dirs = self._site.git_dirs
        if dirs is None or name.startswith(_NO_BLOB):
            return None
        self._objects = self._objects or Objects(dirs)
        content = self._objects.read(name, LONGEST)
        return as_source(content[0]) if content and content[1] <= LONGEST else None

    def close(self) -> None:
        """End what reads."""
        if self._objects:
            self._objects.close()

    def _wanted(self, path: str) -> bool:
        if is_excluded(path) or not is_text(path):
            self.passed["generated or very long files"] += 1
        elif language_of(path) not in PARSED:
            self.passed["files in languages that gitmem can't read"] += 1
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
        in_text = patterns(parsed)
        if cut:  # what ends where the text ends may go on in the file
            end = len(text.rstrip("\n").split("\n"))
            in_text = [pattern for pattern in in_text if pattern.last < end]
        in_change = changed(in_text, added, parsed.lines)
        self._take(origin._replace(pattern=pattern, path=path) for pattern in in_change)

    def _take(self, extracted: Iterable[ExtractedPattern]) -> None:
        for pattern in extracted:
            if is_worth_keeping(pattern.pattern):
                self.extracted.append(pattern)
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
        for sign, line in hunk.lines:
            if sign == "-":
                drift -= 1
                continue
            if at >= len(lines) or lines[at] != line:
                return set()
            at += 1
            if sign == "+":
                added.add(at)
                drift += 1
    return added


def _pieces(file: FileDiff) -> Iterator[tuple[str, set[int], bool]]:
    """Give each changed place as text, its new lines, and whether the file may go on there."""
    for hunk in file.hunks:
        after = [(sign, line) for sign, line in hunk.lines if sign != "-"]
        added = {number for number, (sign, _) in enumerate(after, 1) if sign == "+"}
        context = 0
        for sign, _ in reversed(after):
            if sign == "+":
                break
            context += 1
        ends = not file.old or context < _CONTEXT
        yield "\n".join(line for _, line in after), added, not ends
