"""Places that records name: found again after real edits in real git, or told to be stale."""

import random
from typing import TYPE_CHECKING, Any

import pytest

from gitmem.git import file_fates, provenance
from gitmem.matching.relocate import FileText, digest_of
from gitmem.memory import Memory
from gitmem.memory.anchors.anchor_finder import first_without
from tests.depth import sampled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitmem.answers.places import FoundLines, PlacedAnchor
    from gitmem.memory import Mark
    from tests.conftest import Checkout

CODE = """\
import datetime


def charge(card, amount):
    if amount <= 0:
        return None
    return card.charge(amount)


def refund(card, amount):
    if amount <= 0:
        return None
    card.refund(amount, reason="asked for")
    return None
"""
PATH = "src/pay/card.py"


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.add(PATH, CODE)
    repo.commit("start")
    return repo


def decide(shop: "Path", first: int, last: int, path: str = PATH, **more: Any) -> str:
    anchor = {"path": path, "lines": [first, last], **more}
    fields = {"title": f"Lines {first} to {last}", "decision": "x", "anchors": [anchor]}
    with Memory.open(str(shop)) as memory:
        return memory.add("decision", fields).id


def placed(shop: "Path", reference: str) -> "PlacedAnchor":
    with Memory.open(str(shop)) as memory:
        (one,) = memory.history.anchors(reference)
    return one


def held(shop: "Path", reference: str) -> "FoundLines | None":
    return placed(shop, reference).held


def marks(shop: "Path", path: str = PATH) -> "list[Mark]":
    with Memory.open(str(shop)) as memory:
        return memory.editor.marks(path)


def test_what_an_anchor_keeps_is_taken_from_the_file(shop: "Checkout") -> None:
    rule = decide(shop, 10, 14)
    with Memory.open(str(shop)) as memory:
        (anchor,) = memory.show(rule).record.anchors
        assert anchor.symbol == "refund"
        assert anchor.quote == "def refund(card, amount):"
        assert anchor.content_hash == digest_of(FileText(CODE), 10, 14)
        assert anchor.commit == ""
        (one,) = memory.records.writer.add_all(
            "note", [{"body": "x", "anchors": [{"path": PATH, "lines": [6, 6]}]}]
        )
        assert one.anchors[0].quote == "return None"
        assert one.anchors[0].symbol == "charge"


@pytest.mark.parametrize(
    "anchor",
    [
        {"path": PATH},
        {"path": PATH, "lines": [14, 99]},
        {"path": "nowhere.py", "lines": [1, 1]},
        {"path": PATH, "lines": [4, 4], "quote": "not what stands there"},
        {"path": PATH, "lines": [4, 4], "commit": "0123456789"},
    ],
)
def test_nothing_is_filled_in_that_is_not_sure(shop: "Checkout", anchor: dict[str, Any]) -> None:
    with Memory.open(str(shop)) as memory:
        record = memory.add("note", {"body": "x", "anchors": [anchor]})
    assert record.anchors[0].content_hash == ""
    assert record.anchors[0].quote == anchor.get("quote", "")


def test_lines_with_a_secret_are_not_kept(shop: "Checkout") -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    shop.add("secret.py", f'def login():\n    return use("{secret}")\n')
    rule = decide(shop, 2, 2, "secret.py")
    with Memory.open(str(shop)) as memory:
        shown = memory.show(rule)
    assert shown.record.anchors[0].symbol == "login"
    assert shown.record.anchors[0].content_hash == ""
    assert secret.encode() not in shown.text


def test_an_unchanged_file_holds_and_a_longer_one_is_mapped(shop: "Checkout") -> None:
    twice = decide(shop, 12, 12)
    block = decide(shop, 4, 7)
    assert held(shop, twice) == (PATH, 12, 12, "exact")  # in no commit yet
    shop.commit("decided")
    assert held(shop, twice) == (PATH, 12, 12, "exact")
    shop.add(PATH, "import os\nimport sys\n" + CODE)
    assert held(shop, twice) == (PATH, 14, 14, "mapped")
    assert held(shop, block) == (PATH, 6, 9, "mapped")
    shop.commit("longer")
    shop.add("other.py", "x\n")
    shop.commit("other")
    assert held(shop, twice) == (PATH, 14, 14, "mapped")


