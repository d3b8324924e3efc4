"""Programs that a repository's own git settings name: no question starts them.

A clone brings no settings, but a copied folder does. Another setting is one line in ``SETTINGS``,
another question one line in ``QUESTIONS``.
"""

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.git import command as git_command
from gitmem.git.command import git
from tests.depth import sampled
from tests.e2e.assistants import piped, said, talk
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Built, Checkout

pytestmark = [pytest.mark.usefixtures("sealed_git"), pytest.mark.timeout(300)]

# {0} is a program that leaves a trace and says its input again.
SETTINGS = {
    "core.fsmonitor": "{0}",
    "core.pager": "{0}",
    "core.editor": "{0}",
    "core.sshCommand": "{0}",
    "core.hooksPath": "{1}",
    "core.askPass": "{0}",
    "diff.external": "{0}",
    "diff.evil.command": "{0}",
    "diff.evil.textconv": "{0}",
    "diff.submodule": "diff",
    "filter.evil.clean": "{0}",
    "filter.evil.smudge": "{0}",
    "filter.more.process": "{0}",
    "filter.more.required": "true",
    "merge.evil.driver": "{0} %A",
    "gpg.program": "{0}",
    "log.showSignature": "true",
    "credential.helper": "!{0}",
    "pager.log": "{0}",
    "sequence.editor": "{0}",
    "alias.log": "!{0}",
    # A name with a = in it, of which a plain -c would take half for the value.
    "filter.a=b.clean": "{0}",
    # What begins as a program of the machine's.
    "filter.well.clean": "git-lfs clean; {0}",
    "filter.crypt.clean": "git-crypt clean --key-name=$({0})",
    "trailer.evil.command": "{0}",
    "trailer.evil.ifmissing": "add",
    "trailer.more.cmd": "{0}",
}
ATTRIBUTES = """\
*.py diff=evil filter=evil merge=evil
*.txt diff=evil filter=more
*.md filter=a=b
*.cfg filter=well
*.ini filter=crypt
"""
FILES = ("notes.txt", "README.md", "setup.cfg", "tox.ini")
# Those of a submodule, in which git would start another git.
OF_A_SUBMODULE = ("core.fsmonitor", "filter.evil.clean", "diff.evil.textconv", "diff.evil.command")
QUESTIONS = (
    ("search", "rate"),
    ("search", "--at", "HEAD~1", "rate"),
    ("hint", 'File "tax.py", line 2, in total\nNameError: name rate is not defined'),
    ("show", "{error}"),
    ("show", "--provenance", "{error}"),
    ("list",),
    ("list", "--all-branches"),
    ("log",),
    ("status",),
    ("check",),
    ("runs", "attempts"),
    ("runs", "best-attempt"),
    ("runs",),
    ("context",),
    ("context", "--focus", "tax.py"),
    ("advise", "--file", "tax.py"),
    ("review",),
    ("diff", "HEAD~1..HEAD"),
    ("why", "tax.py:2"),
    ("why", "--by-line", "tax.py"),
    ("check", "stale"),
    ("check", "anchors"),
    ("code", "profile"),
    ("code", "extract", "tax.py"),
    ("code", "extract", "HEAD~1..HEAD"),
    ("review", "describe", "HEAD~1..HEAD"),
    ("code", "graph"),
    ("stats",),
    ("import", "git", "--dry-run"),
    ("drafts",),
)


def remember(repo: "Checkout") -> None:
    """Commit code and a record of it, and watch a run."""
    ok(repo, "init")
    repo.add("tax.py", "def total(prices):\n    return sum(prices) / rate\n")
    for name in FILES:
        repo.add(name, "rate\n")
    repo.add(".gitattributes", ATTRIBUTES)
    repo.add("sub/tax.py", "rate = 1\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "rates"]):
        repo.git("-C", "sub", *command)
    repo.commit("first")
    repo.add("tax.py", "# by the year\ndef total(prices):\n    return sum(prices) / rate\n")
    repo.commit("fix: say by what")
    ok(repo, "add", "error", "--message", "name rate is not defined", "--type", "NameError",
       "--location", "tax.py:3", "--anchor", "tax.py:2-3")  # fmt: skip
    repo.add("sub/tax.py", "rate = 2\n")
    repo.git("-C", "sub", "commit", "-qam", "other rates")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "remember it")
    assert run(repo, "run", "--", "python3", "-c", "raise SystemExit('tax.py:2: error: x')").code


