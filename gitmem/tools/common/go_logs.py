"""What a test of Go logged, and which part of it says what failed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import FailureLocation

_SAID: Final = re.compile(r"\s+(?P<file>[^\s:]+\.go):(?P<line>\d+): ?(?P<message>.*)$")
VERDICT: Final = re.compile(r"(?P<indent>\s*)--- (?P<word>FAIL|PASS|SKIP): (?P<name>\S+) ")
_TURN: Final = re.compile(r"=== (?:RUN|CONT|NAME|PAUSE) +(?P<name>\S+)$")
_SOUNDS: Final = re.compile(
    r"\b(?:error|fail(?:ed|ure)?|expected|unexpected|want(?:ed)?|got|mismatch|should|must|not|no"
    r"|cannot|missing|invalid|nil|panic|wrong|diff(?:er)?)\b",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"(?:Error Trace|Error|Test|Messages):")
WANT: Final = re.compile(
    r"(?:(?:got|have|actual)[ :=]+|= )(?P<got>\S.{0,500}?)[,;]? "
    r"(?:want|expected)[ :=]+(?P<want>.+)$",
    re.IGNORECASE,
)
_MOST_ABOVE: Final = 3_000


def logged_above(lines: Sequence[str], at: int, name: str) -> tuple[int, list[str]]:
    """Gather what a test logged since it began; other tests may run beside it."""
    start = at
    begins = re.compile(rf"=== RUN +{re.escape(name)}$")
    while start > 0 and start > at - _MOST_ABOVE and not begins.match(lines[start]):
        start -= 1
    if not begins.match(lines[start]):
        return at, []
    logged: list[str] = []
    current = name
    for line in lines[start:at]:
        if turn := _TURN.match(line):
            current = turn["name"]
        elif current == name and line.startswith("    ") and not VERDICT.match(line):
            logged.append(line)
    return start, logged


def telling_part(lines: Sequence[str]) -> tuple[FailureLocation | None, str]:
    """Choose of what a test logged the part that says what failed: plain logs look the same."""
    parts: list[tuple[FailureLocation, list[str]]] = []
    for line in lines:
        match = _SAID.match(line)
        if match:
            place = FailureLocation(match["file"], int(match["line"]))
            parts.append((place, [match["message"]]))
        elif parts:
            parts[-1][1].append(line.strip())
    if not parts:
        return None, "\n".join(line.strip() for line in lines)
    texts = [(place, _of_testify(words)) for place, words in parts]
    for pattern in (WANT, _SOUNDS):
        for place, text in texts:
            if pattern.search(text):
                return place, text
    return texts[-1]


def _of_testify(words: Sequence[str]) -> str:
    """Give the message; of testify's table the part that says what is wrong."""
    first = next((at for at, word in enumerate(words) if word.startswith("Error:")), None)
    if first is None:
        return "\n".join(words).strip()
    end = first + 1
    while end < len(words) and not _LABEL.match(words[end]):
        end += 1
    error_lines = [words[first].removeprefix("Error:").strip(), *words[first + 1 : end]]
    return " ".join(word.strip() for word in error_lines if word.strip())
