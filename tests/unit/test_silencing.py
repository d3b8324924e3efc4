"""What only silences a failure is recognised in every language's words, and a mend is not."""

import pytest

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.silencing import changes_test, silenced_by


def edit(file: str, old: str, *new: str) -> Patch:
    """Give a patch that puts lines in the place of one, or adds them."""
    head = f"diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n"
    gone = [f"-{old}\n"] if old else []
    came = [f"+{line}\n" for line in new]
    return parse_patch(f"{head}@@ -1,{len(gone)} +1,{len(came)} @@\n{''.join(gone + came)}")


def failure(place: str, tool: str) -> FingerprintedFailure:
    test = {"test": {"name": place}} if "::" in place else {}
    return FingerprintedFailure("e", "s", "p", "m", "t", "k", {"tool": tool, **test}, (place,))


TEST = failure("tests/test_a.py::test_a", "pytest")
LINT = failure("src/a.py", "ruff")
TESTS = [
    ("Makefile", "\tpytest", "\t-pytest"),
    ("Makefile", "\tpytest", "\tpytest || true"),
    (".github/workflows/ci.yml", "run: x", "run: x", "continue-on-error: true"),
    ("pytest.ini", "addopts = -q", "addopts = -q --deselect tests/test_a.py::test_a"),
    ("pytest.ini", "addopts = -q", 'addopts = -q -k "not test_a"'),
    ("setup.cfg", "fail_under = 90", "fail_under = 80"),
    ("package.json", '"branches": 90,', '"branches": 50,'),
    ("conftest.py", "", 'collect_ignore = ["test_a.py"]'),
    ("vitest.config.ts", "test: {}", "test: { exclude: ['a.test.ts'] }"),
    ("jest.config.js", "", "testPathIgnorePatterns: ['a']"),
    ("pom.xml", "", "<skipTests>true</skipTests>"),
    ("build.gradle", "", "test { exclude '**/CalcTest*' }"),
    ("ATest.kt", "@Test", "@Test @Disabled"),
    ("ATest.java", "@Test", "@Ignore @Test"),
    ("ATests.cs", "[Test]", '[Test, Ignore("later")]'),
    ("ATests.cs", "[Fact]", '[Fact(Skip = "later")]'),
    ("ATests.swift", "", "throw XCTSkip()"),
    ("a_test.exs", "", "@tag :skip"),
    ("a.sh", "set -e", "set +e"),
]
LINTS = [
    ("a.ts", "f(x)", "// @ts-expect-error", "f(x)"),
    ("a.ts", "f(x)", "f(x as any)"),
    ("a.js", "f(x)", "f(x) // eslint-disable-line"),
    ("a.py", "import os", "import os  # noqa: F401"),
    ("a.py", "x: int = 'a'", "x: int = 'a'  # type: ignore"),
    ("a.py", "if x:", "if x:  # pragma: no cover"),
    ("a.rs", "fn f()", "#[allow(dead_code)]", "fn f()"),
    ("a.cpp", "int x;", "int x; // NOLINT"),
    (".eslintrc.json", '"no-unused-vars": "error"', '"no-unused-vars": "off"'),
    ("eslint.config.js", "'no-unused-vars': 2,", "'no-unused-vars': 0,"),
    ("ruff.toml", 'select = ["F"]', 'select = ["F"]', 'ignore = ["F401"]'),
    ("mypy.ini", "strict = true", "strict = false"),
    ("tsconfig.json", '"strict": true', '"strict": false'),
    (".flake8", "max-line-length = 80", "max-line-length = 200"),
    ("Cargo.toml", "", 'unused = "allow"'),
    (".pylintrc", "", "disable=C0114"),
    (".rubocop.yml", "Enabled: true", "Enabled: false"),
]
MENDS = [
    ("src/a.py", "return a - b", "return a + b"),
    ("Makefile", "include x.mk", "-include x.mk"),
    ("setup.cfg", "fail_under = 80", "fail_under = 90"),
    ("tsconfig.json", '"lib": ["es5"]', '"lib": ["es2020"]'),
    ("package.json", '"lodash": "3"', '"lodash": "4"'),
    ("src/a.js", "skip(1)", "skip(2)"),
    ("src/a.py", "ignore = 0", "ignore = 1"),
    ("tests/test_a.py", "    assert f(1) == 2", "    assert f(1) == 3"),
]


@pytest.mark.parametrize("change", TESTS, ids=" ".join)
def test_a_test_that_is_left_out_is_silenced(change: tuple[str, ...]) -> None:
    assert silenced_by(edit(*change), TEST)


@pytest.mark.parametrize("change", LINTS, ids=" ".join)
def test_a_tool_that_is_told_to_be_silent(change: tuple[str, ...]) -> None:
    assert silenced_by(edit(*change), LINT)


@pytest.mark.parametrize("change", MENDS, ids=" ".join)
@pytest.mark.parametrize("seen", [TEST, LINT], ids=["test", "lint"])
def test_a_mend_silences_nothing(change: tuple[str, ...], seen: FingerprintedFailure) -> None:
    assert silenced_by(edit(*change), seen) == ""


@pytest.mark.parametrize(
    "change",
    [
        ("a.test.js", "it('a', () => {", "it.failing('a', () => {"),
        ("a.test.ts", "test('a', () => {", "test.fails('a', () => {"),
        ("tests/a.rs", "fn a() {", "#[should_panic]", "fn a() {"),
        ("tests/test_a.py", "def test_a():", "@pytest.mark.xfail", "def test_a():"),
        (
            "tests/test_a.py",
            "def test_a():",
            "@pytest.mark.xfail(",
            '    reason="it is void",',
            ")",
            "def test_a():",
        ),
        ("tests/test_a.py", "class TestAll:", "@pytest.mark.xfail", "class TestAll:"),
        ("tests/test_a.py", "import a", "pytestmark = pytest.mark.xfail", "import a"),
    ],
    ids=" ".join,
)
def test_a_test_that_passes_because_it_fails_is_silenced(change: tuple[str, ...]) -> None:
    seen = TEST if change[0].endswith(".py") else failure(f"{change[0]}::a", "")
    assert silenced_by(edit(*change), seen, proven=True)


