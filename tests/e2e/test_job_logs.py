"""What records say is text for the reader of a job's log, on both streams of every command."""
# ruff: noqa: E501  a row a case

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.render.text import as_json, as_text
from tests.e2e.running import ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")

COMMANDS = (
    "##vso[task.complete result=Succeeded;]done",
    "##[error]x",
    "##teamcity[buildStatus status='SUCCESS']",
    "::error file=a.py::x",
    "::add-mask::secret",
    "::stop-commands::abc",
    "section_start:1560896352:x",
    "^^^ +++",
    "--- folded away",
    "+++ :tada: all tests passed",
    "passed section_end:1560896352:build_script",
    "ok travis_fold:end:install",
    "ok fold:start:script.1",
    "<2>a line of high priority",
    '@nix {"action":"setPhase","phase":"x"}',
    "@@@STEP_FAILURE@@@",
)
# What such readers obey, written apart from how it is broken.
OBEYED = re.compile(
    r"##vso\[|##\[|##teamcity\[|^[\s\ufeff]*(\x1b\[[0-9;]*m)*::\s*[a-z]|section_(start|end):\d|^\s*\^\^\^ \+"
    r"|(fold|time):(start|end):|^(---|\+\+\+) (?!\"?[abciow]/|/dev/null)|^<[0-7]>|^@nix \{|^@@@[A-Z]",
    re.IGNORECASE | re.MULTILINE,
)
_PRINTING = (
    ("show", "{error}"), ("show", "{fix}"), ("show", "{note}"), ("show", "{error}", "--json"),
    ("search", "KeyError"), ("search", "KeyError", "--json"), ("list",), ("list", "--json"), ("log",),
    ("log", "--json"), ("hint", "KeyError: 'k'"), ("review", "HEAD~1..HEAD"), ("check",), ("status",),
    ("stats",), ("stats", "recurring"), ("why", "a.py"), ("context", "KeyError"), ("advise", "KeyError"),
    ("ci", "red.txt"), ("drafts",), ("diff", "HEAD~1..HEAD"), ("search", "{command}"), ("show", "{command}"),
    ("list", "tag:{command}"), ("review", "describe"), ("session", "list"), ("runs",), ("code", "graph", "{error}"),
    ("code", "profile"),
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_no_printing_command_hands_a_command_on(repo: "Checkout", command: str) -> None:
    """A fix that was called ``##vso[task.complete …`` ended the job of whoever asked for a hint."""
    ok(repo, "init")
    repo.add("a.py", "x = 1\n")
    repo.commit("first")
    text = f"{command}\n  {command}\nof a record"
    kind = ("--title", command, "--type", "KeyError", "--message", f"'k'\n{command}")
    error = ok(repo, "add", "error", *kind).split()[0]
    fix_of = ("--link", f"fixes={error}", "--title", command, "--outcome", "worked")
    fix = ok(repo, "add", "fix", *fix_of, "--approach", text).split()[0]
    note = ok(repo, "add", "note", "--title", command, "--body", text).split()[0]
    ok(repo, "session", "start", "--", command)
    repo.commit(command)
    (repo / "red.txt").write_text(
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'k'\n"
    )
    values = {"error": error, "fix": fix, "note": note, "command": command}
    printed = 0
    for words in _PRINTING:
        done = run(repo, *(word.format(**values) for word in words))
        printed += bool(done.out)
        for stream in (done.out, done.err):
            assert not OBEYED.search(stream), (words, stream)
    assert printed > 12


def test_what_the_watched_command_prints_is_passed_on(repo: "Checkout") -> None:
    ok(repo, "init")
    done = run(repo, "run", "--", "printf", "%s\\n", *COMMANDS)
    assert done.out.splitlines() == list(COMMANDS)


@given(
    st.text(st.sampled_from(list("#:[]vso~^+ \n\tage\x1bm0;_section_start:")), max_size=30)
    | st.builds(
        "{}{}{}".format, st.text(max_size=3), st.sampled_from(COMMANDS), st.text(max_size=3)
    )
)
@example("::error::x\n ::group::")
def test_text_is_broken_wherever_it_would_be_obeyed(text: str) -> None:
    told = as_text(text)
    assert not OBEYED.search(told)
    assert len(told) == len(text)
    if not OBEYED.search(text):
        unseen = sum(not sign.isprintable() for sign in text)
        changed = sum(a != b for a, b in zip(text, told, strict=True))
        assert changed <= 1 + unseen + text.count("##")


def test_json_stays_what_it_was() -> None:
    value = {"a": list(COMMANDS)}
    assert json.loads(as_json(json.dumps(value))) == value
    assert not OBEYED.search(as_json(json.dumps(value, indent=2)))


def test_signs_of_a_terminal_are_escaped_in_json(repo: "Checkout") -> None:
    """Control signs of a record went through ``--json`` as they are."""
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "a\u009bb\u202ec\x7f", "--body", "x")
    shown = run(repo, "list", "--json").out
    assert not {"\u009b", "\u202e", "\x7f"}.intersection(shown)


def test_export_writes_no_formulas(repo: "Checkout") -> None:
    """``export --csv`` wrote titles that a spreadsheet runs."""
    ok(repo, "init")
    for sign in "=@+":
        ok(repo, "add", "note", "--title", f"{sign}SUM(A1)", "--body", f"{sign}1+1")
    table = run(repo, "backup", "export", "--csv", "note").out
    assert table.count("'=SUM") == table.count("'@SUM") == table.count("'+SUM") == 1
    assert not re.search(r'(^|,|")[=@+]', table, re.MULTILINE)
