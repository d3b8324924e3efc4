"""Statistics as pure functions: tests of chance, rhythms, trends, strategies, sessions, charts."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import pytest

from gitmem.catalog.sightings import AttemptMade, ErrorOccurrence
from gitmem.catalog.tallies import Way
from gitmem.learning.chance import at_least, differ
from gitmem.learning.failures import follow
from gitmem.learning.figures import spread
from gitmem.learning.performance import Worked, performance
from gitmem.learning.periodicity import LEAST_OCCASIONS, SURE, Activity, Periodicity
from gitmem.learning.periodicity import periodicities as periodicities_of
from gitmem.learning.strategies import ranked, strategy
from gitmem.learning.trends import Done, trends
from gitmem.render.as_csv import table
from gitmem.render.charts import bar, sparkline
from gitmem.render.figures import duration, size

START = datetime(2026, 1, 5, tzinfo=UTC)  # a Monday


def text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# --- chance -------------------------------------------------------------------------------------


def test_the_chance_of_a_draw_is_counted_right() -> None:
    for total in range(1, 8):
        for marked in range(total + 1):
            for drawn in range(total + 1):
                draws = list(combinations(range(total), drawn))
                for count in range(drawn + 1):
                    hits = [sum(one < marked for one in draw) >= count for draw in draws]
                    expected = sum(hits) / len(draws)
                    assert at_least(count, drawn, marked, total) == pytest.approx(expected)


def test_two_shares_differ_as_fishers_test_says() -> None:
    for tried, then in ((5, 5), (6, 4), (10, 10), (1, 9)):
        for worked in range(tried + 1):
            for worked_then in range(then + 1):
                marked, every = worked + worked_then, tried + then
                tables = {
                    k: Fraction(comb(tried, k) * comb(then, marked - k), comb(every, marked))
                    for k in range(max(0, marked - then), min(tried, marked) + 1)
                }
                expected = sum(one for one in tables.values() if one <= tables[worked])
                assert differ(worked, tried, worked_then, then) == pytest.approx(float(expected))


def test_fishers_tea_is_tasted() -> None:
    """The example of the paper that is cited: 4 of 4 cups right has the chance of 1 in 70."""
    assert at_least(4, 4, 4, 8) == pytest.approx(1 / 70)


# --- rhythms (S1.48) ----------------------------------------------------------------------------


def activity(rng: Random, failures: int, each: int) -> list[tuple[str, str]]:
    """Draw records that follow office hours, without a rhythm of any failure's own."""
    made = []
    for number in range(failures):
        for _ in range(each):
            day = START + timedelta(days=rng.randrange(200))
            day += timedelta(days=0 if day.weekday() < 5 else 2)
            hour = rng.choice((8, 9, 9, 10, 10, 11, 13, 14, 15, 15, 16))
            made.append(
                (f"f{number}", text(day + timedelta(hours=hour, minutes=rng.randrange(60))))
            )
    return sorted(made, key=lambda one: one[1])


def rhythms(
    records: Iterable[tuple[str, str]], wanted: set[str], changes: dict[str, list[float]]
) -> dict[str, tuple[Periodicity, ...]]:
    """Ask about (failure, time), oldest first."""
    names = sorted({name for name, _ in records})
    times: dict[int, list[str]] = {}
    for name, at in records:
        times.setdefault(names.index(name), []).append(at)
    hours = {(key, at[:13]) for key, some in times.items() for at in some}
    days = {(key, at[:10]) for key, some in times.items() for at in some}
    activity = Activity(
        Counter(hour[11:] for _, hour in hours),
        Counter(f"{datetime.fromisoformat(day):%A}" for _, day in days),
        lambda: [
            (key, min(at for at in times[key] if at[:10] == day)) for key, day in sorted(days)
        ],
    )
    asked = {names.index(name): times[names.index(name)] for name in wanted}
    return {names[key]: found for key, found in periodicities_of(asked, activity, changes).items()}


def test_s1_48_without_a_rhythm_nothing_is_told() -> None:
    """Of 200 answers over memories without any rhythm at most 5 % may tell one."""
    told = 0
    for seed in range(200):
        rng = Random(seed)
        records = activity(rng, 12, 15)
        changes = [(START + timedelta(hours=rng.randrange(4800))).timestamp() for _ in range(20)]
        found = rhythms(records, {key for key, _ in records}, {"dependencies": changes})
        told += bool(found)
    print(f"{told} of 200 answers told a rhythm that is none")  # noqa: T201  the count is wanted
    assert told / 200 <= SURE


def planted(at: Iterable[datetime], seed: int = 1) -> list[tuple[str, str]]:
    records = activity(Random(seed), 12, 15) + [("mine", text(one)) for one in at]
    return sorted(records, key=lambda one: one[1])


