"""A terminal of 80 columns: nothing sticks out, and what the reader came for is not cut away."""

import json
import re
from typing import TYPE_CHECKING

import click
import pytest

from gitmem.cli.base import CommandGroup
from gitmem.cli.group import COMMANDS, cli
from gitmem.render.text import width_of
from tests.depth import sampled
from tests.e2e.running import NOT_FOUND, complains, ok, run, shown_on_terminal
from tests.e2e.samples import ERROR, FIX, plant

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

_LONG = (
    "src/cart.py: replace `return sum(one * (1 + rate) for one in prices) + 1` "
    "by `return sum(one * (1 + rate))`"
)
_PASTED = "HeatError: too hot"


@pytest.fixture
def long(repo: "Checkout", built: "Built") -> tuple["Checkout", str]:
    """Give a memory with an attempt that takes more than a line, and the attempt's id."""
    files = built(repo, learn).glob(".memory/fixes/*/*/*.yaml")
    (fix,) = {path.stem[-len(FIX) :] for path in files} - {FIX}
    return repo, fix


def learn(repo: "Checkout") -> None:
    plant(repo)
    repo.add("src/cart.py", "total = 1\n")
    ok(repo, "resolve", ERROR, _LONG, "--verified-by", "pytest -q")
    ok(repo, "add", "decision", "--title", "Round half to even " * 6, "--governs", "src/**")
    repo.commit("learnt")


def on_terminal(repo: "Checkout", *words: str) -> str:
    """Run a command on a terminal; give what was shown, without colours."""
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown_on_terminal(repo, *words).out)


@sampled(2)
@pytest.mark.parametrize(
    "words",
    [
        ("search", "flux"), ("hint", _PASTED), ("advise", _PASTED), ("show", ERROR),
        ("runs", "attempts", ERROR),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_an_attempt_is_shown_whole_and_with_its_id(
    long: tuple["Checkout", str], words: tuple[str, ...]
) -> None:
    repo, fix = long
    shown = on_terminal(repo, *words)
    assert _LONG in " ".join(shown.split())
    assert fix in shown
    assert max(map(width_of, shown.splitlines())) <= 80


@sampled(8)
@pytest.mark.parametrize(
    "words",
    [
        "list", "log", "stats recent", "stats", "stats successful", "stats fixers", "stats trends",
        "stats recurring", "stats query",
        "config", "status", "setup", "pack", "why --by-line src/cart.py", "review HEAD^!",
        "code graph memory", "stats query SELECT|*|FROM|attempts",
    ],
)  # fmt: skip
def test_nothing_sticks_out(long: tuple["Checkout", str], words: str) -> None:
    repo, _ = long
    shown = on_terminal(repo, *(word.replace("|", " ") for word in words.split(" ")))
    # A path is told whole.
    lines = [line for line in shown.splitlines()
             if not line.startswith("note: ") and str(repo) not in line]  # fmt: skip
    assert shown.strip()
    assert [line for line in lines if width_of(line) > 80] == []


def test_why_a_decision_is_named_is_not_cut_away(long: tuple["Checkout", str]) -> None:
    repo, _ = long
    assert "…  governs this file (src/**)" in on_terminal(repo, "why", "--by-line", "src/cart.py")


def test_columns_without_room_are_told(long: tuple["Checkout", str]) -> None:
    repo, _ = long
    assert "cost_usd" in on_terminal(repo, "stats", "query")
    assert "--csv" in on_terminal(repo, "stats", "query", "SELECT * FROM attempts")
    assert "--csv" not in on_terminal(repo, "stats", "query", "SELECT id FROM attempts")
    assert "--csv" not in run(repo, "stats", "query", "SELECT * FROM attempts").err


# --help


def _all() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        found.append((name,))
        if isinstance(command, CommandGroup):
            found += [(name, inner) for inner in command.commands]
    return found


@pytest.mark.parametrize("path", _all(), ids="-".join)
def test_help_fits_and_is_not_cut(path: tuple[str, ...]) -> None:
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), name)
        assert inner is not None
        command = inner
    context = click.Context(command, info_name=" ".join(("gitmem", *path)), terminal_width=80)
    lines = command.get_help(context).splitlines()
    assert [line for line in lines if width_of(line) > 80] == []
    summaries = lines[lines.index("Commands:") :] if "Commands:" in lines else []
    assert [line for line in summaries if line.endswith("...")] == []


