"""What a commit tells of the failure that it fixed: its type and message, the tests it adds."""

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from gitmem.diffs import ADDED, read_files
from gitmem.tools.choice import alternatives, values

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.exchange.git_messages import CommitMessage

_MOST_TESTS: Final = 20
_LONGEST_MESSAGE: Final = 300
_TYPE: Final = re.compile(
    r"(?<![\w.$])(?P<name>(?:[a-z_]\w*\.){0,4}[A-Z]\w*(?:Error|Exception))\b"
    r"(?::[ ]+(?P<message>[^\n`]{3,300}))?"
)
_WANTED: Final = re.compile(
    r"(?:^|\b(?:now|should|must|will|to|and|instead)\s+)(?:re-?)?(?:raise|throw|return)s?\s+$",
    re.IGNORECASE,
)
"""What a program does after the fix: it raises this, so it is not what failed."""
_QUOTED: Final = re.compile(r"^(?P<quote>['\"])(?P<inner>[^'\"]*)(?P=quote)[.,;]?$")
_GOES_ON: Final = re.compile(
    r"(?:\s+(?:(?:when|whenever|while|because|since)\s.*|(?:for|in|on|from|by)\s+[\w.]+\([^()]*\)))?"
    r"[.,;]?$"
)
"""How a sentence goes on behind a message that stands in it."""
_FUNCTION: Final = re.compile(
    r"\s*(?:pub |public |async |static |void |fun |fn |final )+(?P<name>\w+)\s*\("
)


def named_failure(message: "CommitMessage") -> dict[str, str]:
    """Give type, code and message of the failure that a commit's message names.

    A type that the program is to raise after the fix is none, and of several nobody can tell
    which one it was.
    """
    text = f"{message.gist}\n{message.body}"
    by_type: dict[str, str] = {}
    for match in _TYPE.finditer(text):
        before = text[: match.start("name")].rpartition("\n")[2].rstrip("`'\"")
        if _WANTED.search(re.sub(r"\s+(?:an?|the)\s*$", " ", before)):
            continue
        quoted = (match["message"] or "").strip()
        if not text.startswith("`", match.end()):
            quoted = _GOES_ON.sub("", quoted, count=1)
        by_type[match["name"]] = by_type.get(match["name"]) or quoted
    fields = {}
    if len(by_type) == 1:
        ((fields["error_type"], quoted),) = by_type.items()
        if quoted:
            is_key = fields["error_type"] == "KeyError"  # which is printed in quotes
            inner = None if is_key else _QUOTED.match(quoted)
            fields["message"] = (inner["inner"] if inner else quoted)[:_LONGEST_MESSAGE]
    codes = set(_code().findall(text))
    if len(codes) == 1:
        fields["code"] = codes.pop()
    return fields


@cache
def _code() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)({alternatives('identity.prose_code')})(?!\w)")


@cache
def _definitions() -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, values("silence.definition").values()))


@cache
def _mark() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{alternatives('silence.mark')})")


def added_tests(patch: str, is_test: "Callable[[str], object]") -> list[str]:
    """Name the tests that a patch adds, as ``file::test``: they failed before it.

    Args:
        patch: a unified diff.
        is_test: tells whether a file holds tests.

    """
    names: list[str] = []
    for file in read_files(patch):
        if not is_test(file.path):
            continue
        marked = False
        for hunk in file.hunks:
            for sign, line in hunk.lines:
                if sign != ADDED:
                    marked = marked and not line.strip()
                    continue
                match = next(filter(None, (test.match(line) for test in _definitions())), None)
                if match is None and marked:
                    match = _FUNCTION.match(line)
                if match:
                    names.append(f"{file.path}::{match['name']}")
                marked = bool(_mark().match(line)) or (marked and not match)
    return list(dict.fromkeys(names))[:_MOST_TESTS]
