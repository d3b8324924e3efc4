"""``git commit`` tells which fixes it takes back, and refuses them only where that is wanted."""

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from gitmem.learning.tokens import estimate
from gitmem.memory import GitHooks, Memory
from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

BROKEN = "def share(total, people):\n    paid = round(total)\n    return paid / people\n"
FIXED = BROKEN.replace("    return", "    if people < 1:\n        return paid\n    return")
MEANT = "note: if that is meant, say it once: gitmem guard --meant "


class Commit(NamedTuple):
    code: int
    said: str


@pytest.fixture
def fix(repo: "Checkout") -> str:
    """Make a repository with hooks, and a fix that worked; give its id."""
    Memory.init(str(repo))
    repo.add("cart.py", BROKEN)
    repo.commit("a cart")
    repo.add("cart.py", FIXED)
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "division by zero", "message": "division by zero"})
        fix = memory.resolve(error.id, {"approach": "ask", "patch": repo.git("diff") + "\n"})
    repo.commit("fixed")
    GitHooks(str(repo), ".memory").install()
    return fix.id


def commit(repo: "Checkout", *options: str) -> Commit:
    command = ["git", "commit", "-q", *options]
    done = subprocess.run(command, cwd=repo, capture_output=True, check=False, text=True)
    return Commit(done.returncode, done.stderr)


def test_a_commit_tells_what_guard_tells_and_goes_on(repo: "Checkout", fix: str) -> None:
    repo.add("cart.py", BROKEN)
    repo.git("add", "cart.py")
    told = ok(repo, "guard")
    said = commit(repo, "-m", "tidy")
    assert said == (0, f"{told}{MEANT}{fix}\n")
    assert repo.git("log", "-1", "--format=%s").strip() == "tidy"


def test_files_named_on_the_command_line_are_what_is_held_against_fixes(
    repo: "Checkout", fix: str
) -> None:
    repo.add("cart.py", BROKEN)
    repo.add("other.py", "x = 1\n")
    repo.git("add", "other.py")
    assert fix not in commit(repo, "-m", "other", "other.py").said
    assert fix in commit(repo, "-m", "cart", "cart.py").said


@pytest.mark.parametrize("whose", ["--team", "--user"])
def test_with_guard_block_it_is_refused_until_it_is_meant(
    repo: "Checkout", fix: str, whose: str
) -> None:
    ok(repo, "config", "guard.block", "true", whose)
    repo.add("cart.py", BROKEN)
    repo.git("add", "cart.py")
    refused = commit(repo, "-m", "tidy")
    assert refused.code == 1
    assert fix in refused.said
    assert "the commit was refused (guard.block)" in refused.said
    assert run(repo, "hooks", "run", "pre-commit").code == 1
    ok(repo, "guard", "--meant", fix, "--why", "nobody is alone")
    assert commit(repo, "-m", "tidy") == (0, "")


def test_a_change_that_keeps_the_fix_says_nothing(repo: "Checkout", fix: str) -> None:
    ok(repo, "config", "guard.block", "true", "--team")
    repo.add("cart.py", f"# {fix} stays\n{FIXED}\n\ndef name():\n    return 1\n")
    repo.git("add", "cart.py")
    assert commit(repo, "-m", "more") == (0, "")


