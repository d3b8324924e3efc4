"""The two forms in which matchers are written: of GitHub's workflows and of VS Code's tasks.

Numbers of groups that are not given have defaults in VS Code only, and only where a matcher has a
single pattern. Names that begin with ``$`` are VS Code's own matchers; what these read is known.
"""

import json
import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from gitmem.tools.choice import borne
from gitmem.tools.matchers.dialect import LinePattern, RefusedPattern, line_pattern
from gitmem.tools.matchers.words import best_words

MOST_PATTERNS: Final = 10
_GROUPS: Final = ("file", "fromPath", "location", "line", "column", "severity", "code", "message")
_MOST_NAME: Final = 60
_LONGEST_FOLDER: Final = 200
# A string to its end, or a comment; of text that ends too early they take all.
_JSON_PIECES: Final = re.compile(
    r'("(?:[^"\\]|\\.)*(?:"|\\?\Z))|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL
)
_TRAILING: Final = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\\?\Z))|,(?=\s{0,2000}[}\]])', re.DOTALL)
_ROOT: Final = re.compile(r"\$\{(?:workspaceFolder|workspaceRoot|cwd)\}[/\\]?")
_NAME: Final = re.compile(r"[^\x00-\x1f\x7f]{1,60}")


class MatcherLine(NamedTuple):
    """One pattern of a matcher, for one line.

    Attributes:
        pattern: what the line looks like.
        groups: which group holds what.
        loops: it is asked of the lines after it, too, until one does not match.

    """

    pattern: LinePattern
    groups: Mapping[str, int]
    loops: bool = False


class Matcher(NamedTuple):
    """A tool of the repository's: how its findings look.

    Attributes:
        name: of the tool, which failures bear.
        severity: of findings that tell none.
        folder: that the tool's paths begin in, relative to the repository; empty: that.
        lines: patterns for the lines of a finding, in order.
        key: index of the pattern that is looked for first.
        words: of which one stands in each line that this pattern matches.

    """

    name: str
    severity: str
    folder: str
    lines: tuple[MatcherLine, ...]
    key: int
    words: tuple[str, ...]


class Written(NamedTuple):
    """A matcher as it stands in a file: what it says, and whose form it has."""

    name: str
    given: Mapping[str, Any]
    of_editor: bool


def read_json(text: str) -> object:
    """Read JSON, with comments and commas at the end of lists; raise ValueError for others."""
    try:
        return json.loads(text)
    except ValueError:
        text = _JSON_PIECES.sub(lambda match: match[1] or "", text)
        return json.loads(_TRAILING.sub(lambda match: match[1] or "", text))


def written_in(data: object) -> Iterator[Written]:
    """Give the matchers that plain data holds, in either form."""
    if not isinstance(data, Mapping):
        return
    own = data.get("problemMatcher")
    if "tasks" in data or "version" in data:
        tasks = data.get("tasks")
        for task in [data, *(tasks if isinstance(tasks, list) else [])]:
            yield from _of_task(task)
        return
    for given in own if isinstance(own, list) else [own]:
        if isinstance(given, Mapping):
            yield Written(_text(given.get("owner")), given, of_editor=False)


def _of_task(task: object) -> Iterator[Written]:
    if not isinstance(task, Mapping):
        return
    own = task.get("problemMatcher")
    for given in own if isinstance(own, list) else [own]:
        if isinstance(given, Mapping) and isinstance(given.get("pattern"), Mapping | list):
            command = _text(task.get("command")).split(" ")[0]
            name = _text(given.get("source")) or _text(given.get("owner"))
            yield Written(name or os.path.basename(command) or "external", given, of_editor=True)


def matcher(written: Written) -> Matcher:
    """Make a matcher of what a file says.

    Raises:
        RefusedPattern: if it can't be used.

    """
    given = written.given
    name = written.name.strip()
    if not _NAME.fullmatch(name):
        raise RefusedPattern("has no owner, or one that is no name")
    patterns = given.get("pattern")
    patterns = patterns if isinstance(patterns, list) else [patterns]
    if not patterns or len(patterns) > MOST_PATTERNS:
        raise RefusedPattern(f"has no pattern, or more than {MOST_PATTERNS}")
    lines = []
    for number, each in enumerate(patterns, 1):
        try:
            lines.append(
                _line(each, written, last=number == len(patterns), alone=len(patterns) == 1)
            )
        except RefusedPattern as refused:
            raise RefusedPattern(f"pattern {number} {refused}") from None
    if not any("message" in line.groups for line in lines):
        raise RefusedPattern("has no group for a message")
    words = [best_words(line.pattern.tree) for line in lines]
    weights = [min(map(len, each), default=0) for each in words]
    key = max(range(len(lines)), key=lambda at: weights[at])
    if not weights[key]:
        raise RefusedPattern("has no fixed text in its patterns: any line could be meant")
    severity = severity_of(_text(given.get("severity"))) or "error"
    folder = _folder(given.get("fileLocation")) if written.of_editor else ""
    return Matcher(borne(name), severity, folder, tuple(lines), key, words[key])


def _line(given: object, written: Written, *, last: bool, alone: bool) -> MatcherLine:
    if not isinstance(given, Mapping):
        raise RefusedPattern("is no mapping")
    pattern = line_pattern(given.get("regexp"))
    groups = {}
    for name in _GROUPS:
        value = given.get(name)
        number = int(value) if isinstance(value, int) and not isinstance(value, bool) else None
        if number is None and isinstance(value, str) and value.isdecimal():
            number = int(value[:4])
        if number is None:
            continue
        if not 0 <= number <= pattern.compiled.groups:
            raise RefusedPattern(f"has no group {number} for {name}")
        groups[name] = number
    if written.of_editor and alone:
        whole = given.get("kind") == "file" or "location" in groups
        usual = {"file": 1, "message": 0} | ({} if whole else {"line": 2, "column": 3})
        usual = {name: at for name, at in usual.items() if at <= pattern.compiled.groups}
        groups = usual | groups
    return MatcherLine(pattern, groups, loops=last and not alone and given.get("loop") is True)


def severity_of(word: str) -> str:
    """Read a word for how bad it is; empty: it is none."""
    word = word.strip().lower()
    if word in ("error", "e", "err", "fatal", "fatal error"):
        return "error"
    return (
        "warning" if word in ("warning", "warn", "w", "info", "i", "notice", "note", "hint") else ""
    )


def _folder(given: object) -> str:
    """Give the folder that paths are relative to, as far as it lies in the repository."""
    base = given[1] if isinstance(given, list) and len(given) > 1 else ""
    if not isinstance(base, str) or len(base) > _LONGEST_FOLDER:
        return ""  # of ``search``: where it is searched says nothing about names
    folder = posixpath.normpath(_ROOT.sub("", base) or ".")
    outside = folder.startswith(("..", "/", "$"))
    return "" if outside or folder == "." else folder


def _text(value: object) -> str:
    return value[: _MOST_NAME + 1] if isinstance(value, str) else ""
