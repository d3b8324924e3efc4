"""An analysis of failures: causes, steps and lessons, with what they rest on."""

from gitmem.learning.advice import Trial
from gitmem.learning.analysis import FailureCount, Findings, RecordAccount, as_data, finding
from gitmem.render.analysis import plain
from gitmem.render.text import Painter

SEEN = FailureCount("err-1", "boom", 3, "2026-01-01", "2026-01-05", open=False)


def trial(name: str, approach: str, outcome: str, day: int = 1) -> Trial:
    return Trial(name, approach, outcome, f"2026-01-{day:02}", "same error")


def test_causes_in_the_same_words_are_one_with_all_their_records() -> None:
    told = [
        RecordAccount("err-1", "no zone"),
        RecordAccount("fix-1", "No  zone!", outcome="worked"),
        RecordAccount("fix-2", "wrong clock", outcome="failed"),
        RecordAccount("fix-3", "", outcome="worked"),
    ]
    found = finding(SEEN, told, [])
    assert [(one.text, one.records) for one in found.causes] == [
        ("No  zone!", ("fix-1", "err-1")),
        ("wrong clock", ("fix-2",)),
    ]
    sure = found.causes[0].sure
    assert sure is not None
    assert (sure.rate.worked, sure.rate.tried, sure.word) == (2, 3, "low")


def test_steps_are_those_of_the_way_to_try_and_lessons_come_from_what_worked_first() -> None:
    told = [
        RecordAccount("fix-1", steps=("old",), lessons="from failing", outcome="failed"),
        RecordAccount("fix-2", steps=("a", "b"), lessons="mind it", outcome="worked"),
        RecordAccount("fix-3", steps=("c",), outcome="worked"),
    ]
    trials = [
        trial("fix-1", "pray", "failed"),
        trial("fix-2", "repair", "worked", 2),
        trial("fix-3", "repair", "worked", 3),
    ]
    found = finding(SEEN, told, trials)
    assert found.steps is not None
    assert (found.steps.text, found.steps.records) == ("c", ("fix-3",))
    assert [one.text for one in found.prevention] == ["mind it", "from failing"]
    assert [one.approach for one in found.tries] == ["repair"]
    assert [one.approach for one in found.avoid] == ["pray"]
    data = as_data(Findings((found,)))[0]
    assert data["steps"] == ["c"]
    assert data["failed"][0]["records"] == ["fix-1"]
    assert Findings((found,)).records == {"err-1", "fix-1", "fix-2", "fix-3"}


def test_where_nothing_is_recorded_nothing_is_claimed() -> None:
    found = finding(SEEN, [RecordAccount("err-1")], [])
    assert (found.causes, found.steps, found.tries, found.prevention) == ((), None, (), ())


def test_a_failure_of_several_files_says_so_and_one_of_one_file_does_not() -> None:
    failure = finding(SEEN, [RecordAccount("err-1")], [])
    files = tuple(f"src/{name}.py" for name in "abcdefg")
    for spread in ((), ("src/a.py",)):
        text = "\n".join(plain(Findings((failure._replace(files=spread),)), Painter(False, 0)))
        assert "spread" not in text
    lines = list(plain(Findings((failure._replace(files=files),)), Painter(False, 0)))
    (line,) = [line for line in lines if "spread" in line]
    assert "in 7 files: src/a.py, src/b.py, src/c.py, src/d.py, src/e.py, …" in line
    assert as_data(Findings((failure._replace(files=files),)))[0]["files"] == list(files)
