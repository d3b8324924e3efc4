"""What to try and what to avoid for a task: what was done and tried on work like it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.learning.advice import AVOID, TRY
from gitmem.learning.advised import Advice
from gitmem.learning.recommendation import STANDARD, recommend
from gitmem.memory.advice.earlier_attempts import earlier_attempts, relevant
from gitmem.memory.advice.similar_work import MOST as MOST_WORK
from gitmem.memory.advice.similar_work import MOST_FOUND, among, read_task
from gitmem.memory.advice.trials import standing, trials_of
from gitmem.memory.advice.weighing import MOST, decisions_to_keep, item, useful, weighed
from gitmem.memory.reading.word_search import worded

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace

_MOST_HITS: Final = 10
_WORDS: Final = "matched by text"
_NOTHING_SIMILAR: Final = "no similar task has succeeded yet, so no approach is recommended"
_KINDS: Final = ("session", "decision", "pattern", "note")


def advise_on_task(workspace: "Workspace", stated: Mapping[str, Any]) -> Advice:
    """Advise on a task; ``stated`` is what ``learning.tasks.task_of`` reads."""
    task = read_task(stated)
    # One search for all: work like it first, and what else there is about it.
    hits = worded(workspace, task.description, MOST_FOUND, _KINDS)
    recommendation = recommend(among(workspace, task, hits, MOST_WORK))
    groups = [group for group in recommendation.weighed if group.approach != STANDARD]
    rows = [hit.row for hit in relevant(hits, task.description)][:_MOST_HITS]
    attempts = standing(workspace, earlier_attempts(workspace, task.description))
    tried_before = weighed(workspace, (), trials_of(workspace, attempts, _WORDS))
    tries = [*tried_before.tries, *(item(group) for group in groups if group.sort == TRY)]
    tries += decisions_to_keep(workspace, (row for row in rows if row.kind == "decision"))
    tries += useful(workspace, rows)
    avoid = [*tried_before.avoid, *(item(group) for group in groups if group.sort == AVOID)]
    notes = () if recommendation.similar else (_NOTHING_SIMILAR,)
    more = max(0, len(tries) - MOST), max(0, len(avoid) - MOST)
    return Advice(
        (), tuple(tries[:MOST]), tuple(avoid[:MOST]), (), more, None, recommendation, notes
    )
