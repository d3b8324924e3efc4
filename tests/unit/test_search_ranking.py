"""What facts, fingerprints and stories do to scores, without a disk."""

import errno
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.answers.found import SearchHit
from gitmem.catalog.rows import Row
from gitmem.index.weights import WEIGHTS
from gitmem.matching.labels import (
    SAME_ERROR,
    SAME_MESSAGE,
    SAME_PLACE,
    SAME_TEST,
    SIMILAR,
    WEAK,
)
from gitmem.search.facts import (
    SECOND,
    Circumstances,
    RecordFacts,
    RecordFeedback,
    added,
    facts,
    same_file,
    together,
)
from gitmem.search.levels import labelled, least_similar, with_levels
from gitmem.search.pipeline import MOST_LIFTED

NOW = "2026-11-21T12:00:00Z"
_AGAINST = {"regressed", "its files are gone", "unhelpful", "did not help again"}
WORTH = WEIGHTS["facts"]
_NO_SHARES = {
    SAME_ERROR, SAME_PLACE, SAME_MESSAGE, SAME_TEST, "same kind", "same names", "few",
    "half-life in days",
}  # fmt: skip
LONG = "a text that is long enough to be told by its score alone " * 2


def row(number: int, kind: str = "error", **more: Any) -> Row:
    prefix = {"error": "err", "fix": "fix"}[kind]
    told = dict.fromkeys(Row._fields, "") | {
        "file": number,
        "feedback": 0.0,
        "id": f"{prefix}-{number:010}",
        "kind": kind,
        "session": None,
        "created": "2026-11-20T12:00:00.000Z",
    }
    return Row(**(told | more))


def hit(number: int, score: float, kind: str = "error", **more: Any) -> SearchHit:
    return SearchHit(row(number, kind), score, (("word", score),), **({"attempts": ()} | more))


def named(known: RecordFacts, around: Circumstances) -> dict[str, float]:
    return dict(facts(known, around))


def test_nothing_is_known_of_a_record_without_circumstances() -> None:
    assert facts(RecordFacts("err-1", "open", NOW), Circumstances()) == []


@pytest.mark.parametrize(
    ("known", "around", "name"),
    [
        (RecordFacts("a", "resolved", NOW), Circumstances(), "a fix held"),
        (RecordFacts("a", "regressed", NOW), Circumstances(), "regressed"),
        (
            RecordFacts("a", "open", NOW, files=frozenset({"src/a.py"})),
            Circumstances(files=frozenset({"a.py"})),
            "same file",
        ),
        (
            RecordFacts("a", "open", NOW, branches=frozenset({"topic"})),
            Circumstances(branch="topic"),
            "same branch",
        ),
        (RecordFacts("a", "open", NOW, stale=True), Circumstances(), "its files are gone"),
        (
            RecordFacts("a", "open", NOW),
            Circumstances(feedback={"a": RecordFeedback(1, 1, judged=True)}),
            "helpful",
        ),
        (
            RecordFacts("a", "open", NOW),
            Circumstances(feedback={"a": RecordFeedback(0, -1, judged=True)}),
            "unhelpful",
        ),
        (
            RecordFacts("a", "open", NOW),
            Circumstances(feedback={"a": RecordFeedback(0, 0.1)}),
            "used before",
        ),
        (RecordFacts("a", "", "", reused=2), Circumstances(), "helped again"),
        (RecordFacts("a", "", "", reused=-1), Circumstances(), "did not help again"),
    ],
)
def test_each_fact_is_told_by_its_name(
    known: RecordFacts, around: Circumstances, name: str
) -> None:
    (found,) = facts(known, around)
    assert found[0] == name
    assert (found[1] > 0) == (name not in _AGAINST)


def test_recent_halves_with_its_half_life() -> None:
    days = int(WORTH["half-life in days"])
    new = named(RecordFacts("a", "open", NOW), Circumstances(now=NOW))["recent"]
    old = named(RecordFacts("a", "open", "2026-05-25T12:00:00Z"), Circumstances(now=NOW))["recent"]
    assert days == 180
    assert new == pytest.approx(WORTH["recent"])
    assert old == pytest.approx(WORTH["recent"] / 2)
    assert "recent" in named(
        RecordFacts("a", "open", "2027-01-01T00:00:00Z"), Circumstances(now=NOW)
    )


def test_verdicts_with_this_failure_weigh_more_than_with_others() -> None:
    here = named(
        RecordFacts("a", "open", NOW),
        Circumstances(feedback={"a": RecordFeedback(1, 1, judged=True)}),
    )["helpful"]
    elsewhere = named(
        RecordFacts("a", "open", NOW),
        Circumstances(feedback={"a": RecordFeedback(0, 1, judged=True)}),
    )["helpful"]
    assert here > 2 * elsewhere


