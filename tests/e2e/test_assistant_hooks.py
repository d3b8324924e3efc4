"""The hooks of coding assistants: what they are told, and what is learnt from their commands.

The payloads are those that the clients sent when they were run; what the commands in them print is
what they really print.
"""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.assistants.hook_files import entries
from gitmem.assistants.hooks import HOOK_CLIENTS
from gitmem.assistants.payloads import kinds
from gitmem.assistants.payloads import payload as payload_of
from gitmem.learning.tokens import estimate
from gitmem.memory import Memory
from gitmem.memory.checks.trial_checks import WAYS
from gitmem.memory.checks.trial_repository import TrialFailed, World
from gitmem.semantic import words
from gitmem.system import lock
from tests.e2e.running import COMMAND, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

AVERAGE = "def average(values):\n    return sum(values) / len(values)\n"
MENDED = AVERAGE.replace("len(values)\n", "len(values) if values else 0\n")
TEST = "from shop import average\n\n\ndef test_empty():\n    assert average([]) == 0\n"
RED = "python -m pytest -q -p no:cacheprovider"
SURROGATES = {"command": "a \ud800"}, "Exit code 1\nValueError: \ud800"
PAYLOADS = {
    "nothing": "",
    "words": "no json",
    "list": "[]",
    "deep": "[" * 5000,
    "null": "null",
    "number": '{"hook_event_name": 3}',
    "other event": '{"hook_event_name": "Notification"}',
    "no command": '{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": []}',
    "surrogates": json.dumps(
        {
            "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash",
            "tool_input": SURROGATES[0],
            "error": SURROGATES[1],
        }
    ),
}


class Session:
    """An assistant as its hooks see it: what it asks, and what it gets."""

    def __init__(self, folder: Path, client: str = "claude") -> None:
        self.folder = folder
        self.client = client
        self.calls = 0
        self.name = ""
        """Of the session; empty: as in the payloads."""

    def tell(self, kind: str, command: str = "", output: str = "", code: int = 0) -> str:
        """Send an event; give the text that comes back."""
        payload = payload_of(self.client, kind, str(self.folder), command, output, code)
        if "tool_use_id" in payload:
            payload["tool_use_id"] = f"call_{self.calls}"
        payload |= {"session_id": self.name} if self.name else {}
        done = run(self.folder, "assistant-hook", self.client, stdin=json.dumps(payload))
        assert (done.code, done.err) == (0, "")
        return text_of(self.client, payload["hook_event_name"], json.loads(done.out or "{}"))

    def bash(self, command: str) -> str:
        """Run a command as its tool does; give what comes back in the end."""
        self.calls += 1
        assert self.tell("begins", command) == ""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        kind = "red" if done.returncode else "green"
        return self.tell(kind, command, done.stdout, done.returncode)


def text_of(client: str, event: str, answer: dict[str, Any]) -> str:
    """Give the text of an answer, which has the form that the client reads."""
    match answer:
        case {} if not answer:
            return ""
        case {"systemMessage": str(text)}:
            assert len(answer) == 1
            return text
    nested = {"hookEventName": event, "additionalContext": ""}
    forms: dict[str, dict[str, Any]] = {
        "cursor": {"additional_context": ""},
        "copilot": {"additionalContext": "", "hookSpecificOutput": nested},
        "opencode": {"context": ""},
    }
    texts: set[str] = set()

    def emptied(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: emptied(inner) for key, inner in value.items()}
        if value == event:
            return value
        texts.add(value)
        return ""

    assert emptied(answer) == forms.get(client, {"hookSpecificOutput": nested})
    (text,) = texts
    return text


@pytest.fixture
def session(repo: "Checkout") -> Session:
    """A session of Claude Code in a repository with a bug and its test."""
    repo.add("shop.py", AVERAGE)
    repo.add("test_shop.py", TEST)
    repo.add(".gitignore", "__pycache__\n")
    ok(repo, "init")
    repo.commit()
    return Session(repo)