def test_a_change_in_no_commit_is_told_apart_from_one_in_a_commit(shop: "Checkout") -> None:
    rule = decide(shop, 7, 7)
    shop.commit("decided")
    shop.add("other.py", "x\n")
    shop.commit("other")
    shop.add(PATH, CODE.replace("card.charge(amount)", "card.charge(amount, now)"))
    assert placed(shop, rule).reason == "charge changed, in no commit yet"
    commit = shop.commit("changed")
    shop.add(PATH, "# later\n" + (shop / PATH).read_text())
    shop.commit("later")
    assert placed(shop, rule).held is None
    assert placed(shop, rule).reason == f"charge changed in {commit[:10]}"
    with Memory.open(str(shop)) as memory:
        assert [one.wanted.row.id for one in memory.history.stale()] == [rule]
        assert [hit.row.id for hit in memory.search("lines 7").hits] == [rule]
    assert marks(shop) == []


def test_a_changed_function_is_found_by_its_definition_while_that_is_there_once(
    shop: "Checkout",
) -> None:
    rule = decide(shop, 10, 14)
    shop.commit("decided")
    shop.add(PATH, "\n" + CODE.replace("asked for", "wanted"))
    shop.commit("changed")
    assert held(shop, rule) == (PATH, 11, 15, "symbol")
    shop.add(
        PATH, CODE.replace("asked for", "wanted") + "\n\ndef refund(card, amount):\n    pass\n"
    )
    shop.commit("twice")
    assert placed(shop, rule).reason == "the quoted line is there 2 times"


def test_renamed_moved_and_renamed_again(shop: "Checkout") -> None:
    rule = decide(shop, 12, 12)
    whole = decide(shop, 1, 1)
    shop.commit("decided")
    shop.git("mv", PATH, "src/pay/cards.py")
    assert held(shop, rule) == ("src/pay/cards.py", 12, 12, "renamed")  # in no commit yet
    shop.commit("rename")
    (shop / "lib").mkdir()
    shop.git("mv", "src/pay/cards.py", "lib/pay cards.py")
    shop.add("lib/pay cards.py", "# moved\n" + CODE)
    shop.commit("move")
    assert held(shop, rule) == ("lib/pay cards.py", 13, 13, "renamed")
    assert held(shop, whole) == ("lib/pay cards.py", 2, 2, "renamed")
    (mark,) = [one for one in marks(shop, "lib/pay cards.py") if one.row.id == rule]
    assert (mark.line, mark.text) == (13, "return None")


def test_a_deleted_file_is_told_with_its_commit(shop: "Checkout") -> None:
    rule = decide(shop, 4, 7)
    file_rule = {"title": "All of it", "decision": "x", "anchors": [{"path": PATH}]}
    with Memory.open(str(shop)) as memory:
        whole = memory.add("decision", file_rule).id
    shop.commit("decided")
    assert held(shop, whole) == (PATH, 0, 0, "exact")
    (shop / PATH).unlink()
    assert placed(shop, rule).reason == "file deleted, in no commit yet"
    commit = shop.commit("delete")
    shop.commit("later")
    assert placed(shop, rule).reason == f"file deleted in {commit[:10]}"
    assert placed(shop, whole).reason == f"file deleted in {commit[:10]}"
    shop.git("revert", "--no-edit", commit)
    assert held(shop, rule) == (PATH, 4, 7, "exact")


def test_a_function_that_moved_to_another_file_is_stale(shop: "Checkout") -> None:
    rule = decide(shop, 10, 14)
    shop.commit("decided")
    lines = CODE.splitlines(keepends=True)
    shop.add(PATH, "".join(lines[:8]))
    shop.add("src/pay/back.py", "".join(lines[9:]))
    commit = shop.commit("move a function")
    assert placed(shop, rule).reason == f"refund changed in {commit[:10]}"


