"""From trials and records to what is advised."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.learning.advice import AVOID, TRY, AdviceItem, ApproachGroup, Trial, groups
from gitmem.learning.advised import Advice
from gitmem.memory.advice.trials import standing
from gitmem.memory.advice.tried_on import tried_on
from gitmem.memory.core.records import read_record

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.learning.retry_verdict import RetryVerdict
    from gitmem.memory.core.workspace import Workspace

MOST: Final = 5
"""Items of a sort that are shown."""
_MOST_DECISIONS: Final = 3
IN_FORCE: Final = ("accepted", "proposed")
NOTHING: Final = (
    "nothing is recorded about it yet",
    "gitmem run records it once it is fixed; by hand: gitmem add error",
)


def weighed(
    workspace: "Workspace",
    about: Sequence[str],
    trials: Iterable[Trial],
    more: Sequence[AdviceItem] = (),
    verdicts: "Sequence[RetryVerdict]" = (),
    *,
    errors: bool = False,
) -> Advice:
    """Make an advice of attempts.

    Args:
        workspace: of the memory.
        about: what was recognised.
        trials: the attempts.
        more: what else to try.
        verdicts: whether to keep trying; the first one is given whatever it says.
        errors: name the error that each was tried on, as they are not on what is asked about.

    """
    every = groups(trials)
    good = [group for group in every if group.sort == TRY]
    bad = [group for group in every if group.sort == AVOID]
    firsts, warnings = (
        [_item_of(workspace, group, errors=errors) for group in some[:MOST]] for some in (good, bad)
    )
    tries, avoid = [*firsts, *more], warnings
    reasons = dict.fromkeys(reason for verdict in verdicts for reason in verdict.reasons)
    stop = tuple(
        AdviceItem(reason.text, f"rule: {reason.rule}", reason.records) for reason in reasons
    )
    notes = () if tries or avoid or stop else NOTHING
    left = max(0, len(good) - MOST), max(0, len(bad) - MOST)
    judged = verdicts[0] if verdicts else None
    return Advice(tuple(about), tuple(tries), tuple(avoid), stop, left, judged, None, notes)


def item(group: ApproachGroup, says: str = "") -> AdviceItem:
    """Make an item of the attempts of one approach."""
    names = tuple(trial.id for trial in group.trials)
    return AdviceItem(group.approach, group.why, names, group.confidence, says)


def _item_of(workspace: "Workspace", group: ApproachGroup, *, errors: bool) -> AdviceItem:
    advised = item(group, _says(workspace, group))
    on = tried_on(workspace, group.trials[0].id) if errors else None
    return advised._replace(error=on.text) if on else advised


def _says(workspace: "Workspace", group: ApproachGroup) -> str:
    """Give what the most telling attempt says of why it failed, or of what to mind."""
    name = group.trials[0].id
    row = workspace.ask(lambda now: now.catalog.by_id([name])).get(name)
    fix = read_record(workspace, row) if row else None
    names = ("why_failed", "lessons") if group.sort == AVOID else ("worked_partially", "lessons")
    return next((text.strip() for name in names if (text := getattr(fix, name, ""))), "")


def decisions_to_keep(workspace: "Workspace", decisions: "Iterable[Row]") -> list[AdviceItem]:
    """Advise to keep to decisions in force; the first few that are not stale."""
    rows = [row for row in decisions if row.status in IN_FORCE]
    return [
        AdviceItem(f"keep to the decision: {row.title}", row.status, (row.id,), None, row.gist)
        for row in standing(workspace, rows)[:_MOST_DECISIONS]
    ]


def useful(workspace: "Workspace", rows: "Iterable[Row]") -> list[AdviceItem]:
    """Advise to look at patterns and notes; the first few that are not stale."""
    some = [row for row in rows if row.kind in ("pattern", "note")]
    return [
        AdviceItem(f"see the {row.kind}: {row.title}", "", (row.id,), None, row.gist)
        for row in standing(workspace, some)[:_MOST_DECISIONS]
    ]
