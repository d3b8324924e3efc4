"""Clocks, terminals, streams and environments that are not as usual: case 10."""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from gitmem.memory.core import workspace
from gitmem.render.text import width_of
from tests.depth import sampled
from tests.e2e.running import (
    COMMAND,
    PIPE_CLOSED,
    Result,
    complains,
    environment,
    in_process,
    ok,
    run,
    shown_on_terminal,
    untouched,
)
from tests.e2e.samples import ERROR, TITLES, lay, record

if TYPE_CHECKING:
    from tests.conftest import Checkout

NOON = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(workspace, "time", SimpleNamespace(time=moment.timestamp))


def test_10_a_clock_that_jumps_backwards_loses_nothing(
    memory: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, NOON)
    assert in_process(memory, "add", "note", "--title", "written at noon").code == 0
    assert in_process(memory, "session", "start", "through time").code == 0
    at(monkeypatch, NOON - timedelta(days=400))
    assert in_process(memory, "add", "note", "--title", "written a year before").code == 0
    assert in_process(memory, "session", "log", "note", "back then").code == 0
    assert "for 0 s" in in_process(memory, "session", "status").out
    ended = in_process(memory, "session", "end")
    assert ended.code == 0, ended
    assert "written a year before" in ended.out
    checked = in_process(memory, "check")
    assert checked.code == 0, checked
    listed = in_process(memory, "list", "kind:note").out.splitlines()
    assert "written at noon" in listed[0]
    assert "a year before" in listed[-1]


def test_10_an_edit_that_sets_the_files_time_back_is_seen(memory: "Checkout") -> None:
    file = memory / f".memory/errors/2026/01/{ERROR}.yaml"
    ok(memory, "search", "flux")
    file.write_text(file.read_text().replace("too hot", "too cold"))
    os.utime(file, (1_000_000_000, 1_000_000_000))
    assert ERROR in ok(memory, "search", "cold")
    assert ok(memory, "search", "kind:error hot") == ""


def test_10_records_of_one_microsecond_are_all_kept_in_a_fixed_order(
    memory: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, NOON)
    for number in range(20):
        assert (
            in_process(memory, "add", "note", "--title", "same moment", "--body", f"{number}").code
            == 0
        )
    first = in_process(memory, "list", "kind:note").out
    assert first.count("same moment") == 20
    assert first == in_process(memory, "list", "kind:note").out
    assert in_process(memory, "index", "rebuild").code == 0
    assert first == in_process(memory, "list", "kind:note").out


@sampled(1)
@pytest.mark.parametrize("home", [None, "/dev/null/at/all", "relative"])
def test_10_a_home_that_is_not_there(memory: "Checkout", home: str | None) -> None:
    env = {"HOME": home, "GIT_CONFIG_GLOBAL": None}
    for command in (("search", "flux"), ("add", "note", "--title", "homeless")):
        result = run(memory, *command, env=env)
        assert result.code == 0, result
    outside = memory.parent / "plain"
    outside.mkdir()
    assert run(outside, "init", env=env).code == 0
    assert run(outside, "search", "x", env=env).code == 0
    changed = run(memory, "config", "--user", "search.limit", "3", env=env)
    assert changed.code in {0, 6}, changed
    assert "Traceback" not in changed.err
    started = run(outside, "session", "start", "homeless", env=env)
    assert started.code == 0, started
    assert not (memory / "relative").exists()


@sampled(1)
@pytest.mark.parametrize(("locale", "utf8"), [("C", "0"), ("C", "1"), ("xx_YY.nothing", "0")])
def test_10_lang_c_shows_marks_and_stores_every_character(
    memory: "Checkout", locale: str, utf8: str
) -> None:
    title = "Žluťoučký \U0001f600 kůň"
    env = {"LC_ALL": locale, "LANG": locale, "PYTHONCOERCECLOCALE": utf8, "PYTHONUTF8": utf8}
    added = run(memory, "add", "note", "--title", title, "--body", "-", stdin="tělo\n", env=env)
    assert added.code == 0, added
    record_id = added.out.split()[0]
    for command in (
        ("show", record_id),
        ("list",),
        ("search", "Žluťoučký"),
        ("show", record_id, "--json"),
    ):
        shown = run(memory, *command, env=env)
        assert shown.code == 0, shown
        assert record_id in shown.out
        assert "Traceback" not in shown.err
    whole = ok(memory, "show", record_id)
    assert title in whole
    assert "tělo" in whole
    failed = run(memory, "show", "Žluť", env=env)
    complains(failed, 3)


