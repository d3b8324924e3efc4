"""Rules that fixes are kept as, held against a change: what it brings that they match."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from gitmem.answers.guarded import Guarded, TakenBack
from gitmem.catalog.rows import Row
from gitmem.guards.rules import ChangedPart, Rule, brought, rule_in
from gitmem.guards.taken_back import FixTakenBack
from gitmem.memory.core.shown import read_data
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.history.held_fixes import HELD, error_of, held_ids, is_code, proof_of
from gitmem.plurals import counted
from gitmem.syntax.languages import language_of

SECONDS: Final = 60.0
HOOK_SECONDS: Final = 1.0
"""Who waits for a commit gets no answer at all after two."""
EDIT_SECONDS: Final = 1.0
"""An assistant waits as long after each edit, and an editor's hint may be as late."""
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


class RuleQuestion(NamedTuple):
    """Rules, and the changed parts in which they are looked for: it can be asked in any thread.

    Attributes:
        rules: of fixes that may hold.
        parts: what changes.
        seconds: how long the tools may take together.
        beside: gives these parts again, and what else changes, from where a match may have moved.

    """

    rules: list[HeldRule]
    parts: list[ChangedPart]
    seconds: float
    beside: Callable[[], list[ChangedPart]] | None = None

    def asked(self) -> "RuleAnswers":
        """Look for the rules."""
        until = time.monotonic() + self.seconds
        if not self.parts:
            return RuleAnswers([], [], len(self.rules))
        answers = _looked_for(self.rules, self.parts, self.seconds)
        if answers.brought and self.beside:
            rules = [held for held, _ in answers.brought]
            left = _looked_for(rules, self.beside(), until - time.monotonic())
            answers = answers._replace(
                brought=left.brought, problems=[*answers.problems, *left.problems]
            )
        return answers


class RuleAnswers(NamedTuple):
    """What rules match of what a change brings.

    Attributes:
        brought: rules with the places, file and line, where the change brings what they match.
        problems: rules that could not be looked for, each with the reason, in a line.
        rules: how many were asked about.

    """

    brought: list[tuple[HeldRule, list[tuple[str, int]]]]
    problems: list[tuple[HeldRule, str]]
    rules: int

    @property
    def notices(self) -> list[str]:
        """Why rules were not looked for, in a line each, and whose they are."""
        fixes: dict[str, list[str]] = {}
        for held, problem in self.problems:
            fixes.setdefault(problem, []).append(held.fix.id)
        return [
            f"the rule of {ids[0]}{_more(len(ids) - 1)} is not looked for: {problem}"
            for problem, ids in fixes.items()
        ]


def _more(count: int) -> str:
    return f" and of {counted(count, 'other')}" if count else ""


def _looked_for(
    rules: Sequence[HeldRule], parts: Sequence[ChangedPart], seconds: float
) -> RuleAnswers:
    from gitmem.guards.rule_check import checked  # noqa: PLC0415  few have rules

    sources = [source for part in parts for source in (part.before, part.after)]
    answers = checked([held.rule for held in rules], sources, seconds)
    found_at = []
    problems = []
    for held, answer in zip(rules, answers, strict=True):
        if answer.problem:
            problems.append((held, answer.problem))
        elif places := brought(parts, answer.matches):
            found_at.append((held, places))
    return RuleAnswers(found_at, problems, len(rules))


def rule_question(
    workspace: Workspace,
    paths: Iterable[str],
    change: Callable[[list[str]], Sequence[ChangedPart]],
    seconds: float,
) -> RuleQuestion | None:
    """Prepare what rules are asked about a change; None: no rule is about its languages.

    Args:
        workspace: of the memory.
        paths: the files that the change touches.
        change: gives the change to some of them, each file whole; asked only if there is a rule.
        seconds: how long the tools may take together; rules whose tool needs more are left out.

    """
    paths = list(paths)
    rules = [held for held in rules_of(workspace, paths) if held.rule.may_end_in(seconds)]
    if not rules:
        return None
    languages = {held.rule.language for held in rules}
    parts = change([path for path in paths if language_of(path) in languages])
    return RuleQuestion(rules, list(parts), seconds)


def with_rules(workspace: Workspace, guarded: Guarded, answers: RuleAnswers) -> Guarded:
    """Add what rules tell, but for fixes of which the change itself tells."""
    fixes = {taken.fix.id for taken in guarded.taken_back}
    new = [taken for taken in _taken_back_by(workspace, answers) if taken.fix.id not in fixes]
    return guarded._replace(taken_back=[*guarded.taken_back, *new], rules=answers.rules)


def _taken_back_by(workspace: Workspace, answers: RuleAnswers) -> list[TakenBack]:
    """Tell which fixes hold of those whose rules match."""
    ids = held_ids(workspace, [held.fix for held, _ in answers.brought])
    return [_taken(workspace, *each) for each in answers.brought if each[0].fix.id in ids]


def _taken(workspace: Workspace, held: HeldRule, places: list[tuple[str, int]]) -> TakenBack:
    (path, line), count = places[0], len(places)
    change = FixTakenBack("rule", path, line, count, count, 1.0)
    return TakenBack(held.fix, error_of(workspace, held.fix), change, held.proof, held.rule.text)
