"""Who writes: always an answer, never a machine's name."""

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import UsageError
from gitmem.git import identity as module
from gitmem.git.identity import identity, parse_actor
from gitmem.records.parts import Author
from tests.accounts import IS_ROOT

if TYPE_CHECKING:
    from tests.conftest import Checkout


def nobody(home: Path) -> None:
    (home / ".gitconfig").write_text("")


def test_git_settings_of_the_repository_go_before_the_users(repo: "Checkout") -> None:
    assert identity(str(repo)) == ("Ada Lovelace", "ada@example.com")
    assert identity(None) == ("Ada Lovelace", "ada@example.com")
    repo.git("config", "user.email", "ada@work.example")
    assert identity(str(repo)) == ("Ada Lovelace", "ada@work.example")
    repo.git("config", "author.name", "A. L.")
    assert identity(str(repo)) == ("A. L.", "ada@work.example")


def test_it_is_what_git_puts_on_a_commit(repo: "Checkout") -> None:
    repo.git("config", "user.name", "Zoë <b> Ünï")
    repo.commit()
    name, email = identity(str(repo))
    assert repo.git("log", "-1", "--format=%an|%ae") == "Zoë b Ünï|ada@example.com"
    assert (name, email) == ("Zoë b Ünï", "ada@example.com")


def test_settings_that_depend_on_the_folder(repo: "Checkout", sealed_git: Path) -> None:
    (sealed_git / "work").write_text("[user]\n  email = ada@work.example\n")
    with (sealed_git / ".gitconfig").open("a") as file:
        file.write(f'[includeIf "gitdir:{repo}/"]\n  path = {sealed_git}/work\n')
    assert identity(str(repo))[1] == "ada@work.example"
    assert identity(None)[1] == "ada@example.com"


def test_variables_go_first_and_then_git_is_not_started(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Grace")
    assert identity(str(repo)) == ("Grace", "ada@example.com")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "grace@example.com")
    monkeypatch.setattr(module, "_configured", lambda root: pytest.fail(f"git for {root}"))
    assert identity(str(repo)) == ("Grace", "grace@example.com")


def test_nobody_told_git_who_they_are(
    repo: "Checkout", sealed_git: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody(sealed_git)
    name, email = identity(str(repo))
    assert name
    assert email == ""
    assert socket.gethostname() not in name
    monkeypatch.setenv("EMAIL", "me@example.com")
    assert identity(str(repo)) == (name, "me@example.com")


def test_one_of_the_two_is_kept(repo: "Checkout", sealed_git: Path) -> None:
    (sealed_git / ".gitconfig").write_text("[user]\n  name = Only Name\n")
    assert identity(str(repo)) == ("Only Name", "")


def test_git_is_missing(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    name, email = identity(str(repo))
    assert name
    assert email == ""


def test_the_home_directory_does_not_exist(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    monkeypatch.setenv("HOME", str(repo / "no" / "home"))
    assert identity(str(repo))[0]
    monkeypatch.delenv("HOME")
    assert identity(str(repo))[0]
    assert identity(str(repo / "gone"))[0]


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_the_repository_of_another_user_does_not_hide_ones_own_name(repo: "Checkout") -> None:
    os.chown(repo, 12345, 12345)
    os.chown(repo / ".git", 12345, 12345)
    repo.git("status", code=128)
    assert identity(str(repo)) == ("Ada Lovelace", "ada@example.com")


def test_a_user_without_an_account(
    repo: "Checkout", sealed_git: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody(sealed_git)

    def missing(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr("pwd.getpwuid", missing)
    monkeypatch.delenv("LOGNAME", raising=False)
    monkeypatch.setenv("USER", "ci")
    assert identity(str(repo))[0] == "ci"
    monkeypatch.delenv("USER")
    assert identity(str(repo))[0] == "unknown"


@pytest.mark.parametrize(
    ("name", "email"),
    [
        (" \t\n", "x@example.com"),
        ("two\nlines", "with space@example.com"),
        ("half\udcff", "<a@b>"),
        ("x" * 5000, "y" * 5000),
        ("\x00\x1b[31m", "\x07"),
    ],
    ids=["blank", "lines", "bytes", "long", "control"],
)
def test_whatever_stands_there_an_author_can_be_made(
    name: str, email: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email}
    monkeypatch.setattr(os, "environ", os.environ.copy() | fake)
    monkeypatch.setattr(module, "_configured", lambda root: {})
    found = identity(None)
    made = Author(name=found[0], email=found[1])
    assert made.name.strip() == made.name
    made.name.encode()


def test_actors() -> None:
    assert parse_actor("human") == ("human", "")
    assert parse_actor(" Agent:claude-code ") == ("agent", "claude-code")
    assert parse_actor("tool:ci") == ("tool", "ci")
    assert parse_actor("agent") == ("agent", "")
    assert parse_actor("agent:a:b") == ("agent", "a:b")


@pytest.mark.parametrize("text", ["", "robot", "robot:x", ":x", "agent:a\nb", "human:\x1b[0m"])
def test_actors_that_cannot_be_read(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_actor(text)
    assert "agent:" in caught.value.hint
    assert "\n" not in caught.value.message
