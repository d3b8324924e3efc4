"""What versions and tools call the same thing is the same message, on their real outputs."""

import glob
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.parse import main_failure, parse
from gitmem.matching.wordings import other_names
from gitmem.output.failure import Failure

# Mistakes of which versions of CPython from 3.8 on say different things.
MISTAKES = (
    "x = 'abc", 'x = """abc', "x = (1,", "x = [1, 2\ny = 3", "foo(1 2)", "if x = 3:\n    pass",
    "if True\n    pass", "def f()\n    pass", 'exec "x"', "def f():\npass", "if True:\nx = 1",
    "1 = x", "f() = 1", "x + 1 += 2", "def f(a=1, b): pass", "x = 1abc", 'f"{}"', "x = {1:2, 3}",
    "x = {a: *b}", "try:\n    pass", "try:\n    pass\nexcept ValueError, TypeError:\n    pass",
    "def f(**a, b): pass", "import", "x = b'\u00e9'", "x = \u201ca\u201d", "from os import nothing",
    "def f():\n    print(x); x = 1\nf()", "class A:\n    def f(self): pass\nA().f(1)",
    "class A:\n    def __init__(self, a): pass\nA()", "'abc'['a']", "int(None)", "float([])",
    "1 % 0", "1.0 // 0", "1 / 0", "1 // 0", "1.0 / 0", "1.0 % 0", "divmod(1.0, 0)", "1j / 0",
    "3j % 2", "2.0 % 3j", "3j // 2", "divmod(2, 3j)",
    "'%d' % 'a'", "'{} {}'.format(1)", "max([])", "min([])",
    "import json; json.loads('{\"a\": 1,}')", "import json; json.loads('[1,]')",
    "class A:\n    __slots__ = ()\nA().x = 1", "class A:\n    x = property(id)\nA().x = 2",
    "class A:\n    x = property(id)\ndel A().x",
    "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): pass\nA()",
    "with 1: pass", "isinstance(1, 'a')", "from datetime import datetime; datetime('a')",
    "import enum\nclass E(enum.Enum): A = 1\nE.A = 2", "import re; re.compile('(')",
    "import pathlib; pathlib.Path(None)", "print(1, foo=2)", "'a'.replace('a')",
    "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\n    y: str",
    "def f(**k): pass\nf(**{'a': 1}, a=2)", "'a'.format(*1)",
)  # fmt: skip
SHOW = """\
import json, sys, traceback, warnings
warnings.simplefilter("ignore")
said = []
for text in json.load(sys.stdin):
    try:
        exec(compile(text, "mistake.py", "exec"), {"__name__": "mistake"})
        said.append("")
    except Exception as error:
        lines = traceback.format_exception_only(type(error), error)
        said.append("".join(lines).strip().split("\\n")[-1])
json.dump(said, sys.stdout)
"""


def interpreters() -> dict[str, str]:
    """Find the versions of CPython from 3.8 on that are installed, by their names."""
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    paths = sorted(glob.glob(os.path.join(root, "versions", "3.*", "bin", "python")))
    paths += filter(None, (shutil.which(f"python3.{minor}") for minor in range(8, 15)))
    named = {}
    for path in [*paths, sys.executable]:
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        asked = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
        version = asked.stdout.strip()
        if asked.returncode == 0 and tuple(map(int, version.split("."))) >= (3, 8):
            named[version] = path
    return named


def messages(text: str) -> tuple[str, set[str]]:
    """Give the fingerprint of an output's message, and those of its other names."""
    kind, _, message = text.partition(": ")
    failure = Failure(language="python", error_type=kind, message=message)
    under = {fingerprints(named).template for named in other_names(failure)}
    return fingerprints(failure).template, under


