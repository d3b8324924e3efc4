"""What a run taught, as values: drafts of records, and edits that were tried before."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.patches import Patch

MOST_TESTS: Final = 100
"""So many of the tests that a failure broke are named."""


class Draft(NamedTuple):
    """What a fixed failure would become in the memory.

    Attributes:
        id: its name among the drafts.
        site: fingerprint of the failure.
        error: fields of the error record.
        fixes: fields of the fix records, failed attempts first, the one that worked last.
        known: ids of error records that the memory has for this failure already.
        reasons: why it is worth remembering; empty: it stays local.
        sites: fingerprints of more failures that the same edit mended.
        shared: other errors that the same fix mended: ids of records known, and fields.
        silenced: what only silenced the failure; empty where it was fixed.
        all_tests: the error names all tests that failed.
        test_changed: the edit went to tests only, or to the line at which the test failed: it
            mended the test, or weakened it.
        others: whole records, as plain data, that somebody wrote for a person to look at; of
            such a draft ``error`` and ``fixes`` are empty.
        actor: whose work taught it, such as ``agent:codex``; empty: a person's.
        records: ids of the records that it became; empty until it is kept.
        doubt: why it stays local though it would be worth remembering.

    """

    id: str
    site: str
    error: dict[str, Any]
    fixes: list[dict[str, Any]]
    known: list[str]
    reasons: list[str]
    others: "Sequence[dict[str, Any]]" = ()
    silenced: str = ""
    test_changed: bool = False
    all_tests: bool = True
    sites: "Sequence[str]" = ()
    shared: "Sequence[tuple[list[str], dict[str, Any]]]" = ()
    actor: str = ""
    records: "Sequence[str]" = ()
    doubt: str = ""

    @property
    def all_sites(self) -> tuple[str, ...]:
        """Fingerprints of all failures that its edit mended."""
        return (self.site, *self.sites)

    @property
    def title(self) -> str:
        """What it is about: the title of its error, or of its first record."""
        first = self.error or next(iter(self.others), {})
        return str(first.get("title", ""))

    @property
    def tests(self) -> str:
        """Say how many tests it broke; empty where that is one, or not known."""
        count = len(self.error.get("tests", ()))
        if not count:
            return ""
        every = self.all_tests and count < MOST_TESTS
        return f"{count} tests" if every else f"{count} tests or more"


class GoneRemark(NamedTuple):
    """What is said of a failure that is gone, and was not fixed by an edit, or that one broke.

    Attributes:
        mark: in a word: ``silenced``, ``gone``, ``passes``, ``broken``.
        seen: the failure.
        text: what can be told.
        around: what is known to have changed around the code, in words.

    """

    mark: str
    seen: "FingerprintedFailure"
    text: str
    around: tuple[str, ...] = ()


class RunLessons(NamedTuple):
    """What a run taught.

    Attributes:
        drafts: failures that are gone, by an edit.
        flaky: failures that came and went on the same code.
        gaps: failures that are gone, but nobody can tell by what.
        remarks: failures that are gone, and were not fixed.
        unsteady: all failures known by now to have been there and not there on one tree.

    """

    drafts: list[Draft]
    flaky: "list[FingerprintedFailure]"
    gaps: "list[FingerprintedFailure]"
    remarks: list[GoneRemark]
    unsteady: "Sequence[FingerprintedFailure]" = ()


class RepeatedEdit(NamedTuple):
    """An edit at hand that was tried before and did not help."""

    seen: "FingerprintedFailure"
    patch: "Patch"
    where: str