@pytest.mark.parametrize("how", ["rebase", "squash", "pick", "amend"])
def test_after_the_history_was_written_anew(shop: "Checkout", how: str) -> None:
    shop.git("checkout", "-q", "-b", "work")
    rule, once, block = decide(shop, 12, 12), decide(shop, 13, 13), decide(shop, 4, 7)
    picked = shop.commit("decided")
    shop.git("checkout", "-q", "main")
    shop.add(PATH, "import os\n" + CODE)
    shop.commit("meanwhile")
    if how == "rebase":
        shop.git("rebase", "-q", "main", "work")
    elif how == "squash":
        shop.git("merge", "-q", "--squash", "work")
        shop.commit("squashed")
    else:
        shop.git("cherry-pick", picked)
        if how == "amend":
            shop.git("commit", "-q", "--amend", "-m", "another name")
    # Of two lines that are the same, the commit that now brings the record does not say which.
    assert placed(shop, rule).reason == "it can't be told apart from identical lines"
    assert held(shop, once) == (PATH, 14, 14, "mapped")
    assert held(shop, block) == (PATH, 5, 8, "mapped")


def test_a_line_that_is_there_twice_is_not_taken_for_the_other_after_a_pick(
    shop: "Checkout",
) -> None:
    """On the branch that it is picked to, the first of both stands where the second one did."""
    shop.git("checkout", "-q", "-b", "work")
    rule = decide(shop, 12, 12)
    picked = shop.commit("decided")
    shop.git("checkout", "-q", "main")
    shop.add(PATH, "# longer\n" * 6 + CODE)
    shop.commit("meanwhile")
    shop.git("cherry-pick", picked)
    assert (shop / PATH).read_text().splitlines()[11] == "        return None"
    assert held(shop, rule) is None


def test_line_ends_do_not_count(shop: "Checkout") -> None:
    rule = decide(shop, 10, 14)
    shop.commit("decided")
    (shop / PATH).write_bytes(CODE.replace("\n", "\r\n").encode())
    assert held(shop, rule) == (PATH, 10, 14, "exact")
    shop.git("config", "core.autocrlf", "true")
    assert held(shop, rule) == (PATH, 10, 14, "exact")


def test_a_file_that_became_binary_is_stale(shop: "Checkout") -> None:
    rule = decide(shop, 4, 7)
    shop.commit("decided")
    shop.add(PATH, b"\0" * 100)
    assert "binary" in placed(shop, rule).reason


@pytest.mark.parametrize(
    "path",
    ["odd name.py", "-dash.py", ":colon.py", "star*[x].py", "tab\tin it.py", "dé.py", '"q".py'],
)
def test_odd_names(shop: "Checkout", path: str) -> None:
    shop.add(path, CODE)
    rule = decide(shop, 12, 12, path)
    shop.commit("odd")
    shop.add(path, "\n" + CODE)
    assert held(shop, rule) == (path, 13, 13, "mapped")
    shop.git("mv", "--", path, "plain.py")
    shop.commit("plain")
    assert held(shop, rule) == ("plain.py", 13, 13, "renamed")


def test_in_a_shallow_clone_only_text_that_is_there_once_counts(
    shop: "Checkout", make_repo: "Callable[..., Checkout]"
) -> None:
    twice, once = decide(shop, 12, 12), decide(shop, 13, 13)
    shop.commit("decided")
    shop.add(PATH, "\n" + CODE)
    shop.commit("longer")
    clone = make_repo("clone", commit=False)
    clone.git("fetch", "-q", "--depth", "1", f"file://{shop}", "main")
    clone.git("checkout", "-q", "FETCH_HEAD")
    assert held(clone, twice) is None
    assert held(clone, once) == (PATH, 14, 14, "mapped")


def test_on_a_detached_head_and_in_a_conflict(shop: "Checkout") -> None:
    rule = decide(shop, 13, 13)
    shop.commit("decided")
    shop.git("checkout", "-q", "-b", "work")
    shop.add(PATH, CODE.replace("import datetime", "import time"))
    shop.commit("time")
    shop.git("checkout", "-q", "main")
    shop.add(PATH, CODE.replace("import datetime", "import calendar"))
    shop.commit("calendar")
    shop.git("merge", "-q", "work", code=1)
    assert held(shop, rule) == (PATH, 17, 17, "mapped")
    shop.git("merge", "--abort")
    shop.git("checkout", "-q", "--detach", "HEAD~1")
    assert held(shop, rule) == (PATH, 13, 13, "exact")


