"""why, blame, stale, verify, bisect and show --provenance, as they are typed."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import NOT_FOUND, USAGE, complains, ok, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Checkout

CODE = "def charge(card, amount):\n    return card.charge(amount)\n"
SHOWS = "grep -q 'card.charge(amount)' card.py"
ERROR = ("--type", "ValueError", "--message", "charged twice", "--command", SHOWS)


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    ok(repo, "init")
    repo.add("card.py", CODE)
    repo.commit("cards")
    return repo


def ids(shop: "Path", *words: str) -> list[str]:
    return [line.split()[0] for line in ok(shop, "list", *words).splitlines()]


def test_a_place_from_its_decision_to_its_end(shop: "Checkout") -> None:
    ok(shop, "add", "decision", "--title", "Once", "--decision", "x", "--anchor", "card.py:2")
    (rule,) = ids(shop)
    commit = shop.commit("decide (#3)")
    said = ok(shop, "show", rule, "--provenance")
    assert f"commit: {commit[:10]} decide (#3)" in said
    assert "pull request: #3 (squash merge)" in said
    data = json.loads(ok(shop, "show", rule, "--provenance", "--json"))
    assert data["provenance"]["commit"] == commit
    assert "provenance" not in json.loads(ok(shop, "show", rule, "--json"))
    for words, name in ((["why"], "why"), (["why", "--by-line"], "blame")):
        assert rule in ok(shop, *words, "card.py:2")
        assert rule not in ok(shop, *words, "card.py:1")
        assert json.loads(ok(shop, *words, "card.py:2", "--json"))["command"] == name
    assert "exact    card.py:2" in ok(shop, "check", "anchors", rule)
    assert ok(shop, "check", "stale") == ""
    shop.add("card.py", "\n" + CODE)
    assert "mapped   card.py:3 (was card.py:2)" in ok(shop, "check", "anchors")
    shop.add("card.py", CODE.replace("card.charge", "card.pay"))
    changed = shop.commit("pay")
    done = run(shop, "check", "anchors")
    assert done.code == 1
    assert f"stale    card.py:2: charge changed in {changed[:10]}" in done.out
    assert rule in ok(shop, "check", "stale")
    stale = json.loads(ok(shop, "check", "stale", "--json"))["anchors"]
    assert [(one["id"], one["now"]) for one in stale] == [(rule, None)]
    assert f"withheld: {rule}" in ok(shop, "why", "card.py:2")
    assert rule in ok(shop, "search", "Once")


def test_a_regression_is_told_and_searched_only_when_asked(shop: "Checkout") -> None:
    ok(shop, "add", "error", *ERROR)
    (error,) = ids(shop)
    complains(run(shop, "runs", "bisect", error), NOT_FOUND, "no recorded fix of")
    ok(shop, "resolve", error, "ask the card", "--verified-by", SHOWS)
    good = shop.commit("fix it")
    for number in range(5):
        shop.add("other.py", f"x = {number}\n")
        if number == 2:
            shop.add("card.py", CODE.replace("card.charge", "card.pay"))
        shop.commit(f"step {number}")
    ok(shop, "add", "error", *ERROR, "--link", f"duplicates={error}")
    again = next(one for one in ids(shop, "kind:error") if one != error)
    shop.commit("again")
    assert "came back" in ok(shop, "show", error)
    assert json.loads(ok(shop, "show", error, "--json"))["regression"]["fix"]["id"] in ids(
        shop, "kind:fix"
    )
    (told,) = json.loads(ok(shop, "hint", "ValueError: charged twice", "--json"))["came_back"]
    assert told["error"]["id"] == again
    assert f"gitmem runs bisect {again}" in ok(shop, "hint", "ValueError: charged twice")
    head = shop.git("rev-parse", "HEAD")
    shown = run(shop, "runs", "bisect", error)
    complains(shown, USAGE, "not run", "--yes")
    assert "git bisect run sh -c " in shown.out
    assert good[:10] in shown.out
    assert shop.git("rev-parse", "HEAD") == head
    done = ok(shop, "runs", "bisect", error, "--yes")
    assert "brought it back: step 2" in done
    assert shop.git("branch", "--show-current") == "main"
    assert json.loads(ok(shop, "runs", "bisect", error, "--json"))["regression"]["good"] == good
    lost = run(shop, "runs", "bisect", error, "--command", "true", "--yes")
    assert lost.code == NOT_FOUND
    assert "did not fail" in lost.err
    assert shop.git("status", "--porcelain") == ""


def test_places_that_are_none(shop: "Checkout") -> None:
    for words in (["why"], ["why", "--by-line"]):
        complains(run(shop, *words, "nowhere.py:3"), NOT_FOUND, "no file nowhere.py")
        complains(run(shop, *words, "card.py:9"), NOT_FOUND, "no line 9")
    assert "no record explains" in run(shop, "why", "card.py").err
    assert "no record is about code that is gone" in run(shop, "check", "stale").err
    assert run(shop, "check", "anchors").notes == [
        "note: no record names a place in the code; gitmem add … --anchor PATH:LINES does"
    ]


def test_diff_without_a_revision_compares_with_the_upstream(repo: "Checkout") -> None:
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "shared")
    repo.commit("shared")
    origin = repo.parent / "origin.git"
    repo.git("init", "-q", "--bare", str(origin))
    repo.git("push", "-q", "-u", str(origin), "HEAD:main")
    repo.git("remote", "add", "upstream", str(origin))
    repo.git("fetch", "-q", "upstream")
    repo.git("branch", "-q", "--set-upstream-to=upstream/main")
    ok(repo, "add", "note", "--title", "in a commit")
    repo.commit("mine")
    ok(repo, "add", "note", "--title", "in no commit")
    shown = ok(repo, "diff")
    assert "in a commit" in shown
    assert "in no commit" in shown
    assert "shared" not in shown


def test_diff_without_an_upstream_compares_with_the_default_branch(repo: "Checkout") -> None:
    ok(repo, "init")
    ok(repo, "add", "note", "--title", "shared")
    repo.commit("shared")
    repo.git("branch", "-M", "main")
    repo.git("checkout", "-q", "-b", "feature")
    ok(repo, "add", "note", "--title", "new here")
    repo.commit("mine")
    shown = ok(repo, "diff")
    assert "new here" in shown
    assert "shared" not in shown


def test_a_path_with_a_blank_is_a_filter(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("my notes/a b.py", "x = 1\n")
    added = ok(repo, "add", "note", "--title", "spaced", "--anchor", "my notes/a b.py:1")
    for question in (
        ["path:my notes/a b.py"],
        ['path:"my notes/a b.py"'],
        ["--path", "my notes/a b.py"],
        ["kind:note path:my*"],
        ["kind:note", "path:my notes/a b.py"],
        ["--path", "my notes"],
    ):
        assert ok(repo, "list", *question).split()[0] == added.split()[0], question
    assert ok(repo, "list", "--path", "elsewhere") == ""
    assert ok(repo, "list", "-path:my notes") == ""
