import io
import itertools
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitmem.matching import registry
from gitmem.matching import text as texts
from gitmem.matching.collect import MOST
from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.parse import Parser, main_failure, parse
from gitmem.matching.text import BLOCK, LINE_LIMIT, Blocks, clean
from gitmem.output.failure import MAX_MESSAGE
from gitmem.tools.choice import names, values

TRACE = """Traceback (most recent call last):
  File "/home/dev/project/{file}.py", line {line}, in {function}
    run({line})
ValueError: bad value {line}
"""
# Words that parsers look for, to get past the first glance.
WORDS = sorted({word for entry in registry.entries() for word in entry.words})
BITS = st.sampled_from(
    [
        *WORDS,
        "\n",
        "\r\n",
        "\r",
        " ",
        "    ",
        "\t",
        ": ",
        "a.py:3: ",
        "x.c:1:2: error: ",
        "E   assert 1 == 2",
        "____ test ____",
        "= FAILURES =",
        "--- FAIL: TestX (0.00s)",
        "  ● a",
        "^",
        "|",
        "\x1b[31m",
        "\x00",
        "é",
        "Caused by: java.lang.Error",
        "\tat a.b.C.d(C.java:3)",
        "    at f (a.js:1:2)",
        "npm ERR! code E",
        '{"rendered":',
        "#1 1.0 ",
    ]
)
OUTPUTS = st.one_of(
    st.text(max_size=400), st.lists(BITS, max_size=60).map("".join), st.binary(max_size=400)
)


@given(OUTPUTS)
@example(b"\xff\xfe\x00")
@example("\x1b]0;title")
def test_nothing_makes_parsing_fail(output: bytes | str) -> None:
    for failure in parse(output):
        fingerprints(failure)


@given(OUTPUTS, st.lists(st.integers(1, 50), min_size=1, max_size=20))
def test_any_cut_gives_the_same(output: bytes | str, sizes: list[int]) -> None:
    parser = Parser()
    at = number = 0
    while at < len(output):
        size = sizes[number % len(sizes)]
        parser.feed(output[at : at + size])
        at += size
        number += 1
    assert parser.close() == parse(output)


@settings(max_examples=30)
@given(st.binary(max_size=3_000), st.integers(1, 700))
def test_any_cut_gives_the_same_blocks(data: bytes, size: int) -> None:
    whole, pieces = Blocks(), Blocks()
    expected = [*whole.feed(data), *whole.close()]
    found = [
        block for at in range(0, len(data), size) for block in pieces.feed(data[at : at + size])
    ]
    assert found + list(pieces.close()) == expected


def long_log(lines: int, every: int) -> str:
    out = io.StringIO()
    for number in range(lines):
        out.write(f"2026-11-21 09:30:{number % 60:02} INFO worker-{number % 8} did item {number}\n")
        if number % every == every - 1:
            out.write(TRACE.format(file=f"module_{number}", line=number, function="work"))
    return out.getvalue()


@pytest.mark.parametrize("size", [997, 65_536, 3_000_000])
def test_a_failure_over_the_border_of_two_blocks_is_found(size: int) -> None:
    text = long_log(40_000, 400)
    assert len(text) > 7 * BLOCK
    parser = Parser()
    for at in range(0, len(text), size):
        parser.feed(text[at : at + size].encode())
    found = parser.close()
    assert len(found) == 100
    assert [failure.frames[0].line for failure in found] == list(range(399, 40_000, 400))


def test_lines_without_a_failure_are_not_looked_at() -> None:
    parser = Parser()
    parser.feed("all is well, item done in 3 ms\n" * 200_000)
    assert parser.close() == []
    assert parser.examined == 0


def test_a_log_of_lines_alike_is_looked_at_once() -> None:
    parser = Parser()
    for number in range(20_000):
        parser.feed(f"2026-11-21 09:30:00 ERROR could not reach 10.0.0.{number % 250}:80{number}\n")
    found = parser.close()
    assert len(found) == 1
    assert parser.examined < 10


@pytest.mark.parametrize("times", [1, 2, 4])
def test_the_work_grows_with_the_length_only(times: int) -> None:
    parser = Parser()
    letters = "abcdefghij"
    for number in range(2_000 * times):
        name = "".join(letters[int(digit)] for digit in str(number))
        parser.feed(f"ERROR in {name}\nsome: error: {name}\n    at {name}\n")
    parser.close()
    assert parser.examined <= 2 * 2_000 * times


def test_a_line_of_many_megabytes_is_cut() -> None:
    blocks = Blocks()
    found: list[str] = []
    for _ in range(300):
        found += blocks.feed("x" * 100_000)
    found += blocks.feed("\nValueError: after it\n")
    found += blocks.close()
    (block,) = found
    assert block == "x" * LINE_LIMIT + "\nValueError: after it\n"


