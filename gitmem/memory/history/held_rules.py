"""Rules that fixes are kept as, held against a change: what it brings that they match."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from gitmem.answers.guarded import TakenBack
from gitmem.catalog.rows import Row
from gitmem.diffs import FileDiff
from gitmem.guards.rules import Rule, brought, parts_of, rule_in
from gitmem.guards.taken_back import FixTakenBack
from gitmem.memory.core.shown import read_data
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.history.held_fixes import HELD, error_of, held_ids, is_code, proof_of
from gitmem.plurals import counted
from gitmem.syntax.languages import language_of

SECONDS: Final = 60.0
HOOK_SECONDS: Final = 1.0
"""Who waits for a commit gets no answer at all after two."""
_MOST_RULES: Final = 50


class HeldRule(NamedTuple):
    """The rule of a fix, and what proves the fix."""

    fix: Row
    rule: Rule
    proof: str


def rules_of(workspace: Workspace, paths: Iterable[str]) -> list[HeldRule]:
    """Give the rules for the languages of some files, of fixes that may hold, the newest."""
    languages = {language_of(path) for path in paths if is_code(path)} - {""}
    if not languages:
        return []
    rows = workspace.ask(lambda now: now.catalog.with_rule(languages))
    held = sorted(
        (row for row in rows.values() if row.stated in HELD), key=lambda row: (row.created, row.id)
    )
    rules = []
    for row in reversed(held[-_MOST_RULES:]):
        data = read_data(workspace, row.path)
        if (rule := rule_in(data)) and data.get("applied") is not False:
            rules.append(HeldRule(row, rule, proof_of(data)))
    return rules


def told_by_rules(
    workspace: Workspace,
    paths: Iterable[str],
    change: Callable[[list[str]], Sequence[FileDiff]],
    seconds: float = SECONDS,
) -> tuple[list[TakenBack], int]:
    """Tell what a change brings that rules match, and of how many rules.

    What can't be looked for is one notice, and keeps nothing else from being told.

    Args:
        workspace: of the memory.
        paths: the files that the change touches.
        change: gives the change to some of them, each file whole; asked only if there is a rule.
        seconds: how long the tools may take together.

    """
    paths = list(paths)
    rules = rules_of(workspace, paths)
    if not rules:
        return [], 0
    from gitmem.guards.rule_check import checked, has_time  # noqa: PLC0415  few have rules

    rules = [held for held in rules if has_time(held.rule, seconds)]
    languages = {held.rule.language for held in rules}
    parts = parts_of(
        change([path for path in paths if language_of(path) in languages]), language_of
    )
    if not parts:
        return [], len(rules)
    sources = [source for part in parts for source in (part.before, part.after)]
    answers = checked([held.rule for held in rules], sources, seconds)
    found_at = []
    problems: dict[str, list[str]] = {}
    for held, answer in zip(rules, answers, strict=True):
        if answer.problem:
            problems.setdefault(answer.problem, []).append(held.fix.id)
        elif places := brought(parts, answer.matches):
            found_at.append((held, places))
    _tell_problems(workspace, problems)
    ids = held_ids(workspace, [held.fix for held, _ in found_at])
    taken = [_taken(workspace, held, places) for held, places in found_at if held.fix.id in ids]
    return taken, len(rules)


def _taken(workspace: Workspace, held: HeldRule, places: list[tuple[str, int]]) -> TakenBack:
    (path, line), count = places[0], len(places)
    change = FixTakenBack("rule", path, line, count, count, 1.0)
    return TakenBack(held.fix, error_of(workspace, held.fix), change, held.proof, held.rule.text)


def _tell_problems(workspace: Workspace, problems: dict[str, list[str]]) -> None:
    """Say in a line each why rules could not be looked for, and whose they are."""
    for problem, fixes in problems.items():
        more = f" and of {counted(len(fixes) - 1, 'other')}" if len(fixes) > 1 else ""
        workspace.notices.append(f"the rule of {fixes[0]}{more} is not looked for: {problem}")
