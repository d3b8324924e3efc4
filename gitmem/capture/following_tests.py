"""Edits of tests that are fixes: names follow the code, or what tests share is mended. Pure."""

from collections.abc import Iterable
from itertools import zip_longest

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch, defined_by
from gitmem.capture.recording_policy import missing_name
from gitmem.capture.renaming import as_moved, new_names
from gitmem.capture.roles import holds_tests, is_test
from gitmem.diffs import ADDED, REMOVED, read_files
from gitmem.matching.naming import type_name
from gitmem.matching.site import is_assertion


def follows_code(patch: Patch, failures: Iterable[FingerprintedFailure]) -> bool:
    """Tell whether an edit only gives tests the names that the code has now.

    These are names that were missing, or that the same edit changed. What the tests assert, what
    they put in and what they expect stays as it was.

    Args:
        patch: the edit.
        failures: what was gone after it.

    """
    missing = {missing_name(failure.fields) for failure in failures}
    modules = {f"{quote}{name}{quote}" for name in missing - {""} for quote in "'\""}
    new = new_names((file for file in read_files(patch.text) if is_test(file.path)), modules)
    if not new:
        return False
    if "" not in missing and not any(
        old not in modules and missing.isdisjoint(old.split(".")) for old in new
    ):
        return True
    changed = _changed_names(patch)
    return all(
        (old_part, part) in changed
        for old, now in new.items()
        for old_part, part in zip_longest(old.split("."), now.split("."))
        if old_part != part
    )


def mends_what_tests_share(patch: Patch, failures: Iterable[FingerprintedFailure]) -> bool:
    """Tell whether an edit went to files that hold no test, such as fixtures, which failed there.

    What a test asks was not changed then.

    Args:
        patch: the edit.
        failures: what was gone after it.

    """
    if not all(is_test(file) and not holds_tests(file) for file in patch.files):
        return False
    for failure in failures:
        own = [frame for frame in failure.fields.get("frames") or () if frame.get("in_app")]
        kind = type_name(str(failure.fields.get("error_type", "")))
        raised_in = f"/{own[-1].get('file')}" if own else ""
        if not kind or is_assertion(kind):
            return False
        if not any(raised_in.endswith(f"/{file}") for file in patch.files):
            return False
    return True


def _changed_names(patch: Patch) -> set[tuple[str, str]]:
    """Give the names of files and functions of the code that an edit changed, old and new."""
    code = [file for file in patch.files if not is_test(file)]
    _, moves = as_moved(patch)
    stems = {(_stem(old), _stem(new)) for new, old in moves.items() if new in code}
    defined = [
        {name.removesuffix("()") for file, mark, line in patch.lines
         if mark == sign and file in code and (name := defined_by(line))}
        for sign in (REMOVED, ADDED)
    ]  # fmt: skip
    gone, come = defined[0] - defined[1], defined[1] - defined[0]
    return stems | {(old, new) for old in gone for new in come}


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
