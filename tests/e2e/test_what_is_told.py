"""What is told of a failure is true, and the right thing stays in sight, whatever was recorded.

Outputs are those of real tools: CPython, make, and TypeScript as it prints its messages.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.depth import sampled
from tests.e2e.assistants import piped, said, talk
from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]
NAIVE = """\
from datetime import datetime, timezone


def {name}():
    return datetime.now() < datetime.now(timezone.utc)


{name}()
"""
APPROACH = "use aware datetimes everywhere"
TS2322 = "{}.ts(1,14): error TS2322: Type '{}' is not assignable to type '{}'.\n"
PATCH = """\
--- a/price.ts
+++ b/price.ts
@@ -1 +1 @@
-export const total: string = 5;
+export const total: number = 5;
"""


def output_of(folder: Path, name: str) -> str:
    """Run a script with this Python; give what it printed to standard error."""
    done = subprocess.run(
        [sys.executable, name], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode
    return done.stderr


@pytest.fixture
def twice(repo: "Checkout") -> str:
    """Record a failure of a.py with its fix, then the same message in b.py; give b.py's output."""
    ok(repo, "init")
    for name in ("a", "b"):
        repo.add(f"{name}.py", NAIVE.format(name=name))
    repo.commit("first")
    with Memory.open(str(repo)) as memory:
        (error,) = memory.failures.capture([output_of(repo, "a.py")], record=True).written
        memory.resolve(error, {"approach": APPROACH})
        output = output_of(repo, "b.py")
        assert memory.failures.capture([output], record=True).written
    return output


def test_a_fix_stays_in_sight_when_another_failure_matches_better(
    repo: "Checkout", twice: str
) -> None:
    for text in (
        ok(repo, "hint", stdin=twice),
        run(repo, "run", "--", sys.executable, "b.py").err,
        ok(repo, "advise", twice),
    ):
        assert APPROACH in text, text
        assert "same message" in text, text
    with Memory.open(str(repo)) as memory:
        (match,) = memory.hint(twice)
        assert match.label == "same error"
        assert [hit.label for hit in match.similar] == ["same message"]
        assert [solution.approach for solution in memory.advice.solutions([match])] == [APPROACH]
    assert APPROACH in _asked_by_assistants(repo, twice)


def _asked_by_assistants(repo: "Checkout", text: str) -> str:
    answers: list[str] = []

    async def conversation() -> None:
        async with piped(repo) as client:
            answers.append(await said(client, "coding_search_errors", query=text))
            hint = await said(client, "gitmem_hint", text=text)
            assert APPROACH in hint, hint

    talk(conversation)
    return answers[0]


def test_the_one_record_of_a_group_with_a_fix_is_told_to_assistants(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("a.py", NAIVE.format(name="a"))
    output = output_of(repo, "a.py")
    with Memory.open(str(repo)) as memory:
        first = memory.add("error", {"excerpt": output})
        memory.resolve(first.id, {"approach": APPROACH})
        memory.add("error", {"excerpt": output})
    assert APPROACH in _asked_by_assistants(repo, output)


@sampled(2)
@pytest.mark.parametrize("spelling", ["ts2322", "TS2322", "2322", "ts(2322)", "error TS2322"])
def test_codes_are_compared_as_people_write_them(repo: "Checkout", spelling: str) -> None:
    message = "Type 'string' is not assignable to type 'number'."
    _record(repo, {"error_type": spelling, "message": message})
    shown = ok(repo, "hint", stdin=TS2322.format("a", "string", "number"))
    assert f"worked      {APPROACH}" in shown
    assert "(same message)" in shown


@sampled(2)
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("ValueError", "builtins.ValueError: no zone given"),
        ("valueerror", "ValueError: no zone given"),
        ("<class 'ValueError'>", "ValueError: no zone given"),
        ("zones.NoZoneError", "NoZoneError: no zone given"),
        ("IOError", "OSError: no zone given"),
        (
            "NullPointerException",
            "Exception in thread main java.lang.NullPointerException: no zone given",
        ),
    ],
)
def test_types_are_compared_as_people_write_them(
    repo: "Checkout", written: str, shown: str
) -> None:
    _record(repo, {"error_type": written, "message": "no zone given"})
    assert f"worked      {APPROACH}" in ok(repo, "hint", stdin=shown)


