"""One line that tells how a test ended."""

from typing import Final, NamedTuple

from gitmem.output.cases import ERROR, FAILED, PASSED, SKIPPED


class CaseOutcome(NamedTuple):
    """How one test ended.

    Attributes:
        tool: the runner that says so.
        name: the test's, as the runner prints it.
        status: one of ``PASSED``, ``FAILED``, ``ERROR`` and ``SKIPPED``.
        where: the file, package or binary that it belongs to, if the name does not tell.
        seconds: how long it took; None if nobody says.
        said: how it failed, where the line says more than that it did.

    """

    tool: str
    name: str
    status: str
    where: str = ""
    seconds: float | None = None
    said: str = ""


# What runners say of one test, in lower case. An expected failure is no proof of anything.
WORDS: Final = {
    "ok": PASSED, "pass": PASSED, "passed": PASSED, "xpass": PASSED, ".": PASSED,
    "unexpected success": FAILED, "fail": FAILED, "failed": FAILED, "f": FAILED,
    "subfailed": FAILED, "timeout": FAILED, "error": ERROR, "e": ERROR, "aborted": ERROR,
    "skip": SKIPPED, "skipped": SKIPPED, "xfail": SKIPPED, "ignored": SKIPPED, "ignore": SKIPPED,
    "expected failure": SKIPPED, "s": SKIPPED, "todo": SKIPPED, "pending": SKIPPED,
}  # fmt: skip
ENDED: Final = frozenset({"ok", "FAILED", "FAIL", "ERROR", "PASSED"})
"""What stands alone on a line, below what a test printed, whose name stands above that."""
MARKS: Final = {
    **dict.fromkeys("\u2713\u2714\u221a", PASSED),
    **dict.fromkeys("\u2715\u2716\u2717\u2718\xd7", FAILED),
    **dict.fromkeys("\u25cb\u2193\u25a1\ufe63\u270e\u21a9\u2205\u2622", SKIPPED),
}
"""Marks before the titles of tests."""
