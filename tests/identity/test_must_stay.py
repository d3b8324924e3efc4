"""What was told rightly before names, values and causes counted, and has to stay so.

For each tool the same failure of another run, folder or line, and another failure like it.
"""

from typing import Final, NamedTuple

import pytest

from benchmarks.identity import ask_by_fingerprints, strongest
from tests.identity.test_same import AT_PLACE, ERROR, KNOWN, MESSAGE, NEW, SIMILAR

Pairs = tuple[tuple[str, str], ...]


class Stays(NamedTuple):
    """An output, and what is told of it changed in two ways.

    Attributes:
        name: of the tool.
        output: what is recorded.
        same: what another run replaces in it.
        other: what another failure replaces.
        told: what may be told of the same one.
        apart: what may be told of the other one.

    """

    name: str
    output: str
    same: Pairs
    other: Pairs
    told: frozenset[str] = KNOWN
    apart: frozenset[str] = AT_PLACE


_SHORT: Final = (
    "=========================== short test summary info ============================\n"
    "FAILED tests/test_cart.py::test_total - assert 6 == 5\n"
    "========================= 1 failed, 3 passed in 0.12s ==========================\n"
)
_XDIST: Final = (
    "=================================== FAILURES ===================================\n"
    "______________________________ tests/test_cart.py ______________________________\n"
    "[gw1] linux -- Python 3.12.1 /srv/shop/.venv/bin/python\n"
    "worker 'gw1' crashed while running 'tests/test_cart.py::test_total'\n"
    "=========================== short test summary info ============================\n"
    "FAILED tests/test_cart.py::test_total\n"
    "========================= 1 failed, 3 passed in 1.12s ==========================\n"
)
_MOCHA: Final = (
    "\n  cart\n    1) sums\n    ✔ is fine\n\n\n  1 passing (16ms)\n  1 failing\n\n  1) cart\n"
    "       sums:\n\n      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n"
    "\n"
    "2 !== 3\n\n      + expected - actual\n\n      -2\n      +3\n      \n"
    "      at Context.<anonymous> (tests/cart.js:10:12)\n"
)
_BATS: Final = (
    "1..2\nok 1 sums nothing\nnot ok 2 sums all\n# (in test file cart.bats, line 7)\n"
    '#   `[ "$((1 + 1))" -eq 3 ]\' failed\n'
)
_INDEX: Final = (
    "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\n"
    "main.total(...)\n\t/srv/shop/cart.go:9\nmain.main()\n\t/srv/shop/cart.go:14 +0x1d\n"
    "exit status 2\n"
)
_NIL: Final = "invalid memory address or nil pointer dereference"
_UNWRAP: Final = (
    "thread 'main' panicked at src/main.rs:4:30:\ncalled `Result::unwrap()` on an `Err` value:"
    " ParseIntError { kind: InvalidDigit }\nnote: run with `RUST_BACKTRACE=1`\n"
)
_NUGET: Final = (
    "/srv/shop/Shop.csproj : error NU1101: Unable to find package Shop.Money. No packages exist"
    " with this id in source(s): nuget.org\n"
)
_NO_FUNCTION: Final = (
    "/srv/shop/cart.js:4\n  return cart.total();\n              ^\n\n"
    "TypeError: cart.total is not a function\n    at pay (/srv/shop/cart.js:4:15)\n"
    "    at Object.<anonymous> (/srv/shop/cart.js:9:1)\n"
)
_SNAPSHOT: Final = (
    "FAIL ./cart.test.js\n  ✕ renders (2 ms)\n\n  ● renders\n\n"
    "    expect(received).toMatchSnapshot()\n\n    Snapshot name: `renders 1`\n\n"
    '    Snapshot: "tea 4"\n    Received: "tea 5"\n\n      5 |   test("renders", () => {\n'
    "    > 6 |     expect(draw(cart)).toMatchSnapshot()\n        |                        ^\n\n"
    "      at Object.toMatchSnapshot (cart.test.js:6:24)\n\nTests:       1 failed, 1 total\n"
)
_MEMORY: Final = (
    'Traceback (most recent call last):\n  File "/srv/shop/train.py", line 9, in step\n'
    "    loss.backward()\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate"
    " 2.00 GiB (GPU 0; 15.78 GiB total capacity; 12.11 GiB already allocated)\n"
)
_GRADLE: Final = (
    "> Task :test FAILED\n\nCartTest > adds() FAILED\n    org.opentest4j.AssertionFailedError at"
    " CartTest.java:14\n\n3 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\n"
)
_NINJA: Final = (
    "[1/2] Building C object cart.o\nFAILED: cart.o\ngcc -c ../cart.c\n"
    "../cart.c:4:3: error: 'price' undeclared (first use in this function)\n"
    "ninja: build stopped: subcommand failed.\n"
)
_CELERY: Final = (
    "[2026-01-02 03:04:05,678: ERROR/ForkPoolWorker-2] Task shop.tasks.pay[{0}] raised unexpected:"
    " KeyError('tea')\nTraceback (most recent call last):\n  File \"/srv/shop/tasks.py\", line 9,"
    " in pay\n    return prices[item]\nKeyError: 'tea'\n"
)
_APT: Final = "Reading package lists...\nE: Unable to locate package libmoney-dev\n"
_UV: Final = (
    "  \u00d7 No solution found when resolving dependencies:\n"
    "  ╰─▶ Because shop-money was not found in the package registry and you require shop-money, we"
    " can conclude that your requirements are unsatisfiable.\n"
)
STAY: Final = (
    Stays("pytest, short", _SHORT, (("0.12s", "3.40s"), ("3 passed", "9 passed")),
          (("test_total", "test_tax"), ("6 == 5", "1 == 0")), apart=NEW),
    Stays("pytest-xdist", _XDIST, (("gw1", "gw3"), ("1.12s", "9.00s")),
          (("test_total", "test_tax"),), apart=NEW),
    Stays("mocha", _MOCHA, (("16ms", "91ms"), ("cart.js:10", "cart.js:14")),
          (("sums", "rounds"), ("2 !== 3", "0 !== 1"), ("-2\n", "-0\n"), ("+3\n", "+1\n"),
           ("cart.js:10", "cart.js:31")), apart=NEW),
    Stays("bats", _BATS, (("line 7", "line 9"),),
          (("sums all", "finds"), ('"$((1 + 1))" -eq 3', "-e /srv/cart"), ("line 7", "line 21")),
          apart=NEW),
    Stays("Go, index", _INDEX, (("/srv/shop", "/home/ann/shop"), ("cart.go:9", "cart.go:11")),
          (("index out of range [3] with length 3", _NIL),), ERROR),
    Stays("Rust, unwrap", _UNWRAP, (("main.rs:4:30", "main.rs:9:30"),),
          (("ParseIntError { kind: InvalidDigit }",
            'Os { code: 2, kind: NotFound, message: "No such file or directory" }'),)),
    Stays("NuGet", _NUGET, (("/srv/shop", "/builds/1"),), (("Shop.Money", "Shop.Mail"),),
          apart=NEW),
    Stays("node, no function", _NO_FUNCTION,
          (("/srv/shop", "/builds/1"), ("cart.js:4", "cart.js:6")),
          (("cart.total is not", "cart.tax is not"), ("cart.total()", "cart.tax()")), ERROR),
    Stays("Jest, snapshot", _SNAPSHOT, (("(2 ms)", "(31 ms)"),),
          (("renders", "lists"), ("draw(cart)", "list(cart)")), ERROR),
    Stays("CUDA", _MEMORY, (("2.00 GiB", "1.20 GiB"), ("12.11", "13.02"), ("line 9", "line 12")),
          ((_MEMORY.partition("Error: ")[2].strip(), "CUDA error: device-side assert triggered"),
           ("OutOfMemoryError", "RuntimeError")), ERROR),
    Stays("Gradle, test", _GRADLE, (("3 tests", "9 tests"),),
          (("adds()", "rounds()"), ("CartTest.java:14", "CartTest.java:40")), apart=NEW),
    Stays("ninja", _NINJA, (("../cart.c:4", "../cart.c:7"), ("[1/2]", "[7/9]")),
          (("'price' undeclared (first use in this function)", "expected ';' before '}' token"),)),
    Stays("Celery", _CELERY.replace("{0}", "7f0c1d2e-1111-4222-8333-aabbccddeeff"),
          (("7f0c1d2e-1111", "00ac44b8-3333"), ("ForkPoolWorker-2", "ForkPoolWorker-7")),
          (("KeyError('tea')", "TypeError('no price')"),
           ("KeyError: 'tea'", "TypeError: no price")), ERROR),
    Stays("apt", _APT, (("lists...\n", "lists...\nBuilding dependency tree...\n"),),
          (("libmoney-dev", "libmail-dev"),), apart=NEW),
    Stays("uv", _UV, (("  \u00d7 No solution", "Using CPython 3.12.1\n  \u00d7 No solution"),),
          (("shop-money", "shop-mail"),), apart=NEW),
)  # fmt: skip