def test_s1_48_an_hour_of_the_night_is_found() -> None:
    nights = [START + timedelta(days=3 * day, hours=3, minutes=day) for day in range(8)]
    found = rhythms(planted(nights), {"mine", "f1"}, {})
    assert found.keys() == {"mine"}
    (one,) = found["mine"]
    assert (one.when, one.at, one.there, one.occasions) == ("hour", "03", 8, 8)
    assert one.asked == 2 * (24 + 7)
    assert one.p < SURE


def test_s1_48_a_weekday_is_found() -> None:
    mondays = [START + timedelta(weeks=week, hours=9 + week % 7) for week in range(12)]
    found = rhythms(planted(mondays), {"mine"}, {})
    assert [(one.when, one.at, one.there) for one in found["mine"]] == [("weekday", "Monday", 12)]


@pytest.mark.parametrize("sort", ["dependencies", "deploy"])
def test_s1_48_what_follows_changes_is_found(sort: str) -> None:
    rng = Random(4)
    changes = [START + timedelta(days=17 * number, hours=11) for number in range(11)]
    after = [one + timedelta(hours=rng.choice((1, 2, 4, 20, 23))) for one in changes]
    found = rhythms(planted(after), {"mine"}, {sort: [one.timestamp() for one in changes]})
    assert [(one.when, one.there) for one in found["mine"] if one.when == sort] == [(sort, 11)]


def test_s1_48_a_burst_is_one_occasion() -> None:
    """Twenty records of one night, and a few elsewhere: nothing repeats."""
    night = START + timedelta(days=9, hours=3)
    burst = [night + timedelta(minutes=minute) for minute in range(20)]
    others = [START + timedelta(days=day, hours=9 + day % 6) for day in (20, 31, 52, 75, 99)]
    assert rhythms(planted([*burst, *others]), {"mine"}, {}) == {}


def test_s1_48_a_burst_after_one_change_is_one_occasion() -> None:
    change = START + timedelta(days=9, hours=3)
    burst = [change + timedelta(hours=hour) for hour in range(20)]
    others = [START + timedelta(days=day, hours=9 + day % 6) for day in (20, 31, 52, 75, 99)]
    told = rhythms(planted([*burst, *others]), {"mine"}, {"deploy": [change.timestamp()]})
    assert [one for one in told.get("mine", ()) if one.when == "deploy"] == []


def test_s1_48_a_memory_that_is_always_written_at_nine_says_nothing() -> None:
    every = [("a", text(START + timedelta(days=day, hours=9))) for day in range(60)]
    every += [("b", text(START + timedelta(days=day, hours=9, minutes=5))) for day in range(60)]
    assert rhythms(sorted(every, key=lambda one: one[1]), {"a", "b"}, {}) == {}


def test_s1_48_few_occasions_are_not_asked_about() -> None:
    nights = [START + timedelta(days=3 * day, hours=3) for day in range(LEAST_OCCASIONS - 1)]
    assert rhythms(planted(nights), {"mine"}, {}) == {}


# --- trends (S3.35 to S3.41) --------------------------------------------------------------------


def done(outcomes: str, *, label: str = "a", seconds: float | None = None) -> list[Done]:
    """Make outcomes, oldest first: + worked, - failed, ? unknown."""
    known = {"+": 1, "-": 0, "?": None}
    return [
        Done(text(START + timedelta(days=day)), label, known[one], seconds, f"way {one}")
        for day, one in enumerate(outcomes)
    ]


@pytest.mark.parametrize(
    ("outcomes", "direction"),
    [
        ("+" * 9, "insufficient data"),
        ("+" * 9 + "?" * 20, "insufficient data"),
        ("+" * 10, "stable"),
        ("-----+++++", "improving"),
        ("+++++-----", "declining"),
        ("+++++-----" + "+++++-----", "stable"),  # 5 of 10, then 5 of 10
        ("+++++-----" + "++++++----", "stable"),  # a difference of 0.1 is none yet
        ("+++++-----" + "+++++++---", "improving"),
        ("+++++++---" + "+++++-----", "declining"),
        ("-" * 40 + "+" * 20, "stable"),  # only the last twenty count
    ],
)
def test_s3_41_improvement_trend(outcomes: str, direction: str) -> None:
    (one,) = trends("attempts", done(outcomes))
    assert one.direction == direction
    assert (one.chance is None) is (direction == "insufficient data")


def test_s3_35_the_last_twenty_of_each_category_count() -> None:
    (one,) = trends("sessions", done("-" * 30 + "+" * 20))
    assert (one.before, one.after, one.total) == ((10, 10), (10, 10), 50)
    assert one.rate == (20, 20)  # S3.36
    assert one.rate.tried == 20  # S3.39
    assert one.total == 50  # S3.38


