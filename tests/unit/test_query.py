import re
from datetime import UTC, datetime, timedelta, timezone
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import UsageError
from gitmem.query import (
    KEPT_END,
    KINDS,
    MAX_TEXT,
    OUTPUT,
    STATUSES,
    Filters,
    Query,
    is_output,
    moment,
    parse,
)
from gitmem.records.kinds import KINDS as RECORD_KINDS
from gitmem.records.kinds import DecisionStatus, Outcome

NOW = datetime(2026, 11, 21, 9, 30, 15, 250, tzinfo=UTC)


def filters(text: str) -> Filters:
    return parse(text, NOW).filters


def test_words_are_ranked_in_their_order() -> None:
    assert parse("  naive   datetime ", NOW) == Query(words="naive datetime")


def test_every_kind_of_operator() -> None:
    text = (
        'compare "naive datetime" -flaky -"on windows" conection~ retyr~2 kind:error,fix tag:auth'
        ' tag:tz path:src/auth status:worked type:TypeError author:"Ann Lee" session:ses-7k3m9q2d4x'
        " -kind:session -tag:wip since:30d until:2026-11 times"
    )
    assert parse(text, NOW) == Query(
        words="compare times",
        phrases=("naive datetime",),
        excluded=("flaky", "on windows"),
        fuzzy=(("conection", 1), ("retyr", 2)),
        filters=Filters(
            kinds=("error", "fix"),
            tags=("auth", "tz"),
            paths=("src/auth",),
            statuses=("worked",),
            types=("TypeError",),
            authors=("Ann Lee",),
            sessions=("ses-7k3m9q2d4x",),
            excluded=(("kind", "session"), ("tag", "wip")),
            since="2026-10-22T09:30:15Z",
            until="2026-12-01T00:00:00Z",
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "TypeError: can't compare offset-naive and offset-aware datetimes",
        "src/a.c:3:5: error: expected ';' before '}' token",
        "http://x:80/",
        'File "x.py", line 3, in f',
        'see "x.py", line 3, in f',
        r"C:\x",
        "exit code -1, then -> and --verbose",
        'missing " in line',
        '5.25" disk and 3.5" disk',
        "kind: error",
        "Kind:error",
        "unknown:value and xkind:error",
        "~/.config and ~",
        "HEAD~3",
        "error[E0308]: mismatched types kind:x status:500",
        "a.ts(3,5): error TS2322: Type 'string' is not assignable",
        "java.lang.NullPointerException: Cannot invoke status:500",
        'SyntaxError: unterminated string literal "abc',
    ],
)
def test_one_line_of_output_is_plain_words(text: str) -> None:
    query = parse(text, NOW)
    assert (query.words, query._replace(words="", pasted=False)) == (text, Query())


@pytest.mark.parametrize(
    ("text", "pasted"),
    [
        ('Traceback (most recent call last):\n  File "a.py"', True),
        ("one\rtwo", True),
        ("TypeError: x", True),
        ("src/a.c:3:5: error: x", True),
        ("FAILED tests/test_a.py::test_b - assert 1", True),
        ("npm ERR! code E404", True),
        ('npm error Missing script: "style"', True),
        ("label.rb:4:in '<main>': can't modify frozen String (FrozenError)", True),
        ("PHP Fatal error:  Uncaught TypeError: total()", True),
        ("make[1]: *** [Makefile:3: all] Error 2", True),
        ("bash: gitmen: command not found", True),
        ("thread 'main' panicked at src/main.rs", True),
        ("plain words\n", False),
        ("kind:error TypeError: x", False),
        ("tag:2024 foo", False),
        ("TypeError compare", False),
        ("Exception in thread main", True),
        ("E   assert 1", True),
    ],
)
def test_output_is_told_from_words(text: str, *, pasted: bool) -> None:
    assert parse(text, NOW).pasted is pasted


_PARTS = [
    "", "\t", "Exception", "in", "thread", "Traceback", "(most", "recent", "E", "FAILED", "npm",
    "ERR!", "error", "error:", "a.py", "a.c:3:", "File", '"a",', "line", "3", "TypeError:",
    "panicked", "tool:", "caf\u00e9",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PARTS), max_size=6).map(" ".join))
def test_plain_words_are_no_output_whether_patterns_are_tried_or_not(text: str) -> None:
    assert is_output(text) == bool(re.match(OUTPUT, text, re.VERBOSE))


def test_pasted_text_knows_no_operators() -> None:
    text = 'first line\n-x kind:bogus "open'
    assert parse(text, NOW) == Query(words=text, pasted=True)


def test_a_filter_before_an_error_line_counts() -> None:
    query = parse("kind:fix TypeError: can't compare", NOW)
    assert query == Query(words="TypeError: can't compare", filters=Filters(kinds=("fix",)))


