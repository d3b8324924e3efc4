"""Issues of a subject (a model, a service) and what was tried on them, as one call each.

An issue is an error record whose category is its type; an attempt is a fix that links to it.
What counts as the same issue is told by its signature.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import md5
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.matching.recorded import SIGNATURE, prints_of
from gitmem.parts.compat.arguments import whole
from gitmem.parts.compat.write_once import resolved_new

if TYPE_CHECKING:
    from gitmem.memory import Memory
    from gitmem.records.kinds import Record

TIERS: Final = ("exact_matches", "model_matches", "type_matches")
_ATTEMPTS: Final = """
SELECT a.id, a.created, a.outcome, a.fixer, a.approach, a.applied, a.verified, a.seconds,
    coalesce(a.error, ''), coalesce(nullif(a.category, ''), a.error_type, ''),
    coalesce(a.subject, ''), a.title, a.success, a.path
FROM attempts a
"""
_PATHS: Final = "SELECT id, path FROM all_records WHERE kind = 'error'"
_SAME: Final = "SELECT id FROM fingerprints WHERE level = 'site' AND value IN (?, ?)"
_NOTES: Final = """
SELECT t.tag, r.path, r.title FROM record_tags t JOIN all_records r ON r.id = t.id
WHERE r.kind IN ('note', 'pattern', 'decision') ORDER BY r.created DESC, r.id
"""
_CHECKED: Final = {"passed": True, "failed": False}
_PROMPT: Final = 50
"""Characters of a prompt that tell issues apart."""
_NUMBER: Final = re.compile(r"\d+")
_NEWEST: Final = "a.created DESC, a.id"
_WORKED: Final = f"(a.outcome = 'worked') DESC, {_NEWEST}"


class FailureIssue(NamedTuple):
    """What went wrong.

    Attributes:
        type: an open vocabulary: ``TIMEOUT``, ``NO_OUTPUT``, … or a word of one's own.
        subject: what it is about, such as ``qwen2.5:7b``; text before ``:`` is its family.
        description: in words.
        prompt: what was asked of it.
        response: what it answered.
        expected: what it should have answered.

    """

    type: str = ""
    subject: str = ""
    description: str = ""
    prompt: str = ""
    response: str = ""
    expected: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of an error record."""
        fields: dict[str, Any] = {
            "error_type": self.type,
            "category": self.type,
            "subject": self.subject,
            "message": self.description or self.prompt or self.type,
            "environment": {SIGNATURE: self.signature},
        }
        if self.prompt.strip():
            fields["test"] = {
                "name": " ".join(self.prompt.split())[:_PROMPT], "status": "failed",
                "input": self.prompt, "expected": self.expected, "actual": self.response,
            }  # fmt: skip
        elif self.response:
            fields["environment"]["actual_response"] = self.response
        return fields

    @property
    def signature(self) -> str:
        """16 hexadecimal characters that are equal for issues which are the same.

        Type, family and prompt tell, as in the older tool; without a prompt the description
        does, but for its numbers. How long an answer is tells nothing.
        """
        text = self.prompt[:_PROMPT] or _NUMBER.sub("#", self.description)
        return self._signed(text, 0)

    @property
    def older_signature(self) -> str:
        """What the older tool calls it: its rows that were imported bear that."""
        return self._signed(self.prompt[:_PROMPT], len(self.response))

    def _signed(self, text: str, size: int) -> str:
        key = f"{self.type}|{self.subject.split(':')[0]}|{text}|{size}"
        return md5(key.encode(errors="replace"), usedforsecurity=False).hexdigest()[:16]


class IssueAttempt(NamedTuple):
    """What was tried on an issue.

    Attributes:
        id, created, outcome, fixer, approach, seconds, title: of the fix.
        applied: it was put into place; None: nobody said.
        verified: ``passed``, ``failed``, or empty: it was not checked.
        error: id of the issue's record; type and subject are its fields.
        success: what is said of its outcome besides; None: nobody knows.
        path: of the fix.

    """

    id: str
    created: str
    outcome: str
    fixer: str
    approach: str
    applied: int | None
    verified: str
    seconds: float | None
    error: str
    type: str
    subject: str
    title: str
    success: int | None
    path: str


def record(memory: "Memory", issue: FailureIssue, fix: Mapping[str, Any]) -> str:
    """Write down that an issue was met and what was tried on it; give the fix's id.

    Each call is an occurrence: how often an issue comes is counted from its error records.

    Args:
        memory: the memory.
        issue: what went wrong.
        fix: fields of the fix.

    """
    return resolved_new(memory, issue.fields, fix)


