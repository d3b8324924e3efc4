"""Statistics are what an oracle counts from the files alone, on random histories."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import query
from gitmem.errors import UsageError
from gitmem.learning.figures import Figures
from gitmem.memory import Memory
from tests import oracle as statuses
from tests.depth import sampled
from tests.random_records import Data, path_of, record, stamp, text_of
from tests.statistics_oracle import Oracle, interval, read, spread, when

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

UNPROVEN = {"unverified", "claimed"}
NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
MESSAGES = ("no answer", "no answer from host", "list index out of range", "")
SUBJECTS = ("payment", "auth", "qwen2.5:7b", "Qwen2.5:7b", "")
CATEGORIES = ("TIMEOUT", "NO_OUTPUT", "")
FIXERS = ("claude", "qwen", "", "", "Ann Smith")
APPROACHES = ("wait longer", "Wait  longer", "restart it", "")
BY = ("type", "category", "subject", "tag", "via", "fixer", "model", "day", "week", "month",
      "weekday", "hour", "subject,category", "fixer,month")  # fmt: skip


def history(rng: Random, count: int) -> list[Data]:
    """Draw records over some months that often speak of the same failures."""
    made: list[Data] = []
    at = NOW - timedelta(days=200)
    for _ in range(count):
        kind = rng.choices(("error", "fix", "session", "note"), weights=(5, 6, 3, 1))[0]
        one = record(rng, [data["id"] for data in made][-12:], kind)
        # Some are written at once, and a few by a clock that is slow.
        at += timedelta(minutes=rng.choice((0, 0, 7, 600, 6000)))
        one["created"] = stamp(at - timedelta(days=rng.choice((0,) * 9 + (2,))))
        one.pop("session", None)
        made.append(one | _own(rng, kind, one))
    return made


def _own(rng: Random, kind: str, one: Data) -> Data:
    if kind == "error":
        return {
            "message": rng.choice(MESSAGES),
            "subject": rng.choice(SUBJECTS),
            "category": rng.choice(CATEGORIES),
        }
    if kind == "fix":
        more: Data = {"approach": rng.choice(APPROACHES), "fixer": rng.choice(FIXERS)}
        if rng.random() < 0.5:
            more["seconds"] = rng.choice((0.0, 1.5, 40.0, 3600.0))
        if rng.random() < 0.5:
            more["applied"] = rng.random() < 0.7
        if rng.random() < 0.5:
            result = rng.choice(("passed", "failed"))
            more["verification"] = {"command": "make", "after": {"result": result}}
        return more
    if kind == "session":
        ended = datetime.fromisoformat(one["created"])
        started = stamp(ended - timedelta(seconds=rng.choice((0, 60, 900))))
        task = {"category": rng.choice(CATEGORIES)}
        return {"started": started, "ended": stamp(ended), "task": task}
    return {}


def fill(repo: "Checkout", seed: int) -> None:
    """Make a memory with a random history."""
    rng = Random(seed)
    Memory.init(str(repo))
    made = history(rng, 30 + 12 * seed)
    for one in made:
        repo.add(f".memory/{path_of(one)}", text_of(one))
    # Some twice under one id, as merges leave them: the first path speaks.
    for one in [one for one in made if one["kind"] == "error"][::5]:
        year = rng.choice((1999, 2099))
        copy = one | {"subject": "copied", "message": "said otherwise"}
        repo.add(f".memory/errors/{year}/01/copy-{one['id']}.yaml", text_of(copy))
    with Memory.open(str(repo)) as memory:
        memory.statistics.stats()  # which takes all of it in


@pytest.fixture(
    params=[pytest.param(seed, marks=sampled(3)) for seed in (9, 0, 4, 1, 2, 3, 5, 6, 7, 8)]
)
def random(
    repo: "Checkout", built: "Built", request: pytest.FixtureRequest
) -> Iterator[tuple[Memory, Oracle]]:
    """Give a random memory and the oracle of its files."""
    built(repo, fill, request.param)
    with Memory.open(str(repo)) as memory:
        memory.workspace.clock = lambda: NOW
        yield memory, Oracle(read(Path(repo, ".memory")))


def same(found: Figures, expected: dict[str, Any]) -> None:
    """Compare figures; durations to a millionth, as they are summed in another order."""
    said = found._asdict()
    for name in ("to_fix", "effort"):
        assert tuple(said.pop(name)) == pytest.approx(expected[name]), name
    assert said == {key: value for key, value in expected.items() if key in said}
    tried = expected["worked"] + expected["partial"] + expected["failed"]
    assert tuple(found.rate) == (expected["worked"], tried)
    expected_interval = interval(expected["worked"], tried)
    assert found.rate.interval == pytest.approx(expected_interval, abs=1e-9)


def test_s1_49_s1_60_s1_67_totals_are_what_the_files_say(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    found = memory.statistics.stats()
    same(found.total, oracle.figures(oracle.errors, oracle.attempts))
    since = NOW - timedelta(days=7)
    assert found.recent_attempts == sum(when(one) >= since for one in oracle.attempts)
    seen = [*oracle.errors, *(fix for fix, _ in oracle.repeats(oracle.attempts))]
    assert found.recent_errors == sum(when(one) >= since for one in seen)
    assert found.subjects == len({one.get("subject", "") for one in oracle.errors} - {""})
    assert found.categories == len({one.get("category", "") for one in oracle.errors} - {""})
    kinds = [one["kind"] for one in oracle.records]
    assert found.records == {kind: kinds.count(kind) for kind in set(kinds)}
    done = [one["success"] for one in oracle.sessions if one.get("success") is not None]
    assert found.sessions == (sum(done), len(done))
    folder = Path(memory.workspace.site.folder)
    sizes = [path.stat().st_size for path in folder.glob("*/*/*/*.yaml")]  # copies, too
    assert found.size == sum(sizes)
    assert found.folder == str(folder)
    said = [(week.errors, week.attempts, week.worked) for week in found.weeks]
    assert said == oracle.weeks(NOW.date())


def test_s1_64_s1_65_s1_66_s1_77_s1_78_s1_80_groups_are_what_the_files_say(
    random: tuple[Memory, Oracle],
) -> None:
    memory, oracle = random
    for by in BY:
        found = {group.label: group.figures for group in memory.statistics.stats(by=by).groups}
        expected = oracle.groups(by)
        assert found.keys() == expected.keys(), by
        for label, figures in found.items():
            same(figures, expected[label])


def test_the_hottest_files_are_those_of_the_groups(random: tuple[Memory, Oracle]) -> None:
    memory, _ = random
    groups = memory.statistics.stats(by="file").groups
    counted = [
        (group.label[0], group.figures.errors, group.figures.attempts)
        for group in groups
        if group.label[0] and group.figures.errors
    ]
    expected = sorted(counted, key=lambda file: (-file[1], -file[2], file[0]))
    assert memory.statistics.hot_files(len(expected)) == expected
    assert expected
    memory.add("error", {"message": "one more", "location": {"file": "one_more.py"}})
    assert ("one_more.py", 1, 0) in memory.statistics.hot_files(len(expected) + 1)


def test_periods_come_in_their_order(random: tuple[Memory, Oracle]) -> None:
    memory, _ = random
    for by in ("day", "week", "month", "hour"):
        labels = [group.label for group in memory.statistics.stats(by=by).groups]
        assert labels == sorted(labels)
    names = [group.label[0] for group in memory.statistics.stats(by="weekday").groups]
    week = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    assert names == [day for day in week if day in names]


@sampled(12)
@pytest.mark.parametrize(
    ("text", "about", "own"),
    [
        ("tag:auth", "tag:auth", ""),
        ("type:TypeError", "type:TypeError", ""),
        ("path:src/auth", "path:src/auth", ""),
        ("since:2026-02-01", "", "since:2026-02-01"),
        ("author:ann", "", "author:ann"),
        ("tag:auth until:2026-03-01", "tag:auth", "until:2026-03-01"),
    ],
)
def test_filters_hold_for_errors_and_for_the_attempts_on_them(
    random: tuple[Memory, Oracle], text: str, about: str, own: str
) -> None:
    memory, oracle = random
    files = {path_of(one | {"created": stamp(when(one))}): one for one in oracle.records}

    def meeting(said: str) -> set[str]:
        filters = query.parse(said, NOW).filters if said else query.Filters()
        return statuses.matching(files, filters)

    both = meeting(text)
    errors = [one for one in oracle.errors if one["id"] in both]
    speaking, mine = meeting(about), meeting(own)
    attempts = [
        one for one in oracle.attempts
        if one["id"] in mine
        and (one["id"] in speaking or any(target in speaking for target in oracle.targets(one)))
    ]  # fmt: skip
    same(memory.statistics.stats(filters=text).total, oracle.figures(errors, attempts))


def test_what_is_excluded_of_an_error_is_excluded_of_its_attempts(
    random: tuple[Memory, Oracle],
) -> None:
    memory, oracle = random

    def tagged(name: str) -> bool:
        return "auth" in [tag.lower() for tag in oracle.by_id[name].get("tags", ())]

    errors = [one for one in oracle.errors if not tagged(one["id"])]
    attempts = [
        one for one in oracle.attempts
        if not any(map(tagged, (one["id"], *oracle.targets(one))))
    ]  # fmt: skip
    same(memory.statistics.stats(filters="-tag:auth").total, oracle.figures(errors, attempts))


def test_s3_35_s3_41_trends_are_what_the_files_say(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    found = {(one.of, one.label): one.direction for one in memory.statistics.trends()}
    assert found == oracle.trends()


def test_s1_72_recurring_failures_are_what_the_files_say(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    every = {one: len(oracle.occurrences(one)) for one in oracle.failure.values()}
    failures = [times for times in every.values() if times > 1]
    found = memory.statistics.recurring(-1)
    assert len(found) == len(failures)
    assert [one.records for one in found] == sorted(failures, reverse=True)
    for one in found:
        failure = oracle.failure[one.error]
        records = [oracle.by_id[name] for name in failure]
        attempts = [fix for fix in oracle.attempts if not failure.isdisjoint(oracle.targets(fix))]
        repeats = [pair for pair in oracle.repeats(attempts) if pair[1] == failure]
        expected = oracle.figures(records, attempts, repeats)
        assert one.records == every[failure]
        (seen,) = memory.failures.occurrences([memory.find(one.error)]).values()
        assert len(seen[1]) == one.records, "a hint counts as the statistics do"
        assert one.error in {
            each["id"] if each["kind"] == "error" else oracle.first_error(each, failure)["id"]
            for each in oracle.occurrences(failure)
            if when(each) == max(map(when, oracle.occurrences(failure)))
        }
        assert one.title == oracle.by_id[one.error]["title"]
        assert one.open is oracle.is_open(failure)
        assert one.came_back == expected["came_back"]
        assert one.attempts == len(attempts)
        outcomes = list(map(oracle.outcome, attempts))
        known = [outcome for outcome in outcomes if outcome not in UNPROVEN]
        assert one.rate == (expected["worked"], len(known))
        assert one.confidence == min(1, len(known) / 10)  # S1.30, S1.50
        assert (one.best is not None) is any(map(oracle.helped, attempts))
        if one.best:
            assert one.best.best in {fix["id"] for fix in attempts if oracle.helped(fix)}


def _way(oracle: Oracle, fix: Data) -> str:
    passed = {fix["id"]}
    while (earlier := fix.get("reuses")) in oracle.by_id and earlier not in passed:
        passed.add(earlier)
        fix = oracle.by_id[earlier]
    return " ".join((fix.get("approach") or fix["title"]).lower().split())


def test_s1_71_strategies_are_what_the_files_say(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    expected: dict[tuple[str, str], list[Data]] = {}
    for fix in oracle.attempts:
        targets = oracle.targets(fix)
        error = oracle.by_id[targets[0]] if targets else {}
        kind = error.get("error_type") or error.get("code") or error.get("category") or ""
        expected.setdefault((kind, _way(oracle, fix)), []).append(fix)
    rates = {}
    for (kind, _), some in expected.items():
        known = [fix for fix in some if oracle.outcome(fix) not in UNPROVEN]
        worked = [fix for fix in known if oracle.outcome(fix) == "worked"]
        if helped := [fix for fix in some if oracle.helped(fix)]:
            newest = max((when(fix), fix["id"]) for fix in helped)[1]
            unheld = sum(map(oracle.unheld, some))
            rates[kind, newest] = (len(worked), len(known), unheld, len(some))
    found = memory.statistics.successful()
    assert {(one.kind, one.best): (*one.rate, one.unheld, one.attempts) for one in found} == rates
    lows = [interval(*one.rate)[0] for one in found]
    assert lows == pytest.approx(sorted(lows, reverse=True))


def test_s1_58_s1_68_a_subject_is_what_the_files_say(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    names = {one["subject"] for one in oracle.errors if one.get("subject")}
    assert names
    for name in names:
        meant = name.lower()
        errors = [one for one in oracle.errors if one.get("subject", "").lower() == meant]
        ids = {one["id"] for one in errors}
        attempts = [fix for fix in oracle.attempts if not ids.isdisjoint(oracle.targets(fix))]
        found = memory.statistics.subject(name)
        same(found.total, oracle.figures(errors, attempts))
        history = [fix["id"] for fix in reversed(attempts)][:10]
        assert [one.id for one in found.history] == history
        assert found.last == stamp(max(map(when, [*errors, *attempts])))
        counts = {group.label[0]: group.figures.errors for group in found.types}
        assert sum(counts.values()) == found.total.errors


def test_s1_70_recent_attempts_are_what_the_files_say(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    for days in (1, 7, 90):
        since = NOW - timedelta(days=days)
        expected = {one["id"] for one in oracle.attempts if when(one) >= since}
        assert {row.id for row in memory.statistics.recent(days)} == expected


def test_s3_69_sessions_together_are_what_the_files_say(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    found = memory.statistics.performance()
    known = [one["success"] for one in oracle.sessions if one.get("success") is not None]
    assert found.total == len(oracle.sessions)
    assert found.rate == (sum(known), len(known))
    spans = [
        (datetime.fromisoformat(one["ended"]) - datetime.fromisoformat(one["started"]))
        for one in oracle.sessions
    ]
    seconds = [span.total_seconds() for span in spans if span.total_seconds()]
    assert tuple(found.seconds) == pytest.approx(spread(seconds))


def test_fixers_show_no_person(random: tuple[Memory, Oracle]) -> None:
    memory, oracle = random
    found = {group.label: group.figures for group in memory.statistics.fixers()}
    expected = oracle.groups("fixer")
    assert found.keys() == expected.keys()
    for label, figures in found.items():
        same(figures, expected[label])
    shown = " ".join(label[0] for label in found)
    assert "Ann" not in shown
    assert "Bob" not in shown
    if ("people",) in found:
        assert list(found)[-1] == ("people",)


@pytest.mark.parametrize("by", ["nonsense", "subject,subject", "subject,type,via", "author"])
def test_what_can_not_be_grouped_by_is_refused(repo: "Checkout", by: str) -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory, pytest.raises(UsageError):
        memory.statistics.stats(by=by)


def test_an_empty_memory_has_statistics_too(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        assert memory.statistics.stats().total.attempts == 0
        assert memory.statistics.stats().total.rate.share is None
        assert memory.statistics.stats(by="subject").groups == ()
        assert not any(
            (
                memory.statistics.recurring(),
                memory.statistics.successful(),
                memory.statistics.trends(),
            )
        )
        assert not any((memory.statistics.fixers(), memory.statistics.recent()))
        assert memory.statistics.performance().total == 0
