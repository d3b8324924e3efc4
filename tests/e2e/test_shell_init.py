"""The snippets of ``gitmem shell-init`` in real interactive shells, on a terminal."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.e2e.interactive_shell import STARTS, InteractiveShell
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

OFFER = "gitmem: exit code"


@pytest.fixture(params=list(STARTS))
def shell(
    request: pytest.FixtureRequest, shop: "Checkout", snippet: Callable[[str], Path]
) -> Iterator[InteractiveShell]:
    """Give a shell with our snippet, and hooks that were there before."""
    made = InteractiveShell(request.param, shop)
    try:
        for line in HOOKS[made.name]:
            made.do(line)
        made.do(f"source {snippet(made.name)}")
        yield made
    finally:
        made.close()


HOOKS: Final = {
    "bash": ("PROMPT_COMMAND='hooked=$((hooked + 1))'; PS0='[before]'",),
    "zsh": (
        "precmd() { hooked=$((hooked + 1)) }",
        "own() { owned=$((owned + 1)) }; precmd_functions+=(own)",
    ),
    "fish": (
        "function fish_prompt; echo '> '; end",  # the one that comes with it asks git
        "function own --on-event fish_postexec; set -g hooked (math $hooked + 1); end",
    ),
}
FAIL: Final = {"bash": "(exit 7)", "zsh": "(exit 7)", "fish": "sh -c 'exit 7'"}


@pytest.fixture
def shop(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, begin)


def begin(repo: "Checkout") -> None:
    ok(repo, "init")


@pytest.fixture
def snippet(shop: "Checkout") -> Callable[[str], Path]:
    def write(name: str) -> Path:
        file = shop.parent / f"init.{name}"
        file.write_text(ok(shop, "shell-init", name))
        return file

    return write


def offers(shown: str) -> list[str]:
    return re.findall(r"gitmem: exit code (\d+); what is known\?", shown)


def test_a_failure_is_offered_help_once(shell: InteractiveShell) -> None:
    assert offers(shell.do("true")) == []
    assert offers(shell.do(FAIL[shell.name])) == ["7"]
    assert offers(shell.do("")) == []
    assert offers(shell.do("true")) == []
    assert offers(shell.do("no-such-command-here")) == ["127"]
    assert offers(shell.do("mkdir -p a/b; cd a/b")) == []
    assert offers(shell.do(FAIL[shell.name])) == ["7"]
    assert offers(shell.do("cd /")) == []
    assert offers(shell.do(FAIL[shell.name])) == []  # no memory there


def test_the_exit_status_and_hooks_that_were_there_stay(shell: InteractiveShell) -> None:
    status = "$status" if shell.name == "fish" else "$?"
    shell.type(FAIL[shell.name])
    # Asked in the next line, after the prompt and all its hooks.
    assert "said 7" in shell.do(f'echo "said {status}"')
    counts = [re.findall(r"hooked (\d+)", shell.do('echo "hooked $hooked"'))[-1] for _ in "ab"]
    assert int(counts[1]) > int(counts[0])
    if shell.name == "bash":
        assert "[before]" in shell.do("true")
    if shell.name == "zsh":
        assert re.search(r"owned [1-9]", shell.do('echo "owned $owned"'))


@pytest.mark.parametrize("hooks", ["{0}", "({0} second=1)", "{0}';'"])
def test_a_hook_that_was_there_sees_the_exit_status(
    shop: "Checkout", snippet: Callable[[str], Path], hooks: str
) -> None:
    shell = InteractiveShell("bash", shop)
    try:
        one = "'last=$?; all=\"$all $last\"'"
        shell.do(f"PROMPT_COMMAND={hooks.format(one)}")
        shell.do(f"source {snippet('bash')}")
        shell.do(FAIL["bash"])
        assert " 7 " in re.findall(r"seen (.*)", shell.do('echo "seen $all "'))[-1]
    finally:
        shell.close()


def test_reading_it_twice_does_no_harm(
    shell: InteractiveShell, snippet: Callable[[str], Path]
) -> None:
    for _ in range(2):
        shell.do(f"source {snippet(shell.name)}")
    assert offers(shell.do(FAIL[shell.name])) == ["7"]
    assert offers(shell.do("true")) == []


def test_no_process_is_started_by_a_prompt(shell: InteractiveShell, tmp_path: Path) -> None:
    """Every program that the snippets could start is one that leaves a mark."""
    marks = tmp_path / "marks"
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("gitmem", "git", "python3", "sed", "grep", "cat", "dirname", "basename"):
        (programs / name).write_text(f"#!/bin/sh\necho {name} >> {marks}\n")
        (programs / name).chmod(0o755)
    path = f"set -gx PATH {programs}" if shell.name == "fish" else f"PATH={programs}"
    shell.do(f"{path} $PATH" if shell.name == "fish" else f"{path}:$PATH")
    shell.do("true")
    shell.do("")
    assert not marks.exists()
    assert offers(shell.do(FAIL[shell.name])) == ["7"]
    assert not marks.exists()
    shell.do("cat")
    assert marks.read_text() == "cat\n"  # they would have been found


def test_strict_shells_bear_it(shell: InteractiveShell) -> None:
    if shell.name != "fish":  # it knows no other way
        shell.do("set -u")
    shown = shell.do(FAIL[shell.name]) + shell.do("true")
    assert offers(shown) == ["7"]
    assert not re.search("unbound|parameter not set", shown)
