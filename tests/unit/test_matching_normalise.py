import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.config import Mask
from gitmem.errors import InvalidError
from gitmem.matching.masks import QUOTES, STRUCTURE, VALUES
from gitmem.matching.normalise import MAX_TEXT, normalise, template
from gitmem.matching.rules import MOST_RULES, user_rule, user_rules

ALL = (*STRUCTURE, *QUOTES, *VALUES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cannot open the file /home/ann/a.txt now", "cannot open the file /srv/app/b/c.txt now"),
        (r"cannot open the file C:\work\a.txt now", "cannot open the file /srv/b.txt now"),
        ("cannot open src/a.py:12 for reading", "cannot open lib/deep/b.py:7:3 for reading"),
        ("cannot read config.yml while starting", "cannot read settings.toml while starting"),
        (
            "request 7f0c1d2e-1111-4222-8333-aabbccddeeff took too long",
            "request 00000000-aaaa-4bbb-8ccc-ddddeeeeffff took too long",
        ),
        ("no answer from peer 10.0.0.7:8080 yet", "no answer from peer 192.168.1.20 yet"),
        ("no answer from peer db.internal:5432 yet", "no answer from peer mail.example.com yet"),
        ("pod web-7f9c4d8b6-x8vq2 was evicted", "pod web-5d8c9f7b4-kq9w4 was evicted"),
        ("this run has ID 8QXJ2V1K", "this run has ID 0K9WD3MZ"),
        ("error of job 'shop:bq_r3f1a_0000018c_1'", "error of job 'shop:bq_r77c0_00000190_1'"),
        ("/usr/bin/mlr: no such verb", "mlr: no such verb"),
        ("object at 0x7f3a2b was freed twice", "object at 0xdeadbeef00 was freed twice"),
        ("gave up waiting after 30 s here", "gave up waiting after 1.5 minutes here"),
        ("tried to allocate 12 MiB of memory", "tried to allocate 3.5 GB of memory"),
        ("stopped at 2026-11-21 09:30:00 by timer", "stopped at 2025-01-02T03:04:05Z by timer"),
        ("needs at least version 1.2.3 of it", "needs at least version v4.10.0-rc1 of it"),
        ("commit 1a2b3c4d is not in the branch", "commit ffee00112233 is not in the branch"),
        ("user-level failure with id=12 and key=a-1", "user-level failure with id=99 and key=b-2"),
        ("name 'total' is not defined here", "name 'items' is not defined here"),
        ('cannot find "total" in this scope', 'cannot find "a b" in this scope'),
        ("cannot find `total` in this scope", "cannot find `x::y` in this scope"),
        (
            "expected one of ('a', 'b') but found 'c'",
            "expected one of ('x', 'y', 'z') but found 'q'",
        ),
        ("reading https://a.example/x?y=1 gave nothing", "reading http://b.example gave nothing"),
        ("mail to ann@example.com was not sent", "mail to bob.lee@mail.example.org was not sent"),
        ("block blk_123 is not there any more", "block blk_-99887766 is not there any more"),
        ("login failed for user ann on this host", "login failed for user bob on this host"),
        ("name 'totl' is not defined here. Did you mean: 'total'?", "name 'x' is not defined here"),
    ],
)
def test_what_varies_is_masked(one: str, other: str) -> None:
    assert template(one) == template(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("process finished with exit code 1", "process finished with exit code 2"),
        ("server answered with HTTP 404", "server answered with HTTP 500"),
        ("[Errno 2] cannot do this thing", "[Errno 13] cannot do this thing"),
        ("killed by signal 9 in the night", "killed by signal 11 in the night"),
        ("cannot store it, SQLSTATE 23505", "cannot store it, SQLSTATE 40001"),
        ("'NoneType' object has no attribute 'a'", "'list' object has no attribute 'a'"),
        ("'ascii' codec can't decode byte 0x80", "'utf-8' codec can't decode byte 0x80"),
        ("job ended with status=failed today", "job ended with status=skipped today"),
        ("cannot find module os", "cannot find package os"),
        ("No module named 'a'", "No module found for 'a' there"),
    ],
)
def test_what_tells_is_kept(one: str, other: str) -> None:
    assert template(one) != template(other)


