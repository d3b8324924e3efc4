"""What tools say of their runs and reports: the fields fit together, whoever fills them."""

import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.tools.choice import by_program, load, pattern, values

PATTERNS = ("ending.early", "ending.early_alone", "ending.at_once", "reports.suites",
            "reports.texts", "reports.traces", "reports.kinds", "reports.heads")  # fmt: skip


@pytest.mark.parametrize("field", PATTERNS)
def test_a_pattern_of_a_tool_holds_no_group_and_fits_into_one_of_all(field: str) -> None:
    texts = list(values(field).values())
    assert texts
    assert all(re.compile(text).groups == 0 for text in texts)
    assert pattern(field).pattern.count("|") >= len(dict.fromkeys(texts)) - 1


def test_a_field_is_asked_by_the_program_that_is_started() -> None:
    assert by_program("ending.codes")["tsc"] == (1, 2)
    assert "typescript" not in by_program("ending.codes")
    assert by_program("ending.no-such-field") == {}


@pytest.mark.parametrize("field", ["ending.codes", "ending.lists_all", "reports.folder"])
def test_what_is_asked_by_program_is_said_by_tools_that_have_one(field: str) -> None:
    assert values(field)
    for name in values(field):
        assert values("command.programs")[name]


def test_a_definition_of_a_test_holds_its_name() -> None:
    texts = values("silence.definition").values()
    assert texts
    assert all("name" in re.compile(text).groupindex for text in texts)


def test_who_has_a_form_of_reports_says_how_it_begins() -> None:
    for name in values("reports.form"):
        assert values("reports.form_title")[name]
        assert values("reports.form_signs")[name]
    assert values("reports.plugin").keys() <= values("reports.form").keys()


@given(st.text("  \t\n\nab{[\r", max_size=60))
def test_the_cause_that_node_wraps_is_moved_to_the_margin(cause: str) -> None:
    case = load("node").reports.case
    assert case
    said = case("adds", f"[Error: x] {{\n  cause: {cause}", collecting=False)
    assert said == textwrap.dedent(f"  {cause}")
