"""Red, edit, green in real repositories: what becomes a record, what a draft, what neither."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.capture.learnt import RunLessons
from gitmem.memory import Memory
from gitmem.memory.failures.observing import Observer
from tests.depth import sampled
from tests.observing import COMMAND, drafts, edit, failure, observe, records, states

if TYPE_CHECKING:
    from tests.conftest import Checkout


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits are made when they are made: whether before or after a run is what counts."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Give a repository with a memory and one good file, committed."""
    repo.add("app.py", "start\n")
    repo.add(".gitignore", "*.log\n")
    Memory.init(str(repo))
    repo.commit()
    return repo


def committed_bug(shop: "Checkout") -> None:
    """Commit a bug: a failure that stands in committed code is worth remembering."""
    edit(shop, "bug\n")
    shop.commit("a bug")


# --- what is learnt ------------------------------------------------------------------------------


def test_red_edit_green_gives_an_error_and_its_fix(shop: "Checkout") -> None:
    committed_bug(shop)
    red = observe(shop, "cart", code=3)
    assert [one.label for one in red.recognised] == [""]
    edit(shop, "good\n")
    green = observe(shop)
    ((_, ids),) = green.kept
    (error,), (fix,) = records(shop, "error"), records(shop, "fix")
    assert ids == [error.id, fix.id]
    assert (error.error_type, error.message) == ("ValueError", "cart is broken")
    assert (error.command, error.exit_code) == ("make check", 3)
    assert (fix.outcome, fix.applied) == ("worked", True)
    assert "-bug\n+good" in fix.patch
    assert fix.title == "app.py: replace `bug` by `good`"
    assert (fix.verification.before.exit_code, fix.verification.after.exit_code) == (3, 0)
    assert fix.verification.command == "make check"
    assert fix.seconds >= 0
    assert fix.links.fixes == (error.id,)
    assert states(shop) == ["resolved"]


@pytest.mark.parametrize("mended_in_a_commit", [False, True])
def test_a_fix_is_named_by_the_commit_that_holds_it_and_not_by_the_one_that_broke_it(
    shop: "Checkout", *, mended_in_a_commit: bool
) -> None:
    edit(shop, "bug\n")
    observe(shop, "cart")
    shop.commit("Sell by the dozen")
    edit(shop, "good\n")
    if mended_in_a_commit:
        shop.commit("Count the last one, too")
    observe(shop)
    (draft,) = [fix["title"] for draft in drafts(shop) for fix in draft.fixes] or [
        fix.title for fix in records(shop, "fix")
    ]
    own = "app.py: replace `bug` by `good`"
    assert draft == ("Count the last one, too" if mended_in_a_commit else own)


def test_what_failed_before_is_told_with_what_worked(shop: "Checkout") -> None:
    edit(shop, "bug\n")
    observe(shop, "cart")
    edit(shop, "bug\nwrong\n")
    observe(shop, "cart")
    edit(shop, "good\n")
    observe(shop)
    failed, worked = records(shop, "fix")
    assert (failed.outcome, worked.outcome) == ("failed", "worked")
    assert "+wrong" in failed.patch
    assert "wrong" not in worked.patch
    assert failed.verification.after.result == "failed"


def test_an_edit_that_did_not_help_is_warned_of(shop: "Checkout") -> None:
    edit(shop, "bug\n")
    for text in ("bug\n", "bug\nwrong\n", "bug\n"):
        edit(shop, text)
        observe(shop, "cart")
    edit(shop, "bug\nwrong\n")
    with Memory.open(str(shop)) as memory:
        (tried,) = Observer(memory.records, COMMAND).before()
    assert tried.seen.fields["message"] == "cart is broken"


PYTEST = ("pytest", "-q")
NOTHING = RunLessons([], [], [], [])


def two_bugs(shop: "Checkout") -> None:
    edit(shop, "bug\n", "a.py")
    edit(shop, "bug\n", "b.py")
    shop.commit("two bugs")


def test_one_of_two_failures_is_gone(shop: "Checkout") -> None:
    two_bugs(shop)
    observe(shop, "cart", "price", command=PYTEST)
    edit(shop, "good\n", "a.py")
    partly = observe(shop, "price", command=PYTEST)
    ((draft, _),) = partly.kept
    assert draft.error["message"] == "cart is broken"
    assert "b.py" not in draft.fixes[-1]["patch"]
    edit(shop, "good\n", "b.py")
    ((draft, _),) = observe(shop, command=PYTEST).kept
    assert draft.error["message"] == "price is broken"
    assert draft.fixes[-1]["title"] == "b.py: replace `bug` by `good`"
    assert "b/a.py" not in draft.fixes[-1]["patch"]
    assert "b/b.py" in draft.fixes[-1]["patch"]
    assert [fix.outcome for fix in records(shop, "fix")] == ["worked", "worked"]


