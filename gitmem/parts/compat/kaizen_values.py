"""What a Kaizen memory shows: test runs, fix attempts, interactions, as plain data classes."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gitmem.diffs import ADDED, REMOVED, read_files
from gitmem.learning.progress import RED

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
    error_analysis: dict[str, Any] = field(default_factory=dict)
    file_path: str = ""

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
    execution: str = ""
    files: list[str] = field(default_factory=list)


def case(test_case: "parts.TestCase") -> KaizenTestCase:
    """Show a case of a record."""
    return KaizenTestCase(
        test_case.name,
        test_case.status,
        test_case.input,
        test_case.expected,
        test_case.actual,
        test_case.message,
        test_case.failing_function,
        test_case.failing_line,
    )


def run(test_run: "parts.TestRun") -> KaizenTestRun:
    """Show a test run of a record."""
    counts = {"passed": test_run.passed, "failed": test_run.failed, "errors": test_run.errors}
    at = test_run.at.isoformat() if test_run.at else ""
    return KaizenTestRun(
        test_run_id=test_run.id or at,
        attempt_number=test_run.attempt,
        timestamp=at,
        test_cases=[case(each) for each in test_run.cases],
        summary=counts | {"text": test_run.summary},
        result=test_run.result,
        timing_analysis=_timing(test_run),
        error_analysis=_errors(test_run),
        file_path=test_run.path,
    )


def _timing(test_run: "parts.TestRun") -> dict[str, Any]:
    """Give how long a run took, a test on average, and which tests took longest."""
    timing = test_run.timing
    if timing is None:
        return {}
    times = [each.seconds for each in test_run.cases if each.seconds is not None]
    average = {"average": sum(times) / len(times)} if times else {}
    return {"seconds": timing.seconds, "slowest": dict(timing.slowest), **average}


def _errors(test_run: "parts.TestRun") -> dict[str, Any]:
    """Count what the failures of a run have in common, beside what its caller said of them."""
    failed = [each for each in test_run.cases if each.status in RED]
    if not (failed or test_run.error_analysis):
        return {}
    messages = Counter(each.message.partition("\n")[0] for each in failed if each.message)
    return {
        "stated": test_run.error_analysis,
        "total_errors": len(failed),
        "error_types": dict(Counter(_type(each.message) for each in failed).most_common()),
        "failing_functions": dict(
            Counter(each.failing_function for each in failed if each.failing_function).most_common()
        ),
        "common_messages": [text for text, number in messages.most_common() if number > 1],
    }


def _type(message: str) -> str:
    """Give the type that a message begins with; ``unknown`` where it names none."""
    kind, colon, _ = message.partition(":")
    return kind if colon and kind.replace(".", "_").isidentifier() else "unknown"


def interaction(talk: "Interaction") -> LLMInteraction:
    """Show an interaction."""
    return LLMInteraction(
        talk.type,
        talk.prompt,
        talk.response,
        talk.reasoning,
        dict(talk.metadata),
        talk.at.isoformat(),
    )


def attempt(
    measured: "MeasuredAttempt", talks: "Sequence[Interaction]", execution: str = ""
) -> FixAttempt:
    """Show an attempt, with the last that was asked of a language model about its file before."""
    fix = measured.fix
    changed = {file.path for file in read_files(fix.patch)}
    talks_before = [
        talk for talk in talks if talk.at <= fix.created and (not talk.path or talk.path in changed)
    ]
    old, new = sides(fix.patch)
    checks = fix.verification
    return FixAttempt(
        attempt_number=measured.number,
        approach_description=fix.approach or fix.title,
        code_changes_made=fix.notes or fix.patch,
        original_code=old,
        modified_code=new,
        test_results_before=_around(measured.before, checks.before if checks else None),
        test_results_after=_around(measured.after, checks.after if checks else None),
        success=fix.outcome == "worked",
        llm_interaction=interaction(talks_before[-1]) if talks_before else None,
        lessons_learned=fix.lessons,
        why_approach_failed=fix.why_failed,
        what_worked_partially=fix.worked_partially,
        record=fix.id,
        execution=execution,
        files=sorted(changed),
    )


def _around(
    noted: "parts.TestRun | None", result: "parts.CheckResult | None"
) -> KaizenTestRun | None:
    """Show the run that was noted, else what the attempt itself says."""
    if noted:
        return run(noted)
    if result is None:
        return None
    cases = [case(each) for each in result.cases]
    return KaizenTestRun("", None, "", cases, {"text": result.summary}, result.result, {})


def sides(patch: str) -> tuple[str, str]:
    """Give the text that a patch shows, as it was and as it is."""
    hunks = [hunk for file in read_files(patch) for hunk in file.hunks]
    old = "".join(_text(hunk.side(REMOVED), ends=hunk.old_ends) for hunk in hunks)
    new = "".join(_text(hunk.side(ADDED), ends=hunk.new_ends) for hunk in hunks)
    return old, new


def _text(lines: "Sequence[str]", *, ends: bool) -> str:
    return "\n".join(lines) + ("\n" if lines and ends else "")
