"""Tests that follow the code: only the name of what they call is another one. Pure."""

from collections.abc import Iterable

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch
from gitmem.capture.recording_policy import missing_name
from gitmem.capture.renaming import new_names
from gitmem.capture.roles import is_test
from gitmem.diffs import read_files


def follows_code(patch: Patch, failures: Iterable[FingerprintedFailure]) -> bool:
    """Tell whether an edit of tests only gives names that were missing other ones.

    What they assert, what they put in and what they expect stays as it was.

    Args:
        patch: the edit.
        failures: what was gone after it.

    """
    missing = {missing_name(failure.fields) for failure in failures}
    new = new_names(file for file in read_files(patch.text) if is_test(file.path))
    return bool(new) and "" not in missing and not any(map(missing.isdisjoint, map(_parts, new)))


def _parts(name: str) -> list[str]:
    return name.split(".")
