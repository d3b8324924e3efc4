"""A shop in several languages: one function of each name that is wrong, with a test of each.

Every function gives 0 where its test wants 1, and says ``wrong NAME`` if it does not get that.
"""

from collections.abc import Iterable
from typing import NamedTuple

from tests.scenarios.projects import GRADLE, GRADLE_TEST, MAVEN, POM, PROJECTS, VITEST_HEAD

_CARGO = PROJECTS["cargo"].files
_COMMON = "const shop = require('./shop.js');\n"


class Shop(NamedTuple):
    """How a shop is written in one language, for one runner.

    Attributes:
        code: the file of the functions.
        function: one of them, of ``{name}``.
        tests: the file of the tests.
        test: one of them, of ``{name}``.
        command: what runs all tests.
        narrow: what runs the test of ``{name}`` alone.
        around: what stands before and after the functions, and before and after the tests.
        more: other files.

    """

    code: str
    function: str
    tests: str
    test: str
    command: str
    narrow: str
    around: tuple[str, str, str, str] = ("", "", "", "")
    more: dict[str, str] = {}  # noqa: RUF012  nobody changes it

    def code_of(self, names: Iterable[str]) -> str:
        """Write the functions."""
        functions = "\n".join(self.function.replace("{name}", name) for name in names)
        return self.around[0] + functions + self.around[1]

    def tests_of(self, names: Iterable[str]) -> str:
        """Write the tests."""
        tests = "\n".join(self.test.replace("{name}", name) for name in names)
        return self.around[2] + tests + self.around[3]


def _js(tests: str, head: str, word: str, command: str, narrow: str, **more: str) -> Shop:
    test = (
        f"{word}('{{name}} sells', () => {{\n"
        "  if (shop.{name}() !== 1) throw new Error('wrong {name}');\n});\n"
    )
    function = "exports.{name} = () => 0; // {name}\n"
    files = {f"{name}.json": text for name, text in more.items()}
    return Shop("shop.js", function, tests, test, command, narrow, ("", "", head, ""), files)


SHOPS = {
    "node": _js("shop.test.js", "const {test} = require('node:test');\n" + _COMMON, "test",
                "node --test", "node --test --test-name-pattern='{name} sells'"),
    "jest": _js("shop.test.js", _COMMON, "test", "jest --ci", "jest --ci -t '{name} sells'",
                package='{"name": "shop", "version": "1.0.0"}\n'),
    "vitest": _js("shop.test.js", VITEST_HEAD.replace("calc", "shop"), "test", "vitest run",
                  "vitest run -t '{name} sells'"),
    "mocha": _js("test/shop.js", _COMMON.replace("./", "../"), "it", "mocha",
                 "mocha -g '{name} sells'"),
    "go": Shop(
        "shop.go", "func {name}() int {\n\treturn 0 // {name}\n}\n",
        "shop_test.go", "func Test_{name}(t *testing.T) {\n\tif {name}() != 1 {\n"
        '\t\tt.Fatal("wrong {name}")\n\t}\n}\n',
        "go test ./...", "go test -run Test_{name} .",
        ("package shop\n\n", "", 'package shop\n\nimport "testing"\n\n', ""),
        {"go.mod": "module shop\n\ngo 1.20\n"},
    ),
    "cargo": Shop(
        "src/lib.rs", "pub fn {name}() -> i32 {\n    0 // {name}\n}\n",
        "tests/shop.rs", "#[test]\nfn test_{name}() {\n"
        '    assert_eq!({name}(), 1, "wrong {name}");\n}\n',
        "cargo test --offline", "cargo test --offline test_{name}",
        ("", "", "use shop::*;\n\n", ""),
        {"Cargo.toml": _CARGO["Cargo.toml"].replace("calc", "shop"), ".gitignore": "target\n"},
    ),
    "rspec": Shop(
        "shop.rb", "def {name}\n  0 # {name}\nend\n",
        "spec/shop_spec.rb", "  it '{name} sells' do\n"
        "    raise 'wrong {name}' unless {name} == 1\n  end\n",
        "rspec", "rspec -e '{name} sells'",
        ("", "", "require_relative '../shop'\n\nRSpec.describe 'shop' do\n", "end\n"),
    ),
    "phpunit": Shop(
        "shop.php", "function {name}() {\n    return 0; // {name}\n}\n",
        "tests/ShopTest.php", "    public function test_{name}(): void\n    {\n"
        "        $this->assertSame(1, {name}(), 'wrong {name}');\n    }\n",
        "phpunit --do-not-cache-result tests",
        "phpunit --do-not-cache-result --filter test_{name} tests",
        ("<?php\n\n", "", ("<?php\nrequire_once __DIR__ . '/../shop.php';\n\n"
         "use PHPUnit\\Framework\\TestCase;\n\nclass ShopTest extends TestCase\n{\n"), "}\n"),
    ),
    "junit": Shop(
        "src/Shop.java", "    static int {name}() {\n        return 0; // {name}\n    }\n",
        "test/ShopTest.java", "    @Test\n    public void test_{name}() {\n"
        '        Assert.assertEquals("wrong {name}", 1, Shop.{name}());\n    }\n',
        "sh check.sh", "sh check.sh",
        ("class Shop {\n", "}\n", "import org.junit.*;\n\npublic class ShopTest {\n", "}\n"),
        {"check.sh": PROJECTS["junit"].files["check.sh"].replace("CalcTest", "ShopTest"),
         ".gitignore": "out\n"},
    ),
    "maven": Shop(
        "src/main/java/Shop.java",
        "    static int {name}() {\n        return 0; // {name}\n    }\n",
        "src/test/java/ShopTest.java", "    @Test\n    public void test_{name}() {\n"
        '        Assert.assertEquals("wrong {name}", 1, Shop.{name}());\n    }\n',
        f"mvn -B {MAVEN} test", f"mvn -q -B {MAVEN} -Dtest=ShopTest#test_{{name}} test",
        ("class Shop {\n", "}\n", "import org.junit.*;\n\npublic class ShopTest {\n", "}\n"),
        {"pom.xml": POM, ".gitignore": "target\n"},
    ),
    "gradle": Shop(
        "src/main/java/Shop.java",
        "    static int {name}() {\n        return 0; // {name}\n    }\n",
        "src/test/java/ShopTest.java", "    @Test\n    public void test_{name}() {\n"
        '        Assert.assertEquals("wrong {name}", 1, Shop.{name}());\n    }\n',
        GRADLE_TEST, f"{GRADLE_TEST} --tests ShopTest.test_{{name}}",
        ("class Shop {\n", "}\n", "import org.junit.*;\n\npublic class ShopTest {\n", "}\n"),
        {"build.gradle": GRADLE, ".gitignore": ".gradle\nbuild\n"},
    ),
    "unittest": Shop(
        "shop.py", "def {name}():\n    return 0  # {name}\n\n",
        "test_shop.py", "    def test_{name}(self):\n"
        "        self.assertEqual(shop.{name}(), 1, 'wrong {name}')\n",
        "python -m unittest", "python -m unittest test_shop.Shop.test_{name}",
        ("", "", "import unittest\n\nimport shop\n\n\nclass Shop(unittest.TestCase):\n", ""),
    ),
}  # fmt: skip
