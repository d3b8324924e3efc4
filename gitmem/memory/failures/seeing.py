"""The failures that a text shows, with their fingerprints, before anything is looked up."""

from typing import TYPE_CHECKING

from gitmem.matching.parse import parse
from gitmem.memory.core.fingerprints import fingerprinted

if TYPE_CHECKING:
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.memory.core.workspace import Workspace


def seen_in(workspace: "Workspace", text: str) -> "list[FingerprintedFailure]":
    """Give the failures in an error text, in order of appearance; none of them is a warning."""
    failures = [
        failure for failure in parse(text) if failure.severity not in {"consequence", "warning"}
    ]
    return [fingerprinted(workspace, failure) for failure in failures]
