"""Is a fixed failure worth a record that everybody gets? One rule, in one place.

Shared memory must not fill with noise. Every pair of red and green is kept as a draft in the
local journal and helps its own developer; it becomes records only for one of the reasons here.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

from gitmem.capture.episodes import Episode
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch
from gitmem.capture.roles import is_document, is_test
from gitmem.lazy_pattern import lazily
from gitmem.matching.basis import TOOL, basis_of
from gitmem.plurals import counted

_MISSING: Final = lazily(
    r"cannot import name '(\w+)'|name '(\w+)' is not defined|has no attribute '(\w+)'"
    r"|No module named '(?:[\w.]*\.)?(\w+)'|(\w+) is not (?:a function|defined|a constructor)"
    r"|undefined: (?:\w+\.)?(\w+)|undefined (?:method|local variable or method) [`'](\w+)'"
    r"|cannot find \w+(?: or \w+)* `(\w+)`|no (?:function|method|associated item) named `(\w+)`"
    r"|symbol:\s+\w+ (\w+)|no member named '(\w+)'|[Uu]ndefined (?:function|symbol) '?(\w+)"
    r"|does not (?:exist on type|provide an export named) '(\w+)'|has no exported member '(\w+)'"
    r"|Cannot find module '([^'\n]+)'|unexpected keyword argument '(\w+)'"
    r"|[Uu]ndefined subroutine &(?:\w+::)*(\w+)|[Uu]ndefined method [\w\\]+::(\w+)"
)
"""What is said of a name that is not there."""


class RecordingPolicy(NamedTuple):
    """The figures of the rule, from the settings ``capture.*``."""

    attempts: int = 2
    minutes: float = 10.0


def reasons(
    episode: Episode, tries: int, *, committed: bool, is_known: bool, rule: RecordingPolicy
) -> list[str]:
    """Say why a fixed failure is worth remembering; empty if it is not.

    Args:
        episode: the failure with its runs.
        tries: how many edits were tried, the one that worked included. An edit after which
            another failure was gone is none (``episodes.meant_for_another``).
        committed: what was wrong stood in committed code.
        is_known: the memory, or an earlier episode, knew it already.
        rule: the figures.

    """
    if episode.green is None or episode.flaky:
        return []
    grounds = []
    if committed:
        grounds.append("the bug was already committed")
    if is_known:
        grounds.append("it was known already")
    if tries >= rule.attempts:
        grounds.append(f"it took {counted(tries, 'edit')}")
    minutes = (episode.green.at - episode.reds[0].at).total_seconds() / 60
    if minutes >= rule.minutes:
        grounds.append(f"it took {counted(round(minutes), 'minute')}")
    if any(run.ci for run in (*episode.reds, episode.green)):
        grounds.append("it was seen in CI")
    return grounds


def stood_in_committed_code(
    failure: FingerprintedFailure,
    patch: Patch,
    modified: Collection[str],
    is_new: Callable[[str], bool],
) -> bool:
    """Tell whether what an edit mended was everybody's, whoever wrote the test when.

    That is so where the files that the edit changed, or those in which the failure stands, were
    as they are committed, tests aside. A name that is missing and that the edit defines is no bug
    of that code: it is something new that grows.

    Args:
        failure: the failure.
        patch: the edit.
        modified: what differed from the commit when it was red.
        is_new: tells whether the commit lacks a file.

    """
    if grows(failure, patch):
        return False
    code = {file for file in patch.names if not is_test(file) and not is_document(file)}
    changed = {file for file in code if not is_new(file)}
    if changed and code.isdisjoint(modified):
        return True
    places = [frame for frame in failure.fields.get("frames") or () if frame.get("in_app")]
    # Of what a compiler says there are no frames, but the line that it says it of.
    places = places or [failure.fields.get("location") or {}]
    own = {file for place in places if (file := str(place.get("file", ""))) and not is_test(file)}
    return bool(own) and own.isdisjoint(modified) and not any(map(is_new, own)) and bool(code)


def says_little(failure: FingerprintedFailure) -> bool:
    """Tell whether nothing is known of a failure but how its command ended, or a line's sound."""
    return basis_of(failure.fields) != TOOL


def missing_name(fields: Mapping[str, Any]) -> str:
    """Give the name that a failure says is missing; empty if it says no such thing."""
    missing = _MISSING.search(str(fields.get("message", "")))
    return next(filter(None, missing.groups()), "") if missing else ""


def grows(failure: FingerprintedFailure, patch: Patch) -> bool:
    """Tell whether a failure only says that a name is missing which the edit defines anew."""
    missing = missing_name(failure.fields)
    if not missing:
        return False
    name = re.escape(missing)
    defines = re.compile(
        rf"\b(?:def|class|function|const|let|var|fn|func|struct|enum|type|interface|trait)\s+"
        rf"(?:\([^)]*\)\s*)?{name}\b|^{name}\s*[:=(]|\b[\w<>\[\]]+\s+{name}\s*\("
    )
    lines = {sign: [line for _, mark, line in patch.lines if mark == sign] for sign in "+-"}
    module = any(re.search(rf"(?:^|/){name}(?:\.\w+|/\w+\.\w+)$", file) for file in patch.files)
    return (any(map(defines.search, lines["+"])) and not any(map(defines.search, lines["-"]))) or (
        module and "\nnew file mode" in patch.text
    )
