"""Edits after which a failure is not shown any more, and not fixed: skips, lower bars. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.own_words import FUNCTION, alternatives_of, test_words
from gitmem.capture.patches import Patch, functions_around
from gitmem.capture.renaming import without_layout
from gitmem.capture.roles import holds_tests, is_test
from gitmem.diffs import ADDED, REMOVED, FileDiff, read_files
from gitmem.lazy_pattern import lazily
from gitmem.output.cases import leaf_of
from gitmem.tools.choice import alternatives, values

_GENERAL: Final = {
    "inverts": r"@should_panic\b",
    "asserts": r"\bassert\w*!?\s*\(|^check-\w+",
    "passes": r"\|\|\s*(?:true\b|:(?:\s|$)|exit 0\b)|\bset \+e\b|--no-verify\b|\bexit 0$",
    "looser": r"[\w@/'\"-]+\s*:\s*\[?\s*(?:['\"](?:off|warn)['\"]|[01]\b)",
}
"""What belongs to no tool in particular, by what it does; it is looked for first."""
_NEAR: Final = 3
"""Lines between an example and where rustc says that it failed, at most."""
_SOURCE: Final = 12
"""Lines of such an example before what it gives, at most."""
_OTHER: Final = (">>>", '"""', "'''")
"""How a line begins that is no part of an example of Python above it."""


def silenced_by(
    patch: Patch, failure: FingerprintedFailure, *, proven: bool = False, renamed: bool = False
) -> str:
    """Say what in an edit only silences a failure; empty if nothing does.

    Args:
        patch: the edit after which the failure was gone.
        failure: the failure.
        proven: its test ran and passed.
        renamed: its test is there by another name (``renamed_tests``).

    """
    return next(_silencings(patch, failure, proven=proven, renamed=renamed), "")


def _silencings(
    patch: Patch, failure: FingerprintedFailure, *, proven: bool, renamed: bool
) -> Iterator[str]:
    test = failure.fields.get("test") or {}
    if not proven:
        if not renamed:
            yield from _left_out(patch, str(test.get("name", "")))
        yield from _marks(_pattern("skips"), _without_other_tests(patch, failure))
        yield from _marks(_pattern("passes"), patch)
        yield from _marks(_pattern("unheard"), patch, _names("steps"))
        yield from _marks(_pattern("narrower"), patch, _names("runner_settings"))
        yield from _bars(patch)
    else:
        yield from _inverted(patch, str(test.get("name", "")))
        tests = {file for file in patch.files if is_test(file)}
        yield from _marks(_pattern("passes"), patch.only(tests))
    if not test:
        yield from _marks(_pattern("allows"), patch)
        yield from _marks(_pattern("looser"), patch, _names("settings"))
        yield from _no_longer_asked(patch, str(failure.fields.get("code") or ""))


def _no_longer_asked(patch: Patch, rule: str) -> Iterator[str]:
    """Name the settings out of which an edit took the rule that a failure broke."""
    if not rule:
        return
    named = lazily(rf"(?<![\w/-]){re.escape(rule)}(?![\w/-])")
    counts: Counter[str] = Counter()
    for file, sign, line in patch.lines:
        if _names("settings").fullmatch(file) and named.search(line):
            counts[file] += 1 if sign == ADDED else -1
    yield from sorted(f"taking `{rule}` out of {file}" for file, more in counts.items() if more < 0)


@cache
def _pattern(part: str) -> re.Pattern[str]:
    """Join what belongs to no tool with what the tools say of a part of ``ToolSilence``."""
    general = f"{_GENERAL[part]}|" if part in _GENERAL else ""
    return lazily(general + alternatives(f"silence.{part}"))


@cache
def _names(part: str) -> re.Pattern[str]:
    """Join the names of files of a part, in any folder."""
    return lazily(rf"(?:.*/)?(?:{alternatives(f'silence.{part}')})")


@cache
def _definition() -> re.Pattern[str]:
    """Give the pattern of what a mark stands on: several tests, which are a group, or one.

    Only words of runners that know a mark by which a test passes because it fails.
    """
    marks = values("silence.inverts")

    def words(part: str) -> str:
        by_tool = values(f"silence.{part}")
        return alternatives_of({tool: by_tool[tool] for tool in by_tool if tool in marks})

    return lazily(
        rf"^\s*(?:\w+ +)*?(?:(class|{words('covers')})\b|(?:{FUNCTION}|function)\b)"
        rf"|\b(?:({words('groups')})|{words('defines')})(?:\.\w+)*\("
    )


