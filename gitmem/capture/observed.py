"""What came of a run, as values: each failure with what is known about it, and what was learnt.

Apart from who looks it up (``recognising``): a run that shows no failure asks no catalog.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.learnt import Draft, RunLessons
from gitmem.catalog.rows import Row, best_first
from gitmem.matching.labels import SAME_ERROR, SAME_PLACE, is_placed
from gitmem.plurals import counted

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.runs import Run


class Occurrences(NamedTuple):
    """How often failures were seen.

    Attributes:
        times: when, as the catalog writes times, oldest first.
        failures: how many different failures these are.

    """

    times: tuple[str, ...] = ()
    failures: int = 0

    @property
    def words(self) -> str:
        """``3 times``, or ``3 times at 2 places``; empty where nothing was seen."""
        if not self.times:
            return ""
        times = counted(len(self.times), "time")
        return f"{times} at {self.failures} places" if self.failures > 1 else times


class Match(NamedTuple):
    """A failure and what is known about it.

    Attributes:
        seen: the failure.
        label: ``same error``, ``same place``, ``same message``, or empty: it is new. It says
            what is equal, never a percentage.
        still: it was there before: nothing has shown it gone since.
        errors: the records of it, oldest first.
        attempts: the fixes that link to them, oldest first.
        drafts: what was learnt here and is in no record.
        similar: other records of which something helps here, with their own labels: those of
            the same place and message, then what looks like it, then what lies beside the memory.
        level: at which level of fingerprints the records were found; empty if there are none.
        withheld: by id, of the attempts those that are stale, with the reason.
        occurrences: when it was seen, and as how many different failures; see
            ``memory.failures.occurrences``.
        closest: ids of the attempts on records that say just what the failure says.
        alike: all that looks like it, also what says nothing of what helps; None: it was not
            looked for.

    """

    seen: FingerprintedFailure
    label: str
    still: bool
    errors: tuple[Row, ...]
    attempts: tuple[Row, ...]
    drafts: tuple[Draft, ...]
    level: str = ""
    similar: "tuple[SearchHit, ...]" = ()
    withheld: Mapping[str, str] = {}
    occurrences: Occurrences = Occurrences()
    closest: Collection[str] = ()
    alike: "tuple[SearchHit, ...] | None" = None

    @property
    def suggested(self) -> tuple[Row, ...]:
        """The attempts that speak of code which is still there, or of none."""
        return tuple(fix for fix in self.attempts if fix.id not in self.withheld)

    @property
    def ranked(self) -> list[Row]:
        """The same, as every face tells them; see ``rows.best_first``."""
        return best_first(self.suggested, self.closest)

    @property
    def answered(self) -> bool:
        """Something that helped is in sight, on the same failure or on one like it."""
        return (
            any(fix.helped for fix in self.suggested)
            or bool(self.drafts)
            or any(fix.helped for hit in self.similar for fix in hit.attempts)
        )

    @property
    def shown_ids(self) -> list[tuple[str, ...]]:
        """The ids that are shown: of what it is known as, then of each other record."""
        own = tuple(row.id for row in (*self.errors, *self.attempts))
        return [ids for ids in (own, *(hit.ids for hit in self.similar)) if ids]

    @property
    def same_place(self) -> bool:
        """It failed where it did before: the same error, or one of the same place."""
        return self._names_a_place and self.label in {SAME_ERROR, SAME_PLACE}

    @property
    def may_have_returned(self) -> bool:
        """It is the very same error: another one in its place has not returned."""
        return self.label == SAME_ERROR

    @property
    def _names_a_place(self) -> bool:
        fields = self.seen.fields
        return is_placed(fields) or bool(fields.get("location"))

    @property
    def is_known(self) -> bool:
        """A record stands for it: it was the same error, or the same test failed."""
        return self.level in {"exact", "site"}


class Observed(NamedTuple):
    """What came of a run.

    Attributes:
        run: the run.
        recognised: its failures, with what is known about each.
        learnt: what it fixed.
        kept: (draft, ids of the records that it became at once).

    """

    run: "Run"
    recognised: list[Match]
    learnt: RunLessons
    kept: list[tuple[Draft, list[str]]]
