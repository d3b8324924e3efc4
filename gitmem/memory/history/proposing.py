"""Proposes a rule from the patch of a fix, and holds it against the history.

A rule must match the code before the fix, and not the code after it. Whoever keeps it sees where
else it matches, and which commits it would have told.
"""

import os
import re
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from gitmem.answers.guard_rules import PlaceOfCode, Proposal
from gitmem.capture.applying import PatchRefusedError, patched, splices
from gitmem.catalog.rows import Row
from gitmem.diffs import ADDED, REMOVED, FileDiff, read_files
from gitmem.errors import EnvironmentProblem, InvalidError, NotFoundError
from gitmem.git.command import git
from gitmem.git.file_versions import blob_text, commits_changing, versions
from gitmem.git.git_dirs import GitDirs
from gitmem.guards import ast_grep
from gitmem.guards.rule_check import checked
from gitmem.guards.rules import (
    MOST_TEXT,
    ChangedPart,
    Rule,
    RuleMatch,
    Source,
    brought,
    parts_of,
    rule_in,
)
from gitmem.memory.core.shown import read_data
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.history.held_fixes import is_code
from gitmem.memory.writing.record_edit import edit_record
from gitmem.memory.writing.writer import Writer
from gitmem.records import codec
from gitmem.syntax.languages import endings_of, language_of
from gitmem.worktree import read_text

_SECONDS: Final = 60.0
_MOST_VERSIONS: Final = 300
_MOST_TODAY: Final = 20
"""Other places of today: a pattern with more is likely to say something else."""
_MOST_FILES: Final = 4_000
_MOST_BYTES: Final = 32 << 20
_BATCH: Final = 8 << 20
"""Letters of diffs that a tool is asked about at once."""
_MOST_COMMITS: Final = 300
_MOST_PATTERNS: Final = 60
_MOST_TRIED: Final = 8
_BY_HAND: Final = "write one by hand into its record: gitmem edit FIX"
_ONLY_ADDS: Final = "no rule follows from a fix that only adds lines: no pattern is gone with it"
_NOTHING_GENERAL: Final = "no pattern matches the code before this fix and not after it"
_WORD: Final = re.compile(r"\w+")


class _State(NamedTuple):
    """A file of a fix, before and after it, and the lines that go, from 1."""

    before: Source
    after: Source
    lines: list[int]


