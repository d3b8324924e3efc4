"""A tool that only the repository knows: learnt in a run, known again everywhere."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.memory import Memory
from tests.e2e.lsp_editor import Editor, wait_until
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")
FINDING = "app.py:2:5: error AC100: two is no number of things"
MATCHER = {
    "problemMatcher": [
        {
            "owner": "acme-lint",
            "pattern": [
                {
                    "regexp": r"^(.+):(\d+):(\d+): (error|warning) (AC\d+): (.+)$",
                    "file": 1,
                    "line": 2,
                    "column": 3,
                    "severity": 4,
                    "code": 5,
                    "message": 6,
                }
            ],
        }
    ]
}
SCRIPT = f'if grep -q "b = 2" app.py; then echo "{FINDING}"; exit 1; fi; echo fine\n'


def learn(repo: "Checkout") -> None:
    """Let a made-up tool fail, and pass once the code is repaired."""
    ok(repo, "init")
    repo.add(".github/acme.json", json.dumps(MATCHER))
    repo.add("acme-lint.sh", SCRIPT)
    repo.add("app.py", "a = 1\nb = 2\n")
    repo.commit()
    assert "new  two is no number of things" in run(repo, "run", "--", "sh", "acme-lint.sh").err
    repo.add("app.py", "a = 1\nb = 3\n")
    assert "learnt" in run(repo, "run", "--", "sh", "acme-lint.sh").err
    repo.commit()
    ok(repo, "search", "nothing")


@pytest.fixture
def shop(repo: "Checkout", built: "Built", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    monkeypatch.delenv("CI", raising=False)
    return built(repo, learn)


@pytest.fixture
def editor(shop: Path) -> Iterator[Editor]:
    client = Editor(shop)
    yield client
    client.close()


def error_of(shop: Path) -> Any:
    with Memory.open(str(shop)) as memory:
        (row,) = memory.list("kind:error")
        return memory.show(row.id).record


def test_what_a_matcher_reads_is_a_failure_like_any_other(shop: "Checkout") -> None:
    error = error_of(shop)
    assert (error.tool, error.code, error.language) == ("acme-lint", "AC100", "python")
    assert error.message == "two is no number of things"
    assert (error.location.file, error.location.line, error.location.column) == ("app.py", 2, 5)


def test_it_is_known_again_elsewhere(shop: "Checkout") -> None:
    again = FINDING.replace("app.py:2:5", "app.py:9:1")
    assert "replace `b = 2` by `b = 3`" in ok(shop, "hint", again)
    (shop / "job.log").write_text(f"starting\n{again}\nended\n", encoding="utf-8")
    assert "known" in run(shop, "runs", "capture", "job.log").out
    (shop / "lib").mkdir()
    (shop / "lib" / "again.sh").write_text(f'echo "{again}"; exit 1\n', encoding="utf-8")
    told = run(shop, "run", "--", "sh", "lib/again.sh").err
    assert "gitmem: known" in told


def test_a_hover_tells_what_fixed_it(shop: "Checkout", editor: Editor) -> None:
    text = "a = 1\nb = 2\n"
    path = shop / "app.py"
    editor.initialize(shop)
    editor.open(path, text)
    place = {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 5}}
    diagnostic = {"range": place, "severity": 1, "source": "acme-lint", "code": "AC100",
                  "message": "two is no number of things"}  # fmt: skip
    editor.forward(path, diagnostic)
    wait_until(lambda: editor.hover(path, 1, 4) is not None)
    shown = editor.hover(path, 1, 4)
    assert shown
    assert "gitmem: fixed before" in shown["contents"]["value"]
    assert "checked with: sh acme-lint.sh" in shown["contents"]["value"]
    assert "known error: two is no number of things" in shown["contents"]["value"]


def test_who_does_not_want_them_reads_none(
    shop: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.add(".memory/gitmem.yaml", "format: 1\nsettings:\n  tools.repository: auto\n")
    shop.add(".github/bad.json", json.dumps(MATCHER).replace("(.+)$", "(.+)+$"))
    assert "bad.json" in run(shop, "check").out
    ok(shop, "config", "tools.repository", "off", "--user")
    assert "bad.json" not in run(shop, "check").out


def test_hostile_matchers_are_named_by_check_and_by_nobody_else(shop: "Checkout") -> None:
    hostile = json.dumps(MATCHER).replace("(.+)$", "(.+)+$")
    shop.add(".github/bad.json", hostile)
    shop.add(".memory/gitmem.yaml", "format: 1\nsettings:\n  tools.matchers:\n    - ../x.json\n")
    begun = time.perf_counter()
    checked = run(shop, "check").out
    assert time.perf_counter() - begun < 5
    (line,) = [line for line in checked.splitlines() if "bad.json" in line]
    assert "matcher 'acme-lint' pattern 1 has a repetition inside a repetition" in line
    assert "write the path of a file in the repository" in checked
    for command in (("hint", FINDING), ("run", "--", "true"), ("search", "two")):
        done = run(shop, *command)
        assert "bad.json" not in done.out + done.err


def test_the_list_of_tools_names_those_of_the_repository_and_what_is_not_used(
    shop: "Checkout",
) -> None:
    bad = {"problemMatcher": [{"owner": "slow", "pattern": [{"regexp": "(a+)+$", "message": 1}]}]}
    shop.add(".github/slow.json", json.dumps(bad))
    lines = ok(shop, "tools").splitlines()
    (own,) = [line for line in lines if line.startswith("acme-lint ")]
    assert own.split()[1:] == [".github/acme.json", "failures"]
    (unused,) = [line for line in lines if line.startswith("not used")]
    assert ".github/slow.json: " in unused
    listed = json.loads(ok(shop, "tools", "--json"))
    assert [each["origin"] for each in listed["refused"]] == [".github/slow.json"]
    assert "acme-lint" in {tool["name"] for tool in listed["tools"]}
    assert ".github/acme.json" in ok(shop, "tools", "acme-lint")


def test_what_is_read_of_an_output_says_which_matcher_read_it(shop: "Checkout") -> None:
    shop.add("out.txt", f"{FINDING}\n")
    told = json.loads(ok(shop, "tools", "try", "out.txt", "--json"))
    assert [failure["tool"] for failure in told["failures"]] == ["acme-lint"]
    assert "acme-lint" in ok(shop, "tools", "try", "out.txt")


def test_tools_are_listed_where_there_is_no_memory(repo: "Checkout") -> None:
    assert "pytest" in ok(repo, "tools")