def test_versions_of_cpython_say_the_same() -> None:
    versions = interpreters()
    if len(versions) < 2:
        pytest.skip("one version of CPython is installed")
    outputs = {
        version: json.loads(
            subprocess.run([path, "-X", "utf8", "-c", SHOW], input=json.dumps(MISTAKES),
                           capture_output=True, text=True, check=True).stdout
        )
        for version, path in versions.items()
    }  # fmt: skip
    renamed = 0
    for mistake, *texts in zip(MISTAKES, *outputs.values(), strict=True):
        for one in texts:
            for other in texts:
                renamed += one != other
                (first, names), (second, others) = messages(one), messages(other)
                same = first == second or first in others or second in names
                assert same, f"{mistake!r}: {one} / {other}"
    assert renamed or len(versions) < 4


@pytest.mark.parametrize(
    ("one", "other", "umbrella"),
    [
        ("integer modulo by zero", "float modulo", "division by zero"),
        ("float floor division by zero", "float division by zero", "division by zero"),
        ("integer modulo by zero", "complex division by zero", "division by zero"),
    ],
)
def test_divisions_that_one_version_tells_apart_are_not_each_other(
    one: str, other: str, umbrella: str
) -> None:
    (first, names), (second, others), (all_of_them, under) = (
        messages(f"ZeroDivisionError: {text}") for text in (one, other, umbrella)
    )
    assert first != second
    assert first not in others
    assert second not in names
    assert {first, second} <= under
    assert all_of_them in names & others


@pytest.mark.parametrize(
    ("output", "guess"),
    [
        ("SyntaxError: invalid syntax{}\n", ". Maybe you meant '==' or ':=' instead of '='?"),
        ("Makefile:2: *** missing separator{}.  Stop.\n",
         " (did you mean TAB instead of 8 spaces?)"),
    ],
)  # fmt: skip
def test_a_guess_at_what_is_wrong_makes_another_message(output: str, guess: str) -> None:
    (_, plain, names), (_, guessed, others) = (named(output.format(end)) for end in ("", guess))
    assert plain != guessed
    assert guessed in names
    assert plain in others


def test_a_guess_at_how_a_name_is_written_does_not() -> None:
    suggestion = "module 'math' has no attribute 'cost'. Did you mean: 'cos'?"
    plain = messages("AttributeError: module 'math' has no attribute 'cost'")
    assert messages(f"AttributeError: {suggestion}") == plain


def test_what_only_old_versions_call_alike_stays_two_messages() -> None:
    comma, colon = (messages(f"SyntaxError: {text}") for text in
                    ("invalid syntax. Perhaps you forgot a comma?", "expected ':'"))  # fmt: skip
    old = messages("SyntaxError: invalid syntax")
    assert old[0] in comma[1] & colon[1]
    assert {comma[0], colon[0]} <= old[1]
    assert comma[0] != colon[0]
    assert comma[0] not in colon[1]


def test_only_one_wording_of_a_message_is_another_message() -> None:
    apart = ("name 'a' is not defined", "cannot import name 'a'")
    assert len({messages(f"NameError: {text}")[0] for text in apart}) == 2
    assert messages("ImportError: No module named a")[0] != messages("ImportError: bad magic")[0]


C = "int main(void) { undeclared_x = 1; struct T { int a; } t; t.b = 1; return 0 }\n"


@pytest.mark.skipif(
    not (shutil.which("gcc") and shutil.which("clang")), reason="gcc and clang are not installed"
)
def test_gcc_and_clang_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "t.c").write_text(C)
    (tmp_path / "h.c").write_text('#include "nope.h"\n')
    for name, count in (("t.c", 3), ("h.c", 1)):
        told = [_compiled(compiler, tmp_path, name) for compiler in ("gcc", "clang")]
        shown = [[fingerprints(failure).template for failure in failures] for failures in told]
        assert len(set(shown[0])) == count
        assert shown[0] == shown[1], told


