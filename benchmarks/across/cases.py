"""What repositories have recorded, and what is asked from another one."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from benchmarks.across.variants import HOMES, look_alikes, moved
from benchmarks.recall.data import FOLDER, POOL, Question, questions, rows, split_of
from gitmem.matching.parse import main_failure

GROUPS: Final = 8
"""Of programs: whoever does not see a group's repositories has no right answer for its programs."""
TYPED: Final = frozenset({"words", "described"})
"""Kinds of questions that are words, which reach a hub only where the user allows it."""
UNSEEN: Final = "unseen"
NOTHING_THERE: Final = "nothing there"
FAMILIES: Final = ("gh", "friendly", "thefuck", "typecheck", "swe-rerun", "d4j")
"""Of the labelled outputs of other projects: those in which tools speak."""
_LOCAL: Final = 3
"""One program in so many has failed in the asker's own repository before."""


class Filed(NamedTuple):
    """An error that a repository has recorded, with what was done about it.

    Attributes:
        repository: which; empty: the asker's own.
        cause: names what the failure is, the same for all records of it.
        text: what was printed.
        fix: what was done.

    """

    repository: str
    cause: str
    text: str
    fix: str


class Case(NamedTuple):
    """A question.

    Attributes:
        kind: what differs from what the repositories have recorded.
        cause: what it was made of, which need not be right.
        split: ``dev`` or ``test``.
        text: what is asked.
        right: causes that are right; none: nothing is.
        ignored: causes that count neither way.
        hidden: the group of repositories that whoever asks may not see; empty: all are seen.
        twins: other causes that have word for word the same message.

    """

    kind: str
    cause: str
    split: str
    text: str
    right: frozenset[str]
    ignored: frozenset[str] = frozenset()
    hidden: str = ""
    twins: frozenset[str] = frozenset()


class Data(NamedTuple):
    """Records, and questions about them."""

    filed: list[Filed]
    cases: list[Case]

    def with_twins(self) -> "Data":
        """Note for each question which other causes have its very message, but for numbers.

        Those that its author calls so are noted already.
        """
        causes: defaultdict[str, set[str]] = defaultdict(set)
        for each in self.filed:
            causes[_message(each.text)].add(each.cause)
        return Data(
            self.filed,
            [
                case._replace(
                    twins=case.twins | causes.get(_message(case.text), set()) - case.right
                )
                for case in self.cases
            ],
        )


def _message(text: str) -> str:
    failure = main_failure(text)
    line = f"{failure.error_type} {failure.code} {failure.message}".partition("\n")[0]
    return re.sub(r"\d+", "0", line)


def of_programs() -> Data:
    """Make records and questions of the programs of the recall benchmark."""
    errors = {row["id"]: row for row in rows(os.path.join(FOLDER, POOL)) if row["kind"] == "error"}
    fixes = {
        row["fixes"]: row["title"]
        for row in rows(os.path.join(FOLDER, POOL))
        if row["kind"] == "fix"
    }
    filed: list[Filed] = []
    group_of: dict[str, str] = {}
    for row in errors.values():
        program = row["program"]
        if row["id"] not in fixes:
            continue  # an output of the corpus: nobody has said what else is the same failure
        group = group_of[program] = f"group{len(group_of) % GROUPS}"
        first, second, own = (moved(row["text"], home) for home in HOMES)
        filed.append(Filed(f"{group}/payments", program, first, fixes[row["id"]]))
        filed.append(Filed(f"{group}/billing", program, second, f"Because {row['cause']}"))
        if len(group_of) % _LOCAL == 0:
            filed.append(Filed("", program, own, fixes[row["id"]]))
    cases = [case for row in errors.values() for case in _moved(row, group_of)]
    for question in questions():
        never = frozenset(
            errors[name]["program"] for name in question.never_first if name in errors
        )
        cases += [case._replace(twins=never) for case in _of_question(question, group_of)]
    return Data(filed, cases).with_twins()


def _moved(row: dict[str, Any], group_of: dict[str, str]) -> Iterator[Case]:
    program = row["program"]
    if program in group_of:
        text, split = moved(row["text"], HOMES[-1]), split_of(program)
        yield Case("moved", program, split, text, frozenset({program}))
        for kind, other in look_alikes(text):
            yield Case(f"other {kind}", program, split, other, frozenset())


def _of_question(question: Question, group_of: dict[str, str]) -> Iterator[Case]:
    program, kind = question.program, question.family
    if kind == "decisions":
        return
    text, split = moved(question.text, HOMES[-1]), question.split
    if kind == "unanswerable":
        if "\n" in question.text.strip():
            yield Case(NOTHING_THERE, program, split, text, frozenset())
        return
    right = frozenset({program})
    yield Case(kind, program, split, text, right)
    if kind not in TYPED:
        hidden = group_of[program]
        yield Case(UNSEEN, program, split, text, frozenset(), hidden=hidden)


def of_projects(folder: str) -> Data:
    """Make records and questions of labelled outputs of other projects.

    Raises:
        FileNotFoundError: the folder does not have them.

    """
    pool = {
        row["id"]: row
        for row in _lines(os.path.join(folder, "errors_pool.jsonl"))
        if row["family"] in FAMILIES
    }
    filed = [
        Filed(f"{row['family']}/{row['repo']}", name, row["body"] or row["title"], "Mended")
        for name, row in pool.items()
    ]
    rows = [
        row
        for row in _lines(os.path.join(folder, "errors_queries.jsonl"))
        if row["family"] in FAMILIES
    ]
    questions = [
        Filed(f"{row['family']}/{row['repo']}", row["qid"], row["text"], "") for row in rows
    ]
    same = same_findings([*filed, *questions])
    cases = []
    for row in rows:
        right = frozenset(row["relevant"])
        others = frozenset(pool) & same.get(row["qid"], frozenset()) - right
        hidden = f"gh/{row['repo']}" if row["family"] == "gh" else ""
        cases.append(
            Case(
                row["family"], row["qid"], split_of(row["repo"]), row["text"],
                right, frozenset(row["ignore"]) | others, hidden,
            )
        )  # fmt: skip
    return Data(filed, cases).with_twins()


def same_findings(outputs: Sequence[Filed]) -> dict[str, frozenset[str]]:
    """Give for each output of a type checker those that are the same finding.

    The labels name what one other checker says of a question's line, and where else in the project
    it says so. By the same two rules more records are that finding, which no label says: those of a
    third checker at these lines, and what is said elsewhere in the words of the question.
    """
    names: dict[str, str] = {}
    by_line: defaultdict[tuple[str, str, int | None], list[tuple[str, str]]] = defaultdict(list)
    for each in outputs:
        if each.repository.startswith("typecheck/"):
            failure = main_failure(each.text)
            names[each.cause] = f"{each.repository} {failure.tool} {failure.message}"
            if failure.location:
                line = (each.repository, failure.location.file, failure.location.line)
                by_line[line].append((failure.tool, names[each.cause]))
    first: dict[str, str] = {}
    for at_line in by_line.values():
        if len({tool for tool, _ in at_line}) == len(at_line):  # else which is which is open
            joined = {_first(first, name) for _, name in at_line}
            first.update(dict.fromkeys(joined, min(joined)))
    together: defaultdict[str, set[str]] = defaultdict(set)
    for cause, name in names.items():
        together[_first(first, name)].add(cause)
    return {cause: frozenset(there) for there in together.values() for cause in there}


def _first(first: dict[str, str], name: str) -> str:
    while first.get(name, name) != name:
        name = first[name]
    return name


def _lines(path: str) -> Sequence[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
