"""A command run by us behaves as if it were run directly: real processes, real terminals."""
# ruff: noqa: E501  scripts on one line

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.capture.child import Ended, run

# The process that runs the child; what it heard and how it ended goes to a file.
RUNNER = """
import json, os, sys
from gitmem.capture.child import run
size, head = 0, b""
def hear(data):
    global size, head
    size += len(data)
    head = (head + data)[:100_000]
ended = run(sys.argv[2:], on_output=hear, cwd=os.getcwd(), environ=os.environ)
with open(sys.argv[1], "w") as file:
    json.dump([*ended, size, head.decode("latin-1")], file)
sys.exit(ended.exit_code)
"""
PYTHON = sys.executable
# Which of the three streams are open; what Python itself opens there is its source.
LOOK = """
import os, sys
def is_open(n):
    try:
        return "look.py" not in os.readlink(f"/proc/self/fd/{n}") and "/fd" not in os.readlink(f"/proc/self/fd/{n}")
    except OSError:
        return False
text = " ".join(str(n) for n in range(3) if is_open(n))
open(sys.argv[1], "w").write(text)
"""
TTYS = "import os; print(*[os.isatty(n) for n in range(3)], file=open(os.environ['SAID'], 'w'))"


class Report:
    """What the runner said at its end."""

    def __init__(self, path: Path) -> None:
        said = json.loads(path.read_text())
        self.ended = Ended(*said[:4])
        self.size: int = said[4]
        self.heard: bytes = said[5].encode("latin-1")


class Terminal:
    """A runner on a terminal of its own, that somebody types at."""

    def __init__(
        self,
        report: Path,
        *command: str,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        direct: bool = False,
    ) -> None:
        self.report = report
        before = [] if direct else [PYTHON, "-c", RUNNER, str(report)]
        self.pid, self.master = pty.fork()
        if not self.pid:
            for stream, place in enumerate((stdin, stdout, stderr)):
                if place is not None:
                    os.dup2(place, stream)
            whole = [*before, *command]
            os.execve(whole[0], whole, {**os.environ, "RUNNER": RUNNER})  # noqa: S606  a terminal needs a fork
        self.seen = b""
        self.status: int | None = None

    def read(self, seconds: float = 0.1) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += data
        return bool(data)

    def until(self, what: bytes) -> None:
        deadline = time.monotonic() + 20
        while what not in self.seen:
            assert time.monotonic() < deadline, (what, self.seen)
            if not self.read():
                assert what in self.seen, (what, self.seen)

    def type(self, what: bytes) -> None:
        os.write(self.master, what)

    def end(self) -> Report:
        deadline = time.monotonic() + 30
        while self.status is None:
            assert time.monotonic() < deadline, self.seen
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        while select.select([self.master], [], [], 0)[0] and self.read():
            pass
        os.close(self.master)
        return Report(self.report)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return tmp_path / "report.json"


@pytest.fixture(autouse=True)
def none_left_behind() -> Iterator[None]:
    yield
    with contextlib.suppress(ChildProcessError):
        pid, _ = os.waitpid(-1, os.WNOHANG)
        assert not pid, "a child was not waited for"


def piped(
    report: Path, *command: str, **options: object
) -> tuple["subprocess.CompletedProcess[bytes]", Report]:
    settings: dict[str, object] = {
        "capture_output": True,
        "timeout": 60,
        "stdin": subprocess.DEVNULL,
        **options,
    }
    if "stdout" in options:
        settings.pop("capture_output")
    done = subprocess.run([PYTHON, "-c", RUNNER, str(report), *command], check=False, **settings)  # type: ignore[call-overload]
    return done, Report(report)


