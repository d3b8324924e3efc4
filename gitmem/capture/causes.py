"""Failures that one edit mended: one cause is one, others get their own part. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gitmem.capture.episodes import Episode
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patch_hunks import (
    PatchHunk,
    far,
    hunks_of,
    is_at,
    patch_of,
    runs_through,
    touches,
)
from gitmem.capture.patches import Patch
from gitmem.capture.roles import is_document, is_test
from gitmem.lazy_pattern import lazily
from gitmem.matching.normalise import template
from gitmem.output.cases import row_of

_WORD: Final = lazily(r"[^\W\d_]{2,}")
_TELLING: Final = 4
"""Words of compared values that no other assertion would have by chance."""
_BY_NAME: Final = 2
"""How far one is of which only the name of its test says so."""
_NOT_SEEN: Final = 3
"""How far a failure is from an edit of which nothing shows that it has to do with it."""
_A_ROW: Final = "<row>"
_OF_TIME: Final = lazily(
    r"(?i)\btimed?[ -]?out\b|\btimeouts?\b|\btoo (?:long|slow|late)\b|\bdeadline\b|\bslower than\b"
    r"|\btook (?:more|longer) than\b|\bexceeded .{0,40}\b(?:ms|seconds?|time)\b"
    r"|\bwithin \d[\d.]* ?(?:ms|s|secs?|seconds?|milliseconds?)\b"
    r"|\b(?:not|never|no|nobody|nothing|still|waited|waiting|gave up)\b.{0,60}"
    r"\b(?:in|after|for) \d[\d.]* ?(?:ms|s|secs?|seconds?|milliseconds?|minutes?)\b"
)
"""What is said of something that came too late: on another day it may come in time."""


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
    """Failures of one kind that one edit mended, or a part of it: they are one error.

    Attributes:
        failures: the one that stands first names them all.
        patch: what mended them.
        shared: others that the same edit mended, of another type or in other words.
        unclear: nobody can tell which part of the edit mended which.

    """

    failures: tuple[Mended, ...]
    patch: Patch
    shared: tuple["Cause", ...] = ()
    unclear: bool = False

    @property
    def all_failures(self) -> tuple[Mended, ...]:
        """The failures, with those of the errors that share the edit."""
        return tuple(item for cause in (self, *self.shared) for item in cause.failures)

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
            *(test_files.get(item.seen.site, frozenset()) for item in cause.all_failures)
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
        alike = _alike(group)
        parts = _split(patch, alike) if len(alike) > 1 else None
        if parts:
            causes += [
                _cause([item for some in kinds for item in some], part, unclear=len(kinds) > 1)
                for kinds, part in parts
            ]
        else:
            causes.append(_cause(group, patch, unclear=len(alike) > 1))
    return causes


def _cause(group: Sequence[Mended], patch: Patch, *, unclear: bool = False) -> Cause:
    """Make one cause of failures, with an error of each kind; the nearest to the edit is first."""
    hunks = hunks_of(patch)
    unclear = unclear and len(hunks) > 1
    nearest = sorted(group, key=lambda item: (_is_of_time(item.seen), far(item.seen, hunks)))
    kinds: list[tuple[set[object], list[Mended]]] = []
    for item in nearest:
        marks = _kinds_of(item.seen, hunks if unclear else ())
        own = next((members for others, members in kinds if not marks.isdisjoint(others)), None)
        if own is None:
            kinds.append((marks, [item]))
        else:
            own.append(item)
    first, *others = (Cause(tuple(members), patch) for _, members in kinds)
    return first._replace(shared=tuple(others), unclear=unclear and bool(others))


def _kinds_of(failure: FingerprintedFailure, hunks: Iterable[PatchHunk]) -> set[object]:
    """Give what two failures of one cause have in common if they are one error.

    A comparison is one error whatever it compares. Where nobody can tell the parts of an edit
    apart, only if it has to do with the same parts.
    """
    test = failure.fields.get("test") or {}
    compares = bool(test) and (
        not failure.template or bool(test.get("expected") and test.get("actual"))
    )
    of_parts = frozenset(at for at, hunk in enumerate(hunks) if touches(hunk, failure))
    kind = str(failure.fields.get("error_type", ""))
    words = _without_row(failure) or failure.site
    same: set[object] = {(kind, "", of_parts) if compares else (kind, words)}
    return same | {(kind, mark) for mark in _values_of(failure)}


def _without_row(failure: FingerprintedFailure) -> str:
    """Give the words of a failure without the name of the row of a table that it was about.

    Rows of one table say the same of themselves: ``tea costs -3, want 3``, ``cake costs -4``.
    """
    rows = {row_of(place) for place in failure.places} - {""}
    words = whole = str(failure.fields.get("message", ""))
    for row in sorted(rows, key=lambda row: (-len(row), row)):
        name = re.escape(row).replace("_", "[_ ]")  # Go writes a space so
        words = re.sub(rf"(?<!\w){name}(?!\w)", _A_ROW, words)
    return failure.template if words == whole or not failure.template else template(words)


def without_others(item: Mended, others: Iterable[FingerprintedFailure]) -> Mended:
    """Leave out of an edit the parts that other failures run through, and what it mended does not.

    Args:
        item: what was mended.
        others: failures that it broke, or that it was an attempt at.

    """
    hunks, failures = hunks_of(item.patch), list(others)
    own = [hunk for hunk in hunks if runs_through(hunk, item.seen)]
    own = own or [hunk for hunk in hunks if is_at(hunk, item.seen)]
    left = [
        hunk
        for hunk in hunks
        if hunk in own or not any(_is_through(hunk, failure) for failure in failures)
    ]
    return item._replace(patch=patch_of(left)) if own and len(left) < len(hunks) else item


def _is_through(hunk: PatchHunk, failure: FingerprintedFailure) -> bool:
    return runs_through(hunk, failure) or is_at(hunk, failure)


def beside(mended: Sequence[Mended], is_linked: Callable[[Mended], bool]) -> list[Mended]:
    """Pick the failures that come and go, or are about time, where another one explains the edit.

    Args:
        mended: the failures that are gone in one run, each with the edit before.
        is_linked: tells whether the code of a failure leads to what its edit changed; asked only
            where nothing that was shown of it does.

    """
    by_patch: dict[object, list[Mended]] = {}
    for item in mended:
        by_patch.setdefault(item.patch.lines, []).append(item)
    doubtful = []
    for group in by_patch.values():
        if len(group) == 1:
            continue
        hunks = hunks_of(group[0].patch)
        near = [item for item in group if far(item.seen, hunks) < _BY_NAME]
        near += [item for item in group if item not in near and is_linked(item)]
        near = near or [item for item in group if far(item.seen, hunks) < _NOT_SEEN]
        if any(not _is_of_time(item.seen) for item in near):
            doubtful += [item for item in group if _is_of_time(item.seen) or item not in near]
    return doubtful


def _is_of_time(failure: FingerprintedFailure) -> bool:
    is_timeout = "timeout" in str(failure.fields.get("error_type", "")).lower()
    return is_timeout or _OF_TIME.search(str(failure.fields.get("message", ""))) is not None


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
        marks.update(_values_of(failure))
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


def _values_of(failure: FingerprintedFailure) -> Iterator[object]:
    """Give the compared values of a test, where no other one would have them by chance."""
    test = failure.fields.get("test") or {}
    compared = (template(str(test.get(side) or "")) for side in ("expected", "actual"))
    values = "\n".join(compared)
    if len(_WORD.findall(values)) >= _TELLING:
        yield "values", values


def _split(
    patch: Patch, alike: Sequence[Sequence[Mended]]
) -> list[tuple[list[Sequence[Mended]], Patch]] | None:
    """Give causes their parts of a patch; None where a cause has none.

    Those that one part has to do with share all of theirs. What is nobody's is everybody's, where
    each runs through a part of its own; else nothing is split.
    """
    groups = [({at}, set[int]()) for at in range(len(alike))]
    hunks = [hunk for hunk in hunks_of(patch) if not is_document(hunk.file)]
    nobodys: set[int] = set()
    at_home: set[int] = set()
    for number, hunk in enumerate(hunks):
        near, through, there = (
            {at for at, some in enumerate(alike) if _is_any(test, hunk, some)}
            for test in (touches, runs_through, is_at)
        )
        whose = near | through
        if len(whose) > 1:
            whose = through or there or whose
        if not whose:
            nobodys.add(number)
            continue
        at_home |= through
        joined = [group for group in groups if not whose.isdisjoint(group[0])]
        groups = [group for group in groups if group not in joined]
        members = set[int]().union(*(group[0] for group in joined))
        groups.append((members, {number}.union(*(group[1] for group in joined))))
    if len(groups) == 1 or not all(parts for _, parts in groups):
        return None
    if nobodys and any(at_home.isdisjoint(members) for members, _ in groups):
        return None
    return [
        (
            [alike[at] for at in sorted(members)],
            patch_of(hunks[at] for at in sorted(parts | nobodys)),
        )
        for members, parts in sorted(groups, key=lambda group: min(group[0]))
    ]


def _is_any(
    test: Callable[[PatchHunk, FingerprintedFailure], bool],
    hunk: PatchHunk,
    failures: Iterable[Mended],
) -> bool:
    return any(test(hunk, failure.seen) for failure in failures)