def test_numbers_alone_are_no_place(shop: "Checkout") -> None:
    with Memory.open(str(shop)) as memory:
        fields = {"title": "Old", "decision": "x", "anchors": [{"path": PATH}]}
        path = memory.find(memory.add("decision", fields).id).path
    file = shop / ".memory" / path
    text = file.read_text()
    file.write_text(text.replace(f"- path: {PATH}\n", f"- path: {PATH}\n  lines: [12, 12]\n"))
    assert "[12, 12]" in file.read_text()
    shop.commit("decided")
    with Memory.open(str(shop)) as memory:
        (one,) = memory.history.stale()
    assert one.reason == "the record holds no text of these lines"


def test_a_quote_without_lines_is_looked_for(shop: "Checkout") -> None:
    fields = {"title": "Quoted", "decision": "x", "anchors": [
        {"path": PATH, "quote": "return card.charge(amount)"}
    ]}  # fmt: skip
    with Memory.open(str(shop)) as memory:
        rule = memory.add("decision", fields).id
    assert held(shop, rule) == (PATH, 7, 7, "quote")
    shop.commit("decided")
    shop.add(PATH, "\n" + CODE)
    assert held(shop, rule) == (PATH, 8, 8, "quote")
    shop.add(PATH, CODE.replace("charge(amount)", "pay(amount)"))
    assert placed(shop, rule).reason == "the line changed, in no commit yet"


def test_without_git_the_text_alone_counts(tmp_path: "Path", sealed_git: "Path") -> None:
    folder = tmp_path / "plain"
    (folder / "src/pay").mkdir(parents=True)
    (folder / PATH).write_text(CODE)
    Memory.init(str(folder))
    twice, once = decide(folder, 12, 12), decide(folder, 13, 13)
    (folder / PATH).write_text("\n" + CODE)
    assert held(folder, twice) is None
    assert held(folder, once) == (PATH, 14, 14, "mapped")


def test_an_editor_with_newer_text_sees_the_same_lines(shop: "Checkout") -> None:
    decide(shop, 12, 12)
    shop.commit("decided")
    (mark,) = marks(shop)
    lines = CODE.splitlines(keepends=True)
    assert mark.lines_in(lines) == (11, 11)
    assert mark.lines_in(["new\n", *lines]) == (12, 12)
    assert mark.lines_in(lines[:9]) == (-1, -1)


def test_errors_are_marked_where_their_line_is_now(shop: "Checkout") -> None:
    text = '    card.refund(amount, reason="asked for")'
    place = {"file": PATH, "line": 13, "code": text.strip()}
    with Memory.open(str(shop)) as memory:
        memory.add("error", {"title": "boom", "message": "m", "location": place})
        memory.add("error", {"title": "out", "message": "m",
                             "location": {**place, "file": "../../etc/passwd"}})  # fmt: skip
    shop.commit("boom")
    shop.add(PATH, "\n" + CODE)
    assert [(one.line, one.why) for one in marks(shop)] == [(14, "error")]
    shop.add(PATH, CODE.replace(text, "    return 1"))
    assert marks(shop) == []


def test_an_error_on_a_line_that_is_there_twice_is_known_by_its_neighbours(
    shop: "Checkout",
) -> None:
    lines = CODE.splitlines()
    around = "\n".join(line.rstrip() for line in lines[8:15])
    place = {"file": PATH, "line": 12, "code": "return None", "around": around}
    with Memory.open(str(shop)) as memory:
        memory.add("error", {"title": "boom", "message": "m", "location": place})
        memory.add("error", {"title": "bare", "message": "m",
                             "location": {**place, "around": ""}})  # fmt: skip
    shop.commit("boom")
    shop.add(PATH, "\n" + CODE)
    assert [(one.row.title, one.line) for one in marks(shop)] == [("boom", 13)]


def test_a_review_leaves_out_what_was_stale_before(shop: "Checkout") -> None:
    lost, kept = decide(shop, 7, 7), decide(shop, 12, 12)
    shop.commit("decided")
    shop.add(PATH, CODE.replace("return card.charge(amount)", "return card.charge(amount, now)"))
    shop.commit("changed")
    shop.add(PATH, (shop / PATH).read_text() + "\n")
    shop.commit("later")
    with Memory.open(str(shop)) as memory:
        before = {one.row.id for one in memory.history.review("HEAD~2..HEAD~1").governing}
        after = {one.row.id for one in memory.history.review("HEAD~1..HEAD").governing}
    assert before == {lost, kept}
    assert after == {kept}


