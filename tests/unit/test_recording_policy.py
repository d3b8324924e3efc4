"""What is worth a record that everybody gets: one rule, case by case."""

from datetime import UTC, datetime, timedelta

import pytest

from gitmem.capture.episodes import Episode
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.recording_policy import RecordingPolicy, reasons
from gitmem.capture.runs import Run

_BEGAN = datetime(2026, 11, 2, 9, tzinfo=UTC)
_SEEN = FingerprintedFailure("e", "s", "p", "m", "t", "k", {"message": "it broke"})


def run(minute: float, *, red: bool, ci: bool = False) -> Run:
    at = _BEGAN + timedelta(minutes=minute)
    failures = (_SEEN,) if red else ()
    return Run("r", at, 1.0, ("make",), ".", int(red), "tree", "head", failures, ci=ci)


def fixed(minutes: float = 1, *, ci: bool = False, flaky: bool = False) -> Episode:
    return Episode(_SEEN, (run(0, red=True, ci=ci),), run(minutes, red=False), flaky)


def why(
    episode: Episode, tries: int = 1, rule: RecordingPolicy | None = None, **facts: bool
) -> list[str]:
    given = {"committed": False, "is_known": False, **facts}
    return reasons(episode, tries, rule=rule or RecordingPolicy(), **given)


def test_a_red_test_of_code_being_written_stays_local() -> None:
    assert why(fixed()) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (why(fixed(), committed=True), "the bug was already committed"),
        (why(fixed(), is_known=True), "it was known already"),
        (why(fixed(), tries=2), "it took 2 edits"),
        (why(fixed(10)), "it took 10 minutes"),
        (why(fixed(ci=True)), "it was seen in CI"),
    ],
)
def test_each_reason_is_enough(found: list[str], said: str) -> None:
    assert found == [said]


def test_all_reasons_are_said() -> None:
    assert len(why(fixed(90, ci=True), tries=3, committed=True, is_known=True)) == 5


def test_the_figures_are_settings() -> None:
    assert why(fixed(30), tries=4, rule=RecordingPolicy(attempts=5, minutes=60)) == []
    assert why(fixed(2), tries=1, rule=RecordingPolicy(attempts=1, minutes=1)) == [
        "it took 1 edit",
        "it took 2 minutes",
    ]
    assert why(fixed(2), tries=1, rule=RecordingPolicy(attempts=2, minutes=2)) == [
        "it took 2 minutes"
    ]


def test_flaky_and_live_failures_are_never_worth_it() -> None:
    assert why(fixed(90, ci=True, flaky=True), tries=9, committed=True, is_known=True) == []
    live = fixed(90)._replace(green=None)
    assert why(live, tries=9, committed=True, is_known=True) == []
