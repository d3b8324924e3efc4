"""A command in a fork of a loaded process does and says what a newly started one does."""

import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.depth import sampled
from tests.e2e.lsp_editor import Editor
from tests.e2e.running import Result, content, observer, run
from tests.e2e.samples import ERROR, FIX, NOTE

if TYPE_CHECKING:
    from tests.conftest import Checkout

# What is different in every run of the same command: ids, moments and durations.
_VARYING = re.compile(
    r"\b(?:err|fix|dec|pat|note|ses|run|draft)-[0-9a-z]{10}\b"
    r"|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b|[\d.]+ MB"
    r"|\b[0-9a-f]{12,64}\b"
)
_FAILS = "import sys; sys.stderr.write('ValueError: too hot\\n'); sys.exit(3)"
_SILENT = {"run", "run of what kills itself", "killed"}
COMMANDS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "list": (("list",), {}),
    "json": (("list", "--json"), {}),
    "search": (("search", "flux", "capacitor"), {}),
    "show": (("show", ERROR), {}),
    "prefix": (("show", "err"), {}),
    "status": (("status",), {}),
    "log": (("log",), {}),
    "stats": (("stats",), {}),
    "check": (("check",), {}),
    "export": (("backup", "export"), {}),
    "help": (("--help",), {}),
    "help of a command": (("search", "--help"), {}),
    "no arguments": ((), {}),
    "version": (("--version",), {}),
    "completion": (("completion", "bash"), {}),
    "colour": (("--color", "always", "list"), {}),
    "another folder": (("-C", ".memory", "list"), {}),
    "no such command": (("serach", "x"), {}),
    "no such option": (("list", "--wrong"), {}),
    "no such record": (("show", "err-9999999999"), {}),
    "no such folder": (("-C", "nowhere", "list"), {}),
    "hint from standard input": (("hint",), {"stdin": "HeatError: too hot\n"}),
    "hint without input": (("hint",), {"stdin": ""}),
    "bytes that are no text": (("hint",), {"stdin": b"\xff\xfeHeatError: too hot\n"}),
    "more input than is read": (("list",), {"stdin": "x" * 300_000}),
    "an argument in UTF-8": (("search", "Zoë漢字"), {}),
    "add": (("add", "note", "--title", "New", "--body", "Text"), {}),
    "resolve": (("resolve", ERROR, "--approach", "fan"), {}),
    "run": (("run", "--", "true"), {}),
    "run of what fails": (("run", "--", "python3", "-c", _FAILS), {}),
    "run of what kills itself": (("run", "--", "sh", "-c", "kill -TERM $$"), {}),
    "killed": (("run", "--", "sh", "-c", "kill -KILL $PPID"), {}),
    "who writes": (("--as", "agent:test", "add", "note", "--title", "A"), {}),
    "a variable": (("config",), {"env": {"GITMEM_UI_COLOR": "never"}}),
    "a wrong variable": (("list",), {"env": {"GITMEM_UI_COLOR": "pink"}}),
    "another time zone": (("log",), {"env": {"TZ": "Asia/Tokyo"}}),
    "no home": (("list",), {"env": {"HOME": None}}),
    "sql": (("stats", "query", "select id, title from records order by id"), {}),
    "review": (("review", "HEAD"), {}),
    "link": (("helpful", FIX), {}),
    "supersede nothing": (("edit", "supersede", NOTE, "--title", "x"), {}),
    "report": (("stats", "report", "-o", "report.html"), {}),
}


@sampled(5)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_fork_does_what_a_new_process_does(memory: "Checkout", tmp_path: Path, name: str) -> None:
    arguments, options = COMMANDS[name]
    memory.commit("memory")
    seen: list[tuple[Result, dict[str, str]]] = []
    folder = tmp_path / "same" / "place"  # messages name it
    folder.parent.mkdir()
    for real in (False, True):
        shutil.copytree(memory, folder, symlinks=True)
        done = run(folder, *arguments, real=real, **options)
        left = {_masked(path): digest for path, digest in content(folder).items()}
        masked = Result(done.code, _masked(done.out), _masked(done.err))
        written = {path for path, digest in left.items() if digest not in content(memory).values()}
        seen.append((masked, dict.fromkeys(written, "")))
        shutil.rmtree(folder)
    assert seen[0] == seen[1]
    assert seen[0][0].out or seen[0][0].err or name in _SILENT


def _masked(text: str) -> str:
    return _VARYING.sub("<>", text)


def test_the_samples_leave_by_different_codes(memory: "Checkout") -> None:
    names = ("list", "no such command", "no such record", "run of what fails", "killed")
    codes = [run(memory, *COMMANDS[name][0]).code for name in names]
    assert codes == [0, 2, 3, 3, -9]


def test_nothing_that_a_fork_changes_stays(memory: "Checkout") -> None:
    first = run(memory, "list")
    run(memory, "-C", "..", "list", env={"GITMEM_FOLDER": "elsewhere", "TZ": "Asia/Tokyo"})
    assert run(memory, "list") == first


def test_two_run_at_the_same_time(memory: "Checkout", tmp_path: Path) -> None:
    """The first ends only when the second has ended, which a queue would never do."""
    sign = tmp_path / "sign"
    waits = f"until [ -e {sign} ]; do sleep 0.05; done; echo seen"
    results: list[Result] = []
    first = threading.Thread(
        target=lambda: results.append(run(memory, "run", "--", "sh", "-c", waits))
    )
    first.start()
    assert run(memory, "run", "--", "touch", str(sign)).code == 0
    first.join()
    assert results == [Result(0, "seen\n", "")]


def test_what_only_a_start_reads_is_left_to_a_start(memory: "Checkout") -> None:
    """Python that is told to list its imports does so when it starts, and never later."""
    assert "import 'gitmem" in run(memory, "--version", env={"PYTHONVERBOSE": "1"}).err


def test_who_kills_a_program_that_stands_for_a_command_kills_the_command(
    memory: "Checkout",
) -> None:
    process = subprocess.Popen(
        [*observer(), "run", "--", "sh", "-c", "echo begun; exec sleep 1000"],
        cwd=memory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline() == b"begun\n"
    process.terminate()
    assert process.wait() == 143
    process.stdout.close()


def test_a_killed_program_leaves_no_server_behind(memory: "Checkout") -> None:
    client = Editor(memory)
    client.initialize(memory)
    client.process.kill()
    client.log()  # to its end, which comes when nobody holds the other end any more
    assert not client._logging.is_alive()
    client.close()