def test_help_names_the_words_that_a_field_takes(memory: "Checkout") -> None:
    for words, allowed in (
        (("add", "fix"), "--outcome worked|partial|failed|unverified"),
        (("resolve",), "--outcome worked|partial|failed|unverified"),
        (("add", "decision"), "--status proposed|accepted|rejected|deprecated"),
        (("add", "note"), "--type practice|howto|gotcha|other"),
    ):
        assert allowed in ok(memory, *words, "--help")
    asked = "gitmem resolve err-1 --outcome p"
    env = {"_GITMEM_COMPLETE": "bash_complete", "COMP_WORDS": asked, "COMP_CWORD": "4"}
    assert ok(memory, **env).split() == ["plain,partial"]


# What is said once, and what to do next

_CASE = """\
_________________________ test_heat[{number}] _________________________

    def test_heat(most):
>       assert heat() == most

tests/test_heat.py:9:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def heat():
>       return SENSORS["oven"]
E       KeyError: 'oven'

heat.py:3: KeyError
"""


def test_cases_of_which_the_same_is_known_are_told_once(memory: "Checkout") -> None:
    cases = "".join(_CASE.format(number=number) for number in (90, 95, 99))
    pasted = f"===== test session starts =====\n===== FAILURES =====\n{cases}===== 3 failed =====\n"
    log = memory.add("build.log", pasted)
    ok(memory, "runs", "capture", log.name, "--record")
    (error,) = (line.split()[0] for line in ok(memory, "list", "type:KeyError").splitlines())
    ok(memory, "resolve", error, "open a window")
    said = ok(memory, "hint", stdin=pasted)
    assert ok(memory, "hint", "-", stdin=pasted) == said
    assert said.count("worked      open a window") == 1
    assert said.count("came back") == 1
    assert "(and 2 more like it)" in said
    assert len(json.loads(ok(memory, "hint", "--json", stdin=pasted))["failures"]) == 3
    new = ok(memory, "hint", stdin="KeyError: 'a'\nIndexError: b\n")
    assert new.count("gitmem: new") == 2


def test_a_session_is_shown_without_its_id(memory: "Checkout") -> None:
    complains(run(memory, "session", "show"), NOT_FOUND, "no live session")
    started = ok(memory, "session", "start", "Cool it").split()[0]
    assert ok(memory, "session", "show") == ok(memory, "session", "show", started)
    assert "Cool it" in ok(memory, "session", "show")


def test_who_sees_that_no_assistant_is_told_hears_how(memory: "Checkout") -> None:
    assert run(memory, "setup").notes[-1].endswith("gitmem setup claude --dry-run")
    ok(memory, "setup", "claude")
    assert not [one for one in run(memory, "setup").notes if "none is told" in one]


def test_an_edge_is_one_edge(memory: "Checkout") -> None:
    memory.add("a.py", "import b\n")
    memory.add("b.py", "")
    memory.commit("code")
    assert ok(memory, "code", "graph").startswith("2 files, 1 edge\n")


def test_what_is_of_a_pack_is_written_before_it_is_judged(memory: "Checkout") -> None:
    pack = json.loads(ok(memory, "pack", "show", "git", "--json", GITMEM_PACKS_OFF=""))
    record = pack["records"][0]["id"]
    judged = run(memory, "helpful", record, env={"GITMEM_PACKS_OFF": ""})
    complains(judged, NOT_FOUND, f"{record} is of pack git")
    assert f"gitmem pack write git --only {record}" in judged.err
    ok(memory, "pack", "write", "git", "--only", record, GITMEM_PACKS_OFF="")
    assert ok(memory, "helpful", record).startswith(record)


def test_two_errors_that_an_id_could_be_are_named(memory: "Checkout") -> None:
    ok(memory, "add", "error", "--type", "KeyError", "--message", "'a'")
    vague = run(memory, "explain-fingerprint", _PASTED, "--against", "err")
    complains(vague, 2, "err is ambiguous: 2 records")
    assert FIX not in vague.err
    assert "against" in ok(memory, "explain-fingerprint", _PASTED, "--against", "the text itself")