def _compiled(compiler: str, folder: Path, name: str) -> list[Failure]:
    done = subprocess.run(
        [compiler, "-c", name, "-o", "out.o"], cwd=folder, capture_output=True, text=True,
        check=False, env={**os.environ, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    return [failure for failure in parse(done.stderr) if failure.severity == "error"]


# As the tools print them about one line of code: mypy 1.19, pyright 1.1.407, ty 0.0.1.
CHECKERS = (
    (
        (
            't.py:5: error: Incompatible types in assignment (expression has type "str", variable'
            ' has type "int")  [assignment]\n'
        ),
        (
            '/t.py:5:10 - error: Type "Literal[\'s\']" is not assignable to declared type "int"\n'
            '    "Literal[\'s\']" is not assignable to "int" (reportAssignmentType)\n'
        ),
    ),
    (
        't.py:10: error: Name "undefined_y" is not defined  [name-defined]\n',
        '/srv/t.py:10:1 - error: "undefined_y" is not defined (reportUndefinedVariable)\n',
    ),
    (
        't.py:7: error: Missing positional argument "a" in call to "f"  [call-arg]\n',
        '/srv/t.py:7:1 - error: Argument missing for parameter "a" (reportCallIssue)\n',
    ),
    (
        't.py:14: error: "A" has no attribute "nope"  [attr-defined]\n',
        (
            '/srv/t.py:14:5 - error: Cannot access attribute "nope" for class "A"\n'
            '    Attribute "nope" is unknown (reportAttributeAccessIssue)\n'
        ),
    ),
    (
        (
            "t.py:1: error: Cannot find implementation or library stub for module named"
            ' "nothing_here"  [import-not-found]\n'
        ),
        (
            '/srv/t.py:1:8 - error: Import "nothing_here" could not be resolved'
            " (reportMissingImports)\n"
        ),
    ),
)


@pytest.mark.parametrize(("mypy", "pyright"), CHECKERS)
def test_checkers_say_the_same(mypy: str, pyright: str) -> None:
    first, second = (fingerprints(main_failure(text)).template for text in (mypy, pyright))
    assert first == second != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TypeError: Cannot read property 'x' of undefined",
         "TypeError: Cannot read properties of undefined (reading 'x')"),
        ("ImportError: No module named requests",
         "ModuleNotFoundError: No module named 'requests'"),
        ("NoMethodError: undefined method `sum' for nil:NilClass",
         "NoMethodError: undefined method 'sum' for nil"),
        ("ArrayIndexOutOfBoundsException: 5",
         "ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 3"),
        ("AttributeError: __enter__",
         "TypeError: 'int' object does not support the context manager protocol"),
    ],
)  # fmt: skip
def test_older_and_newer_runtimes_say_the_same(one: str, other: str) -> None:
    assert messages(one)[0] == messages(other)[0]


def by_line(tool: str, name: str) -> dict[int, Failure]:
    """Give the failures of a real output about ``t.py``, by their lines."""
    path = Path(__file__).parents[1] / "tools" / tool / f"{name}.txt"
    failures = parse(path.read_bytes())
    assert {failure.tool for failure in failures} == {tool}
    return {failure.location.line or 0: failure for failure in failures if failure.location}


@pytest.mark.parametrize(
    ("tool", "name"),
    [("pyright", "checked"), ("ty", "concise"), ("ty", "full"),
     ("pyrefly", "short"), ("pyrefly", "full")],
)  # fmt: skip
def test_four_checkers_say_the_same_of_one_file(tool: str, name: str) -> None:
    mypy, other = by_line("mypy", "checked"), by_line(tool, name)
    assert mypy.keys() == other.keys()
    same = {
        line
        for line, failure in mypy.items()
        if fingerprints(failure).template == fingerprints(other[line]).template
    }
    # Of a None that is no Optional pyrefly says what it says of one; ty's long form does not
    # say in words which types an operator had.
    apart = {"pyrefly": {24}, "ty": {22} if name == "full" else set()}
    assert mypy.keys() - same == apart.get(tool, set())


