"""Records whose code is gone: every face that suggests leaves them out, and search says so."""

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.matching.parse import main_failure
from gitmem.memory import Memory
from gitmem.memory.anchors import anchor_memo
from gitmem.memory.anchors.anchor_memo import PlainAnchor, anchors_in
from gitmem.memory.anchors.withheld_records import known_stale, places_in
from gitmem.records.convert import decode, encode, from_data
from gitmem.render import as_json, lists, run_report
from gitmem.render.match_markdown import match_text
from gitmem.render.text import Painter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gitmem.catalog.rows import Row
    from tests.conftest import Checkout

PATH = "src/card.py"
CODE = """\
def charge(card, amount):
    total = amount_with_tax(amount)
    return card.charge(total)


def refund(card, amount):
    return card.refund(amount, reason="asked for")
"""
OUTPUT = """\
Traceback (most recent call last):
  File "src/card.py", line 3, in charge
    return card.charge(total)
  File "src/bank.py", line 9, in send
    raise BankClosedError("the bank of the customer is closed on sunday")
src.bank.BankClosedError: the bank of the customer is closed on sunday
"""


class Shop:
    """A repository with one error, on which two fixes worked; one speaks of a line of code."""

    def __init__(self, repo: "Checkout") -> None:
        self.repo = repo
        Memory.init(str(repo))
        repo.add(PATH, CODE)
        repo.commit("code")
        with Memory.open(str(repo)) as memory:
            (known,) = memory.hint(OUTPUT)
            self.error = memory.add("error", known.seen.fields).id
            self.here = memory.resolve(self.error, self.fix("charge the bank twice")).id
            self.free = memory.resolve(self.error, {"approach": "wait until monday"}).id
        repo.commit("records")

    @staticmethod
    def fix(approach: str) -> dict[str, Any]:
        return {"approach": approach, "anchors": [{"path": PATH, "lines": [2, 2]}]}

    def rewrite(self) -> None:
        """Take the line away that the fix speaks of."""
        self.repo.add(PATH, CODE.replace("amount_with_tax(amount)", "tax_for(card) + amount"))
        self.repo.commit("rewrite")


@pytest.fixture
def shop(repo: "Checkout") -> Shop:
    return Shop(repo)


def stale_ids(root: "Path") -> set[str]:
    with Memory.open(str(root)) as memory:
        return {one.wanted.row.id for one in memory.history.stale()}


def test_a_hint_leaves_out_what_speaks_of_code_that_is_gone(shop: Shop) -> None:
    with Memory.open(str(shop.repo)) as memory:
        (one,) = memory.hint(OUTPUT)
        assert {fix.id for fix in one.suggested} == {shop.here, shop.free}
    shop.rewrite()
    assert stale_ids(shop.repo) == {shop.here}
    with Memory.open(str(shop.repo)) as memory:
        (one,) = memory.hint(OUTPUT)
        assert [fix.id for fix in one.suggested] == [shop.free]
        # That it worked once is still known: else nobody could tell that it came back.
        assert {fix.id for fix in one.attempts} == {shop.here, shop.free}
        said = "\n".join(run_report.recognised([one], Painter()))
        assert "wait until monday" in said
        assert "charge the bank twice" not in said
        assert "1 attempt is withheld, the code is gone: gitmem check stale" in said
        data = as_json.recognised(one)
        assert [fix["id"] for fix in data["attempts"]] == [shop.free]
        assert data["withheld"] == {
            shop.here: f'{PATH}: "total = amount_with_tax(amount)" is not there any more'
        }


def test_an_editor_and_a_job_leave_it_out(shop: Shop) -> None:
    shop.rewrite()
    with Memory.open(str(shop.repo)) as memory:
        for one in (*memory.hint(OUTPUT), *memory.failures.known([main_failure(OUTPUT)])):
            text = match_text(memory.failures.attempt_reader().tell(one))
            assert "charge the bank twice" not in text
            assert "wait until monday" in text
            assert "1 attempt is withheld" in text


def test_what_only_looks_like_a_failure_is_left_out_if_it_is_stale(shop: Shop) -> None:
    like = OUTPUT.replace("BankClosedError", "HolidayError").replace("src/bank.py", "src/day.py")
    fields = {"title": "BankClosedError HolidayError: the bank of the customer is closed on sunday",
              "body": like, "anchors": [{"path": PATH, "lines": [2, 2]}]}  # fmt: skip
    with Memory.open(str(shop.repo)) as memory:
        note = memory.add("note", fields).id
    shop.repo.commit("note")
    other = 'RuntimeError: HolidayError: the bank of the customer is closed on sunday in "x.py"'

    def similar() -> set[str]:
        with Memory.open(str(shop.repo)) as memory:
            return {hit.row.id for one in memory.hint(other) for hit in one.similar}

    assert note in similar()
    shop.rewrite()
    assert similar().isdisjoint({note, shop.here})


