"""Whether a change takes back a fix: tokens that matter, made-up changes, and what must hold."""

import random
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.diffs import read_files
from gitmem.guards.grams import places_of
from gitmem.guards.taken_back import ChangedCode, FixTakenBack
from gitmem.guards.tokens import is_import, tokens_of
from tests.depth import amount
from tests.unit.guards.changes import BACK, KEPT, Change, Files, Program, diff, program

CASES = amount(share=240, ci=400, whole=2_500)


def words(text: str, path: str) -> list[str]:
    return [token.text for token in tokens_of(text.split("\n"), path)]


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("a.py", "x = f('a')  # why", 'x  =  f("a")'),
        ("a.py", "f(\n    a,\n    b,\n)", "f(a, b)"),
        ("a.py", 'def f():\n    """Say so."""\n    return 1', "def f():\n    return 1"),
        ("a.py", "    f(1)\n    Words of a text, whose ends are elsewhere.", "f(1)"),
        ("a.py", "    .. versionadded:: 8.2\n    f(1)", "f(1)"),
        ("a.py", "x = u'a'", 'x = "a"'),
        ("a.py", "    f(1)\n    accidentally close a standard stream::", "f(1)"),
        ("a.js", "let a = 'x'; // why", 'let a = "x"'),
        ("a.ts", "/* one\n * two */\ncall(a)", "call(a);"),
        ("a.go", "x := 1\t// one", "x := 1"),
        ("a.sql", "SELECT 1 -- one", "SELECT 1"),
        ("a.html", "<p>x</p><!-- y\nz -->", "<p>x</p>"),
    ],
)
def test_form_is_no_token(path: str, one: str, other: str) -> None:
    assert words(one, path) == words(other, path)


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("a.py", "x = '#1'", "x = '#2'"),
        ("a.py", "a <= b", "a < b"),
        ("a.py", "if cart is not None and name in order:", "if cart is None:"),
        ("a.js", "a === b", "a == b"),
        ("a.c", "#define X 1", "#define X 2"),
        ("a.js", "f('http://a')", "f('http://b')"),
        ("a.py", "f", "f()"),
    ],
)
def test_what_code_does_is_a_token(path: str, one: str, other: str) -> None:
    assert words(one, path) != words(other, path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import os", True),
        ("from a import b", True),
        ("#include <stdio.h>", True),
        ("const a = require('a')", True),
        ("important = 1", False),
        ("user = None", False),
    ],
)
def test_imports(line: str, *, expected: bool) -> None:
    assert is_import(line) is expected


@given(st.text(alphabet="ab1 ='\"#/*\n(),;`\\é", max_size=80))
def test_any_text_has_tokens_on_its_lines(text: str) -> None:
    lines = text.split("\n")
    for token in tokens_of(lines, "a.js"):
        assert 0 <= token.line < len(lines)
        assert token.text


def found(made: Program, change: tuple[Files, Files]) -> FixTakenBack | None:
    fix = places_of(read_files(diff({made.path: made.before}, {made.path: made.after})))
    before, after = change
    changed = ChangedCode(places_of(read_files(diff(before, after))))
    return changed.takes_back(fix, frozenset({*before, *after, made.path}))


def rate(changes: dict[str, Change]) -> tuple[float, Counter[str], Counter[str]]:
    told: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    names = sorted(changes)
    for number in range(CASES):
        rng = random.Random(number)
        made, name = program(rng), names[number % len(names)]
        asked[name] += 1
        told[name] += found(made, changes[name](made, rng)) is not None
    return told.total() / asked.total(), told, asked


def test_what_takes_a_fix_back_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    share, told, asked = rate(BACK)
    with capsys.disabled():
        sys.stdout.write(f"\ntaken back and told: {told.total()} of {asked.total()}\n")
    missed = {name: asked[name] - told[name] for name in asked if told[name] < asked[name]}
    assert share >= 0.93, missed


def test_what_keeps_a_fix_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    share, told, asked = rate(KEPT)
    with capsys.disabled():
        sys.stdout.write(f"\nkept, and told: {told.total()} of {asked.total()}\n")
    assert share <= 0.003, told


def test_forty_transformations() -> None:
    assert len(BACK) + len(KEPT) == 40


@given(st.integers(min_value=0, max_value=10_000), st.sampled_from(sorted(BACK)))
def test_a_fix_itself_takes_nothing_back(seed: int, name: str) -> None:
    rng = random.Random(seed)
    made = program(rng)
    before, after = BACK[name](made, rng)
    assert found(made, ({made.path: made.before}, {made.path: made.after})) is None
    # What a change takes back, the opposite change brings: that is never told.
    assert found(made, (after, before)) is None


def test_places_and_lines_are_named() -> None:
    before = "def f(x):\n    a = 1\n    return x / a\n"
    after = "def f(x):\n    a = 1\n    if not a:\n        return 0\n    return x / a\n"
    fix = places_of(read_files(diff({"a.py": before}, {"a.py": after})))
    change = diff({"a.py": "import os\n\n" + after}, {"a.py": "import os\n\n" + before})
    taken = ChangedCode(places_of(read_files(change))).takes_back(fix, frozenset({"a.py"}))
    assert taken is not None
    assert (taken.how, taken.path, taken.line, taken.is_sure) == ("back", "a.py", 5, True)


