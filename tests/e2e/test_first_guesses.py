"""What newcomers type first and wrong: each time one line says what was meant, or where to look."""

from typing import TYPE_CHECKING

import pytest

from tests.depth import sampled
from tests.e2e.running import NOT_FOUND, USAGE, complains, ok, run

if TYPE_CHECKING:
    from tests.conftest import Checkout


@sampled(2)
@pytest.mark.parametrize("kind", ["error", "fix", "decision", "pattern", "note"])
def test_a_record_without_a_flag_is_told_how_to_get_its_title(
    memory: "Checkout", kind: str
) -> None:
    before = ok(memory, "list")
    done = run(memory, "add", kind, "it's", "night")
    complains(done, USAGE, f"gitmem add {kind} --title 'it'\"'\"'s night'")
    assert ok(memory, "list") == before


@pytest.mark.parametrize(("typed", "meant"), [
    ("man", "help"), ("ls", "list"), ("remove", "forget"), ("serch", "search"),
])  # fmt: skip
def test_a_word_of_another_tool_is_answered_with_ours(
    memory: "Checkout", typed: str, meant: str
) -> None:
    complains(run(memory, typed), USAGE, f"(did you mean {meant}?)", "see: gitmem --help")


def test_of_options_that_may_be_meant_the_nearest_comes_first(memory: "Checkout") -> None:
    for command in ("search", "list"):
        complains(
            run(memory, command, "x:y", "--limt", "3"), USAGE, "did you mean --limit or --at?"
        )
    complains(run(memory, "log", "--limt", "3"), USAGE, "(did you mean --limit?)")


def test_a_search_that_only_packs_answer_says_so(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITMEM_PACKS_OFF")
    ok(repo, "init")
    note = "note: no record of this memory matches; packs have these\n"
    only_packs = run(repo, "search", "ModuleNotFoundError")
    assert "general advice, pack" in only_packs.out
    assert only_packs.err == note
    ok(repo, "add", "note", "--title", "ModuleNotFoundError of flask")
    assert run(repo, "search", "ModuleNotFoundError").err == ""


def test_a_command_like_no_other_is_told_where_they_are_listed_once(memory: "Checkout") -> None:
    done = run(memory, "zzzz")
    complains(done, USAGE, "there is no command zzzz")
    assert done.err.count("gitmem --help") == 1


def test_a_word_where_filters_are_expected_is_told_from_one(memory: "Checkout") -> None:
    complains(run(memory, "stats", "fo"), USAGE, "fo is not a filter", "kind:error")
    complains(run(memory, "list", "kind:error", "clock"), USAGE, "clock is not a filter")


@pytest.mark.parametrize(("typed", "said"), [
    (("add", "nte"), "gitmem add has no command nte; its commands are decision, error, fix"),
    (("drafts", "kep", "3f"), "gitmem drafts has no command kep; its commands are"),
    (("help", "stats", "fo"), "gitmem stats has no command fo; its commands are recent"),
    (("help", "filtrs"), "did you mean: gitmem help filters"),
    (("help", "serch"), "did you mean: gitmem help search"),
    (("help", "zzzz"), "zzzz is neither a command nor a topic"),
    (("help", "run", "now"), "gitmem run has no commands of its own"),
], ids=lambda words: " ".join(words) if isinstance(words, tuple) else "")  # fmt: skip
def test_a_command_that_is_not_there_is_answered_with_those_that_are(
    memory: "Checkout", typed: tuple[str, ...], said: str
) -> None:
    done = run(memory, *typed)
    assert done.code == USAGE
    assert said in done.err
    assert len(done.err.splitlines()) == 2, "what is wrong, and what to do"


def test_a_note_that_says_nothing_is_not_noted(memory: "Checkout") -> None:
    ok(memory, "session", "start", "look")
    complains(run(memory, "session", "log", "note"), USAGE, 'session log note "')


@pytest.mark.parametrize("words", [
    ("add", "note", "--title"), ("list", "--limit"), ("session", "end", "--summary"),
], ids=" ".join)  # fmt: skip
def test_an_option_without_its_value_names_the_help_of_its_command(
    memory: "Checkout", words: tuple[str, ...]
) -> None:
    name = " ".join(word for word in words if not word.startswith("-"))
    complains(run(memory, *words), USAGE, f"see: gitmem {name} --help")


def test_a_misspelt_option_of_search_is_not_searched_for(memory: "Checkout") -> None:
    complains(run(memory, "search", "--jsn", "fusion"), USAGE, "--jsn", "--json")


def test_an_option_of_another_tool_can_be_searched_for(memory: "Checkout") -> None:
    ok(memory, "add", "note", "--title", "pytest knows --strict-markers")
    assert "--strict-markers" in ok(memory, "search", "pytest", "--strict-markers")


def test_the_figures_of_an_empty_memory_end_with_no_empty_line(repo: "Checkout") -> None:
    ok(repo, "init")
    assert all(line.strip() for line in ok(repo, "stats").splitlines())


def test_in_a_conflict_a_memory_is_not_called_empty(repo: "Checkout") -> None:
    ok(repo, "init")
    record = ok(repo, "add", "decision", "--title", "Use UTC").split()[0]
    (path,) = repo.glob(".memory/decisions/*/*/*.yaml")
    path.write_text(f"<<<<<<< HEAD\n{path.read_text()}=======\n>>>>>>> theirs\n")
    assert run(repo, "list").notes == ["note: no record can be read; see: gitmem check"]
    assert "empty" not in ok(repo, "status")
    complains(run(repo, "show", record), NOT_FOUND, "can't be read", "gitmem check")
    assert run(repo, "show", "dec-0000000000").err.endswith("gitmem list\n")


def test_an_empty_memory_says_how_to_begin(repo: "Checkout") -> None:
    ok(repo, "init")
    assert "empty; begin with: gitmem run -- COMMAND" in ok(repo, "status")


def test_a_draft_that_waits_is_counted_and_one_that_is_missing_is_named(repo: "Checkout") -> None:
    ok(repo, "init")
    complains(run(repo, "drafts", "keep"), USAGE, "list them with: gitmem drafts")
    (repo / "sum.py").write_text("print(totl)\n")
    run(repo, "run", "--", "python3", "sum.py")
    (repo / "sum.py").write_text("print(1)\n")
    ok(repo, "run", "--", "python3", "sum.py")
    assert "draft" in ok(repo, "drafts")
    assert "not shared (gitmem drafts)" in ok(repo, "status")


def test_a_new_failure_is_called_new_once(memory: "Checkout") -> None:
    done = run(memory, "hint", "ZeroDivisionError: division by zero")
    assert "gitmem: new  ZeroDivisionError" in done.out
    assert "not seen before" not in done.err


def test_hooks_say_what_was_done_and_not_what_is_not_there(memory: "Checkout") -> None:
    assert "installed in" in ok(memory, "hooks", "install")
    assert "all hooks are installed" in ok(memory, "hooks", "install")
    removed = ok(memory, "hooks", "uninstall")
    assert "removed from" in removed
    assert "  pre-commit\n" in removed
    assert "missing" not in removed
    assert "no hook calls gitmem" in ok(memory, "hooks", "uninstall")


def test_a_crash_is_named_after_what_ended_it(memory: "Checkout") -> None:
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    done = run(memory, "run", "--", "python3", "-c", crash)
    assert done.code == 139
    assert "exited with 139 (segmentation fault)" in done.err