def test_only_filters_is_a_question() -> None:
    assert parse("kind:error", NOW) == Query(filters=Filters(kinds=("error",)))
    assert parse("-kind:error", NOW).filters.excluded == (("kind", "error"),)
    assert parse("-flaky", NOW).excluded == ("flaky",)
    assert parse('"->"', NOW).phrases == ("->",)


def test_paths_are_read_as_people_paste_them() -> None:
    assert filters(r"path:.\src\auth path:./lib path:src/*/test_*").paths == (
        "./src/auth",
        "./lib",
        "src/*/test_*",
    )


def test_values_that_stand_twice_count_once() -> None:
    assert filters("tag:a tag:a,b").tags == ("a", "b")
    assert parse('"x y" "x y"', NOW).phrases == ("x y",)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "empty", "kind:error"),
        ("   ", "empty", ""),
        ("-", "nothing to look for", ""),
        ('""', "nothing to look for", ""),
        ("~", "nothing to look for", ""),
        ("??? kind:error", "nothing to look for", ""),
        ("kind:eror", "unknown kind 'eror'", "did you mean kind:error?"),
        ("-kind:notes", "unknown kind 'notes'", "did you mean kind:note?"),
        ("kind:Error", "unknown kind 'Error'", "did you mean kind:error?"),
        ("status:opne", "unknown status 'opne'", "did you mean status:open?"),
        ("status:zzz", "unknown status 'zzz'", "status is one of open, resolved"),
        ("status:worked kind:error", "no error has the status 'worked'", "open, resolved"),
        ("status:open kind:note", "no note has the status 'open'", "leave out"),
        ("since:yesteryear", "'yesteryear' is not a date", "30d"),
        ("since:2026-02-30", "'2026-02-30' is not a date", "30d"),
        ("until:30x", "'30x' is not a date", "30d"),
        ("-since:30d", "can't be excluded", "until:30d"),
        ("since:1d until:2d", "is not before until", "swap"),
        ("path:" + "*/" * 9, "more than 8 stars", "folder"),
        ('say "hello world', 'a quote is not closed: "hello world', "close it"),
        ('author:"Ann Lee', "a quote is not closed", "close it"),
        ('-"on windows', "a quote is not closed", "close it"),
        ('tag:""', "tag: needs a value", "tag:value"),
        ("-flaky~", "can't be excluded together with ~", "without ~"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text, NOW)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert "\n" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("12h", "2026-11-20T21:30:15Z", None),
        ("30d", "2026-10-22T09:30:15Z", None),
        ("2w", "2026-11-07T09:30:15Z", None),
        ("6m", "2026-05-21T09:30:15Z", None),
        ("1y", "2025-11-21T09:30:15Z", None),
        ("9999y", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
        ("999999d", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
        ("today", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        ("Yesterday", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"),
        ("2026", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("2026-12", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("2026-01-31", "2026-01-31T00:00:00Z", "2026-02-01T00:00:00Z"),
        ("2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00Z", None),
        ("2026-01-31t10:00:00z", "2026-01-31T10:00:00Z", None),
    ],
)
def test_dates(text: str, start: str, end: str | None) -> None:
    assert moment(text, NOW) == start
    assert moment(text, NOW, end=True) == (end or start)


def test_months_before_the_31st_end_on_their_last_day() -> None:
    assert moment("1m", datetime(2026, 3, 31, tzinfo=UTC)) == "2026-02-28T00:00:00Z"


def test_the_clock_may_have_any_zone() -> None:
    elsewhere = NOW.astimezone(timezone(timedelta(hours=9)))
    assert parse("since:today", elsewhere) == parse("since:today", NOW)
    assert parse("since:1h", NOW.replace(tzinfo=None)) == parse("since:1h", NOW)


def test_the_narrower_of_two_bounds_counts() -> None:
    found = filters("since:30d since:2w until:2026-11-20 until:2026")
    assert (found.since, found.until) == ("2026-11-07T09:30:15Z", "2026-11-21T00:00:00Z")


def test_of_a_huge_text_both_ends_are_used() -> None:
    text = "head " + "x" * MAX_TEXT + ' kind:bogus "tail'
    query = parse(text, NOW)
    assert query.pasted
    assert len(query.words) == 2 * KEPT_END + 1
    assert query.words.startswith("head ")
    assert query.words.endswith('"tail')


def test_the_lists_fit_the_records() -> None:
    assert set(KINDS) == set(RECORD_KINDS)
    assert set(STATUSES["fix"]) == {*get_args(Outcome), "claimed", "did-not-hold"}
    assert set(get_args(DecisionStatus)) <= set(STATUSES["decision"])


@given(st.text(alphabet='ab "-~:*kindtagsice1\n', max_size=60) | st.text(max_size=60))
def test_any_text_is_a_question_or_a_usage_error(text: str) -> None:
    try:
        query = parse(text, NOW)
    except UsageError as error:
        assert error.message  # noqa: PT017  either way is right
    else:
        assert query != Query()
