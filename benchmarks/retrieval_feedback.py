"""What users said of answers, as questions with known answers, out of a real memory."""

from collections import defaultdict
from typing import Final

from benchmarks.retrieval_data import Question, Task
from gitmem import query as query_language
from gitmem.capture.feedback import Feedback
from gitmem.memory import Memory
from gitmem.records.convert import decode
from gitmem.store.journal import Journal

FAMILY: Final = "feedback"


def recorded(start: str) -> Task:
    """Read the verdicts in the repository around a folder; its records are the pool.

    The last word on a record and a question counts. Records that helped are right. Where
    nobody said what helped, every record is right but those that did not. Typed words are left
    out: they are ranked without these weights.
    """
    with Memory.open(start) as memory:
        paths = memory.workspace.derived.catalog().record_paths()
        read = (decode(memory.workspace.store.read(path), path)[0] for path in paths.values())
        records = [record for record in read if record is not None]
        number_of = {record.id: at for at, record in enumerate(records)}
        verdicts: dict[str, dict[int, bool]] = defaultdict(dict)
        for verdict in Feedback(Journal(memory.workspace.site.journal)).all():
            if verdict.question and verdict.record in number_of:
                verdicts[verdict.question][number_of[verdict.record]] = verdict.helpful
        now = memory.workspace.clock()
    questions = [
        Question(f"feedback-{at}", FAMILY, text, text, _right(votes, len(records)), frozenset())
        for at, (text, votes) in enumerate(verdicts.items())
        if query_language.parse(text, now).pasted
    ]
    return Task(records, questions)


def _right(votes: dict[int, bool], records: int) -> frozenset[int]:
    helped = frozenset(at for at, helpful in votes.items() if helpful)
    return helped or frozenset(range(records)) - votes.keys()