# Lines of tests/corpus/checkers/mistakes.txt of which several versions of four checkers speak, and
# of which all of them say the same. Of the others they say more or less than each other.
AGREED = {
    3, 12, 38, 42, 46, 50, 71, 75, 83, 88, 104, 107, 111, 131, 151, 155, 164, 185, 187, 188, 189,
    191, 193, 194, 195, 197, 202, 203, 205, 206, 207, 208,
}  # fmt: skip


CHECKERS_CORPUS = Path(__file__).parents[1] / "corpus" / "checkers"


def test_versions_of_four_checkers_say_the_same_of_one_file() -> None:
    outputs = [
        path.read_bytes()
        for tool in ("mypy", "pyright", "ty", "pyrefly")
        for path in sorted(CHECKERS_CORPUS.glob(f"{tool}-*.txt"))
    ]
    assert len(outputs) == 8
    told: dict[int, list[set[str]]] = {line: [] for line in AGREED}
    for output in outputs:
        by_place: dict[int, set[str]] = {}
        for failure in parse(output):
            line = failure.location.line if failure.location else None
            by_place.setdefault(line or 0, set()).add(fingerprints(failure).template)
        for line in AGREED & by_place.keys():
            told[line].append(by_place[line])
    for line, templates in told.items():
        assert len(templates) >= 6, line
        assert set.intersection(*templates), line
    assert len(set.union(*(set.intersection(*templates) for templates in told.values()))) > 25


WORDINGS = Path(__file__).parents[1] / "corpus" / "wordings"
# Mistakes that versions or tools tell apart: an older version does not know the syntax and stops at
# another place, reads the mistake as another one, or says nothing of it that can be compared.
NOT_THE_SAME = {
    "node": {
        "spread-undefined", "json-newline", "let-before", "missing-brace", "private",
        "argument-callback", "unhandled-value", "throw-string", "big-int-mix",
    },
    "gcc, clang": {
        "hash-error", "compare", "else-alone", "format",
        "format-few", "linker",
        # gcc says before what the sign lacks, clang after what: neither tells the other.
        "semicolon", "semicolon-after-return",
    },
    "g++, clang++": {
        "namespace", "namespace-member", "matching-call", "reference", "not-template", "stream",
    },
    "javac": {"deprecated"},
    "rustc": {"paren"},
    "go": set[str](),
    # The folder of a required file is part of its name.
    "ruby": {"load-relative"},
    # Newer versions name the package of the engine in a line below.
    # Of a script that ends with a number new versions print only the script.
    "npm": {"workspace", "unknown", "engine", "exit"},
    # What reads a wheel and a table of TOML was replaced.
    "pip": {"bad-wheel", "toml"},
}  # fmt: skip
# How many mistakes have several names, and are one message all the same.
RENAMED = {
    "node": 30,
    "gcc, clang": 45,
    "g++, clang++": 20,
    "javac": 1,
    "rustc": 8,
    "go": 12,
    "npm": 7,
    "pip": 14,
    "ruby": 12,
}


def sections(path: Path) -> dict[str, str]:
    """Give what stands under each ``%% name`` of a file."""
    parts = (part.partition("\n") for part in path.read_text("utf-8").split("%% ")[1:])
    return {name: text for name, _, text in parts}


def named(output: str) -> tuple[str, str, set[str]]:
    """Give the message of an output, its fingerprint, and those of its other names."""
    failure = (parse(output) or [main_failure(output)])[0]
    under = {fingerprints(other).template for other in other_names(failure)}
    return failure.message, fingerprints(failure).template, under


