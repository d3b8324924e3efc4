"""What a Kaizen memory shows: test runs, fix attempts, interactions, as plain data classes."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitmem.diffs import ADDED, REMOVED, read_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.learning.progress import MeasuredAttempt
    from gitmem.llm.interactions import Interaction
    from gitmem.records import parts


@dataclass
class KaizenTestCase:
    """One test and how it ended: ``passed``, ``failed`` or ``error``."""

    __test__ = False

    test_name: str
    status: str
    input: str = ""
    expected_output: str = ""
    actual_output: str = ""
    error_message: str = ""
    failing_function: str = ""
    failing_line: int | None = None


@dataclass
class KaizenTestRun:
    """One run of the tests. Failed, passed and erring cases follow from ``test_cases``."""

    __test__ = False

    test_run_id: str
    attempt_number: int | None
    timestamp: str
    test_cases: list[KaizenTestCase]
    summary: dict[str, Any]
    result: str
    timing_analysis: dict[str, Any]
    error_analysis: str = ""

    @property
    def failed_test_cases(self) -> list[KaizenTestCase]:
        """Give the cases that failed."""
        return [case for case in self.test_cases if case.status == "failed"]

    @property
    def passed_test_cases(self) -> list[KaizenTestCase]:
        """Give the cases that passed."""
        return [case for case in self.test_cases if case.status == "passed"]

    @property
    def error_test_cases(self) -> list[KaizenTestCase]:
        """Give the cases that could not run."""
        return [case for case in self.test_cases if case.status == "error"]


@dataclass
class LLMInteraction:
    """One question to a language model and its answer."""

    interaction_type: str
    prompt: str
    response: str
    reasoning: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    timestamp: str = ""


@dataclass
class FixAttempt:
    """What was tried, and what came of it."""

    attempt_number: int
    approach_description: str
    code_changes_made: str
    original_code: str
    modified_code: str
    test_results_before: KaizenTestRun | None
    test_results_after: KaizenTestRun | None
    success: bool
    llm_interaction: LLMInteraction | None = None
    lessons_learned: str = ""
    why_approach_failed: str = ""
    what_worked_partially: str = ""
    record: str = ""


def case(one: "parts.TestCase") -> KaizenTestCase:
    """Show a case of a record."""
    return KaizenTestCase(
        one.name, one.status, one.input, one.expected, one.actual, one.message,
        one.failing_function, one.failing_line,
    )  # fmt: skip


def run(one: "parts.TestRun") -> KaizenTestRun:
    """Show a test run of a record."""
    counts = {"passed": one.passed, "failed": one.failed, "errors": one.errors}
    at = one.at.isoformat() if one.at else ""
    timing = one.timing
    return KaizenTestRun(
        test_run_id=one.id or at,
        attempt_number=one.attempt,
        timestamp=at,
        test_cases=[case(each) for each in one.cases],
        summary=counts | {"text": one.summary},
        result=one.result,
        timing_analysis={"seconds": timing.seconds, "slowest": timing.slowest} if timing else {},
        error_analysis=one.error_analysis,
    )


def interaction(one: "Interaction") -> LLMInteraction:
    """Show an interaction."""
    return LLMInteraction(
        one.type, one.prompt, one.response, one.reasoning, dict(one.metadata), one.at.isoformat()
    )


def attempt(one: "MeasuredAttempt", talks: "Sequence[Interaction]") -> FixAttempt:
    """Show an attempt, with the last that was asked of a language model before it."""
    fix = one.fix
    asked = [talk for talk in talks if talk.at <= fix.created]
    old, new = sides(fix.patch)
    checks = fix.verification
    return FixAttempt(
        attempt_number=one.number,
        approach_description=fix.approach or fix.title,
        code_changes_made=fix.patch,
        original_code=old,
        modified_code=new,
        test_results_before=_around(one.before, checks.before if checks else None),
        test_results_after=_around(one.after, checks.after if checks else None),
        success=fix.outcome == "worked",
        llm_interaction=interaction(asked[-1]) if asked else None,
        lessons_learned=fix.lessons,
        why_approach_failed=fix.why_failed,
        what_worked_partially=fix.worked_partially,
        record=fix.id,
    )


def _around(
    noted: "parts.TestRun | None", told: "parts.CheckResult | None"
) -> KaizenTestRun | None:
    """Show the run that was noted, else what the attempt itself says."""
    if noted:
        return run(noted)
    if told is None:
        return None
    cases = [case(each) for each in told.cases]
    return KaizenTestRun("", None, "", cases, {"text": told.summary}, told.result, {})


def sides(patch: str) -> tuple[str, str]:
    """Give the lines that a patch shows, as they were and as they are."""
    hunks = [hunk for file in read_files(patch) for hunk in file.hunks]
    old = [line for hunk in hunks for line in hunk.side(REMOVED)]
    new = [line for hunk in hunks for line in hunk.side(ADDED)]
    return "\n".join(old), "\n".join(new)