def started(report: Path, *command: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [PYTHON, "-c", RUNNER, str(report), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )


# --- pipes -----------------------------------------------------------------------------------


def test_both_streams_are_passed_on_apart_and_byte_for_byte(report: Path) -> None:
    every = "import sys; sys.stdout.buffer.write(bytes(range(256)) * 3); sys.stderr.buffer.write(b'\\r\\n\\x1b[1m\\xff')"
    done, said = piped(report, PYTHON, "-c", every)
    assert done.stdout == bytes(range(256)) * 3
    assert done.stderr == b"\r\n\x1b[1m\xff"
    assert said.size == said.ended.output_bytes == len(done.stdout) + len(done.stderr)


def test_one_pipe_for_both_keeps_the_order_in_which_things_were_said(report: Path) -> None:
    script = "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done"
    done, said = piped(report, "sh", "-c", script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert (
        done.stdout == "".join(f"out {n}\nerr {n}\n" for n in range(1, 10)).encode() == said.heard
    )


@pytest.mark.parametrize(
    ("script", "code", "killed_by"),
    [
        ("exit 0", 0, None),
        ("exit 3", 3, None),
        ("exit 130", 130, None),
        ("kill -9 $$", 137, 9),
        ("kill -SEGV $$", 139, 11),
    ],
)
def test_the_exit_code_is_passed_through(
    report: Path, script: str, code: int, killed_by: int | None
) -> None:
    done, said = piped(report, "sh", "-c", script)
    assert (done.returncode, said.ended.exit_code, said.ended.signal) == (code, code, killed_by)


def test_a_command_that_does_not_exist_or_cannot_be_run(report: Path, tmp_path: Path) -> None:
    done, said = piped(report, "no-such-command-here")
    assert said.ended.exit_code == 127
    assert done.stderr == said.heard == b"gitmem: no-such-command-here: command not found\n"
    plain = tmp_path / "plain"
    plain.write_text("x")
    assert piped(report, str(plain))[1].ended.exit_code == 126
    assert piped(report, str(tmp_path))[1].ended.exit_code == 126
    assert piped(report, f"{plain}/x")[1].ended.exit_code == 127


def test_a_script_without_an_interpreter_line_runs(report: Path, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo from the script $1\n")
    script.chmod(0o755)
    assert piped(report, str(script), "x")[0].stdout == b"from the script x\n"


def test_input_is_the_childs(report: Path) -> None:
    done, _ = piped(report, "cat", stdin=None, input=b"\0typed\n" * 50_000)
    assert done.stdout == b"\0typed\n" * 50_000


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_closed_for_the_child_too(
    report: Path, tmp_path: Path, closed: str
) -> None:
    look = tmp_path / "look.py"
    look.write_text(LOOK)
    says = []
    for number, before in enumerate(([], [PYTHON, "-c", RUNNER, str(report)])):
        seen = tmp_path / str(number)
        command = [*before, PYTHON, "-S", str(look), str(seen)]
        subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", *command], check=False, timeout=20)
        says.append(seen.read_text())
    assert says[0] == says[1]


def test_a_reader_that_leaves_ends_the_child_as_it_would_without_us(report: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" | head -n 1', "sh", PYTHON, "-c", RUNNER, str(report), "yes"],
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert done.stdout == b"y\n"
    assert Report(report).ended.signal == signal.SIGPIPE


def test_the_other_stream_goes_on_when_one_has_lost_its_reader(report: Path) -> None:
    script = "trap '' PIPE; for i in 1 2 3 4 5 6; do echo x 2>/dev/null; sleep .05; done; echo end >&2; exit 5"
    process = started(report, "sh", "-c", script)
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b"end\n"
    process.stderr.close()
    assert process.wait(20) == 5


def test_a_child_that_closes_its_output_early_is_waited_for(report: Path) -> None:
    done, said = piped(report, "sh", "-c", "echo before; exec >&- 2>&-; sleep .4; exit 4")
    assert (done.stdout, said.ended.exit_code) == (b"before\n", 4)
    assert said.ended.seconds >= 0.4


def test_what_a_child_leaves_behind_is_not_waited_for_and_lives_on(
    report: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "pid"
    began = time.monotonic()
    done, _ = piped(report, "sh", "-c", f"sleep 30 & echo $! > {mark}; echo said; exit 2")
    assert time.monotonic() - began < 5
    assert (done.stdout, done.returncode) == (b"said\n", 2)
    left = int(mark.read_text())
    os.kill(left, 0)
    os.kill(left, signal.SIGKILL)


def test_a_grandchild_that_goes_on_talking_does_not_hold_us(report: Path, tmp_path: Path) -> None:
    began = time.monotonic()
    done, _ = piped(report, "sh", "-c", "yes & exit 0")
    assert time.monotonic() - began < 5
    assert done.stdout.startswith(b"y\n")


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1]
)
def test_signals_are_passed_on(report: Path, number: signal.Signals) -> None:
    name = number.name.removeprefix("SIG")
    process = started(
        report,
        "sh",
        "-c",
        f"trap 'echo got {name}; exit 7' {name}; echo ready; while :; do sleep .02; done",
    )
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(number)
    assert process.stdout.read() == f"got {name}\n".encode()
    process.communicate()
    assert process.wait(20) == 7


def test_a_child_killed_by_a_passed_signal_and_one_that_ignores_it(report: Path) -> None:
    process = started(report, "sh", "-c", "echo ready; exec sleep 30")
    assert process.stdout
    process.stdout.readline()
    process.terminate()
    process.communicate()
    assert process.wait(20) == 143
    assert Report(report).ended.signal == signal.SIGTERM
    process = started(
        report, "sh", "-c", "trap '' TERM; echo ready; sleep .6; echo still here; exit 3"
    )
    assert process.stdout
    process.stdout.readline()
    process.terminate()
    assert process.stdout.read() == b"still here\n"
    process.communicate()
    assert process.wait(20) == 3


def test_a_stop_reaches_both_and_both_go_on(report: Path, tmp_path: Path) -> None:
    process = started(report, "sh", "-c", "echo $$; sleep 30")
    assert process.stdout
    child = int(process.stdout.readline())
    process.send_signal(signal.SIGTSTP)
    _wait_for_state(process.pid, "T")
    _wait_for_state(child, "T")
    process.send_signal(signal.SIGCONT)
    _wait_for_state(child, "S")
    process.terminate()
    process.communicate()
    assert process.returncode == 143


def _wait_for_state(pid: int, state: str) -> None:
    deadline = time.monotonic() + 10
    while (seen := Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]) != state:
        assert time.monotonic() < deadline, seen
        time.sleep(0.01)


def test_ignored_signals_stay_ignored_and_handlers_come_back() -> None:
    outer = (
        "import os,signal,sys; from gitmem.capture.child import run; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
        "r=run([sys.executable,'-c','import signal;print(signal.getsignal(signal.SIGHUP))'],on_output=len,cwd='.',environ=os.environ);"
        "print(signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    done = subprocess.run(
        [PYTHON, "-c", outer], capture_output=True, check=True, timeout=20, text=True
    )
    assert done.stdout.split() in (["Handlers.SIG_IGN"] * 2 + ["True"], ["1", "1", "True"])


def test_a_listener_that_breaks_does_not_disturb_the_child(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    def listen(data: bytes) -> None:
        raise ValueError(data)

    with pytest.raises(ValueError, match="one"):
        run(
            ["sh", "-c", f"echo one; sleep .1; echo two; echo done > {tmp_path}/done"],
            on_output=listen,
            cwd="/",
            environ=os.environ,
        )
    assert capfdbinary.readouterr().out == b"one\ntwo\n"
    assert (tmp_path / "done").exists()


@pytest.mark.parametrize(
    "script", ["yes | head -c 300000000", "head -c 100000000 /dev/zero | tr '\\0' x"]
)
def test_heavy_output_and_a_line_of_100_mb_in_bounded_memory(report: Path, script: str) -> None:
    # Not ru_maxrss, which begins at what the test's own process had.
    peak = "open(sys.argv[1] + '.mem', 'w').write(open('/proc/self/status').read())\n"
    runner = RUNNER.replace("sys.exit", peak + "sys.exit")
    done = subprocess.run(
        [PYTHON, "-c", runner, str(report), "sh", "-c", script],
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert Report(report).size >= 100_000_000
    status = Path(f"{report}.mem").read_text()
    assert int(status.partition("VmHWM:")[2].split()[0]) < 40_000


# --- terminals -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("in_", "out", "err"),
    [(a, b, c) for a in (True, False) for b in (True, False) for c in (True, False)],
)
def test_each_stream_is_a_terminal_if_ours_is(
    report: Path,
    tmp_path: Path,
    *,
    in_: bool,
    out: bool,
    err: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SAID", str(tmp_path / "said"))
    sink = os.open(tmp_path / "sink", os.O_RDWR | os.O_CREAT)
    places = [None if ours else sink for ours in (in_, out, err)]
    terminal = Terminal(
        report, PYTHON, "-c", TTYS, stdin=places[0], stdout=places[1], stderr=places[2]
    )
    terminal.end()
    os.close(sink)
    assert (tmp_path / "said").read_text().split() == [str(in_), str(out), str(err)]


def test_colours_keys_and_line_ends_on_a_terminal(report: Path) -> None:
    terminal = Terminal(
        report, "sh", "-c", r"printf '\033[31mred\033[0m\n'; read line; echo got $line; exit 6"
    )
    terminal.until(b"\x1b[31mred\x1b[0m\r\n")
    terminal.type(b"hello\n")
    terminal.until(b"got hello\r\n")
    said = terminal.end()
    assert terminal.status == said.ended.exit_code == 6
    assert b"hello\r\ngot hello\r\n" in terminal.seen  # echoed once
    assert said.heard == terminal.seen


def test_a_key_interrupts_the_child_and_not_us(report: Path) -> None:
    terminal = Terminal(
        report,
        "sh",
        "-c",
        "trap 'echo interrupted; exit 9' INT; echo ready; while :; do sleep .02; done",
    )
    terminal.until(b"ready")
    terminal.type(b"\x03")
    terminal.until(b"interrupted")
    terminal.end()
    assert terminal.status == 9


def test_the_terminal_is_as_it_was_after_every_ending(report: Path) -> None:
    for script, code in (("exit 0", 0), ("stty raw -echo; exit 1", 1), ("kill -9 $$", 137)):
        shell = f"stty -a; '{PYTHON}' -c \"$RUNNER\" '{report}' sh -c '{script}'; code=$?; echo; stty -a; echo code $code"
        terminal = Terminal(report, "/bin/sh", "-c", shell, direct=True)
        terminal.end()
        text = terminal.seen.decode().replace("\r", "")
        settings = re.findall(r"speed .*?(?=\n\n|\ncode|\Z)", text, re.DOTALL)
        assert len(settings) == 2, text
        assert settings[0].split() == settings[1].split()
        assert f"code {code}" in text


def test_a_resize_reaches_the_child(report: Path) -> None:
    script = "import os,signal,time; say=lambda *a: print('size', *os.get_terminal_size(1), flush=True); signal.signal(signal.SIGWINCH, say); say()\nfor _ in range(200): time.sleep(.05)"
    terminal = Terminal(report, PYTHON, "-c", script)
    terminal.until(b"size")
    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 101, 0, 0))
    terminal.until(b"size 101 33")
    terminal.type(b"\x03")
    terminal.end()
    assert terminal.status == 130


def test_a_key_stops_the_job_and_the_shell_lets_it_go_on(report: Path) -> None:
    terminal = Terminal(report, "/bin/bash", "--norc", "--noprofile", "-i", direct=True)
    terminal.type(b"PS1='prompt> '\n")
    terminal.until(b"prompt> ")
    terminal.type(
        f"'{PYTHON}' -c \"$RUNNER\" {report} sh -c 'echo rea''dy; read x; echo got-$x'\n".encode()
    )
    terminal.until(b"ready\r\n")
    terminal.type(b"\x1a")
    terminal.until(b"Stopped")
    terminal.type(b"echo in-the-''shell\n")
    terminal.until(b"in-the-shell")
    terminal.type(b"fg\n")
    time.sleep(0.3)
    terminal.type(b"again\n")
    terminal.until(b"got-again\r\n")
    time.sleep(0.3)
    terminal.type(b"exit\n")
    assert terminal.end().ended.exit_code == 0


def test_what_a_child_on_a_terminal_leaves_behind_lives_on(report: Path, tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    terminal = Terminal(report, "sh", "-c", f"sleep 30 & echo $! > {mark}; echo said")
    terminal.until(b"said")
    terminal.end()
    left = int(mark.read_text())
    time.sleep(0.1)
    os.kill(left, 0)
    os.kill(left, signal.SIGKILL)


def test_a_terminal_that_goes_away_hangs_up_on_the_child(report: Path, tmp_path: Path) -> None:
    mark = tmp_path / "hup"
    terminal = Terminal(
        report,
        "sh",
        "-c",
        f"trap 'echo hup > {mark}; exit 0' HUP; echo ready; while :; do sleep .02; done",
    )
    terminal.until(b"ready")
    os.close(terminal.master)
    deadline = time.monotonic() + 10
    while not mark.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.waitpid(terminal.pid, 0)


# --- cost ------------------------------------------------------------------------------------


def test_the_import_is_cheap() -> None:
    heavy = "import sys; before = set(sys.modules); import gitmem.capture.child; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [PYTHON, "-c", heavy], capture_output=True, check=True, text=True, timeout=20
    )
    assert not {
        "subprocess",
        "threading",
        "asyncio",
        "selectors",
        "yaml",
        "git",
        "click",
        "msgspec",
        "logging",
    } & set(done.stdout.split())
