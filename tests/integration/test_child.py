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
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gitmem.system.child import Ended, run
from gitmem.system.child.passing import Passing
from gitmem.system.child.signals import Signals
from tests.depth import sampled

assert sys.platform != "win32"  # it needs signals, forks or terminals of Unix

# The process that runs the child; what it heard and how it ended goes to a file.
RUNNER = """
import json, os, signal, sys
# Whoever started the tests may ignore some of them, as nohup does, and that is inherited.
for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
from gitmem.system.child import run
size, head = 0, b""
def hear(data):
    global size, head
    size += len(data)
    head = (head + data)[:100_000]
ended = run(sys.argv[2:], on_output=hear, cwd=os.getcwd(), environ=os.environ)
with open(sys.argv[1], "w") as file:
    json.dump([[*ended], size, head.decode("latin-1")], file)
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
        self.ended = Ended(*said[0])
        self.size: int = said[1]
        self.heard: bytes = said[2].encode("latin-1")


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
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass  # of tests before, whose processes were to outlive a question
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
        # The kernel stops nobody in a group without a parent in its session, as a CI's may be.
        process_group=0,
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


def test_what_a_script_does_not_find_is_not_what_was_to_be_run(report: Path) -> None:
    _, said = piped(report, "sh", "-c", "no-such-command-here")
    assert (said.ended.exit_code, said.ended.missing) == (127, False)


def test_a_command_that_does_not_exist_or_cannot_be_run(report: Path, tmp_path: Path) -> None:
    done, said = piped(report, "no-such-command-here")
    assert (said.ended.exit_code, said.ended.missing) == (127, True)
    # Who reads the terminal sees who says so; the failure is known without our name.
    assert done.stderr == b"gitmem: no-such-command-here: command not found\n"
    assert said.heard == b"no-such-command-here: command not found\n"
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
    script = f"echo before; exec >&- 2>&-; sleep .4; echo > {report}.late; exit 4"
    done, said = piped(report, "sh", "-c", script)
    assert (done.stdout, said.ended.exit_code) == (b"before\n", 4)
    assert Path(f"{report}.late").exists()


# What goes on for ever is ended by these tests; to wait for it would run into the time limit.


def test_what_a_child_leaves_behind_is_not_waited_for_and_lives_on(
    report: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "pid"
    done, _ = piped(report, "sh", "-c", f"sleep 1000 & echo $! > {mark}; echo said; exit 2")
    assert (done.stdout, done.returncode) == (b"said\n", 2)
    left = int(mark.read_text())
    os.kill(left, 0)
    os.kill(left, signal.SIGKILL)


def test_a_grandchild_that_goes_on_talking_does_not_hold_us(report: Path) -> None:
    done, _ = piped(report, "sh", "-c", "yes & exit 0")
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
    wait_until(lambda: state(process.pid) == "T")
    wait_until(lambda: state(child) == "T")
    process.send_signal(signal.SIGCONT)
    wait_until(lambda: state(child) == "S")
    process.terminate()
    process.communicate()
    assert process.returncode == 143


def wait_until(true: Callable[[], bool]) -> None:
    """Wait until something is so; if it never is, the test runs into this limit."""
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def state(pid: int) -> str:
    """Give a process's state: T if stopped, S if asleep, and nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_ignored_signals_stay_ignored_and_handlers_come_back() -> None:
    outer = (
        "import os,signal,sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from gitmem.system.child import run; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
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


def test_threads_may_start_once_the_command_runs(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    # A process that is forked while a thread imports may find half a module, and say so.
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)

    def go(*command: str) -> int:
        return run(
            command, on_output=lambda _: None, cwd="/", environ=os.environ,
            on_start=lambda: talked.append(fifo.write_text("from the start\n")),
        ).exit_code  # fmt: skip

    talked: list[int] = []
    assert go("sh", "-c", f"read x < {fifo}; echo $x") == 0  # it was there to read
    assert capfdbinary.readouterr().out == b"from the start\n"
    assert go("no-such-command-here") == 127
    assert len(talked) == 1


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
    terminal.seen = b""
    terminal.type(b"fg\n")
    terminal.until(b"$RUNNER")  # the shell says what goes on
    terminal.seen = b""
    terminal.type(b"again\n")
    terminal.until(b"got-again\r\n")
    terminal.until(b"prompt> ")
    terminal.type(b"exit\n")
    assert terminal.end().ended.exit_code == 0


def test_what_a_child_on_a_terminal_leaves_behind_lives_on(report: Path, tmp_path: Path) -> None:
    fifo, mark = tmp_path / "fifo", tmp_path / "alive"
    os.mkfifo(fifo)
    terminal = Terminal(report, "sh", "-c", f"(read x < {fifo}; echo $x > {mark}) & echo said")
    terminal.until(b"said")
    terminal.end()
    with open(fifo, "w") as talk:  # blocks until it listens
        talk.write("still here\n")
    wait_until(lambda: mark.exists() and mark.read_text() == "still here\n")


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
    wait_until(mark.exists)
    os.waitpid(terminal.pid, 0)


def test_a_terminal_that_goes_away_hangs_up_on_the_whole_job(report: Path) -> None:
    terminal = Terminal(report, "sh", "-c", "sleep 1000 & echo pid $! .; wait")
    left = _pid_shown(terminal)
    os.close(terminal.master)
    wait_until(lambda: gone(left))
    os.waitpid(terminal.pid, 0)


def _pid_shown(terminal: Terminal) -> int:
    terminal.until(b" .\r\n")
    return int(terminal.seen.split()[1])


def gone(pid: int) -> bool:
    return state(pid) in {"", "Z"}  # whoever inherits it may take its time to wait for it


@pytest.mark.parametrize("stopped", [False, True])
def test_a_kill_of_us_hangs_up_on_the_job_and_ends_its_leader(
    report: Path, *, stopped: bool
) -> None:
    terminal = Terminal(report, "sh", "-c", "sleep 1000 & echo pid $! .; wait")
    left = _pid_shown(terminal)
    command = int(_parent(left))
    leader = int(_parent(command))
    assert _parent(leader) == str(terminal.pid)
    if stopped:
        os.kill(terminal.pid, signal.SIGSTOP)  # or it would let the job go on
        wait_until(lambda: state(terminal.pid) == "T")
        os.killpg(command, signal.SIGSTOP)
        wait_until(lambda: state(command) == state(left) == "T")
    os.kill(terminal.pid, signal.SIGKILL)
    os.waitpid(terminal.pid, 0)
    wait_until(lambda: all(map(gone, (leader, command, left))))
    os.close(terminal.master)


def test_a_kill_of_us_is_one_hangup_and_who_cares_for_none_lives_on(
    report: Path, tmp_path: Path
) -> None:
    marks, fifos = ([tmp_path / f"{what}{n}" for n in range(2)] for what in ("mark", "fifo"))
    for fifo in fifos:
        os.mkfifo(fifo)
    reads = [f"read x < {fifo}; echo $x >> {mark}" for fifo, mark in zip(fifos, marks, strict=True)]
    # Before the fork: what is told to ignore it only then may be hung up before it does.
    script = f"trap '' HUP; ({reads[0]}) & trap 'echo hup >> {marks[1]}' HUP; echo pid $! .; wait; {reads[1]}"
    terminal = Terminal(report, "sh", "-c", script)
    leader = int(_parent(int(_parent(_pid_shown(terminal)))))
    os.kill(terminal.pid, signal.SIGKILL)
    os.waitpid(terminal.pid, 0)
    wait_until(lambda: gone(leader))
    for fifo in fifos:
        with open(fifo, "w") as talk:  # blocks until it listens
            talk.write("on\n")
    expected = ["on\n", "hup\non\n"]
    wait_until(lambda: [mark.exists() and mark.read_text() for mark in marks] == expected)
    os.close(terminal.master)


# --- signals that are for us alone, or for the whole group --------------------------------------

COUNTS = """
import os, signal, sys
seen = {}
def hear(number, _):
    seen[number] = seen.get(number, 0) + 1
    os.write(1, b"%s %d\\n" % (signal.Signals(number).name.encode(), seen[number]))
    if number == signal.SIGUSR2:
        os._exit(5)
for name in "INT TERM HUP QUIT USR1 USR2 WINCH".split():
    signal.signal(getattr(signal, "SIG" + name), hear)
os.write(1, b"ready %d\\n" % os.getpid())
while True:
    signal.pause()
"""


class Heard:
    """A counting child, whose output is no terminal: it has no session of its own."""

    def __init__(self, report: Path) -> None:
        self._out, out = os.pipe()
        self.terminal = Terminal(report, PYTHON, "-c", COUNTS, stdout=out)
        os.close(out)
        self.said = b""
        self.until(b"ready")
        self.child = int(self.said.split()[1])

    def until(self, what: bytes) -> None:
        while what not in self.said:
            assert select.select([self._out], [], [], 30)[0], (what, self.said)
            data = os.read(self._out, 65536)
            assert data, (what, self.said)
            self.said += data

    def end(self) -> list[bytes]:
        """End the child; give what it heard until then."""
        os.kill(self.terminal.pid, signal.SIGUSR2)  # handled when what came before is
        self.until(b"SIGUSR2 1")
        self.terminal.end()
        os.close(self._out)
        assert self.terminal.status == 5
        return self.said.splitlines()[1:-1]


@sampled(3)
@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT", "USR1", "WINCH"])
def test_a_signal_to_us_alone_is_passed_on_in_the_foreground_too(report: Path, name: str) -> None:
    heard = Heard(report)
    for times in (1, 2):
        os.kill(heard.terminal.pid, getattr(signal, f"SIG{name}"))
        heard.until(f"SIG{name} {times}\n".encode())
    assert heard.end() == [f"SIG{name} {times}".encode() for times in (1, 2)]


def test_a_signal_that_comes_before_the_child_is_not_lost() -> None:
    heard: list[bytes] = []
    signals = Signals(Passing(heard.append))
    signals.watch()
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        process = subprocess.Popen(["sleep", "1000"])
        signals.begin(process.pid)
        assert process.wait(60) == -signal.SIGTERM
    finally:
        signals.close()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.parametrize(("key", "name"), [(b"\x03", "INT"), (b"\x1c", "QUIT")])
def test_a_key_that_reaches_the_whole_group_is_heard_once(
    report: Path, key: bytes, name: str
) -> None:
    heard = Heard(report)
    for times in (1, 2):
        heard.terminal.type(key)
        heard.until(f"SIG{name} {times}\n".encode())
    assert heard.end() == [f"SIG{name} {times}".encode() for times in (1, 2)]


def test_a_signal_to_the_whole_group_is_heard_once(report: Path) -> None:
    heard = Heard(report)
    os.killpg(os.getpgid(heard.terminal.pid), signal.SIGTERM)
    heard.until(b"SIGTERM 1\n")
    assert heard.end() == [b"SIGTERM 1"]


@pytest.mark.parametrize("in_session", [False, True])
def test_a_stop_for_us_alone_stops_the_child_and_both_go_on(
    report: Path, tmp_path: Path, *, in_session: bool
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    script = tmp_path / "reads.py"
    script.write_text(
        "import os; print('pids', os.getpid(), os.getppid(), '.', flush=True)\n"
        f"open({str(fifo)!r}).read(); print('went', 'on')\n"
    )
    # Without a shell that cares for its jobs nothing can be stopped.
    terminal = Terminal(report, "/bin/bash", "--norc", "--noprofile", "-i", direct=True)
    terminal.type(
        f"'{PYTHON}' -c \"$RUNNER\" {report} '{PYTHON}' {script}{'' if in_session else ' | cat'}\n".encode()
    )
    terminal.until(b" .\r\n")
    words = terminal.seen[terminal.seen.rindex(b"pids") :].split()
    child, parent = int(words[1]), int(words[2])
    ours = int(_parent(parent)) if in_session else parent
    os.kill(ours, signal.SIGTSTP)
    wait_until(lambda: state(ours) == state(child) == "T")
    os.kill(ours, signal.SIGCONT)
    wait_until(lambda: state(ours) == state(child) == "S")
    with open(fifo, "w") as talk:
        talk.write("x")
    terminal.until(b"went on")
    wait_until(lambda: state(ours) == "")
    terminal.type(b"exit\nexit\n")  # bash warns of a stopped job once
    assert terminal.end().ended.exit_code == 0


def _parent(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1]


def test_nothing_is_left_of_us_when_we_are_killed(report: Path) -> None:
    process = started(report, "sh", "-c", "echo ready; read x")
    assert process.stdout
    process.stdout.readline()
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    children = [int(word) for word in path.read_text().split()]
    process.kill()
    process.communicate(timeout=60)
    wait_until(lambda: not any(map(state, children)))


# --- whose terminal it is ----------------------------------------------------------------------

LINES = r"printf 'one\ntwo\r\nthree\rbar\n'; sleep 0; printf 'four\n' >&2"


def foreign(report: Path, *command: str, stdin: bool, typed: bytes = b"") -> bytes:
    """Run on a terminal that is not our controlling one; give what it shows."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*command] if command[0] == "sh" else [PYTHON, "-c", RUNNER, str(report), *command[1:]],
        stdin=slave if stdin else subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    os.write(master, typed)
    seen = b""
    while select.select([master], [], [], 30)[0]:
        try:
            seen += os.read(master, 65536)
        except OSError:
            break
    os.close(master)
    assert process.wait(30) == 0
    return seen


@pytest.mark.parametrize("stdin", [True, False])
def test_line_ends_on_a_terminal_that_is_not_our_own(report: Path, *, stdin: bool) -> None:
    plain = foreign(report, "sh", "-c", LINES, stdin=stdin)
    assert plain == b"one\r\ntwo\r\r\nthree\rbar\r\nfour\r\n"
    assert foreign(report, "run", "sh", "-c", LINES, stdin=stdin) == plain


def test_what_is_typed_at_a_terminal_that_is_not_our_own(report: Path) -> None:
    script = "read x; echo got $x"
    plain = foreign(report, "sh", "-c", script, stdin=True, typed=b"hello\n")
    assert plain == b"hello\r\ngot hello\r\n"
    assert foreign(report, "run", "sh", "-c", script, stdin=True, typed=b"hello\n") == plain


def test_line_ends_where_output_is_another_terminal_than_input(report: Path) -> None:
    master, slave = pty.openpty()
    terminal = Terminal(report, "sh", "-c", "read x; echo got $x", stdout=slave)
    os.close(slave)
    terminal.type(b"hello\n")
    terminal.end()
    assert os.read(master, 100) == b"got hello\r\n"
    os.close(master)
    assert terminal.seen == b"hello\r\n"


def test_a_job_in_the_background_and_back(report: Path, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    terminal = Terminal(report, "/bin/bash", "--norc", "--noprofile", "-i", direct=True)
    terminal.type(b"PS1='prompt> '\n")
    terminal.until(b"prompt> ")
    script = f"echo sta''rted; read x < {fifo}; echo li''ne; read y; echo got-$y"
    terminal.type(
        f'\'{PYTHON}\' -c "$RUNNER" {report} sh -c "{script}"\n'.replace("$x", "\\$x")
        .replace("$y", "\\$y")
        .encode()
    )
    terminal.until(b"started\r\n")
    terminal.type(b"\x1a")
    terminal.until(b"Stopped")
    terminal.type(b"bg\n")
    terminal.until(b"&")
    terminal.seen = b""
    with open(fifo, "w") as talk:
        talk.write("go on\n")
    terminal.until(b"line")
    terminal.until(b"\n")
    assert b"line\r\n" in terminal.seen
    assert b"\r\r\n" not in terminal.seen
    terminal.type(b"fg\n")
    terminal.until(b"$RUNNER")
    terminal.seen = b""
    terminal.type(b"again\n")
    terminal.until(b"got-again\r\n")
    terminal.until(b"prompt> ")
    terminal.type(b"exit\n")
    assert terminal.end().ended.exit_code == 0


# --- cost ------------------------------------------------------------------------------------


def test_the_import_is_cheap() -> None:
    heavy = "import sys; before = set(sys.modules); import gitmem.system.child; print(*sorted(set(sys.modules) - before))"
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