def propose_rule(writer: Writer, fix: Row, may_keep: Callable[[Proposal], bool]) -> Proposal:
    """Propose a rule for a fix, or check the one that its record has.

    Args:
        writer: of the memory.
        fix: the fix.
        may_keep: asked whether a new rule that holds is written into the record.

    Raises:
        InvalidError: the rule of the record is none, or too much for its tool.
        NotFoundError: its code is not in the history, or no rule follows from it.

    """
    workspace = writer.workspace
    git_dirs = workspace.site.require_git()
    data = read_data(workspace, fix.path)
    files = [file for file in read_files(str(data.get("patch", ""))) if is_code(file.path)]
    recorded = rule_in(data)
    states = [state for file in files if (state := _state(git_dirs, file))]
    if not states:
        hint = f"write a rule by hand: gitmem edit {fix.id}"
        raise NotFoundError(f"the code before {fix.id} is not in the history", hint)
    until = time.monotonic() + _SECONDS
    today = _Today(workspace, git_dirs)
    rule = recorded or _best(states, files, today, until)
    matches = _matches(rule, _sources(states), until)
    before = [match for match in matches if match.source % 2 == 0]
    after = [match for match in matches if match.source % 2]
    commits, hits = _in_history(git_dirs, rule, until)
    proposal = Proposal(
        fix,
        rule,
        recorded is not None,
        [PlaceOfCode(states[match.source // 2].before.path, match.first) for match in before],
        [PlaceOfCode(states[match.source // 2].after.path, match.first) for match in after],
        today.places(rule, until),
        commits,
        hits,
    )
    if recorded is None and proposal.holds and may_keep(proposal):
        now = codec.load(workspace.store.read(fix.path))
        edit_record(writer, fix, codec.dump({**now, "guard": rule.as_data()}))
    return proposal


def _state(git_dirs: GitDirs, file: FileDiff) -> _State | None:
    """Give a file as it was before a fix and as the fix left it; None: it is not in the history."""
    if not file.old or not file.new or file.header.binary:
        return None
    first = [file.header.old_blob] if file.header.old_blob.strip("0") else []
    for blob in (*first, *versions(git_dirs, file.new, _MOST_VERSIONS)):
        before = blob_text(git_dirs, blob, MOST_TEXT)
        try:
            gone = splices(before, file.hunks, fuzz=0) if before else []
        except PatchRefusedError:
            continue
        if before and gone:
            lines = [number + 1 for each in gone for number in range(each.start, each.end)]
            language = language_of(file.new)
            after = Source(file.new, patched(before, gone), language)
            return _State(Source(file.old, before, language), after, lines)
    return None


def _best(
    states: Sequence[_State], files: Sequence[FileDiff], today: "_Today", until: float
) -> Rule:
    """Choose among the patterns of the code that a fix removed: the most general that holds."""
    if problem := ast_grep.why_not():
        raise EnvironmentProblem(problem, "or write a rule by hand: gitmem edit")
    gone = _words(files, REMOVED) - _words(files, ADDED)
    rules = list(
        dict.fromkeys(
            Rule("ast-grep", state.before.language, pattern)
            for state in states
            for pattern in ast_grep.grown(state.before, state.lines, sorted(gone))
        )
    )[:_MOST_PATTERNS]
    answers = checked(rules, _sources(states), until - time.monotonic())
    holding = [
        rule
        for rule, answer in zip(rules, answers, strict=True)
        if answer.matches and all(match.source % 2 == 0 for match in answer.matches)
    ]
    for rule in holding[:_MOST_TRIED]:
        if len(today.places(rule, until)) <= _MOST_TODAY:
            return rule
    if not any(state.lines for state in states):
        raise NotFoundError(_ONLY_ADDS, _BY_HAND)
    raise NotFoundError(_NOTHING_GENERAL, _BY_HAND)


def _words(files: Sequence[FileDiff], sign: str) -> set[str]:
    lines = (line for file in files for hunk in file.hunks for line in hunk.lines)
    return {word for line_sign, text in lines if line_sign == sign for word in _WORD.findall(text)}


def _sources(states: Sequence[_State]) -> list[Source]:
    return [source for state in states for source in (state.before, state.after)]


def _matches(rule: Rule, sources: Sequence[Source], until: float) -> Sequence[RuleMatch]:
    """Look for a rule in all of some texts.

    Raises:
        InvalidError: it is no rule, or too much for its tool.

    """
    seconds = until - time.monotonic()
    (answer,) = checked([rule], sources, seconds, each=seconds)
    if answer.problem:
        raise InvalidError(f"{rule.text}: {answer.problem}", "gitmem edit changes a rule")
    return answer.matches


class _Today:
    """The files that git tracks, as they are."""

    def __init__(self, workspace: Workspace, git_dirs: GitDirs) -> None:
        self._root = git_dirs.root
        self._folder = f"{workspace.site.folder_in_repository}/"
        self._sources: dict[str, list[Source]] = {}

    def places(self, rule: Rule, until: float) -> list[PlaceOfCode]:
        """Tell where a rule matches in the files of its language."""
        if rule.language not in self._sources:
            self._sources[rule.language] = self._read(rule.language)
        sources = self._sources[rule.language]
        matches = _matches(rule, sources, until) if sources else ()
        return [PlaceOfCode(sources[match.source].path, match.first) for match in matches]

    def _read(self, language: str) -> list[Source]:
        names = git(self._root, "ls-files", "-z").split(b"\0")
        paths = [path for path in map(os.fsdecode, names) if language_of(path) == language]
        sources, size = [], 0
        for path in paths[:_MOST_FILES]:
            text = None if path.startswith(self._folder) else read_text(self._root, path, MOST_TEXT)
            size += len(text or "")
            if size > _MOST_BYTES:
                break
            if text and is_code(path):
                sources.append(Source(path, text, language))
        return sources


def _in_history(git_dirs: GitDirs, rule: Rule, until: float) -> tuple[int, list[PlaceOfCode]]:
    """Tell which of the newest commits bring in what a rule matches, and of how many."""
    globs = [f"**/*.{ending}" for ending in endings_of(rule.language)]
    count, hits = 0, []
    batch: list[tuple[str, list[ChangedPart]]] = []
    size = 0
    for commit, diff in commits_changing(git_dirs, globs, _MOST_COMMITS, _MOST_BYTES):
        files = [file for file in read_files(diff) if is_code(file.path)]
        batch.append((commit, parts_of(files, language_of)))
        count, size = count + 1, size + len(diff)
        if size > _BATCH:
            hits += _told_of(batch, rule, until)
            batch, size = [], 0
    return count, [*hits, *_told_of(batch, rule, until)]


def _told_of(
    commits: Sequence[tuple[str, list[ChangedPart]]], rule: Rule, until: float
) -> list[PlaceOfCode]:
    """Give the first place of each commit that a rule would have told; all are asked at once."""
    sources = [
        source for _, parts in commits for part in parts for source in (part.before, part.after)
    ]
    matches = _matches(rule, sources, until) if sources else ()
    hits, first = [], 0
    for commit, parts in commits:
        last = first + 2 * len(parts)
        own = [
            match._replace(source=match.source - first)
            for match in matches
            if first <= match.source < last
        ]
        hits += [PlaceOfCode(*place, commit) for place in brought(parts, own)[:1]]
        first = last
    return hits