def test_s3_37_time_is_of_those_that_tell_it() -> None:
    (one,) = trends("sessions", done("+-+-", seconds=30) + done("++", seconds=0))
    assert (one.seconds.support, one.seconds.mean) == (4, 30)


def test_s3_40_best_approaches_are_the_three_that_worked_most() -> None:
    made = [
        Done(text(START), "a", 1, None, name) for name in "aaabbbbccd"
    ] + [Done(text(START), "a", 0, None, "z")] * 5  # fmt: skip
    (one,) = trends("sessions", made)
    assert one.approaches == (("b", 4), ("a", 3), ("c", 2))


def test_s3_42_a_trend_tells_what_it_rests_on() -> None:
    unsure, sure = (
        trends("attempts", done(said))[0] for said in ("--+++" + "+++++", "-" * 10 + "+" * 10)
    )
    assert unsure.direction == sure.direction == "improving"
    assert (unsure.sure, sure.sure) == (False, True)
    assert sure.chance == pytest.approx(2 / comb(20, 10))


def test_s3_35_categories_are_apart_and_the_largest_comes_first() -> None:
    found = trends("attempts", done("++", label="few") + done("----", label="many"))
    assert [(one.label, one.rate) for one in found] == [("many", (0, 4)), ("few", (2, 2))]


# --- strategies (S1.71) -------------------------------------------------------------------------


def way(best: str, worked: int, tried: int, *, unheld: int = 0, day: int = 0) -> Way:
    return Way("T", tried, worked, tried, unheld, text(START + timedelta(days=day)), best)


def test_s1_71_nineteen_of_twenty_beat_one_of_one() -> None:
    first, second = ranked([way("b", 1, 1, day=9), way("a", 19, 20)])
    assert (first.best, second.best) == ("a", "b")
    assert strategy(first, "Wait longer").rate == (19, 20)
    assert ranked([first, second], 1) == [first]


def test_of_two_equal_ways_the_one_that_held_comes_first_then_the_newest() -> None:
    made = [way("a", 1, 1, unheld=1, day=5), way("b", 1, 1, day=1), way("c", 1, 1, day=2)]
    assert [one.best for one in ranked(made)] == ["c", "b", "a"]
    assert [one.best for one in ranked(made, 2)] == ["c", "b"]


# --- failures -----------------------------------------------------------------------------------


def seen(file: int, hour: float) -> ErrorOccurrence:
    return ErrorOccurrence(1, text(START + timedelta(hours=hour)), f"err-{file}", file)


def mended(
    file: int, hour: float, after: float | None = None, seconds: float | None = None
) -> AttemptMade:
    at = START + timedelta(hours=hour)
    place = at if after is None else START + timedelta(hours=after)
    return AttemptMade(1, text(place), f"fix-{file}", file, text(at), seconds, "worked", "err-1")


def test_a_fix_holds_until_the_failure_is_recorded_again() -> None:
    errors = [seen(1, 0), seen(2, 1), seen(3, 8), seen(4, 9)]
    found = follow(errors, [mended(11, 3)])
    assert found == (True, [3], [], [(11, 3 * 3600.0, True)])
    assert follow(errors, [mended(13, 10)]) == (False, [], [], [(13, 10 * 3600.0, False)])


def test_an_attempt_on_what_was_fixed_is_an_occurrence() -> None:
    again, failing = mended(12, 4), mended(13, 40)._replace(outcome="failed")
    last = mended(14, 41)
    found = follow([seen(1, 0)], [mended(11, 3), again, failing, last])
    assert found.repeats == [again, failing]
    assert found.fixes == [(11, 3 * 3600.0, True), (12, None, True), (14, 3600.0, False)]
    assert not found.open


def test_what_failed_and_is_written_down_soon_after_the_fix_was_tried_before_it() -> None:
    tried = mended(12, 26)._replace(outcome="failed")
    assert follow([seen(1, 0)], [mended(11, 3), tried]) == (False, [], [], [(11, 10800.0, False)])
    later = tried._replace(created=text(START + timedelta(hours=27.5)))
    assert follow([seen(1, 0)], [mended(11, 3), later]).repeats == [later]


def test_the_first_attempt_on_an_error_is_no_occurrence_beside_it() -> None:
    errors = [seen(1, 0), seen(2, 1)]
    other = mended(12, 5)._replace(error="err-2")
    found = follow(errors, [mended(11, 4), other, mended(13, 6)._replace(error="err-2")])
    assert [attempt.file for attempt in found.repeats] == [13]
    assert found.returns == []
    assert [unheld for *_, unheld in found.fixes] == [False, True, False]


