"""An edit that mends one test and breaks another: what broke it is no part of the fix."""

import pytest

from tests.scenarios.desk import Desk, fact, needs

BOX = "def area(w, h):\n    return w + h\n\n\ndef wide(w, h):\n    return w > 4\n"
TESTS = (
    "import box\n\n\ndef test_area():\n    assert box.area(2, 5) == 10\n"
    "\n\ndef test_wide():\n    assert box.wide(5, 2)\n"
)
BOX_JS = (
    "exports.area = (w, h) => {\n  return w + h\n}\n\n"
    "exports.wide = (w, h) => {\n  return w > 4\n}\n"
)
TESTS_JS = (
    "const test = require('node:test')\nconst assert = require('node:assert')\n"
    "const { area, wide } = require('./box.js')\n"
    "test('area', () => assert.equal(area(2, 5), 10))\ntest('wide', () => assert.ok(wide(5, 2)))\n"
)
BOX_GO = (
    "package box\n\nfunc Area(w, h int) int {\n\treturn w + h\n}\n\n"
    "func Wide(w, h int) bool {\n\treturn w > 4\n}\n"
)
TESTS_GO = (
    'package box\n\nimport "testing"\n\nfunc TestArea(t *testing.T) {\n\tif Area(2, 5) != 10 {\n'
    '\t\tt.Error("not the area")\n\t}\n}\n\nfunc TestWide(t *testing.T) {\n'
    '\tif !Wide(5, 2) {\n\t\tt.Error("not wide")\n\t}\n}\n'
)
BOX_RS = (
    "pub fn area(w: i32, h: i32) -> i32 {\n    w + h\n}\n\n"
    "pub fn wide(w: i32, _h: i32) -> bool {\n    w > 4\n}\n"
)
TESTS_RS = (
    "\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn area_of_two() {\n"
    "        assert_eq!(area(2, 5), 10);\n    }\n    #[test]\n    fn wide_is_wide() {\n"
    '        assert!(wide(5, 2), "not wide");\n    }\n}\n'
)
CARGO = '[package]\nname = "box"\nversion = "0.1.0"\nedition = "2021"\n'
PROJECTS = {
    "pytest": ("pytest -q", "box.py", {"box.py": BOX, "test_box.py": TESTS}),
    "node": ("node --test", "box.js", {"box.js": BOX_JS, "box.test.js": TESTS_JS}),
    "go": (
        "go test ./...",
        "box.go",
        {"go.mod": "module box\n\ngo 1.21\n", "box.go": BOX_GO, "box_test.go": TESTS_GO},
    ),
    "cargo": (
        "cargo test --offline",
        "src/lib.rs",
        {"Cargo.toml": CARGO, ".gitignore": "target\n", "src/lib.rs": BOX_RS + TESTS_RS},
    ),
}


@pytest.mark.parametrize("tool", PROJECTS)
def test_what_broke_a_neighbour_is_no_part_of_the_fix(desk: Desk, tool: str) -> None:
    """The wrong line stood in the patch of a fix that worked, though it was taken back."""
    needs(tool)
    line, file, files = PROJECTS[tool]
    for path, text in files.items():
        desk.write(path, text)
    desk.begin(a_txt="")
    desk.red(line)
    desk.swap(file, "w + h", "w * h")
    desk.swap(file, "w > 4", "_h > 4" if tool == "cargo" else "h > 4")
    desk.red(line)
    before = {"pytest": "return ", "node": "return ", "go": "return ", "cargo": ""}[tool]
    mended = fact("", f"-{before}w + h", f"+{before}w * h")
    desk.learnt(mended)
    desk.swap(file, "_h > 4" if tool == "cargo" else "h > 4", "w > 4")
    desk.green(line)
    desk.learnt(mended)
    assert not desk.drafts()


SIGN_GO = (
    "package sign\n\nfunc Sign(n int) int {\n\tif n > 1 {\n\t\treturn 1\n\t}\n"
    "\tif n == -7 {\n\t\treturn -1\n\t}\n\treturn 0\n}\n"
)
ROWS_GO = (
    'package sign\n\nimport "testing"\n\nfunc TestSign(t *testing.T) {\n'
    '\tfor name, c := range map[string][2]int{"one": {1, 1}, "minus": {-3, -1}} {\n'
    "\t\tt.Run(name, func(t *testing.T) {\n\t\t\tif Sign(c[0]) != c[1] {\n"
    '\t\t\t\tt.Error("wrong sign")\n\t\t\t}\n\t\t})\n\t}\n}\n'
)


def test_a_row_that_outlived_an_edit_is_not_known_by_it(desk: Desk) -> None:
    """Rows that say the same were one title, and what mended one was told as mending the other."""
    needs("go")
    desk.begin(go_mod="module sign\n\ngo 1.21\n", sign_go=SIGN_GO)
    desk.write("sign_test.go", ROWS_GO)
    desk.repo.commit("a test")
    desk.red("go test ./...")
    desk.swap("sign.go", "n > 1", "n > 0")
    desk.red("go test ./...")
    assert "still failing, no fix known  TestSign/minus: wrong sign" in desk.said
    assert "gitmem: known" not in desk.said
    desk.swap("sign.go", "n == -7", "n < 0")
    desk.green("go test ./...")
    one = fact("TestSign/one: wrong sign", "-if n > 1 {", "+if n > 0 {")
    desk.learnt(one, fact("TestSign/minus: wrong sign", "-if n == -7 {", "+if n < 0 {"))