@pytest.fixture
def copied(repo: "Checkout", built: "Built", tmp_path: "Path") -> "tuple[Checkout, Path, str]":
    """Give a repository with such settings, the file that says what was started, an error."""
    (record,) = built(repo, remember).glob(".memory/errors/*/*/*.yaml")
    error = record.stem[-14:]
    trace, program, hooks = tmp_path / "trace", tmp_path / "program", tmp_path / "hooks"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {trace}\ncat\n')
    program.chmod(0o755)
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "pre-commit", "post-checkout"):
        (hooks / name).write_text(program.read_text())
        (hooks / name).chmod(0o755)
    for name, value in SETTINGS.items():
        repo.git("config", name, value.format(program, hooks))
    for name in OF_A_SUBMODULE:
        repo.git("-C", "sub", "config", name, SETTINGS[name].format(program, hooks))
    (repo / "sub/.git/info/attributes").write_text(ATTRIBUTES)
    (repo / "sub/tax.py").write_text("rate = 12\n")
    # Edited, and of another size: whoever compares contents would run a filter.
    (repo / "tax.py").write_text("def total(prices):\n    return 2 * sum(prices) / rate\n")
    (repo / "notes.txt").write_text("rates\n")
    for name in FILES[1:]:  # of the same size: git can't tell by that alone
        (repo / name).write_text("cost\n")
    trace.unlink(missing_ok=True)
    return repo, trace, error


@sampled(8)
@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_no_question_starts_a_program_of_the_repositorys(
    copied: "tuple[Checkout, Path, str]", question: tuple[str, ...]
) -> None:
    repo, trace, error = copied
    answer = run(repo, *(word.format(error=error) for word in question))
    assert answer.out + answer.err
    assert "No such option" not in answer.err
    assert not trace.exists(), trace.read_text()


def test_no_question_of_an_assistant_does(copied: "tuple[Checkout, Path, str]") -> None:
    repo, trace, _ = copied

    async def conversation() -> None:
        async with piped(repo) as client:
            assert await said(client, "gitmem_search", query="rate")
            assert await said(client, "gitmem_hint", text="NameError: name rate is not defined")
            assert await said(client, "gitmem_context", focus="tax.py")
            assert await said(client, "coding_get_project_context")

    talk(conversation)
    assert not trace.exists(), trace.read_text()


# What questions ask git, now or some day; the test runs each where its files were edited.
ASKED_OF_GIT = (
    ("diff", "HEAD"), ("diff", "--stat", "HEAD", "--", *FILES, "sub"), ("diff-files", "-p"),
    ("diff-index", "-p", "HEAD"), ("status", "--porcelain=v2"), ("add", "-A", "-n"),
    ("add", "--refresh", "."), ("log", "-p", "-1"), ("show", "HEAD"), ("grep", "rate"),
    ("diff", "HEAD~1", "HEAD"), ("hash-object", "setup.cfg"), *(("blame", name) for name in FILES),
)  # fmt: skip


@pytest.mark.parametrize("arguments", ASKED_OF_GIT, ids=" ".join)
def test_git_starts_none_whatever_it_is_asked(
    copied: "tuple[Checkout, Path, str]", tmp_path: "Path", arguments: tuple[str, ...]
) -> None:
    repo, trace, _ = copied
    index = tmp_path / "index"
    index.write_bytes((repo / ".git/index").read_bytes())
    git(str(repo), *arguments, index=str(index), ok=(0, 1))
    assert not trace.exists(), trace.read_text()


# How a partial clone would get what it lacks.
REMOTES = (
    {"url": "{0}", "uploadpack": "{0}"},
    {"url": "ext::{0} x"},
    {"url": "ssh://localhost/x"},
)


