"""The verbs of the interface: what is asked at which address, and what answers it.

A verb asks an open memory and gives plain data as the commands print it with ``--json``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from gitmem.memory import Memory
from gitmem.render import advice, as_json, elsewhere, history_json, statistics_json
from gitmem.render import graph as graphs
from gitmem.serve.api import answers, paging, questions
from gitmem.serve.api.answers import Data

Names = Mapping[str, str]
"""The parts of an address that stand in braces."""


class Verb(NamedTuple):
    """One verb.

    Attributes:
        method: of HTTP. What is asked stands in the query of a GET, else in a JSON body.
        path: below the repository's.
        summary: one line.
        asks: type of what is asked.
        gives: type of the answer.
        answer: asks the memory.
        writes: it changes something; only where writing is allowed.
        status: of a good answer.

    """

    method: str
    path: str
    summary: str
    asks: type
    gives: Any
    answer: Callable[[Memory, Any, Names], Data]
    writes: bool = False
    status: int = 200


def _search(memory: Memory, question: questions.SearchQuestion, _: Names) -> Data:
    result = memory.search(question.q, question.limit)
    return {
        "hits": as_json.hits(result.hits, why=question.why),
        "suggestion": result.suggestion,
        "few_words": result.few_words,
    }


def _list(memory: Memory, question: questions.ListQuestion, _: Names) -> Data:
    offset, last = paging.place(question.cursor)
    begin = max(0, offset - paging.MOVED) if last else offset
    rows = memory.list(
        question.filters, sort=question.sort, offset=begin,
        limit=question.limit + 1 + 2 * (offset - begin),
    )  # fmt: skip
    at = paging.after([row.id for row in rows], last, offset - begin)
    page, more = rows[at : at + question.limit], len(rows) > at + question.limit
    return {
        "records": as_json.rows(page),
        "next": paging.cursor(begin + at + len(page), page[-1].id) if more else None,
    }


def _show(memory: Memory, _: questions.NoArguments, names: Names) -> Data:
    return as_json.record(memory.show(names["id"]))


def _attempts(memory: Memory, _: questions.NoArguments, names: Names) -> Data:
    return {"attempts": as_json.rows(memory.failures.attempts_of(names["id"]))}


def _provenance(memory: Memory, _: questions.NoArguments, names: Names) -> Data:
    return history_json.provenance(memory.history.provenance(names["id"]))


def _about(memory: Memory, question: questions.FileQuestion, _: Names) -> Data:
    about = memory.editor.about(memory.workspace.path(question.path))
    return {name: as_json.rows(rows) for name, rows in about._asdict().items()}


def _graph(memory: Memory, question: questions.GraphQuestion, _: Names) -> Data:
    graph = memory.code.graph(
        "memory", question.start, depth=question.depth, limit=question.limit, people=question.people
    )
    return graphs.as_data(graph)


def _review(memory: Memory, question: questions.ReviewQuestion, _: Names) -> Data:
    return as_json.review(memory.history.review(question.span))


def _stale(memory: Memory, _: questions.NoArguments, __: Names) -> Data:
    return {"anchors": [history_json.anchor(placed) for placed in memory.history.stale()]}


def _hint(memory: Memory, question: questions.FailureText, _: Names) -> Data:
    answer = memory.history.look_up(question.text)
    return {
        "failures": [as_json.recognised(match) for match in answer.matches],
        "similar": as_json.hits(answer.alike, why=False),
        "came_back": [history_json.regression(each) for each in answer.came_back],
        "elsewhere": elsewhere.as_data(memory.failures.elsewhere(answer.matches)),
    }


def _advise(memory: Memory, question: questions.AdviceQuestion, _: Names) -> Data:
    task = {"description": question.task} if question.task else None
    return advice.as_data(memory.advice.advise(question.error, path=question.file, task=task))


def _stats(memory: Memory, _: questions.NoArguments, __: Names) -> Data:
    return statistics_json.stats(memory.statistics.stats())


def _recurring(memory: Memory, _: questions.NoArguments, __: Names) -> Data:
    return {
        "failures": [
            statistics_json.recurring(failure) for failure in memory.statistics.recurring()
        ]
    }


def _drafts(memory: Memory, _: questions.NoArguments, __: Names) -> Data:
    return {"drafts": [draft._asdict() for draft in memory.failures.drafts.open()]}


def _runs(memory: Memory, _: questions.NoArguments, __: Names) -> Data:
    return {"runs": [as_json.run(run) for run in memory.failures.runs()]}


def _check(memory: Memory, _: questions.NoArguments, __: Names) -> Data:
    return {"problems": as_json.problems(memory.checks.files())}


def _add(memory: Memory, new: questions.NewRecord, _: Names) -> Data:
    return _written(memory, memory.add(new.kind, new.fields).id)


def _resolve(memory: Memory, attempt: questions.NewAttempt, names: Names) -> Data:
    return _written(memory, memory.resolve(names["id"], attempt.fields).id)


def _supersede(memory: Memory, attempt: questions.NewAttempt, names: Names) -> Data:
    return _written(memory, memory.supersede(names["id"], attempt.fields).id)


def _judge(memory: Memory, judgement: questions.NewJudgement, names: Names) -> Data:
    judge = memory.failures.helpful if judgement.helped else memory.failures.unhelpful
    return {"record": judge(names["id"], judgement.question).record}


def _keep(memory: Memory, _: questions.NoArguments, names: Names) -> Data:
    return {"records": memory.failures.keep(names["id"])}


def _drop(memory: Memory, _: questions.NoArguments, names: Names) -> Data:
    draft = memory.failures.drafts.find(names["id"])
    memory.failures.drafts.drop(draft.id)
    return {"draft": draft.id}


def _written(memory: Memory, record: str) -> Data:
    return as_json.record(memory.show(record))


VERBS: Final = (
    Verb("GET", "/search", "Find records by words, filters or a pasted error",
         questions.SearchQuestion, answers.SearchAnswer, _search),
    Verb("GET", "/records", "List records by filters, a page at a time",
         questions.ListQuestion, answers.ListAnswer, _list),
    Verb("GET", "/records/{id}", "Show one record and what links to it",
         questions.NoArguments, answers.WholeRecord, _show),
    Verb("GET", "/records/{id}/attempts", "List the attempts on an error, oldest first",
         questions.NoArguments, answers.AttemptsAnswer, _attempts),
    Verb("GET", "/records/{id}/provenance", "Tell which commit added a record",
         questions.NoArguments, answers.Data, _provenance),
    Verb("GET", "/file", "List the decisions, errors and fixes that concern a file",
         questions.FileQuestion, answers.FileAnswer, _about),
    Verb("GET", "/graph", "Give records and files, and the links between them",
         questions.GraphQuestion, answers.Data, _graph),
    Verb("GET", "/review", "Tell what a range of commits teaches",
         questions.ReviewQuestion, answers.Data, _review),
    Verb("GET", "/stale", "List the places that records name and that are gone",
         questions.NoArguments, answers.Data, _stale),
    Verb("POST", "/hint", "Tell what is known about the failures in an error text",
         questions.FailureText, answers.HintAnswer, _hint),
    Verb("POST", "/advise", "Say what to try, what to avoid and when to stop",
         questions.AdviceQuestion, answers.Data, _advise),
    Verb("GET", "/stats", "Count errors and attempts",
         questions.NoArguments, answers.Data, _stats),
    Verb("GET", "/recurring", "List the failures that were recorded most often",
         questions.NoArguments, answers.Data, _recurring),
    Verb("GET", "/drafts", "List drafts",
         questions.NoArguments, answers.Data, _drafts),
    Verb("GET", "/runs", "List the newest watched runs",
         questions.NoArguments, answers.Data, _runs),
    Verb("GET", "/check", "List what is wrong with the memory's files",
         questions.NoArguments, answers.Data, _check),
    Verb("POST", "/records", "Write a record",
         questions.NewRecord, answers.WholeRecord, _add, writes=True, status=201),
    Verb("POST", "/records/{id}/resolve", "Record an attempt to fix an error",
         questions.NewAttempt, answers.WholeRecord, _resolve, writes=True, status=201),
    Verb("POST", "/records/{id}/supersede", "Write a decision in the place of another",
         questions.NewAttempt, answers.WholeRecord, _supersede, writes=True, status=201),
    Verb("POST", "/records/{id}/helpful", "Say whether a record helped",
         questions.NewJudgement, answers.Data, _judge, writes=True),
    Verb("POST", "/drafts/{id}/keep", "Make records of a draft",
         questions.NoArguments, answers.Data, _keep, writes=True),
    Verb("DELETE", "/drafts/{id}", "Drop a draft",
         questions.NoArguments, answers.Data, _drop, writes=True),
)  # fmt: skip
