"""Edits after which a failure is not shown any more, and not fixed: skips, lower bars. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch
from gitmem.capture.roles import holds_tests, is_test
from gitmem.capture.titles import functions_around
from gitmem.diffs import ADDED, REMOVED, FileDiff, read_files
from gitmem.lazy_pattern import lazily
from gitmem.output.test_names import leaf_of

_SKIPS: Final = lazily(
    r"@?pytest\.mark\.(?:skip|skipif|xfail)\b|pytest\.(?:skip|xfail|importorskip)\(|collect_ignore"
    r"|@?unittest\.(?:skip\w*|expectedFailure)\b|@(?:skip|skipIf|skipUnless|expectedFailure)\b"
    r"|\bself\.skipTest\(|\bSkipTest\b"
    r"|\b(?:it|test|describe|context|suite)(?:\.\w+)*\.(?:skip|skipIf|todo|fails|failing|only)\b"
    r"|\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe)\b\s*\(?|\b(?:t|this)\.skip\("
    r"|\bskip:\s*(?:true|['\"])|#\[(?:ignore|should_panic)\b|@(?:Disabled|Ignore)\b"
    r"|\bassume(?:True|False|That)\(|\[(?:\w+, ?)*(?:Ignore|Explicit)\b|\((?:Skip)\s*="
    r"|\bt\.Skip(?:f|Now)?\("
    r"|\bmarkTest(?:Skipped|Incomplete)\(|\bGTEST_SKIP\b|\bDISABLED_\w+|\bTEST_IGNORE|@tag :skip"
    r"|^(?:skip|pending)\b(?:\s|$)|--deselect\b|--ignore(?:-glob)?[= ]|-[km] ['\"]?not\b"
    r"|testPathIgnorePatterns|-DskipTests|<skipTests>\s*true|\bXCTSkip\b|--passWithNoTests|#if 0\b"
)
"""What leaves a test out, or lets it fail."""
_INVERTS: Final = lazily(
    r"\b(?:it|test|describe)(?:\.\w+)*\.(?:fails|failing)\b|#\[should_panic\b|@should_panic\b"
    r"|pytest\.mark\.xfail\b|\bexpectedFailure\b"
)
"""What lets a test pass because it fails."""
_DEFINED: Final = lazily(
    r"^\s*(?:\w+ +)*?(?:(class|pytestmark)\b|(?:def|fn|func|function|void)\b)"
    r"|\b(?:(describe)|it|test)(?:\.\w+)*\("
)
"""What a mark stands on: several tests, or one."""
_ALLOWS: Final = lazily(
    r"eslint-disable|@ts-(?:ignore|expect-error|nocheck)\b|#\s*type:\s*ignore|#\s*noqa\b"
    r"|#\s*(?:pylint:\s*disable|pyright:\s*ignore|mypy:\s*ignore-errors|nosec|fmt:\s*off)"
    r"|//\s*nolint\b|\bNOLINT\b|#!?\[allow\(|@SuppressWarnings\b|#pragma warning\(?\s*disable"
    r"|#pragma (?:GCC|clang) diagnostic ignored|rubocop:\s*disable|phpstan-ignore|@psalm-suppress"
    r"|pragma:\s*no cover|(?:istanbul|c8|v8) ignore|biome-ignore|prettier-ignore|shellcheck disable"
    r"|\bignore_errors\s*=\s*[Tt]rue|\bskipLibCheck|\bno-?strict\b|\"strict\":\s*false"
    r"|\bas any\b|\bcast\(Any\b"
)
"""What keeps a linter or a type checker from speaking."""
_PASSES: Final = lazily(
    r"continue-on-error:\s*true|allow_failure:\s*true|\|\|\s*(?:true\b|:(?:\s|$)|exit 0\b)"
    r"|\bset \+e\b|--exit-zero\b|--no-verify\b|ignoreFailures\s*=\s*true|testFailureIgnore"
    r"|maven\.test\.failure\.ignore"
    r"|\bexit 0$"
)
"""What lets a command pass that fails."""
_MAKEFILE: Final = lazily(r"(?:.*/)?(?:GNUm|M|m)akefile|.*\.mk")
_UNHEARD: Final = lazily(r"^-(?!include\b)[@\w./$({]\S*|^\.IGNORE:")
"""A recipe of make whose failure counts for nothing."""
_ASSERTS: Final = lazily(r"\bassert\w*!?\s*\(|\bexpect\w*\(|^(?:#\[should_panic|@test\b|check-\w+)")
"""What only a test asks, where no function around it tells."""
_NEAR: Final = 3
"""Lines between an example and where rustc says that it failed, at most."""
_EXAMPLE: Final = lazily(r"(?:>>>|iex>|jldoctest|julia>|//[/!]\s*(?:#\s*)?assert\w*!)\s*")
"""A line of an example in a comment or a docstring that is run as a test."""
_SOURCE: Final = 12
"""Lines of such an example before what it gives, at most."""
_OTHER: Final = (">>>", '"""', "'''")
"""How a line begins that is no part of an example of Python above it."""
_CHECKS: Final = lazily(
    r"(?:.*/)?(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+|\.?ruff\.toml|pyproject\.toml|setup\.cfg"
    r"|tox\.ini|\.?mypy\.ini|\.flake8|\.?pylintrc|pyrightconfig\.json|tsconfig[^/]*\.json|biome\.json"
    r"|\.rubocop\.yml|\.golangci\.ya?ml|phpstan\.neon(?:\.dist)?|\.clang-tidy|\.stylelintrc(?:\.\w+)?"
    r"|Cargo\.toml|clippy\.toml|detekt\.yml|checkstyle[^/]*\.xml)"
)
"""Settings of linters and type checkers."""
_LOOSER: Final = lazily(
    r"[\w@/'\"-]+\s*:\s*\[?\s*(?:['\"](?:off|warn)['\"]|[01]\b)|\b(?:extend-)?ignores?\b\s*[=:]"
    r"|\bper-file-ignores\b|\bdisabled?(?:_error_code|-next-line)?\b\s*[=:]|\bexclude\w*\b\s*[=:]"
    r"|\b(?:strict\w*|no\w+|disallow_\w+|check_untyped_defs|warn_\w+)['\"]?\s*[=:]\s*[Ff]alse"
    r"|\bignore_missing_imports\b|\bEnabled:\s*false|Checks:\s*['\"]?-"
    r"|=\s*['\"]allow['\"]|\bignoreErrors\b|\blevel:\s*\d"
)
"""A rule that is switched off in such settings."""
_RUNNERS: Final = lazily(
    r"(?:.*/)?(?:vitest\.config\.\w+|vite\.config\.\w+|jest\.config\.\w+|package\.json|pytest\.ini"
    r"|\.mocharc\.\w+|build\.gradle(?:\.kts)?|pom\.xml|phpunit\.xml(?:\.dist)?|\.rspec"
    r"|karma\.conf\.\w+)"
)
_NARROWER: Final = lazily(
    r"\bexclude\w*\b|<exclude>|--exclude\w*|\bignore['\"]?\s*:|\btestNamePattern"
)
"""What leaves tests out in the settings of runners."""
_BAR: Final = lazily(
    r"(?P<name>fail[_-]under|--cov-fail-under|branches|functions|lines|statements|minimum"
    r"|threshold\w*|--max-warnings|(?:max-)?line-length|max-complexity)[\"']?\s*[:=]?\s*(?P<value>\d+(?:\.\d+)?)"
)
_RISES: Final = frozenset({"--max-warnings", "line-length", "max-line-length", "max-complexity"})


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
        yield from _marks(_SKIPS, _without_other_tests(patch, failure))
        yield from _marks(_PASSES, patch)
        yield from _marks(_UNHEARD, patch, _MAKEFILE)
        yield from _marks(_NARROWER, patch, _RUNNERS)
        yield from _bars(patch)
    else:
        yield from _inverted(patch, str(test.get("name", "")))
        yield from _marks(_PASSES, patch.only({file for file in patch.files if is_test(file)}))
    if not test:
        yield from _marks(_ALLOWS, patch)
        yield from _marks(_LOOSER, patch, _CHECKS)


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
    added = {_plain(text) for part in files for hunk in part.hunks for text in hunk.side(ADDED)}
    places = [failure.fields.get("location") or {}, *(failure.fields.get("frames") or ())]
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
                and text not in added
                and any(
                    is_test(file) or _is_of_test(text, around, str(test.get("name", "")))
                    for around in here
                )
            ):
                return True
            if line and (
                _expects_more(part, line, wanted)
                or any(
                    _is_of_example(gone, number - line, wanted)
                    for number, (gone, _) in removed.items()
                    if gone not in added
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
    return near and _EXAMPLE.match(text) is not None


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
        name: the test's.

    """
    if _EXAMPLE.match(line):
        return True
    in_test = around.removesuffix("()") == leaf_of(name)
    return in_test or (not around and _ASSERTS.search(line) is not None)


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
    for file in read_files(patch.text):
        marks = list(_marks(_INVERTS, patch.only({file.path})))
        for hunk in file.hunks if marks else ():
            lines = hunk.side(ADDED)
            for at, line in enumerate(lines):
                if not _INVERTS.search(line):
                    continue
                # What follows may be far below the mark: its reason stands in between.
                marked = next(filter(None, map(_DEFINED.search, lines[at:])), None)
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
        if _SKIPS.search(line):
            continue  # it runs again
        if path not in rewritten and (is_test(path) or _defines_test(line)):
            yield f"deleting or renaming {leaf} in {path}"


def _defines_test(line: str) -> bool:
    return re.match(r"(?:async )?(?:def|fn|func|void|public|it|test|specify)\b", line) is not None


def _bars(patch: Patch) -> Iterator[str]:
    """Name figures to reach that an edit lowered."""
    bars: dict[tuple[str, str], dict[str, float]] = {}
    for file, sign, line in patch.lines:
        for bar in _BAR.finditer(line):
            bars.setdefault((file, bar["name"]), {})[sign] = float(bar["value"])
    for (file, name), value in sorted(bars.items()):
        if value.keys() >= {"-", "+"}:
            lower = value["+"] < value["-"]
            if lower != (name in _RISES):
                yield f"`{name}` from {value['-']:g} to {value['+']:g} in {file}"