def _record(repo: "Checkout", fields: dict[str, Any], **fix: Any) -> str:
    ok(repo, "init")
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", fields)
        memory.resolve(error.id, {"approach": APPROACH, **fix})
        return error.id


def _with_typescript(repo: "Checkout") -> str:
    """Record that price.ts was declared wrongly, with the edit; give the error's id."""
    ok(repo, "init")
    repo.add("price.ts", "export const total: number = 5;\n")
    with Memory.open(str(repo)) as memory:
        output = TS2322.format("price", "number", "string")
        (error,) = memory.failures.capture([output], command="tsc", record=True).written
        memory.resolve(str(error), {"approach": APPROACH, "patch": PATCH})
    repo.commit("price is a number")
    return str(error)


def test_other_types_are_similar_and_did_not_come_back(repo: "Checkout") -> None:
    error = _with_typescript(repo)
    for given, wanted in (("string", "number"), ("string", "Date")):
        output = TS2322.format("other", given, wanted)
        with Memory.open(str(repo)) as memory:
            (match,) = memory.hint(output)
            assert (match.label, match.errors, match.attempts) == ("", (), ())
            assert [(hit.label, hit.row.id) for hit in match.similar] == [("similar", error)]
        shown = ok(repo, "hint", stdin=output)
        assert "known" not in shown
        assert "came back" not in shown
        assert APPROACH in shown
        with Memory.open(str(repo)) as memory:
            assert memory.failures.capture([output], command="tsc", record=True).written
            # The other records did not show that the fix does not hold.
            (fix,) = memory.list("kind:fix")
            assert fix.verdict == "worked"


def test_what_shows_elsewhere_did_not_come_back(repo: "Checkout") -> None:
    _with_typescript(repo)
    shown = ok(repo, "hint", stdin=TS2322.format("other", "number", "string"))
    assert "(same message)" in shown
    assert "came back" not in shown


def test_it_came_back_where_the_fix_is_gone_or_did_not_help(repo: "Checkout") -> None:
    _with_typescript(repo)
    output = TS2322.format("price", "number", "string")
    assert "came back" in ok(repo, "hint", stdin=output)
    repo.add("price.ts", "export const total: string = 5;\n")
    assert "came back" in ok(repo, "hint", stdin=output)


def test_the_editor_shows_own_records_first_and_offers_no_patch_for_other_types(
    repo: "Checkout",
) -> None:
    error = _with_typescript(repo)
    path = repo / "other.ts"
    path.write_text("export const d: Date = 'x';\n")
    client = Editor(repo)
    try:
        client.initialize(repo)
        client.open(path, path.read_text())
        client.forward(path, _squiggle("Type 'string' is not assignable to type 'Date'."))
        wait_until(lambda: APPROACH in _hover(client, path))
        text = _hover(client, path)
        assert text.index("similar") < text.index(error)
        assert "known" not in text
        assert "apply patch" not in text
        at = {"line": 0, "character": 13}
        asked = {"textDocument": {"uri": path.as_uri()}, "range": {"start": at, "end": at},
                 "context": {"diagnostics": []}}  # fmt: skip
        titles = [action["title"] for action in client.request("textDocument/codeAction", asked)]
        assert not any(title.startswith("Apply past fix") for title in titles), titles
        assert any(title.startswith("Show similar") for title in titles), titles
        marks = {"command": "gitmem.marks", "arguments": [{"uri": path.as_uri()}]}
        assert client.request("workspace/executeCommand", marks)["similar"] == 1
    finally:
        client.close()


