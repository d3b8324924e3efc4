"""Odd output and odd ends of commands, on pipes and on terminals: nothing changes or leaks."""
# ruff: noqa: E501  scripts on one line

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.depth import DEEP, amount, sampled
from tests.e2e.running import _OWN_TERMINAL as OWN_TERMINAL
from tests.e2e.running import COMMAND, environment, observer, ok

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

PYTHON = sys.executable
BIG = amount(share=20_000_000, ci=60_000_000, whole=2_000_000_000)  # bytes of the big log
MEMORY = 140_000  # kilobytes that gitmem may use, whatever the command says
_SECONDS = 1_500 if DEEP else 100

# Writes what its first argument names, and then fails.
_TALKS = r"""
import os, sys
def say(data, to=1):
    view = memoryview(data)
    while view:
        view = view[os.write(to, view):]
ODD = {
    "no-newline": lambda: say(b"all but done"),
    "progress": lambda: [say(b"\r[%-20s] %d%%" % (b"#" * n, n * 5)) for n in range(21)],
    "ansi": lambda: say(b"\x1b[1;31mred\x1b[0m\x1b]0;title\x07\x1b[2K\x1b[1A\x1b[?25l\x1b(B\x1b[\n"),
    "binary": lambda: say(bytes(range(256)) * 500 + b"\0" * 5000 + b"\n"),
    "encodings": lambda: say(
        "größer\n".encode("latin-1") + "エラー\n".encode("shift-jis") + "größer\n".encode("utf-8")
        + "größer\n".encode("utf-16") + b"\xed\xa0\x80\xff\xfe\xc0\xaf\n"
    ),
    "utf-16": lambda: say("\ufeffgr\xf6\xdfer\r\n".encode("utf-16-le")),
    "both": lambda: [say(b"%d\n" % n, 1 + n % 2) for n in range(2000)],
    "empty": lambda: None,
}
ODD[sys.argv[1]]()
"""
_FAILS = "raise ValueError('after the mess')\n"
NAMES = ("no-newline", "progress", "ansi", "binary", "encodings", "both", "empty", "utf-16")


class Said(NamedTuple):
    """What a command gave."""

    code: int
    out: bytes
    err: bytes


Runner = Callable[..., Said]


@pytest.fixture
def shop(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, begin)


