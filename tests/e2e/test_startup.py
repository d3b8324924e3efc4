"""What a command may import, and that help, docstrings and the table of commands agree."""

import inspect
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from gitmem import query
from gitmem.assistants.payloads import payload
from gitmem.cli.base import Command, CommandGroup, Option
from gitmem.cli.group import COMMANDS, HIDDEN, SECTIONS, SEEDS, cli
from gitmem.cli.topics import TOPICS
from gitmem.memory import Memory
from gitmem.part import part_commands
from gitmem.tools.choice import names
from tests.e2e.running import USAGE, complains, ok, run, shown_on_terminal
from tests.e2e.samples import ERROR, lay

if TYPE_CHECKING:
    from tests.conftest import Checkout

ROOT = Path(__file__).resolve().parents[2]
CLI_FOR_HELP = ("app", "base", "forms", "group", "main")
SERVED = {"anyio", "gitmem.serve", "h11", "jinja2", "starlette", "uvicorn"}
FOR_OTHER_FACES = {"git", "pygls", "lsprotocol", "mcp", "watchdog", "rich", "numpy"} | SERVED
NOT_FOR_READING = FOR_OTHER_FACES | {
    "ast",  # with dis, tokenize and linecache: inspect is loaded
    "asyncio",
    "dataclasses",
    "gitmem.records.problems",
    "gitmem.sync.embedding_backlog",
    "gitmem.sync.ingest",
    "hashlib",
    "http",
    "json",
    "locale",
    "logging",
    "msgspec",
    "signal",
    "ssl",
    "subprocess",
    "unicodedata",
    "urllib.request",
    "whoosh.index",
    "yaml",
}
_LISTING = (
    "import atexit, sys\n"
    "atexit.register(lambda: print('\\0' + ' '.join(sys.modules), file=sys.stderr))\n"
    "from gitmem.cli import main\n"
    "main(sys.argv[1:])\n"
)


_HOOK_LISTING = (
    "import sys\n"
    "sys.argv = ['gitmem', 'assistant-hook', 'claude']\n"
    "import gitmem.cli\n"
    "from gitmem.cli.hook_answers import answer\n"
    "answer('claude', {})\n"
    "print('\\0' + ' '.join(sys.modules), file=sys.stderr)\n"
)


# They may only fall: who needs more imports it where it is used.
MOST_MODULES = {"search": 100, "hint": 170, "run": 197, "a run that passes": 99}
MOST_FOR_HOOKS = {
    "looking around": 91, "session": 147, "begins": 51, "red": 198, "begins, to be fixed": 83,
    "green": 182, "stop": 71,
}  # fmt: skip