def _squiggle(message: str) -> dict[str, Any]:
    places = {"start": {"line": 0, "character": 13}, "end": {"line": 0, "character": 14}}
    return {"range": places, "severity": 1, "source": "ts", "code": 2322, "message": message}


def test_a_hand_written_code_is_the_tools_code_in_the_editor(repo: "Checkout") -> None:
    message = "Type 'string' is not assignable to type 'Date'."
    error = _record(repo, {"error_type": "ts2322", "message": message})
    path = repo / "other.ts"
    path.write_text("export const d: Date = 'x';\n")
    client = Editor(repo)
    try:
        client.initialize(repo)
        client.open(path, path.read_text())
        client.forward(path, _squiggle(message))
        worked = f"**worked**: {APPROACH}"
        wait_until(lambda: worked in _hover(client, path))
        text = _hover(client, path)
        assert error in text
        assert "pack" not in text
    finally:
        client.close()


def _hover(client: Editor, path: Path) -> str:
    hover = client.hover(path, 0, 13)
    return str(hover["contents"]["value"]) if hover else ""


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_two_targets_that_say_the_same_are_two_errors(repo: "Checkout") -> None:
    ok(repo, "init")
    check = '\t@test -s {0}.txt || {{ echo "the list is missing"; exit 1; }}\n'
    repo.add("Makefile", "".join(f"{name}:\n{check.format(name)}" for name in "ab"))
    for name in "ab":
        repo.add(f"{name}.txt", "")
    repo.commit("first")
    run(repo, "run", "--", "make", "a")
    repo.add("a.txt", "something\n")
    assert "learnt" in run(repo, "run", "--", "make", "a").err
    shown = run(repo, "run", "--", "make", "b").err
    assert "known" not in shown
    assert "came back" not in shown


def test_a_bare_assertion_is_known_by_its_test_and_place_alone(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("rates.py", "RATE = 10\n")
    repo.add("test_rates.py", "import rates\n\n\ndef test_rate():\n    assert rates.RATE == 2\n")
    repo.commit("first")
    pytest_here = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    run(repo, "run", "--", *pytest_here)
    repo.add("rates.py", "RATE = 2\n")
    assert "learnt" in run(repo, "run", "--", *pytest_here).err
    repo.add("test_other.py", "def test_other():\n    assert 7 == 9\n")
    shown = run(repo, "run", "--", *pytest_here).err
    assert "new" in shown
    assert "worked" not in shown
    (repo / "test_other.py").unlink()
    repo.add("rates.py", "RATE = 10\n")
    again = run(repo, "run", "--", *pytest_here).err
    assert "known" in again
    assert "worked" in again


GO_TITLES = (
    "Sum(1, 2) = 4, want 3",
    "runtime error: index out of range [5] with length 3",
    "panic: assignment to entry in nil map",
    "open config: no such file",
    "undefined: total",
    "AssertionError: assert 9 == 45",
    "[warn] Code style issues found in the above file. Run Prettier with --write to fix.",
)


@sampled(3)
@pytest.mark.parametrize("title", GO_TITLES)
def test_the_title_of_a_record_finds_it(repo: "Checkout", title: str) -> None:
    error = _record(repo, {"title": title, "message": title})
    assert error in ok(repo, "hint", title)
    answers: list[str] = []

    async def conversation() -> None:
        async with piped(repo) as client:
            answers.append(await said(client, "gitmem_hint", text=title))

    talk(conversation)
    assert error in answers[0]


def test_an_exit_code_is_like_no_other_failure(repo: "Checkout") -> None:
    repo.add("shop.js", "const a = 1;\n")
    style = "[warn] Code style issues found in the above file. Run Prettier with --write to fix."
    _record(repo, {
        "message": style, "command": "prettier --check shop.js",
        "excerpt": f"Checking formatting...\n[warn] shop.js\n{style}\n",
    })  # fmt: skip
    for command in (
        ("grep", "nothing like it", "shop.js"), ("diff", "shop.js", "/dev/null"),
        ("test", "-f", "none.js"), ("false",),
    ):  # fmt: skip
        shown = run(repo, "run", "--", *command).err
        assert "new" in shown
        assert "similar" not in shown, shown
        assert "worked" not in shown, shown


def test_a_packs_exact_answer_beats_what_is_hardly_similar(repo: "Checkout") -> None:
    repo.add("report.py", "from tabulate import tabulate\n")
    ok(repo, "init")
    repo.commit("first")
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {
            "error_type": "TypeError",
            "message": "unsupported operand type(s) for *: 'Money' and 'int'",
            "excerpt": "Traceback (most recent call last):\n"
                       '  File "/srv/shop/report.py", line 3, in <module>\n'
                       "    total = tabulate(price * 2)\n"
                       "TypeError: unsupported operand type(s) for *: 'Money' and 'int'\n",
        })  # fmt: skip
        memory.resolve(error.id, {"approach": "add __mul__ to Money"})
    output = (
        "Traceback (most recent call last):\n"
        '  File "/srv/shop/report.py", line 1, in <module>\n'
        "    from tabulate import tabulate\n"
        "ModuleNotFoundError: No module named 'tabulate'\n"
    )
    shown = ok(repo, "hint", stdin=output, GITMEM_PACKS_OFF="")
    assert "__mul__" not in shown
    assert "Install the package" in shown


