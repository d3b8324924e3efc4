"""Questions to a made-up memory, drawn from what is in it."""

import random
import re
from collections.abc import Callable
from typing import Any, Final

from benchmarks.failures import failure
from benchmarks.records import Plan, failure_at, kind_at, make
from benchmarks.words import SYLLABLES, TAGS
from gitmem.records import codec

KINDS: Final = (
    "three words", "six words", "phrase", "filter and words", "pasted error", "fuzzy", "no hit",
)  # fmt: skip
"""Every kind of question, by the name that the table uses."""

_WORD = re.compile(r"[A-Za-z]{4,}")
_PROSE: Final = ("approach", "body", "summary", "context", "rationale", "when_to_use")
_IDLE: Final = {"when", "that", "this", "with", "from", "been", "does", "only", "while", "there"}


def questions(plan: Plan, count: int) -> dict[str, list[str]]:
    """Make ``count`` questions of each kind."""
    rng = random.Random(f"{plan.seed} questions")
    return {kind: [_MAKERS[kind](plan, rng) for _ in range(count)] for kind in KINDS}


def _record(plan: Plan, rng: random.Random, kinds: tuple[str, ...]) -> tuple[int, dict[str, Any]]:
    numbers = [at for at in range(min(plan.size, 20)) if kind_at(at) in kinds]
    rounds = (plan.size - 1 - rng.choice(numbers)) // 20
    number = rng.choice(numbers) + 20 * rng.randint(0, rounds)
    number = min(number, plan.size - 1)
    return number, codec.load(make(plan, number).data)


def _words(plan: Plan, rng: random.Random, count: int) -> str:
    """Take words out of one record, as someone does who half remembers it."""
    while True:
        _, data = _record(plan, rng, ("error", "fix", "decision", "note"))
        prose = " ".join(str(data.get(field, "")) for field in ("title", "message", *_PROSE))
        candidates = sorted({word.lower() for word in _WORD.findall(prose)} - _IDLE)
        if len(candidates) >= count:
            return " ".join(rng.sample(candidates, count))


def _phrase(plan: Plan, rng: random.Random) -> str:
    while True:
        _, data = _record(plan, rng, ("fix", "decision", "note"))
        prose = next((str(data[field]) for field in _PROSE if field in data), "")
        runs = re.findall(r"\b[a-z]+ [a-z]+ [a-z]{4,}\b", prose)
        if runs:
            return f'"{rng.choice(runs)}"'


def _filtered(plan: Plan, rng: random.Random) -> str:
    chosen = (
        "kind:error status:open", "kind:fix status:worked", "kind:decision", "since:2025-01",
        f"tag:{rng.choice(TAGS)}", f"kind:error tag:{rng.choice(TAGS)}", "path:src",
    )  # fmt: skip
    return f"{rng.choice(chosen)} {_words(plan, rng, 2)}"


def _pasted(plan: Plan, rng: random.Random) -> str:
    """Let a recorded failure show again, with other line numbers and values."""
    number, _ = _record(plan, rng, ("error",))
    return f"$ make test\n{failure(failure_at(plan, number), rng).text}\n"


def _fuzzy(plan: Plan, rng: random.Random) -> str:
    """Misspell one word by a swap of two letters, and ask loosely."""
    first, second = _words(plan, rng, 2).split()
    at = rng.randint(1, len(first) - 3)
    return f"{first[:at]}{first[at + 1]}{first[at]}{first[at + 2 :]}~2 {second}"


def _no_hit(_plan: Plan, rng: random.Random) -> str:
    return " ".join("q".join(rng.choices(SYLLABLES, k=3)) for _ in range(2))


_MAKERS: Final[dict[str, Callable[[Plan, random.Random], str]]] = {
    "three words": lambda plan, rng: _words(plan, rng, 3),
    "six words": lambda plan, rng: _words(plan, rng, 6),
    "phrase": _phrase,
    "filter and words": _filtered,
    "pasted error": _pasted,
    "fuzzy": _fuzzy,
    "no hit": _no_hit,
}