@sampled(2)
@pytest.mark.parametrize(
    ("command", "stopped"),
    [(("pytest", "-x"), False), (PYTEST, True), (("make", "-j4"), False), (COMMAND, False)],
    ids=["option", "said", "make-j", "make"],
)
def test_one_of_two_failures_may_be_hidden_until_all_is_green(
    shop: "Checkout", command: tuple[str, ...], *, stopped: bool
) -> None:
    two_bugs(shop)
    observe(shop, "cart", "price", command=command)
    edit(shop, "good\n", "a.py")
    assert observe(shop, "price", command=command, stopped=stopped).learnt == NOTHING
    edit(shop, "good\n", "b.py")
    kept = observe(shop, command=command).kept
    assert {draft.error["message"] for draft, _ in kept} == {"cart is broken", "price is broken"}


def test_an_edit_that_fixed_another_failure_is_no_attempt(shop: "Checkout") -> None:
    edit(shop, "bug\n", "a.py")
    edit(shop, "bug\n", "b.py")
    observe(shop, "cart", "price", command=PYTEST)
    edit(shop, "good\n", "a.py")
    observe(shop, "price", command=PYTEST)
    edit(shop, "good\n", "b.py")
    (draft,) = observe(shop, command=PYTEST).learnt.drafts
    assert draft.reasons == []
    assert [fix["outcome"] for fix in draft.fixes] == ["worked"]


def test_a_lock_file_that_a_build_rewrites_is_no_edit(shop: "Checkout") -> None:
    shop.add("Cargo.lock", "version = 3\n")
    committed_bug(shop)
    shop.add("Cargo.lock", "version = 4\n")
    observe(shop, "cart")
    edit(shop, "good\n")
    ((draft, _),) = observe(shop).kept
    assert draft.reasons == ["the bug was already committed"]


def test_what_programs_made_is_named_in_the_patch_and_not_kept(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "good\n")
    edit(shop, "{}\n" * 20_000, "package-lock.json")
    shop.add("logo.png", b"\x89PNG\0\1")
    shop.add("data.csv", "x" * 99 + "\n" + "1,2\n" * 200_000)
    observe(shop)
    (fix,) = records(shop, "fix")
    assert fix.title.startswith("app.py, logo.png: replace `bug` by `good`")
    assert "# left out: package-lock.json (+20000 -0 lines)\n" in fix.patch
    assert "# left out: data.csv (+200001 -0 lines)\n" in fix.patch
    assert "Binary files /dev/null and b/logo.png differ" in fix.patch
    assert "-bug\n+good\n" in fix.patch
    assert len(fix.patch) < 1_000


def test_a_new_failure_hides_nothing_away(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "syntax error\n")
    assert observe(shop, "syntax").learnt.drafts == []
    assert records(shop, "error") == []


@pytest.mark.parametrize("first", [(), ("cart",)])
def test_flaky_is_never_a_fix(shop: "Checkout", first: tuple[str, ...]) -> None:
    committed_bug(shop)
    observe(shop, *first)
    observe(shop, *({"cart"} - set(first)))
    if not first:
        edit(shop, "something else\n")
        observe(shop)
    assert records(shop, "error") == []
    assert drafts(shop) == []


def test_flaky_and_gone_are_said(shop: "Checkout") -> None:
    observe(shop, "cart")
    assert [seen.title for seen in observe(shop).learnt.flaky] == ["ValueError: cart is broken"]


# --- commits, branches, work trees ---------------------------------------------------------------


def test_an_own_commit_between_red_and_green(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "good\n")
    shop.commit("the fix")
    assert [len(ids) for _, ids in observe(shop).kept] == [2]


def _pull(shop: "Checkout") -> None:
    edit(shop, "good\n")
    shop.commit("theirs", "--author=Bea <bea@example.com>")


def _merge(shop: "Checkout") -> None:
    shop.git("merge", "-q", "--no-ff", "-m", "merge", "fixed")


def _merge_begun(shop: "Checkout") -> None:
    shop.git("merge", "-q", "--no-ff", "--no-commit", "fixed")


