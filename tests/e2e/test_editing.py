"""Looking at and editing what is recorded or waits: ``show``, ``edit``, ``edit supersede``."""

import stat
import sys
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import INVALID, NOT_FOUND, USAGE, complains, ok, run, untouched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")


@pytest.fixture
def decision(repo: "Checkout") -> str:
    """Give the id of a decision that governs a folder."""
    ok(repo, "init")
    flags = (
        "--title",
        "Use UTC",
        "--rationale",
        "one clock",
        "--governs",
        "src/**",
        "--tag",
        "time",
    )
    return ok(repo, "add", "decision", *flags).split()[0]


@pytest.fixture
def draft(repo: "Checkout") -> str:
    """Give the id of a draft of a watched failure and its fix."""
    ok(repo, "init")
    ok(repo, "config", "capture.mode", "draft", "--team")
    repo.add("a.py", "1 / 0\n")
    repo.commit("a bug")
    command = ("run", "--", sys.executable, "a.py")
    assert run(repo, *command).code == 1
    repo.add("a.py", "print(1)\n")
    assert run(repo, *command).code == 0
    return ok(repo, "drafts").split()[0]


def editor(folder: "Path", script: str) -> str:
    """Make an editor that does to a file what a line of sed says."""
    program = folder / "editor.sh"
    program.write_text(f'#!/bin/sh\nexec sed -i "{script}" "$1"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def test_a_record_is_edited_in_the_editor(
    repo: "Checkout", decision: str, tmp_path: "Path"
) -> None:
    ok(repo, "edit", decision[:6], EDITOR=editor(tmp_path, "s/one clock/one clock for all/"))
    assert "one clock for all" in ok(repo, "show", decision)
    assert "nothing wrong" in run(repo, "check").err


def test_a_comment_in_a_record_stays(repo: "Checkout", decision: str, tmp_path: "Path") -> None:
    ok(repo, "edit", decision, EDITOR=editor(tmp_path, "1i # mine"))
    assert ok(repo, "show", decision, "--yaml").startswith("# mine\n")


@pytest.mark.parametrize(
    ("script", "word"),
    [("s/^id: .*/id: dec-0000000000/", "id differs"), ("s/^title:.*/titel: x/", "title"),
     ("s/^rationale: /rationale: [/", "line")],
)  # fmt: skip
def test_a_wrong_edit_changes_nothing(
    repo: "Checkout", decision: str, tmp_path: "Path", script: str, word: str
) -> None:
    with untouched(repo):
        done = run(repo, "edit", decision, env={"EDITOR": editor(tmp_path, script)})
    complains(done, INVALID, word, "your text is kept in")


def test_a_record_that_was_left_as_it_was_is_not_written(repo: "Checkout", decision: str) -> None:
    with untouched(repo):
        complains(run(repo, "edit", decision, env={"EDITOR": "true"}), USAGE, "is unchanged")


def test_a_secret_does_not_get_into_a_record(repo: "Checkout", decision: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    text = ok(repo, "show", decision, "--yaml").replace("one clock", f"token {secret}")
    ok(repo, "edit", decision, "--from", "-", stdin=text)
    assert secret not in ok(repo, "show", decision, "--yaml")


def test_show_and_edit_know_drafts(repo: "Checkout", draft: str, tmp_path: "Path") -> None:
    shown = ok(repo, "show", draft)
    assert "ZeroDivisionError" in shown
    assert ok(repo, "drafts", "show", draft[:3]) == shown
    done = run(
        repo, "edit", draft, env={"EDITOR": editor(tmp_path, "s/^  title: .*/  title: by zero/")}
    )
    assert f"gitmem drafts keep {draft}" in done.err
    assert "title: by zero" in ok(repo, "show", draft)
    error = ok(repo, "drafts", "keep", draft).split()[0]
    assert "by zero" in ok(repo, "show", error)


def test_what_is_neither_record_nor_draft_is_not_found(repo: "Checkout", draft: str) -> None:
    complains(run(repo, "show", "zzz"), NOT_FOUND, "zzz")
    complains(run(repo, "edit", draft[::-1] + "0"), NOT_FOUND)


def test_a_new_decision_governs_what_the_old_one_did(repo: "Checkout", decision: str) -> None:
    new = ok(repo, "edit", "supersede", decision, "--title", "Use TAI").split()[0]
    listed = ok(repo, "list", "kind:decision", "path:src/clock.py", "status:accepted", "tag:time")
    assert listed.split()[0] == new
    other = ok(
        repo, "edit", "supersede", new, "--title", "Use GPS time", "--governs", "lib/**"
    ).split()[0]
    assert other not in ok(repo, "list", "path:src/clock.py")
    assert other in ok(repo, "list", "path:lib/clock.py")


def test_a_run_of_a_mistyped_command_is_dismissed(repo: "Checkout") -> None:
    ok(repo, "init")
    assert run(repo, "run", "--", sys.executable, "no_such_file.py").code
    repo.add("a.py", "1 / 0\n")
    assert run(repo, "run", "--", sys.executable, "a.py").code == 1
    listed = run(repo, "runs", "attempts")
    assert "gitmem undo RUN" in listed.err
    failed = ok(repo, "runs", "--failed").splitlines()
    (mistyped,) = [line.split()[0] for line in failed if "no_such_file" in line]
    ok(repo, "undo", mistyped)
    assert "no_such_file" not in ok(repo, "runs", "attempts")
    assert "ZeroDivisionError" in ok(repo, "runs", "attempts")
