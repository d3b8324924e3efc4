"""Made-up records, each a function of the seed and its number alone.

So any part of a memory can be made on its own, by several processes, and comes out the same.
"""

import hashlib
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from benchmarks import words
from benchmarks.failures import LANGUAGES, Failure, code_line, draw_family, failure
from benchmarks.vocabulary import constant, digits, fill, module, noun, prose, snake, title
from gitmem.records.convert import encode, from_data
from gitmem.records.layout import make_id, path_for

VERSION: Final = 1
"""Raise it with any change of what is made: memories of another version are made anew."""

# Kinds come in this order over and over; a session closes each round.
_ROUND: Final = (
    "error", "error", "fix", "error", "decision", "error", "fix", "error", "note", "error",
    "fix", "error", "error", "fix", "pattern", "error", "fix", "decision", "note", "session",
)  # fmt: skip
_START: Final = datetime(2024, 1, 8, 7, 30, tzinfo=UTC)
_SPAN: Final = timedelta(days=900)
_LONGEST_TITLE: Final = 120


class Plan(NamedTuple):
    """Which memory: all that decides on its bytes, with VERSION."""

    size: int
    seed: int = 1


class Made(NamedTuple):
    """One record file, with its path inside the memory's folder."""

    path: str
    data: bytes


def kind_at(number: int) -> str:
    """Name the kind of record ``number``."""
    return _ROUND[number % len(_ROUND)]


def id_at(plan: Plan, number: int) -> str:
    """Give the id of record ``number``."""
    digest = hashlib.blake2b(f"{plan.seed} {number}".encode(), digest_size=7).digest()
    return make_id(kind_at(number), digest)


def make(plan: Plan, number: int) -> Made:
    """Make record ``number``."""
    rng = random.Random(f"{plan.seed} record {number}")
    kind = kind_at(number)
    created = _START + _SPAN * (number / plan.size) + timedelta(seconds=rng.randint(0, 59))
    data: dict[str, Any] = {"kind": kind, "id": id_at(plan, number), "created": _moment(created)}
    data |= {"author": _author(rng), "tags": _tags(rng)}
    session = number - number % len(_ROUND) + len(_ROUND) - 1
    if kind != "session" and session < plan.size and rng.random() < 0.7:  # noqa: PLR2004
        data["session"] = id_at(plan, session)
    data |= _BODIES[kind](plan, number, rng, created)
    record = from_data(data)
    return Made(path_for(kind, record.id, record.title, record.created), encode(record))


def failure_at(plan: Plan, number: int) -> int:
    """Give the family of the failure that record ``number``, an error, tells of."""
    return draw_family(random.Random(f"{plan.seed} family {number}"))


def _moment(when: datetime) -> str:
    return when.replace(microsecond=0).isoformat().replace("+00:00", "Z")


def _author(rng: random.Random) -> dict[str, str]:
    name, email = rng.choice(words.AUTHORS)
    via = rng.choices(("human", "agent", "tool"), (6, 3, 1))[0]
    author = {"name": name, "email": email, "via": via}
    return author if via == "human" else author | {"tool": "assistant" if via == "agent" else "ci"}


def _tags(rng: random.Random) -> list[str]:
    return list(dict.fromkeys(rng.choices(words.TAGS, k=rng.randint(1, 4))))


def _earlier(kind: str, number: int, rng: random.Random) -> int | None:
    """Choose a record of a kind before ``number``, mostly a recent one."""
    at = number - 1 - int(rng.expovariate(1 / 6))
    while at >= 0 and kind_at(at) != kind:
        at -= 1
    return at if at >= 0 else None


def _anchor(language_ending: str, rng: random.Random) -> dict[str, Any]:
    line = rng.randint(1, 500)
    path = f"{module(rng)}.{language_ending}"
    return {"path": path, "lines": [line, line + rng.randint(0, 30)], "symbol": snake(rng)}


def _error(plan: Plan, number: int, rng: random.Random, _created: datetime) -> dict[str, Any]:
    own_failure: Failure = failure(failure_at(plan, number), rng)
    inner = own_failure.frames[-1]
    data: dict[str, Any] = {
        "title": f"{own_failure.error_type}: {own_failure.message}"[:_LONGEST_TITLE].strip(),
        "error_type": own_failure.error_type,
        "message": own_failure.message,
        "category": rng.choice(("TYPE", "TIMEOUT", "CONFIG", "DATA", "NETWORK", "BUILD")),
        "subject": noun(rng),
        "tool": own_failure.language.tool,
        "language": own_failure.language.name,
        "location": {"file": inner["file"], "line": inner["line"]},
        "frames": [dict(frame) for frame in own_failure.frames[-4:]],
        "command": own_failure.command,
        "exit_code": rng.choice((1, 1, 1, 2, 101, 134)),
        "environment": {"os": "linux", "runtime": f"3.{digits(rng)}"},
        "excerpt": own_failure.text,
    }
    if rng.random() < 0.4:  # noqa: PLR2004  people add what they see, now and then
        data["symptom"] = fill("the {n} {vs} {r} when the {n} is {a}", rng)
    older = _earlier("error", number, rng)
    if older is not None and failure_at(plan, older) == failure_at(plan, number):
        data["links"] = {"duplicates": [id_at(plan, older)]}
    return data