MOVES: dict[str, tuple[Callable[["Checkout"], object], str]] = {
    "pull": (_pull, "theirs"),
    "reset": (lambda shop: shop.git("reset", "-q", "--hard", "HEAD~1"), ""),
    "merge": (_merge, "fixed long ago"),
    "merge-begun": (_merge_begun, ""),
    "ahead": (lambda shop: shop.git("checkout", "-q", "fixed"), "fixed long ago"),
    "back": (lambda shop: shop.git("checkout", "-q", "HEAD~1"), ""),
}  # fmt: skip


@sampled(3)
@pytest.mark.parametrize(("move", "commit"), MOVES.values(), ids=MOVES)
def test_other_code_between_is_a_gap_and_the_one_commit_that_came_is_named(
    shop: "Checkout",
    move: Callable[["Checkout"], object],
    commit: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    committed_bug(shop)
    shop.git("checkout", "-qb", "fixed")
    edit(shop, "good\n")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05+00:00")
    shop.commit("fixed long ago")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    shop.git("checkout", "-q", "main")
    observe(shop, "cart")
    move(shop)
    if (shop / "app.py").read_text() == "bug\n":
        edit(shop, "good\n")
    learnt = observe(shop).learnt
    gone = [*learnt.gaps, *(remark.seen for remark in learnt.remarks)]
    assert [each.fields["message"] for each in gone] == ["cart is broken"]
    assert ([commit] if commit else []) == [
        shop.git("show", "-s", "--format=%s", re.split("[ ;:]+", remark.text)[4]).strip()
        for remark in learnt.remarks
        if "fixed by commit" in remark.text
    ]
    assert (records(shop, "error"), drafts(shop)) == ([], [])


@pytest.mark.parametrize(
    ("times", "name", "words"),
    [
        (1, "lib.py", "maybe fixed by commit"),
        (2, "lib.py", "fixed by commit"),
        (2, "README.md", ""),
    ],
)
def test_what_failed_once_is_only_maybe_fixed_by_the_commit_that_came(
    shop: "Checkout", times: int, name: str, words: str
) -> None:
    committed_bug(shop)
    for _ in range(times):
        observe(shop, "cart")
    edit(shop, "theirs\n", name)
    shop.commit("theirs", "--author=Bea <bea@example.com>")
    learnt = observe(shop).learnt
    assert [remark.text[: len(words)] for remark in learnt.remarks] == [words] * bool(words)
    assert len(learnt.gaps) == (not words)


@pytest.mark.parametrize(("names", "mark"), [(("cart.py", "b.py"), 1), (("cart.py", "cart.py"), 0)])
def test_of_several_commits_that_came_the_one_that_edits_where_it_failed_is_named(
    shop: "Checkout", names: tuple[str, str], mark: int
) -> None:
    committed_bug(shop)
    observe(shop, "cart")
    for number, name in enumerate(names):
        edit(shop, f"good{number}\n", name)
        shop.commit(f"edits {name}", "--author=Bea <bea@example.com>")
    learnt = observe(shop).learnt
    (remark,) = learnt.remarks
    if not mark:
        assert remark.text == "cause unknown: other commits changed cart.py, too"
        return
    assert "the only one of 2 that edits where it failed" in remark.text
    assert "gitmem resolve --last 'edits cart.py' --patch-from -" in remark.text


def test_red_again_on_the_code_that_came_is_a_new_beginning(shop: "Checkout") -> None:
    """What others did before is everybody's; from there on everything was done here."""
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "theirs\n", "other.py")
    shop.commit("theirs", "--author=Bea <bea@example.com>")
    observe(shop, "cart")
    edit(shop, "good\n")
    ((draft, _),) = observe(shop).kept
    assert draft.fixes[-1]["title"] == "app.py: replace `bug` by `good`"
    assert "theirs" not in draft.fixes[-1]["patch"]


def test_red_again_with_edits_of_before_is_learnt_without_what_came(shop: "Checkout") -> None:
    """It was a gap: the edit at hand is known, and what others committed is no part of it."""
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "theirs\n", "other.py")
    shop.commit("theirs", "--author=Bea <bea@example.com>")
    edit(shop, "half of the fix\n", "half.py")
    observe(shop, "cart")
    edit(shop, "good\n")
    (draft,) = observe(shop).learnt.drafts
    assert "+good" in draft.fixes[-1]["patch"]
    assert "theirs" not in draft.fixes[-1]["patch"]


def test_a_merge_of_the_own_hands_is_own_work(shop: "Checkout") -> None:
    """Red and green while the same merge is going on: the edit was made here."""
    committed_bug(shop)
    shop.git("checkout", "-qb", "other", "HEAD~1")
    edit(shop, "x\n", "other.py")
    shop.commit("other")
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--no-ff", "--no-commit", "other")
    observe(shop, "cart")
    edit(shop, "good\n")
    assert [draft.error["message"] for draft in observe(shop).learnt.drafts] == ["cart is broken"]


