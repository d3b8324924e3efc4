"""Which test of a later text is one of an earlier text by another name, and which is none."""

import difflib
from collections.abc import Mapping

import pytest

from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.renamed_tests import renamed_tests, that_passed
from gitmem.output.cases import FAILED, PASSED, SKIPPED, Case

Files = Mapping[str, str]
PYTHON = """\
import pytest
from shop import f


@pytest.mark.parametrize(
    "value",
    [0, 1],
)
@pytest.mark.slow
def test_a(value):
    text = '''
no end
'''

    assert f(value, text) == 0


class TestAll:
    def test_a(self):
        assert f(1) == 1

    def test_b(self):
        assert f(2) == 2
"""
NAME = "tests/test_a.py::test_a"


def patch_of(before: Files, after: Files) -> Patch:
    """Give the diff between two sets of files."""
    text = ""
    for file in sorted({*before, *after}):
        old, new = (files.get(file, "").splitlines(keepends=True) for files in (before, after))
        names = (f"a/{file}" if old else "/dev/null", f"b/{file}" if new else "/dev/null")
        lines = "".join(difflib.unified_diff(old, new, *names))
        text += f"diff --git a/{file} b/{file}\n{lines}" if lines else ""
    return parse_patch(text)


def places(name: str, before: Files, after: Files) -> list[str]:
    """Tell where a test is after an edit, as pytest would."""
    named = renamed_tests([name], patch_of(before, after), before.get, after.get)
    return ["::".join((place.file, *place.path)) for place in named.values()]


def renamed(old: str, new: str, name: str = NAME, text: str = PYTHON) -> list[str]:
    """Tell where a test is after a file of tests was edited in one place."""
    assert text.count(old) == 1
    file = name.partition("::")[0]
    return places(name, {file: text}, {file: text.replace(old, new)})


def test_a_test_has_another_name_and_its_body_is_there() -> None:
    assert renamed("def test_a(value)", "def test_z(value)") == ["tests/test_a.py::test_z"]
    inner = "tests/test_a.py::TestAll::test_a"
    assert renamed("def test_a(self)", "def test_z(self)", inner) == [
        "tests/test_a.py::TestAll::test_z"
    ]


def test_a_test_is_moved() -> None:
    tail = PYTHON.index("class")
    before = {"tests/test_a.py": PYTHON}
    apart = {"tests/test_a.py": PYTHON[tail:], "tests/test_z.py": PYTHON[:tail]}
    assert places(NAME, before, apart) == ["tests/test_z.py::test_a"]
    assert places(NAME, before, {"tests/new/test_z.py": PYTHON}) == ["tests/new/test_z.py::test_a"]
    inner = "tests/test_a.py::TestAll::test_b"
    body = "\n    def test_b(self):\n        assert f(2) == 2\n"
    moved = {
        "tests/test_a.py": PYTHON.replace(body, ""),
        "tests/test_z.py": f"class TestZ:{body}",
    }
    assert places(inner, before, moved) == ["tests/test_z.py::TestZ::test_b"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("def test_a(value)", "def _test_a(value)"),
     ("def test_a(value)", "def check_a(value)"),
     ("    assert f(value, text) == 0\n", "    assert f(value, text)\n"),
     ("[0, 1]", "[1]"),
     ("@pytest.mark.slow\ndef", "def"),
     ("@pytest.mark.slow", "@pytest.mark.skip"),
     ("no end", "an end"),
     ("    assert f(value, text) == 0\n", "")],
    ids=["underscore", "no-test", "weaker", "fewer", "unmarked", "skipped", "text", "emptied"],
)  # fmt: skip
def test_a_test_with_another_body_or_name_that_no_runner_looks_for_is_gone(
    old: str, new: str
) -> None:
    text = PYTHON.replace(old, new)
    assert text != PYTHON
    if "def" not in old or old.startswith("@"):
        text = text.replace("def test_a(value)", "def test_z(value)")
    assert places(NAME, {"tests/test_a.py": PYTHON}, {"tests/test_a.py": text}) == []


def test_a_test_that_is_there_twice_or_was_before_is_not_another_name() -> None:
    first, second = "def test_a():\n    assert f()\n", "def test_b():\n    assert f()\n"
    third = second.replace("_b", "_c")
    both = {"tests/test_a.py": first + second}
    assert places(NAME, both, {"tests/test_a.py": second}) == []
    assert places(NAME, {"tests/test_a.py": first}, {"tests/test_a.py": second + third}) == []
    assert places(NAME, {"tests/test_a.py": first}, both) == []
    assert places(NAME, both, {"tests/test_a.py": second + third}) == ["tests/test_a.py::test_c"]


def test_a_test_in_a_file_that_no_runner_reads_is_gone() -> None:
    body = "def test_a():\n    assert f()\n"
    for file in ("tests/old_a.py", "shop.py"):
        assert places(NAME, {"tests/test_a.py": body}, {file: body}) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "text"),
    [("a.test.js", "it('adds'", "it('sums'",
      "describe('f', () => {\n  it('adds', () => {\n    expect(f()).toBe(0)\n  })\n})\n"),
     ("a_test.go", "func TestAdds", "func TestSums",
      "func TestAdds(t *testing.T) {\n\tif f() != 0 {\n\t\tt.Fatal(f())\n\t}\n}\n"),
     ("tests/a.rs", "fn adds", "fn sums", "#[test]\nfn adds() {\n    assert_eq!(f(), 0);\n}\n"),
     ("ATest.java", "void adds", "void sums",
      "class ATest {\n  @Test\n  public void adds() {\n    assertEquals(0, f());\n  }\n}\n"),
     ("a_spec.rb", 'it "adds"', 'it "sums"', 'it "adds" do\n  expect(f).to eq 0\nend\n'),
     ("ATests.cs", "void Adds", "void Sums",
      "class A\n{\n    [Fact]\n    public void Adds()\n    {\n        Equal(0, F());\n    }\n}\n")],
    ids=["js", "go", "rust", "java", "ruby", "csharp"],
)  # fmt: skip
def test_of_other_languages_too(file: str, old: str, new: str, text: str) -> None:
    after = text.replace(old, new)
    leaf = old.rpartition(" ")[2].removeprefix("it('").strip("'\"")
    for name in (leaf, f"{file}::{leaf}"):
        (place,) = places(name, {file: text}, {file: after})
        assert place.partition("::")[0] == file
        assert places(name, {file: text}, {file: after.replace("0", "1")}) == []


def test_it_passed_if_all_that_may_be_it_passed() -> None:
    named = renamed_tests(
        [f"{NAME}[0]", f"{NAME}[1]"],
        patch_of({"tests/test_a.py": PYTHON}, {"tests/test_z.py": PYTHON}),
        {"tests/test_a.py": PYTHON}.get,
        {"tests/test_z.py": PYTHON}.get,
    )
    assert len(named) == 2
    first, second = "tests/test_z.py::test_a[0]", "tests/test_z.py::test_a[1]"
    cases = [Case(first, PASSED), Case(second, SKIPPED), Case("tests/test_z.py::test_b", FAILED)]
    assert that_passed(named, cases) == [f"{NAME}[0]"]
    other = Case("tests/test_z.py::TestAll::test_a[1]", PASSED)
    assert that_passed(named, [*cases, other]) == [f"{NAME}[0]"]
