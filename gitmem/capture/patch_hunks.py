"""The hunks of a patch, and which of them a failure has to do with. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.capture.episodes import files_in
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch, functions_around, parse_patch
from gitmem.diffs import CONTEXT, REMOVED, FileDiff, Hunk, read_files
from gitmem.lazy_pattern import lazily
from gitmem.output.cases import leaf_of

_WORD: Final = lazily(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NEAR = 3
"""Lines between a hunk and a frame that stands at it."""


class PatchHunk(NamedTuple):
    """One hunk with the head of its file's diff; a file without hunks is one.

    Of a hunk that changes several functions, what it changes in each is one.
    """

    file: str
    text: str
    first: int
    last: int
    functions: frozenset[str]


def hunks_of(patch: Patch) -> list[PatchHunk]:
    """Give the hunks of a patch, those that change several functions in parts."""
    return [hunk for file in read_files(patch.text) for hunk in _of_file(file)]


def _of_file(file: FileDiff) -> Iterator[PatchHunk]:
    if not file.hunks:
        yield PatchHunk(file.path, file.text, 0, 0, frozenset())
    head = file.text.removesuffix("".join(hunk.text for hunk in file.hunks))
    for whole in file.hunks:
        for functions, hunk in _by_function(whole):
            first = hunk.old_start
            last = first + max(len(hunk.side(REMOVED)), 1) - 1
            yield PatchHunk(file.path, head + hunk.text, first, last, functions)


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


def patch_of(hunks: Iterable[PatchHunk]) -> Patch:
    """Put hunks together again: those of one file under one head."""
    files: dict[str, str] = {}
    for hunk in hunks:
        at = hunk.text.find("\n@@") + 1
        head = hunk.text[:at] if at else hunk.text
        files[head] = files.get(head, head) + (hunk.text[at:] if at else "")
    return parse_patch("".join(files.values()))


def touches(hunk: PatchHunk, failure: FingerprintedFailure) -> bool:
    """Tell whether a failure stands in a hunk's file, or in the test of that name."""
    place = failure.fields.get("location") or {}
    tested = {_stem(name.partition("::")[0]) for name in (*failure.places, place.get("file", ""))}
    return bool(files_in(failure, [hunk.file], tests=True)) or _stem(hunk.file) in tested


def _stem(path: str) -> str:
    """Name what a file is about: ``src/cart.py``, ``test_cart.py`` and ``cart.test.ts`` are one."""
    name = path.rpartition("/")[2].partition(".")[0]
    return name.removeprefix("test_").removesuffix("_test").removesuffix("Test").lower()


def runs_through(hunk: PatchHunk, failure: FingerprintedFailure) -> bool:
    """Tell whether a frame of a failure stands in a function of a hunk, or calls one.

    Or whether its test bears the name of one, as runners that show no frames tell no more.
    """
    names = [_words_of(name.removesuffix("()")) for name in hunk.functions]
    tested = [_words_of(leaf_of(place)) for place in failure.places if failure.fields.get("test")]
    if any(name and name == test[: len(name)] for name in names for test in tested):
        return True
    place = failure.fields.get("location") or {}
    for frame in [*(failure.fields.get("frames") or []), place]:
        for name in hunk.functions:
            here = f"/{frame.get('file', '')}".endswith(f"/{hunk.file}")
            if here and name == f"{frame.get('function')}()":
                return True
            if re.search(
                rf"(?<!\w){re.escape(name.removesuffix(')'))}", str(frame.get("code", ""))
            ):
                return True
    return False


def _words_of(name: str) -> list[str]:
    """Give the words of a name, without that it is a test: ``TestLastItem`` is ``last item``."""
    words = [word.lower().rstrip("s") for word in _WORD.findall(name)]
    return words[1:] if words[:1] == ["test"] else words


def is_at(hunk: PatchHunk, failure: FingerprintedFailure) -> bool:
    """Tell whether a frame of a failure, or its place, stands at a hunk."""
    places = [failure.fields.get("location") or {}, *(failure.fields.get("frames") or [])]
    for place in places:
        file, line = f"/{place.get('file', '')}", place.get("line")
        if not file.endswith(f"/{hunk.file}"):
            continue
        if line and hunk.first - _NEAR <= line <= hunk.last + _NEAR:
            return True
    return False


def far(failure: FingerprintedFailure, hunks: Sequence[PatchHunk]) -> int:
    """Tell how far a failure is from an edit: 0 where it runs through it, 3 where nothing shows it.

    Between them: it stands in a file of the edit; only its test is of that name.

    Args:
        failure: the failure.
        hunks: of the edit.

    """
    if any(runs_through(hunk, failure) or is_at(hunk, failure) for hunk in hunks):
        return 0
    if files_in(failure, {hunk.file for hunk in hunks}):
        return 1
    return 2 if any(touches(hunk, failure) for hunk in hunks) else 3
