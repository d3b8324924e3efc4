"""``gitmem run`` with real tools: the whole loop, and that nobody notices that we listen."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.accounts import HOME
from tests.depth import sampled
from tests.e2e.running import _OWN_TERMINAL as OWN_TERMINAL
from tests.e2e.running import COMMAND, MACHINE, environment, ok, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Built, Checkout

PYTHON = sys.executable
PYTHONS = Path(__file__).resolve().parents[2] / "scripts" / "pythons.sh"
SECRET = "ghp_" + "q7Zx9Lk2" * 4 + "Ab1Z"


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits are made when they are made; tools write nothing beside the code."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


@pytest.fixture
def shop(repo: "Checkout", built: "Built") -> "Checkout":
    return built(repo, begin)


def begin(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add(".gitignore", "target/\n*.class\n*.o\nout/\n")
    repo.commit()


# --- the whole loop ------------------------------------------------------------------------------


class Story(NamedTuple):
    """A bug in some language, its fix, and the same bug elsewhere with other values."""

    command: str
    file: str
    bug: str
    good: str
    again_command: str
    again_file: str
    again: str
    tells: str
    extra: dict[str, str] = {}  # noqa: RUF012  read only


_TEST = "from {0} import mean\n\n\ndef test_mean():\n    assert mean([]) == 0\n"
_CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
STORIES = {
    "python": Story(
        "python3 a.py", "a.py", "import json\njson.loads('{')\n", "import json\njson.loads('{}')\n",
        "python3 lib/b.py", "lib/b.py", "import json\n\n\ndef f():\n    json.loads('{')\n\n\nf()\n",
        "JSONDecodeError",
    ),
    "pytest": Story(
        "python3 -m pytest -q", "cart.py",
        "def mean(prices):\n    return sum(prices) / len(prices)\n",
        "def mean(prices):\n    return sum(prices) / len(prices) if prices else 0\n",
        "python3 -m pytest -q tests", "basket.py",
        "# baskets\n\n\ndef mean(values):\n    return sum(values) / len(values)\n",
        "ZeroDivisionError",
        {"test_cart.py": _TEST.format("cart"), "tests/test_basket.py": _TEST.format("basket"),
         "conftest.py": ""},
    ),
    "gcc": Story(
        "gcc -c a.c -o a.o", "a.c", "int f(void) { return totl; }\n",
        "int totl;\nint f(void) { return totl; }\n",
        "gcc -O1 -c src/b.c -o b.o", "src/b.c",
        "int x;\n\nint g(void)\n{\n    return x + totl;\n}\n", "totl",
    ),
    "node": Story(
        "node a.js", "a.js", "const cart = undefined;\nconsole.log(cart.total);\n",
        "const cart = {};\nconsole.log(cart?.total);\n",
        "node lib/b.js", "lib/b.js", "function f(x) {\n  return x.total;\n}\n\nf(undefined);\n",
        "reading 'total'",
    ),
    "javac": Story(
        "javac -d out A.java", "A.java", 'class A { int x = "one"; }\n',
        "class A { int x = 1; }\n",
        "javac -d out src/B.java", "src/B.java",
        'class B {\n  int other() {\n    return "two";\n  }\n}\n', "incompatible types",
    ),
    "cargo": Story(
        "cargo build --offline -q", "src/lib.rs", 'pub fn f() -> i32 { "one" }\n',
        "pub fn f() -> i32 { 1 }\n",
        "cargo build --offline", "src/lib.rs",
        '// more\n\npub fn other() -> i32 {\n    "two"\n}\n', "mismatched types",
        {"Cargo.toml": _CARGO, "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\n'
         'version = "0.1.0"\n'},
    ),
    "tsc": Story(
        "tsc --noEmit a.ts", "a.ts", "const n: number = 'x';\n", "const n: string = 'x';\n",
        "tsc --noEmit lib/b.ts", "lib/b.ts", "export {};\nlet m: number = 'y';\n",
        "is not assignable",
    ),
}  # fmt: skip


def observe(folder: Path, command: str) -> tuple[int, str]:
    """Run a command under observation; give its exit code and what we said of it."""
    words = [PYTHON if word == "python3" else word for word in command.split()]
    done = run(folder, "run", "--", *words)
    return done.code, "\n".join(
        line for line in done.err.splitlines() if line.startswith(("gitmem: ", "  "))
    )


@sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", STORIES)
def test_red_edit_green_commit_clone_and_the_fix_is_shown(
    shop: "Checkout", name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = STORIES[name]
    if name in {"gcc", "node", "javac", "cargo", "tsc"} and not shutil.which(name):
        pytest.skip(f"there is no {name} here")
    if name == "cargo":
        home = HOME
        for name_of, place in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")):
            monkeypatch.setenv(name_of, os.environ.get(name_of) or str(home / place))
    for file, text in {**story.extra, story.file: story.bug}.items():
        if "basket" not in file:
            shop.add(file, text)
    shop.commit("a bug")
    code, said = observe(shop, story.command)
    if name == "cargo" and "rustup" in said:
        pytest.skip("cargo needs its own HOME here")
    assert code not in {0, MACHINE}
    assert "gitmem: new" in said
    assert story.tells in said

    shop.add(story.file, story.good)
    code, said = observe(shop, story.command)
    assert code == 0, said
    assert "gitmem: learnt" in said
    assert "the bug was already committed" in said
    assert len(list((shop / ".memory").glob("errors/*/*/*.yaml"))) == 1
    assert len(list((shop / ".memory").glob("fixes/*/*/*.yaml"))) == 1
    shop.commit("fixed, and remembered")

    clone = type(shop)(shop.parent / "clone")
    shop.git("clone", "-q", str(shop), str(clone))
    for file, text in {**story.extra, story.again_file: story.again}.items():
        clone.add(file, text)
    code, said = observe(clone, story.again_command)
    assert code != 0
    shown = said[said.index("gitmem: known") :].splitlines()
    assert story.tells in shown[0]
    assert shown[1].split()[0] == "worked", said
    assert story.file in shown[1]


def test_another_python_knows_it_too(shop: "Checkout") -> None:
    said = subprocess.run(["sh", str(PYTHONS)], capture_output=True, text=True, check=True).stdout
    pythons = dict(line.split(maxsplit=1) for line in said.splitlines())
    mine = f"{sys.version_info[0]}.{sys.version_info[1]}"
    other = next((path for version, path in pythons.items() if version != mine), "")
    if not other:
        pytest.skip("there is one Python here only")
    story = STORIES["python"]
    shop.add(story.file, story.bug)
    shop.commit("a bug")
    observe(shop, story.command)
    shop.add(story.file, story.good)
    observe(shop, story.command)
    shop.add("c.py", story.bug)
    _, said = observe(shop, f"{other} c.py")
    assert "gitmem: known" in said
    assert "worked" in said


def test_a_missing_symbol_is_the_same_in_another_class(shop: "Checkout") -> None:
    if not shutil.which("javac"):
        pytest.skip("there is no javac here")
    shop.add("A.java", "class A { int f() { return totl; } }\n")
    shop.commit("a bug")
    observe(shop, "javac -d out A.java")
    shop.add("A.java", "class A { int f() { return 1; } }\n")
    observe(shop, "javac -d out A.java")
    shop.add("B.java", "class B { int g() { return totl; } }\n")
    assert "gitmem: known" in observe(shop, "javac -d out B.java")[1]


def test_what_was_tried_already_is_warned_of(shop: "Checkout") -> None:
    texts = ["1 / 0\n", "# wrong\nx = 1\n1 / 0\n", "1 / 0\n"]
    for text in texts:
        shop.add("a.py", text)
        observe(shop, "python3 a.py")
    shop.add("a.py", texts[1])
    code, said = observe(shop, "python3 a.py")
    assert code == 1
    assert "gitmem: you already tried this" in said


# --- nobody notices ------------------------------------------------------------------------------

_TALKS = """\
import os, sys
sys.stdout.write("out \\x1b[31mred\\x1b[0m \\r\\n\\tno end"); sys.stdout.flush()
sys.stderr.write("err\\n"); sys.stderr.flush()
os.write(1, bytes(range(256)) * 300)
print(sys.stdout.isatty(), sys.stderr.isatty(), sys.stdin.read())
sys.exit(int(sys.argv[1]))
"""


@sampled(2)
@pytest.mark.parametrize("code", [0, 1, 2, 77, 255])
def test_pipes_give_the_same_bytes_and_exit_code(shop: "Checkout", code: int) -> None:
    shop.add("talks.py", _TALKS)
    words = [PYTHON, "talks.py", str(code)]

    def go(*before: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*before, *words], cwd=shop, input=b"typed", capture_output=True, check=False
        )

    plain, observed = go(), go(COMMAND, "run", "--")
    assert observed.returncode == plain.returncode == code
    assert observed.stdout == plain.stdout
    assert observed.stderr.startswith(plain.stderr)
    rest = observed.stderr.removeprefix(plain.stderr)
    assert rest == b"" if code == 0 else rest.startswith(b"gitmem: ")


def _on_terminal(folder: Path, *words: str) -> tuple[int, bytes]:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [PYTHON, "-c", OWN_TERMINAL, *words],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env=environment({"TERM": "xterm"}),
    )
    os.close(slave)
    said = b""
    while select.select([master], [], [], 60)[0]:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        said += data
    os.close(master)
    return process.wait(60), said


def test_a_terminal_gives_the_same_bytes(shop: "Checkout") -> None:
    shop.add("talks.py", _TALKS.replace("sys.stdin.read()", "sys.stdin.isatty()"))
    words = (PYTHON, "talks.py", "0")
    plain = _on_terminal(shop, *words)
    assert b"True True True" in plain[1]
    assert _on_terminal(shop, COMMAND, "run", "--", *words) == plain


@sampled(2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_reach_the_command(shop: "Checkout", number: signal.Signals) -> None:
    shop.add("waits.py", "import time\nprint('here', flush=True)\ntime.sleep(60)\n")
    # Whoever runs these tests may ignore it (nohup does), and so would all that they start.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        process = subprocess.Popen(
            [COMMAND, "run", "--", PYTHON, "waits.py"],
            cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    finally:
        signal.signal(number, before)
    with process:
        assert process.stdout
        assert process.stdout.readline() == b"here\n"
        time.sleep(0.1)
        process.send_signal(number)
        try:
            process.wait(30)
        finally:
            process.kill()
    assert process.returncode == 128 + number


def test_what_whoever_runs_it_ignores_the_command_ignores(shop: "Checkout") -> None:
    said = "import signal; print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        done = run(shop, "run", "--", PYTHON, "-c", said, real=True)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert done.out == "True\n"


def test_a_command_that_kills_itself(shop: "Checkout") -> None:
    done = run(shop, "run", "--", "sh", "-c", "kill -9 $$")
    assert done.code == 137


def test_a_command_that_is_not_there(shop: "Checkout") -> None:
    done = run(shop, "run", "--", "no-such-command", "--flag")
    assert done.code == 127
    assert done.err.splitlines() == ["gitmem: no-such-command: command not found"]


def test_a_mistyped_command_is_no_run_and_is_fixed_by_nothing(shop: "Checkout") -> None:
    assert run(shop, "run", "--", "./check").code == 127
    assert ok(shop, "runs") == ok(shop, "runs", "attempts") == ""
    shop.add("check", "#!/bin/sh\nexit 0\n").chmod(0o755)
    assert run(shop, "run", "--", "./check") == (0, "", "")
    assert ok(shop, "drafts") == ""


def test_of_a_mistyped_command_what_is_known_is_told(shop: "Checkout") -> None:
    ok(shop, "add", "error", "--message", "gitmem: no-such-command: command not found",
       "--tool", "no-such-command")  # fmt: skip
    ok(shop, "resolve", "err", "install no-such-package")
    assert "install no-such-package" in run(shop, "run", "--", "no-such-command").err


def test_a_command_that_a_script_does_not_find_is_a_failing_run(shop: "Checkout") -> None:
    done = run(shop, "run", "--", "sh", "-c", "no-such-command")
    assert done.code == 127
    assert "gitmem: new  " in done.err
    assert "failed" in ok(shop, "runs")


def test_a_file_that_is_no_program(shop: "Checkout") -> None:
    shop.add("data.txt", "x\n")
    assert run(shop, "run", "--", "./data.txt").code == 126


def test_options_after_the_command_are_the_commands(shop: "Checkout") -> None:
    assert run(shop, "run", "echo", "--help", "-C", "x").out == "--help -C x\n"


# --- hint ----------------------------------------------------------------------------------------


def test_a_hint_from_standard_input_and_from_an_argument(shop: "Checkout") -> None:
    text = "KeyError: 'total'"
    ok(shop, "add", "error", "--type", "KeyError", "--message", "'total'")
    piped, told = ok(shop, "hint", stdin=f"noise\n{text}\n"), ok(shop, "hint", text)
    assert piped == told
    assert piped.startswith("gitmem: known  KeyError: 'total'  seen 1 time")
    (found,) = json.loads(ok(shop, "hint", text, "--json"))["failures"]
    assert found["label"] in {"same error", "same message"}
    assert json.loads(ok(shop, "hint", "all is well", "--json"))["failures"] == []
    done = run(shop, "hint", "ValueError: unheard of")
    assert (done.code, done.notes) == (0, [])
    assert done.out.startswith("gitmem: new  ValueError: unheard of")
    assert run(shop, "hint", "all is well").notes[0].endswith("gitmem search")


TORN = """Traceback (most recent call last):
  File "/srv/cart.py", line 42, in <module>
    print(total(load("orders.json")))
  File "/srv/cart.py", line 17, in total
    return sum(PRICES[item.name] * item.count for item in order.lines)
