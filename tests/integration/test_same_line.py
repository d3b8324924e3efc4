"""A failing line with other numbers and strings is the same line, for whoever looks for it."""

from typing import TYPE_CHECKING

import pytest

from gitmem.index.sections import shape_term
from gitmem.memory import Memory

if TYPE_CHECKING:
    from tests.conftest import Checkout

PYTEST = """\
F                                                                        [100%]
=================================== FAILURES ===================================
________________________________ test_{name} _________________________________

    def test_{name}():
>       assert {call} == {wanted}
E       assert {got} == {wanted}
E        +  where {got} = {call}

test_{file}.py:6: AssertionError
=========================== short test summary info ============================
FAILED test_{file}.py::test_{name} - assert {got} == {wanted}
1 failed in 0.10s
"""


def output(name: str, file: str, call: str, got: str, wanted: str) -> str:
    return PYTEST.format(name=name, file=file, call=call, got=got, wanted=wanted)


@pytest.mark.usefixtures("sealed_git")
def test_the_error_of_a_line_with_other_values_is_found_first(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        rounded = memory.add("error", {
            "title": "assert 0.30000000000000004 == 0.3",
            "excerpt": output("total", "cart", "total([0.1, 0.2])", "0.30000000000000004", "0.3"),
        })  # fmt: skip
        memory.resolve(rounded.id, {"approach": "count in whole cents"})
        for number, name in enumerate(("rate", "page", "sum", "count")):
            text = output(name, f"shop_{name}", f"{name}({number}, [0.8, 0.1])", "7", "0.8")
            memory.add("error", {"title": f"assert 7 == 0.8 in {name}", "excerpt": text})
        text = output("total", "bill", "total([0.1, 0.7])", "0.7999999999999999", "0.8")
        assert memory.search(text).hits[0].row.id == rounded.id


@pytest.mark.parametrize(
    ("line", "other", "same"),
    [
        ("assert total([0.1, 0.2]) == 0.3", "assert total([0.1, 0.7]) == 0.8", True),
        (
            'assert name(io.StringIO("Ann")) == "Ann"',
            "assert name(io.StringIO('Zoe')) == 'Z'",
            True,
        ),
        ("return price * 2", "return price * 3", True),
        ("return price * 2", "return rate * 2", False),
    ],
)
def test_lines_are_compared_without_their_values(line: str, other: str, *, same: bool) -> None:
    assert (shape_term(line) == shape_term(other)) is same


@pytest.mark.parametrize("line", ["assert 7 == 9", "return price", "", "expect(1).toBe(2)"])
def test_a_line_that_says_nothing_else_has_no_shape(line: str) -> None:
    assert shape_term(line) == ""
