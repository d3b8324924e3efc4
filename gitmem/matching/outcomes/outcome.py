"""One line that tells how a test ended."""

from typing import Final, NamedTuple

from gitmem.matching.cases import ERROR, FAILED, PASSED, SKIPPED


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
