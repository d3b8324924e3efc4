"""What is told of a failure is true, and the right thing stays in sight, whatever was recorded.

Outputs are those of real tools: CPython, make, and TypeScript as it prints its messages.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
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
            hint = await said(client, "hint", text=text)
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


@pytest.mark.parametrize("spelling", ["ts2322", "TS2322", "2322", "ts(2322)", "error TS2322"])
def test_codes_are_compared_as_people_write_them(repo: "Checkout", spelling: str) -> None:
    message = "Type 'string' is not assignable to type 'number'."
    _record(repo, {"error_type": spelling, "message": message})
    shown = ok(repo, "hint", stdin=TS2322.format("a", "string", "number"))
    assert f"worked      {APPROACH}" in shown
    assert "(same message)" in shown


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