@pytest.mark.parametrize("tools", NOT_THE_SAME)
def test_versions_of_a_tool_say_the_same_of_one_mistake(tools: str) -> None:
    outputs = [
        sections(path)
        for tool in tools.split(", ")
        for path in sorted(WORDINGS.glob(f"{tool}-[0-9]*"))
    ]
    assert len(outputs) > 1
    apart, renamed = set(), 0
    for mistake in outputs[0]:
        told = [named(output[mistake]) for output in outputs if output[mistake].strip()]
        told = [one for one in told if one[1]]
        if all(
            one == other or one in others or other in names
            for _, one, names in told
            for _, other, others in told
        ):
            renamed += len({message for message, _, _ in told}) > 1
        else:
            apart.add(mistake)
    assert apart == NOT_THE_SAME[tools]
    assert renamed >= RENAMED[tools]


def test_two_mistakes_of_one_output_stay_two_messages() -> None:
    apart = {
        "node": ("read-undefined", "json-token", "json-end", "argument-type", "listen", "module"),
        "gcc": ("undeclared", "no-member", "few-arguments", "break", "continue", "label", "brace"),
        "g++": ("abstract", "override", "deleted", "const-call", "narrowing", "ambiguous"),
        "go": ("unused-variable", "unused-import", "assign-type", "missing-return", "few-values"),
        "rustc": ("moved", "borrow-mut", "unsafe", "break", "variant", "bounds", "slice", "assert"),
        "npm": ("script", "no-package", "bad-json", "no-lock", "engine", "name"),
        "pip": (
            "no-package",
            "python",
            "line",
            "no-requirements",
            "conflict",
            "no-project",
            "git",
            "editable",
            "no-wheel",
            "platform",
            "raises",
            "imports",
            "syntax",
            "compiles",
        ),
    }
    for tool, mistakes in apart.items():
        for path in WORDINGS.glob(f"{tool}-[0-9]*"):
            output = sections(path)
            assert len({named(output[mistake])[1] for mistake in mistakes}) == len(mistakes), path


@pytest.mark.parametrize("version", ["20.3.4", "23.2.1", "25.3"])
@pytest.mark.parametrize(
    ("mistake", "tool", "said"),
    [
        ("raises", "python", "set SHOP_HOME first"),
        ("imports", "python", "No module named 'numpy_of_ours'"),
        ("compiles", "gcc", "no_such.h: No such file or directory"),
        ("git", "", "'/srv/nowhere.git' does not appear to be a git repository"),
    ],
)
def test_a_build_that_fails_under_pip_is_known_by_its_cause(
    version: str, mistake: str, tool: str, said: str
) -> None:
    failures = parse(sections(WORDINGS / f"pip-{version}.txt")[mistake])
    assert (failures[0].tool, failures[0].message) == (tool, said)
    assert not any("subprocess" in failure.message + failure.code for failure in failures)


# As pip 9.0.3 prints them, which has no "ERROR:" before them.
BEFORE_19 = {
    "no-package": "Collecting nothing-such\n  Could not find a version that satisfies the"
    " requirement nothing-such (from versions: )\n"
    "No matching distribution found for nothing-such\n",
    "no-folder": "Invalid requirement: './nowhere'\nIt looks like a path. Does it exist ?\n",
    "unpinned": "Collecting cups (from -r unpinned.txt (line 1))\nIn --require-hashes mode, all"
    " requirements must have their versions pinned with ==. These do not:\n",
}


@pytest.mark.parametrize("mistake", BEFORE_19)
def test_pip_before_19_says_the_same_without_a_mark(mistake: str) -> None:
    older, newer = BEFORE_19[mistake], sections(WORDINGS / "pip-25.3.txt")[mistake]
    assert named(older)[1] == named(newer)[1] != ""


# Lines of mistakes-typescript.txt of which versions of TypeScript say different things: another
# mistake in the same line first, more of it, or the types of elements instead of lists.
TOLD_APART = {4, 5, 28, 35, 43, 44, 46, 51}


