"""The public benchmark's data: enough of it, consistent, and nobody's machine in it."""

import json
import os
import re
from collections import Counter
from typing import Any

import pytest

from benchmarks.recall import data
from benchmarks.recall.data import FAMILIES, FOLDER, POOL, QUESTIONS, UNANSWERABLE, split_of
from benchmarks.recall.produce import record_id
from benchmarks.recall.programs import ANSWERED, decisions, programs
from gitmem.records.layout import is_id, kind_of

ROWS = data.rows(os.path.join(FOLDER, POOL))
BY_ID = {row["id"]: row for row in ROWS}
ASKED = data.questions()
LEAKS = re.compile(
    r"/root\b|/home/|/Users/|/tmp/|/opt/|/builds/|\.pyenv|/var/folders"
    r"|(?<!\w)(?:gh[pousr]_|sk-|AKIA)\w{12,}|PRIVATE KEY"
)


def _long_words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def test_there_is_as_much_as_the_description_promises() -> None:
    kinds = Counter(row["kind"] for row in ROWS)
    assert kinds["error"] >= 120
    assert kinds["fix"] >= 60
    assert kinds["decision"] >= 40
    assert len(ASKED) >= 150
    families = Counter(question.family for question in ASKED)
    assert set(families) == set(FAMILIES)
    assert min(families.values()) >= 30


def test_the_files_are_small_and_in_the_order_of_ids() -> None:
    paths = [os.path.join(FOLDER, name) for name in (POOL, QUESTIONS)]
    assert sum(map(os.path.getsize, paths)) <= 1_500_000
    for path in paths:
        ids = [row["id"] for row in data.rows(path)]
        assert ids == sorted(set(ids))


def test_ids_say_their_kind_and_nothing_else() -> None:
    for row in ROWS:
        assert is_id(row["id"])
        assert kind_of(row["id"]) == row["kind"]
        # A decision's program is its id: it has no program.
        named = row["title"] if row["kind"] == "decision" else row["program"]
        assert row["id"] == record_id(row["kind"], named)


def test_every_answer_is_in_the_pool_and_every_fix_fixes_an_error_of_it() -> None:
    for question in ASKED:
        assert question.relevant | question.never_first <= BY_ID.keys()
        assert not question.relevant & question.never_first
        assert bool(question.relevant) == (question.family != UNANSWERABLE)
    for row in ROWS:
        if row["kind"] == "fix":
            assert BY_ID[row["fixes"]]["kind"] == "error"


def test_a_program_is_on_one_side_of_the_split() -> None:
    for question in ASKED:
        assert question.split == split_of(question.program)
    assert len(data.questions(split="dev")) + len(data.questions(split="test")) == len(ASKED)
    for family in FAMILIES:
        assert {one.split for one in ASKED if one.family == family} == {"dev", "test"}


def test_no_question_is_a_record_word_by_word() -> None:
    texts = {row.get("text") for row in ROWS} | {row["title"] for row in ROWS}
    assert [question.id for question in ASKED if question.text in texts] == []


def test_descriptions_copy_no_word_of_the_title() -> None:
    for question in ASKED:
        if question.family in {"described", "decisions"}:
            titles = [BY_ID[one]["title"] for one in question.relevant
                      if BY_ID[one]["kind"] != "fix"]  # fmt: skip
            copied = _long_words(question.text) & _long_words(" ".join(titles))
            assert not copied, question.text


def test_typed_words_are_two_to_five() -> None:
    for question in ASKED:
        if question.family == "words":
            assert 2 <= len(question.text.split()) <= 5, question.text


def test_neighbours_have_the_message_of_their_trap() -> None:
    traps = [question for question in ASKED if question.family == "neighbour"]
    assert len(traps) >= 30
    for question in traps:
        right, wrong = (
            next(BY_ID[one] for one in ids if BY_ID[one]["kind"] == "error")
            for ids in (question.relevant, question.never_first)
        )
        mine, theirs = (_message(row["title"]) for row in (right, wrong))
        shorter, longer = sorted((mine, theirs), key=len)
        assert longer.startswith(shorter), (right["title"], wrong["title"])
        assert right["cause"] != wrong["cause"]


def _message(title: str) -> str:
    """Take names out of a message: they are the own program's."""
    return re.sub(r"'\w+'|\(.*", "", title).partition("`")[0].strip(" .")


def test_nothing_in_the_data_tells_whose_machine_it_was() -> None:
    for name in (POOL, QUESTIONS):
        rows = list(data.rows(os.path.join(FOLDER, name)))
        assert rows
        for row in rows:
            assert not LEAKS.search(json.dumps(row)), row


def test_every_program_has_its_record_and_its_questions() -> None:
    asked = Counter((question.program, question.family) for question in ASKED)
    known = {row["program"]: row for row in ROWS if row["kind"] == "error"}
    for program in programs(*ANSWERED):
        assert known[program.name]["cause"] == program.cause
        assert asked[program.name, "neighbour" if program.twin else "again"] == 1
        assert asked[program.name, "described"] == bool(program.described)
    assert sum(question.family == "decisions" for question in ASKED) == len(decisions())


def test_systems_are_not_told_which_program_a_record_is_of() -> None:
    given = data.pool()
    assert len(given) == len(ROWS)
    assert not any("program" in row for row in given)


@pytest.mark.parametrize("program", list(programs(*ANSWERED)), ids=lambda program: program.name)
def test_a_second_run_differs_from_the_first(program: Any) -> None:
    second = program.second()
    assert (second.run, second.files, second.versions) != (
        program.run,
        program.files,
        program.versions,
    )