def test_search_finds_it_and_says_that_it_is_stale(shop: Shop) -> None:
    def asked() -> "tuple[str, list[dict[str, Any]]]":
        with Memory.open(str(shop.repo)) as memory:
            hits = memory.search("charge the bank twice").hits
            assert shop.here in {hit.row.id for hit in hits} | {
                fix.id for hit in hits for fix in hit.attempts
            }
            text = "\n".join(lists.hits(hits, Painter(), why=False))
            return text, json.loads(json.dumps(as_json.hits(hits, why=False)))

    assert "stale" not in asked()[0]
    shop.rewrite()
    text, data = asked()
    reason = f'{PATH}: "total = amount_with_tax(amount)" is not there any more'
    assert f"stale  {reason}" in text
    assert {"reason": reason, "stale": True} in [
        known for hit in data for known in hit["stale"].values()
    ]


def test_at_a_revision_nothing_is_said_of_the_files_as_they_are(shop: Shop) -> None:
    shop.rewrite()
    with Memory.open(str(shop.repo)) as memory, memory.history.at("HEAD~1") as past:
        assert not any(hit.standing for hit in past.search("charge the bank").hits)


def test_a_file_that_went_is_followed_by_git_before_anything_is_withheld(shop: Shop) -> None:
    shop.repo.git("mv", PATH, "src/cards.py")
    shop.repo.commit("rename")
    with Memory.open(str(shop.repo)) as memory:
        rows = [memory.find(shop.here)]
        # Nobody asked git: it is said that the file is not there, and not that it is stale.
        assert known_stale(memory.workspace, rows) == {
            shop.here: (f"{PATH} is not there any more", False)
        }
        assert known_stale(memory.workspace, rows, ask_git=True) == {}
        (one,) = memory.hint(OUTPUT)
        assert {fix.id for fix in one.suggested} == {shop.here, shop.free}
        text = "\n".join(lists.hits(memory.search("charge twice").hits, Painter(), why=False))
        assert f"place  {PATH} is not there any more" in text
    (shop.repo / "src/cards.py").unlink()
    commit = shop.repo.commit("delete")
    with Memory.open(str(shop.repo)) as memory:
        (one,) = memory.hint(OUTPUT)
        assert dict(one.withheld) == {shop.here: f"{PATH}: file deleted in {commit[:10]}"}


def test_a_file_is_not_told_of_decisions_about_lines_that_are_gone(shop: Shop) -> None:
    anchors = [{"path": PATH, "lines": [2, 2]}]
    with Memory.open(str(shop.repo)) as memory:
        lost = memory.add("decision", {"title": "A", "decision": "x", "anchors": anchors}).id
        both = [*anchors, {"path": PATH, "lines": [7, 7]}]
        kept = memory.add("decision", {"title": "B", "decision": "x", "anchors": both}).id
        wide = memory.add(
            "decision", {"title": "C", "decision": "x", "anchors": anchors, "governs": ["src/**"]}
        ).id
    shop.repo.commit("decisions")
    with Memory.open(str(shop.repo)) as memory:
        assert {row.id for row in memory.editor.about(PATH).decisions} == {lost, kept, wide}
    shop.rewrite()
    with Memory.open(str(shop.repo)) as memory:
        assert {row.id for row in memory.editor.about(PATH).decisions} == {kept, wide}
        assert lost not in {mark.row.id for mark in memory.editor.marks(PATH)}
        assert {row.id for row in memory.list("kind:decision")} == {lost, kept, wide}


_LINES = st.text(
    st.characters(codec="utf-8", exclude_characters="\n\r", exclude_categories=["Cs", "Cc"]),
    max_size=30,
) | st.sampled_from(
    ["null", "true", "12", "-x", "a: b", "a #b", "it's", '"q"', "x:", "", "~", "a\tb", "# c", "y"]
)