def begin(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("talks.py", _TALKS + _FAILS)
    repo.commit()


def on_pipes(folder: Path, *words: str) -> Said:
    """Run with both outputs in pipes."""
    if words[0] == COMMAND:
        words = (*observer(), *words[1:])
    done = subprocess.run(
        words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS,
        check=False,
    )  # fmt: skip
    return Said(done.returncode, done.stdout, done.stderr)


class Terminal:
    """A command on a terminal that is its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.master, slave = pty.openpty()
        self.resize(80, 24)
        self.process = subprocess.Popen(
            [PYTHON, "-c", OWN_TERMINAL, *words],
            cwd=folder, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env=environment({"TERM": "xterm"}),
        )  # fmt: skip
        os.close(slave)
        self.said = b""

    def resize(self, columns: int, rows: int) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def read(self) -> bool:
        if not select.select([self.master], [], [], _SECONDS)[0]:
            self.process.kill()
            raise AssertionError(self.said[-1000:])
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.said += data
        return bool(data)

    def until(self, what: bytes) -> None:
        while what not in self.said:
            assert self.read(), self.said[-1000:]

    def end(self) -> Said:
        while self.read():
            pass
        os.close(self.master)
        return Said(self.process.wait(_SECONDS), self.said, b"")


def on_terminal(folder: Path, *words: str) -> Said:
    """Run on a terminal to the end."""
    return Terminal(folder, *words).end()


ways = pytest.mark.parametrize("way", [on_pipes, on_terminal])
OBSERVED = (COMMAND, "--color", "never", "run", "--")


def same(folder: Path, way: Runner, *words: str) -> str:
    """Check that a command is the same under observation; give what is said of it below."""
    plain, seen = way(folder, *words), way(folder, *OBSERVED, *words)
    assert seen.code == plain.code
    if way is on_pipes:
        assert seen.out == plain.out
        assert seen.err.startswith(plain.err)
        return seen.err.removeprefix(plain.err).decode()
    assert seen.out.startswith(plain.out)
    return seen.out.removeprefix(plain.out).decode()


# what it says


@sampled(6)
@ways
@pytest.mark.parametrize("name", NAMES)
def test_odd_output_passes_unchanged(shop: "Checkout", way: Runner, name: str) -> None:
    below = same(shop, way, PYTHON, "talks.py", name)
    if name == "utf-16":  # what follows in another encoding can't be read by anybody
        assert "Traceback" not in below
    else:
        assert "gitmem: new  ValueError: after the mess" in below


# Runs a command and tells how much memory it took at most, in kilobytes: not the test's own
# process does, whose size a new process has until its program is loaded.
_MEASURES = (
    "import resource, subprocess, sys; code = subprocess.run(sys.argv[2:]).returncode;"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(sys.argv[1], 'w'));"
    "sys.exit(code)"
)
_LOG = r"""
import os, sys
line = b"2026-01-02T03:04:05Z INFO shop.cart: item 4711 was put into the cart of a customer\n"
block = line * (1 << 12)
left = int(sys.argv[1])
while left > 0:
    left -= os.write(1, block[:left])
os.write(1, b"\n")
"""
_LINE = r"""
import os, sys
block = b"x" * (1 << 20)
for _ in range(int(sys.argv[1]) >> 20):
    os.write(1, block)
os.write(1, b"\n")
"""


@pytest.mark.timeout(2_000 if DEEP else 120)
@pytest.mark.parametrize(("script", "size"), [(_LOG, BIG), (_LINE, 100 << 20)], ids=["log", "line"])
def test_much_output_takes_little_memory_and_its_last_line_is_read(
    shop: "Checkout", script: str, size: int, tmp_path: Path
) -> None:
    shop.add("big.py", script + _FAILS)
    peak = tmp_path / "peak"
    words = [PYTHON, "-c", _MEASURES, str(peak), *OBSERVED, PYTHON, "big.py", str(size)]
    process = subprocess.Popen(words, cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    assert process.stderr
    count = 0
    while piece := process.stdout.read(1 << 20):
        count += len(piece)
    said = process.stderr.read()
    process.communicate()
    assert process.returncode == 1
    assert count == size + 1
    assert b"gitmem: new  ValueError: after the mess" in said
    assert int(peak.read_text()) < MEMORY


def test_much_output_on_a_terminal(shop: "Checkout") -> None:
    shop.add("big.py", _LOG + _FAILS)
    below = same(shop, on_terminal, PYTHON, "big.py", "3000000")
    assert "gitmem: new  ValueError: after the mess" in below


# how it ends


@sampled(4)
@ways
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("echo before; exec >&- 2>&-; echo late >mark; exit 4", 4),
        ("kill -KILL $$", 137),
        ("kill -TERM $$", 143),
        ("kill -SEGV $$", 139),
        ("exit 130", 130),
        ("exit 255", 255),
    ],
)
def test_odd_ends_are_passed_on(shop: "Checkout", way: Runner, script: str, code: int) -> None:
    seen = way(shop, *OBSERVED, "sh", "-c", script)
    assert seen.code == code
    assert b"Traceback" not in seen.out + seen.err
    if "mark" in script:
        assert (shop / "mark").read_text() == "late\n"


@ways
def test_a_command_that_somebody_kills(shop: "Checkout", way: Runner) -> None:
    script = "(sleep 0; kill -KILL $$) & wait; sleep 1000"
    assert way(shop, *OBSERVED, "sh", "-c", script).code == 137


@sampled(1)
@ways
def test_a_command_that_is_not_there_or_is_no_program(shop: "Checkout", way: Runner) -> None:
    seen = way(shop, *OBSERVED, "no-such-command", "--flag")
    said = (seen.out + seen.err).decode().replace("\r\n", "\n").splitlines()
    assert seen.code == 127
    assert said[0] == "gitmem: no-such-command: command not found"
    assert sum("Traceback" in line for line in said) == 0
    shop.add("data.txt", "x\n")
    seen = way(shop, *OBSERVED, "./data.txt")
    said = (seen.out + seen.err).decode().replace("\r\n", "\n").splitlines()
    assert seen.code == 126
    assert said[0] == "gitmem: ./data.txt: permission denied"


@pytest.fixture
def leftovers(tmp_path: Path) -> Iterator[Path]:
    """Give a file for the process ids of what goes on; it is ended after the test."""
    file = tmp_path / "pids"
    yield file
    for pid in file.read_text().split():
        os.kill(int(pid), signal.SIGKILL)


@sampled(1)
@ways
def test_what_goes_on_in_the_background_with_our_pipe_does_not_hold_us(
    shop: "Checkout", way: Runner, leftovers: Path
) -> None:
    # It never ends; who waits for it runs into the time limit.
    script = f"setsid sh -c 'echo $$ >>{leftovers}; exec sleep 1000' & "
    script += f"until [ -s {leftovers} ]; do :; done; echo said; exit 3"
    seen = way(shop, *OBSERVED, "sh", "-c", script)
    assert seen.code == 3
    assert b"said" in seen.out


@sampled(2)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("terminal", [False, True])
def test_a_command_that_ignores_signals_ends_as_it_likes(
    shop: "Checkout", number: signal.Signals, *, terminal: bool
) -> None:
    os.mkfifo(shop / "fifo")
    words = [
        *OBSERVED, "sh", "-c", "trap '' INT TERM HUP; echo ready; read x <fifo; echo $x; exit 3"
    ]  # fmt: skip
    if terminal:
        place = Terminal(shop, *words)
        place.until(b"ready")
        place.process.send_signal(number)
        (shop / "fifo").write_text("still here\n")
        seen = place.end()
    else:
        process = subprocess.Popen(
            words, cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        (shop / "fifo").write_text("still here\n")
        seen = Said(-1, *process.communicate(timeout=_SECONDS))
        seen = seen._replace(code=process.returncode)
    assert b"still here" in seen.out
    assert seen.code == 3


_SIZES = r"""
import os, signal, time
def say(*_):
    os.write(1, b"size %d %d\n" % os.get_terminal_size(1))
    if os.get_terminal_size(1).columns == 101:
        os._exit(0)
signal.signal(signal.SIGWINCH, say)
say()
while True:
    time.sleep(0.05)  # with a pause, a signal just before it would be answered after the next one
"""


def test_a_resized_terminal_is_resized_for_the_command(shop: "Checkout") -> None:
    shop.add("sizes.py", _SIZES)
    terminal = Terminal(shop, *OBSERVED, PYTHON, "sizes.py")
    terminal.until(b"size 80 24")
    terminal.resize(101, 33)
    terminal.until(b"size 101 33")
    assert terminal.end().code == 0


# secrets

SECRET = "ghp_" + "q7Zx9Lk2" * 4 + "Ab1Z"
# The program builds it, so that only what it says holds it.
_BUILDS = 'SECRET = "_".join(["ghp", "".join(["q7Zx", "9Lk2"] * 4) + "Ab" + "1Z"])\n'
_LEAKS = {
    "no-newline": "sys.stderr.write('ValueError: bad token ' + SECRET); sys.exit(1)",
    "progress": "sys.stderr.write(f'\\r50% {SECRET}\\rValueError: {SECRET}\\n'); sys.exit(1)",
    "ansi": "raise ValueError('\\x1b[31m' + SECRET[:9] + '\\x1b[0m' + SECRET[9:])",
    "binary": "os.write(2, b'\\0\\xff\\0ValueError: ' + SECRET.encode() + b'\\0\\xfe\\n'); sys.exit(1)",
    "utf-16": "os.write(2, ('\\ufeffValueError: ' + SECRET).encode('utf-16-le')); sys.exit(1)",
    "latin-1": "os.write(2, b'ValueError: gr\\xf6\\xdfer ' + SECRET.encode() + b'\\xff\\n'); sys.exit(1)",
    "long-line": "raise ValueError('x ' * 8100 + SECRET * 30)",
    "cut-line": "raise ValueError('y' * (16384 - 32) + ' ' + SECRET + ' and more')",
    "many": "[print(f'ERROR: {n} {SECRET}', file=sys.stderr) for n in range(3000)]; sys.exit(1)",
    "repr": "raise ValueError({'token': SECRET, 'url': f'https://user:{SECRET}@example.com/'})",
    "killed": "print('ValueError:', SECRET, flush=True); os.kill(os.getpid(), 9)",
    "raised": "raise ValueError(SECRET)",
}


def _traces(folder: Path, *secrets: bytes) -> list[str]:
    """Name the files that hold one of some secrets, packed git objects too."""
    found = []
    for path in [*(folder / ".git").rglob("*"), *(folder / ".memory").rglob("*")]:
        if not path.is_file():
            continue
        data = path.read_bytes()
        if ".git/objects/" in str(path) and "pack" not in path.parts:
            data += zlib.decompress(data)
        if any(secret in data for secret in secrets):
            found.append(str(path.relative_to(folder)))
    return found


@sampled(4)
@ways
@pytest.mark.parametrize("name", _LEAKS)
def test_no_secret_that_a_command_says_reaches_a_file(
    shop: "Checkout", way: Runner, name: str
) -> None:
    shop.add("app.py", f"import os, sys\n{_BUILDS}{_LEAKS[name]}\n")
    shop.commit("a bug")
    words = (*OBSERVED, PYTHON, "app.py")
    red = way(shop, *words)
    assert red.code in {1, 137}
    shop.add("app.py", "print('well')\n")
    green = way(shop, *words, SECRET)
    assert green.code == 0
    shop.add("app.py", "print('well')\n")
    assert way(shop, *words).code == 0
    assert (shop / ".git" / "gitmem").is_dir()
    # A part gives it away as well: any sixteen of its characters.
    secret = SECRET.encode()
    parts = [secret[start : start + 16] for start in range(4, len(secret) - 16, 4)]
    assert len(parts) > 4
    assert not _traces(shop, *parts, SECRET.encode("utf-16-le")[8:40])


@ways
def test_what_is_searched_for_secrets_is_what_is_written(shop: "Checkout", way: Runner) -> None:
    shop.add("app.py", "raise ValueError('marigold tincture')\n")
    shop.commit("a bug")
    way(shop, *OBSERVED, PYTHON, "app.py")
    shop.add("app.py", "print('well')\n")
    way(shop, *OBSERVED, PYTHON, "app.py")
    places = _traces(shop, b"marigold tincture")
    assert any(place.startswith(".git/gitmem") for place in places)
    assert any(place.startswith(".memory/errors") for place in places)
    assert any(place.startswith(".git/objects") for place in places)
