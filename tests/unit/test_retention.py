"""Which old records are due: the policy alone, without files."""

import random

import pytest

from gitmem.learning.retention import Due, Policy, RetentionItem, RetentionPlan, plan

DAY = 86_400
NOW = 10_000.0 * DAY
POLICY = Policy(failure_days=365, success_days=1095)


def item(
    name: str, kind: str, age: int, stated: str = "", status: str = "", group: str = ""
) -> RetentionItem:
    path = f"{kind}s/2000/01/{name}.yaml"
    return RetentionItem(
        name, kind, f"title of {name}", path, NOW - age * DAY, stated, status, group
    )


def due(
    items: list[RetentionItem],
    links: tuple[tuple[str, str, str], ...] = (),
    prints: tuple[tuple[str, str], ...] = (),
    helpful: tuple[str, ...] = (),
    policy: Policy = POLICY,
) -> RetentionPlan:
    return plan(items, links, prints, helpful, policy, NOW)


def ids(made: RetentionPlan) -> list[str]:
    return [one.item.id for one in made.due]


def test_s1_85_successes_stay_longer_than_failures() -> None:
    failed = [item("err-a", "error", 400, status="open"), item("fix-a", "fix", 400, "failed")]
    worked = [item("err-b", "error", 400, status="resolved"), item("fix-b", "fix", 400, "worked")]
    links = (("fix-a", "fixes", "err-a"), ("fix-b", "fixes", "err-b"))
    assert ids(due([*failed, *worked], links)) == ["err-a", "fix-a"]
    old = [one._replace(seconds=NOW - 1100 * DAY) for one in [*failed, *worked]]
    assert len(due(old, links).due) == 4


def test_s1_86_patterns_outlive_records() -> None:
    items = [item("pat-a", "pattern", 9000), item("note-a", "note", 9000)]
    items.append(item("fix-a", "fix", 9000, "worked"))
    assert ids(due(items)) == ["fix-a"]
    made = due(items, (("pat-a", "relates", "fix-a"),))
    assert made.due == []
    assert made.kept == {"fix-a": "a pattern belongs to it"}


@pytest.mark.parametrize(
    ("extra", "links", "helpful", "why"),
    [
        (item("dec-a", "decision", 9000, status="accepted"), (("dec-a", "relates", "err-a"),), (),
         "a decision in force belongs to it"),
        (item("err-b", "error", 2000, status="regressed"), (("err-b", "duplicates", "err-a"),), (),
         "the error came back"),
        (item("fix-b", "fix", 2000, "worked"), (("fix-b", "reuses", "fix-a"),), (),
         "other records build on it"),
        (item("note-b", "error", 2000), (), ("fix-a",), "somebody said that it helped"),
    ],
)  # fmt: skip
def test_s1_87_what_is_of_value_stays(
    extra: RetentionItem,
    links: tuple[tuple[str, str, str], ...],
    helpful: tuple[str, ...],
    why: str,
) -> None:
    items = [item("err-a", "error", 2000, status="resolved"), item("fix-a", "fix", 2000, "worked")]
    made = due([*items, extra], (("fix-a", "fixes", "err-a"), *links), (), helpful)
    assert {"err-a", "fix-a"}.isdisjoint(ids(made))
    assert made.kept["err-a"] == made.kept["fix-a"] == why


def test_a_decision_that_was_superseded_goes_with_its_successor_only() -> None:
    old = item("dec-a", "decision", 5000, status="superseded")
    new = item("dec-b", "decision", 10, status="accepted")
    assert due([old, new], (("dec-b", "supersedes", "dec-a"),)).due == []
    assert ids(due([old])) == ["dec-a"]


def test_an_error_that_showed_lately_keeps_its_old_fix() -> None:
    items = [
        item("err-a", "error", 2000, status="resolved"),
        item("fix-a", "fix", 2000, "worked"),
        item("err-b", "error", 5, status="open"),
    ]
    links = (("fix-a", "fixes", "err-a"),)
    assert len(due(items, links).due) == 2
    assert due(items, links, (("err-a", "here"), ("err-b", "here"))).due == []


def test_zero_days_is_never() -> None:
    items = [item("fix-a", "fix", 9000, "failed"), item("fix-b", "fix", 9000, "worked")]
    assert due(items, policy=Policy(0, 0)).due == []
    assert ids(due(items, policy=Policy(0, 1))) == ["fix-b"]


def test_s3_18_s3_79_a_limit_of_sessions_spares_the_only_success() -> None:
    items = [item(f"ses-{n}", "session", n, "failed", group="api/new/tdd") for n in range(1, 1004)]
    items.append(item("ses-first", "session", 2000, "succeeded", group="api/new/tdd"))
    made = due(items, policy=Policy(0, 0, pattern_limit=1000))
    assert ids(made) == ["ses-1003", "ses-1002", "ses-1001"]
    assert made.due[0].why == "beyond the newest 1000"


def test_s3_29_s3_80_a_limit_of_fixes_takes_their_errors_along() -> None:
    items, links = [], []
    for n in range(503):
        items.append(item(f"err-{n}", "error", n, status="resolved"))
        items.append(item(f"fix-{n}", "fix", n, "worked", group="KeyError" if n else "OSError"))
        links.append((f"fix-{n}", "fixes", f"err-{n}"))
    made = plan(items, links, (), (), Policy(0, 0, solution_limit=500), NOW)
    assert set(ids(made)) == {"err-500", "fix-500", "err-501", "fix-501", "err-502", "fix-502"}
    assert Due(items[-2], "goes with its fixes") in made.due
    alone = [one._replace(group=f"only {one.id}") for one in items]
    assert plan(alone, links, (), (), Policy(0, 0, solution_limit=500), NOW).due == []


