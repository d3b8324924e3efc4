"""Issues of a subject (a model, a service) and what was tried on them, as one call each.

An issue is an error record whose category is its type; an attempt is a fix that links to it.
What counts as the same issue is told by fingerprints, so numbers, times and ports in its text
make no new one.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.compat.arguments import whole
from gitmem.compat.write_once import resolved_new
from gitmem.learning.issues import family

if TYPE_CHECKING:
    from gitmem.memory import Memory

TIERS: Final = ("exact_matches", "model_matches", "type_matches")
_COLUMNS: Final = (
    "a.id, a.created, a.outcome, a.fixer, a.approach, a.applied, a.verified, a.seconds,"
    " e.id, e.category, e.subject, e.title, e.fingerprint"
)
_CHECKED: Final = {"passed": True, "failed": False}
_PROMPT: Final = 50
"""Characters of a prompt that tell issues apart."""
_LEVELS: Final = ("place", "message", "template", "kind")
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
        }
        if self.prompt.strip():
            fields["test"] = {
                "name": " ".join(self.prompt.split())[:_PROMPT], "status": "failed",
                "input": self.prompt, "expected": self.expected, "actual": self.response,
            }  # fmt: skip
        elif self.response:
            fields["environment"] = {"actual_response": self.response}
        return fields


class IssueAttempt(NamedTuple):
    """What was tried on an issue.

    Attributes:
        id, created, outcome, fixer, approach, seconds: of the fix.
        applied: it was put into place; None: nobody said.
        verified: ``passed``, ``failed``, or empty: it was not checked.
        error: id of the issue's record; the others are its fields.

    """

    id: str
    created: str
    outcome: str
    fixer: str
    approach: str
    applied: bool | None
    verified: str
    seconds: float | None
    error: str
    type: str
    subject: str
    description: str


def key(memory: "Memory", issue: FailureIssue) -> str:
    """Give 16 hexadecimal characters that are equal for issues which are the same."""
    return _key(_print(memory, issue)[1], issue.subject)


def stored_key(prints: Mapping[str, str], subject: str) -> str:
    """Give the same of an issue that is recorded, by its fingerprints of each level."""
    return _key(next((prints[level] for level in _LEVELS if prints.get(level)), ""), subject)


def _key(fingerprint: str, subject: str) -> str:
    return blake2b(f"{fingerprint}|{family(subject)}".encode(), digest_size=8).hexdigest()


def description(memory: "Memory", error: str) -> str:
    """Give the words in which an issue was described."""
    record = memory.show(error).record
    return str(getattr(record, "message", "") or record.title)


def verification(verified: str, success: int | None) -> bool | None:
    """Tell whether an attempt was seen to help; None: nobody looked.

    Args:
        verified: ``passed``, ``failed``, or empty: no check is recorded.
        success: what is said of its outcome besides.

    """
    return _CHECKED.get(verified, None if success is None else bool(success))


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
    same = _same_issues(memory, issue)
    marks = ", ".join("?" * len(same))
    about = (issue.subject, issue.type) if issue.subject else ()
    tiers: tuple[tuple[str, Sequence[str], str], ...] = (
        (f"e.id IN ({marks})", same, _NEWEST),
        ("e.subject = ? AND e.category = ?", about, _WORKED),
        ("e.category = ?", (issue.type,), _WORKED),
    )
    attempts: dict[str, list[IssueAttempt]] = {}
    listed: set[str] = set()
    for name, (condition, values, order) in zip(TIERS, tiers, strict=True):
        rows = _attempts(memory, condition, values, order, most + len(listed)) if values else []
        attempts[name] = [row for row in rows if row.id not in listed][:most]
        listed |= {row.id for row in attempts[name]}
    return attempts


def _attempts(
    memory: "Memory", condition: str, values: Sequence[str], order: str, limit: int
) -> list[IssueAttempt]:
    sql = (
        f"SELECT {_COLUMNS} FROM attempts a JOIN errors e ON e.id = a.error"  # noqa: S608
        f" WHERE {condition} ORDER BY {order} LIMIT {limit}"
    )
    rows = memory.statistics.query(sql, tuple(values)).rows
    return [IssueAttempt._make((*row[:5], _flag(row[5]), *row[6:-1])) for row in rows]


def _same_issues(memory: "Memory", issue: FailureIssue) -> list[str]:
    """Give the ids of the records of the same issue of the same family, the newest first.

    Those that do not say what was asked count, too: an imported history has no prompts.
    """
    sql = (
        "SELECT DISTINCT e.id, e.subject, e.created FROM errors e"
        " JOIN fingerprints f ON f.id = e.id WHERE (f.level, f.value) IN (VALUES (?, ?), (?, ?))"
        " ORDER BY e.created DESC, e.id"
    )
    wanted = family(issue.subject)
    prints = (*_print(memory, issue), *_print(memory, issue._replace(prompt="", response="")))
    rows = memory.statistics.query(sql, prints).rows
    return [str(name) for name, subject, _ in rows if family(subject) == wanted]


def _print(memory: "Memory", issue: FailureIssue) -> tuple[str, str]:
    """Give the surest level at which the issue has a fingerprint, and that fingerprint."""
    prints = memory.failures.fingerprints(issue.fields)
    named = ((level, str(value)) for level in _LEVELS if (value := getattr(prints, level)))
    return next(named, ("", ""))


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)
