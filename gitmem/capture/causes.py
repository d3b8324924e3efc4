"""Failures that one edit mended: one cause is one, others get their own part. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gitmem.capture.episodes import Episode, files_in
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.roles import is_document, is_test
from gitmem.capture.titles import functions_around
from gitmem.diffs import CONTEXT, REMOVED, FileDiff, Hunk, read_files
from gitmem.lazy_pattern import lazily
from gitmem.matching.normalise import template

_WORD: Final = lazily(r"[^\W\d_]{2,}")
_TELLING: Final = 4
"""Words of compared values that no other assertion would have by chance."""
_NEAR = 3
"""Lines between a hunk and a frame that stands at it."""


class Mended(NamedTuple):
    """A failure that is gone, and the edit that fixed it.

    Attributes:
        episode: the failure with its runs.
        patch: the edit.

    """

    episode: Episode
    patch: Patch

    @property
    def seen(self) -> FingerprintedFailure:
        """The failure."""
        return self.episode.seen


class Cause(NamedTuple):
    """Failures of one message, test or place that one edit mended, or a part of it.

    Attributes:
        failures: in order.
        patch: what mended them.
        shared: others that the same edit mended, where nobody can tell which part mended which.

    """

    failures: tuple[Mended, ...]
    patch: Patch
    shared: tuple["Cause", ...] = ()

    @property
    def tests(self) -> list[str]:
        """The tests that failed, by name."""
        names = [place for failure in self.failures for place in failure.seen.places if place]
        return list(dict.fromkeys(names)) if self.failures[0].seen.fields.get("test") else []

    @property
    def names_all_tests(self) -> bool:
        """Whether no more tests failed than were listed."""
        return all(all(mended.seen.places) for mended in self.failures) and all(
            mended.episode.reds[-1].whole for mended in self.failures
        )


def causes(
    mended: Sequence[Mended], test_files: Mapping[str, frozenset[str]] | None = None
) -> list[Cause]:
    """Put failures together that are gone in one run, in the order of their first failure.

    Args:
        mended: the failures, each with the edit that fixed it.
        test_files: by fingerprint, the files of tests in which each was ever seen. An edit of
            one of these mends no failure that was never seen there.

    """
    return _without_tests_of_others(_grouped(mended), test_files or {})


def _without_tests_of_others(
    causes: Sequence[Cause], test_files: Mapping[str, frozenset[str]]
) -> list[Cause]:
    """Leave out of each patch the tests in which only failures that other edits mended stood."""
    files = [
        frozenset[str]().union(
            *(
                test_files.get(failure.seen.site, frozenset())
                for part in (cause, *cause.shared)
                for failure in part.failures
            )
        )
        for cause in causes
    ]
    parted = []
    for cause, own in zip(causes, files, strict=True):
        others = frozenset[str]().union(
            *(
                theirs
                for other, theirs in zip(causes, files, strict=True)
                if other.patch.lines != cause.patch.lines
            )
        )
        mine = cause.patch.files - (others - own)
        whole = not mine or mine == cause.patch.files
        parted.append(cause if whole else cause._replace(patch=cause.patch.only(mine)))
    return parted


def _grouped(mended: Sequence[Mended]) -> list[Cause]:
    by_patch: dict[object, list[Mended]] = {}
    for failure in mended:
        by_patch.setdefault((failure.patch.lines, failure.patch.names), []).append(failure)
    causes: list[Cause] = []
    for group in by_patch.values():
        patch = group[0].patch
        alike = [Cause(tuple(some), patch) for some in _alike(group)]
        if len(alike) == 1:
            causes += alike
            continue
        parts = _split(patch, alike)
        if parts:
            causes += [
                failure._replace(patch=part) for failure, part in zip(alike, parts, strict=True)
            ]
        elif len(_hunks(patch)) == 1:
            causes.append(Cause(tuple(group), patch))
        else:
            causes.append(alike[0]._replace(shared=tuple(alike[1:])))
    return causes


def _alike(group: Sequence[Mended]) -> list[list[Mended]]:
    """Put failures together that share a message, a test of any parameters, or a place in code."""
    groups: list[tuple[set[object], list[int]]] = []
    for at, failure in enumerate(group):
        marks, members = _marks_of(failure.seen), [at]
        for other in [some for some in groups if not some[0].isdisjoint(marks)]:
            groups.remove(other)
            marks |= other[0]
            members += other[1]
        groups.append((marks, sorted(members)))
    return [
        [group[at] for at in members]
        for _, members in sorted(groups, key=lambda failure: failure[1])
    ]


def _marks_of(failure: FingerprintedFailure) -> set[object]:
    """Give what tells that two failures which one edit mended have one cause."""
    marks: set[object] = {failure.template or failure.site}
    test = failure.fields.get("test") or {}
    if test:
        marks |= {("test", place.partition("[")[0]) for place in failure.places if "::" in place}
        compared = (template(str(test.get(side) or "")) for side in ("expected", "actual"))
        values = "\n".join(compared)
        if len(_WORD.findall(values)) >= _TELLING:
            marks.add(("values", values))
    if failure.fields.get("language") == "go":
        # Rows of a table are tests within one.
        file = (failure.fields.get("location") or {}).get("file", "")
        tests = {place.partition("/")[0] for place in failure.places if "/" in place}
        marks |= {("test", file, test) for test in tests if file}
    own = [frame for frame in failure.fields.get("frames") or () if frame.get("in_app")]
    last = own[-1] if own else {}
    if last.get("line") and not is_test(str(last.get("file", ""))):
        marks.add((last["file"], last["line"]))
    return marks


def _split(patch: Patch, alike: Sequence[Cause]) -> list[Patch] | None:
    """Give each cause its part of a patch; None where a part is nobody's, or more than one's."""
    hunks = [hunk for hunk in _hunks(patch) if not is_document(hunk.file)]
    parts: list[list[str]] = [[] for _ in alike]
    for hunk in hunks:
        whose = [at for at, hunks in enumerate(alike) if _is_any(_touches, hunk, hunks)]
        if len(whose) > 1:
            inside = [at for at in whose if _is_any(_runs_through, hunk, alike[at])]
            whose = inside or [at for at in whose if _is_any(_is_at, hunk, alike[at])]
        if len(whose) != 1:
            return None
        parts[whose[0]].append(hunk.text)
    if not all(parts):
        return None
    return [parse_patch(_joined(part)) for part in parts]


class _PatchHunk(NamedTuple):
    """One hunk with the head of its file's diff; a file without hunks is one.

    Of a hunk that changes several functions, what it changes in each is one.
    """

    file: str
    text: str
    first: int
    last: int
    functions: frozenset[str]


def _hunks(patch: Patch) -> list[_PatchHunk]:
    return [hunk for file in read_files(patch.text) for hunk in _hunks_of(file)]


def _hunks_of(file: FileDiff) -> Iterator[_PatchHunk]:
    if not file.hunks:
        yield _PatchHunk(file.path, file.text, 0, 0, frozenset())
    head = file.text.removesuffix("".join(hunk.text for hunk in file.hunks))
    for whole in file.hunks:
        for functions, hunk in _by_function(whole):
            first = hunk.old_start
            last = first + max(len(hunk.side(REMOVED)), 1) - 1
            yield _PatchHunk(file.path, head + hunk.text, first, last, functions)


def _by_function(hunk: Hunk) -> Iterator[tuple[frozenset[str], Hunk]]:
    """Give the parts of a hunk, where it changes functions that lie beside each other."""
    around = list(functions_around(hunk))
    changed = [at for at, (sign, _) in enumerate(hunk.lines) if sign != CONTEXT]
    parts: list[tuple[frozenset[str], list[int]]] = []
    for at in changed:
        names, lines = frozenset({around[at]} - {""}), [at]
        while parts and (parts[-1][1][-1] == lines[0] - 1 or not parts[-1][0].isdisjoint(names)):
            more, before = parts.pop()
            names, lines = more | names, before + lines
        parts.append((names, lines))
    if not (hunk.whole and hunk.old_ends and hunk.new_ends and all(names for names, _ in parts)):
        parts = [(frozenset[str]().union(*(names for names, _ in parts)), changed)]
    ends = [0, *(lines[-1] + 1 for _, lines in parts)]
    starts = [*(lines[0] for _, lines in parts), len(hunk.lines)]
    for number, (names, lines) in enumerate(parts):
        yield (
            names,
            hunk.part(
                max(ends[number], lines[0] - _NEAR), min(starts[number + 1], lines[-1] + 1 + _NEAR)
            ),
        )


def _joined(texts: Sequence[str]) -> str:
    """Put hunks together again: those of one file under one head."""
    files: dict[str, str] = {}
    for text in texts:
        at = text.find("\n@@") + 1
        head = text[:at] if at else text
        files[head] = files.get(head, head) + (text[at:] if at else "")
    return "".join(files.values())


def _is_any(
    test: Callable[[_PatchHunk, FingerprintedFailure], bool], hunk: _PatchHunk, cause: Cause
) -> bool:
    return any(test(hunk, failure.seen) for failure in cause.failures)


def _touches(hunk: _PatchHunk, failure: FingerprintedFailure) -> bool:
    """Tell whether a failure stands in a hunk's file, or in the test of that name."""
    tested = {_stem(place.partition("::")[0]) for place in failure.places}
    return bool(files_in(failure, [hunk.file], tests=True)) or _stem(hunk.file) in tested


