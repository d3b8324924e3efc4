"""What went wrong before a fix, as its commit tells it. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.exchange.git_messages import CLOSES, SYMPTOM, VERB, CommitMessage

_SHORT_NAME: Final = 2
"""Words of a test's name that tell nothing of what it tests."""
# How a title begins that tells what was done, and not what went wrong.
_ONLY_MENDS: Final = re.compile(
    r"(?:for|in|on|of|to|with|by|from|via|at)\s|(?:check|use|add|make|call|set|remove|ensure|return"
    r"|move|pass|keep|allow|update|change|replace|convert|skip|ignore|always|only|wrap|close|reset"
    r"|clear|initiali[sz]e|increase|decrease|rename|switch|try|catch|escape|strip|sort|copy|include"
    r"|exclude|support|require|validate|properly|correctly|adjust|improve|disable|enable|wait|retry"
    r"|take|put|give|get|let|apply|read|write|create|delete|define|declare|import|export|treat"
    r"|account|respect|honou?r|consider|compare|force)\b",
    re.IGNORECASE,
)
_FOR: Final = re.compile(r"for\s+(?:(?:the|an?)\s+)?", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n\s*(?:\n|[-*+]\s)")


def what_failed(message: CommitMessage) -> str:
    """Name what a fix mended, without the word fix: one line."""
    left = message.gist
    if match := VERB.match(left):
        left = left[match.end() :]
        left = re.sub(
            r"^(?:(?:for|of|an?|the)?\s*(?:issue|bug|ticket)\s*)?(?:#\d+"
            r"|GH-\d+)\s*[:,\-\u2013.]*\s*(?:where\s+)?",
            "",
            left,
            flags=re.IGNORECASE,
        )
        left = left.strip()
        if left.startswith("(") and left.endswith(")"):
            left = left[1:-1]
    if not left:
        left = next(
            (line.strip() for line in message.body.splitlines() if line.strip()), message.subject
        )
    return left[:300].strip()


def symptom_of(message: CommitMessage, tests: Sequence[str]) -> str:
    """Name what went wrong before a fix, in one line; empty where nothing tells.

    A subject that only says what was done gives way to the body, and that to an added test.

    Args:
        message: of the fix.
        tests: names of tests that came with it, as ``file::test``.

    """
    subject = what_failed(message)
    if not _ONLY_MENDS.match(subject):
        return subject
    if SYMPTOM.search(subject):
        return _FOR.sub("", subject)
    for sentence in _SENTENCE.split(message.body):
        line = " ".join(sentence.split()).lstrip("-*+ ")
        if SYMPTOM.search(line) and not CLOSES.match(line):
            return line[:300].strip()
    named = next((test.rpartition("::")[2] for test in tests), "")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", named.replace("_", " ")).split()
    return f"{named}: failed before this fix" if len(words) > _SHORT_NAME else ""