def changes_test(patch: Patch, failure: FingerprintedFailure) -> bool:
    """Tell whether an edit changed what a test asks where it failed, as by taking out that line.

    What passes then does not show what else of the edit is good for. A test may stand in a file of
    code: in Rust, or as an example in a docstring, of which what is expected is the lines below.
    """
    test = failure.fields.get("test")
    if not test:
        return False
    wanted = {_plain(line) for line in str(test.get("expected", "")).splitlines()} - {""}
    files = read_files(patch.text)
    added = {
        without_layout(text) for part in files for hunk in part.hunks for text in hunk.side(ADDED)
    }
    by_name = failure.fields.get("tool") not in values("silence.defines")
    places = [failure.fields.get("location") or {}, *(failure.fields.get("frames") or ())]
    # A function of the code may bear the name of a test that stands in a file of tests.
    apart = any(is_test(str(place.get("file"))) for place in places)
    for place in places:
        file, line, code = f"/{place.get('file', '')}", place.get("line"), place.get("code")
        for part in files:
            if not part.old or not file.endswith(f"/{part.old}"):
                continue
            removed = _removed(part)
            text = _plain(code) if code else removed.get(line, ("", ""))[0]
            here = [around for gone, around in removed.values() if gone == text]
            if (
                text
                and without_layout(text) not in added
                and any(
                    is_test(file)
                    or _is_of_test(
                        text, around, str(test.get("name", "")) if by_name and not apart else ""
                    )
                    for around in here
                )
            ):
                return True
            if line and (
                _expects_more(part, line, wanted)
                or any(
                    _is_of_example(gone, number - line, wanted)
                    for number, (gone, _) in removed.items()
                    if without_layout(gone) not in added
                )
            ):
                return True
    return False


def _is_of_example(text: str, below: int, wanted: Collection[str]) -> bool:
    """Tell whether a line is part of an example that failed.

    Args:
        text: the line.
        below: how many lines it stands below the first one of the example.
        wanted: what the example should give.

    """
    if 0 < below <= len(wanted) + _SOURCE and text in wanted:
        return True
    near = abs(below) <= max(_NEAR, len(wanted)) and not 0 < below <= len(wanted)
    return near and _pattern("example").match(text) is not None


def _expects_more(part: FileDiff, first: int, wanted: Collection[str]) -> bool:
    """Tell whether an edit adds to what an example should give; ``first`` is its first line."""
    for hunk in part.hunks:
        number, inside = hunk.old_start, False
        for sign, line in hunk.lines:
            text = _plain(line)
            if sign != ADDED:
                goes_on = inside and (text.startswith("...") or text in wanted)
                inside = goes_on or (number == first and text.startswith(">>>"))
                number += 1
            elif inside and (not text or text.startswith(_OTHER)):
                inside = False
            elif inside:
                return True
    return False


def _is_of_test(line: str, around: str, name: str) -> bool:
    """Tell whether a line in a file of code is a test's.

    Args:
        line: the line.
        around: the function that it stands in; empty: none that is shown.
        name: the test's, if it is a function's; else empty.

    """
    if _pattern("example").match(line):
        return True
    in_test = bool(name) and around.removesuffix("()") == leaf_of(name)
    return in_test or (not around and _pattern("asserts").search(line) is not None)


def _removed(part: FileDiff) -> dict[int, tuple[str, str]]:
    """Give the lines that an edit of a file took out, with the functions around, by numbers."""
    removed = {}
    for hunk in part.hunks:
        lines = zip(hunk.lines, functions_around(hunk), strict=True)
        before = [(line, around) for line, around in lines if line[0] != ADDED]
        for number, ((sign, text), around) in enumerate(before, hunk.old_start):
            if sign == REMOVED:
                removed[number] = _plain(text), around
    return removed


def _plain(line: str) -> str:
    return " ".join(line.split())