def similar(memory: "Memory", issue: FailureIssue, limit: int = 5) -> dict[str, list[IssueAttempt]]:
    """Give what was tried on issues like this one, each attempt in the first list it fits.

    ``exact_matches``: the same issue, the newest first. ``model_matches``: the same subject and
    type, ``type_matches``: the same type, both with what worked first.

    Args:
        memory: the memory.
        issue: what went wrong.
        limit: how many in each list at most.

    """
    most = whole(limit, "limit")
    about = (issue.subject, issue.type) if issue.subject else ()
    tiers: tuple[tuple[str, Sequence[str], str], ...] = (
        (f"a.error IN ({_SAME})", signatures(issue), _NEWEST),
        ("a.subject = ? AND a.category = ?", about, _WORKED),
        ("a.category = ?", (issue.type,), _WORKED),
    )
    attempts_by_tier: dict[str, list[IssueAttempt]] = {}
    listed: set[str] = set()
    for name, (condition, values, order) in zip(TIERS, tiers, strict=True):
        sql = f"WHERE {condition} ORDER BY {order} LIMIT {most + len(listed)}"
        rows = select_attempts(memory, sql, values) if values else []
        attempts_by_tier[name] = [row for row in rows if row.id not in listed][:most]
        listed |= {row.id for row in attempts_by_tier[name]}
    return attempts_by_tier


def select_attempts(memory: "Memory", sql: str, values: Sequence[str] = ()) -> list[IssueAttempt]:
    """Give attempts by a condition and an order, as SQL over ``a``."""
    rows = memory.statistics.query(f"{_ATTEMPTS}{sql}", tuple(values)).rows
    return [IssueAttempt._make(row) for row in rows]


def attempts_of_type(memory: "Memory", issue: FailureIssue) -> list[IssueAttempt]:
    """Give all attempts on issues of a type, and on the same issue whatever its type."""
    condition = f"WHERE a.category = ? OR a.error IN ({_SAME})"
    return select_attempts(memory, condition, (issue.type, *signatures(issue)))


def same_issues(memory: "Memory", issue: FailureIssue) -> set[str]:
    """Give the ids of the records of the same issue."""
    return {str(name) for (name,) in memory.statistics.query(_SAME, signatures(issue)).rows}


def signatures(issue: FailureIssue) -> tuple[str, str]:
    """Give the fingerprints of the records of an issue: ours, and those that were imported."""
    marks = (issue.signature, issue.older_signature)
    own, older = (prints_of({"environment": {SIGNATURE: mark}}).site for mark in marks)
    return own, older


def attempts(memory: "Memory") -> Iterator[dict[str, Any]]:
    """Give all attempts, the oldest first, each as ``columns_of`` does."""
    paths = dict(memory.statistics.query(_PATHS).rows)
    for attempt in select_attempts(memory, "ORDER BY a.created, a.id"):
        yield columns_of(memory, attempt, paths)


def columns_of(
    memory: "Memory", attempt: IssueAttempt, paths: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Give an attempt by the names of the older tool's columns. Both files are read.

    What nobody verified is None in ``verification_success``: neither a success nor a failure.

    Args:
        memory: the memory.
        attempt: which.
        paths: the files of the errors; None: they are asked for.

    """
    if paths is None:
        paths = dict(memory.statistics.query(f"{_PATHS} AND id = ?", (attempt.error,)).rows)
    fix: Any = memory.records.reader.read(attempt.path)
    error = memory.records.reader.read(paths[attempt.error]) if attempt.error in paths else None
    verified = None if attempt.success is None else bool(attempt.success)
    return {
        "id": attempt.id,
        "timestamp": attempt.created,
        "model_name": attempt.subject,
        "issue_type": attempt.type,
        "issue_signature": _signature_of(error, attempt),
        "description": getattr(error, "message", "") or getattr(error, "title", attempt.title),
        "fixer_type": attempt.fixer,
        "claude_analysis": getattr(fix, "analysis", "") or attempt.approach,
        "fix_commands": list(getattr(fix, "steps", ())),
        "fix_success": verified if attempt.applied is None else bool(attempt.applied),
        "verification_success": _CHECKED.get(attempt.verified, verified),
        "execution_time_seconds": attempt.seconds,
        "system_info": dict(getattr(fix, "environment", {})),
        "notes": getattr(fix, "notes", "") or None,
    }


def _signature_of(error: "Record | None", attempt: IssueAttempt) -> str:
    """Give the signature that the record of an issue bears, or what it would be."""
    if recorded := getattr(error, "environment", {}).get(SIGNATURE):
        return str(recorded)
    message = str(getattr(error, "message", ""))
    prompt = str(getattr(getattr(error, "test", None), "input", "") or "")
    return FailureIssue(attempt.type, attempt.subject, message, prompt).signature


def notes(memory: "Memory", subjects: Collection[str]) -> Iterator[tuple[str, str]]:
    """Give (subject, text) of what is noted about subjects, the newest first."""
    wanted = {subject.casefold(): subject for subject in subjects}
    for tag, path, title in memory.statistics.query(_NOTES).rows:
        if subject := wanted.get(tag.casefold()):
            yield subject, str(getattr(memory.records.reader.read(path), "body", "") or title)