def test_10_bytes_that_are_no_utf_8_are_refused_and_nothing_is_written(memory: "Checkout") -> None:
    bad = os.fsdecode(b"caf\xe9")
    with untouched(memory):
        for command in (
            ("add", "note", "--title", bad),
            ("add", "note", "--title", "x", "--tag", bad),
            ("add", "error", "--message", "x", "--location", bad + ":3"),
            ("resolve", ERROR, bad),
        ):
            complains(run(memory, *command), 4, "text")
        for other in (
            ("search", bad),
            ("show", bad),
            ("list", "tag:" + bad),
            ("-C", bad, "list"),
            ("add", "note", "--from", bad),
            ("session", "start", bad),
            (bad,),
        ):
            result = run(memory, *other)
            assert "Traceback" not in result.err, (other, result)
            assert result.code in {0, 2, 3, 4}, (other, result)


@sampled(1)
@pytest.mark.parametrize("columns", [20, 7, 1])
def test_10_a_narrow_terminal_cuts_lines_and_breaks_nothing(
    memory: "Checkout", columns: int
) -> None:
    lay(
        memory,
        "notes/2026/01/note-0000000wde.yaml",
        record("note", "note-0000000wde", "宽" * 30 + " flux"),
    )
    for command in (("list",), ("search", "flux"), ("log",)):
        shown = shown_on_terminal(memory, *command, columns=columns, env={"NO_COLOR": "1"})
        assert shown.code == 0, shown
        assert ERROR[:8] in shown.out
        assert all(width_of(line) <= max(columns, 20) for line in shown.out.splitlines()), shown.out
    for other in (
        ("status",),
        ("show", ERROR),
        ("--help",),
        ("check",),
        ("add", "error", "--help"),
    ):
        assert shown_on_terminal(memory, *other, columns=columns).code == 0


@sampled(3)
@pytest.mark.parametrize("columns", ["abc", "-5", "0", "1e9", "", "99999999999999999999", "20.5"])
def test_10_an_odd_columns_variable_is_no_fault(memory: "Checkout", columns: str) -> None:
    for result in (
        run(memory, "list", env={"COLUMNS": columns}),
        run(memory, "--help", env={"COLUMNS": columns}),
        shown_on_terminal(memory, "list", env={"COLUMNS": columns}),
    ):
        assert result.code == 0, result
        assert "Traceback" not in result.out + result.err


def piped_to(repo: Path, shell: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", "-c", shell, "bash", COMMAND],
        cwd=repo,
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=60,
    )


def test_10_output_that_nobody_reads_to_the_end(memory: "Checkout") -> None:
    for number in range(1500):
        name = f"note-{number:08}zz"
        lay(
            memory,
            f"notes/2026/04/{name}.yaml",
            record("note", name, f"A line that is long {'x' * 80}"),
        )
    for command in ("list", "list --json", "backup export", "search line", "log --limit 2000"):
        done = piped_to(memory, f'"$1" {command} | head -1; exit "${{PIPESTATUS[0]}}"')
        assert done.returncode in {0, PIPE_CLOSED}, (command, done)
        assert done.returncode == PIPE_CLOSED or command == "search line", (command, done)
        assert done.stderr == "", (command, done)
        assert len(done.stdout.splitlines()) == 1


@sampled(1)
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_10_closed_streams_are_no_fault(memory: "Checkout", closed: str) -> None:
    for command in ("search flux", "--help", f"show --yaml {ERROR}", "backup export"):
        done = piped_to(memory, f'"$1" {command} {closed}')
        assert done.returncode in {0, PIPE_CLOSED}, (command, done)
        assert "Traceback" not in done.stderr, (command, done)
    done = piped_to(memory, f'"$1" add note --title "through closed doors" {closed}')
    assert done.returncode in {0, PIPE_CLOSED}, done
    assert "through closed doors" in ok(memory, "list")


def test_10_output_to_a_full_disk_is_said(memory: "Checkout") -> None:
    for command in ("list", "backup export", f"show --yaml {ERROR}", "search flux", "list --json"):
        done = piped_to(memory, f'"$1" {command} >/dev/full')
        assert done.returncode == 6, (command, done)
        assert done.stderr.startswith("gitmem: "), (command, done)
        assert "no space left" in done.stderr
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr


def test_10_standard_input_closed_where_something_is_to_be_read(memory: "Checkout") -> None:
    with untouched(memory):
        for command in ("add note --from -", "add note --title x --body -", "import -", "search",
                        f"resolve {ERROR} x --patch-from -", "forget " + ERROR):  # fmt: skip
            for source in ("<&-", "</dev/null"):
                done = piped_to(memory, f'"$1" {command} {source}')
                assert done.returncode == 2, (command, source, done)
                complains(Result(done.returncode, done.stdout, done.stderr), 2)


def test_10_commands_that_need_no_input_do_not_touch_it(memory: "Checkout") -> None:
    for command in ("list", "search flux", "add note --title x", "session start x", "session end"):
        assert piped_to(memory, f'"$1" {command} <&-').returncode == 0
    assert all(title in ok(memory, "list") for title in TITLES)