def test_versions_of_typescript_say_the_same_of_one_file() -> None:
    by_version: list[dict[int, set[str]]] = []
    reworded: set[int] = set()
    wordings: dict[int, set[str]] = {}
    for path in sorted(CHECKERS_CORPUS.glob("tsc-*.txt")):
        by_place: dict[int, set[str]] = {}
        for failure in parse(path.read_bytes()):
            line = failure.location.line if failure.location else None
            by_place.setdefault(line or 0, set()).add(fingerprints(failure).template)
            said = wordings.setdefault(line or 0, set())
            reworded |= {line or 0} if said and failure.message not in said else set()
            said.add(failure.message)
        by_version.append(by_place)
    assert len(by_version) == 7
    lines = set.intersection(*({*by_place} for by_place in by_version))
    apart = {line for line in lines if len({frozenset(said[line]) for said in by_version}) > 1}
    assert apart == TOLD_APART
    assert len(reworded - apart) > 10
    assert len(lines) > 35


def test_the_name_of_a_checker_before_its_message_leaves_the_rule_out() -> None:
    named = main_failure('Pyright: error: "total" is possibly unbound (reportPossiblyUnbound)')
    assert (named.tool, named.code) == ("pyright", "reportPossiblyUnbound")
    assert named.message == '"total" is possibly unbound'


# As pylint prints them, the code taken off: what differs is only what they are about.
LINTED = (
    ("Unused import sys", "Unused os.path imported as p", "Unused sep imported from os"),
    ("Unused argument 'y'", "Unused argument 'total'"),
    ("Dangerous default value [] as argument", "Dangerous default value {} as argument"),
    ("Access to a protected member _c of a client class",
     "Access to a protected member _getframe of a client class"),
    ('Function name "camelCase" doesn\'t conform to snake_case naming style',
     'Constant name "value" doesn\'t conform to UPPER_CASE naming style'),
    ("Instance of 'A' has no '_c' member", "Module 'json' has no 'nope' member"),
    ("Undefined variable 'undefined_name'", "Undefined variable 'other'"),
    ("Cell variable i defined in loop", "Cell variable name defined in loop"),
    ("No value for argument 'arg' in function call", "No value for argument 'a' in method call"),
    ('Unnecessary "else" after "return", remove the "else" and de-indent the code inside it',
     'Unnecessary "elif" after "return", remove the leading "el" from "elif"'),
    ('Unnecessary "else" after "raise", remove the "else" and de-indent the code inside it',),
    ("Import outside toplevel (re)", "Import outside toplevel (asyncio)"),
)  # fmt: skip


def test_a_linters_message_is_one_whatever_it_is_about() -> None:
    prints = [
        {fingerprints(main_failure(f"src/shop.py:{line}:4: {text}")).message for line, text in
         enumerate(texts, 1)}
        for texts in LINTED
    ]  # fmt: skip
    assert [len(group) for group in prints] == [1] * len(LINTED)
    assert len(set[str]().union(*prints)) == len(LINTED)


# A default value is no name, and where nothing is named two of a kind are one.
NAMING = [texts for texts in LINTED if len(texts) > 1 and "default value" not in texts[0]]


@pytest.mark.parametrize("texts", NAMING)
def test_what_a_linter_says_of_two_names_is_two_errors(texts: tuple[str, ...]) -> None:
    first, second, *_ = (fingerprints(main_failure(f"src/shop.py:3:4: {text}")) for text in texts)
    assert first.message == second.message
    assert first.site != second.site != ""
    assert first.exact != second.exact != ""


def test_a_name_that_one_linter_quotes_and_another_does_not_is_the_same_error() -> None:
    first, second = (
        fingerprints(main_failure(f"src/shop.py:3:4: {text}"))
        for text in ("Unused import json", "`json` imported but unused")
    )
    assert first.site == second.site != ""


def test_types_keep_telling_two_messages_apart() -> None:
    first, second = (main_failure(CHECKERS[0][0]), main_failure(CHECKERS[0][0].replace("int", "X")))
    assert fingerprints(first).template != fingerprints(second).template