def test_another_version_of_the_tool_is_told_the_same(repo: "Checkout") -> None:
    place = '  File "{}.py", line 1\n    x = \'abc\n        ^\n'
    old = place.format("a") + "SyntaxError: EOL while scanning string literal\n"
    _record(repo, {"excerpt": old})
    new = place.format("b") + "SyntaxError: unterminated string literal (detected at line 1)\n"
    shown = ok(repo, "hint", stdin=new)
    assert "(same message)" in shown
    assert APPROACH in shown
    why = ok(repo, "explain-fingerprint", new, "--against", old)
    assert "also reported as" in why


def test_a_team_adds_its_own_names(repo: "Checkout") -> None:
    _record(repo, {"error_type": "StockError", "message": "no shelf has it"})
    marker = repo / ".memory" / "gitmem.yaml"
    rule = "{name: old words, pattern: nothing on any shelf, mask: no shelf has it}"
    with marker.open("a") as file:
        file.write(f"fingerprint:\n  rules:\n    - {rule}\n")
    assert APPROACH in ok(repo, "hint", "shop.StockError: nothing on any shelf")


def _advised(repo: "Checkout", **about: str) -> dict[str, str]:
    """Give what ``gitmem advise`` and its MCP tool say about a task or a path."""
    (name, value), *_ = about.items()
    option = {"task": "--task", "path": "--file"}[name]
    done = run(repo, "advise", option, value)
    assert done.code == 0, done.err
    texts = {"advise": done.out + done.err}

    async def conversation() -> None:
        async with piped(repo) as client:
            texts["MCP advise"] = await said(client, "gitmem_advise", **about)

    talk(conversation)
    return texts


def test_what_was_tried_in_vain_is_told_before_a_task_and_nothing_like_it_is_silence(
    repo: "Checkout",
) -> None:
    ok(repo, "init")
    with Memory.open(str(repo)) as memory:
        fields = {"error_type": "TypeError", "excerpt": "TypeError: naive and aware datetimes\n"}
        error = memory.add("error", fields | {"message": "naive and aware datetimes"})
        memory.resolve(error.id, {
            "approach": "use datetime.utcnow instead of now", "outcome": "failed",
            "why_failed": "utcnow is naive, too",
        })  # fmt: skip
        for number in range(3):
            memory.add("decision", {"title": f"Name the stage {number}", "decision": "a colour"})
    for face, text in _advised(repo, task="use utcnow in expired").items():
        avoided = re.split("(?i)avoid", text, maxsplit=1)[1]
        assert "use datetime.utcnow instead of now" in avoided, (face, text)
        assert "utcnow is naive, too" in avoided, (face, text)
        assert "Name the stage" not in text, (face, text)
    for face, text in _advised(repo, task="queue the mails of orders").items():
        assert "Name the stage" not in text, (face, text)
        assert "utcnow" not in text, (face, text)