def _changed(text: str, pairs: Pairs) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("stays", STAY, ids=lambda stays: stays.name)
def test_the_same_is_told_and_another_is_not(stays: Stays) -> None:
    group = {
        "id": stays.name, "a": stays.output, "same": [_changed(stays.output, stays.same)],
        "other": [_changed(stays.output, stays.other)],
    }  # fmt: skip
    answers = ask_by_fingerprints(group)
    assert answers.read, "nothing is read"
    assert strongest(answers.texts["same"][0]) in stays.told
    assert strongest(answers.texts["other"][0]) in stays.apart


def test_an_undeclared_name_is_no_other_mistake_with_another_name() -> None:
    recorded = "a.c:4:3: error: 'price' undeclared (first use in this function)\n"
    asked = "b.c:9:7: error: 'total' undeclared (first use in this function)\n"
    answers = ask_by_fingerprints({"id": "gcc", "a": recorded, "same": [asked]})
    assert strongest(answers.texts["same"][0]) in MESSAGE | SIMILAR


@pytest.mark.parametrize(
    ("recorded", "asked"),
    [
        ("    x = 'a\n        ^\nSyntaxError: EOL while scanning string literal\n",
         "    x = 'a\n        ^\nSyntaxError: unterminated string literal (detected at line 4)\n"),
        ("a.c:4:3: error: 'price' undeclared (first use in this function)\n",
         "a.c:4:3: error: use of undeclared identifier 'price'\n"),
        ("npm ERR! code E404\nnpm ERR! 404  'chartkit@9' is not in this registry.\n",
         "npm error code E404\nnpm error 404  'chartkit@9' is not in this registry.\n"),
    ],
    ids=["Python", "gcc and clang", "npm"],
)  # fmt: skip
def test_other_words_of_another_version_are_known(recorded: str, asked: str) -> None:
    head = 'Traceback (most recent call last):\n  File "/srv/shop/cart.py", line 4\n'
    if "SyntaxError" in recorded:
        recorded, asked = head + recorded, head + asked
    answers = ask_by_fingerprints({"id": "versions", "a": recorded, "same": [asked]})
    assert strongest(answers.texts["same"][0]) in KNOWN