def _without_other_tests(patch: Patch, failure: FingerprintedFailure) -> Patch:
    """Leave out files of other tests: what is skipped there can't silence a test of this file."""
    files = {place.partition("::")[0] for place in failure.places if "::" in place}
    if not files or "" in failure.places:
        return patch
    others = {
        file
        for file in patch.files
        if holds_tests(file) and not any(test_file.endswith(file) for test_file in files)
    }
    return patch.only(patch.files - others) if others else patch


def _marks(
    marks: re.Pattern[str], patch: Patch, where: re.Pattern[str] | None = None
) -> Iterator[str]:
    """Name marks of which an edit leaves more in a file than there were.

    Args:
        marks: what silences.
        patch: the edit.
        where: names of files in which it does; None: in any.

    """
    counts: Counter[tuple[str, str]] = Counter()
    for file, sign, line in patch.lines:
        if where and not where.fullmatch(file):
            continue
        for mark in marks.finditer(line):
            counts[file, mark[0].strip()] += 1 if sign == "+" else -1
    yield from sorted(f"`{mark}` in {file}" for (file, mark), more in counts.items() if more > 0)


def _inverted(patch: Patch, name: str) -> Iterator[str]:
    """Name marks with which an edit lets a test pass because it fails; others do not count."""
    test = re.compile(rf"(?<!\w){re.escape(leaf_of(name))}(?!\w)")
    inverts = _pattern("inverts")
    for file in read_files(patch.text):
        marks = list(_marks(inverts, patch.only({file.path})))
        for hunk in file.hunks if marks else ():
            lines = hunk.side(ADDED)
            for at, line in enumerate(lines):
                if not inverts.search(line):
                    continue
                # What follows may be far below the mark: its reason stands in between.
                marked = next(filter(None, map(_definition().search, lines[at:])), None)
                if marked is None or any(marked.groups()) or test.search(marked.string):
                    yield marks[0]


def _left_out(patch: Patch, name: str) -> Iterator[str]:
    """Tell of a failing test that an edit deleted, with its file or alone, or named otherwise."""
    file = name.partition("::")[0]
    for part in read_files(patch.text):
        moved = name == file and holds_tests(part.old) and holds_tests(part.new)
        if file and part.old == file != part.new and not moved:
            yield f"renaming {file}" if part.new else f"deleting {file}"
    leaf = leaf_of(name)
    if not leaf:
        return
    whole = re.compile(rf"(?<!\w){re.escape(leaf)}(?!\w)")
    gone = [(path, line) for path, sign, line in patch.lines if sign == "-" and whole.search(line)]
    rewritten = {path for path, sign, line in patch.lines if sign == "+" and whole.search(line)}
    for path, line in sorted(gone):
        if _pattern("skips").search(line):
            continue  # it runs again
        if path not in rewritten and (is_test(path) or _defines_test(line)):
            yield f"deleting or renaming {leaf} in {path}"


def _defines_test(line: str) -> bool:
    return _start_of_test().match(line) is not None


@cache
def _start_of_test() -> re.Pattern[str]:
    return lazily(rf"(?:async )?(?:{FUNCTION}|public|{test_words()})\b")


def _bars(patch: Patch) -> Iterator[str]:
    """Name figures to reach that an edit lowered, or raised where more is looser."""
    bars: dict[tuple[str, str, bool], dict[str, float]] = {}
    for file, sign, line in patch.lines:
        for bar in _bar().finditer(line):
            rises = bar["rises"] is not None
            bars.setdefault((file, bar["name"], rises), {})[sign] = float(bar["value"])
    for (file, name, rises), value in sorted(bars.items()):
        if value.keys() >= {"-", "+"}:
            lower = value["+"] < value["-"]
            if lower != rises:
                yield f"`{name}` from {value['-']:g} to {value['+']:g} in {file}"


@cache
def _bar() -> re.Pattern[str]:
    """Give the pattern of a figure to reach; those of which more is looser are a group."""
    figures: dict[str, bool] = {}
    for bars in values("silence.bars").values():
        figures |= bars
    rising = "|".join(name for name, more in figures.items() if more) or "(?!)"
    falling = "|".join(name for name, more in figures.items() if not more) or "(?!)"
    return lazily(
        rf"(?P<name>(?P<rises>{rising})|{falling})[\"']?\s*[:=]?\s*(?P<value>\d+(?:\.\d+)?)"
    )