RENAMED = edit("tests/test_a.py", "def test_a():", "def test_b():")


def test_a_test_that_has_another_name_is_not_left_out() -> None:
    assert silenced_by(RENAMED, TEST)
    assert silenced_by(RENAMED, TEST, renamed=True) == ""


@pytest.mark.parametrize(
    "change",
    [("tests/test_a.py", "def test_b():", "@pytest.mark.xfail", "def test_b():"),
     ("a.test.ts", "test('b', () => {", "test.fails('b', () => {")],
    ids=" ".join,
)  # fmt: skip
def test_a_mark_on_another_test_silences_no_test_that_passed(change: tuple[str, ...]) -> None:
    assert silenced_by(edit(*change), TEST, proven=True) == ""


def failed_at(file: str, line: int, code: str) -> FingerprintedFailure:
    seen = failure(f"{file}::test_a", "")
    place = {"file": file, "line": line, **({"code": code} if code else {})}
    return seen._replace(fields={**seen.fields, "location": place})


@pytest.mark.parametrize("code", ["assert f(0) == 0", ""])
def test_an_edit_of_the_line_at_which_a_test_failed_asks_something_else(code: str) -> None:
    seen = failed_at("tests/test_a.py", 1, code)
    line = "    assert f(0) == 0"
    assert changes_test(edit("tests/test_a.py", line, "    assert f(0)"), seen)
    assert changes_test(edit("tests/test_a.py", line), seen)
    assert not changes_test(edit("tests/test_a.py", line, "    x = 1", line), seen)
    assert not changes_test(edit("tests/test_b.py", line), seen)
    assert not changes_test(edit("src/a.py", line), failed_at("src/a.py", 1, code))
    assert not changes_test(
        edit("tests/test_a.py", "    x = 1"), failed_at("tests/test_a.py", 2, "")
    )


IN_RUST = """\
diff --git a/src/lib.rs b/src/lib.rs
--- a/src/lib.rs
+++ b/src/lib.rs
@@ -14,5 +14,5 @@ mod tests {
     #[test]
     fn test_a() {
         let none = total(&[]);
-        assert_eq!(none, 0);
+        assert_eq!(none, 1);
     }
"""


@pytest.mark.parametrize(
    ("patch", "changed"),
    [
        (IN_RUST, True),
        (IN_RUST.replace("fn test_a()", "fn sold(items: u32)"), False),
        (IN_RUST.replace("-        assert", "         let x = 1;\n-        assert"), False),
        (IN_RUST.replace("     fn test_a() {\n", "     \n"), True),
        (IN_RUST.replace("        assert_eq!(none,", "    /// assert_eq!(none(),"), True),
    ],
    ids=["test", "code", "another line", "no function", "example"],
)
def test_a_test_in_a_file_of_code_is_changed_by_an_edit_of_its_line(
    patch: str, *, changed: bool
) -> None:
    seen = failed_at("src/lib.rs", 17, "")
    assert changes_test(parse_patch(patch), seen) is changed


DOCSTRING = """\
diff --git a/calc.py b/calc.py
--- a/calc.py
+++ b/calc.py
@@ -2,7 +2,7 @@ def add(a, b):
     \"\"\"Add.

     >>> add(1, 2)
-    3
+    4
     \"\"\"
     {}return a + b
     {}rest = 1
"""


def test_what_an_example_in_a_docstring_expects_is_a_test() -> None:
    seen = failed_at("calc.py", 4, ">>> add(1, 2)")
    seen = seen._replace(fields={**seen.fields, "test": {"name": "calc.add", "expected": "3"}})
    patch = DOCSTRING.replace("{}", "")
    assert changes_test(parse_patch(patch), seen)
    mended = patch.replace("-    3\n+    4\n", "     3\n").replace("     return a", "-    return a")
    assert not changes_test(parse_patch(mended), seen)


LONG = """\
diff --git a/calc.py b/calc.py
--- a/calc.py
+++ b/calc.py
@@ -4,8 +4,8 @@ def add(a, b):
     >>> for n in range(1):
     ...     if n == 0:
     ...         print(add(n, 1))
     1
     2
     \"\"\"
     note = 2
     return a + b
"""


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("     2\n     \\", "-    2\n+    3\n     \\", True),
        ("     2\n     \\", "     2\n+    3\n     \\", True),
        ("     1\n", "     1\n+    3\n", True),
        ("     2\n     \\", "     2\n+\n+    Or so.\n     \\", False),
        ("     2\n     \\", "     2\n+    >>> add(1, 1)\n+    2\n     \\", False),
        ("     return a", "-    return a + b\n+    return a - b\n     return a", False),
        ("     note = 2", "+    total = 3\n     note = 2", False),
    ],
    ids=["other", "more", "between", "text below", "another example", "code", "new code"],
)
def test_what_a_long_example_expects_is_all_of_it_and_no_more(
    old: str, new: str, *, changed: bool
) -> None:
    seen = failed_at("calc.py", 4, ">>> for n in range(1): if n == 0: print(add(n, 1))")
    seen = seen._replace(fields={**seen.fields, "test": {"name": "calc.add", "expected": "1\n2"}})
    old, new = (text.replace("\\", '"""') for text in (old, new))
    assert LONG.count(old) == 1
    assert changes_test(parse_patch(LONG.replace(old, new)), seen) is changed
