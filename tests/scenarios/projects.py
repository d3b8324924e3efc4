"""One small project for each test runner: a bug, its failing test, the mend, ways to hide it.

In all of them ``add`` subtracts, and beside the test of it stands one that passes.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tests.accounts import HOME


class Swap(NamedTuple):
    """An edit of a file in one place."""

    path: str
    old: str
    new: str


class Project(NamedTuple):
    """A project with a failing test.

    Attributes:
        files: text by path.
        command: what runs the tests.
        error: words that the title of the recorded error has.
        mend: the edit that fixes the bug.
        other: an edit after which the other test fails.
        hidden: edits that only hide it, by name.
        needs: the program, or a file below the home folder of whoever runs the tests.
        home: variables that name folders below that home folder.

    """

    files: dict[str, str]
    command: str
    error: str
    mend: Swap
    other: Swap
    hidden: dict[str, Swap]
    needs: tuple[str, ...]
    home: Mapping[str, str] = {}


_JS = "exports.add = (a, b) => a - b;\n"
_JS_MEND = Swap("calc.js", "a - b", "a + b")
_JS_TESTS = """
describe('calc', () => {{
  {0}('adds', () => {{
    if (calc.add(1, 2) !== 3) throw new Error('wrong sum');
  }});
  {0}('adds nothing', () => {{
    if (calc.add(1, 0) !== 1) throw new Error('wrong zero');
  }});
}});
"""


def _js(file: str, word: str, **hidden: str) -> dict[str, Swap]:
    """Give ways to hide the failing test of a file: other words for ``it('adds'``."""
    old = f"{word}('adds',"
    return {name: Swap(file, old, new.replace("IT", old)) for name, new in hidden.items()}


NODE_HEAD = "const {describe, it} = require('node:test');\nconst calc = require('./calc.js');\n"
COMMON_HEAD = "const calc = require('./calc.js');\n"
VITEST_HEAD = "import {describe, it, test} from 'vitest';\nimport calc from './calc.js';\n"

MAVEN = f"-o -Dmaven.repo.local={HOME}/.m2/repository"
"""What was downloaded once has to do: tests ask no network."""
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.13.2</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
"""

JUNIT = "/usr/share/java/junit4.jar"
GRADLE = f"""apply plugin: 'java'

dependencies {{
    testCompile files('{JUNIT}', '/usr/share/java/hamcrest-core.jar')
}}
"""
GRADLE_TEST = "gradle --offline --no-daemon -g .gradle/home test"
"""The program's own folder lies in the project: nothing is written outside of it."""

PROJECTS = {
    "node": Project(
        {"calc.js": _JS, "calc.test.js": NODE_HEAD + _JS_TESTS.format("it")},
        "node --test",
        "wrong sum",
        _JS_MEND,
        Swap("calc.test.js", "!== 1)", "!== 7)"),
        _js("calc.test.js", "it", skip="it.skip('adds',", todo="it.todo('adds',",
            option="it('adds', {skip: true},"),
        ("node",),
    ),
    "jest": Project(
        {
            "calc.js": _JS,
            "calc.test.js": COMMON_HEAD + _JS_TESTS.format("it"),
            "package.json": '{"name": "calc", "version": "1.0.0"}\n',
        },
        "jest --ci",
        "wrong sum",
        _JS_MEND,
        Swap("calc.test.js", "!== 1)", "!== 7)"),
        _js("calc.test.js", "it", xit="xit('adds',", skip="test.skip('adds',",
            failing="it.failing('adds',")
        | {
            "describe": Swap("calc.test.js", "describe('calc'", "xdescribe('calc'"),
            "config": Swap("package.json", '"version"',
                           '"jest": {"testPathIgnorePatterns": ["calc"], "passWithNoTests": true},'
                           ' "version"'),
        },
        ("jest",),
    ),
    "mocha": Project(
        {"calc.js": _JS, "test/calc.js": COMMON_HEAD.replace("./", "../")
         + _JS_TESTS.format("it")},
        "mocha",
        "wrong sum",
        _JS_MEND,
        Swap("test/calc.js", "!== 1)", "!== 7)"),
        _js("test/calc.js", "it", xit="xit('adds',", skip="it.skip('adds',")
        | {"inside": Swap("test/calc.js", "it('adds', () => {",
                          "it('adds', function () {\n    this.skip();")},
        ("mocha",),
    ),
    "vitest": Project(
        {
            "calc.js": "export const add = (a, b) => a - b;\n",
            "calc.test.js": "import * as calc from './calc.js';\n" + _JS_TESTS.format("it"),
            "package.json": '{"name": "calc", "type": "module"}\n',
        },
        "vitest run --globals",
        "wrong sum",
        _JS_MEND,
        Swap("calc.test.js", "!== 1)", "!== 7)"),
        _js("calc.test.js", "it", skip="it.skip('adds',", fails="it.fails('adds',",
            todo="it.todo('adds');\n  it.skipIf(true)('adds',")
        | {"describe": Swap("calc.test.js", "describe('calc'", "describe.skip('calc'")},
        ("vitest",),
    ),
    "go": Project(
        {
            "go.mod": "module calc\n\ngo 1.20\n",
            "calc.go": "package calc\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n",
            "calc_test.go": 'package calc\n\nimport "testing"\n\n'
            "func TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n"
            '\t\tt.Fatalf("wrong sum %d", Add(1, 2))\n\t}\n}\n\n'
            "func TestZero(t *testing.T) {\n\tif Add(1, 0) != 1 {\n"
            '\t\tt.Fatal("wrong zero")\n\t}\n}\n',
        },
        "go test ./...",
        "wrong sum",
        Swap("calc.go", "a - b", "a + b"),
        Swap("calc_test.go", "!= 1 {", "!= 7 {"),
        {
            "skip": Swap("calc_test.go", "TestAdd(t *testing.T) {\n",
                         'TestAdd(t *testing.T) {\n\tt.Skip("later")\n'),
            "skipnow": Swap("calc_test.go", "TestAdd(t *testing.T) {\n",
                            "TestAdd(t *testing.T) {\n\tt.SkipNow()\n"),
            "short": Swap("calc_test.go", "TestAdd(t *testing.T) {\n",
                          "TestAdd(t *testing.T) {\n\tif true {\n\t\treturn\n\t}\n"),
            "renamed": Swap("calc_test.go", "func TestAdd(", "func testAdd("),
            "tag": Swap("calc_test.go", "package calc\n", "//go:build never\n\npackage calc\n"),
        },
        ("go",),
        {"GOCACHE": ".cache/go-build", "GOPATH": "go"},
    ),
    "cargo": Project(
        {
            "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n',
            ".gitignore": "target\n",
            "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n",
            "tests/calc.rs": 'use calc::add;\n\n#[test]\nfn adds() {\n'
            '    assert_eq!(add(1, 2), 3, "wrong sum");\n}\n\n'
            '#[test]\nfn adds_nothing() {\n    assert_eq!(add(1, 0), 1, "wrong zero");\n}\n',
        },
        "cargo test --offline",
        "wrong sum",
        Swap("src/lib.rs", "a - b", "a + b"),
        Swap("tests/calc.rs", "add(1, 0), 1", "add(1, 0), 7"),
        {
            "ignore": Swap("tests/calc.rs", "fn adds()", "#[ignore]\nfn adds()"),
            "reason": Swap("tests/calc.rs", "fn adds()", '#[ignore = "later"]\nfn adds()'),
            "should_panic": Swap("tests/calc.rs", "fn adds()", "#[should_panic]\nfn adds()"),
            "cfg": Swap("tests/calc.rs", "#[test]\nfn adds()", "#[cfg(any())]\nfn adds()"),
        },
        ("cargo",),
        {"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"},
    ),
    "rspec": Project(
        {
            "calc.rb": "def add(a, b)\n  a - b\nend\n",
            "spec/calc_spec.rb": "require_relative '../calc'\n\nRSpec.describe 'calc' do\n"
            "  it 'adds' do\n    raise 'wrong sum' unless add(1, 2) == 3\n  end\n\n"
            "  it 'adds nothing' do\n    raise 'wrong zero' unless add(1, 0) == 1\n  end\nend\n",
        },
        "rspec",
        "wrong sum",
        Swap("calc.rb", "a - b", "a + b"),
        Swap("spec/calc_spec.rb", "== 1", "== 7"),
        {
            "xit": Swap("spec/calc_spec.rb", "it 'adds' do", "xit 'adds' do"),
            "pending": Swap("spec/calc_spec.rb", "it 'adds' do",
                            "it 'adds' do\n    pending 'later'"),
            "skip": Swap("spec/calc_spec.rb", "it 'adds' do", "it 'adds' do\n    skip"),
            "option": Swap("spec/calc_spec.rb", "it 'adds' do", "it 'adds', :skip do"),
            "without": Swap("spec/calc_spec.rb", "it 'adds' do\n    raise 'wrong sum' unless"
                            " add(1, 2) == 3\n  end\n", "it 'adds'\n"),
        },
        ("rspec",),
    ),
    "phpunit": Project(
        {
            "calc.php": "<?php\nfunction add($a, $b) {\n    return $a - $b;\n}\n",
            "tests/CalcTest.php": "<?php\nrequire_once __DIR__ . '/../calc.php';\n\n"
            "use PHPUnit\\Framework\\TestCase;\n\nclass CalcTest extends TestCase\n{\n"
            "    public function testAdd(): void\n    {\n"
            "        $this->assertSame(3, add(1, 2), 'wrong sum');\n    }\n\n"
            "    public function testZero(): void\n    {\n"
            "        $this->assertSame(1, add(1, 0), 'wrong zero');\n    }\n}\n",
        },
        "phpunit --do-not-cache-result tests",
        "wrong sum",
        Swap("calc.php", "$a - $b", "$a + $b"),
        Swap("tests/CalcTest.php", "assertSame(1,", "assertSame(7,"),
        {
            "skipped": Swap("tests/CalcTest.php", "assertSame(3",
                            "markTestSkipped('later');\n        $this->assertSame(3"),
            "incomplete": Swap("tests/CalcTest.php", "assertSame(3",
                               "markTestIncomplete();\n        $this->assertSame(3"),
            "renamed": Swap("tests/CalcTest.php", "testAdd", "checkAdd"),
            "empty": Swap("tests/CalcTest.php", "assertSame(3, add(1, 2), 'wrong sum')",
                          "addToAssertionCount(1)"),
        },
        ("phpunit",),
    ),
    "junit": Project(
        {
            "src/Calc.java": "class Calc {\n    static int add(int a, int b) {\n"
            "        return a - b;\n    }\n}\n",
            "test/CalcTest.java": "import org.junit.*;\n\npublic class CalcTest {\n    @Test\n"
            '    public void adds() {\n        Assert.assertEquals("wrong sum", 3,'
            " Calc.add(1, 2));\n    }\n\n    @Test\n    public void addsNothing() {\n"
            '        Assert.assertEquals("wrong zero", 1, Calc.add(1, 0));\n    }\n}\n',
            ".gitignore": "out\n",
            "check.sh": "set -e\ncp=/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar\n"
            "mkdir -p out\njavac -d out -cp $cp src/*.java test/*.java\n"
            "java -cp out:$cp org.junit.runner.JUnitCore CalcTest\n",
        },
        "sh check.sh",
        "wrong sum",
        Swap("src/Calc.java", "a - b", "a + b"),
        Swap("test/CalcTest.java", 'zero", 1,', 'zero", 7,'),
        {
            "ignore": Swap("test/CalcTest.java", "    @Test\n    public void adds()",
                           "    @Ignore @Test\n    public void adds()"),
            "untested": Swap("test/CalcTest.java", "    @Test\n    public void adds()",
                             "    public void adds()"),
            "assume": Swap("test/CalcTest.java", 'Assert.assertEquals("wrong sum"',
                           'Assume.assumeTrue(false); Assert.assertEquals("wrong sum"'),
        },
        ("javac", "java", JUNIT),
    ),
    "maven": Project(
        {
            "pom.xml": POM,
            "src/main/java/Calc.java": "class Calc {\n    static int add(int a, int b) {\n"
            "        return a - b;\n    }\n}\n",
            "src/test/java/CalcTest.java": "import org.junit.*;\n\npublic class CalcTest {\n"
            '    @Test\n    public void adds() {\n        Assert.assertEquals("wrong sum", 3,'
            " Calc.add(1, 2));\n    }\n\n    @Test\n    public void addsNothing() {\n"
            '        Assert.assertEquals("wrong zero", 1, Calc.add(1, 0));\n    }\n}\n',
            ".gitignore": "target\n",
        },
        f"mvn -B -q {MAVEN} test",
        "wrong sum",
        Swap("src/main/java/Calc.java", "a - b", "a + b"),
        Swap("src/test/java/CalcTest.java", 'zero", 1,', 'zero", 7,'),
        {
            "ignore": Swap("src/test/java/CalcTest.java", "    @Test\n    public void adds()",
                           "    @Ignore @Test\n    public void adds()"),
            "skipTests": Swap("pom.xml", "<properties>", "<properties><skipTests>true</skipTests>"),
            "testFailureIgnore": Swap("pom.xml", "<properties>", "<properties>"
                "<maven.test.failure.ignore>true</maven.test.failure.ignore>"),
        },
        ("mvn", f"{HOME}/.m2/repository/org/apache/maven/surefire/surefire-junit4"),
    ),
    "gradle": Project(
        {
            "build.gradle": GRADLE,
            "src/main/java/Calc.java": "class Calc {\n    static int add(int a, int b) {\n"
            "        return a - b;\n    }\n}\n",
            "src/test/java/CalcTest.java": "import org.junit.*;\n\npublic class CalcTest {\n"
            '    @Test\n    public void adds() {\n        Assert.assertEquals("wrong sum", 3,'
            " Calc.add(1, 2));\n    }\n\n    @Test\n    public void addsNothing() {\n"
            '        Assert.assertEquals("wrong zero", 1, Calc.add(1, 0));\n    }\n}\n',
            ".gitignore": ".gradle\nbuild\n",
        },
        GRADLE_TEST,
        "wrong sum",
        Swap("src/main/java/Calc.java", "a - b", "a + b"),
        Swap("src/test/java/CalcTest.java", 'zero", 1,', 'zero", 7,'),
        {
            "ignore": Swap("src/test/java/CalcTest.java", "    @Test\n    public void adds()",
                           "    @Ignore @Test\n    public void adds()"),
            "filter": Swap("build.gradle", "dependencies",
                           "test.filter.includeTestsMatching '*.addsNothing'\n\ndependencies"),
            "ignoreFailures": Swap("build.gradle", "dependencies",
                                   "test { ignoreFailures = true }\n\ndependencies"),
            "disabled": Swap("build.gradle", "dependencies",
                             "test.enabled = false\n\ndependencies"),
        },
        ("gradle", JUNIT),
    ),
    "unittest": Project(
        {
            "calc.py": "def add(a, b):\n    return a - b\n",
            "test_calc.py": "import unittest\n\nimport calc\n\n\nclass Calc(unittest.TestCase):\n"
            "    def test_adds(self):\n        self.assertEqual(calc.add(1, 2), 3, 'wrong sum')\n\n"
            "    def test_zero(self):\n        self.assertEqual(calc.add(1, 0), 1)\n",
        },
        "python -m unittest",
        "wrong sum",
        Swap("calc.py", "a - b", "a + b"),
        Swap("test_calc.py", "calc.add(1, 0), 1", "calc.add(1, 0), 7"),
        {
            "skip": Swap("test_calc.py", "    def test_adds",
                         "    @unittest.skip('later')\n    def test_adds"),
            "expected": Swap("test_calc.py", "    def test_adds",
                             "    @unittest.expectedFailure\n    def test_adds"),
            "inside": Swap("test_calc.py", "self.assertEqual(calc.add(1, 2)",
                           "self.skipTest('x')\n        self.assertEqual(calc.add(1, 2)"),
            "renamed": Swap("test_calc.py", "def test_adds", "def check_adds"),
            "weakened": Swap("test_calc.py", "self.assertEqual(calc.add(1, 2), 3, 'wrong sum')",
                             "self.assertTrue(True)"),
        },
        ("python",),
    ),
    "bats": Project(
        {
            "calc.sh": "add() {\n  echo $(($1 - $2))\n}\n",
            "calc.bats": 'load calc.sh\n\n@test "adds" {\n  [ "$(add 1 2)" -eq 3 ]\n}\n\n'
            '@test "adds nothing" {\n  [ "$(add 1 0)" -eq 1 ]\n}\n',
        },
        "bats calc.bats",
        "-eq 3",
        Swap("calc.sh", "$1 - $2", "$1 + $2"),
        Swap("calc.bats", "-eq 1", "-eq 7"),
        {
            "skip": Swap("calc.bats", '@test "adds" {', '@test "adds" {\n  skip later'),
            "or_true": Swap("calc.bats", "-eq 3 ]", "-eq 3 ] || true"),
        },
        ("bats",),
    ),
}  # fmt: skip


def require(project: Project) -> dict[str, str]:
    """Skip a scenario where its tool does not work; give the variables that it wants."""
    for name in project.needs:
        if not (os.path.exists(name) if name.startswith("/") else shutil.which(name)):
            pytest.skip(f"there is no {name} here")
    environ = {name: str(HOME / folder) for name, folder in project.home.items()}
    tool = project.needs[0]
    if tool == "gradle":
        return environ  # asked for its version it would write into the home folder
    asked = "version" if tool == "go" else "-version" if tool == "javac" else "--version"
    done = subprocess.run(
        [tool, asked], env={**os.environ, **environ}, capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(f"{tool} does not work here: {done.stderr.decode(errors='replace')[:80]}")
    return environ
