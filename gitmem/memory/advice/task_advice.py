"""What to try and what to avoid for a task: what was done and tried on work like it."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gitmem.learning.advice import AVOID, TRY, AdviceItem, Trial, groups
from gitmem.learning.advised import Advice
from gitmem.learning.recommendation import STANDARD, recommend
from gitmem.learning.tasks import task_of
from gitmem.memory.advice.earlier_attempts import earlier_attempts, relevant
from gitmem.memory.advice.file_advice import NOTHING, advise_on_file
from gitmem.memory.advice.similar_work import MOST as MOST_WORK
from gitmem.memory.advice.similar_work import MOST_FOUND, among, with_successes
from gitmem.memory.advice.trials import standing, trials_of
from gitmem.memory.advice.tried_on import tried_on
from gitmem.memory.advice.weighing import MOST, decisions_to_keep, item, useful, weighed
from gitmem.memory.reading.word_search import worded
from gitmem.syntax.languages import languages_named

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

_MOST_HITS: Final = 10
_WORDS: Final = "matched by text"
_NOTHING_SIMILAR: Final = "no similar task has succeeded yet, so no approach is recommended"
_MOST_FILES: Final = 2
"""Files named in a task of which is said what is known of them."""
_WORD: Final = re.compile(r"[^\s\"'`,;()<>]+")
_KINDS: Final = ("session", "decision", "pattern", "note")


def advise_on_task(records: "RecordAccess", stated: Mapping[str, Any]) -> Advice:
    """Advise on a task, and warn of the files that it names.

    Args:
        records: of the memory.
        stated: what ``learning.tasks.task_of`` reads.

    """
    workspace = records.workspace
    task = task_of(stated)
    # One search for all: work like it first, and what else there is about it.
    hits = worded(workspace, task.description, MOST_FOUND, _KINDS)
    recommendation = recommend(with_successes(partial(among, workspace, task, hits, MOST_WORK)))
    groups = [group for group in recommendation.weighed if group.approach != STANDARD]
    rows = [hit.row for hit in relevant(hits, task.description)][:_MOST_HITS]
    attempts = standing(workspace, earlier_attempts(workspace, task.description))
    trials = _of_this_language(workspace, task.description, trials_of(workspace, attempts, _WORDS))
    tried_before = weighed(workspace, (), trials, errors=True)
    tries = [*tried_before.tries, *(item(group) for group in groups if group.sort == TRY)]
    tries += decisions_to_keep(workspace, (row for row in rows if row.kind == "decision"))
    tries += useful(workspace, rows)
    avoid = [*tried_before.avoid, *(item(group) for group in groups if group.sort == AVOID)]
    notes = [] if recommendation.similar or tries else [_NOTHING_SIMILAR]
    stop: list[AdviceItem] = []
    for name in _files_named(workspace, task.description):
        of_file = advise_on_file(records, name)
        stop += of_file.stop
        tries += _new(of_file.tries, tries)
        avoid += _new(of_file.avoid, avoid)
        notes += [f"{name}: {text}" for text in of_file.notes if text != NOTHING]
    more = max(0, len(tries) - MOST), max(0, len(avoid) - MOST)
    return Advice(
        (),
        tuple(tries[:MOST]),
        tuple(avoid[:MOST]),
        tuple(stop[:MOST]),
        more,
        None,
        recommendation,
        tuple(notes),
    )


def _of_this_language(
    workspace: "Workspace", description: str, trials: "list[Trial]"
) -> "list[Trial]":
    """Leave out what was tried once, on code of another language than the task's.

    What was tried several times may be a habit of the team, whatever the language.
    """
    wanted = languages_named(description)
    if not wanted:
        return trials
    several = {
        trial.id for group in groups(trials) if len(group.trials) > 1 for trial in group.trials
    }
    return [
        trial
        for trial in trials
        if trial.id in several or ((on := tried_on(workspace, trial.id)) and on.language in wanted)
    ]


def _files_named(workspace: "Workspace", description: str) -> Iterator[str]:
    """Give the files of the work tree that a description names, as far as they are looked at."""
    names: dict[str, None] = {}
    for word in _WORD.findall(description):
        name = word.rstrip(".:!?")
        looks_like_one = "." in name or "/" in name
        if looks_like_one and os.path.isfile(os.path.join(workspace.start, name)):
            names[name] = None
    yield from list(names)[:_MOST_FILES]


def _new(items: "Iterable[AdviceItem]", so_far: "list[AdviceItem]") -> "list[AdviceItem]":
    """Leave out what is advised already."""
    texts = {item.text for item in so_far}
    return [item for item in items if item.text not in texts]
