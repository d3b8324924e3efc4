"""What a checker says in the place of something else, and what it says beside it."""

import pytest

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.hiding import hides_nothing, may_hide


def said(site: str, code: str, message: str = "", tool: str = "ruff") -> FingerprintedFailure:
    fields = {"tool": tool, "code": code, "message": message}
    return FingerprintedFailure(site, site, site, site, site, site, fields, ("a.py:1",))


UNUSED = said("unused", "F401", "`os` imported but unused")


@pytest.mark.parametrize("code", ["", "E999", "invalid-syntax"])
def test_what_a_linter_cant_read_hides_all_of_a_file(code: str) -> None:
    assert may_hide(said("new", code, "SyntaxError: invalid syntax"), UNUSED, {"unused"})


def test_a_rule_that_is_broken_anew_may_be_the_old_one_in_other_words() -> None:
    """The mend of one unused import was learnt although another name stood there unused."""
    anew = said("new", "F401", "`sys` imported but unused")
    assert may_hide(anew, UNUSED, {"unused"})
    assert not may_hide(anew, UNUSED, {"unused", "new"})


def test_another_rule_stands_beside_it() -> None:
    assert not may_hide(said("new", "E501", "Line too long"), UNUSED, {"unused"})


def typed(site: str, code: str, message: str, tool: str = "mypy") -> FingerprintedFailure:
    return said(site, code, message, tool)


AREA = typed("area", "arg-type", 'Argument 1 to "area" has incompatible type "str"; expected "int"')
VOL = typed("vol", "arg-type", 'Argument 2 to "vol" has incompatible type "int"; expected "str"')


def test_a_wrong_argument_of_another_function_hides_nothing() -> None:
    """The one for ``area`` was said to be there still, when ``vol`` stood in its line."""
    assert hides_nothing(VOL, AREA, {"area"})


def test_a_wrong_argument_of_the_same_function_may_be_the_old_one() -> None:
    again = typed(
        "again", "arg-type", 'Argument 1 to "area" has incompatible type "bytes"; expected "int"'
    )
    assert not hides_nothing(again, AREA, {"area"})


@pytest.mark.parametrize(
    "other",
    [
        typed("syntax", "syntax", "Invalid syntax"),
        typed("import", "import-not-found", 'Cannot find implementation for module "shop"'),
        said("unused", "F401", "`os` imported but unused"),
    ],
    ids=lambda other: other.site,
)
def test_what_changes_what_is_known_of_other_code_may_hide(other: FingerprintedFailure) -> None:
    assert not hides_nothing(other, AREA, {"area"})


def test_what_was_there_before_tells_nothing() -> None:
    assert not hides_nothing(VOL, AREA, {"area", "vol"})


def test_another_rule_about_values_hides_nothing() -> None:
    wrong = typed("wrong", "assignment", 'Incompatible types: "str" is assigned to "int"')
    assert hides_nothing(wrong, AREA, {"area"})


@pytest.mark.parametrize(
    ("tool", "code"),
    [("ty", "invalid-argument-type"), ("pyrefly", "bad-argument-type"),
     ("pyright", "reportArgumentType")],
)  # fmt: skip
def test_other_checkers_of_types_know_as_much(tool: str, code: str) -> None:
    one, other = (
        typed(name, code, f"Argument to function `{name}` is incorrect", tool)
        for name in ("area", "vol")
    )
    assert hides_nothing(other, one, {"area"})