def imported(repo: "Checkout", *command: str, code: int = 0) -> set[str]:
    """Run a command in a fresh process and give the names of all modules it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", _LISTING, *command],
        cwd=repo,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done
    return set(done.stderr.rpartition("\0")[2].split())


def none(loaded: set[str]) -> None:
    assert sorted(loaded) == []


@pytest.mark.parametrize(
    "command", [("--help",), ("--version",), ("search", "--help"), ("add", "--help")]
)
def test_help_imports_nothing_heavy(memory: "Checkout", command: tuple[str, ...]) -> None:
    loaded = imported(memory, *command)
    for_help = {"ast", "locale"}
    none(loaded & (NOT_FOR_READING - for_help | {"sqlite3", "whoosh", "gitmem.memory.memory"}))


def test_help_imports_no_command(memory: "Checkout") -> None:
    loaded = {name for name in imported(memory, "--help") if name.startswith("gitmem.cli.")}
    assert loaded == {f"gitmem.cli.{name}" for name in CLI_FOR_HELP}


def test_reading_with_a_warm_index_imports_nothing_that_it_does_not_need(
    memory: "Checkout",
) -> None:
    time.sleep(2.1)  # younger files are compared by content, which reads them
    ok(memory, "search", "flux")
    for command in (
        ("search", "flux"), ("search", "kind:error"), ("search", "flx~ capacitor -nothing"),
        ("search", "why does the flux capacitor fail"),  # asks for what is near in meaning, too
        ("list",), ("log",), ("list", "status:open", "--sort", "title"),
    ):  # fmt: skip
        none(imported(memory, *command) & NOT_FOR_READING)


@pytest.mark.parametrize(
    "command",
    [("show", ERROR), ("status",), ("check",), ("add", "note", "--title", "x"),
     ("backup", "export"), ("config",), ("index", "verify"), ("session", "list")],
)  # fmt: skip
def test_no_command_without_git_history_imports_anything_heavy(
    memory: "Checkout", command: tuple[str, ...]
) -> None:
    ok(memory, "search", "flux")
    none(imported(memory, *command) & FOR_OTHER_FACES)


@pytest.mark.parametrize(
    "command", [("show", ERROR), ("runs", "attempts"), ("context",), ("list",)]
)
def test_records_as_gitmem_writes_them_need_no_yaml_parser(
    memory: "Checkout", command: tuple[str, ...]
) -> None:
    ok(memory, "search", "flux")
    assert "yaml" not in imported(memory, *command)


FOR_LEARNING = {"gitmem.capture.learning", "gitmem.memory.failures.run_lessons"}
FOR_TEST_RESULTS = {"gitmem.matching.outcomes.gathered"}


def test_a_pasted_error_loads_neither_what_learns_nor_what_reads_results_of_tests(
    memory: "Checkout",
) -> None:
    loaded = imported(memory, "hint", "ValueError: the flux capacitor broke")
    assert "gitmem.matching.outcomes.reader" in loaded
    none(loaded & (FOR_LEARNING | FOR_TEST_RESULTS))


def test_a_run_that_fixed_nothing_loads_nothing_that_learns(memory: "Checkout") -> None:
    memory.commit()
    subprocess.run(
        [sys.executable, "-m", "gitmem", "run", "--", sys.executable, "-c", "missing_name"],
        cwd=memory,
        capture_output=True,
        check=False,
    )
    loaded = imported(memory, "run", "--", "true")
    assert "gitmem.memory.failures.observing" in loaded
    none(loaded & (FOR_LEARNING | FOR_TEST_RESULTS))


@pytest.mark.parametrize(
    "command",
    [("run", "--", "true"), ("search", "flux", "capacitor"), ("hint", "the flux capacitor broke")],
)
def test_an_everyday_command_loads_no_click(memory: "Checkout", command: tuple[str, ...]) -> None:
    memory.commit()
    ok(memory, "search", "flux")
    none({name for name in imported(memory, *command) if name.partition(".")[0] == "click"})


@pytest.mark.parametrize(
    "command",
    [("run", "--", "true"), ("search", "flux", "capacitor"), ("hint", "the flux capacitor broke")],
)
def test_no_tool_is_loaded_before_its_words_are_met(
    memory: "Checkout", command: tuple[str, ...]
) -> None:
    memory.commit()
    ok(memory, "search", "flux")
    rooms = {f"gitmem.tools.{name}" for name in names()}
    none(imported(memory, *command) & rooms)


def test_a_tool_whose_words_are_met_is_loaded_without_the_others(memory: "Checkout") -> None:
    ok(memory, "search", "flux")
    loaded = imported(memory, "hint", "src/app.ts(3,5): error TS2304: Cannot find name 'x'.")
    assert "gitmem.tools.typescript" in loaded
    none(loaded & {"gitmem.tools.pytest", "gitmem.tools.cargo", "gitmem.tools.gradle"})


def test_commands_load_few_modules_of_gitmem(memory: "Checkout") -> None:
    memory.add("test_shop.py", "def test_total():\n    assert 2 == 3\n")
    memory.commit()
    time.sleep(2.1)  # younger files are compared by content, which reads them
    ok(memory, "search", "flux")
    pytest_run = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    loaded = {
        "search": imported(memory, "search", "flux", "capacitor"),
        "hint": imported(memory, "hint", "ValueError: the flux capacitor broke"),
        "a run that passes": imported(memory, "run", "--", "true"),
        "run": imported(memory, "run", "--", *pytest_run, code=1),
    }
    own = {
        command: sum(name.partition(".")[0] == "gitmem" for name in names)
        for command, names in loaded.items()
    }
    assert min(own.values()) > 50
    assert own == {name: min(count, MOST_MODULES[name]) for name, count in own.items()}, own


def test_hooks_load_what_their_event_needs(memory: "Checkout") -> None:
    memory.commit()
    time.sleep(2.1)  # younger files are compared by content, which reads them
    ok(memory, "search", "flux")
    command = "python -m pytest -q test_shop.py"
    failed = "ValueError: the flux capacitor broke\n1 failed in 0.1s\n"
    events = {
        "looking around": payload("claude", "green", str(memory), "ls -la", "total 8\nshop.py\n"),
        "session": payload("claude", "session", str(memory)),
        "begins": payload("claude", "begins", str(memory), command),
        "red": payload("claude", "red", str(memory), command, failed, 1),
        "begins, to be fixed": payload("claude", "begins", str(memory), command),
        "green": payload("claude", "green", str(memory), command, "1 passed in 0.1s\n"),
        "stop": payload("claude", "stop", str(memory)),
    }
    own = {}
    for name, event in events.items():
        if name == "begins, to be fixed":
            memory.add("shop.py", "total = 3\n")
        done = subprocess.run(
            [sys.executable, "-c", _HOOK_LISTING],
            cwd=memory, input=json.dumps(event), capture_output=True, text=True, check=True,
        )  # fmt: skip
        loaded = set(done.stderr.rpartition("\0")[2].split())
        none(loaded & FOR_OTHER_FACES)
        none(loaded & {"msgspec"} if name == "green" else set())  # brings inspect with it
        own[name] = sum(module.partition(".")[0] == "gitmem" for module in loaded)
    assert min(own.values()) > 40
    assert own == {name: min(count, MOST_FOR_HOOKS[name]) for name, count in own.items()}, own


def test_an_added_file_is_taken_in_without_git(memory: "Checkout") -> None:
    ok(memory, "search", "flux")
    lay(memory, "notes/2026/01/note-0000000009.yaml", "schema: 1\nid: note-0000000009\n")
    none(imported(memory, "search", "flux") & {"git", "rich", "pygls", "watchdog"})


def commands(
    group: click.Group = cli, path: tuple[str, ...] = ()
) -> dict[tuple[str, ...], click.Command]:
    """Give every command with its path."""
    found: dict[tuple[str, ...], click.Command] = {}
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        found[*path, name] = command
        if isinstance(command, click.Group):
            found |= commands(command, (*path, name))
    return found


EVERY = commands()


@pytest.mark.parametrize("path", EVERY, ids="-".join)
def test_every_command_has_help_with_an_example_that_names_it(path: tuple[str, ...]) -> None:
    command = EVERY[path]
    assert command.help, "no docstring"
    assert "Example:" in command.help
    example = command.help.partition("Example:")[2]
    assert f"gitmem {' '.join(path)}" in example
    assert command.get_short_help_str(200).endswith(".")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.opts} has no help"


@pytest.mark.parametrize("path", EVERY, ids="-".join)
def test_no_command_pays_for_what_only_its_help_needs(path: tuple[str, ...]) -> None:
    command = EVERY[path]
    assert isinstance(command, Command | CommandGroup)
    for parameter in command.get_params(click.Context(command)):
        if isinstance(parameter, click.Option):
            assert isinstance(parameter, Option), parameter.opts
            assert (parameter.help or "").split() == (parameter.help or "").split(" ")


@pytest.mark.parametrize("name", [*COMMANDS, *HIDDEN, *part_commands()])
def test_the_table_of_commands_says_what_the_docstring_says(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    first = (command.help or "").strip().splitlines()[0]
    parts = {each: brought.summary for each, brought in part_commands().items()}
    summary = (COMMANDS | HIDDEN | parts)[name]
    assert first.startswith(summary.rstrip(".").partition(" (")[0].partition(";")[0])


def test_every_command_stands_in_one_section() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


def test_the_top_level_has_few_commands() -> None:
    assert len(COMMANDS) <= 36
    assert not SEEDS.keys() & (COMMANDS.keys() | HIDDEN.keys() | part_commands().keys())


@pytest.mark.parametrize("old", SEEDS)
def test_a_name_of_an_older_memory_still_leads_to_its_command(old: str) -> None:
    _, command, rest = cli.resolve_command(click.Context(cli), [*old.split(), "--help"])
    assert command is not None
    words = SEEDS[old].split()[1:]
    assert rest == [*words, "--help"]
    if words and not words[0].startswith("-") and ":" not in words[0]:
        assert isinstance(command, click.Group)
        assert command.get_command(click.Context(command), words[0]) is not None


def test_every_public_method_of_memory_is_documented_and_annotated() -> None:
    public = {name: item for name, item in inspect.getmembers(Memory) if not name.startswith("_")}
    assert {
        "add",
        "search",
        "show",
        "list",
        "forget",
    } <= public.keys()
    for name, item in public.items():
        assert inspect.getdoc(item), f"Memory.{name} has no docstring"
        if inspect.isfunction(item) or inspect.ismethod(item):
            assert inspect.signature(item).return_annotation is not inspect.Signature.empty, name


def test_the_help_fits_a_screen_of_80_columns_and_30_lines(memory: "Checkout") -> None:
    lines = ok(memory, "--help").splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 30
    assert 17 <= sum(line.split()[0] in COMMANDS for line in lines if line.startswith("   ")) <= 22
    assert ok(memory, "help").splitlines() == lines


def test_help_lists_all_commands_where_all_are_asked_for(memory: "Checkout") -> None:
    lines = ok(memory, "help", "--all").splitlines()
    assert max(map(len, lines)) <= 80
    assert all(f"   {name} " in "\n".join(lines) for name in COMMANDS)
    assert all(f"   {name}: " in "\n".join(lines) for name in (*HIDDEN, *part_commands()))


def test_help_explains_a_command_as_it_does_itself(memory: "Checkout") -> None:
    assert ok(memory, "help", "run") == ok(memory, "run", "--help")
    recent = ok(memory, "stats", "recent", "--help")
    assert ok(memory, "help", "stats", "recent") == recent
    assert "Commands:\n  recent " in ok(memory, "stats", "--help")
    wrong = run(memory, "help", "serch")
    complains(wrong, USAGE, "serch is neither a command nor a topic", "gitmem help search")


def test_topics_say_what_is_so(memory: "Checkout") -> None:
    filters = ok(memory, "help", "filters")
    assert all(f"{key}:" in filters for key in (*query._FIELDS, "since", "until"))
    codes = {int(line.split()[0]) for line in ok(memory, "help", "exit-codes").splitlines()
             if line.startswith("   ")}  # fmt: skip
    page = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    assert codes == set(map(int, re.findall(r"^\| (\d+) \|", page, re.MULTILINE)))
    for topic in TOPICS:
        assert max(map(len, ok(memory, "help", topic).splitlines())) <= 100
        assert topic in ok(memory, "help", "--all")


def test_a_name_of_an_older_memory_says_ours_on_a_terminal_only(memory: "Checkout") -> None:
    ours = run(memory, "stats", "subject", "x")
    assert run(memory, "model", "x") == ours
    shown = shown_on_terminal(memory, "model", "x")
    assert "note: gitmem model is called gitmem stats subject now\n" in shown.out


def test_a_command_that_stands_under_its_noun_is_named(memory: "Checkout") -> None:
    complains(run(memory, "bisect", "--", "make"), USAGE, "did you mean runs bisect?")
    complains(run(memory, "keep", "x"), USAGE, "did you mean drafts keep?")


def test_a_command_with_members_still_takes_its_own_arguments(memory: "Checkout") -> None:
    assert ok(memory, "stats", "--json", "type:ValueError")
    assert json.loads(ok(memory, "stats", "recurring", "--json"))["command"] == "patterns"
    wrong = run(memory, "code", "nonsense")
    complains(wrong, USAGE, "nonsense")
    complains(run(memory, "stats", "recent", "--nonsense"), USAGE, "gitmem stats recent --help")


def test_completion_of_ids_and_commands_answers_without_a_fault(memory: "Checkout") -> None:
    env = {"_GITMEM_COMPLETE": "bash_complete", "COMP_WORDS": "gitmem show err-", "COMP_CWORD": "2"}
    assert f"plain,{ERROR}" in ok(memory, **env)
    assert json.loads(ok(memory, "list", "--json"))["format"] == 1