def test_with_few_words_left_the_identifiers_stay() -> None:
    assert template("KeyError: 'tea'") != template("KeyError: 'cup'")
    assert template("'tea'") != template("'cup'")


def test_names_can_be_kept() -> None:
    said = "module 'shop' has no attribute 'total' in 'the big file'"
    assert template(said, keep="names") == "module 'shop' has no attribute 'total' in <q>"
    assert template(said, keep="values") == said
    assert template(said) == "module <q> has no attribute <q> in <q>"


def test_explained_masks_name_what_was_there() -> None:
    found = normalise("cannot open the file /home/ann/a.txt at line 12 for 'ann'")
    assert [(one.name, one.original, one.mask) for one in found.masked] == [
        ("path", "/home/ann/a.txt", "<path>"),
        ("quoted", "'ann'", "<q>"),
        ("number", "12", "<n>"),
    ]


@given(st.text(max_size=300))
def test_any_text_is_masked_without_complaint(text: str) -> None:
    found = normalise(text)
    assert all(isinstance(one.original, str) for one in found.masked)


@given(
    st.sampled_from(
        [
            "cannot open {} for the reader",
            "the value {} is not allowed here",
            "waited too long for {} and gave up",
        ]
    ),
    st.integers(0, 10**12),
    st.integers(0, 10**12),
)
def test_other_numbers_make_no_other_template(form: str, one: int, other: int) -> None:
    assert template(form.format(one)) == template(form.format(other))


@given(
    st.lists(
        st.sampled_from(["/srv/a/b.txt", "'x y'", "10.0.0.7", "42", "word", "0xff"]), max_size=12
    )
)
def test_masking_again_changes_nothing(parts: list[str]) -> None:
    once = template("the quick brown fox saw " + " ".join(parts))
    assert template(once) == once


@pytest.mark.parametrize(
    "piece",
    ["a", "1", "'", '"', "/a", "\\a", "a.", "a-1.", "(", "<", "0x", "a=", "1.1.", "a@", "::", " ",
     "`", "Did you mean ", "1:", "a/", "%", "((a)", "ab1", "\u2018", "for user "],
)  # fmt: skip
def test_each_pattern_does_work_in_line_with_the_length(piece: str) -> None:
    # Steps of the matcher can't be counted, but a pattern that went wild would never return
    # from a text a hundred times as long as the longest that is ever given to it.
    text = piece * (100 * MAX_TEXT // len(piece) // 10)
    for rule in ALL:
        rule.pattern.sub("", text[: MAX_TEXT * 2])


def test_user_rules_come_first() -> None:
    rules = (user_rule("order", r"order [A-Z]{2}-\d+", "<order>"),)
    assert template("cannot bill order AB-12 this month", rules) == "cannot bill <order> this month"
    assert normalise("cannot bill order AB-12 now", rules).masked[0].name == "order"


def test_a_mask_is_plain_text() -> None:
    rules = (user_rule("odd", r"odd\d+", r"\1\g<0>"),)
    assert template("it was very odd12 then", rules) == r"it was very \1\g<0> then"


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b", "(a*)*", r"(\w+\s?)+$", ".*.*x", r"\w+\w+", r"(a|ab)+c", "(a?a?)+b", r"(\w)\1",
        "x*", "", "(", "a" * 201, r"(?P<a>x)(?P=a)", r"\d+\d*z", r"(?:a{1,20}){1,20}",
        r"[ab]+[bc]+d", "a+(a+)(a+)b", "(?:a|ab|b)" * 18 + "x", "a{0,16}" * 20 + "b", "(?i)a+A+c",
        "[à]+à+b", "[^é]+中+b", "x(?=a+a+b)", "a?" * 30 + "a" * 30,
        "(?i)[a-b]{1,140}[a-b]{1,139}c", "[a-b]{1,60}[a-b]{1,60}c", r"\d{1,40}\d{1,40}x",
    ],
)  # fmt: skip
def test_patterns_that_may_take_long_are_refused(pattern: str) -> None:
    with pytest.raises(InvalidError) as caught:
        user_rule("mine", pattern)
    assert "mine" in caught.value.message