@given(st.lists(st.tuples(st.text(), st.floats(-5, 5))))
def test_facts_never_turn_a_score_around(found: list[tuple[str, float]]) -> None:
    assert 5.0 + sum(value for _, value in added(found, 5.0, 0.0)) >= 0.4 * 5.0 - 1e-9


def test_no_fact_lifts_what_is_left_out_as_weak() -> None:
    shares = {name: WORTH[name] for name in WORTH if name not in _NO_SHARES}
    assert max(shares.values()) < 1
    assert 1 + sum(share for share in shares.values() if share > 0) < MOST_LIFTED / 2


def test_the_same_error_does_not_make_facts_worth_more() -> None:
    found = [("same file", 0.1), ("unhelpful", -0.2)]
    message = WORTH["same message"]
    first = WORTH["same error"]
    less = dict(added(found, 10.0 + message, message))
    most = dict(added(found, 10.0 + first, first))
    assert less["same file"] == most["same file"] == pytest.approx(0.1 * (10 + message))
    assert most["unhelpful"] == pytest.approx(-0.2 * (10 + first)), "verdicts count for the whole"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("src/a.py", "a.py", True),
        ("a.py", "src/a.py", True),
        ("src/a.py", "lib/a.py", False),
        ("xa.py", "a.py", False),
        ("", "a.py", False),
    ],
)
def test_a_file_is_the_same_by_the_end_of_its_path(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    assert same_file([one], [other]) is same


def test_an_equal_fingerprint_is_added_and_brings_in_what_words_missed() -> None:
    found = with_levels([hit(1, 5.0)], [(SAME_ERROR, hit(2, 0.0)), (SAME_MESSAGE, hit(1, 0.0))])
    scores = {one.row.file: (one.score, one.label) for one in found}
    assert scores == {
        1: (5.0 + WORTH["same message"], SAME_MESSAGE),
        2: (WORTH["same error"], SAME_ERROR),
    }
    for one in found:
        assert sum(value for _, value in one.parts) == pytest.approx(one.score)


@pytest.mark.parametrize("label", [SAME_MESSAGE, SAME_PLACE])
def test_a_fingerprint_that_many_records_share_is_worth_less_to_each(label: str) -> None:
    few, many = int(WORTH["few"]), 4 * int(WORTH["few"])
    for count, worth in ((1, 1.0), (few, 1.0), (many, 0.25)):
        found = with_levels([], [(label, hit(number, 0.0)) for number in range(count)])
        assert [one.score for one in found] == pytest.approx([worth * WORTH[label]] * count)


def test_of_many_with_one_message_those_that_name_the_same_come_first() -> None:
    alike = [(SAME_MESSAGE, hit(number, 0.0)) for number in range(4 * int(WORTH["few"]))]
    same = alike[7][1]
    alike[7] = (SAME_MESSAGE, same._replace(row=same.row._replace(gist="name 'argc' may be unset")))
    ranked = with_levels([], alike, ("argc",))
    best = max(ranked, key=lambda one: one.score)
    assert best.row.file == 7
    assert best.score == WORTH["same message"] + WORTH["same names"]
    assert {one.score for one in ranked if one is not best} == {WORTH["same message"] / 4}
    assert {one.score for one in with_levels([], alike, ("arg",))} == {WORTH["same message"] / 4}


def test_an_equal_fingerprint_outweighs_a_text_that_speaks_against_the_record() -> None:
    found = with_levels([hit(1, -1.5), hit(2, -0.5)], [(SAME_MESSAGE, hit(1, 0.0))])
    assert {one.row.file: one.score for one in found} == {1: WORTH["same message"], 2: -0.5}
    assert all(sum(value for _, value in one.parts) == one.score for one in found)


def test_the_same_error_is_worth_as_much_however_many_there_are() -> None:
    many = [(SAME_ERROR, hit(number, 0.0)) for number in range(100)]
    assert {one.score for one in with_levels([], many)} == {WORTH["same error"]}


def test_a_label_by_score_leaves_that_of_a_fingerprint() -> None:
    least = least_similar(100)
    hits = [
        named_hit._replace(row=row(named_hit.row.file, title="told by its score"))
        for named_hit in (hit(1, least), hit(2, least - 0.01), hit(3, 0.0, label=SAME_MESSAGE))
    ]
    assert [one.label for one in labelled(hits, 100, LONG)] == [SIMILAR, WEAK, SAME_MESSAGE]
    assert {one.label for one in labelled(hits[:2], 10, LONG)} == {SIMILAR}
    assert {one.label for one in labelled(hits[:2], 1000, LONG)} == {WEAK}


def test_a_short_text_is_similar_to_what_says_some_of_it() -> None:
    one = hit(1, 50.0)._replace(row=row(1, title="KeyError: 'total'"))
    assert [hit.label for hit in labelled([one], 1, "KeyError: 'totals'")] == [SIMILAR]
    assert [hit.label for hit in labelled([one], 1, "ValueError: unheard of")] == [WEAK]


STOCK = [
    ("cp: cannot stat 'build/config.toml': {}", "bash: ./run_tests.sh: {}", errno.ENOENT),
    ("connection to server at db, port 5432: {}", "ssh: connect to x.org: {}", errno.ECONNREFUSED),
    ("open /var/run/docker.sock: {}", "bash: ./gradlew: {}", errno.EACCES),
    ("tar: archive.tgz: Cannot open: {}", "OSError: [Errno 28] {}: '/tmp/x'", errno.ENOSPC),
]
AROUND = "\nrunning the next step of today's plan, which takes a while, and then one more; " * 2


@pytest.mark.parametrize(("title", "question", "number"), STOCK)
@pytest.mark.parametrize("around", ["", AROUND])
def test_what_the_operating_system_says_of_any_program_makes_nothing_similar(
    title: str, question: str, number: int, around: str
) -> None:
    phrase = os.strerror(number)
    one = hit(1, 50.0)._replace(row=row(1, title=title.format(phrase)))
    other = question.format(phrase.lower()) + around
    same = title.format(phrase).replace("cannot", "can not") + around
    assert [hit.label for hit in labelled([one], 1, other)] == [WEAK]
    assert [hit.label for hit in labelled([one], 1, same)] == [SIMILAR]


def test_a_name_in_front_of_a_stock_phrase_tells_failures_apart() -> None:
    one = hit(1, 50.0)._replace(row=row(1, title="deploy.sh: kubectl: command not found"))
    assert [hit.label for hit in labelled([one], 1, "npm: command not found")] == [WEAK]
    assert [hit.label for hit in labelled([one], 1, "command not found")] == [WEAK]
    assert [hit.label for hit in labelled([one], 1, "zsh: command not found: kubectl")] == [SIMILAR]


def test_a_long_text_is_similar_to_what_it_says_some_of_in_title_or_gist() -> None:
    one = hit(1, 50.0)._replace(
        row=row(1, title="orders are lost at midnight", gist="connect: broker closed the channel")
    )
    by_gist = f"AMQP: the broker closed channel 7{AROUND}"
    assert [hit.label for hit in labelled([one], 1, by_gist)] == [SIMILAR]
    assert [hit.label for hit in labelled([one], 1, f"worker: lost 3 rows{AROUND}")] == [SIMILAR]
    assert [hit.label for hit in labelled([one], 1, f"port 7 is in use{AROUND}")] == [WEAK]


def test_what_is_similar_grows_with_the_memory() -> None:
    tenfold = WEIGHTS["labels"]["ten times the records"]
    assert least_similar(0) == least_similar(1) == WEIGHTS["labels"]["similar"]
    assert least_similar(5000) - least_similar(500) == pytest.approx(tenfold)


def test_an_error_and_its_fix_are_one_hit() -> None:
    error, fix = hit(1, 4.0), hit(2, 10.0, "fix", errors=(row(1),))
    alone = hit(3, 6.0, "fix", errors=(row(9),))
    (first, second) = together([fix, error, alone], spread=True)
    assert (first.row.id, second.row.id) == (error.row.id, alone.row.id)
    assert first.score == pytest.approx(10.0 + SECOND * 4.0)
    assert sum(value for _, value in first.parts) == pytest.approx(first.score)
    (pasted, _) = together([fix, error, alone], spread=False)
    assert pasted.score == 10.0


@given(
    st.lists(st.floats(0, 100), max_size=6),
    st.lists(st.tuples(st.floats(0, 100), st.integers(0, 7)), max_size=6),
    st.booleans(),
)
def test_no_story_is_worth_less_than_its_best_part(
    errors: list[float], fixes: list[tuple[float, int]], spread: bool  # noqa: FBT001
) -> None:  # fmt: skip
    hits = [hit(at, score) for at, score in enumerate(errors)]
    made = [
        hit(100 + at, score, "fix", errors=(row(home),)) for at, (score, home) in enumerate(fixes)
    ]
    joined = {one.row.file: one.score for one in together([*hits, *made], spread=spread)}
    for one in hits:
        assert joined[one.row.file] >= one.score
    for one in made:
        home = one.errors[0].file
        assert joined[home if home in joined else one.row.file] >= one.score


def test_what_another_failing_line_took_is_given_back_where_a_fingerprint_agrees() -> None:
    against = hit(1, -2.0)._replace(parts=(("head in head", 3.0), ("another trace", -5.0)))
    (ranked,) = with_levels([against], [(SAME_MESSAGE, hit(1, 0.0))])
    assert ranked.score == 3.0 + WORTH["same message"]
    assert "another trace" not in dict(ranked.parts)
