"""Settings, export and import, sessions and completion, from start to end."""

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.running import COMMAND, Result, environment, ok, run
from tests.e2e.samples import DECISION, ERROR, FILES, FIX, NOTE, lay, record
from tests.pixel import PIXEL

if TYPE_CHECKING:
    from tests.conftest import Checkout

# config


def test_team_settings_keep_comments_and_order(memory: "Checkout") -> None:
    before = "# ours\nformat: 1\n\nsettings:\n  # few hits\n  search.limit: 3 # for now\n  # end\n"
    marker = lay(memory, "gitmem.yaml", before)
    assert ok(memory, "config", "search.limit") == "3\n"
    ok(memory, "config", "session.max_hours", "8", "--team")
    text = marker.read_text()
    assert all(f"# {word}" in text for word in ("ours", "few hits", "end"))
    assert ok(memory, "config", "session.max_hours") == "8.0\n"
    ok(memory, "config", "session.max_hours", "--team", "--unset")
    assert marker.read_text() == before
    ok(memory, "config", "search.limit", "--team", "--unset")
    assert ok(memory, "config", "search.limit") == "10\n"
    assert run(memory, "check").code == 0


def test_user_settings_are_beaten_by_the_teams_and_the_environment(memory: "Checkout") -> None:
    home = memory.parent / "cfg"
    env = {"XDG_CONFIG_HOME": str(home)}
    ok(memory, "config", "--user", "search.limit", "4", **env)
    ok(memory, "config", "--user", "author.name", 'Grace: "Hopper" #1', **env)
    file = home / "gitmem" / "config.yaml"
    file.write_text("# mine\n" + file.read_text())
    made = json.loads(ok(memory, "config", "--json", **env))
    origins = {one["key"]: (one["value"], one["origin"]) for one in made["settings"]}
    assert made["format"] == 1
    assert origins["search.limit"] == (4, "user")
    assert origins["author.name"] == ('Grace: "Hopper" #1', "user")
    ok(memory, "config", "--team", "search.limit", "5", **env)
    assert ok(memory, "config", "search.limit", **env) == "5\n"
    assert ok(memory, "config", "search.limit", GITMEM_SEARCH_LIMIT="6", **env) == "6\n"
    ok(memory, "config", "--user", "--unset", "search.limit", **env)
    assert file.read_text().startswith("# mine\n")
    assert "search.limit" not in file.read_text()


def test_personal_settings_can_not_come_with_a_clone(memory: "Checkout") -> None:
    lay(memory, "gitmem.yaml", "format: 1\nsettings:\n  author.name: Mallory\n  actor: tool:x\n")
    made = ok(memory, "add", "note", "--title", "mine").split()[0]
    assert "Ada Lovelace" in ok(memory, "show", made)
    assert run(memory, "config", "--team", "author.name", "Mallory").code == 2


# export and import


def test_export_wipe_import_export_is_byte_identical(memory: "Checkout") -> None:
    odd = "mood: sunny\nnested:\n  a: [1, {b: null}]\n  'on': 'no'\n"
    odd += 'wide: "\\u00e9 \\U0001f600 \\x85"\n'
    lay(
        memory,
        "notes/2026/01/note-00000000dd.yaml",
        record("note", "note-00000000dd", "Odd", 6, odd),
    )
    newer = record("note", "note-0000000new", "New", 7, "hologram: 1.50\n")
    newer = newer.replace("schema: 1", "schema: 4")
    lay(memory, "notes/2026/01/note-0000000new.yaml", newer)
    shot = memory.add("shot.png", PIXEL)
    ok(memory, "add", "error", "--message", "see", "--attach", str(shot))
    ok(memory, "session", "start", "archive it all")
    ok(memory, "session", "end", "--success")
    assert run(memory, "backup", "export").err == ""
    first = ok(memory, "backup", "export")
    assert first == ok(memory, "backup", "export"), "the same memory gives the same bytes"
    shutil.rmtree(memory / ".memory")
    ok(memory, "init")
    archive = memory.parent / "archive.json"
    archive.write_text(first)
    dry = run(memory, "import", str(archive), "--dry-run")
    assert "would be imported" in dry.err
    assert ok(memory, "list") == ""
    ok(memory, "import", str(archive))
    assert ok(memory, "backup", "export") == first
    ok(memory, "backup", "export", str(memory.parent / "again.json"))
    assert (memory.parent / "again.json").read_text() == first
    assert run(memory, "check").code == 0
    assert "hologram" in ok(memory, "show", "note-0000000new")


def test_export_names_what_it_leaves_out_and_fails(memory: "Checkout") -> None:
    lay(memory, "notes/2026/01/note-0000000bad.yaml", "half: [")
    done = run(memory, "backup", "export")
    assert done.code == 1
    assert "notes/2026/01/note-0000000bad.yaml" in done.err
    assert len(json.loads(done.out)["records"]) == len(FILES)


# sessions


def sessions(repo: "Checkout", **env: str) -> list[str]:
    made: dict[str, Any] = json.loads(ok(repo, "session", "list", "--json", **env))
    assert made["format"] == 1
    return [one["goal"] for one in made["live"]]


