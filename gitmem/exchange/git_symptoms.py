"""What went wrong before a fix, as its commit tells it. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.exchange.git_messages import CLOSES, PLAIN_SYMPTOM, SYMPTOM, VERB, CommitMessage

_SHORT_NAME: Final = 2
"""Words of a test's name that tell nothing of what it tests."""
# How a title begins that tells what was done, and not what went wrong.
_ONLY_MENDS: Final = re.compile(
    r"(?:for|in|on|of|to|with|by|from|via|at|and)\s|(?:check|use|add|make|call|set|remove|ensure|return"
    r"|move|pass|keep|allow|update|change|replace|convert|skip|ignore|always|only|wrap|close|reset"
    r"|clear|initiali[sz]e|increase|decrease|rename|switch|try|catch|escape|strip|sort|copy|include"
    r"|exclude|support|require|validate|properly|correctly|adjust|improve|disable|enable|wait|retry"
    r"|take|put|give|get|let|apply|read|write|create|delete|define|declare|import|export|treat"
    r"|account|respect|honou?r|consider|compare|force)\b",
    re.IGNORECASE,
)
_FOR: Final = re.compile(r"for\s+(?:(?:the|an?)\s+)?", re.IGNORECASE)
_OF: Final = re.compile(
    r"(?:(?:an?|the|some) )?(?:bug|issue|problem)s? (?P<where>where|when|with) ", re.IGNORECASE
)
_NUMBERED: Final = re.compile(
    r"\s*\((?:(?:fix(?:e[sd])?|close[sd]?|see|issue|bug)\b[^()]*)?\)", re.IGNORECASE
)
_BETTER: Final = re.compile(r"\s+(?:correctly|properly|gracefully|better|well)\b", re.IGNORECASE)
_SAID_OF: Final = (
    (
        re.compile(r"(?:correct|repair|unbreak|restore)(?:e?s|e?d)?\s+", re.IGNORECASE),
        "{} was wrong",
    ),
    (re.compile(r"handle[sd]?\s+", re.IGNORECASE), "not handled: {}"),
    (re.compile(r"(?:do(?:es)? ?(?:not|n't)|never)\s+", re.IGNORECASE), "did {}"),
    (
        re.compile(
            r"(?:prevent(?:s|ed)?|avoid(?:s|ed)?|stop(?:s|ped)?|guards?(?: against)?|work ?around"
            r"|recovers? from)\s+",
            re.IGNORECASE,
        ),
        "{}",
    ),
)
"""Words before what went wrong, and how it is told without them."""
_HEAD_ENDS: Final = re.compile(
    r"\s(?:in|for|of|with|on|at|from|to|by|during|since|as|under|via|between|across|into|after)\s"
)
_CLAUSE: Final = re.compile(
    r"\b(?:not|no longer|never|without|instead of|too|when|if|while|where|twice)\b|n't\b"
    r"|\w+ed (?:for|by|in|as|to|from|at|on|with)\b"
)
_TROUBLE: Final = re.compile(
    rf"(?:{SYMPTOM.pattern})|(?:bug|issue|problem|mistake|mismatch|conflict)s?", re.IGNORECASE
)
_EARLIER: Final = re.compile(
    r"\b(?:prior to this|previously|before this|until now|so far)\b", re.IGNORECASE
)
_NO_SYMPTOM: Final = re.compile(
    r"\b(?:this|that|it|which) (?:is|was) (?:an? )?\w+\.?$|^Traceback\b", re.IGNORECASE
)
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
    whole = what_failed(message)
    subject = _NUMBERED.sub("", CLOSES.sub("", whole)).strip(" .,;") or whole
    of = _OF.match(subject)
    subject = subject[of.end() :] if of else subject
    only_mends = _ONLY_MENDS.match(subject)
    said_of = [(form, template) for form, template in _SAID_OF if form.match(subject)]
    if (only_mends and PLAIN_SYMPTOM.search(subject)) or (of and of["where"] != "with"):
        return _FOR.sub("", subject)
    if said_of and not only_mends:
        left = _BETTER.sub("", said_of[0][0].sub("", subject, count=1))
        return left if SYMPTOM.search(left) else said_of[0][1].format(left)
    if not only_mends and _tells_what_failed(subject):
        return subject
    for sentence in _SENTENCE.split(message.body):
        line = " ".join(sentence.split()).lstrip("-*+ ")
        tells = SYMPTOM.search(line) or _EARLIER.search(line)
        if tells and not (CLOSES.match(line) or _NO_SYMPTOM.search(line)):
            return line[:300].strip()
    named = next((test.rpartition("::")[2] for test in tests), "")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", named.replace("_", " ")).split()
    if len(words) > _SHORT_NAME:
        return f"{named}: failed before this fix"
    if only_mends or not VERB.match(message.gist):
        # What was done; after the word fix stands what was wrong.
        return "" if only_mends or message.type.startswith("fix") else subject
    head = _HEAD_ENDS.split(subject, maxsplit=1)[0]
    several = head.endswith("s") and not head.endswith("ss")
    return f"{subject} {'were' if several else 'was'} wrong"


def _tells_what_failed(subject: str) -> bool:
    """Tell whether a subject says that something went wrong, and not only with what."""
    head = _HEAD_ENDS.split(subject, maxsplit=1)[0]
    last = head.split()[-1] if head.split() else ""
    return bool(
        PLAIN_SYMPTOM.search(subject) or _CLAUSE.search(subject) or _TROUBLE.fullmatch(last)
    )