def test_a_long_line_with_an_error_is_read() -> None:
    (failure,) = parse("ValueError: " + "y" * 1_000_000 + "\n")
    assert failure.error_type == "ValueError"
    assert len(failure.message) <= MAX_MESSAGE


def test_progress_bars_hide_nothing() -> None:
    bars = "".join(f"\r{number}% [####    ]" for number in range(100))
    (failure,) = parse(bars + "\rmain.c:3:5: error: expected ';'\r\n" + bars)
    assert (failure.tool, failure.message) == ("gcc", "expected ';'")


def test_binary_around_an_error_hides_nothing() -> None:
    junk = bytes(range(256)) * 40
    (failure,) = parse(junk + b"\n" + TRACE.format(file="a", line=3, function="f").encode() + junk)
    assert failure.error_type == "ValueError"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_encodings(encoding: str) -> None:
    output = "é\nValueError: caf\xe9 closed\n".encode(encoding)
    (failure,) = parse([output[:1], output[1:]])
    assert failure.error_type == "ValueError"


def test_more_failures_than_are_kept_are_counted() -> None:
    text = "".join(
        TRACE.format(file=f"m{number}", line=number, function="f") for number in range(MOST + 50)
    )
    parser = Parser()
    parser.feed(text)
    assert len(parser.close()) == MOST
    assert parser.more >= 50


def test_of_failures_that_are_all_kept_there_are_no_more() -> None:
    parser = Parser()
    parser.feed(TRACE.format(file="m", line=3, function="f"))
    assert len(parser.close()) == 1
    assert parser.more == 0


def test_one_failure_reported_twice_is_one() -> None:
    trace = TRACE.format(file="a", line=3, function="f")
    assert len(parse(trace + "again:\n" + trace)) == 1


def test_mixed_outputs_give_several_failures_in_order() -> None:
    text = (
        "main.c:3:5: error: expected ';'\n"
        + TRACE.format(file="a", line=3, function="f")
        + "src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.\n"
        + "make: *** [Makefile:3: all] Error 1\n"
    )
    assert [failure.tool for failure in parse(text)] == ["gcc", "python", "typescript"]


def test_a_consequence_is_told_if_nothing_else_is() -> None:
    (failure,) = parse("make: *** [Makefile:3: all] Error 1\n")
    assert (failure.tool, failure.severity) == ("make", "consequence")


@pytest.mark.parametrize(
    "line",
    [
        "0 errors, 0 warnings",
        "Tests passed: 3, failures: 0",
        "no errors found",
        "ok: 12 tests, failed=0",
        "completed without errors",
        "/venv/lib/plugin.py:306: PytestDeprecationWarning: the option failed to be set",
        "npm warn cleanup Failed to remove some directories [",
        "npm warn cleanup   [Error: EACCES: permission denied, rmdir '/srv/node_modules/a'] {",
        "[warn] failed to fetch the index, which is tried again",
        "12:00:01 WARN shop.cart request failed, trying again",
        'time=12:00 level=warn msg="connection refused"',
        '{"level":"warning","msg":"request failed"}',
    ],
)
def test_good_news_are_no_failures(line: str) -> None:
    assert parse(line) == []


def test_any_text_gives_a_main_failure() -> None:
    assert main_failure("session closed for user dev").message == "session closed for user dev"
    assert main_failure("").message == ""


@pytest.mark.parametrize(
    ("prefixed", "expected"),
    [
        ("2026-11-21T09:30:00.1234567Z ", "ValueError"),
        ("#12 3.456 ", "ValueError"),
        ("web_1  | ", "ValueError"),
    ],
)
def test_what_services_put_before_each_line_is_taken_away(prefixed: str, expected: str) -> None:
    trace = TRACE.format(file="a", line=3, function="f")
    text = "".join(prefixed + line for line in trace.splitlines(keepends=True))
    (failure,) = parse(text)
    assert failure.error_type == expected
    assert failure.frames[0].function == "f"


def test_escapes_are_taken_away() -> None:
    assert clean("\x1b[1;31merror\x1b[0m\x1b]8;;http://x\x07 a\x08b\x00") == "error b"


def test_every_word_that_a_tool_is_looked_for_by_is_searched_for() -> None:
    words = [word for own in values("output.words").values() for word in own]
    text = "\n\n".join(f"a {word} b" for word in words)
    assert texts.TextBlock(text).hot() == list(range(0, 2 * len(words), 2))


