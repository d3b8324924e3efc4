"""docs/seeds.md accounts for every item of the check-list: by a test, or by a reason."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/seeds.md"
COUNTS = {0: 99, 1: 102, 2: 54, 3: 83, 4: 76}
ITEMS = [f"S{seed}.{number}" for seed, count in COUNTS.items() for number in range(1, count + 1)]
HOW = ("taken", "adapted", "left out", "open")
_ROW = re.compile(r"^\| (S\d\.\d+)(?: to (S\d\.\d+))? \| ([a-z ]+) \| (.*) \|$")
_NAMED = re.compile(r"s(\d)_(\d+)((?:_(?:to|and)_(?:s\d_)?\d+)*)(?!\w*\d\.)")
_MORE = re.compile(r"_(to|and)_(?:s(\d)_)?(\d+)")


class Row(NamedTuple):
    """A line of the page: the items it speaks of, what became of them, and where or why."""

    items: tuple[str, ...]
    how: str
    text: str


def rows() -> list[Row]:
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if match := _ROW.match(line):
            first, last, how, text = match.groups()
            found.append(Row(tuple(spread(first, last or first)), how, text))
    return found


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
def with_tests() -> frozenset[str]:
    """Collect the items that names of tests hold."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return frozenset(item for path in files for item in in_source(path.read_text("utf-8")))


def in_source(text: str) -> Iterator[str]:
    """Read the items out of the names of tests in a file, and of parametrised cases."""
    tree = ast.parse(text)
    if any(map(_leaves_out, _values(tree, "pytestmark"))):
        return
    marks = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and _leaves_out(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if _may_be_left_out(node, marks):
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test_"):
                yield from named(node.name)
                for decorator in node.decorator_list:
                    yield from _cases(decorator)


def _values(tree: ast.Module, name: str) -> Iterator[ast.expr]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            yield from node.value.elts if isinstance(node.value, ast.List) else [node.value]


def _leaves_out(node: ast.expr) -> bool:
    """Tell whether a mark leaves tests out, everywhere or somewhere, or expects them to fail."""
    name = ast.unparse(node).partition("(")[0]
    return name in {f"pytest.mark.{mark}" for mark in ("skip", "skipif", "xfail")}


def _may_be_left_out(function: ast.FunctionDef | ast.AsyncFunctionDef, marks: set[str]) -> bool:
    """Tell whether a test is skipped anywhere, or expected to fail: it shows nothing then."""
    if any(_leaves_out(mark) or ast.unparse(mark) in marks for mark in function.decorator_list):
        return True
    calls = {ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    return not calls.isdisjoint({"pytest.skip", "pytest.xfail", "pytest.importorskip"})


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


def test_every_item_stands_on_the_page_once() -> None:
    listed = [item for row in rows() for item in row.items]
    assert sorted(set(ITEMS) - set(listed)) == []
    assert sorted(set(listed) - set(ITEMS)) == []
    assert sorted({item for item in listed if listed.count(item) > 1}) == []


@pytest.mark.parametrize("how", HOW)
def test_the_page_knows_what_became_of_items(how: str) -> None:
    """``taken`` needs a test of that number, everything else a reason."""
    assert rows()
    for row in rows():
        assert row.how in HOW, row
        assert row.text.strip(), row
        if row.how != how:
            continue
        if how == "taken":
            assert [item for item in row.items if item not in with_tests()] == [], row
        else:
            assert len(row.text.split()) >= 5, row


def test_tests_that_a_line_names_are_there_and_always_run() -> None:
    files = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
             for path in sorted((ROOT / "tests").rglob("test_*.py"))}  # fmt: skip
    always = {
        node.name
        for text in files.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and not _may_be_left_out(node, set())
    }
    named_tests = {
        name
        for row in rows()
        for name in re.findall(r"`(test_\w+)`", row.text.partition("tested")[2])
    }
    named_files = {name for row in rows() for name in re.findall(r"`(tests/[\w/]+\.py)`", row.text)}
    assert named_tests
    assert sorted(named_tests - always) == []
    assert sorted(named_files - files.keys()) == []


def test_tests_name_no_item_that_is_not_there() -> None:
    assert sorted(with_tests() - set(ITEMS)) == []


def test_names_and_cases_of_tests_are_found_in_a_file_and_nothing_else() -> None:
    source = """
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
"""
    assert sorted(set(in_source(source))) == ["S1.1", "S1.2", "S1.3"]
    whole = "pytestmark = [pytest.mark.skipif(True, reason='no')]\ndef test_s1_1_is_here(): ..."
    assert list(in_source(whole)) == []


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