KeyError: 'strawberry cake with whipped cream'
"""


@pytest.mark.parametrize(("mangle", "told"), [
    (lambda text: " ".join(text.split()),
     "  similar     KeyError: 'strawberry cake with whipped cream'  {}"),
    (lambda text: "\n".join(f"> {line}" for line in text.splitlines()), "  gitmem show {} "),
], ids=["line breaks lost", "quoted"])  # fmt: skip
def test_a_hint_knows_what_search_finds_for_a_torn_paste(
    shop: "Checkout", mangle: "Callable[[str], str]", told: str
) -> None:
    error = ok(shop, "add", "error", "--type", "KeyError", "--excerpt", "-", "--message",
               "'strawberry cake with whipped cream'", stdin=TORN).split()[0]  # fmt: skip
    ok(shop, "resolve", error, "look the price up by sku")
    torn = mangle(TORN)
    assert error in ok(shop, "search", stdin=torn)
    said = ok(shop, "hint", stdin=torn)
    assert told.format(error) in said
    assert "look the price up by sku" in said


def test_pieces_without_a_name_are_not_told_as_failures(shop: "Checkout") -> None:
    torn = "\n".join(line.strip() for line in TORN.splitlines())
    assert ok(shop, "hint", stdin=torn).count("gitmem: ") == 1


# --- secrets -------------------------------------------------------------------------------------


def test_secrets_reach_no_file_of_ours(shop: "Checkout") -> None:
    bug = f"import os\ntoken = '{SECRET}'\nraise ValueError(token, os.environ['API_PASSWORD'])\n"
    shop.add("a.py", bug)
    shop.commit("a bug, and worse")
    own = "tulip-7-harbour-Q9"
    words = ("run", "--", PYTHON, "a.py", f"--token={SECRET}")
    red = run(shop, *words, env={"API_PASSWORD": own})
    assert SECRET in red.err  # the command's own output is not ours to change
    shop.add("a.py", f"token = '{SECRET[:-1]}2'\n")
    green = run(shop, *words, env={"API_PASSWORD": own})
    assert "gitmem: learnt" in green.err
    for line in (red.err + green.err).splitlines():
        assert not line.startswith("gitmem: ") or SECRET not in line
    for place in (shop / ".memory", shop / ".git" / "gitmem"):
        for path in place.rglob("*"):
            data = path.read_bytes() if path.is_file() else b""
            assert SECRET[4:].encode() not in data, path
            assert own.encode() not in data, path