def test_a_fault_of_the_guard_refuses_nothing(
    repo: "Checkout", fix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok(repo, "config", "guard.block", "true", "--team")
    repo.add("cart.py", BROKEN)
    repo.git("add", "cart.py")
    for file in Path(repo, ".memory/fixes").rglob("*.yaml"):
        file.write_bytes(b"\x00: [")
    assert fix in repo.git("ls-files", ".memory")
    assert commit(repo, "-m", "tidy").code == 0


EDITS = {
    "claude": ("PostToolUse", "Edit", {"file_path": "@/cart.py", "old_string": "a"}),
    "codex": (
        "PostToolUse",
        "apply_patch",
        {"command": "*** Begin Patch\n*** Update File: cart.py\n@@\n-a\n+b\n*** End Patch"},
    ),
    "cursor": ("postToolUse", "Write", {"path": "@/cart.py"}),
    "gemini": ("AfterTool", "replace", {"file_path": "@/cart.py", "new_string": "b"}),
}


def edited(repo: "Checkout", client: str, session: str = "one", **more: object) -> str:
    """Tell a hook that an assistant changed the file; give what it prints."""
    event, tool, given = EDITS[client]
    payload = {
        "hook_event_name": event,
        "cwd": str(repo),
        "session_id": session,
        "tool_name": tool,
        "tool_input": {key: value.replace("@", str(repo)) for key, value in given.items()},
        **more,
    }
    done = run(repo, "assistant-hook", client, stdin=json.dumps(payload))
    assert (done.code, done.err) == (0, "")
    return done.out


@pytest.mark.parametrize("client", EDITS)
def test_an_assistant_hears_once_which_fix_its_edit_takes_back(
    repo: "Checkout", fix: str, client: str
) -> None:
    """The same telling as of the work tree; and what keeps the fix is silent."""
    repo.add("cart.py", FIXED.replace("paid", "sum"))
    assert edited(repo, client) == ""
    repo.add("cart.py", BROKEN)
    (taken,) = json.loads(ok(repo, "guard", "--all", "--json"))["taken_back"]
    told = edited(repo, client)
    for word in (fix, f"{taken['path']}:{taken['line']}", taken["sureness"], taken["why"]):
        assert word in told
    assert estimate(told) < 400
    assert edited(repo, client) == ""
    assert fix in edited(repo, client, "another session")


def test_an_assistant_hears_once_what_a_rule_matches(repo: "Checkout", fix: str) -> None:
    pytest.importorskip("ast_grep_py")
    rule = {"language": "python", "pattern": "total // $A"}
    with Memory.open(str(repo)) as memory:
        (error,) = memory.list("kind:error")
        ruled = memory.resolve(error.id, {"approach": "divide exactly", "guard": rule}).id
    repo.commit("a rule")
    repo.add("cart.py", FIXED + "\n\ndef half(total):\n    return total // 2\n")
    (taken,) = json.loads(ok(repo, "guard", "--all", "--json"))["taken_back"]
    told = edited(repo, "claude")
    for word in (ruled, f"{taken['path']}:{taken['line']}", taken["why"]):
        assert word in told
    assert edited(repo, "claude") == ""


def test_an_edit_that_failed_or_lies_outside_says_nothing(repo: "Checkout", fix: str) -> None:
    repo.add("cart.py", BROKEN)
    assert edited(repo, "claude", error="no such text") == ""
    for name in ("/etc/passwd", "../cart.py", "", ".", "none.py", "cart.py\0"):
        assert edited(repo, "claude", tool_input={"file_path": name}) == ""
    assert fix in edited(repo, "claude", tool_input={"file_path": "./cart.py"})


def test_every_face_of_the_program_tells_the_same(repo: "Checkout", fix: str) -> None:
    """What an assistant is told before, and everybody after: the command, the hooks, a job."""

    async def asked() -> None:
        async with piped(repo) as client:
            context = await said(client, "gitmem_context", focus="cart.py", budget=4000)
        assert "lines 3 to 4 are there because of err-" in context
        assert "division by zero" in context

    talk(asked)
    kept = repo.git("rev-parse", "HEAD").strip()
    repo.add("cart.py", BROKEN)
    (taken,) = json.loads(ok(repo, "guard", "--all", "--json"))["taken_back"]
    by_edit = edited(repo, "claude")
    why = taken["why"].partition(" (")[0]
    repo.git("add", "cart.py")
    by_commit = run(repo, "hooks", "run", "pre-commit").err
    repo.git("commit", "-qnm", "tidy")
    span = f"{kept}..HEAD"
    summary = repo / "summary.md"
    ok(repo, "ci", "--review", span, "--summary", str(summary))
    job = json.loads(ok(repo, "ci", "--review", span, "--json"))
    review = json.loads(ok(repo, "review", span, "--json"))
    assert job["review"]["taken_back"] == review["taken_back"] == [taken]
    texts = (by_edit, by_commit, summary.read_text(), ok(repo, "review", span))
    for text in (*texts, ok(repo, "guard", span)):
        for word in (fix, f"cart.py:{taken['line']}", taken["sureness"], why):
            assert word in text