def test_one_of_two_places_is_told_as_such() -> None:
    filler = "".join(f"line_{number} = {number}\n" for number in range(20))
    old = f"def f(x):\n    return x.a.b.c\n{filler}def g(y):\n    return y.d.e.f\n"
    new = old.replace("x.a.b.c", "x.a.b.c or 1").replace("y.d.e.f", "y.d.e.f or 2")
    half = old.replace("y.d.e.f", "y.d.e.f or 2")
    fix = places_of(read_files(diff({"a.py": old}, {"a.py": new})))
    changed = ChangedCode(places_of(read_files(diff({"a.py": new}, {"a.py": half}))))
    taken = changed.takes_back(fix, frozenset({"a.py"}))
    assert taken is not None
    assert (taken.places, taken.of) == (1, 2)


def test_a_cause_in_another_place_is_told() -> None:
    old = "def f(x):\n    run(x.first, shell=True, env=None, cwd=here)\n    return x\n"
    new = "def f(x):\n    return x\n"
    fix = places_of(read_files(diff({"a.py": old}, {"a.py": new})))
    other = "\n\ndef g(y, x):\n    y.close()\n    return y\n"
    more = other.replace("return", "run(x.first, shell=True, env=None, cwd=here)\n    return")
    change = diff({"a.py": new + other}, {"a.py": new + more})
    taken = ChangedCode(places_of(read_files(change))).takes_back(fix, frozenset({"a.py"}))
    assert taken is not None
    assert taken.how == "again"
    assert not taken.is_sure


def test_what_was_dropped_beside_a_changed_line_is_told() -> None:
    lines = ["def f(x):", "    a = x.one", "    b = x.two", "    return a + b", ""]
    guard = ["    if x.state is None or x.closed:", "        raise Closed(x.name)"]
    fix = places_of(
        read_files(
            diff({"a.py": "\n".join(lines)}, {"a.py": "\n".join([*lines[:1], *guard, *lines[1:]])})
        )
    )
    drifted = ["def f(x, y):", *guard, "    a = y.three", "    b = x.two", "    return a + b", ""]
    gone = [drifted[0], *drifted[3:]]
    changed = ChangedCode(
        places_of(read_files(diff({"a.py": "\n".join(drifted)}, {"a.py": "\n".join(gone)})))
    )
    taken = changed.takes_back(fix, frozenset({"a.py"}))
    assert taken is not None
    assert not taken.is_sure


def taken(fix: tuple[str, str], change: tuple[str, str]) -> FixTakenBack | None:
    """Hold a fix of a file against a change of it."""
    places = places_of(read_files(diff({"a.py": fix[0]}, {"a.py": fix[1]})))
    changed = places_of(read_files(diff({"a.py": change[0]}, {"a.py": change[1]})))
    return ChangedCode(changed).takes_back(places, frozenset({"a.py"}))


OPEN = (
    "def load(path):\n    text = read(path)\n    size = len(text)\n    return parse(text, size)\n"
)
CLOSED = OPEN.replace("read(path)", "read(path, timeout=wait)")
FAR = "".join(f"LINE_{number} = {number}\n" for number in range(12))


@pytest.mark.parametrize(
    ("fixed", "later"),
    [
        # The words stand elsewhere: a line above, a function of its own.
        (CLOSED, OPEN.replace("    text", "    read = partial(read, timeout=wait)\n    text")),
        (CLOSED, OPEN + FAR + "def read_soon(path):\n    return read(path, timeout=wait)\n"),
        # Another way took its place.
        (CLOSED, OPEN.replace("read(path)", "fetch(path)").replace("size = len", "size = count")),
        (
            OPEN.replace("    size", "    if text is None:\n        return None\n    size"),
            OPEN.replace("len(text)", "length_or_zero(text)").replace("parse", "parse_any"),
        ),
    ],
    ids=["above", "function", "other call", "other names"],
)
def test_a_fix_in_another_form_is_silent(fixed: str, later: str) -> None:
    assert taken((OPEN, fixed), (fixed + FAR, later + FAR)) is None
    assert taken((OPEN, fixed), (fixed + FAR, OPEN + FAR)) is not None


def test_a_part_of_a_feature_that_goes_is_silent() -> None:
    feature = "".join(f"def part_{at}(given):\n    return given.part({at})\n\n\n" for at in "abcd")
    before = f"{OPEN}\n\n{feature}"
    fixed = before.replace(
        "    return parse", "    if not size:\n        size = 1\n    return parse"
    )
    assert taken((before, fixed), (fixed, OPEN)) is None
    assert taken((before, fixed), (fixed, before)) is not None


@pytest.mark.parametrize(
    "fixed",
    [
        # Lines change places, a line goes, a condition grows.
        OPEN.replace("    text = read(path)\n", "").replace(
            "    ret", "    text = read(path)\n    ret"
        ),
        OPEN.replace("    text = read(path)\n", ""),
        OPEN.replace("parse(text, size)", "parse(text, size) or default(path)"),
    ],
    ids=["moved", "removed", "longer"],
)
def test_a_change_that_is_nothing_but_the_fix_backwards_is_told(fixed: str) -> None:
    told = taken((OPEN + FAR, fixed + FAR), (fixed + FAR, OPEN + FAR))
    assert told is not None
    assert told.is_sure


@pytest.mark.parametrize(
    ("before", "fixed"),
    [
        ('float(row.get("price"))', 'float(row.get("price") or 0)'),
        ("total(rows[1:])", "total(rows[0:])"),
        ("len(rows) > size", "len(rows) >= size"),
    ],
)
def test_a_small_fix_whose_very_lines_are_back_is_told(before: str, fixed: str) -> None:
    """Reverting a fix of a few signs was silent: too little of it seemed its own."""
    was, now = (
        OPEN.replace("    return parse(text, size)", f"    return {line}")
        for line in (before, fixed)
    )
    told = taken((was, now), (now, was))
    assert told is not None
    assert told.is_sure
