"""docs/seeds.md accounts for every item of the check-list: by a test, and by a reason."""

import ast
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/seeds.md"
COUNTS = {0: 99, 1: 102, 2: 54, 3: 83, 4: 76}
ITEMS = [f"S{seed}.{number}" for seed, count in COUNTS.items() for number in range(1, count + 1)]
_ROW = re.compile(r"^\| (S\d\.\d+) \| (.+?) \| (taken|adapted|left out|open) \| (.*?) \| (.*?) \|$")
_TEST = re.compile(r"`(\w+/test_\w+)::(test_\w+)`")
_NAMED = re.compile(r"s(\d)_(\d+)((?:_(?:to|and)_(?:s\d_)?\d+)*)(?!\w*\d\.)")
_MORE = re.compile(r"_(to|and)_(?:s(\d)_)?(\d+)")


class Row(NamedTuple):
    """A line of the page: an item, what became of it, where or why, and the test of it."""

    item: str
    request: str
    how: str
    text: str
    tests: tuple[tuple[str, str], ...]


def rows() -> list[Row]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    matches = (_ROW.match(line) for line in lines)
    return [
        Row(item, request, how, text, tuple(_TEST.findall(tests)))
        for match in matches
        if match
        for item, request, how, text, tests in [match.groups()]
    ]


def spread(first: str, last: str) -> Iterator[str]:
    seed, start = first[1:].split(".")
    other, end = last[1:].split(".")
    assert seed == other, f"{first} to {last}"
    assert int(start) <= int(end), f"{first} to {last}"
    yield from (f"S{seed}.{number}" for number in range(int(start), int(end) + 1))


def named(name: str) -> Iterator[str]:
    """Read the items out of the name of a test: s1_5, s1_5_to_8, s1_5_and_7, s1_5_to_s1_8."""
    for match in _NAMED.finditer(name):
        seed, number = match[1], match[2]
        yield f"S{seed}.{number}"
        for word, other, further in _MORE.findall(match[3]):
            first = number if word == "to" else further
            yield from spread(f"S{other or seed}.{first}", f"S{other or seed}.{further}")
            seed, number = other or seed, further


@cache
def sources() -> dict[str, ast.Module]:
    """Read all modules of tests, by their path below ``tests`` without its ending."""
    folder = ROOT / "tests"
    return {
        path.relative_to(folder).with_suffix("").as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.py"))
    }


@cache
def leaving_out(file: str) -> frozenset[str]:
    """Collect what leaves tests of a module out: marks, fixtures and functions, by their names."""
    folders = file.split("/")[:-1]
    parents = ["/".join([*folders[:depth], "conftest"]) for depth in range(len(folders) + 1)]
    return own_and_imported(
        file, frozenset().union(*(own_and_imported(name) for name in parents if name in sources()))
    )


@cache
def own_and_imported(file: str, others: frozenset[str] = frozenset()) -> frozenset[str]:
    names = set(others)
    for node in sources()[file].body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
            origin = (node.module or "").removeprefix("tests.").replace(".", "/")
            if origin in sources():
                names |= {alias.name for alias in node.names} & own_and_imported(origin)
    return left_out_by(sources()[file], names)


def left_out_by(module: ast.Module, others: AbstractSet[str] = frozenset()) -> frozenset[str]:
    """Collect the names of a module that leave tests out, as those of others do."""
    names = set(others)
    names |= {
        ast.unparse(target)
        for node in module.body
        if isinstance(node, ast.Assign) and _leaves_out(node.value)
        for target in node.targets
    } - {"pytestmark"}
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    while more := {
        node.name
        for node in functions
        if node.name not in names and not node.name.startswith("test_") and _uses(node, names)
    }:
        names |= more
    return frozenset(names)


