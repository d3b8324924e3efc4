"""Texts of files as a tree has them, read from one process of git."""

import os
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

import gitmem.git.objects as module
from gitmem.capture.worktree import WorkTree
from gitmem.git.command import start
from gitmem.git.git_dirs import GitDirs, find
from gitmem.git.objects import Objects

if TYPE_CHECKING:
    import subprocess

    from tests.conftest import Checkout

NAMES = [
    "a",
    "a b",
    "a b missing",
    "line\nbreak",
    ":(top)x",
    "-dash",
    "ünï🙂",
    os.fsdecode(b"\xff"),
]


def dirs_of(repo: "Checkout") -> GitDirs:
    dirs = find(str(repo))
    assert dirs
    return dirs


def test_texts_of_names_as_odd_as_they_come(repo: "Checkout") -> None:
    for name in NAMES:
        repo.add(name, f"text of {name!a}\n")
    repo.commit()
    with closing(Objects(dirs_of(repo))) as objects:
        texts = {name: objects.text("HEAD", name) for name in NAMES}
        gone = [objects.text("HEAD", f"{name}.gone") for name in NAMES]
    assert texts == {name: f"text of {name!a}\n" for name in NAMES}
    assert gone == [None] * len(NAMES)


def test_what_is_no_text_or_too_long_is_none_and_does_not_hurt_the_next(repo: "Checkout") -> None:
    repo.add("binary", b"\0\1")
    repo.add("long", "x" * 5_000_000)
    repo.add("empty", "")
    repo.add("folder/a", "1\n")
    repo.commit()
    with closing(Objects(dirs_of(repo))) as objects:
        texts = [objects.text("HEAD", name) for name in ("binary", "long", "empty", "folder")]
        assert texts == [None, None, "", ""]
        assert objects.text("HEAD", "folder/a") == "1\n"
        assert objects.text("no such tree", "folder/a") is None


def test_what_is_learnt_together_is_read_in_one_process(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        repo.add(name, "text\n")
    repo.commit()
    started: list[subprocess.Popen[bytes]] = []

    def counting(root: str, *arguments: str, **rest: Any) -> "subprocess.Popen[bytes]":
        started.append(start(root, *arguments, **rest))
        return started[-1]

    monkeypatch.setattr(module, "start", counting)
    work_tree = WorkTree(dirs_of(repo), ".memory", lambda: "")
    with work_tree.reading():
        for name in NAMES:
            assert work_tree.text("HEAD", "", name) == "text\n"
            assert not work_tree.is_new("HEAD", name)
    assert len(started) == 1
    assert work_tree.text("HEAD", "", "a") == "text\n"
    assert [process.returncode for process in started] == [0, 0]