def _stem(path: str) -> str:
    """Name what a file is about: ``src/cart.py``, ``test_cart.py`` and ``cart.test.ts`` are one."""
    name = path.rpartition("/")[2].partition(".")[0]
    return name.removeprefix("test_").removesuffix("_test").removesuffix("Test").lower()


def _runs_through(hunk: _PatchHunk, failure: FingerprintedFailure) -> bool:
    """Tell whether a frame of a failure stands in a function of a hunk, or calls one."""
    for frame in failure.fields.get("frames") or []:
        for name in hunk.functions:
            here = f"/{frame.get('file', '')}".endswith(f"/{hunk.file}")
            if here and name == f"{frame.get('function')}()":
                return True
            if re.search(
                rf"(?<!\w){re.escape(name.removesuffix(')'))}", str(frame.get("code", ""))
            ):
                return True
    return False


def _is_at(hunk: _PatchHunk, failure: FingerprintedFailure) -> bool:
    """Tell whether a frame of a failure, or its place, stands at a hunk."""
    places = [failure.fields.get("location") or {}, *(failure.fields.get("frames") or [])]
    for place in places:
        file, line = f"/{place.get('file', '')}", place.get("line")
        if not file.endswith(f"/{hunk.file}"):
            continue
        if line and hunk.first - _NEAR <= line <= hunk.last + _NEAR:
            return True
    return False
