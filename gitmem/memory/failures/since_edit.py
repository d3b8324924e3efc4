"""What the last edit changed: what still fails in spite of it, and what fails since."""

from typing import TYPE_CHECKING

from gitmem.capture.looking import SinceEdit, newest_first_pair, newly_failing
from gitmem.capture.titles import approach
from gitmem.errors import GitmemError
from gitmem.memory.failures.observed_runs import newest_runs

if TYPE_CHECKING:
    from gitmem.capture.observed import Observed
    from gitmem.memory.failures.access import RecordAccess


def since_edit(records: "RecordAccess", observed: "Observed") -> SinceEdit | None:
    """Compare a run that failed with the one before of its command.

    Returns:
        None where there is none to compare, the code is the same, or somebody else's work came
        in between.

    """
    work_tree, run = records.work_tree, observed.run
    if work_tree is None or not observed.recognised:
        return None
    try:
        last, before = newest_first_pair(newest_runs(records))
        if last.id != run.id or before is None or not (run.tree and before.left):
            return None
        if run.tree == before.left or not work_tree.own_work(before.head, run.head):
            return None
        edit = approach(work_tree.patch(before.left, run.tree)).partition("\n")[0]
    except GitmemError:  # nothing is noted here, or git can't tell
        return None
    sites = {newly.case.site for newly in newly_failing(run, before)}
    new = [match for match in observed.recognised if match.seen.site in sites and not match.still]
    still = [match for match in observed.recognised if match.still]
    return SinceEdit(edit, tuple(still), tuple(new))