def test_runs_in_another_work_tree_say_nothing_about_this_one(shop: "Checkout") -> None:
    committed_bug(shop)
    other = shop.parent / "other"
    shop.git("worktree", "add", "-q", str(other))
    observe(shop, "cart")
    (other / "app.py").write_text("good\n")
    seen = observe(other)
    assert seen.learnt == NOTHING
    edit(shop, "good\n")
    assert len(observe(shop).kept) == 1


# --- files ---------------------------------------------------------------------------------------


def test_changes_in_the_memory_alone_are_no_edit(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    with Memory.open(str(shop)) as memory:
        memory.add("note", {"title": "something"})
    assert [seen.title for seen in observe(shop).learnt.flaky] == ["ValueError: cart is broken"]


def test_new_files_count_and_ignored_ones_do_not(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "noise\n", "build.log")
    edit(shop, "help\n", "new.py")
    observe(shop)
    (fix,) = records(shop, "fix")
    assert "+++ b/new.py" in fix.patch
    assert "noise" not in fix.patch


def test_a_stopped_run_proves_nothing(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "good\n")
    assert observe(shop, code=130, whole=False).learnt == NOTHING
    assert len(observe(shop).kept) == 1


def _bytes(folder: Path) -> Iterator[tuple[str, bytes, int, int]]:
    for here, folders, names in os.walk(folder):
        if os.path.relpath(here, folder) == ".git":  # objects are added; our own state lies there
            folders[:] = [one for one in folders if one not in {"objects", "gitmem"}]
        for name in sorted(names):
            path = Path(here, name)
            told = path.lstat()
            data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
            yield str(path.relative_to(folder)), data, stat.S_IMODE(told.st_mode), told.st_mtime_ns


def test_a_run_touches_nothing(shop: "Checkout") -> None:
    edit(shop, "stashed\n")
    shop.git("stash", "-q")
    edit(shop, "staged\n")
    shop.git("add", "app.py")
    edit(shop, "bug\n")
    edit(shop, "untracked\n", "new.py")
    os.symlink("new.py", shop / "link")
    before = sorted(_bytes(shop))
    observe(shop, "cart")
    assert sorted(_bytes(shop)) == before
    edit(shop, "good\n")
    before = sorted(_bytes(shop))
    observe(shop)
    assert sorted(_bytes(shop)) == before
    assert len(drafts(shop)) == 1


# --- drafts, and what is known -------------------------------------------------------------------


def test_code_being_written_stays_a_draft_until_it_is_kept(shop: "Checkout") -> None:
    edit(shop, "bug\n")
    observe(shop, "cart")
    edit(shop, "good\n")
    (draft,) = observe(shop).learnt.drafts
    assert draft.reasons == []
    assert records(shop, "error") == []
    edit(shop, "bug again\n")
    (known,) = observe(shop, "cart").recognised
    assert known.label == "same error"
    assert [one.id for one in known.drafts] == [draft.id]
    with Memory.open(str(shop)) as memory:
        ids = memory.failures.keep(draft.id[:4])
    assert [one.id for one in (*records(shop, "error"), *records(shop, "fix"))] == ids
    assert drafts(shop) == []


def test_what_was_kept_is_told_as_a_record_and_not_as_a_draft_too(shop: "Checkout") -> None:
    for broken, mended in (("bug\n", "good\n"), ("bug again\n", "better\n")):
        edit(shop, broken)
        shop.commit("a bug")  # else it is taken away by who made it, and nobody meets it
        observe(shop, "cart")
        edit(shop, mended)
        observe(shop, environ={"GITMEM_CAPTURE_MODE": "draft"})
    first, second = drafts(shop)
    with Memory.open(str(shop)) as memory:
        memory.failures.keep(first.id)
    (fix,) = records(shop, "fix")
    (path,) = (shop / ".memory").rglob(f"*{fix.id}*")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(fix.title, "Say good"), encoding="utf-8")
    edit(shop, "bug once more\n")
    (known,) = observe(shop, "cart").recognised
    assert [row.title for row in known.attempts] == ["Say good"]
    assert [draft.id for draft in known.drafts] == [second.id]