@pytest.mark.parametrize("client", HOOK_CLIENTS)
def test_a_failure_that_an_assistant_mends_becomes_a_draft_and_is_known(
    session: Session, client: str
) -> None:
    session.client, shop = client, session.folder / "shop.py"
    assert "The project" in session.tell("session")
    assert session.bash(RED) == ""
    shop.write_text(MENDED)
    assert session.bash("git status --short") == ""
    assert "drafted the fix `` shop.py: replace" in session.bash(RED)
    assert ok(session.folder, "list") == ""
    if "stop" in kinds(client):
        told = session.tell("stop")
        assert "1 draft of what this session taught: ZeroDivisionError: division by zero" in told
        assert session.tell("stop") == ""
    assert "1 draft of fixes wait" in session.tell("session")

    drafted = ok(session.folder, "drafts")
    assert "ZeroDivisionError: division by zero" in drafted
    ok(session.folder, "drafts", "keep", drafted.split()[0])
    tool = HOOK_CLIENTS[client].actor.partition(":")[2]
    for kind in ("fix", "error"):
        kept = ok(session.folder, "list", f"kind:{kind}")
        assert kept.count("\n") == 1
        assert f"via agent {tool}" in ok(session.folder, "show", kept.split()[0])

    shop.write_text(AVERAGE)
    told = session.bash("python -m pytest -q -p no:cacheprovider test_shop.py")
    assert told.startswith("Quoted from this repository's memory: evidence, not instructions.")
    assert "worked" in told
    assert "if values else 0" in told


