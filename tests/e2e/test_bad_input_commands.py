"""Commands that can't be meant like this, and input that is no record: cases 11 and 12."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.depth import amount, deep, sampled
from tests.e2e.running import (
    INTERRUPTED,
    INVALID,
    NOT_FOUND,
    USAGE,
    Terminal,
    complains,
    content,
    in_process,
    ok,
    run,
    untouched,
)
from tests.e2e.samples import ERROR, NOTE, TITLES, lay, record

if TYPE_CHECKING:
    from tests.conftest import Checkout

# Case 11

MISUSE = {
    "unknown-command": (("serch", "x"), USAGE, "did you mean search"),
    "unknown-command-like-none": (("frobnicate",), USAGE, "gitmem --help"),
    "unknown-kind": (("add", "eror", "--title", "x"), USAGE, "error"),
    "unknown-session-command": (("session", "strat", "x"), USAGE, "start"),
    "unknown-index-command": (("index", "rebuidl"), USAGE, "rebuild"),
    "unknown-flag": (("list", "--jsno"), USAGE, "--json"),
    "unknown-flag-of-add": (("add", "note", "--titel", "x"), USAGE, "--title"),
    "unknown-flag-before": (("--colour", "list"), USAGE, "--color"),
    "missing-argument": (("show",), USAGE, "ID"),
    "too-many-arguments": (("show", ERROR, NOTE), USAGE, "unexpected"),
    "flag-without-value": (("add", "note", "--title"), USAGE, "--title"),
    "bad-choice": (("list", "--sort", "colour"), USAGE, "created"),
    "bad-number": (("search", "x", "--limit", "many"), USAGE, "--limit"),
    "number-out-of-range": (("list", "--limit", "0"), USAGE, "--limit"),
    "unknown-id": (("show", "err-zzzzzzzzzz"), NOT_FOUND, "err-zzzzzzzzzz"),
    "no-id-at-all": (("show", "%_%"), NOT_FOUND, "gitmem list"),
    "id-of-another-kind": (("resolve", NOTE, "x"), NOT_FOUND, "of another kind"),
    "ambiguous-id": (("show", "0000"), USAGE, "ambiguous"),
    "nothing-to-add": (("add", "note"), USAGE, "--title"),
    "nothing-done": (("resolve", ERROR), USAGE, "what was done"),
    "said-twice": (("resolve", ERROR, "x", "--approach", "y"), USAGE, "twice"),
    "empty-query": (("search", ""), USAGE, "empty"),
    "blank-query": (("search", "   "), USAGE, "empty"),
    "operators-only": (("search", '"" - ~ :'), USAGE, "nothing to look for"),
    "punctuation-only": (("search", "!!! ??? ###"), USAGE, "nothing to look for"),
    "unbalanced-quote": (("search", '"connection refused'), USAGE, "quote is not closed"),
    "unbalanced-quote-in-filter": (("search", 'tag:"a b'), USAGE, "quote is not closed"),
    "unknown-filter-value": (("search", "kind:eror"), USAGE, "kind:error"),
    "status-of-another-kind": (("list", "kind:note status:open"), USAGE, "status"),
    "unreadable-date": (("search", "x since:yesteryear"), USAGE, "not a date"),
    "impossible-date": (("list", "since:2026-02-30"), USAGE, "not a date"),
    "empty-range": (("list", "since:2026 until:2025"), USAGE, "not before"),
    "words-in-list": (("list", "flux"), USAGE, "gitmem search"),
    "stars-bomb": (("list", "path:" + "*a" * 40), USAGE, "stars"),
    "folder-that-is-none": (("-C", "nowhere", "list"), USAGE, "nowhere"),
    "unknown-setting": (("config", "serch.limit"), USAGE, "search.limit"),
    "setting-for-nobody": (("config", "search.limit", "3"), USAGE, "--team"),
    "setting-of-wrong-type": (("config", "search.limit", "ten", "--team"), USAGE, "whole number"),
    "setting-out-of-range": (("config", "ui.color", "pink", "--team"), USAGE, "never"),
    "bad-actor": (("--as", "robot", "add", "note", "--title", "x"), USAGE, "agent:NAME"),
    "bad-link": (("add", "note", "--title", "x", "--link", "err-1"), USAGE, "RELATION=ID"),
    "bad-assignment": (("add", "note", "--title", "x", "--set", "mood"), USAGE, "FIELD=VALUE"),
    "assignment-in-text": (("add", "note", "--title", "x", "--set", "title.a=1"), USAGE, "title"),
    "assignment-of-no-yaml": (("add", "note", "--title", "x", "--set", "tags=[a"), INVALID, "YAML"),
    "unknown-field": (("add", "note", "--title", "x", "--set", "boddy=y"), INVALID, "body"),
    "bad-enum": (("add", "fix", "--approach", "x", "--outcome", "wrked"), INVALID, "worked"),
    "bad-tag": (("add", "note", "--title", "x", "--tag", "two words"), INVALID, "tags"),
    "title-of-two-lines": (("add", "note", "--title", "a\nb"), INVALID, "one line"),
    "share-out-of-range": (
        ("add", "decision", "--title", "x", "--confidence", "1.5"), INVALID, "0 to 1"
    ),
    "no-number": (("add", "error", "--message", "x", "--exit-code", "one"), USAGE, "number"),
    "not-a-finite-number": (("add", "fix", "--approach", "x", "--seconds", "nan"), None, ""),
    "infinite-number": (("add", "fix", "--approach", "x", "--seconds", "inf"), None, ""),
    "line-zero": (("add", "error", "--message", "x", "--location", "a.py:0"), INVALID, "location"),
    "anchor-backwards": (("add", "note", "--title", "x", "--anchor", "a.py:9-3"), INVALID, "lines"),
    "anchor-outside": (("add", "note", "--title", "x", "--anchor", "/etc/passwd"), INVALID, "path"),
    "file-that-is-not-there": (("add", "note", "--from", "none.yaml"), USAGE, "none.yaml"),
    "folder-for-a-file": (("add", "note", "--from", "."), USAGE, "directory"),
    "attachment-that-is-not-there": (
        ("add", "error", "--message", "x", "--attach", "none.png"), 6, "none.png"
    ),
    "from-and-flags": (("add", "note", "--from", "-", "--title", "x"), USAGE, "--from"),
}  # fmt: skip


@sampled(30)
@pytest.mark.parametrize("case", MISUSE)
def test_11_misuse_gets_one_line_and_a_hint(memory: "Checkout", case: str) -> None:
    command, code, word = MISUSE[case]
    with untouched(memory):
        result = in_process(memory, *command)
        assert result.out == "", result
        if code is None:
            assert result.code in {USAGE, INVALID}, result
        complains(result, result.code if code is None else code, word)


def test_11_the_installed_command_says_the_same(memory: "Checkout") -> None:
    for case in ("unknown-command", "unknown-id", "bad-enum"):
        command, code, word = MISUSE[case]
        assert code is not None
        complains(run(memory, *command), code, word)


def test_11_an_ambiguous_prefix_lists_its_candidates(memory: "Checkout") -> None:
    for number in range(2, 10):
        name = f"err-000000000{number}"
        lay(memory, f"errors/2026/01/{name}.yaml", record("error", name, f"Candidate {number}"))
    result = run(memory, "show", "err-0")
    complains(result, USAGE, "9 records", "err-0000000001 Flux", "err-0000000005 Candidate 5", "…")


def test_11_an_id_is_read_as_people_type_it(memory: "Checkout") -> None:
    for typed in (ERROR.upper(), "ERR-OOOOOOOOOL", f" {ERROR} ", "err-", "err"):
        shown = run(memory, "show", typed)
        assert shown.code == 0, (typed, shown)
        assert ERROR in shown.out


PASTED = {
    "lines": "TypeError: flux capacitor overheats\n  at main.js:3\n" * 20_000,
    "one-line": "flux " * 220_000,
    "one-word": "x" * 1_048_576,
    "quotes": '"' * 1_048_576,
    "colons": "kind:" * 210_000,
    "minuses": "-flux " * 170_000,
    "stars": "path:" + "*" * 1_000_000,
    "fuzzy": "flx~ " * 200_000,
    "brackets": "(" * 500_000 + "a" + ")" * 500_000,
    "control": "\x00\x1b[31m\x07" * 100_000 + " flux",
    "emoji": "\U0001f600 " * 200_000,
}


@sampled(4)
@pytest.mark.parametrize("case", PASTED)
def test_11_a_megabyte_of_pasted_text_is_a_question_or_a_clear_refusal(
    memory: "Checkout", case: str
) -> None:
    begun = time.monotonic()
    result = run(memory, "search", stdin=PASTED[case])
    assert time.monotonic() - begun < 20
    assert "Traceback" not in result.err
    if result.code:
        complains(result, USAGE)
        assert all(len(line) < 400 for line in result.err.splitlines()), "it repeats all that text"
    elif case in {"lines", "one-line", "control"}:
        assert ERROR in result.out


@sampled(3)
@pytest.mark.parametrize("value", ["(a+)+$", "(.*)*x", "[", "\\", "'; DROP TABLE records; --", "%"])
def test_11_a_filter_is_never_a_regular_expression_or_sql(memory: "Checkout", value: str) -> None:
    lay(memory, "notes/2026/02/note-000000000c.yaml", record("note", "note-000000000c", "a" * 400))
    begun = time.monotonic()
    for key in ("type", "tag", "author", "session", "path"):
        result = in_process(memory, "list", f'{key}:"{value}"')
        assert result.code in {0, USAGE}, result
        assert result.out == ""
    result = in_process(memory, "list", "path:" + "a*" * 8 + "b")
    assert result.code == 0, result
    assert time.monotonic() - begun < 10
    assert all(title in in_process(memory, "list").out for title in TITLES)


def test_11_text_that_only_looks_like_operators_is_searched(memory: "Checkout") -> None:
    for text in (
        "it's hot",
        'say "hot" twice"',
        "--no-hot hot",
        "std::hot hot",
        "C:\\hot hot",
        "a:b hot",
    ):
        result = in_process(memory, "search", text)
        assert result.code == 0, (text, result)
        assert ERROR in result.out, (text, result)


# Case 12

BROKEN_INPUT = {
    "yaml-tab": ("note", "title: a\n\tbody: b\n", "line 2, column 1"),
    "yaml-quote": ("note", "title: 'a\n", "line 1, column 8"),
    "yaml-tag": ("note", "title: !!python/name:os.system x\n", "line 1, column 8"),
    "yaml-two-documents": ("note", "title: a\n---\ntitle: b\n", "line 2, column 1"),
    "yaml-scalar": ("note", "just text\n", "line 1, column 1"),
    "yaml-list-of-text": ("note", "- just text\n", "entry 1"),
    "yaml-empty-list": ("note", "[]\n", ""),
    "yaml-comment": ("note", "# nothing\n", "empty"),
    "json-cut": ("note", '{"title": "a", ', "line 1, column"),
    "json-comma": ("note", '{"title": "a",}', "line 1, column"),
    "json-constant": ("note", '{"title": "a", "body": NaN}', "NaN"),
    "json-twice": ("note", '{"title": "a", "title": "b"}', "'title' occurs twice"),
    "json-number-in-list": ("note", '[{"title": "a"}, 3]', "entry 2 of 2"),
    "json-deep": ("note", '{"title": ' + "[" * 100_000, "deep"),
    "json-deep-but-whole": (
        "note", '{"title": "a", "x": ' + "[" * 90_000 + "]" * 90_000 + "}", "deep"
    ),
    "json-huge-number": ("note", '{"title": "a", "x": 1e999}', ""),
    "json-long-integer": ("error", '{"message": "a", "exit_code": ' + "9" * 5000 + "}", ""),
    "json-surrogate": ("note", '{"title": "a\\ud800b"}', ""),
    "json-bom-utf-16": ("note", '{"title": "a"}'.encode("utf-16").decode("latin-1"), ""),
    "other-kind": ("note", "kind: error\nmessage: x\n", "kind: error"),
    "unknown-kind": ("note", "kind: remark\ntitle: x\n", "kind: remark"),
    "unknown-field": ("note", "title: a\nboddy: b\n", "did you mean body"),
    "says-nothing": ("error", "tags: [a]\n", "says nothing"),
    "newer-schema": ("note", "schema: 9\ntitle: a\n", ""),
    "own-id-of-other-kind": ("note", "id: err-0000000009\ntitle: a\n", "id"),
    "text-for-list": ("note", "title: a\ntags: one\n", "tags"),
}  # fmt: skip


@sampled(12)
@pytest.mark.parametrize("case", BROKEN_INPUT)
def test_12_input_that_is_no_record_is_refused_with_its_place(
    memory: "Checkout", case: str
) -> None:
    kind, text, word = BROKEN_INPUT[case]
    data = text.encode("latin-1") if case == "json-bom-utf-16" else text.encode()
    with untouched(memory):
        result = in_process(memory, "add", kind, "--from", "-", stdin=data)
        assert result.code in {USAGE, INVALID}, result
        complains(result, result.code, word)
        assert max(map(len, result.err.splitlines())) < 500


def test_12_an_id_that_is_there_already_is_not_written_again(memory: "Checkout") -> None:
    with untouched(memory):
        result = run(memory, "add", "note", "--from", "-", stdin=f"id: {NOTE}\ntitle: a\n")
        assert result.code in {INVALID, 5}, result
        complains(result, result.code, NOTE)


def test_12_the_one_of_another_kind_among_many_is_named(memory: "Checkout") -> None:
    entries = [{"title": "a"}, {"title": "b", "kind": "fix"}]
    with untouched(memory):
        result = run(memory, "add", "note", "--from", "-", stdin=json.dumps(entries))
        complains(result, USAGE, "entry 2 of 2: this says kind: fix, not note")


@deep
def test_12_of_many_records_with_a_bad_one_none_is_written(memory: "Checkout") -> None:
    count = amount(share=1_000, ci=10_000, whole=10_000)
    entries = [{"title": f"entry {n}", "body": "b"} for n in range(count)]
    entries[765] = {"title": "bad", "type": "gossip"}
    with untouched(memory):
        result = run(memory, "add", "note", "--from", "-", stdin=json.dumps(entries))
        complains(result, INVALID, f"entry 766 of {count}", "type", "gotcha")
    assert len(ok(memory, "list").splitlines()) == len(TITLES)


EDITORS = {
    "exits-non-zero": ('echo "title: mine" >> "$1"; exit 3', USAGE, "exit code 3"),
    "is-killed": ('echo "title: mine" >> "$1"; kill -9 $$', USAGE, "exit code"),
    "leaves-it-unchanged": ("true", USAGE, "is unchanged"),
    "empties-it": (': > "$1"', INVALID, "#"),
    "deletes-it": ('rm "$1"', USAGE, "save your text under the name"),
    "makes-it-a-folder": ('rm "$1"; mkdir "$1"', USAGE, "the editor left no file"),
    "writes-broken-yaml": ('printf "title: \\"mine\\n" > "$1"', INVALID, "line 1"),
    "writes-an-unknown-value": ('printf "title: mine\\ntype: gossip\\n" > "$1"', INVALID, "gotcha"),
    "writes-an-unknown-field": ('printf "title: mine\\nboddy: x\\n" > "$1"', INVALID, "body"),
    "writes-no-utf-8": ('printf "title: mine \\377\\n" > "$1"', None, ""),
    "writes-another-kind": ('printf "kind: error\\ntitle: mine\\n" > "$1"', None, "kind"),
}  # fmt: skip


def editor(folder: Path, script: str) -> str:
    file = folder / "an editor.sh"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return f"'{file}'"


@sampled(4)
@pytest.mark.parametrize("case", EDITORS)
def test_12_what_was_typed_in_the_editor_is_never_lost(memory: "Checkout", case: str) -> None:
    script, code, word = EDITORS[case]
    env = {"EDITOR": editor(memory.parent, script)}
    with untouched(memory):
        result = run(memory, "add", "note", "--edit", env=env)
        complains(result, result.code if code is None else code, word)
        assert result.code, result
    drafts = sorted((memory / ".git" / "gitmem" / "journal" / "drafts").glob("*"))
    files = [file for file in drafts if file.is_file()]
    typed = any("mine" in file.read_text(errors="replace") for file in files)
    untyped = {"leaves-it-unchanged", "empties-it", "deletes-it", "makes-it-a-folder"}
    assert typed == (case not in untyped)
    if typed:
        assert str(drafts[0]) in result.err, "it says where the text is"


def test_12_without_an_editor_it_says_how_to_name_one(memory: "Checkout") -> None:
    for name in ("/nowhere/editor", "'unclosed", " "):
        result = run(memory, "add", "note", "--edit", env={"EDITOR": name, "PATH": "/nowhere"})
        complains(result, 6, "EDITOR")


def test_12_ctrl_c_at_a_prompt_changes_nothing(memory: "Checkout") -> None:
    with untouched(memory):
        terminal = Terminal(memory, "forget", NOTE)
        terminal.until("Delete this file?")
        terminal.interrupt()
        result = terminal.end()
        assert result.code == INTERRUPTED, result
        assert "gitmem: interrupted" in result.out
        assert "Traceback" not in result.out


def test_12_ctrl_c_while_reading_from_the_terminal_changes_nothing(memory: "Checkout") -> None:
    with untouched(memory):
        terminal = Terminal(memory, "add", "note", "--from", "-")
        terminal.until("end with Ctrl-D")
        terminal.press("title: half\n")
        terminal.interrupt()
        result = terminal.end()
        assert result.code == INTERRUPTED, result
        assert "Traceback" not in result.out


@pytest.mark.parametrize("keys", ["n\n", "\n", "\x04"])
def test_12_a_prompt_that_is_not_answered_with_yes_changes_nothing(
    memory: "Checkout", keys: str
) -> None:
    with untouched(memory):
        terminal = Terminal(memory, "forget", NOTE)
        terminal.until("Delete this file?")
        terminal.press(keys)
        result = terminal.end()
        assert "Traceback" not in result.out
        assert result.code in {0, INTERRUPTED}, result


def test_12_ctrl_c_after_an_invalid_edit_keeps_the_text(memory: "Checkout") -> None:
    script = 'printf "title: mine\\ntype: gossip\\n" > "$1"'
    before = content(memory)
    terminal = Terminal(
        memory, "add", "note", "--edit", env={"EDITOR": editor(memory.parent, script)}
    )
    terminal.until("Edit it again?")
    terminal.interrupt()
    result = terminal.end()
    assert result.code == INTERRUPTED, result
    assert content(memory) == before
    (draft,) = (memory / ".git" / "gitmem" / "journal" / "drafts").glob("*")
    assert "title: mine" in draft.read_text()
    assert str(draft) in result.out.replace("\n", "")
