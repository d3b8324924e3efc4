"""Fixes that a change takes back, in real repositories: where they are told, and where not."""

import json
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import InvalidError, NotFoundError
from gitmem.memory import Memory
from gitmem.memory.history import guarding
from gitmem.render import as_json
from gitmem.render.guarded import heading, place, reason
from gitmem.render.review import markdown, plain
from gitmem.render.text import Painter

if TYPE_CHECKING:
    from gitmem.answers.guarded import Guarded, TakenBack
    from tests.conftest import Checkout

HEAD = "def total(cart):\n    return sum(cart.prices)\n\n\n"
BROKEN = "def share(cart, people):\n    paid = total(cart)\n    return paid / people\n"
FIXED = (
    "def share(cart, people):\n    paid = total(cart)\n    if people < 1:\n"
    "        return paid\n    return paid / people\n"
)
TAIL = "\n\ndef name(cart):\n    return cart.owner.name\n"


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Make a repository whose memory knows a fix of ``src/cart.py`` that worked."""
    Memory.init(str(repo))
    repo.add("src/cart.py", HEAD + BROKEN + TAIL)
    repo.commit("a cart")
    repo.add("src/cart.py", HEAD + FIXED + TAIL)
    patch = repo.git("diff") + "\n"
    with Memory.open(str(repo)) as memory:
        error = memory.add(
            "error", {"title": "ZeroDivisionError: division by zero", "message": "division by zero"}
        )
        memory.resolve(
            error.id,
            {
                "title": "nobody pays alone",
                "approach": "ask first",
                "patch": patch,
                "verification": {
                    "command": "pytest -k share",
                    "before": {"result": "failed"},
                    "after": {"result": "passed"},
                },
            },
        )
    repo.commit("fix it")
    return repo


def guarded(repo: "Checkout", span: str = "", *, work_tree: bool = False) -> "Guarded":
    with Memory.open(str(repo)) as memory:
        return memory.history.guard(span, work_tree=work_tree)


def told(repo: "Checkout", span: str = "", *, work_tree: bool = False) -> list[tuple[str, int]]:
    taken_back = guarded(repo, span, work_tree=work_tree).taken_back
    return [(taken.change.path, taken.change.line) for taken in taken_back]


def test_what_is_staged_is_told_with_error_and_proof(shop: "Checkout") -> None:
    shop.add("src/cart.py", HEAD + BROKEN + TAIL)
    assert told(shop) == []
    assert told(shop, work_tree=True) == [("src/cart.py", 7)]
    shop.git("add", "-A")
    (taken,) = guarded(shop).taken_back
    assert taken.sureness == "sure"
    assert taken.error is not None
    assert taken.title == "ZeroDivisionError: division by zero"
    assert taken.evidence == "proved by: pytest -k share"
    assert taken.seen == taken.error.created[:10]


def test_a_diff_from_anywhere_is_judged(shop: "Checkout") -> None:
    shop.add("src/cart.py", HEAD + BROKEN + TAIL)
    diff = shop.git("diff")
    with Memory.open(str(shop)) as memory:
        assert len(memory.history.guard_diff(diff).taken_back) == 1
        assert memory.history.guard_diff("no diff\n") == memory.history.guard_diff("")


def test_a_file_renamed_since_is_followed(shop: "Checkout") -> None:
    shop.git("mv", "src/cart.py", "src/basket.py")
    shop.commit("another name")
    assert told(shop, "HEAD^!") == []
    shop.add("src/basket.py", HEAD + BROKEN + TAIL)
    assert told(shop, work_tree=True) == [("src/basket.py", 7)]


def test_a_revert_in_a_renaming_commit(shop: "Checkout") -> None:
    shop.git("mv", "src/cart.py", "src/basket.py")
    shop.add("src/basket.py", HEAD + BROKEN + TAIL)
    shop.commit("two things")
    assert told(shop, "HEAD^!") == [("src/basket.py", 7)]


def test_git_revert_of_two_things(shop: "Checkout") -> None:
    shop.git("revert", "--no-commit", "HEAD")
    assert told(shop) == [("src/cart.py", 7)]


def test_a_merge_that_takes_the_old_side(shop: "Checkout") -> None:
    shop.git("checkout", "-q", "-b", "old", "HEAD~1")
    shop.add("src/cart.py", HEAD + BROKEN.replace("paid", "sum_of_all") + TAIL)
    shop.commit("other words")
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "-s", "ours", "--no-commit", "old")
    assert told(shop) == []
    shop.add("src/cart.py", HEAD + BROKEN + TAIL)
    shop.git("add", "-A")
    assert told(shop) == [("src/cart.py", 7)]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + FIXED.replace("    if", "    # nobody, or less\n    if") + TAIL,
        HEAD + FIXED.replace("people < 1", "people is None or people < 1") + TAIL,
        TAIL.lstrip() + "\n\n" + HEAD + FIXED,
        HEAD.rstrip() + TAIL,
        "",
        "class Cart:\n" + "".join(f"    {line}" for line in (HEAD + FIXED).splitlines(True)) + TAIL,
        HEAD + FIXED + TAIL + "\n\ndef more():\n    return 4\n",
    ],
)
def test_what_keeps_the_fix_is_silent(shop: "Checkout", text: str) -> None:
    shop.add("src/cart.py", text)
    assert told(shop, work_tree=True) == []


def test_deleted_files_tests_and_documents_are_silent(shop: "Checkout") -> None:
    shop.git("rm", "-q", "src/cart.py")
    shop.add("tests/test_cart.py", HEAD + BROKEN + TAIL)
    shop.add("docs/cart.md", HEAD + BROKEN + TAIL)
    shop.git("add", "-A")
    assert told(shop) == []


def test_failed_fixes_are_not_guarded(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.add("cart.py", HEAD + BROKEN)
    repo.commit("a cart")
    repo.add("cart.py", HEAD + FIXED)
    patch = repo.git("diff") + "\n"
    with Memory.open(str(repo)) as memory:
        error = memory.add("error", {"title": "it fails", "message": "no"})
        memory.resolve(
            error.id, {"approach": "x", "patch": patch, "outcome": "failed", "why_failed": "no"}
        )
    repo.commit("tried")
    repo.add("cart.py", HEAD + BROKEN)
    assert told(repo, work_tree=True) == []


def test_what_is_meant_is_said_once(shop: "Checkout") -> None:
    shop.add("src/cart.py", HEAD + BROKEN + TAIL)
    (taken,) = guarded(shop, work_tree=True).taken_back
    with Memory.open(str(shop)) as memory:
        first = memory.history.say_meant(taken.fix.id, "the caller asks")
        again = memory.history.say_meant(taken.fix.id)
        assert (bool(first.note), again.note) == (True, "")
        assert memory.history.guard(work_tree=True).taken_back == []
        assert [p for p in memory.checks.files() if p.severity == "error"] == []
        assert taken.error is not None
        with pytest.raises(InvalidError):
            memory.history.say_meant(taken.error.id)
        with pytest.raises(NotFoundError):
            memory.history.say_meant("fix-none")


def test_a_commit_that_names_the_fix_means_it(shop: "Checkout") -> None:
    shop.add("src/cart.py", HEAD + BROKEN + TAIL)
    (taken,) = guarded(shop, work_tree=True).taken_back
    shop.commit("back again")
    assert len(told(shop, "HEAD^!")) == 1
    shop.git("commit", "-q", "--amend", "-m", f"back again\n\n{taken.fix.id} is not needed")
    assert told(shop, "HEAD^!") == []


def test_nothing_is_read_that_the_change_does_not_touch(
    shop: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_text(*_: object) -> tuple[str, bool]:
        raise AssertionError

    monkeypatch.setattr(guarding, "change_text", no_text)
    shop.add("src/other.py", HEAD)
    shop.git("add", "-A")
    assert json.dumps(guarded(shop)[1:]) == "[0, 1, false, 0]"


def test_a_review_tells_the_same(shop: "Checkout") -> None:
    shop.add("src/cart.py", HEAD + BROKEN + TAIL)
    (taken,) = guarded(shop, work_tree=True).taken_back
    with Memory.open(str(shop)) as memory:
        before = memory.history.review("HEAD", worktree=True)
    assert list(before.taken_back) == [taken]
    shop.commit("back again")
    with Memory.open(str(shop)) as memory:
        review = memory.history.review("HEAD^!")
    assert [back.change for back in review.taken_back] == [taken.change]
    assert f"{taken.fix.id}" in markdown(review)
    assert "src/cart.py:7, sure: " in "\n".join(
        plain(review, Painter(colour=False, width=0), ".memory")
    )
    (written,) = as_json.review(review)["taken_back"]
    assert (written["fix"]["id"], written["line"]) == (taken.fix.id, 7)


def because(repo: "Checkout", path: str = "src/cart.py") -> list[str]:
    with Memory.open(str(repo)) as memory:
        text = (repo / path).read_text()
        return [lines.because for lines in memory.history.edited.lines(path, text)]


def test_lines_of_a_fix_say_why_they_are_there(shop: "Checkout") -> None:
    (told,) = because(shop)
    assert told.startswith("lines 7 to 8 are there because of err-")
    assert told.endswith("ZeroDivisionError: division by zero; proved by: pytest -k share")
    shop.add("src/cart.py", "import math\n\n" + HEAD + FIXED + TAIL)
    assert because(shop)[0].startswith("lines 9 to 10 are there")
    with Memory.open(str(shop)) as memory:
        context = memory.advice.context("src/cart.py", budget=2000)
    (section,) = [section for section in context.sections if section.name == "guarded"]
    assert [entry.title for entry in section.entries] == because(shop)


def test_lines_of_a_fix_are_found_after_a_rename_and_not_once_they_may_go(
    shop: "Checkout",
) -> None:
    shop.git("mv", "src/cart.py", "src/basket.py")
    shop.commit("rename")
    (told,) = because(shop, "src/basket.py")
    with Memory.open(str(shop)) as memory:
        (fix,) = memory.list("kind:fix")
        memory.history.say_meant(fix.id)
    assert told
    assert because(shop, "src/basket.py") == []


def test_every_face_tells_the_same(shop: "Checkout") -> None:
    """What the hook, ``guard``, a review, a job and an assistant read comes of one value."""
    kept = shop.git("rev-parse", "HEAD").strip()
    shop.add("src/cart.py", HEAD + BROKEN + TAIL)
    shop.git("add", "-A")
    (staged,) = guarded(shop).taken_back
    shop.commit("tidy")
    with Memory.open(str(shop)) as memory:
        (of_range,) = memory.history.guard(f"{kept}..HEAD").taken_back
        review = memory.history.review(f"{kept}..HEAD")
        (of_text,) = guard_text_of(shop, kept)
    for taken in (of_range, of_text, *review.taken_back):
        assert (heading(taken), reason(taken), place(taken)) == (
            heading(staged), reason(staged), place(staged),
        )  # fmt: skip
    for text in (
        markdown(review),
        "\n".join(plain(review, Painter(colour=False, width=0), ".memory")),
    ):
        assert staged.fix.id in text
        assert staged.why.partition(" (")[0] in text


def guard_text_of(repo: "Checkout", commit: str) -> "list[TakenBack]":
    """Ask as an editor does, with the text that is now, where the commit is checked out."""
    text = (repo / "src/cart.py").read_text()
    repo.git("checkout", "-q", commit)
    with Memory.open(str(repo)) as memory:
        return memory.history.edited.guard("src/cart.py", text).taken_back


def test_what_lies_beyond_the_bound_is_said_to_be_left_out(
    shop: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of a change is not read, and who reads the answer is told so."""
    monkeypatch.setattr(guarding, "MOST_BYTES", 1 << 16)
    lines = "".join(f"value_{at} = {at}\n" for at in range(10_000))
    shop.add("src/cart.py", HEAD + FIXED + TAIL + lines)
    answer = guarded(shop, work_tree=True)
    assert (answer.cut, answer.fixes) == (True, 1)
    monkeypatch.setattr(guarding, "MOST_BYTES", 1 << 20)
    assert not guarded(shop, work_tree=True).cut