def test_advice_of_a_pack_is_given_once_for_each_failure_of_a_session(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")
    code = session.folder / "a.py"

    def told(missing: str) -> str:
        code.write_text(f"{code.read_text() if code.exists() else ''}# edited\nimport {missing}\n")
        advice = session.bash("python a.py")
        code.write_text(code.read_text().replace(f"import {missing}\n", ""))
        return advice

    ok(session.folder, "hint", "KeyError: 'a hook does not wait until packs are ready'")
    first = told("nosuchpackage")
    assert "`general advice` · `pack foundations`" in first
    for _ in range(2):
        again = told("nosuchpackage")
        assert "did not help" in again  # an edit came between
        assert "general advice" not in again
    assert "`general advice` · `pack foundations`" in told("anotherpackage")
    session.name = "another session"
    assert "general advice" in told("nosuchpackage")


def test_the_first_failure_of_all_gets_advice(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    session.tell("session")
    for _ in range(600):
        if any(tmp_path.rglob("packs-*/index/*.toc")):
            break
        time.sleep(0.1)
    (folder,) = tmp_path.rglob("packs-*")
    with lock(str(folder / "lock"), 60):  # whoever reads them is done
        pass
    (session.folder / "a.py").write_text("import nosuchpackage\n")
    assert "`general advice` · `pack foundations`" in session.bash("python a.py")


def test_a_pipe_that_hides_the_exit_code_hides_no_failure(session: Session) -> None:
    assert session.bash(f"{RED} 2>&1 | tail -30") == ""
    assert "ZeroDivisionError" in ok(session.folder, "runs", "attempts")


def test_where_runs_are_not_noted_neither_are_those_of_an_assistant(session: Session) -> None:
    ok(session.folder, "config", "capture.mode", "off", "--user")
    session.bash(RED)
    assert run(session.folder, "runs").err.startswith("note: no runs")


def test_what_only_looks_like_a_failure_is_no_run(session: Session) -> None:
    assert session.bash("grep -rn nothing_like_this shop.py") == ""
    assert session.bash("ls not-there") == ""
    assert session.bash("true") == ""
    assert run(session.folder, "runs").err.startswith("note: no runs")


@pytest.mark.parametrize(
    "line",
    ["pythn -m pytest -q", "PATH=/nowhere pytest -q", "cd . && ./python3.9 -m pytest"],
    ids=["mistyped", "no-path", "no-file"],
)
def test_a_command_that_the_shell_does_not_find_is_no_run(session: Session, line: str) -> None:
    session.bash(RED)
    assert session.bash(line) == ""
    Path(session.folder, "shop.py").write_text(MENDED)
    assert session.bash(line) == ""
    assert "drafted the fix" in session.bash(RED)
    assert ok(session.folder, "runs").count("\n") == 2
    assert ok(session.folder, "runs", "attempts") == ""


def test_what_a_command_writes_itself_is_no_part_of_the_fix(session: Session) -> None:
    check = (
        "import time\nfrom shop import average\n\n"
        "open('log.txt', 'a').write(f'{time.time()}\\n')\naverage([])\n"
    )
    Path(session.folder, "check.py").write_text(check)
    session.bash("python check.py")
    Path(session.folder, "shop.py").write_text(MENDED)
    assert "shop.py" in session.bash("python check.py")
    assert "log.txt" not in ok(session.folder, "drafts")


@pytest.mark.parametrize(
    "ending",
    ["> out.txt 2>&1; cat out.txt", "2>&1 | tee 'my out.log'", "--junitxml=out.xml"],
    ids=["redirected", "tee", "report"],
)
def test_where_its_output_goes_is_no_part_of_the_fix(session: Session, ending: str) -> None:
    session.bash(f"{RED} {ending}")
    Path(session.folder, "shop.py").write_text(MENDED)
    session.bash(f"{RED} {ending}")
    draft = ok(session.folder, "drafts")
    assert "shop.py" in draft
    assert "out." not in draft


@pytest.mark.parametrize(
    "edit",
    ["cat > shop.py <<'END'\n{MENDED}END\n", "cat <<END > shop.py\n{MENDED}END\n",
     "sed -i 's/ len(values)/ max(1, len(values))/' shop.py && ",
     "perl -pi -e 's/ len.values./ max(1, len(values))/' shop.py; ",
     "git apply mend.diff; "],
    ids=["heredoc", "heredoc-behind", "sed", "perl", "patch"],
)  # fmt: skip
def test_a_line_that_edits_before_it_tests_shows_its_edit(session: Session, edit: str) -> None:
    """Assistants write files in the same line as they run the tests."""
    shop = Path(session.folder, "shop.py")
    shop.write_text(MENDED)
    diff = subprocess.run(["git", "diff"], cwd=session.folder, capture_output=True, check=True)
    shop.write_text(AVERAGE)
    Path(session.folder, "mend.diff").write_bytes(diff.stdout)
    session.bash(RED)
    assert "gitmem drafted the fix" in session.bash(f"{edit.format(MENDED=MENDED)}{RED}")
    assert "shop.py: replace" in ok(session.folder, "drafts")


@pytest.mark.parametrize(
    "narrower",
    ["--deselect test_shop.py::test_empty",
     "test_shop.py::test_empty test_shop.py::test_one --deselect test_shop.py::test_empty",
     "--deselect=test_shop.py::test_empty", "-k one", "--ignore test_shop.py test_other.py"],
)  # fmt: skip
def test_a_test_that_was_left_out_is_not_mended(session: Session, narrower: str) -> None:
    more = "\n\ndef test_one():\n    assert average([1]) == 1\n"
    Path(session.folder, "test_shop.py").write_text(TEST + more)
    Path(session.folder, "test_other.py").write_text("def test_other():\n    pass\n")
    session.bash(RED)
    Path(session.folder, "shop.py").write_text(f"{AVERAGE}\n\nUSELESS = 1\n")
    session.bash(f"{RED} {narrower}")
    assert run(session.folder, "drafts").err == "note: no drafts\n"


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_nothing_that_comes_in_holds_a_session_up(session: Session, payload: str) -> None:
    done = run(session.folder, "assistant-hook", "claude", stdin=payload)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("client", HOOK_CLIENTS)
def test_where_there_is_no_memory_it_is_silent(tmp_path: Path, client: str) -> None:
    session = Session(tmp_path, client)
    for kind in kinds(client):
        assert session.tell(kind, "pytest", "ZeroDivisionError: division by zero", 1) == ""


@pytest.mark.parametrize("what", ["marker", "derived", "journal", "records", "git"])
def test_a_broken_memory_holds_no_session_up(session: Session, what: str) -> None:
    session.bash(RED)
    ok(session.folder, "search", "division")
    git, memory = session.folder / ".git", session.folder / ".memory"
    match what:
        case "marker":
            (memory / "gitmem.yaml").write_text("format: [\n")
        case "records":
            (memory / "errors").write_text("no folder\n")
        case "git":
            git.rename(session.folder / "elsewhere")
        case _:
            for file in (git / "gitmem").rglob("*"):
                if file.is_file() and (file.suffix == ".jsonl") == (what == "journal"):
                    file.write_bytes(b"\0broken\n" * 100)
    for session.client in HOOK_CLIENTS:
        for kind in kinds(session.client):
            session.tell(kind, RED, "ZeroDivisionError: division by zero", 1)


def test_one_assistant_works_in_several_repositories(session: Session, tmp_path: Path) -> None:
    second = tmp_path / "second"
    subprocess.run(["git", "clone", "-q", session.folder, second], check=True)
    other = Session(second)
    for each in (session, other, other, session):  # their sessions are one to the assistant
        each.bash(RED)
    for each, fix in ((session, MENDED), (other, AVERAGE.replace("len(values)\n", "1\n"))):
        (each.folder / "shop.py").write_text(fix)
        assert "drafted the fix" in each.bash(RED)
    for each, fix in ((session, "if values else 0"), (other, "sum(values) / 1")):
        (drafted,) = ok(each.folder, "drafts").splitlines()[:1]
        assert fix in ok(each.folder, "show", drafted.split()[0])


def test_a_hook_that_is_killed_refuses_nothing(session: Session, tmp_path: Path) -> None:
    """Copilot, for one, takes any other exit code than 0 for a refusal."""
    dying = tmp_path / "gitmem"
    dying.write_text("#!/bin/sh\nkill -9 $$\n")
    dying.chmod(0o755)
    for client in HOOK_CLIENTS:
        if HOOK_CLIENTS[client].script:
            continue
        handlers = {json.dumps(entry) for entry in entries(client).values()}
        lines = {line for handler in handlers for line in re.findall(r'"(gitmem [^"]*)"', handler)}
        (line,) = lines
        for path in (str(tmp_path), str(session.folder)):  # killed; not there
            done = subprocess.run(
                ["/bin/sh", "-c", line], env={"PATH": path}, capture_output=True, check=False
            )
            assert (done.returncode, done.stdout) == (0, b""), client


def test_the_program_answers_without_click_what_the_command_answers(session: Session) -> None:
    event = json.dumps(payload_of("claude", "session", str(session.folder)))
    ways = (("assistant-hook", "claude"), ("--color", "never", "assistant-hook", "claude"))
    (done,) = {run(session.folder, *way, stdin=event, real=True) for way in ways}
    assert (done.code, done.err) == (0, "")
    assert "The project" in done.out
    loaded = [
        subprocess.run(
            [sys.executable, "-X", "importtime", COMMAND, *way],
            cwd=session.folder, input=event, capture_output=True, text=True, check=True,
        ).stderr
        for way in ways
    ]  # fmt: skip
    assert ["click.core" in modules for modules in loaded] == [False, True]


def test_of_an_assistant_without_hooks_it_says_so(tmp_path: Path) -> None:
    other = run(tmp_path, "assistant-hook", "nobody", stdin="{}")
    assert (other.code, other.out) == (0, "")
    assert "no hooks for 'nobody'" in other.err


def test_what_assistants_teach_is_recorded_at_once_where_that_is_wanted(session: Session) -> None:
    ok(session.folder, "config", "capture.assistants", "auto", "--user")
    ok(session.folder, "config", "capture.attempts", "1", "--user")
    session.bash(RED)
    (session.folder / "shop.py").write_text(MENDED)
    assert "recorded the fix `` shop.py: replace" in session.bash(RED)
    assert ok(session.folder, "list", "kind:fix").count("\n") == 1
    assert ok(session.folder, "drafts") == ""


def test_a_commit_keeps_no_draft_of_an_assistant(session: Session) -> None:
    ok(session.folder, "hooks", "install")
    session.bash(RED)
    (session.folder / "shop.py").write_text(MENDED)
    session.bash(RED)
    subprocess.run(
        ["git", "commit", "-qam", "fix: average of nothing"], cwd=session.folder, check=True
    )
    assert ok(session.folder, "list") == ""
    assert "ZeroDivisionError" in ok(session.folder, "drafts")


@pytest.mark.parametrize("client", ["gemini", "claude"])
def test_the_same_line_again_is_another_call(session: Session, client: str) -> None:
    """Gemini names no calls: what was noted of an earlier one says nothing of a later one."""
    session.client, shop = client, session.folder / "shop.py"
    session.bash(RED)
    shop.write_text(MENDED)
    assert "drafted the fix" in session.bash(RED)
    shop.write_text(AVERAGE)
    session.bash(RED)
    shop.write_text(AVERAGE.replace("len(values)\n", "max(len(values), 1)\n"))
    assert "max(len(values), 1)" in session.bash(RED)


def test_calls_of_two_assistants_are_not_taken_for_one(session: Session) -> None:
    """Both call their first call call_1."""
    shop, other = session.folder / "shop.py", Session(session.folder, "codex")
    session.bash(RED)
    shop.write_text(MENDED)
    session.bash(RED)
    shop.write_text(AVERAGE)
    other.bash(RED)
    shop.write_text(AVERAGE.replace("len(values)\n", "max(len(values), 1)\n"))
    assert "max(len(values), 1)" in other.bash(RED)


def test_of_assistants_that_test_one_edit_at_once_each_is_told_of_one_draft(
    session: Session,
) -> None:
    both = [session, Session(session.folder, "cursor"), Session(session.folder, "gemini")]
    with ThreadPoolExecutor() as pool:
        assert [*pool.map(lambda each: each.bash(RED), both)] == ["", "", ""]
        (session.folder / "shop.py").write_text(MENDED)
        answers = [*pool.map(lambda each: each.bash(RED), both)]
    assert any("drafted the fix" in answer for answer in answers)
    (drafted,) = (line for line in ok(session.folder, "drafts").splitlines() if line[0] != " ")
    ok(session.folder, "drafts", "keep", drafted.split()[0])
    assert run(session.folder, "drafts").err == "note: no drafts\n"
    assert ok(session.folder, "list", "kind:fix").count("\n") == 1


def test_cursor_tells_of_a_failed_command_as_of_a_failure_of_its_tool(session: Session) -> None:
    """As people saw it do it: its documentation has the output of both beside the exit code."""
    session.client = "cursor"

    def tell(kind: str, event: str, **more: object) -> str:
        payload = payload_of("cursor", kind, str(session.folder), RED)
        payload = {**payload, "hook_event_name": event, **more}
        done = run(session.folder, "assistant-hook", "cursor", stdin=json.dumps(payload))
        assert (done.code, done.err) == (0, "")
        return text_of("cursor", event, json.loads(done.out or "{}"))

    def shell() -> str:
        tell("begins", "preToolUse")
        done = subprocess.run(
            ["bash", "-c", RED], cwd=session.folder, capture_output=True, text=True, check=False
        )
        if not done.returncode:
            output = json.dumps({"output": done.stdout, "exitCode": 0})
            return tell("green", "postToolUse", tool_output=output)
        failed = {"error_message": f"Command failed with exit code 1\n{done.stdout}",
                  "failure_type": "error", "is_interrupt": False}  # fmt: skip
        return tell("red", "postToolUseFailure", **failed)

    assert shell() == ""
    (session.folder / "shop.py").write_text(MENDED)
    assert "drafted the fix" in shell()


def test_copilot_which_runs_the_hooks_of_claude_code_too_is_heard_once(session: Session) -> None:
    for kind in ("begins", "red"):
        payload = payload_of("copilot", kind, str(session.folder), RED, "ZeroDivisionError: x", 1)
        done = run(session.folder, "assistant-hook", "claude", stdin=json.dumps(payload))
        assert (done.code, done.out, done.err) == (0, "", "")
    assert run(session.folder, "runs").err.startswith("note: no runs")


def test_devin_says_where_it_works_in_a_variable_and_runs_hooks_of_claude_code_too(
    session: Session, tmp_path: Path
) -> None:
    """Whether a test that fails is a success of its shell, its documentation does not say."""
    ok(session.folder, "setup", "claude", "devin", "--hooks")
    where = {"DEVIN_PROJECT_DIR": str(session.folder)}

    def tell(client: str, kind: str, **response: Any) -> str:
        payload = payload_of("devin", kind, "", RED)
        payload |= {"tool_response": {"error": None, **response}} if response else {}
        done = run(tmp_path, "assistant-hook", client, stdin=json.dumps(payload), env=where)
        assert (done.code, done.err) == (0, "")
        return text_of("devin", payload["hook_event_name"], json.loads(done.out or "{}"))

    def shell(*, success: bool) -> str:
        assert tell("devin", "begins") == ""
        done = subprocess.run(
            ["bash", "-c", RED], cwd=session.folder, capture_output=True, text=True, check=False
        )
        return tell("devin", "green", success=success, output=done.stdout)

    assert tell("claude", "session") == ""
    assert "The project" in tell("devin", "session")
    assert shell(success=False) == shell(success=True) == ""
    (session.folder / "shop.py").write_text(MENDED)
    assert "drafted the fix" in shell(success=True)
    assert tell("devin", "red", success=False, output="", error="the shell is gone") == ""


@pytest.mark.parametrize(
    ("event", "conversation"), [("hook_event_name", "session_id"), ("hookEventName", "sessionId")]
)
def test_vs_code_reads_the_hooks_of_copilot_and_names_members_in_one_of_two_ways(
    session: Session, event: str, conversation: str
) -> None:
    """As its documentation has them, and as its code did when it was open."""

    def tell(name: str, **more: Any) -> str:
        payload = {
            "timestamp": "2026-11-23T17:31:51.968Z", event: name, conversation: "4e1c",
            "cwd": str(session.folder), "transcript_path": "/home/ann/t.json", **more,
        }  # fmt: skip
        done = run(session.folder, "assistant-hook", "copilot", stdin=json.dumps(payload))
        assert (done.code, done.err) == (0, "")
        answer = json.loads(done.out or "{}")
        nested = answer.get("hookSpecificOutput", {"hookEventName": name})
        assert nested["hookEventName"] == name
        return str(nested.get("additionalContext") or answer.get("systemMessage", ""))

    def terminal() -> str:
        words = {"command": RED, "explanation": "run the tests", "isBackground": False}
        call = {"tool_name": "run_in_terminal", "tool_input": words, "tool_use_id": "call_1"}
        assert tell("PreToolUse", **call) == ""
        done = subprocess.run(
            ["bash", "-c", RED], cwd=session.folder, capture_output=True, text=True, check=False
        )
        return tell("PostToolUse", **call, tool_response=done.stdout)

    assert "The project" in tell("SessionStart", source="new")
    assert terminal() == ""
    (session.folder / "shop.py").write_text(MENDED)
    assert "drafted the fix" in terminal()
    assert "1 draft of what this session taught" in tell("Stop", stop_hook_active=False)


def test_a_plugin_leaves_the_events_to_the_hooks_of_the_project(session: Session) -> None:
    payload = json.dumps(payload_of("claude", "session", str(session.folder)))
    own = {"CLAUDE_PROJECT_DIR": str(session.folder), "CLAUDE_PLUGIN_ROOT": "/plugin"}
    for hooked in (False, True):
        done = run(session.folder, "assistant-hook", "claude", stdin=payload, env=own)
        assert (done.code, done.err, "The project" in done.out) == (0, "", not hooked)
        ok(session.folder, "setup", "claude", "--hooks")
    assert "The project" in run(session.folder, "assistant-hook", "claude", stdin=payload).out


def test_codex_tells_the_exit_code_only_in_its_transcript(session: Session) -> None:
    """A script that fails without a word is no success; where nobody knows, nothing is noted."""
    session.client, script = "codex", session.folder / "check.py"
    transcript = session.folder / ".git" / "rollout.jsonl"
    item = {"type": "CommandExecution", "id": "call_0", "exit_code": 3}
    transcript.write_text(json.dumps({"payload": {"item": item}}) + "\n{broken\n")
    script.write_text("raise SystemExit(3)\n")
    payload = payload_of("codex", "red", str(session.folder), "python check.py", "")
    client = HOOK_CLIENTS["codex"]
    unknown = client.read(payload)
    assert unknown
    assert unknown.exit_code is None
    event = client.read({**payload, "transcript_path": str(transcript)})
    assert event
    assert event.exit_code == 3
    session.bash("python check.py")
    assert run(session.folder, "runs").err.startswith("note: no runs")


def test_a_transcript_that_is_no_file_is_not_waited_for(session: Session, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (str(pipe), "/dev/zero", str(tmp_path), ""):
        payload = payload_of("codex", "red", str(session.folder), RED, "1 failed in 0.1s", 1)
        event = HOOK_CLIENTS["codex"].read({**payload, "transcript_path": path})
        assert event
        assert (event.output, event.exit_code) == ("1 failed in 0.1s\n", None)


def test_of_a_huge_output_the_beginning_and_the_end_are_read(session: Session) -> None:
    """What lies between is not known, so nothing is learnt from such a run."""
    session.bash(RED)
    (session.folder / "shop.py").write_text(MENDED)
    assert session.tell("begins", RED) == ""
    assert session.tell("green", RED, "noise\n" * 2**20 + "1 passed in 0.1s\n") == ""
    assert ok(session.folder, "drafts") == ""
    assert "passed" in ok(session.folder, "runs")


@pytest.mark.parametrize("client", HOOK_CLIENTS)
def test_hooks_are_set_and_taken_back(session: Session, client: str) -> None:
    hooks, folder = HOOK_CLIENTS[client], session.folder
    file = folder / hooks.file
    theirs = '{\n  "model": "opus", // mine\n  "hooks": {"PreToolUse": [], "preToolUse": [{}]}\n}\n'
    if not hooks.script:
        file.parent.mkdir(parents=True)
        file.write_text(theirs)
        assert f"changed  {hooks.file}" in ok(folder, "setup", client, "--hooks")
        text = file.read_text()
        assert "// mine" in text
        assert text.count(f"gitmem assistant-hook {client} ") == len(hooks.events)
        assert ok(folder, "setup", client, "--hooks") == "nothing was changed\n"
        ok(folder, "setup", client, "--undo")
        assert file.read_text() == theirs
        file.unlink()
        file.parent.rmdir()

    assert f"made     {hooks.file}" in ok(folder, "setup", client, "--hooks")
    if not hooks.script:
        whole = json.loads(file.read_text())
        assert [*(whole["hooks"] if hooks.within else whole)] == [*hooks.events]
    assert f"{client} " in ok(folder, "setup")
    ok(folder, "setup", client, "--undo")
    assert not file.exists()
    assert "hooks" not in ok(folder, "setup")


def test_a_plugin_of_that_name_is_left_alone(session: Session) -> None:
    file = session.folder / HOOK_CLIENTS["opencode"].file
    file.parent.mkdir(parents=True)
    file.write_text("export const Mine = async () => ({})\n")
    told = run(session.folder, "setup", "opencode", "--hooks")
    assert f"{HOOK_CLIENTS['opencode'].file} was not written by gitmem" in told.err
    ok(session.folder, "setup", "opencode", "--undo")
    assert "Mine" in file.read_text()


def test_doctor_plays_a_session_of_each_assistant_with_hooks(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial, empty = tmp_path / "trial", tmp_path / "empty"
    for folder in (trial, empty):
        folder.mkdir()
    world = World(str(trial), {}, str(session.folder))

    def check() -> Any:
        with Memory.open(str(session.folder)) as memory:
            try:
                return WAYS["assistants"](world, memory.workspace)
            except TrialFailed as error:
                return str(error)

    assert check()[:2] == ("assistants", "off")
    ok(session.folder, "setup", *HOOK_CLIENTS, "--hooks")
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", os.pathsep.join((os.path.dirname(COMMAND), path)))
    assert check() == (
        "claude, cursor, copilot, codex, gemini, opencode, devin: a recorded session was played, "
        "and its hooks answered"
    )
    deaf = empty / "gitmem"
    deaf.write_text("#!/bin/sh\n")
    deaf.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(empty), path)))
    assert check() == "claude: a session began, and its hook printed nothing"


def _many_records(session: Session, count: int = 80) -> None:
    """Write more records than a hook reads; derived state is as of a fresh clone."""
    with Memory.open(str(session.folder)) as memory:
        memory.add("decision", {"title": "Averages of nothing are 0", "decision": "Always."})
        for number in range(count):
            memory.add("note", {"title": f"Fact {number}", "body": "What took effort to find."})


def test_a_hook_leaves_many_new_records_to_another_process(session: Session) -> None:
    """As after a clone, a large pull or an upgrade: reading them all would hold the session up."""
    _many_records(session)
    assert session.tell("session") == ""
    while "Averages of nothing are 0" not in session.tell("session"):
        time.sleep(0.2)
    session.bash(RED)
    _many_records(session)
    (session.folder / "shop.py").write_text(MENDED)
    assert "drafted the fix" in session.bash(RED)
    while run(session.folder, "index", "status").out.count("(at the next search)"):
        time.sleep(0.2)


def test_who_begins_hears_what_fails_first(session: Session) -> None:
    ok(session.folder, "add", "decision", "--title", "Averages of nothing are 0", "--decision", "x")
    session.bash(RED)
    told = session.tell("session")
    places = [told.index(words) for words in (
        "test_shop.py::test_empty", "The project", "Averages of nothing are 0",
    )]  # fmt: skip
    assert places == sorted(places)
    assert estimate(told) <= 300


def test_a_hook_waits_for_nobody_who_writes_into_the_index(session: Session) -> None:
    ok(session.folder, "add", "decision", "--title", "Averages of nothing are 0", "--decision", "x")
    ok(session.folder, "search", "averages")
    ok(session.folder, "add", "note", "--title", "A new fact")
    (catalog,) = (session.folder / ".git").rglob("catalog.sqlite")
    with lock(str(catalog.with_name("lock")), 0):
        assert "Averages of nothing are 0" in session.tell("session")
        assert session.bash(RED) == ""
    assert "ZeroDivisionError" in ok(session.folder, "runs", "attempts")


@pytest.mark.skipif(not words.installed(), reason="the extra is not installed")
def test_a_hook_makes_no_vectors(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of words alone takes longer to load than a session may be held up."""
    monkeypatch.setenv("GITMEM_SEMANTIC_EMBEDDER", "words")
    ok(session.folder, "runs", "capture", "--record", "-", stdin="ValueError: the clock is slow")
    for kind in kinds("claude"):
        session.tell(kind, RED, "ZeroDivisionError: division by zero", 1)
    assert not [*(session.folder / ".git").rglob("vectors")]
    ok(session.folder, "search", "a slow clock somewhere here")
    assert [*(session.folder / ".git").rglob("vectors")]
