"""Failures of one run are paired each on its own, by runners other than pytest as well."""

import pytest

from tests.depth import deep, only_deep
from tests.scenarios.desk import Desk, fact, needs
from tests.scenarios.projects import PROJECTS, require

NAMES = ("one", "two", "three")
TEST_JS = """import {{ {0} }} from './{0}.js';
test('{0}', () => {{ if ({0}() !== 1) throw new Error('wrong {0}'); }});
"""
LIB_RS = "\n\n".join(f"pub fn {name}() -> i32 {{\n    0 // {name}\n}}" for name in NAMES) + "\n"
TEST_RS = "use shop::*;\n" + "".join(
    f'\n#[test]\nfn test_{name}() {{\n    assert_eq!({name}(), 1, "wrong {name}");\n}}\n'
    for name in NAMES
)


@deep
@only_deep
def test_three_failures_beside_one_that_stays(desk: Desk) -> None:
    """All are mended at once, with a setting that nothing asks for."""
    needs("vitest")
    desk.begin(package_json='{"type": "module"}\n', lint_config_js="export default 1;\n")
    for name in NAMES:
        desk.write(f"{name}.js", f"export const {name} = () => 0;\n")
        desk.write(f"{name}.test.js", TEST_JS.format(name))
    desk.write("never.test.js", "test('never', () => { throw new Error('no disk'); });\n")
    desk.repo.commit("bugs")
    desk.red("vitest run --globals")
    for name in NAMES:
        desk.swap(f"{name}.js", "0", "1")
    desk.red("vitest run --globals")
    desk.learnt(
        *(fact(f"wrong {name}", f"-export const {name} = () => 0;",
               f"+export const {name} = () => 1;") for name in NAMES)
    )  # fmt: skip


@deep
@only_deep
def test_three_mends_in_three_runs_of_cargo(desk: Desk) -> None:
    desk.env |= require(PROJECTS["cargo"])
    desk.begin()
    desk.write("Cargo.toml", PROJECTS["cargo"].files["Cargo.toml"].replace("calc", "shop"))
    desk.write(".gitignore", "target\n")
    desk.write("src/lib.rs", LIB_RS)
    desk.write("tests/shop.rs", TEST_RS)
    desk.repo.commit("bugs")
    desk.red("cargo test --offline --no-fail-fast")
    for name in NAMES:
        desk.swap("src/lib.rs", f"0 // {name}", f"1 // {name}")
        desk.sh("gitmem run -- cargo test --offline --no-fail-fast")
    desk.learnt(*(fact(f"wrong {name}", f"-0 // {name}", f"+1 // {name}") for name in NAMES))


TEST_NODE = (
    "const test = require('node:test');\ntest('sum', () => { throw new Error('wrong'); });\n"
)


@pytest.mark.parametrize("first", ["terminal", "pipe"])
def test_node_is_one_failure_on_a_terminal_and_through_a_pipe(desk: Desk, first: str) -> None:
    needs("node")
    needs("script")
    desk.begin()
    desk.write("sum.test.js", TEST_NODE)
    desk.repo.commit("a failing test")
    lines = {
        "terminal": "script -qec 'gitmem run -- node --test' /dev/null",
        "pipe": "gitmem run -- node --test",
    }
    desk.sh(lines.pop(first))
    assert "gitmem: new" in desk.said
    assert "wrong" in desk.said.partition("gitmem: new")[2]
    assert desk.sh("gitmem add error --last") == 0, desk.said
    (second,) = lines.values()
    desk.sh(second)
    assert "gitmem: known" in desk.said, desk.said
    assert "seen 1 time" in desk.said