def _uses(function: ast.FunctionDef | ast.AsyncFunctionDef, names: AbstractSet[str]) -> bool:
    """Tell whether a function or its fixtures leave a test out, or one that it calls does."""
    calls = {ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    parameters = {arg.arg for arg in function.args.args}
    skips = {"pytest.skip", "pytest.xfail", "pytest.importorskip"}
    return not (calls | parameters).isdisjoint(skips | names)


def in_tree(tree: ast.Module, names: AbstractSet[str]) -> Iterator[tuple[str, list[str]]]:
    """Give each test of a module that always runs, with the items that it and its cases name."""
    marks = _values(tree, "pytestmark")
    calls = [part for node in tree.body for part in ast.walk(_outside(node))]
    skips = [part for part in calls if isinstance(part, ast.Call)
             and ast.unparse(part.func) == "pytest.importorskip"]  # fmt: skip
    if skips or any(_leaves_out(mark) or ast.unparse(mark) in names for mark in marks):
        return
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test_"):
                decorators = node.decorator_list
                used = _fixtures_of(decorators)
                if (
                    _uses(node, names)
                    or not used.isdisjoint(names)
                    or any(_leaves_out(mark) or ast.unparse(mark) in names for mark in decorators)
                ):
                    continue
                yield node.name, [
                    *named(node.name), *(item for mark in decorators for item in _cases(mark))
                ]  # fmt: skip


def _fixtures_of(decorators: list[ast.expr]) -> set[object]:
    """Give the names of fixtures that ``usefixtures`` asks for."""
    return {
        part.value
        for mark in decorators
        for part in ast.walk(mark)
        if isinstance(part, ast.Constant) and "usefixtures" in ast.unparse(mark)
    }


def _outside(node: ast.stmt) -> ast.AST:
    """Give a statement of a module, or nothing of what a function or class does later."""
    later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return ast.Pass() if later else node


def _values(tree: ast.Module, name: str) -> Iterator[ast.expr]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            yield from node.value.elts if isinstance(node.value, ast.List) else [node.value]


def _leaves_out(node: ast.expr) -> bool:
    """Tell whether a mark leaves tests out, everywhere or somewhere, or expects them to fail."""
    name = ast.unparse(node).partition("(")[0]
    return name in {f"pytest.mark.{mark}" for mark in ("skip", "skipif", "xfail")}


@cache
def always_run() -> dict[tuple[str, str], list[str]]:
    """Give all tests that always run, by file and name, with the items they name."""
    return {
        (file, name): items
        for file, tree in sources().items()
        for name, items in in_tree(tree, leaving_out(file))
    }


def _cases(decorator: ast.expr) -> Iterator[str]:
    """Read the items out of the ids of parametrised cases."""
    for node in ast.walk(decorator):
        if isinstance(node, ast.keyword) and node.arg in {"id", "ids"}:
            for part in ast.walk(node.value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield from named(part.value)


def test_the_names_of_tests_are_read_as_they_are_meant() -> None:
    assert list(named("test_s1_64_success_rate_per_fixer")) == ["S1.64"]
    assert list(named("test_s0_10_to_12_a_run")) == ["S0.10", "S0.10", "S0.11", "S0.12"]
    assert list(named("test_s0_61_and_62_the_best")) == ["S0.61", "S0.62"]
    assert list(named("test_s3_44_to_s3_46_x")) == ["S3.44", "S3.44", "S3.45", "S3.46"]
    assert list(named("test_s1_4_s1_8_history")) == ["S1.4", "S1.8"]
    assert list(named("test_s2_32_to_33_and_37_x")) == ["S2.32", "S2.32", "S2.33", "S2.37"]
    assert list(named("test_values_10_to_20")) == []


def test_every_item_has_a_line_of_its_own_in_order() -> None:
    assert [row.item for row in rows()] == ITEMS


def test_what_is_done_in_another_way_or_not_at_all_has_a_reason() -> None:
    assert [row.item for row in rows() if row.how != "taken" and len(row.text.split()) < 5] == []
    assert [row.item for row in rows() if not row.request.strip()] == []


def test_what_is_taken_or_adapted_has_a_test_that_always_runs() -> None:
    wanted = [row for row in rows() if row.how in {"taken", "adapted"}]
    assert [row.item for row in wanted if not row.tests] == []
    missing = [(row.item, test) for row in rows() for test in row.tests if test not in always_run()]
    assert missing == []


def test_what_is_taken_has_a_test_that_bears_its_number() -> None:
    without = [
        row.item
        for row in rows()
        if row.how == "taken"
        and not any(row.item in always_run().get(test, ()) for test in row.tests)
    ]
    assert without == []


def test_tests_name_no_item_that_is_not_there() -> None:
    items = {item for names in always_run().values() for item in names}
    assert sorted(items - set(ITEMS)) == []


SOURCE = """
@pytest.mark.parametrize("n", [pytest.param(1, id="s1_2_one"), "s1_9_no_id"], ids=["s1_3"])
async def test_s1_1_is_here(n): ...
def helper_s1_4(): return "s1_5"
@pytest.mark.skip(reason="later")
def test_s1_6_is_skipped(): ...
@pytest.mark.xfail
def test_s1_7_fails(): ...
needs = pytest.mark.skipif(True, reason="no tool")
@needs
def test_s1_8_is_skipped_where_a_tool_is_not_there(): ...
@pytest.mark.skipif(True, reason="no tool")
def test_s1_10_too(): ...
def test_s1_11_skips_itself():
    pytest.skip("no")
@pytest.fixture
def tool():
    looked_for()
def looked_for():
    pytest.skip("no tool")
def test_s1_12_has_a_fixture_that_skips(tool): ...
@pytest.mark.usefixtures("tool")
def test_s1_13_too(): ...
def test_s1_14_calls_what_skips():
    looked_for()
"""


def test_tests_that_may_be_left_out_are_not_counted() -> None:
    tree = ast.parse(SOURCE)
    (test,) = in_tree(tree, left_out_by(tree))
    assert (test[0], sorted(test[1])) == ("test_s1_1_is_here", ["S1.1", "S1.2", "S1.3"])


@pytest.mark.parametrize(
    "start",
    [
        "pytestmark = [pytest.mark.skipif(True, reason='no')]",
        "pytest.importorskip('PIL')",
        "picture = pytest.importorskip('PIL')",
        "pytestmark = needs",
    ],
)
def test_a_module_that_may_be_left_out_has_no_test(start: str) -> None:
    """The last one has its mark from another module."""
    others = left_out_by(ast.parse("needs = pytest.mark.skipif(True, reason='no')"))
    tree = ast.parse(f"{start}\ndef test_s1_1_is_here(): ...")
    assert list(in_tree(tree, others)) == []


def test_the_tests_that_stand_for_examples_are_there() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## The examples")[2]
    files = {path.stem: path.read_text(encoding="utf-8")
             for path in (ROOT / "tests/compat").glob("test_examples_*.py")}  # fmt: skip
    listed = re.findall(r"`(test_examples_\w+)::(test_\w+)`", text)
    assert listed
    for file, test in listed:
        assert f"def {test}(" in files[file], (file, test)
    there = {(file, name) for file, code in files.items()
             for name in re.findall(r"^def (test_\w+)\(", code, re.MULTILINE)}  # fmt: skip
    assert sorted(there - set(listed)) == []
