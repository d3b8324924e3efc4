"""What was tried, what came back, saved logs, fingerprints explained, drafts edited, shells."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from tests.e2e.running import (
    INVALID,
    NOT_FOUND,
    USAGE,
    Result,
    complains,
    environment,
    in_process,
    ok,
    run,
    untouched,
)

if TYPE_CHECKING:
    from tests.conftest import Checkout

PYTHON = sys.executable
BROKEN = "def total(prices):\n    return sum(prices) / prices['count']\n\n\nprint(total([1, 2]))\n"
WRONG = BROKEN.replace("prices['count']", "prices['length']")
RIGHT = BROKEN.replace("prices['count']", "len(prices)")
OTHER = "raise SystemError('the moon is full')\n"
LOG = """\
collecting
Traceback (most recent call last):
  File "shop/cart.py", line 8, in <module>
    main()
  File "shop/cart.py", line 5, in main
    return prices["total"]
KeyError: 'total'
"""


@pytest.fixture
def shop(memory: "Checkout") -> "Checkout":
    """Give a repository whose only program fails."""
    memory.add("app.py", BROKEN)
    memory.commit()
    return memory


def observe(repo: "Checkout", code: str | None = None, *command: str) -> Result:
    """Change the program, and run a command under observation."""
    if code is not None:
        repo.add("app.py", code)
    return run(repo, "run", "--", *(command or (PYTHON, "app.py")))


def asked(repo: Path, *words: str) -> dict[str, Any]:
    """Ask for JSON."""
    with contextlib.chdir(repo):
        made: dict[str, Any] = json.loads(in_process(repo, *words, "--json").out)
    assert made["format"] == 1
    assert made["command"] in words[:2]
    return made


def ids(repo: Path, kind: str) -> set[str]:
    """Give the ids of all records of a kind."""
    return {row["id"] for row in asked(repo, "list", f"kind:{kind}")["records"]}


# attempts


def test_attempts_tell_what_was_tried_and_whether_it_was_taken_back(shop: "Checkout") -> None:
    observe(shop)
    observe(shop, BROKEN + "# a\n# b\n")
    observe(shop, BROKEN.replace("sum(prices)", "sum(prices, 0)"))
    (one,) = asked(shop, "runs", "attempts")["failures"]
    assert one["runs"] == 3
    assert [edit["state"] for edit in one["edits"]] == ["taken back", "still there"]
    assert "`# a` / `# b`" in one["edits"][0]["what"]
    with untouched(shop):
        told = ok(shop, "runs", "attempts")
    assert re.search(r"\d\d:\d\d  taken back   app.py: add `# a` / `# b`", told)
    # Taken back now, without another run: that counts, too.
    shop.add("app.py", BROKEN)
    (one,) = asked(shop, "runs", "attempts")["failures"]
    assert [edit["state"] for edit in one["edits"]] == ["taken back", "taken back"]


def test_attempts_show_the_fixes_that_the_memory_knows(shop: "Checkout") -> None:
    observe(shop)
    observe(shop, RIGHT)
    assert len(ids(shop, "fix")) == 2
    observe(shop, BROKEN)
    told = ok(shop, "runs", "attempts")
    assert "no edits since it began to fail" in told
    assert re.search(r"worked +app.py: replace `.*count.*` by `.*len", told)


def test_attempts_of_an_error_are_numbered(memory: "Checkout") -> None:
    error = ok(memory, "add", "error", "--type", "OddError", "--message", "odd").split()[0]
    ok(memory, "resolve", error, "wait", "--outcome", "failed")
    ok(memory, "resolve", error, "count again")
    first, second = ok(memory, "runs", "attempts", error).splitlines()
    assert first.startswith("  1. failed      wait  fix-")
    assert second.startswith("  2. worked      count again  fix-")
    assert [one["status"] for one in asked(memory, "runs", "attempts", error)["attempts"]] == [
        "failed",
        "worked",
    ]
    complains(run(memory, "runs", "attempts", "err-zzz"), NOT_FOUND, "err-zzz")
    complains(run(memory, "runs", "attempts", error, "--record"), USAGE)


def test_attempts_without_a_live_failure_say_so(shop: "Checkout") -> None:
    assert run(shop, "runs", "attempts").notes
    observe(shop, RIGHT)
    assert asked(shop, "runs", "attempts")["failures"] == []
    assert asked(shop, "runs", "attempts", "--record")["written"] == []


def test_written_attempts_warn_and_are_not_written_twice(shop: "Checkout") -> None:
    before = ids(shop, "error"), ids(shop, "fix")
    observe(shop)
    observe(shop, WRONG)
    observe(shop, BROKEN)
    (one,) = asked(shop, "runs", "attempts")["failures"]
    assert [edit["state"] for edit in one["edits"]] == ["taken back"]  # going back tries nothing
    written = asked(shop, "runs", "attempts", "--record")["written"]
    errors, fixes = ids(shop, "error") - before[0], ids(shop, "fix") - before[1]
    assert (len(errors), len(fixes)) == (1, 1)
    assert set(written) == errors | fixes
    (error,) = errors
    assert error in ok(shop, "show", *fixes)
    assert ok(shop, "runs", "attempts", "--record") == ""
    # The same edit again: the next run warns, and solving it writes that attempt not again.
    assert "already tried this" in observe(shop, WRONG).err
    assert "gitmem: learnt" in observe(shop, RIGHT).err
    assert ids(shop, "error") - before[0] == errors
    with Memory.open(str(shop)) as memory:
        rows = memory.failures.attempts_of(error)
    assert [row.stated for row in rows].count("worked") == 1
    assert sum("by `return sum(prices) / prices['length']`" in row.title for row in rows) == 1


def test_edits_of_another_branch_are_nobodys_attempt(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "other")
    shop.add("app.py", "# theirs\n# and more\n" + BROKEN)
    shop.commit("theirs")
    shop.git("checkout", "-q", "-")
    observe(shop)
    shop.git("checkout", "-q", "other")
    observe(shop)
    shop.git("checkout", "-q", "-")
    observe(shop)
    (one,) = asked(shop, "runs", "attempts")["failures"]
    assert "taken back" not in {edit["state"] for edit in one["edits"]}
    assert asked(shop, "runs", "attempts", "--record")["written"] == []


# runs, regressions, best-attempt


SAID = {
    1: 'Name "total" is not defined  [name-defined]',
    2: "Missing return statement  [return]",
    3: "Incompatible types in assignment  [assignment]",
    4: "Need type annotation for variable  [var-annotated]",
}


def failing(repo: "Checkout", *numbers: int) -> None:
    """Let a program that is like a type checker complain of some lines."""
    repo.add("said.txt", "".join(f"src/a{n}.py:{n}: error: {SAID[n]}\n" for n in numbers))
    repo.add("mypy", f"#!/bin/sh\ncat said.txt\nexit {1 if numbers else 0}\n").chmod(0o755)
    run(repo, "run", "--", "./mypy")


def test_runs_regressions_and_the_best_attempt(shop: "Checkout") -> None:
    complains(run(shop, "runs", "regressions"), NOT_FOUND, "no command")
    complains(run(shop, "runs", "best-attempt"), NOT_FOUND, "no command")
    assert asked(shop, "runs")["runs"] == []
    failing(shop, 1, 2, 3)
    assert "no earlier run" in run(shop, "runs", "regressions").err
    failing(shop, 1)
    failing(shop, 1, 4)
    made = asked(shop, "runs", "regressions")
    (one,) = made["failures"]
    assert "Need type" in one["title"]
    assert not made["same_code"]
    assert "Need type" in ok(shop, "runs", "regressions")
    best = asked(shop, "runs", "best-attempt")
    assert (len(best["run"]["failures"]), best["of"], best["there"]) == (1, 3, True)
    told = ok(shop, "runs", "best-attempt")
    assert "1 failure" in told
    command = told.partition("what changed since: ")[2].strip()
    assert re.fullmatch(r"git diff [0-9a-f]{40} [0-9a-f]{40}", command)
    assert "+src/a4.py" in shop.git(*command.split()[1:])
    assert "dec-" not in shop.git(*command.split()[1:])  # the memory is no part of it
    failing(shop)
    assert asked(shop, "runs", "best-attempt")["run"]["green"]
    assert "the code is the same now" in ok(shop, "runs", "best-attempt")
    assert "no new failure" in run(shop, "runs", "regressions").err
    runs = asked(shop, "runs")["runs"]
    assert [len(one["failures"]) for one in runs] == [0, 2, 1, 3]
    assert len(asked(shop, "runs", "--failed")["runs"]) == 3
    assert [len(one["failures"]) for one in asked(shop, "runs", "--limit", "2")["runs"]] == [0, 2]
    assert len(ok(shop, "runs").splitlines()) == 4


def test_a_new_failure_on_the_same_code_is_said_to_be_flaky(shop: "Checkout") -> None:
    turn = shop.parent / "turn"
    shop.add("app.py", f"import os\nif os.path.exists({str(turn)!r}): {OTHER}")
    observe(shop)
    turn.write_text("")
    observe(shop)
    assert asked(shop, "runs", "regressions")["same_code"]
    assert "same code" in run(shop, "runs", "regressions").err


# capture


def test_a_saved_log_is_recorded_once(shop: "Checkout") -> None:
    log = shop.add("build.log", LOG + "token=ghp_" + "aB3dE5gH7jK9" * 3 + "\n" + LOG)
    told = ok(shop, "runs", "capture", "build.log")
    assert "gitmem: new  KeyError: 'total'" in told
    before = ids(shop, "error")
    made = asked(shop, "runs", "capture", "build.log", "--record", "--command", "make all")
    (error,) = made["written"]
    assert ids(shop, "error") - before == {error}
    text = ok(shop, "show", error)
    assert "KeyError" in text
    assert "make all" in text
    assert "ghp_" not in "".join(p.read_text() for p in Path(shop, ".memory").rglob("*.yaml"))
    again = run(shop, "runs", "capture", "build.log", "--record")
    assert "gitmem: known" in again.out
    assert any("nothing new" in one for one in again.notes)
    assert run(shop, "runs", "capture", "-", stdin=log.read_bytes()).out == again.out


def test_a_secret_in_a_message_does_not_make_it_new_each_time(shop: "Checkout") -> None:
    secret = "ghp_" + "aB3dE5gH7jK9" * 3
    shop.add("build.log", f"error: could not log in with token {secret}\n")
    (error,) = asked(shop, "runs", "capture", "build.log", "--record", "--guesses")["written"]
    assert secret not in ok(shop, "show", error)
    assert asked(shop, "runs", "capture", "build.log", "--record", "--guesses")["written"] == []


def test_guesses_are_recorded_only_when_asked_for(shop: "Checkout") -> None:
    shop.add("build.log", "ERROR: the moon is full\n" + LOG)
    first = run(shop, "runs", "capture", "build.log", "--record")
    assert "the moon is full" in first.out
    assert any("1 only look like failures" in one for one in first.notes)
    assert first.out.count("recorded as") == 1
    (error,) = asked(shop, "runs", "capture", "build.log", "--record", "--guesses")["written"]
    assert "the moon is full" in ok(shop, "show", error)


def test_a_log_that_can_not_be_read_is_named(shop: "Checkout") -> None:
    complains(run(shop, "runs", "capture", "nowhere.log"), USAGE, "nowhere.log")
    complains(run(shop, "runs", "capture", "."), USAGE)
    shop.add("empty.log", "")
    assert run(shop, "runs", "capture", "empty.log").notes == ["note: no failure in this log"]


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="memory of a child can't be measured here")
def test_a_large_log_is_read_in_bounded_memory(shop: "Checkout") -> None:
    log = shop / "large.log"
    line = "12:00:00 step compiled all right, nothing to be seen here, please go on\n"
    with log.open("w") as file:
        for _ in range(40):
            file.write(line * 14_000)
        file.write(LOG)
    script = (
        "import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    gitmem = shutil.which("gitmem", path=os.path.dirname(PYTHON)) or "gitmem"
    done = subprocess.run(
        [PYTHON, "-c", script, gitmem, "runs", "capture", "large.log"],
        cwd=shop, capture_output=True, text=True, check=True,
    )  # fmt: skip
    *_, peak = done.stdout.split()
    assert "KeyError" in done.stdout
    assert int(peak) < 120 * 1024, done  # KiB


# tools


def test_tools_are_listed_and_one_is_shown_whole(tmp_path: Path) -> None:
    told = ok(tmp_path, "tools")
    assert re.search(r"^pytest +python +built in +failures", told, re.MULTILINE)
    assert re.search(r"^vitest +javascript +built in +failures as jest", told, re.MULTILINE)
    told = ok(tmp_path, "tools", "mypy")
    assert "programs: mypy, dmypy" in told
    assert "counts: not read" in told
    assert "gcc" in ok(tmp_path, "tools", "clang++").splitlines()[1]
    by_name = {tool["name"]: tool for tool in asked(tmp_path, "tools")["tools"]}
    assert by_name["pytest"]["failures"] == ["pytest"]
    assert "counts" in asked(tmp_path, "tools", "mypy")["tool"]["missing"]
    refused = run(tmp_path, "tools", "mypi")
    complains(refused, NOT_FOUND)
    assert "did you mean mypy?" in refused.err


def test_an_output_is_tried_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "build.log").write_text(LOG)
    told = ok(tmp_path, "tools", "try", "build.log")
    assert re.search(r"2  python +failure 1: KeyError: 'total' \(shop/cart.py:5\)", told)
    assert re.search(r"3-7  python +belongs to line 2", told)
    assert told.splitlines()[-1] == "7 lines, 4 with a word of trouble, 1 failure"
    assert ok(tmp_path, "tools", "try", "-", stdin=LOG) == told
    command = ("tools", "try", "build.log", "--command", "python3 shop.py", "--json")
    tried = json.loads(ok(tmp_path, *command))
    assert [line["outcome"] for line in tried["lines"]] == ["read", "within", "within", "within"]
    assert tried["failures"][0]["error_type"] == "KeyError"
    told = ok(tmp_path, "tools", "try", "-", stdin="all is well\n")
    assert "nothing was found: no line holds a word of trouble" in told
    told = ok(tmp_path, "tools", "try", "-", stdin="reading 12 files, 0 errors so far\n")
    assert 'looked at, nothing read (jvm for "rror"' in told
    # What states a failure without a word of trouble is the only one.
    told = ok(tmp_path, "tools", "try", "-", stdin="read: 12 rows\ncheck: wrong sum of row 3\n")
    assert re.search(r"^ +2 +a guess, failure 1: check: wrong sum of row 3$", told, re.MULTILINE)
    complains(run(tmp_path, "tools", "try", "none.log"), USAGE)
    complains(run(tmp_path, "tools", "try"), USAGE)


# explain-fingerprint


def test_a_fingerprint_is_explained(shop: "Checkout") -> None:
    with untouched(shop):
        told = ok(shop, "explain-fingerprint", stdin=LOG)
        assert "type      KeyError" in told
        assert re.search(r"site +[0-9a-f]{16}  KeyError \| cart.py:<module> \| cart.py:main", told)
        assert "counts    message: 'total' (exact, site, message, template)" in told
        assert "own, counts as cart.py" in told
        text = "OSError: can't open /srv/data/x.csv at 0x7f3a2b"
        masked = asked(shop, "explain-fingerprint", text)["masked"]
    assert {"name": "address", "original": "at 0x7f3a2b", "mask": "<hex>"} in masked


def test_a_fingerprint_is_compared_with_a_record_and_with_a_file(shop: "Checkout") -> None:
    shop.add("build.log", LOG)
    (error,) = asked(shop, "runs", "capture", "build.log", "--record")["written"]
    moved = LOG.replace("line 5", "line 50").replace("'total'", "'sum'")
    for other in (error, "build.log"):
        told = ok(shop, "explain-fingerprint", "-", "--against", other, stdin=moved)
        assert "another error in the same place" in told
        assert "levels that agree: place" in told
        again = LOG.replace("line 5", "line 50")
        assert "the same error" in ok(shop, "explain-fingerprint", "-", other, stdin=again)
    made = asked(shop, "explain-fingerprint", "ValueError: what is this", "--against", error)
    assert made["comparison"]["level"] == ""
    assert any("type differs" in reason for reason in made["comparison"]["reasons"])
    told = ok(shop, "explain-fingerprint", "ValueError: x is 1", "--against", "ValueError: x is 2")
    assert "against" in told
    complains(run(shop, "explain-fingerprint", "x", "--against", "err-zzz"), NOT_FOUND)
    complains(run(shop, "explain-fingerprint"), USAGE)


def test_two_arguments_are_compared(shop: "Checkout") -> None:
    said = "error: no matching package named `{}` found"
    verdict = "not the same: `orders` and `stock` are names in the message"
    shop.add("a.log", said.format("orders"))
    shop.add("b.log", said.format("stock"))
    for two in (("a.log", "b.log"), ("a.log", said.format("stock")),
                (said.format("orders"), said.format("stock"))):  # fmt: skip
        told = ok(shop, "explain-fingerprint", *two)
        assert verdict in told
        assert "levels that agree: place, template, kind" in told
    assert "against" not in ok(shop, "explain-fingerprint", "KeyError:", "total"), "one text"
    made = asked(shop, "explain-fingerprint", "a.log", "b.log")
    assert verdict in made["comparison"]["reasons"]
    assert {"what": "name", "text": "orders", "levels": ["site", "message"]} in made["counts"]
    assert made["masked_for"] == ["the name `orders` counts at site, message"]


# drafts edit


def edit_with(shop: "Checkout", script: str) -> Result:
    """Edit the only draft with a script as the editor."""
    editor = shop.parent / "editor"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o755)
    with Memory.open(str(shop)) as memory:
        (draft,) = memory.failures.drafts.open()
    return run(shop, "drafts", "edit", draft.id, env={"EDITOR": str(editor)})


@pytest.fixture
def drafted(shop: "Checkout") -> "Checkout":
    """Give a repository with one draft."""
    ok(shop, "config", "--team", "capture.mode", "draft")
    observe(shop)
    observe(shop, RIGHT)
    return shop


def test_a_draft_is_edited_and_kept(drafted: "Checkout") -> None:
    done = edit_with(drafted, "sed -i 's/^- title:.*/- title: Divide by the length/' \"$1\"")
    assert done.code == 0, done
    assert "Divide by the length" in ok(drafted, "drafts")
    with Memory.open(str(drafted)) as memory:
        (draft,) = memory.failures.drafts.open()
    kept = ok(drafted, "drafts", "keep", draft.id)
    assert "Divide by the length" in ok(drafted, "show", kept.split()[-1])


def test_an_edit_that_does_not_validate_is_not_lost(drafted: "Checkout") -> None:
    before = ok(drafted, "drafts")
    done = edit_with(drafted, "sed -i 's/outcome: worked/outcome: splendid/' \"$1\"")
    complains(done, INVALID, "fix 1 of 1", "splendid", "kept in", "gitmem drafts edit")
    assert ok(drafted, "drafts") == before
    again = done.err.partition("go on with: gitmem ")[2].split()
    file = Path(again[-1])
    file.write_text(file.read_text().replace("splendid", "partial"))
    assert run(drafted, *again).code == 0
    assert "partial" in ok(drafted, "drafts")
    complains(edit_with(drafted, "true"), USAGE, "is unchanged")
    complains(edit_with(drafted, "echo 'fixes: 3' > \"$1\""), INVALID, "error must be a mapping")
    complains(edit_with(drafted, "exit 3"), USAGE, "exit code 3")
    complains(run(drafted, "drafts", "edit", "zzz"), NOT_FOUND)


# shell-init


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_snippet_is_accepted_by_its_shell(shop: "Checkout", shell: str) -> None:
    snippet = ok(shop, "shell-init", shell)
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    subprocess.run([program, "-n"], input=snippet.encode(), check=True)


def in_bash(folder: Path, *lines: str) -> Result:
    """Type lines into an interactive bash with our snippet."""
    snippet = folder.parent / "init.sh"
    snippet.write_text(ok(folder, "shell-init", "bash"))
    bash = shutil.which("bash")
    assert bash
    done = subprocess.run(
        [bash, "--norc", "--noprofile", "-i"],
        input="\n".join(("PS0='[zero]'; PROMPT_COMMAND='last=$?'", f". {snippet}", *lines, "")),
        cwd=folder, env=environment({"HISTFILE": None}), capture_output=True, text=True,
        check=False, timeout=30,
    )  # fmt: skip
    return Result(done.returncode, done.stdout, done.stderr)


OFFER = "gitmem: exit code"


def test_bash_offers_help_once_after_a_failure(shop: "Checkout") -> None:
    done = in_bash(shop, "true", "(exit 7)", "", "", 'echo "said $last"', "exit 0")
    assert re.findall(r"gitmem: exit code.*", done.err) == [
        "gitmem: exit code 7; what is known?  !! 2>&1 | gitmem hint"
    ]
    assert "[zero]" in done.out + done.err  # what was there before still works
    assert in_bash(shop, "mkdir -p a/b; cd a/b", "(exit 3)", "exit 0").err.count(OFFER) == 1
    twice = in_bash(shop, f". {shop.parent / 'init.sh'}", "(exit 3)", "(exit 4)", "exit 0").err
    assert twice.count(OFFER) == 2


def test_bash_is_silent_where_there_is_nothing_to_offer(shop: "Checkout") -> None:
    lines = ("(exit 130)", "gitmem nothing 2>&-", "cd /", "(exit 9)", "exit 0")
    assert OFFER not in in_bash(shop, *lines).err
    status = in_bash(shop, "(exit 7)", 'echo "said $?"', "set -u", "(exit 8)", "exit 0")
    assert "said 7" in status.out
    assert "unbound" not in status.err


def test_bash_starts_nothing_at_a_prompt_after_success(shop: "Checkout") -> None:
    traced = in_bash(shop, "set -x", "true", "exit 0").err
    after = traced.partition("+ true")[2]
    assert "_gitmem_prompt" in after
    assert "history" not in after
    assert re.search(r"\++ history", in_bash(shop, "set -x", "(exit 7)", "exit 0").err) or (
        "builtin history" in in_bash(shop, "set -x", "(exit 7)", "exit 0").err
    )
