"""``gitmem run`` where no memory is set up, or none that can be read: the command comes first."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import run, shown_on_terminal, untouched

if TYPE_CHECKING:
    from tests.conftest import Checkout

HINT = "note: gitmem is not set up here, so nothing is recorded; to begin: gitmem init\n"

pytestmark = pytest.mark.usefixtures("sealed_git")


def test_the_command_runs_and_its_exit_code_is_passed_on(repo: "Checkout") -> None:
    line = ("run", "--", "sh", "-c", "echo out; echo err >&2; exit 7")
    first, again = run(repo, *line), run(repo, *line)
    assert (first.code, first.out, first.err) == (7, "out\n", f"err\n{HINT}")
    assert again == first._replace(err="err\n"), "it is said once"
    assert not (repo / ".memory").exists()


def test_standard_input_reaches_it(repo: "Checkout") -> None:
    assert run(repo, "run", "--", "tr", "a-z", "A-Z", stdin="hello\n").out == "HELLO\n"


def test_it_runs_in_the_folder_that_was_named(repo: "Checkout") -> None:
    (repo / "sub").mkdir()
    assert run(repo, "-C", "sub", "run", "--", "pwd").out.endswith("/sub\n")


def test_a_program_that_is_not_there_is_told_as_always(repo: "Checkout") -> None:
    done = run(repo, "run", "--", "no-such-program")
    assert done.code == 127
    assert done.err == f"gitmem: no-such-program: command not found\n{HINT}"
    shell_line = run(repo, "run", "echo hi && false")
    assert shell_line.code == 127
    assert shell_line.err.endswith("\n  for a shell command line: gitmem run -- sh -c '…'\n")


@pytest.mark.parametrize("marker", ["format: 9\n", "format: [\n", "format: x\n"])
def test_a_memory_that_can_not_be_read_stops_no_command(repo: "Checkout", marker: str) -> None:
    (repo / ".memory").mkdir()
    (repo / ".memory/gitmem.yaml").write_text(marker)
    done = run(repo, "run", "--", "echo", "hi")
    assert (done.code, done.out) == (0, "hi\n")
    assert done.err.startswith("note: nothing is recorded: ")
    assert len(done.err.splitlines()) == 1


def test_a_piece_of_work_needs_a_memory(repo: "Checkout") -> None:
    done = run(repo, "run", "--task", "Build it", "--", "echo", "hi")
    assert (done.code, done.out) == (3, "")


def test_on_a_terminal_it_says_once_how_to_begin(repo: "Checkout", tmp_path: Path) -> None:
    hint = "to begin: gitmem init"
    with untouched(repo):
        assert run(repo, "run", "--", "echo", "hi").err == "", "somebody may read what it prints"
        assert hint in shown_on_terminal(repo, "run", "--", "echo", "hi", columns=120).out
        again = shown_on_terminal(repo, "run", "--", "sh", "-c", "test -t 0 && echo hi; exit 4")
    assert (again.code, again.out) == (4, "hi\n")
    (tmp_path / "plain").mkdir()
    assert shown_on_terminal(tmp_path / "plain", "run", "--", "echo", "hi").out == "hi\n"