@pytest.mark.parametrize(
    "pattern",
    [
        r"order-[A-Z]+-\d+",
        r"[a-z]+=\S+ x",
        r"req_[0-9a-f]{8,40}",
        r"(?:ab|cd)x",
        r"\bT\d{3,6}\b",
        "é+",
        r"tenant-\w+\b",
        r"(?:AB|CD)-\d+(?:-[a-z]+)?",
        r"(foo|bar|baz)=\S+",
        "tenant '[^']*'",
    ],
)
def test_patterns_that_can_not_are_taken(pattern: str) -> None:
    assert user_rule("mine", pattern).pattern.pattern == pattern


@given(st.text(alphabet="ab(|)*+?{}[]\\.1,^$d", max_size=12))
def test_no_pattern_makes_the_check_itself_fail(pattern: str) -> None:
    try:
        rule = user_rule("mine", pattern)
    except InvalidError:
        return
    assert rule.pattern.sub("", "ab" * 200) is not None


def test_rules_of_the_settings_are_checked_one_by_one() -> None:
    slow = Mask("slow", "(a+)+b", where="fingerprint.rules[1]")
    made = user_rules((Mask("order", r"o\d+"), slow, Mask("other", "x+")))
    assert [(rule.name, rule.mask) for rule in made.rules] == [("order", "<*>"), ("other", "<*>")]
    (fault,) = made.faults
    assert fault.startswith("fingerprint.rules[1]: mask 'slow': the pattern has a repetition")
    assert "\n" not in fault
    heavy = user_rules(tuple(Mask(str(number), r"\d+\w") for number in range(20)))
    assert not heavy.rules
    long = user_rules(tuple(Mask(str(number), r"[0-9]+x") for number in range(20)))
    assert 0 < len(long.rules) < 20
    assert "with the rules before" in long.faults[0]
    named = user_rules(tuple(Mask(str(number), r"order-[0-9]+ of") for number in range(20)))
    assert len(named.rules) == 20
    many = user_rules(tuple(Mask(str(number), "x") for number in range(MOST_RULES + 2)))
    assert (len(many.rules), len(many.faults)) == (MOST_RULES, 2)


@given(st.text(alphabet="ab(|)*+?{}[],1^$", max_size=12))
def test_a_pattern_that_is_taken_does_work_in_line_with_its_length(pattern: str) -> None:
    # Steps can't be counted: one that went wild on two thousand characters would not return.
    try:
        rule = user_rule("mine", pattern)
    except InvalidError:
        return
    for text in ("a" * MAX_TEXT, "ab" * (MAX_TEXT // 2), "aab" * (MAX_TEXT // 3)):
        assert len(rule.pattern.sub("", text)) <= len(text)


def test_the_page_about_fingerprints_names_every_mask() -> None:
    page = Path(__file__).parents[2] / "docs" / "fingerprints.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    named = {line.split("`")[1] for line in rows}
    assert {rule.name for rule in ALL} <= named


def test_no_pattern_of_the_table_repeats_a_repetition_without_bounds() -> None:
    parser = sys.modules["re._parser"]

    def unbounded(items: object, *, inside: bool) -> bool:
        for op, value in items:  # type: ignore[attr-defined]
            name = str(op)
            if name in ("MAX_REPEAT", "MIN_REPEAT"):
                endless = value[1] == parser.MAXREPEAT
                if (endless and inside) or unbounded(value[2], inside=inside or endless):
                    return True
            elif (name == "SUBPATTERN" and unbounded(value[3], inside=inside)) or (
                name == "BRANCH" and any(unbounded(one, inside=inside) for one in value[1])
            ):
                return True
        return False

    for rule in ALL:
        assert not unbounded(parser.parse(rule.pattern.pattern), inside=False), rule.name
        assert rule.pattern.pattern
