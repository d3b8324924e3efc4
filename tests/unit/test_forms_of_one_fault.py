"""What one tool says, as it says it elsewhere: other quotes, a line alone, a report for a host."""

import json

import pytest

from gitmem.matching.parse import parse
from gitmem.matching.recorded import names_others


@pytest.mark.parametrize(
    ("printed", "other", "named"),
    [
        ("unknown type name \u2018uint32_t\u2019", "unknown type name 'uint32_t'", False),
        ("unknown type name \u2018uint32_t\u2019", "unknown type name 'size_t'", True),
        ('cannot find "a.h"', "cannot find \u201ca.h\u201d", False),
    ],
)
def test_quotes_are_no_part_of_a_name(printed: str, other: str, *, named: bool) -> None:
    """GCC writes others where its output is not in UTF-8, as in most jobs."""
    assert names_others(printed, other) is named


def test_a_panic_of_go_is_known_by_its_line_alone() -> None:
    line = "panic: runtime error: index out of range [0] with length 0"
    stack = f"{line}\n\ngoroutine 1 [running]:\nmain.First(...)\n\t/src/stock.go:6\nexit status 2\n"
    (alone,), (whole,) = parse(line), parse(stack)
    assert (alone.tool, alone.error_type, alone.message) == (
        whole.tool, whole.error_type, whole.message,
    )  # fmt: skip
    assert whole.frames
    assert [each.tool for each in parse("panic: out of paper\n")] == [""]


def test_a_rule_before_the_words_of_a_report_is_no_part_of_them() -> None:
    """Ruff writes it so for GitLab, and nowhere else."""
    fault = {
        "check_name": "E711",
        "description": "E711: Comparison to `None` should be `cond is None`",
        "severity": "major",
        "location": {"path": "b.py", "positions": {"begin": {"line": 2, "column": 17}}},
    }
    (read,) = parse(json.dumps([fault]))
    assert (read.code, read.message) == ("E711", "Comparison to `None` should be `cond is None`")