@pytest.mark.parametrize(("mode", "kept", "open_drafts"), [("auto", 1, 0), ("draft", 0, 1)])
def test_modes(shop: "Checkout", mode: str, kept: int, open_drafts: int) -> None:
    committed_bug(shop)
    environ = {"GITMEM_CAPTURE_MODE": mode}
    observe(shop, "cart", environ=environ)
    edit(shop, "good\n")
    observe(shop, environ=environ)
    assert (len(records(shop, "error")), len(drafts(shop))) == (kept, open_drafts)


def test_off_notes_nothing_and_still_recognises(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "good\n")
    observe(shop)
    before = sorted(_files(shop / ".git"))
    for words in (("cart",), ()):
        edit(shop, f"{words}\n")
        seen = observe(shop, *words, environ={"GITMEM_CAPTURE_MODE": "off"})
        assert [one.label for one in seen.recognised] == ["same error" for _ in words]
        assert (seen.learnt, seen.kept) == (NOTHING, [])
    assert sorted(_files(shop / ".git")) == before  # neither runs nor trees
    assert len(records(shop, "error")) == 1


def _files(folder: Path) -> Iterator[tuple[str, int]]:
    for path in folder.rglob("*"):
        told = path.relative_to(folder).parts
        if path.is_file() and ("objects" in told or "journal" in told):
            yield str(path), path.stat().st_size


def test_in_ci_everything_is_worth_it(shop: "Checkout") -> None:
    edit(shop, "bug\n")
    observe(shop, "cart", environ={"CI": "true"})
    edit(shop, "good\n")
    ((draft, _),) = observe(shop, environ={"CI": "true"}).kept
    assert draft.reasons == ["it was seen in CI"]


def test_what_came_back_is_a_new_error_that_says_so(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "good\n")
    observe(shop)
    shop.commit("fixed")
    edit(shop, "another bug\n")
    (known,) = observe(shop, "cart").recognised
    assert known.label == "same error"
    assert [fix.stated for fix in known.attempts] == ["worked"]
    edit(shop, "better\n")
    ((draft, _),) = observe(shop).kept
    assert draft.reasons == ["it was known already"]
    first, second = records(shop, "error")
    assert second.links.duplicates == (first.id,)
    assert states(shop) == ["resolved", "resolved"]


def test_what_was_reported_again_is_regressed_until_it_is_fixed(shop: "Checkout") -> None:
    committed_bug(shop)
    observe(shop, "cart")
    edit(shop, "good\n")
    observe(shop)
    edit(shop, "another bug\n")
    shop.commit("another bug")
    again = observe(shop, "cart")
    (first,) = records(shop, "error")
    with Memory.open(str(shop)) as memory:
        links = {"duplicates": [first.id]}
        memory.add("error", {**again.run.failures[0].fields, "links": links})
    assert "regressed" in states(shop)
    edit(shop, "better\n")
    ((_, ids),) = observe(shop).kept
    assert len(ids) == 1
    assert states(shop)[0] == "resolved"


def test_an_error_that_is_open_already_gets_the_fix(shop: "Checkout") -> None:
    committed_bug(shop)
    seen = observe(shop, "cart").run.failures[0]
    with Memory.open(str(shop)) as memory:
        error = memory.add("error", seen.fields)
    edit(shop, "good\n")
    observe(shop)
    assert [one.id for one in records(shop, "error")] == [error.id]
    assert records(shop, "fix")[0].links.fixes == (error.id,)


def test_outside_git_there_is_no_pairing_but_there_are_hints(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    Memory.init(str(folder), here=True)
    with Memory.open(str(folder)) as memory:
        seen = observe(folder, "cart").run.failures[0]
        memory.add("error", seen.fields)
    (known,) = observe(folder, "cart").recognised
    assert known.label == "same error"
    assert observe(folder).learnt == NOTHING


def test_secrets_reach_neither_journal_nor_memory(shop: "Checkout") -> None:
    committed_bug(shop)
    secret = "ghp_" + "q7Zx9Lk2" * 4 + "Ab1Z"
    one = failure("cart")._replace(message=f"401 with token {secret}", excerpt=f"token {secret}")
    with Memory.open(str(shop)) as memory:
        Observer(memory.records, COMMAND).after(1, 0.1, [one], whole=True)
        observer = Observer(memory.records, COMMAND)
        observer.before()
        observer.after(1, 0.1, [one], whole=True)
    edit(shop, f"password = '{secret}'\n")
    observe(shop)
    places = (shop / ".memory", shop / ".git" / "gitmem")
    files = [path for here in places for path in here.rglob("*") if path.is_file()]
    assert any("journal" in path.parts for path in files)
    for path in files:
        assert secret.encode() not in path.read_bytes(), path