def test_a_session_from_start_to_end(memory: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.delenv(name)  # older commits would be taken for somebody else's
    memory.add("src/clock.py", "old\n")
    memory.commit()
    started = json.loads(
        ok(memory, "session", "start", "mend the", "clock", "--tag", "time", "--json")
    )
    session_id = started["session"]["id"]
    assert started["session"]["goal"] == "mend the clock"
    error = ok(memory, "add", "error", "--message", "clock is late").split()[0]
    memory.add("src/clock.py", "new\nlines\n")
    memory.commit("mended")
    memory.add("src/more.py", "x\n")
    ok(
        memory,
        "session",
        "log",
        "change",
        "src/clock.py",
        "--reason",
        "it was late",
        "--lines",
        "1-2",
    )
    ok(memory, "session", "log", "test", "--failed", "2", "--passed", "1", "--command", "pytest")
    ok(memory, "session", "log", "test", "--result", "passed", "--command", "pytest")
    ok(memory, "session", "log", "note", "staging is 5 minutes ahead", "--record", error)
    fix = ok(memory, "resolve", error, "wind it up").split()[0]
    status = ok(memory, "session", "status")
    assert "src/clock.py" in status
    assert "src/more.py" in status
    assert session_id in ok(memory, "session", "show", session_id)
    ended = ok(
        memory, "session", "end", "--success", "--approach", "small steps", "--tool", "pytest"
    )
    for told in ("mend the clock", "It succeeded", "src/clock.py", "it was late", "src/more.py",
                 error, fix, "2 runs", "staging is 5 minutes"):  # fmt: skip
        assert told in ended, ended
    made = json.loads(ok(memory, "show", session_id, "--json"))["record"]
    assert made["success"] is True
    assert {change["path"] for change in made["changes"]} == {"src/clock.py", "src/more.py"}
    assert len(made["test_runs"]) == 2
    assert made["tags"] == ["time"]
    for record_id in (error, fix):
        assert (
            json.loads(ok(memory, "show", record_id, "--json"))["record"]["session"] == session_id
        )
    assert error in ok(memory, "list", f"session:{session_id}")
    assert session_id in ok(memory, "session", "list")
    assert "no session is live" in ok(memory, "session", "status")
    assert run(memory, "check").code == 0


def test_sessions_of_two_actors_and_two_work_trees_do_not_mix(memory: "Checkout") -> None:
    memory.commit()
    memory.git("worktree", "add", "-q", "../other")
    other = type(memory)(memory.parent / "other")
    agent = {"GITMEM_ACTOR": "agent:coder"}
    mine = ok(memory, "session", "start", "mine").split()[0]
    theirs = ok(memory, "session", "start", "the agent's", **agent).split()[0]
    there = ok(other, "session", "start", "elsewhere").split()[0]
    assert sessions(memory) == ["mine"]
    assert sessions(memory, **agent) == ["the agent's"]
    assert sessions(other) == ["elsewhere"]
    assert {mine, theirs, there} <= set(ok(memory, "session", "list", "--all").split())
    note = ok(memory, "add", "note", "--title", "by the agent", **agent).split()[0]
    assert json.loads(ok(memory, "show", note, "--json"))["record"]["session"] == theirs
    named = ok(memory, "add", "note", "--title", "named", GITMEM_SESSION=there).split()[0]
    assert json.loads(ok(memory, "show", named, "--json"))["record"]["session"] == there
    assert theirs in ok(memory, "session", "end", **agent)
    assert sessions(memory) == ["mine"]
    assert mine in ok(memory, "session", "abandon")
    assert there in ok(memory, "session", "resume", there)
    assert there in ok(memory, "session", "end")
    assert sessions(other) == []
    assert f"session: {theirs}" in ok(memory, "show", note)


# completion

_COMPLETE = """
eval "$("$1" completion bash)"
PATH="$(dirname "$1"):$PATH"
COMP_WORDS=({words}); COMP_CWORD={at}; COMPREPLY=()
_gitmem_completion gitmem
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completed(repo: "Checkout", *words: str) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in ("gitmem", *words))
    done = subprocess.run(
        ["bash", "-c", _COMPLETE.format(words=quoted, at=len(words)), "bash", COMMAND],
        cwd=repo, capture_output=True, text=True, check=False, env=environment(),
    )  # fmt: skip
    assert done.stderr == "", done
    return done.stdout.split()


def test_bash_completes_commands_kinds_flags_and_ids(memory: "Checkout") -> None:
    assert completed(memory, "sea") == ["search"]
    assert completed(memory, "add", "de") == ["decision"]
    assert "--json" in completed(memory, "list", "--")
    assert completed(memory, "show", "err") == [ERROR]
    assert completed(memory, "show", "fix-") == [FIX]
    assert DECISION in completed(memory, "edit", "supersede", "")
    assert completed(memory, "forget", "note-00") == [NOTE]
    assert completed(memory, "show", "zzz") == []
    assert completed(memory.parent, "show", "err") == [], "no memory, no fault"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_valid(memory: "Checkout", shell: str) -> None:
    script = ok(memory.parent, "completion", shell)
    assert "_GITMEM_COMPLETE" in script
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not on this machine, so its syntax can't be checked")
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
    assert Result(done.returncode, "", done.stderr) == (0, "", "")


# what users say of an answer, and what this repository knows


def test_a_record_that_helped_comes_first_the_next_time(repo: "Checkout") -> None:
    ok(repo, "init")
    text = "ConfigError: the port of the broker is no number"
    one, other = (
        ok(repo, "add", "error", "--type", "ConfigError", "--title", f"broker port no number {n}")
        .split()[0]
        for n in ("first", "second")
    )  # fmt: skip
    before = [
        line.split()[0] for line in ok(repo, "search", "broker port number").splitlines()[::3]
    ]
    assert sorted(before) == sorted([one, other])
    behind = before[1]
    ok(repo, "helpful", behind, "--for", text)
    ok(repo, "helpful", "--not", before[0])
    after = ok(repo, "search", "--why", "broker port number")
    assert after.split()[0] == behind
    assert "helpful 0." in after
    assert "unhelpful -0." in after
