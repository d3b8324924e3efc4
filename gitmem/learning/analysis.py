"""What recorded errors have in common: root causes, quick steps, prevention. Pure.

Everything is what people wrote down, with the records that say so; nothing is made up. A cause
that several attempts name in the same words is one cause.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from gitmem.learning.advice import AVOID, TRY, WORKED, ApproachGroup, Trial, approach_key, groups
from gitmem.learning.confidence import Confidence, Rate, confidence

_MOST: Final = 3
SAME: Final = "same error"


class RecordAccount(NamedTuple):
    """What a record says of an error: the error's own, or an attempt's.

    Attributes:
        id: of the record.
        cause: why it happened.
        steps: what was done, step by step.
        lessons: what to mind.
        outcome: of an attempt; empty: it is the error itself.

    """

    id: str
    cause: str = ""
    steps: tuple[str, ...] = ()
    lessons: str = ""
    outcome: str = ""


class Statement(NamedTuple):
    """A text with the records that say it, and its confidence where that is known."""

    text: str
    records: tuple[str, ...]
    sure: Confidence | None = None


class FailureCount(NamedTuple):
    """A failure: its newest error record, and how often it was recorded."""

    error: str
    title: str
    records: int
    first: str
    last: str
    open: bool


class FailureFinding(NamedTuple):
    """What is known of one failure.

    Attributes:
        seen: the failure.
        causes: root causes that are recorded, those of fixes that worked first.
        steps: of the newest attempt that worked by the way that is to be tried first.
        tries: ways to try, the surest first.
        avoid: ways to avoid.
        prevention: lessons, those of fixes that worked first.
        files: where it was, the most hit first.
        status: what lists show of it.

    """

    seen: FailureCount
    causes: tuple[Statement, ...]
    steps: Statement | None
    tries: tuple[ApproachGroup, ...]
    avoid: tuple[ApproachGroup, ...]
    prevention: tuple[Statement, ...]
    files: tuple[str, ...] = ()
    status: str = ""


class Findings(NamedTuple):
    """An analysis: failures, the most frequent first, and the limits of the evidence."""

    failures: tuple[FailureFinding, ...]
    notes: tuple[str, ...] = ()

    @property
    def records(self) -> frozenset[str]:
        """Ids of the records that it rests on."""
        ids = {failure.seen.error for failure in self.failures}
        for failure in self.failures:
            for statement in (*failure.causes, *failure.prevention):
                ids |= set(statement.records)
            for group in (*failure.tries, *failure.avoid):
                ids |= {trial.id for trial in group.trials}
        return frozenset(ids)


def finding(
    occurrences: FailureCount, accounts: Iterable[RecordAccount], trials: Iterable[Trial]
) -> FailureFinding:
    """Put together what is known of a failure.

    Args:
        occurrences: the failure.
        accounts: what its error and the attempts on it say, oldest first.
        trials: the attempts.

    """
    ordered = sorted(accounts, key=lambda account: account.outcome != WORKED)
    weighed = groups(trials)
    good = [group for group in weighed if group.sort == TRY]
    bad = [group for group in weighed if group.sort == AVOID]
    return FailureFinding(
        occurrences,
        _causes(ordered),
        _steps(good, ordered),
        tuple(good[:_MOST]),
        tuple(bad[:_MOST]),
        _joined([(account.lessons, account.id) for account in ordered])[:_MOST],
    )


def shared_causes(failures: Sequence[FailureFinding]) -> list[str]:
    """Say which causes lie behind several failures, in which files: one change may mend them."""
    behind: dict[str, tuple[str, list[FailureFinding]]] = {}
    for failure in failures:
        for cause in failure.causes:
            behind.setdefault(approach_key(cause.text), (cause.text, []))[1].append(failure)
    sentences = []
    for text, same in behind.values():
        files = list(dict.fromkeys(file for failure in same for file in failure.files))
        if len(same) > 1 and len(files) > 1:
            where = f"{len(files)} files: {', '.join(files[:_MOST])}"
            more = ", …" if len(files) > _MOST else ""
            sentences.append(f"one cause of {len(same)} failures in {where}{more}: {text}")
    return sentences


def _causes(accounts: Sequence[RecordAccount]) -> tuple[Statement, ...]:
    named = [(account.cause, account.id) for account in accounts if account.cause.strip()]
    statements = [
        statement._replace(sure=confidence(Rate(len(statement.records), len(named)), SAME))
        for statement in _joined(named)
    ]
    return tuple(sorted(statements, key=lambda statement: -len(statement.records))[:_MOST])


def _joined(texts: Iterable[tuple[str, str]]) -> tuple[Statement, ...]:
    """Put texts in the same words together, in the order in which they come first."""
    records_of: dict[str, tuple[str, list[str]]] = {}
    for text, record in texts:
        if key := approach_key(text):
            records_of.setdefault(key, (text.strip(), []))[1].append(record)
    return tuple(Statement(text, tuple(records)) for text, records in records_of.values())


def _steps(good: Sequence[ApproachGroup], accounts: Sequence[RecordAccount]) -> Statement | None:
    """Give the steps of the way to try first, of its newest attempt that has any."""
    if not good:
        return None
    steps = {account.id: account.steps for account in accounts if account.steps}
    trial = next((trial for trial in good[0].trials if trial.id in steps), None)
    return Statement("\n".join(steps[trial.id]), (trial.id,)) if trial else None


def as_data(findings: Findings) -> list[dict[str, Any]]:
    """Give the failures as plain data, for programs and for a model."""
    return [
        {
            **failure.seen._asdict(),
            "causes": [_statement_data(statement) for statement in failure.causes],
            "steps": failure.steps.text.split("\n") if failure.steps else [],
            "worked": [_group(group) for group in failure.tries],
            "failed": [_group(group) for group in failure.avoid],
            "lessons": [_statement_data(statement) for statement in failure.prevention],
            "files": list(failure.files),
        }
        for failure in findings.failures
    ]


def _statement_data(statement: Statement) -> dict[str, Any]:
    data: dict[str, Any] = {"text": statement.text, "records": list(statement.records)}
    return {**data, "confidence": statement.sure.word} if statement.sure else data


def _group(group: ApproachGroup) -> dict[str, Any]:
    return {
        "text": group.approach,
        "outcome": group.why,
        "confidence": group.confidence.word,
        "records": [trial.id for trial in group.trials],
    }