@pytest.mark.parametrize("remote", REMOTES, ids=str)
def test_an_older_git_starts_none_for_what_a_partial_clone_lacks(
    copied: "tuple[Checkout, Path, str]", monkeypatch: pytest.MonkeyPatch, remote: dict[str, str]
) -> None:
    repo, trace, _ = copied
    monkeypatch.delitem(git_command._FIXED, "GIT_NO_LAZY_FETCH")
    blob = repo.git("rev-parse", "HEAD:tax.py").strip()
    repo.git("config", "core.repositoryFormatVersion", "1")
    settings = {"extensions.partialClone": "origin", "remote.origin.promisor": "true",
                "protocol.ext.allow": "always"}  # fmt: skip
    settings |= {f"remote.origin.{name}": value for name, value in remote.items()}
    for name, value in settings.items():
        repo.git("config", name, value.format(trace.with_name("program")))
    (repo / ".git/objects" / blob[:2] / blob[2:]).unlink()
    trace.unlink(missing_ok=True)
    # Git may be killed by the pipe of the process that was refused to it.
    assert git(str(repo), "cat-file", "-p", blob, ok=(128, -signal.SIGPIPE)) == b""
    assert not trace.exists(), trace.read_text()


def test_no_hook_starts_what_makes_trailers(copied: "tuple[Checkout, Path, str]") -> None:
    repo, trace, error = copied
    ok(repo, "resolve", error, "said the rate")
    repo.git("-c", "core.fsmonitor=false", "add", ".memory")
    trace.unlink(missing_ok=True)
    message = repo / ".git/MESSAGE"
    message.write_text("say the rate\n")
    ok(repo, "hooks", "run", "commit-msg", str(message))
    assert "\nMemory: fix-" in message.read_text()
    assert not trace.exists(), trace.read_text()


def test_the_settings_would_start_it(copied: "tuple[Checkout, Path, str]") -> None:
    repo, trace, _ = copied
    subprocess.run(["git", "diff"], cwd=repo, capture_output=True, check=False)
    assert trace.exists()


@pytest.mark.parametrize("line", ["[core] worktree = {}", '[CORE]\n\tworkTree = "{}" ; x'])
def test_a_work_tree_outside_is_refused_whatever_way_it_is_written(
    repo: "Checkout", tmp_path: "Path", line: str
) -> None:
    """A draft had a line of the file outside, and git's objects here held all of it."""
    outside = tmp_path / "out"
    outside.mkdir()
    (outside / "s.txt").write_text("private\n")
    ok(repo, "init")
    ok(repo, "config", "capture.mode", "draft", "--user")
    repo.commit()
    with (repo / ".git" / "config").open("a") as config:
        config.write(line.format(outside) + "\n")
    read = f"open({str(outside / 's.txt')!r}).read()"
    looks = f"import sys; sys.exit('gone' if 'ok' not in {read} else 0)"
    run(repo, "run", "--", sys.executable, "-c", looks)
    (outside / "s.txt").write_text("private\nok\n")
    run(repo, "run", "--", sys.executable, "-c", looks)
    assert not run(repo, "drafts").out
    objects = repo.git("--work-tree=.", "cat-file", "--batch-all-objects", "--batch")
    assert "private" not in objects
    assert "elsewhere (core.worktree)" in run(repo, "review").err


@pytest.mark.parametrize("brought", ["blame.ignoreRevsFile", "shallow", "info/grafts"])
def test_what_git_complains_of_is_not_quoted(
    repo: "Checkout", tmp_path: "Path", brought: str
) -> None:
    """``why`` and other questions said a line of a file to which a setting or a link led."""
    private = tmp_path / "private.txt"
    private.write_text("kept-to-myself\n")
    ok(repo, "init")
    repo.add("code.py", "x = 1\n")
    repo.commit()
    if "." in brought:
        repo.git("config", brought, str(private))
    else:
        (repo / ".git" / brought).parent.mkdir(exist_ok=True)
        (repo / ".git" / brought).symlink_to(private)
    for words in (("why", "code.py:1"), ("review",), ("check",), ("log",), ("status",)):
        done = run(repo, *words)
        assert "kept-to-myself" not in done.out + done.err, words
