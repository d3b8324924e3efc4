"""What a model says is held against what it was sent."""

import pytest

from gitmem.llm.answers import Gist, Gists, Preference, Preferences, QuotedFact, Sure
from gitmem.llm.evidence import Fact, proven, shortened

FACTS = {
    "f1": Fact("naming, python: functions snake_case, 240 of 241 (detailed)", "high"),
    "f2": Fact("tests, python: test_*, 9 of 15 (mixed)", "low"),
}


def preferring(confidence: Sure, *evidence: tuple[str, str]) -> Preferences:
    found = [QuotedFact(fact, quote) for fact, quote in evidence]
    return Preferences([Preference("naming", "Name it so", confidence, found)])


def test_a_preference_that_quotes_a_fact_is_kept_as_it_is() -> None:
    said = preferring("high", ("f1", "Functions  snake_case,\n240 of 241"))
    assert proven(said, FACTS) == (said, [])


@pytest.mark.parametrize(
    "evidence",
    [
        (),
        (("f9", "functions snake_case"),),
        (("f1", "functions camelCase"),),
        (("f1", "241 of 241"),),
        (("f2", "functions snake_case"),),
    ],
    ids=["none", "no such fact", "other words", "other figures", "words of another fact"],
)
def test_a_preference_that_no_fact_shows_is_left_out(evidence: tuple[tuple[str, str], ...]) -> None:
    kept, notes = proven(preferring("high", *evidence), FACTS)
    assert kept.preferences == []
    assert notes == ["left out, because no fact that was sent supports it: Name it so"]


def test_wrong_quotations_are_left_out_and_told() -> None:
    said = preferring("medium", ("f1", "240 of 241"), ("f1", "100 of 100"))
    kept, notes = proven(said, FACTS)
    assert [one.quote for one in kept.preferences[0].evidence] == ["240 of 241"]
    assert notes == ["1 of its quotations left out: Name it so"]


def test_no_preference_is_surer_than_its_facts() -> None:
    kept, notes = proven(preferring("high", ("f2", "test_*, 9 of 15")), FACTS)
    assert kept.preferences[0].confidence == "low"
    assert notes == ["its confidence high is lowered to low, as its facts allow: Name it so"]


SENT = {"fix-000000000a": "make it aware\nWe call now() of src/times.py line 12, in version 2.4."}


@pytest.mark.parametrize(
    ("short", "added"),
    [
        ("call now() of src/times.py, line 12", ""),
        ("now(), version 2.4.", ""),
        ("call now() of src/times.py, line 13", "13"),
        ("as in fix-000000000b", "fix-000000000b"),
        ("needs 2.5", "2.5"),
        ("worked 3 times", "3"),
    ],
)
def test_a_short_form_brings_in_no_figure_of_its_own(short: str, added: str) -> None:
    kept, notes = shortened(Gists([Gist("fix-000000000a", short)]), SENT)
    assert kept == ({} if added else {"fix-000000000a": short})
    wanted = f"fix-000000000a stays whole: its short form names {added}"
    assert notes == ([wanted] if added else [])


def test_what_was_not_sent_or_is_not_shorter_is_not_taken() -> None:
    gists = Gists([Gist("fix-00000000zz", "x"), Gist("fix-000000000a", "longer " * 20)])
    kept, notes = shortened(gists, SENT)
    assert kept == {}
    assert notes == ["left out, as it was not sent: fix-00000000zz"]


def test_of_two_short_forms_of_one_record_the_first_is_taken() -> None:
    gists = Gists([Gist("fix-000000000a", "one"), Gist("fix-000000000a", "two")])
    assert shortened(gists, SENT)[0] == {"fix-000000000a": "one"}
