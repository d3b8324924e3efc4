"""What each command does when all is well."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.depth import deep, only_deep, sampled
from tests.e2e.running import in_process, ok, run, shown_on_terminal, untouched
from tests.e2e.samples import DECISION, ERROR, FIX, NOTE, TITLES, lay, record

if TYPE_CHECKING:
    from tests.conftest import Checkout


def answer(repo: "Checkout", *command: str) -> dict[str, Any]:
    """Run a command with ``--json`` and give its answer, whose envelope is checked."""
    result = in_process(repo, *command, "--json")
    assert result.code in {0, 1}, result
    made: dict[str, Any] = json.loads(result.out)
    assert made["format"] == 1
    assert made["command"]
    return made


def listed(repo: "Checkout", *filters: str) -> list[str]:
    result = in_process(repo, "list", *filters)
    assert result.code == 0, result
    return [line.split()[0] for line in result.out.splitlines()]


def stored(repo: "Checkout", record_id: str) -> dict[str, Any]:
    made: dict[str, Any] = answer(repo, "show", record_id)["record"]
    return made


# init and where a memory is found


def test_init_makes_a_memory_once(repo: "Checkout") -> None:
    with untouched(repo):
        assert "would make" in ok(repo, "init", "--dry-run")
    assert "made" in ok(repo, "init")
    assert (repo / ".memory" / "gitmem.yaml").read_text() == "format: 1\n"
    assert "eol=lf" in (repo / ".memory" / ".gitattributes").read_text()
    with untouched(repo):
        assert "already" in ok(repo, "init")
    repo.git("add", "-A")
    assert "gitmem.yaml" in repo.git("status", "--short")


def test_init_without_gitattributes_and_in_a_package_of_its_own(repo: "Checkout") -> None:
    package = repo / "packages" / "one"
    package.mkdir(parents=True)
    ok(package, "init", "--here", "--no-gitattributes")
    ok(repo, "init")
    assert not (package / ".memory" / ".gitattributes").exists()
    inner = ok(package, "add", "note", "--title", "inner").split()[0]
    outer = ok(repo, "add", "note", "--title", "outer").split()[0]
    assert listed(type(repo)(package)) == [inner]
    assert listed(repo) == [outer]
    assert "inner" in ok(package, "search", "inner")
    assert ok(repo, "search", "inner") == ""


def test_any_sub_folder_and_dash_c_find_the_memory(memory: "Checkout") -> None:
    deep = memory / "src" / "deep"
    deep.mkdir(parents=True)
    assert ERROR in ok(deep, "list")
    assert ERROR in ok(memory.parent, "-C", str(memory), "list")
    assert ERROR in ok(memory.parent, "-C", f"{memory.name}/src", "search", "flux")


def test_paths_typed_in_a_sub_folder_are_meant_from_there(repo: "Checkout") -> None:
    ok(repo, "init")
    web = repo / "packages" / "web"
    (web / "src").mkdir(parents=True)
    repo.add("packages/web/src/a.ts", "")
    repo.add("src/b.ts", "")
    add = ("add", "decision", "--rationale", "r", "--title")
    ok(web, *add, "Web", "--governs", "src/**")
    ok(web, *add, "Shell", "--governs", "../../src/")
    ok(web, *add, "Both", "--governs", "packages/web/*.ts")
    assert "Web" in ok(web, "list", "--path", "./src/a.ts")
    assert "Web" in ok(repo, "list", "path:packages/web/src/a.ts")
    assert ok(web, "list", "--path", "../../src/b.ts").count("dec-") == 1
    assert ok(web, "list", "--path", str(repo / "src" / "b.ts")).count("Shell") == 1
    assert ok(web, "list", "path:./c.ts").count("Both") == 1
    assert "Shell" not in ok(web, "list", "path:.")
    assert ok(repo, "list", "path:.").count("dec-") == 3
    assert "Web" not in ok(web, "list", "--", "-path:./src/a.ts")


@deep
@only_deep
def test_work_trees_submodules_shallow_clones_and_no_commit(
    memory: "Checkout", make_repo: Callable[..., "Checkout"]
) -> None:
    memory.commit()
    memory.git("worktree", "add", "-q", "../tree")
    tree = type(memory)(memory.parent / "tree")
    outer = make_repo("outer")
    outer.git("submodule", "--quiet", "add", str(memory), "inside")
    shallow = type(memory)(memory.parent / "shallow")
    memory.git("clone", "-q", "--depth=1", f"file://{memory}", str(shallow))
    unborn = make_repo("unborn", commit=False)
    ok(unborn, "init")
    for place in (tree, type(memory)(outer / "inside"), shallow, unborn):
        added = ok(place, "add", "note", "--title", "written here").split()[0]
        assert added in ok(place, "search", "written here")
        ok(place, "session", "start", "work here")
        assert "ended" in ok(place, "session", "end")
        assert run(place, "check").code == 0
        assert (place != unborn) == (ERROR in ok(place, "list"))
    assert "written here" not in ok(memory, "list")
    assert run(outer, "list").code == 3


def test_a_bare_repository_has_no_memory(memory: "Checkout") -> None:
    memory.git("init", "-q", "--bare", "../bare")
    assert run(memory.parent / "bare", "list").code == 3


# add


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            (
                "error",
                "--type",
                "TypeError",
                "--message",
                "can't compare",
                "--location",
                "src/a.py:3:7",
                "--exit-code",
                "1",
                "--tag",
                "time",
                "--tag",
                "utc",
                "--set",
                "environment.python=3.11",
            ),
            {
                "title": "TypeError: can't compare",
                "location": {"file": "src/a.py", "line": 3, "column": 7},
                "exit_code": 1,
                "tags": ["time", "utc"],
                "environment": {"python": 3.11},
            },
        ),
        (
            (
                "fix",
                "--approach",
                "use UTC",
                "--outcome",
                "partial",
                "--step",
                "one",
                "--step",
                "two",
                "--link",
                f"fixes={ERROR[:6]}",
                "--stated-confidence",
                "0.5",
            ),
            {
                "outcome": "partial",
                "steps": ["one", "two"],
                "links": {"fixes": [ERROR]},
                "stated_confidence": 0.5,
            },
        ),
        (
            (
                "decision",
                "--title",
                "Use UTC",
                "--alternative",
                "Local: it jumps",
                "--governs",
                "src/**",
                "--anchor",
                "src/a.py:3-9",
            ),
            {
                "alternatives": [{"option": "Local", "why_not": "it jumps"}],
                "governs": ["src/**"],
                "anchors": [{"path": "src/a.py", "lines": [3, 9]}],
            },
        ),
        (("pattern", "--title", "Retry", "--language", "python"), {"language": "python"}),
        (("note", "--body", "First line\nsecond"), {"title": "First line"}),
    ],
    ids=["error", "fix", "decision", "pattern", "note"],
)
def test_add_writes_what_the_flags_say(
    memory: "Checkout", command: tuple[str, ...], expected: dict[str, Any]
) -> None:
    made = stored(memory, ok(memory, "add", *command).split()[0])
    assert {name: made[name] for name in expected} == expected
    assert made["author"] == {"name": "Ada Lovelace", "email": "ada@example.com"}
    assert in_process(memory, "check").code == 0


def test_add_takes_long_text_from_standard_input(memory: "Checkout") -> None:
    made = ok(memory, "add", "pattern", "--title", "x", "--code", "-", stdin="a\n  b\n").split()[0]
    assert stored(memory, made)["code"] == "a\n  b\n"


@pytest.mark.parametrize(
    "text",
    [
        "title: one\nbody: |\n  two\n  lines\n---\n".replace("---\n", ""),
        '{"title": "one", "body": "two\\nlines\\n"}',
        '[{"title": "one", "body": "two\\nlines\\n"}, {"title": "another"}]',
        '- title: one\n  body: "two\\nlines\\n"\n- title: another\n',
    ],
    ids=["yaml", "json", "json-list", "yaml-list"],
)
def test_add_takes_whole_records_from_standard_input(memory: "Checkout", text: str) -> None:
    made = json.loads(ok(memory, "add", "note", "--from", "-", "--json", stdin=text))
    assert made["format"] == 1
    assert made["records"][0]["body"] == "two\nlines\n"
    assert len(listed(memory, "kind:note")) == 1 + len(made["records"])


def test_add_keeps_an_attachment_by_its_content(memory: "Checkout") -> None:
    shot = memory.add("shot.PNG", b"\x89PNG")
    ok(memory, "add", "error", "--message", "first look", "--attach", str(shot))
    made = ok(memory, "add", "error", "--message", "look", "--attach", str(shot)).split()[0]
    (name,) = stored(memory, made)["attachments"]
    assert name.endswith(".png")
    assert (memory / ".memory" / "attachments" / name).read_bytes() == b"\x89PNG"
    assert len(list((memory / ".memory" / "attachments").iterdir())) == 1


def test_add_edit_opens_a_template_and_takes_what_comes_back(memory: "Checkout") -> None:
    script = memory.parent / "editor"
    script.write_text('#!/bin/sh\nsed -i "s/^#body:/body: edited/" "$1"\n')
    script.chmod(0o755)
    made = ok(memory, "add", "note", "--edit", "--title", "kept", EDITOR=str(script)).split()[0]
    assert stored(memory, made) | {"title": "kept", "body": "edited"} == stored(memory, made)
    assert list((memory / ".git" / "gitmem" / "journal" / "drafts").iterdir()) == []


def test_who_writes_is_taken_from_flag_environment_and_settings(memory: "Checkout") -> None:
    made = ok(memory, "--as", "agent:coder", "add", "note", "--title", "a").split()[0]
    assert (
        stored(memory, made)["author"] | {"via": "agent", "tool": "coder"}
        == stored(memory, made)["author"]
    )
    made = ok(memory, "add", "note", "--title", "b", GITMEM_ACTOR="tool:ci").split()[0]
    assert stored(memory, made)["author"]["via"] == "tool"
    made = ok(memory, "add", "note", "--title", "c", GITMEM_AUTHOR_NAME="Bob").split()[0]
    assert stored(memory, made)["author"]["name"] == "Bob"


# resolve, supersede, forget


def test_resolve_changes_the_status_and_a_new_duplicate_brings_it_back(memory: "Checkout") -> None:
    error = ok(memory, "add", "error", "--message", "boom").split()[0]
    ok(memory, "resolve", error, "tried", "this", "--outcome", "failed")
    assert error in listed(memory, "status:open")
    patch = "--- a\n+++ b\n"
    fix = ok(
        memory,
        "resolve",
        error,
        "then that",
        "--patch-from",
        "-",
        "--verified-by",
        "make",
        stdin=patch,
    )
    made = stored(memory, fix.split()[0])
    assert made["patch"] == patch
    assert made["verification"]["command"] == "make"
    assert error in listed(memory, "status:resolved")
    shown = ok(memory, "show", error)
    assert "2 fix attempts" in shown
    assert shown.index("tried this") < shown.index("then that")
    assert "failed" in ok(memory, "search", "boom")
    ok(memory, "add", "error", "--message", "boom again", "--link", f"duplicates={error}")
    assert error in listed(memory, "status:regressed")


def test_supersede_keeps_the_old_decision_marked(memory: "Checkout") -> None:
    new = ok(memory, "edit", "supersede", DECISION, "--title", "Use fusion").split()[0]
    assert listed(memory, "status:superseded") == [DECISION]
    assert new in ok(memory, "show", DECISION)
    assert stored(memory, new)["links"]["supersedes"] == [DECISION]


def test_forget_shows_the_record_and_deletes_one_file(memory: "Checkout") -> None:
    result = run(memory, "forget", ERROR, "--yes")
    assert "too hot" in result.out
    assert "1 record" in result.err
    assert ERROR not in listed(memory)
    assert ok(memory, "search", "overheats") == ""
    assert "dangling-link" in run(memory, "check").out


# list, log, search, show, status, check


def test_list_filters_and_sorts(memory: "Checkout") -> None:
    assert listed(memory) == [NOTE, DECISION, FIX, ERROR]
    assert listed(memory, "--sort", "oldest") == [ERROR, FIX, DECISION, NOTE]
    assert listed(memory, "--limit", "2") == [NOTE, DECISION]
    assert listed(memory, "kind:error,fix") == [FIX, ERROR]
    assert listed(memory, "-kind:note", "since:2026-01-03", "until:2026-01-03") == [FIX]
    assert listed(memory, "type:heaterror") == [ERROR]
    assert listed(memory, "author:ada") == listed(memory)
    assert listed(memory, "status:worked") == [FIX]
    assert [row["title"] for row in answer(memory, "list", "--sort", "title")["records"]] == sorted(
        TITLES, key=str.lower
    )
    assert "no record matches" in run(memory, "list", "tag:none").err


def test_log_is_a_timeline(memory: "Checkout") -> None:
    lines = ok(memory, "log").splitlines()
    assert lines[0] == "2026-01-05"
    assert ok(memory, "log", "--reverse", "--limit", "1").splitlines()[0] == "2026-01-02"
    assert len(answer(memory, "log", "kind:fix")["records"]) == 1


def test_search_ranks_explains_limits_and_suggests(memory: "Checkout") -> None:
    made = answer(memory, "search", "capacitor overheats", "--why")
    assert made["hits"][0]["id"] == ERROR
    assert made["hits"][0]["attempts"][0]["id"] == FIX
    assert {part["term"] for part in made["hits"][0]["why"]}
    assert len(answer(memory, "search", "flux", "--limit", "2")["hits"]) == 2
    assert "score" in ok(memory, "search", "flux", "--why")
    assert DECISION not in ok(memory, "search", "flux -plutonium")
    assert ok(memory, "search", '"88 mph"').startswith(NOTE)
    assert ERROR in ok(memory, "search", "overhaets~")
    assert "did you mean" in run(memory, "search", "capacitr").err
    assert ERROR in ok(
        memory, "search", stdin="Traceback (most recent call last):\nHeatError: too hot\n"
    )


def test_show_gives_text_json_and_the_file_itself(memory: "Checkout") -> None:
    file = memory / f".memory/errors/2026/01/{ERROR}.yaml"
    assert ok(memory, "show", "--yaml", ERROR) == file.read_text()
    made = answer(memory, "show", ERROR)
    assert made["status"] == "resolved"
    assert made["backlinks"][0]["id"] == FIX
    assert made["path"] == f"errors/2026/01/{ERROR}.yaml"


def test_status_counts(memory: "Checkout") -> None:
    ok(memory, "session", "start", "count things")
    out = ok(memory, "status")
    assert "1 resolved" in out
    assert "count things" in out
    made = answer(memory, "status")
    assert sum(count["count"] for count in made["counts"]) == 4
    assert made["live_sessions"][0]["goal"] == "count things"


def test_check_is_quiet_and_succeeds_where_nothing_is_wrong(memory: "Checkout") -> None:
    assert run(memory, "check") == (0, "", "note: nothing wrong\n")
    assert answer(memory, "check") == {"format": 1, "command": "check", "errors": 0, "problems": []}


def test_index_status_rebuild_and_verify(memory: "Checkout") -> None:
    assert "records     4" in ok(memory, "index", "status")
    assert "4 records" in run(memory, "index", "rebuild").err
    assert run(memory, "index", "verify").code == 0


# How it looks


def test_plain_when_piped_and_coloured_on_a_terminal(memory: "Checkout") -> None:
    assert "\x1b[" not in ok(memory, "search", "flux")
    assert "\x1b[33m" in shown_on_terminal(memory, "list").out
    assert "\x1b[" in ok(memory, "--color", "always", "list")
    for off in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"GITMEM_UI_COLOR": "never"}):
        assert "\x1b[" not in shown_on_terminal(memory, "list", env=off).out
    assert "\x1b[" in ok(memory, "list", GITMEM_UI_COLOR="always")


def test_a_progress_bar_only_on_a_terminal_and_only_for_long_work(memory: "Checkout") -> None:
    assert "%" not in shown_on_terminal(memory, "search", "flux").out
    for number in range(400):
        name = f"note-{number:08}zz"
        lay(memory, f"notes/2026/04/{name}.yaml", record("note", name, f"Bulk {number}"))
    assert run(memory, "index", "rebuild").err == "note: 404 records read and indexed\n"
    long = shown_on_terminal(memory, "index", "rebuild").out
    assert "100%" in long
    assert long.rstrip().endswith("404 records read and indexed")


# without arguments


@pytest.mark.parametrize("command", [(), ("add",), ("session",), ("index",)])
def test_a_command_that_needs_another_shows_its_help(
    memory: "Checkout", command: tuple[str, ...]
) -> None:
    shown = run(memory, *command)
    assert shown.code == 2
    assert shown.err == ok(memory, *command, "--help")


# helpful, unhelpful


def test_a_verdict_is_noted_with_what_it_was_for(memory: "Checkout") -> None:
    with untouched(memory):
        assert answer(memory, "helpful", ERROR)["record"] == ERROR
        said = answer(memory, "helpful", "--not", FIX, "--for", "ValueError: no")
    assert said["site"]
    assert in_process(memory, "helpful", "err-zzzzzzzzzz").code == 3


@sampled(4)
@pytest.mark.parametrize("command", ["list", "log", "search", "stats"])
@pytest.mark.parametrize("word", ["-author:ann", "-path:src/x", "-tag:h", "-author:nobody"])
def test_what_is_excluded_is_no_flag(repo: "Checkout", command: str, word: str) -> None:
    """An ``h`` in it is not the ``-h`` that asks for help."""
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "codec")
    said = ok(repo, command, word, *(["codec"] if command == "search" else []))
    assert "Usage:" not in said
    assert ("note-" in said) == (command != "stats")
