"""Rules that fixes are kept as: what they match, and what of it a change brings. Pure.

A rule is data of a clone. It is handed to the tool that it names, and never run.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gitmem.diffs import ADDED, CONTEXT, REMOVED, FileDiff, Hunk

LONGEST: Final = 4_000
"""Letters of a rule."""
MOST_TEXT: Final = 1 << 19
"""Letters of a file in which it is looked for."""
MOST_MATCHES: Final = 200
"""In one file: what matches more says nothing."""
SEMGREP_SECONDS: Final = 30.0
"""It may need half of these to start: who has less time does not ask."""
_SHOWN: Final = 160
_TOOLS: Final = ("ast-grep", "semgrep")


class Rule(NamedTuple):
    """What must not come into the code again.

    Attributes:
        tool: what finds it: ``ast-grep`` or ``semgrep``.
        language: of the files in which it is looked for, by our name.
        pattern: code with holes, as the tool writes it; empty: there is a ``body``.
        body: a whole rule, as JSON.

    """

    tool: str
    language: str
    pattern: str
    body: str = ""

    @property
    def text(self) -> str:
        """The rule in a line, as far as one shows it."""
        line = " ".join((self.pattern or self.body).split())
        return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"

    @property
    def rule(self) -> dict[str, Any]:
        """The whole rule; of a pattern what says the same."""
        whole: dict[str, Any] = json.loads(self.body) if self.body else {"pattern": self.pattern}
        return whole

    def may_end_in(self, seconds: float) -> bool:
        """Tell whether its tool can answer in so many seconds."""
        return self.tool != "semgrep" or seconds >= SEMGREP_SECONDS

    def as_data(self) -> dict[str, Any]:
        """Give it as records hold it."""
        what = {"pattern": self.pattern} if self.pattern else {"rule": self.rule}
        return {"tool": self.tool, "language": self.language, **what}


def rule_in(data: Mapping[str, Any]) -> Rule | None:
    """Read the rule of a fix from its plain data; None: it has none that could be one.

    The types of records are left out, as importing them takes longer than reading many.
    """
    given = data.get("guard")
    if not isinstance(given, dict):
        return None
    tool, language = given.get("tool", _TOOLS[0]), given.get("language")
    pattern, body = given.get("pattern", ""), given.get("rule", {})
    texts = isinstance(language, str) and isinstance(pattern, str) and isinstance(body, dict)
    if not texts or tool not in _TOOLS or max(len(pattern), len(repr(body))) > LONGEST:
        return None
    if not (pattern.strip() or body):
        return None
    return Rule(tool, str(language), pattern, json.dumps(body, default=str) if body else "")


class Source(NamedTuple):
    """A text that is looked through: the file's name, what it says, its language by our name."""

    path: str
    text: str
    language: str


class RuleMatch(NamedTuple):
    """Where a rule matches: number of the source, first and last line from 1, the code there."""

    source: int
    first: int
    last: int
    code: str


class Checked(NamedTuple):
    """What a rule matches; ``problem``, in a line: why that is not known."""

    matches: Sequence[RuleMatch] = ()
    problem: str = ""


class ChangedPart(NamedTuple):
    """A part of a file that a change touches, before and after it.

    Attributes:
        before, after: the part's text; after it under the file's new name.
        first: number of the first line of ``after`` in the file.
        added: lines of ``after``, from 1, that the change brings.

    """

    before: Source
    after: Source
    first: int
    added: frozenset[int]


def parts_of(files: Sequence[FileDiff], language_of: Callable[[str], str]) -> list[ChangedPart]:
    """Give the parts of files that a change touches; what is shown whole is one part.

    Args:
        files: the change.
        language_of: names the language of a file.

    """
    return [
        _part(file, hunk, language_of(file.path))
        for file in files
        for hunk in file.hunks
        if (hunk.whole and any(sign == ADDED for sign, _ in hunk.lines))
        # Where a match goes, it may have moved here from another file.
        or any(sign == REMOVED for sign, _ in hunk.lines)
    ]


def _part(file: FileDiff, hunk: Hunk, language: str) -> ChangedPart:
    after = [(sign, text) for sign, text in hunk.lines if sign in (ADDED, CONTEXT)]
    added = frozenset(number for number, (sign, _) in enumerate(after, 1) if sign == ADDED)
    return ChangedPart(
        Source(file.old or file.path, _joined(hunk.side(REMOVED)), language),
        Source(file.path, _joined([text for _, text in after]), language),
        max(hunk.new_start, 1),
        added,
    )


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def brought(parts: Sequence[ChangedPart], matches: Sequence[RuleMatch]) -> list[tuple[str, int]]:
    """Tell where a change brings in what a rule matches: file and line, in their order.

    What stood before the change is no news: it may move anywhere as it is, and in its own part of
    its file take another form.

    Args:
        parts: of the change.
        matches: in the sources of the parts, each before and after.

    """
    before = [match for match in matches if match.source % 2 == 0]
    after = [match for match in matches if match.source % 2]
    # Of two that are the same, the one on untouched lines is the one that stood there.
    after.sort(key=lambda match: _is_touched(parts, match))
    new, gone = _unequal(after, before, lambda match: "".join(match.code.split()))
    new, _ = _unequal(new, gone, lambda match: match.source // 2)
    places = [
        (parts[match.source // 2].after.path, parts[match.source // 2].first + match.first - 1)
        for match in new
        if _is_touched(parts, match)
    ]
    return sorted(places)


def _unequal(
    after: Sequence[RuleMatch], before: Sequence[RuleMatch], key: Callable[[RuleMatch], object]
) -> tuple[list[RuleMatch], list[RuleMatch]]:
    """Give what is left of two lists where each match of one takes an equal one of the other."""
    there = Counter(map(key, before))
    new = []
    for match in after:
        if there[key(match)]:
            there[key(match)] -= 1
        else:
            new.append(match)
    gone = []
    for match in reversed(before):
        if there[key(match)]:
            there[key(match)] -= 1
            gone.append(match)
    return new, gone


def _is_touched(parts: Sequence[ChangedPart], match: RuleMatch) -> bool:
    added = parts[match.source // 2].added
    return not added.isdisjoint(range(match.first, match.last + 1))
