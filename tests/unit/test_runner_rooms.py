"""What the rooms of runners say of how they tell of tests fits together."""

import re

import pytest

from gitmem.matching.outcomes.gathered import Outcomes
from gitmem.matching.outcomes.reader import OutcomeReader, signs
from gitmem.matching.test_names import is_file, tail
from gitmem.tools import choice
from gitmem.tools.common.cargo_binaries import CargoBinaries
from gitmem.tools.forms import ALL, LISTED, NAMED, CountForm, GroupForm, LineForm

STATUSES = {"passed", "failed", "error", "skipped", ALL}


def forms_of(field: str) -> list[tuple[str, tuple[object, ...]]]:
    by_tool = choice.values(f"tests.{field}")
    return [(tool, tuple(form)) for tool, forms in by_tool.items() for form in forms]


@pytest.mark.parametrize(("tool", "form"), forms_of("lines"))
def test_a_line_names_its_test_and_says_how_it_ended(tool: str, form: tuple[str, str]) -> None:
    groups = re.compile(LineForm(*form).pattern).groupindex.keys()
    assert "name" in groups or {"test", "owner"} <= groups
    assert "word" in groups or ("said" in groups and choice.load(tool).tests.status)


@pytest.mark.parametrize(("tool", "form"), forms_of("counts"))
def test_each_number_of_a_summary_has_a_status(tool: str, form: tuple[object, ...]) -> None:
    summary = CountForm._make(form)
    if summary.numbers in (LISTED, NAMED, ()):
        return
    assert set(summary.numbers) <= STATUSES
    assert re.compile(summary.pattern).groups == len(summary.numbers)


@pytest.mark.parametrize(("tool", "form"), forms_of("groups"))
def test_a_group_has_a_name_and_signs_for_its_dots(tool: str, form: tuple[object, ...]) -> None:
    group = GroupForm._make(form)
    groups = re.compile(group.pattern).groupindex.keys()
    assert "name" in groups
    assert ("dots" in groups) == bool(group.signs)


def test_who_follows_says_from_which_line_on() -> None:
    assert choice.values("tests.follow").keys() == choice.values("tests.follows").keys()


def test_who_knows_what_titles_name_says_which_are_its_own() -> None:
    told_by = {*choice.values("tests.title_start"), *choice.values("tests.title_joint")}
    assert told_by == choice.values("tests.title_outcome").keys()


def test_signs_are_found_by_the_character_at_their_end() -> None:
    assert all(text[0] == first for first, texts in signs().begins.items() for text in texts)
    assert all(text[-1] == last for last, texts in signs().ends.items() for text in texts)


def test_followers_come_with_their_first_line() -> None:
    outcomes = Outcomes(signs().number, signs().shape)
    outcomes.take("PASSED a.py::test_a", "PASSED a.py::test_a", sure=True, tree=False)
    assert not outcomes._followers
    outcomes.take("--- PASS: TestA (0.00s)", "--- PASS: TestA (0.00s)", sure=True, tree=False)
    assert list(outcomes._followers) == ["go"]


def test_followers_are_asked_in_the_order_of_the_tools() -> None:
    outcomes = Outcomes(signs().number, signs().shape)
    outcomes.take("ok  \tshop\t0.1s", "ok  \tshop\t0.1s", sure=True, tree=False)
    outcomes.take("TAP version 13", "TAP version 13", sure=True, tree=False)
    assert list(outcomes._followers) == ["tap", "go"]
    # So a line of a package is seen as one that stands between the version and a title.
    outcomes.take("?   \tpack\t[no test files]", "?", sure=True, tree=False)
    outcomes.take("# SKIP later", "# SKIP later", sure=True, tree=False)
    report = outcomes.report(())
    assert report
    assert report.cases == ()


def test_a_binary_stays_until_the_next() -> None:
    binaries = CargoBinaries()
    binaries.read("     Running tests/shop.rs (target/debug/deps/shop-d530873e218775a5)")
    binaries.read("running 3 tests")
    assert binaries.where == "shop tests/shop.rs"
    binaries.read("   Doc-tests shop")
    assert binaries.where == "shop documentation"


def test_the_name_of_a_runner_is_that_of_its_records() -> None:
    reader = OutcomeReader()
    summary = "3 tests, 3 assertions, 0 failures, 0 errors, 0 pendings, 1 omissions"
    reader.feed(summary, [summary])
    report = reader.report(())
    assert report
    assert report.tool == "test-unit"


def test_names_of_languages_and_runners_are_cut_alike() -> None:
    assert tail("shop.CartTest.small", "java") == tail("shop.CartTest.small", "gradle")
    assert tail("shop.CartTest.small", "pytest") == "shop CartTest small"
    assert is_file("cart.bats")