def test_whoever_asks_about_a_file_hears_who_depends_on_it(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("src/base.py", "RATE = 1\n")
    for number in range(11):
        repo.add(f"src/user{number}.py", "from src.base import RATE\n")
    repo.commit("a base and its users")
    for face, text in _advised(repo, path="src/base.py").items():
        assert "11 other files depend on it" in text, (face, text)
        assert "speaks against" not in text, (face, text)


@pytest.fixture
def learnt(repo: "Checkout") -> "Checkout":
    """Give a repository in which a comparison and a missing key were mended under gitmem's eyes."""
    ok(repo, "init")
    repo.add("calc.py", "def half(a):\n    return a + 1\n\n\ndef twice(a):\n    return a + 3\n")
    repo.add("test_calc.py", "from calc import half\n\n\ndef test():\n    assert half(1) == 3\n")
    repo.add("keys.py", 'prices = {"tea": 1}\nprint(prices["te"])\n')
    repo.commit("first")
    # A file of the same size that was written in the same second counts as compiled already.
    fresh = {"PYTHONDONTWRITEBYTECODE": "1"}
    for command, path, old, new in (
        ([sys.executable, "-m", "pytest", "-q", "test_calc.py"], "calc.py", "a + 1", "a + 2"),
        ([sys.executable, "keys.py"], "keys.py", '["te"]', '["tea"]'),
    ):
        assert run(repo, "run", "--", *command, env=fresh).code
        text = (repo / path).read_text(encoding="utf-8")
        repo.add(path, text.replace(old, new))
        assert not run(repo, "run", "--", *command, env=fresh).code
    assert len(ok(repo, "list", "kind:fix").splitlines()) == 2
    return repo


@pytest.mark.parametrize(
    "script",
    [
        "from calc import twice\n\n\ndef test():\n    assert twice(1) == 3\n",
        "def test():\n    assert 7 == 9\n",
        (
            "import unittest\n\n\nclass Test(unittest.TestCase):\n"
            "    def test(self):\n        self.assertEqual(4, 3)\n"
        ),
        "def test():\n    {}['other']\n",
    ],
)
def test_what_says_little_brings_nothing_else_to_mind(learnt: "Checkout", script: str) -> None:
    learnt.add("test_other.py", script)
    said = run(learnt, "run", "--", sys.executable, "-m", "pytest", "-q", "test_other.py").err
    assert "gitmem: new" in said, said
    assert "calc.py: " not in said, said
    assert "keys.py: " not in said, said


@pytest.mark.parametrize(
    "text",
    ["AssertionError: 4 != 3", "AssertionError: False is not true", "KeyError: 'other'"],
)
def test_nor_does_a_pasted_line_of_it(learnt: "Checkout", text: str) -> None:
    said = ok(learnt, "hint", text)
    assert "similar" not in said, said


def test_the_function_that_gave_the_value_and_the_name_that_is_missing_do(
    learnt: "Checkout",
) -> None:
    learnt.add(
        "test_more.py",
        "from calc import half\n\n\ndef test_more():\n    assert half(5) == 9\n\n\n"
        "def test_key():\n    {}['te']\n",
    )
    said = run(learnt, "run", "--", sys.executable, "-m", "pytest", "-q", "test_more.py").err
    assert "calc.py: " in said, said
    assert "keys.py: " in said, said


def test_another_command_that_says_the_same_is_the_same_message_only(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("build.sh", 'test -f "$1.cfg" || { echo "error: no configuration" >&2; exit 1; }\n')
    repo.commit("first")
    assert run(repo, "run", "--", "sh", "build.sh", "a").code
    repo.add("a.cfg", "x\n")
    assert not run(repo, "run", "--", "sh", "build.sh", "a").code
    other = run(repo, "run", "--", "sh", "build.sh", "b").err
    assert "(same message)" in other, other