@given(st.lists(st.tuples(st.sampled_from(["a.py", "a b.py", "12", "ü'.py", "x: y"]), _LINES)))
def test_places_are_read_as_the_reader_of_records_reads_them(made: list[tuple[str, str]]) -> None:
    data = {
        "kind": "note", "id": "note-7k3m9q2d4x", "title": "t", "body": "anchors:\n- path: no.py\n",
        "created": "2026-01-01T00:00:00Z", "author": {"name": "a"},
        "anchors": [
            {"path": path, "lines": [1, 2], "quote": line, "commit": "0a1b2c3d" * bool(line)}
            for path, line in made
        ],
    }  # fmt: skip
    text = encode(from_data(data))
    record = decode(text, "x.yaml").record
    assert record is not None
    for plain, anchor in zip(anchors_in(text, "x.yaml"), record.anchors, strict=True):
        fields = {name: getattr(anchor, name) for name in PlainAnchor._fields}
        assert {name: getattr(plain, name) for name in PlainAnchor._fields} == fields
    wanted = [(one.path, one.quote.strip()) for one in record.anchors]
    assert [tuple(one) for one in places_in(text, "x.yaml")] == [
        (path, next(iter(quote.splitlines()), "")) for path, quote in wanted
    ]


@pytest.mark.parametrize(
    "block",
    [
        'anchors: [{path: a.py, quote: "x y"}]\n',
        "anchors:\n  - path: a.py\n    quote: x y\n",
        "anchors:\r\n- path: a.py\r\n  quote: x y\r\n",
        "anchors:\n- path: a.py\n  # why\n  quote: x y\n",
        'anchors:\n- path: "a.py"\n  quote: |\n    x y\n',
        "anchors:\n- quote: x y\n  path: a.py",
    ],
)
def test_anchors_written_by_hand_are_read_too(block: str) -> None:
    head = ("schema: 1\nid: note-7k3m9q2d4x\nkind: note\ntitle: t\nbody: b\n"
            "created: '2026-01-01T00:00:00Z'\nauthor:\n  name: a\n")  # fmt: skip
    assert places_in((head + block).encode(), "x.yaml") == [("a.py", "x y")]