def test_what_is_named_goes_with_its_story_whatever_its_age() -> None:
    items = [
        item("err-a", "error", 1),
        item("fix-a", "fix", 1, "worked"),
        item("err-b", "error", 1),
    ]
    made = plan(items, (("fix-a", "fixes", "err-a"),), (), ("fix-a",), POLICY, NOW, ["err-a"])
    assert set(ids(made)) == {"err-a", "fix-a"}


@pytest.mark.parametrize("seed", range(20))
def test_no_link_is_ever_cut_and_what_stays_keeps_its_newest_success(seed: int) -> None:
    chance = random.Random(seed)
    items = [
        item(f"{kind}-{n}", kind, chance.randrange(4000), chance.choice(["worked", "failed", ""]))
        for n, kind in enumerate(chance.choices(["error", "fix", "session", "note"], k=60))
    ]
    names = [one.id for one in items]
    kinds = ("fixes", "relates", "reuses", "duplicates")
    links = [(chance.choice(names), chance.choice(kinds), chance.choice(names)) for _ in range(30)]
    prints = [(one.id, str(chance.randrange(12))) for one in items if one.kind == "error"]
    made = plan(items, links, prints, (), POLICY, NOW)
    gone = set(ids(made))
    assert all((source in gone) == (target in gone) for source, _, target in links)
    worked = {one.id for one in items if one.kind == "fix" and one.worked}
    fixed = {target for source, relation, target in links if source in worked}
    for value in {value for _, value in prints}:
        of_story = {name for name, at in prints if at == value}
        mended = of_story & fixed
        if not of_story <= gone and mended:
            assert not mended <= gone, value
    assert len(made.due) + len(made.kept) + made.young == len(items)
    assert made == plan(items[::-1], links, prints, (), POLICY, NOW)


@pytest.mark.parametrize(("age", "is_due"), [(29, False), (30, True), (31, True)])
@pytest.mark.parametrize("outcome", ["worked", "failed"])
def test_s1_73_the_age_of_cleanup_is_kept_exactly(age: int, outcome: str, is_due: bool) -> None:  # noqa: FBT001
    policy = Policy(failure_days=30, success_days=30)
    assert bool(due([item("fix-a", "fix", age, outcome)], policy=policy).due) is is_due
    # One that is a moment younger is not 30 days old.
    young = item("fix-a", "fix", age, outcome)._replace(seconds=NOW - age * DAY + 1)
    assert bool(due([young], policy=policy).due) is (age > 30)


@pytest.mark.parametrize(("number", "left_over"), [(2, 0), (3, 0), (4, 1)])
def test_s3_79_s3_80_a_limit_is_kept_exactly(number: int, left_over: int) -> None:
    policy = Policy(0, 0, pattern_limit=3, solution_limit=3)
    fixes = [item(f"fix-{at}", "fix", 400 + at, "failed") for at in range(number)]
    assert len(due(fixes, policy=policy).due) == left_over
    sessions = [item(f"ses-{at}", "session", 400 + at, "failed", group="x") for at in range(number)]
    assert len(due(sessions, policy=policy).due) == left_over


def history(rows: int, kinds: int) -> tuple[list[RetentionItem], list[tuple[str, str, str]],
                                            list[tuple[str, str]]]:  # fmt: skip
    """Give a fixer's history: each row an error and a fix, of some issues that come back."""
    items, links, prints = [], [], []
    for n in range(rows):
        outcome = "worked" if n % 2 else "failed"
        error = item(f"err-{n}", "error", n, status="regressed" if n < kinds else "resolved")
        items += [error, item(f"fix-{n}", "fix", n, outcome, group=f"type {n % kinds}")]
        links.append((f"fix-{n}", "fixes", error.id))
        prints.append((error.id, f"issue {n % kinds}"))
    return items, links, prints


@pytest.mark.parametrize("kinds", [1, 5, 7])
def test_s1_85_of_a_history_that_comes_back_old_failures_go_first(kinds: int) -> None:
    items, links, prints = history(120, kinds)
    made = due(items, tuple(links), tuple(prints), policy=Policy(30, 90))
    gone = set(ids(made))
    outcomes = {name: (go, stay) for name, go, stay in made.outcomes}
    assert outcomes["failed"] == (45, 15)
    assert outcomes["worked"][0] <= 15
    assert {f"fix-{n}" for n in range(1, 90, 2)}.isdisjoint(gone)
    for issue in range(kinds):
        assert any(f"fix-{n}" not in gone for n in range(issue, 120, kinds) if n % 2)


def test_s1_85_the_last_success_of_a_type_never_goes() -> None:
    items = [
        item(f"fix-{kind}-{n}", "fix", 4000 + n, outcome, group=kind)
        for kind in ("TIMEOUT", "NO_OUTPUT", "ERROR")
        for n, outcome in enumerate(["failed", "worked", "worked"])
    ]
    made = due(items)
    kept = {name for name in made.kept if made.kept[name].startswith("the last success of ")}
    assert kept == {"fix-TIMEOUT-1", "fix-NO_OUTPUT-1", "fix-ERROR-1"}
    assert len(made.due) == 6


def test_s1_88_what_stays_readable_may_all_go_but_what_is_open() -> None:
    items, links, prints = history(123, 5)
    items += [item("note-a", "note", 400), item("err-x", "error", 400, status="open")]
    items.append(item("dec-a", "decision", 400, status="accepted"))
    made = plan(items, links, prints, (), Policy(30, 30), NOW, readable=True)
    assert len(made.due) == 2 * (123 - 30) + 1
    assert made.kept == {"err-x": "the error is open"}