def test_an_attempt_on_what_was_recorded_again_is_none() -> None:
    errors = [seen(1, 0), seen(2, 4)]
    found = follow(errors, [mended(11, 3), mended(12, 5)])
    assert (found.returns, found.repeats, found.open) == ([2], [], False)


def test_a_failure_was_open_for_as_long_as_the_work_on_its_fix_took() -> None:
    assert follow([seen(1, 0)], [mended(2, 0, seconds=90.0)]).fixes == [(2, 90.0, False)]
    assert follow([seen(1, 0)], [mended(2, 1, seconds=90.0)]).fixes == [(2, 3600.0, False)]


def test_a_fix_comes_after_the_error_that_it_names_whatever_the_clock_said() -> None:
    assert follow([seen(1, 5)], [mended(2, 2, after=5)]) == (False, [], [], [(2, None, False)])


def test_s1_66_a_median_is_in_the_middle() -> None:
    assert spread([3, 1, 2]) == (3, 2, 2)
    assert spread([1, 2, 3, 10]) == (4, 4, 2.5)
    assert spread([]) == (0, None, None)


# --- sessions together (S3.66 to S3.72) ---------------------------------------------------------


def session(success: int | None, category: str = "backend", **more: object) -> Worked:
    said = {"seconds": 60.0, "approach": "incremental", "factors": (), **more}
    return Worked(text(START), category, success, **said)  # type: ignore[arg-type]


def test_s3_69_overall_metrics() -> None:
    made = [session(1)] * 3 + [session(0, "auth", seconds=120.0)] + [session(None, "auth")]
    one = performance(made)
    assert (one.total, one.rate) == (5, (3, 4))
    assert one.seconds.mean == pytest.approx((3 * 60 + 120 + 60) / 5)
    assert one.categories == (("backend", 3), ("auth", 2))


def test_s3_69_without_data_nothing_is_made_up() -> None:
    one = performance([])
    assert (one.total, one.rate.share, one.seconds.mean, one.enough) == (0, None, None, False)
    assert not any((one.trends, one.remarks, one.approaches, one.factors))


def test_s3_70_each_category_has_its_trend() -> None:
    one = performance([session(1)] * 2 + [session(0, "auth")])
    assert [(trend.label, trend.rate) for trend in one.trends] == [
        ("backend", (2, 2)), ("auth", (0, 1)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "remarks"),
    [
        ([session(1)] * 7 + [session(0)] * 3, []),
        ([session(1)] * 6 + [session(0)] * 4, ["weak", "declining"]),
        ([session(0)] * 4, []),  # too little data to complain
        ([session(1, seconds=301.0)] * 5, ["slow"]),
        ([session(1, seconds=300.0)] * 5, []),
    ],
)
def test_s3_71_recommendations(made: list[Worked], remarks: list[str]) -> None:
    found = [one.what for one in performance(made).remarks]
    assert [one for one in found if one != "declining"] == [
        one for one in remarks if one != "declining"
    ]
    if "declining" in remarks:
        assert "declining" in found


def test_s3_72_insights_need_ten_sessions() -> None:
    good = session(1, approach="parallel", factors=("tests", "small steps"))
    assert performance([good] * 9).approaches == ()
    one = performance([good] * 9 + [session(0)])
    assert one.approaches[0] == ("parallel", (9, 9))
    assert Counter(dict(one.factors)) == Counter({"tests": 9, "small steps": 9})


# --- how it is shown ----------------------------------------------------------------------------


def test_charts_are_as_high_as_their_numbers() -> None:
    assert sparkline([0, 1, 4, 8]) == "·▂▅█"
    assert sparkline([0, 0]) == "··"
    assert sparkline([]) == ""
    assert [bar(share, 4) for share in (0, 0.5, 1, 2)] == ["    ", "██  ", "████", "████"]
    assert bar(1 / 32, 4) == "▏   "


def test_numbers_are_shown_in_their_unit() -> None:
    said = [duration(one) for one in (None, 0, 1.25, 59, 90, 5400, 90_000, 9e6)]
    assert said == ["-", "0 s", "1.2 s", "59 s", "1.5 min", "1.5 h", "1.0 d", "104 d"]
    assert [size(one) for one in (0, 1023, 1536, 5 << 20)] == ["0 B", "1023 B", "1.5 KiB", "5 MiB"]


def test_no_cell_of_a_table_is_a_formula_or_a_control_sequence() -> None:
    made = table(("a", "b"), [("=1+1", None), ("@x", 2.5), ("-1", -1), ('say "x", y', "\x1b[31m")])
    assert made.splitlines() == [
        "a,b", "'=1+1,", "'@x,2.5", "'-1,-1", '"say ""x"", y",\ufffd[31m',
    ]  # fmt: skip