@pytest.mark.parametrize("end", ["", "\n", "\u25cf", "\nn\xf6t f\xf6und\n"])
def test_the_hot_lines_are_those_that_hold_a_stem(end: str) -> None:
    stems = registry.stems()
    parts = [stem[:-1] for stem in stems] + [stem[1:] for stem in stems]
    words = [*stems, *parts, *["not", "MIRROR", "detail", "useful", "", "of ", *"\n" * 9] * 40]
    rng = random.Random(7)
    for _ in range(300):
        text = "".join(rng.choice(words) for _ in range(rng.randint(0, 40))) + end
        block = texts.TextBlock(text)
        numbers = [
            number
            for number, line in enumerate(text.split("\n"))
            if any(stem in line for stem in stems)
        ]
        assert block.hot() == numbers, text


def test_what_reads_an_output_can_be_loaded() -> None:
    assert len(registry.entries()) > 30
    for entry in registry.entries():
        assert callable(registry.reader(entry.name))


def test_commands_put_their_parsers_first() -> None:
    assert registry.order("./.venv/bin/pytest -q")[0].name == "pytest"
    assert registry.order("C:\\Python\\python3.12.exe a.py")[0].name == "python"
    assert registry.order(None) == registry.entries()
    assert registry.order("bash -c 'psqlish shop'") == registry.entries()  # others print below it
    assert len(registry.order("x " * 10_000)) == len(registry.entries())


def test_only_what_is_needed_is_imported() -> None:
    needless = {"msgspec", "yaml", "subprocess", "threading", "csv"}
    if sys.platform == "win32":
        needless -= {"threading"}  # of ctypes, through which the system is asked
    code = (
        "import sys\n"
        "from gitmem.matching.parse import parse\n"
        "from gitmem.matching.fingerprint import fingerprints\n"
        "text = sys.stdin.read()\n"
        "assert [fingerprints(one) for one in parse(text, 'python a.py')]\n"
        "print(*sorted(name for name in sys.modules if name.startswith('gitmem')))\n"
        f"assert not {needless!r} & set(sys.modules)\n"
    )
    trace = TRACE.format(file="a", line=3, function="f")
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
        input=trace,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(re.findall(r"gitmem\.tools\.(\w+)", done.stdout))
    assert loaded & set(names()) == {"python"}


def test_a_summary_on_the_other_stream_comes_between_the_lines_of_a_block() -> None:
    path = Path(__file__).parents[1] / "tools" / "vitest" / "grouped-pipe.txt"
    lines = path.read_text(encoding="utf-8").split("\n")
    counts = next(at for at, line in enumerate(lines) if line.startswith(" Test Files"))
    summary, lines = lines[counts : counts + 4], lines[:counts]
    whole = parse("\n".join([*lines, *summary]), "vitest run")
    first = next(at for at, line in enumerate(lines) if line.startswith(" FAIL"))
    for at in range(first, len(lines)):
        text = "\n".join([*lines[:at], *summary, "", *lines[at:]])
        shown = [(one.test, one.message) for one in parse(text, "vitest run")]
        assert shown == [(one.test, one.message) for one in whole], at


def test_a_bracket_that_is_still_open_ends_no_prefix() -> None:
    """Of four lines of cmocka ``[ `` was taken off, and ``Failure!`` was one error for all."""
    lines = [
        "[ RUN      ] names",
        "[  ERROR   ] --- 0x5 != 0x8",
        "[   LINE   ] --- cart.c:16: error: Failure!",
        "[  FAILED  ] names",
    ]
    (failure,) = parse("\n".join(lines))
    assert failure.message == "0x5 != 0x8"
    assert failure.location
    assert failure.location[:2] == ("cart.c", 16)
    assert failure.test
    assert failure.test.name == "names"


def test_the_tools_of_a_line_are_those_whose_words_stand_in_it() -> None:
    for command in (None, "pytest -q", "cargo test"):
        tools = registry.order(command)
        lookup = registry.WordLookup(tools)
        lines = [word for tool in tools for word in tool.words]
        lines += [f"{above} {below}" for above, below in itertools.pairwise(lines)]
        for line in lines:
            named = [tool for tool in tools if any(word in line for word in tool.words)]
            assert list(lookup.tools_in(line)) == named


@pytest.mark.parametrize(
    "loud",
    [
        "10:00:00 ERROR shop.{word} could not send to {word}, next {word}",
        "deploy.{word}: warning: {word} {word} failed",
        "{word} {word}: make: *** [Makefile:3: {word}] Error 1",
    ],
)
def test_what_is_only_loud_hides_no_error_that_comes_late(loud: str) -> None:
    """After 400 faint guesses of a long log the traceback at its end was not read."""
    words = ("".join(letters) for letters in itertools.product("abcdefgh", repeat=5))
    lines = [loud.format(word=word) for word in itertools.islice(words, BLOCK // 30)]
    trace = ["Traceback (most recent call last):", '  File "till.py", line 3, in pay']
    text = "\n".join([*lines, *trace, "    total(x)", "ValueError: bad total"])
    assert len(text) > BLOCK
    (failure,) = parse(text)
    assert (failure.error_type, failure.message) == ("ValueError", "bad total")