def test_the_usual_form_needs_no_reader_of_records(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its import takes as long as a whole search."""
    with Memory.open(str(shop.repo)) as memory:
        row = memory.find(shop.here)
        text = memory.workspace.store.read(row.path)
    monkeypatch.setitem(sys.modules, "gitmem.records.convert", None)
    assert places_in(text, row.path) == [(PATH, "total = amount_with_tax(amount)")]
    (shop.repo / PATH).unlink()
    shop.repo.commit("no cards")
    with Memory.open(str(shop.repo)) as memory:
        # Even where git has to be asked what became of a file.
        assert [*known_stale(memory.workspace, [row], ask_git=True)] == [row.id]


# Asked again and again


class Asked:
    """A memory that stays open, and how often git was started for a hint."""

    def __init__(self, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shop = shop
        self.memory = Memory.open(str(shop.repo))
        self.memory.checks.watch_incrementally()
        self.started = 0
        start = subprocess.Popen.__init__

        def counted(process: Any, *arguments: Any, **options: Any) -> None:
            self.started += 1
            start(process, *arguments, **options)

        monkeypatch.setattr(subprocess.Popen, "__init__", counted)

    def hint(self) -> set[str]:
        """Give what a hint leaves out, as a memory opened anew does, too."""
        (one,) = self.memory.hint(OUTPUT)
        started = self.started
        with Memory.open(str(self.shop.repo)) as other:
            (fresh,) = other.hint(OUTPUT)
        self.started = started
        assert one.withheld == fresh.withheld
        return set(one.withheld)

    def twice(self) -> set[str]:
        """Give the same, and hold that git is not asked again."""
        first = self.hint()
        self.started = 0
        assert self.hint() == first
        assert self.started == 0
        return first


@pytest.fixture
def asked(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> "Iterator[Asked]":
    old = time.time() - 60
    for path in shop.repo.rglob("*.*"):
        if ".git/" not in str(path) and path.is_file():
            os.utime(path, (old, old))
    monkeypatch.setattr(anchor_memo, "_YOUNG_NS", 0)  # changes here leave other stamps
    made = Asked(shop, monkeypatch)
    yield made
    made.memory.close()


def test_git_is_asked_once_while_nothing_changes(asked: Asked) -> None:
    repo, here = asked.shop.repo, asked.shop.here
    assert asked.twice() == set()
    repo.git("rm", "-q", PATH)
    assert asked.hint() == {here}  # in no commit yet: git tells it each time
    repo.commit("gone")
    assert asked.twice() == {here}
    repo.git("revert", "--no-edit", "HEAD")
    assert asked.twice() == set()
    repo.git("mv", PATH, "src/new.py")
    assert asked.hint() == set()
    repo.commit("renamed")
    assert asked.twice() == set()
    repo.add("src/new.py", "nothing of it\n")
    assert asked.twice() == {here}
    repo.git("checkout", "-q", "src/new.py")
    assert asked.twice() == set()
    repo.git("rm", "-q", "src/new.py")
    assert asked.hint() == {here}
    repo.git("reset", "-q", "--hard", "HEAD~2")
    assert asked.hint() == {here}
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert asked.twice() == set()


def test_a_file_that_is_deleted_and_comes_back_is_looked_at(asked: Asked) -> None:
    full = asked.shop.repo / PATH
    text = full.read_text()
    full.unlink()
    assert asked.hint() == {asked.shop.here}
    full.write_text(text)
    assert asked.hint() == set()
    asked.shop.repo.git("rm", "-q", PATH)
    asked.shop.repo.commit("gone")
    assert asked.twice() == {asked.shop.here}
    full.parent.mkdir(exist_ok=True)
    full.write_text(text)
    assert asked.twice() == set()
    full.write_text(text.replace("total = ", "sum = "))
    assert asked.twice() == {asked.shop.here}


def test_a_record_that_names_another_place_is_read_again(asked: Asked) -> None:
    asked.shop.rewrite()
    assert asked.twice() == {asked.shop.here}
    with Memory.open(str(asked.shop.repo)) as memory:
        path = asked.shop.repo / ".memory" / memory.find(asked.shop.here).path
    text = path.read_text()
    path.write_text(text.replace("total = amount_with_tax(amount)", "return card.charge(total)"))
    assert path.read_text() != text
    assert asked.twice() == set()


def test_what_is_young_is_not_remembered(shop: Shop) -> None:
    kept = anchor_memo.AnchorMemo()
    file = shop.repo / PATH
    answers = iter(range(5))
    file.write_text("just now")
    assert kept.once("x", [str(file)], lambda: next(answers)) == 0
    assert kept.once("x", [str(file)], lambda: next(answers)) == 1
    old = anchor_memo.stamped([str(file)])
    (stamp,) = old.values()
    assert stamp
    long_ago = {str(file): (stamp[0], 1, 1, stamp[3])}
    assert kept.keep("x", long_ago, 7) == 7
    assert kept.answer("x") is None  # it has another stamp
    assert kept.once("gone", [f"{file}.no"], lambda: next(answers)) == 2
    assert kept.once("gone", [f"{file}.no"], lambda: next(answers)) == 2


def fixes_in(asked: Asked, names: list[str]) -> "list[Row]":
    """Commit files, and give a fix of the error in each."""
    repo, memory = asked.shop.repo, asked.memory
    for name in names:
        repo.add(name, name * 30)
    repo.commit("more")
    fixes = [
        memory.resolve(asked.shop.error, {"approach": name, "anchors": [{"path": name}]}).id
        for name in names
    ]
    return [memory.find(fix) for fix in fixes]


def test_what_became_of_further_files_is_asked_together(asked: Asked) -> None:
    repo, memory = asked.shop.repo, asked.memory
    names = ["src/one.py", "src/two.py", "src/three.py", "src/four.py"]
    rows = fixes_in(asked, names)
    repo.git("mv", names[2], "src/moved.py")
    repo.git("rm", "-q", *names[:2], names[3])
    repo.commit("gone")

    def is_stale(at: int) -> bool:
        return bool(known_stale(memory.workspace, [rows[at]], ask_git=True)[rows[at].id].stale)

    assert is_stale(0)
    assert is_stale(1)
    asked.started = 0
    assert is_stale(3)
    assert asked.started == 0
    assert not known_stale(memory.workspace, [rows[2]], ask_git=True)


def test_further_files_are_followed_each_time_that_git_is_asked(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anchor_memo, "_AT_ONCE", 2)
    repo, memory = asked.shop.repo, asked.memory
    names = [f"src/gone{at}.py" for at in range(7)]
    rows = fixes_in(asked, names)
    repo.git("rm", "-q", *names)
    repo.commit("gone")
    starting = []
    for row in rows:
        asked.started = 0
        assert known_stale(memory.workspace, [row], ask_git=True)[row.id].stale
        starting.append(asked.started > 0)
    # The newest two beside the second, two more beside the third; what was followed is not again.
    assert starting == [True, True, True, False, False, False, False]


def test_a_file_that_no_commit_has_is_not_read_from_one(asked: Asked) -> None:
    memory = asked.memory
    anchors = [{"path": "src/never.py"}]
    fix = memory.resolve(asked.shop.error, {"approach": "Look", "anchors": anchors}).id
    row = memory.find(fix)
    asked.started = 0
    assert known_stale(memory.workspace, [row], ask_git=True)[fix].stale
    assert asked.started == 2  # what the commit lists, and what commits deleted