def _patch(rng: random.Random) -> tuple[str, str]:
    language = rng.choice(LANGUAGES)
    path = f"{module(rng)}.{language.ending}"
    line = rng.randint(3, 500)
    before, after = code_line(language, rng), code_line(language, rng)
    lines = [f"--- a/{path}", f"+++ b/{path}", f"@@ -{line},5 +{line},6 @@ {snake(rng)}"]
    lines += [f"     {code_line(language, rng)}", f"     {code_line(language, rng)}"]
    lines += [f"-    {before}", f"+    {after}", f"+    {code_line(language, rng)}"]
    lines += [f"     {code_line(language, rng)}"]
    return path, "\n".join(lines) + "\n"


def _fix(plan: Plan, number: int, rng: random.Random, _created: datetime) -> dict[str, Any]:
    path, patch = _patch(rng)
    outcome = rng.choices(("worked", "partial", "failed", "unverified"), (60, 10, 20, 10))[0]
    after = "passed" if outcome == "worked" else "failed"
    data: dict[str, Any] = {
        "title": title(words.FIX_TITLES, rng),
        "approach": prose(rng, 2, 5),
        "steps": [title(words.FIX_TITLES, rng) for _ in range(rng.randint(0, 3))],
        "patch": patch,
        "outcome": outcome,
        "anchors": [{"path": path}],
        "verification": {
            "command": fill(rng.choice(LANGUAGES).command, rng),
            "before": {"result": "failed", "exit_code": 1},
            "after": {"result": after, "exit_code": int(after == "failed")},
            "seconds": round(rng.uniform(0.2, 90), 1),
        },
        "fixer": rng.choice(words.AUTHORS)[0],
    }
    if outcome == "failed":
        data["why_failed"] = prose(rng, 1, 3)
    elif rng.random() < 0.5:  # noqa: PLR2004
        data["lessons"] = prose(rng, 1, 3)
    error = _earlier("error", number, rng)
    if error is not None:
        data["links"] = {"fixes": [id_at(plan, error)]}
    return data


def _decision(plan: Plan, number: int, rng: random.Random, _created: datetime) -> dict[str, Any]:
    data: dict[str, Any] = {
        "title": title(words.DECISION_TITLES, rng),
        "status": rng.choices(("accepted", "proposed", "rejected"), (8, 1, 1))[0],
        "context": prose(rng, 2, 6),
        "decision": prose(rng, 1, 4),
        "rationale": prose(rng, 2, 6),
        "alternatives": [
            {"option": title(words.DECISION_TITLES, rng), "why_not": prose(rng, 1, 2)}
            for _ in range(rng.randint(1, 3))
        ],
        "consequences": prose(rng, 1, 4),
        "governs": [f"{module(rng).rpartition('/')[0]}/**"],
    }
    older = _earlier("decision", number, rng)
    if older is not None and rng.random() < 0.15:  # noqa: PLR2004
        data["links"] = {"supersedes": [id_at(plan, older)]}
    return data


def _note(plan: Plan, number: int, rng: random.Random, _created: datetime) -> dict[str, Any]:
    data: dict[str, Any] = {
        "title": title(words.NOTE_TITLES, rng),
        "type": rng.choice(("practice", "howto", "gotcha", "other")),
        "body": prose(rng, 6, 20),
        "anchors": [_anchor("py", rng)],
    }
    other = _earlier(rng.choice(("error", "decision")), number, rng)
    if other is not None:
        data["links"] = {"relates": [id_at(plan, other)]}
    return data


def _pattern(_plan: Plan, _number: int, rng: random.Random, _created: datetime) -> dict[str, Any]:
    language = rng.choice(LANGUAGES)
    code = [("    " if at else "") + code_line(language, rng) for at in range(rng.randint(4, 12))]
    return {
        "title": title(words.NOTE_TITLES, rng),
        "language": language.name,
        "code": "\n".join(code) + "\n",
        "when_to_use": prose(rng, 5, 11),
        "category": noun(rng),
        "complexity": rng.choice(("low", "medium", "high")),
    }


def _session(_plan: Plan, _number: int, rng: random.Random, created: datetime) -> dict[str, Any]:
    return {
        "title": title(words.SESSION_TITLES, rng),
        "goal": prose(rng, 1, 2),
        "started": _moment(created - timedelta(minutes=rng.randint(10, 300))),
        "ended": _moment(created),
        "success": rng.choices((True, False), (8, 2))[0],
        "summary": prose(rng, 4, 10),
        "branch": f"{noun(rng)}-{snake(rng).replace('_', '-')}",
        "changes": [
            {
                "path": f"{module(rng)}.py",
                "action": rng.choice(("edit", "edit", "edit", "create", "test")),
                "reason": title(words.FIX_TITLES, rng),
                "added": rng.randint(0, 80),
                "removed": rng.randint(0, 40),
            }
            for _ in range(rng.randint(1, 6))
        ],
        "tools_used": ["git", rng.choice(LANGUAGES).tool],
        "config": {constant(rng).lower(): int(digits(rng))},
    }


_BODIES: Final[dict[str, Callable[[Plan, int, random.Random, datetime], dict[str, Any]]]] = {
    "error": _error,
    "fix": _fix,
    "decision": _decision,
    "note": _note,
    "pattern": _pattern,
    "session": _session,
}