def test_many_records_ask_git_a_few_times(
    shop: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are: one log for where they come from, one process for old texts."""
    for number in range(1, 15):
        decide(shop, number, number)
    shop.commit("decided")
    shop.add(PATH, "\n" + CODE)
    calls: list[str] = []
    for module in (provenance, file_fates):
        real = module.git

        def counted(root: str, *arguments: str, real: Any = real, **named: Any) -> bytes:
            calls.append(arguments[0])
            return bytes(real(root, *arguments, **named))

        monkeypatch.setattr(module, "git", counted)
    with Memory.open(str(shop)) as memory:
        assert all(one.held for one in memory.history.anchors())
    assert calls == ["log"]


def test_the_commit_after_which_nothing_holds() -> None:
    for size in range(12):
        commits = [str(number) for number in range(size)]
        for last in range(-1, size):
            assert first_without(commits, lambda one, last=last: int(one) <= last) == (  # type: ignore[misc]
                str(last + 1) if last + 1 < size else ""
            )


@sampled(4)
@pytest.mark.parametrize("seed", range(12))
def test_after_random_commits_a_place_is_right_or_withheld(shop: "Checkout", seed: int) -> None:
    """Lines carry who they are in their text; that of every third one is not told to gitmem."""
    chance = random.Random(seed)
    lines = [(number, f"step_{number} = do({number})" if number % 3 else "pass  # nothing")
             for number in range(40)]  # fmt: skip
    path = "src/steps.py"

    def save() -> None:
        shop.add(path, "".join(text + "\n" for _, text in lines))

    save()
    shop.commit("steps")
    rules = {decide(shop, number + 1, number + 1, path): number for number in range(0, 40, 2)}
    shop.commit("decided")
    fresh = 1000
    for step in range(6):
        at = chance.randrange(len(lines))
        how = chance.choice(["insert", "delete", "move", "rename"])
        if how == "insert":
            lines[at:at] = [(fresh, f"more_{fresh} = do({fresh})")]
            fresh += 1
        elif how == "delete":
            del lines[at : at + 2]
        elif how == "move" and len(lines) > 8:
            block = lines[at : at + 3]
            del lines[at : at + 3]
            lines[0:0] = block
        elif how == "rename":
            new = f"src/steps_{step}.py"
            shop.git("mv", path, new)
            path = new
        save()
        shop.commit(how)
    right = withheld = 0
    names = [name for name, _ in lines]
    with Memory.open(str(shop)) as memory:
        for one in memory.history.anchors():
            name = rules[one.wanted.row.id]
            if one.held is None:
                withheld += 1
                continue
            assert one.held.path == path
            assert names[one.held.first - 1] == name, (name, one)
            right += 1
    assert right > withheld


# --- edited while it is worked on -------------------------------------------------------------


@pytest.mark.parametrize("committed", [True, False])
def test_an_anchor_to_a_function_covers_it_while_it_is_edited(
    shop: "Checkout", *, committed: bool
) -> None:
    rule = decide(shop, 4, 7)
    if committed:
        shop.commit("decided")
    body = "    if amount <= 0:\n        return None\n    return card.charge(amount)\n"
    other = "    log(amount)\n    if amount < 0:\n        return False\n    return card.pay(\n"
    edited = CODE.replace(body, other, 1)
    (mark,) = marks(shop)
    assert mark.lines_in(edited.splitlines()) == (3, 7)
    shop.add(PATH, edited)
    assert held(shop, rule) == (PATH, 4, 8, "symbol")
    (mark,) = marks(shop)
    assert (mark.line, mark.last) == (4, 8)
    # Of two definitions nobody can tell which one is meant.
    twice = f"{edited}\n\ndef charge(card, amount):\n    return 2\n"
    shop.add(PATH, twice)
    lost = held(shop, rule)
    assert lost is None or lost.how != "symbol"


def test_an_anchor_to_a_line_inside_a_function_does_not_grow(shop: "Checkout") -> None:
    rule = decide(shop, 7, 7)
    shop.commit("decided")
    shop.add(PATH, CODE.replace("return card.charge(amount)", "return card.pay(amount)"))
    assert held(shop, rule) is None
