"""``capture.mode: draft`` asks where somebody can answer; and a retried edit is warned of."""

import sys
from typing import TYPE_CHECKING

import pytest

from gitmem.capture.learnt import Draft
from gitmem.errors import ConflictError
from gitmem.memory import Memory
from gitmem.records.convert import to_data
from tests.depth import sampled
from tests.e2e.running import Terminal, ok, run

if TYPE_CHECKING:
    from tests.conftest import Built, Checkout

_RUN = ("run", "--", sys.executable, "a.py")
_ASKS = "share it with the team? y: yes, n: no, drop it, l: later"


@pytest.fixture
def shop(repo: "Checkout", built: "Built", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Give a repository in draft mode whose code fails in a commit."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    built(repo, begin)
    assert run(repo, *_RUN).code == 1
    repo.add("a.py", "print(1)\n")
    return repo


def begin(repo: "Checkout") -> None:
    """Commit a bug."""
    ok(repo, "init")
    ok(repo, "config", "capture.mode", "draft", "--team")
    repo.add("a.py", "1 / 0\n")
    repo.commit("a bug")


def recorded(shop: "Checkout") -> int:
    return len(list((shop / ".memory").glob("*/*/*/*.yaml")))


@sampled(2)
@pytest.mark.parametrize(
    ("keys", "records", "drafts"),
    [("y\r", 2, False), ("n\r", 0, False), ("yes\r", 2, False), ("l\r", 0, True), ("\r", 0, True),
     ("what?\r", 0, True), ("\x04", 0, True), ("\x03", 0, True)],
)  # fmt: skip
def test_on_a_terminal_it_asks(shop: "Checkout", keys: str, records: int, *, drafts: bool) -> None:
    terminal = Terminal(shop, *_RUN)
    terminal.until(_ASKS)
    assert recorded(shop) == 0
    if keys == "\x03":
        terminal.interrupt()
    else:
        terminal.press(keys)
    done = terminal.end()
    assert done.code == 0, done
    assert recorded(shop) == records
    assert bool(ok(shop, "drafts")) == drafts
    assert "Traceback" not in done.out


def test_it_asks_about_nothing_else(shop: "Checkout") -> None:
    terminal = Terminal(shop, *_RUN)
    terminal.until(_ASKS)
    terminal.press("y\r")
    terminal.end()
    done = Terminal(shop, *_RUN).end()
    assert done.out == "1\n"


def test_what_was_typed_before_is_no_answer(shop: "Checkout") -> None:
    shop.add(
        "a.py",
        "import select, sys\nprint('here', flush=True)\nselect.select([sys.stdin], [], [])\n",
    )
    terminal = Terminal(shop, *_RUN)
    terminal.until("here")
    terminal.press("n\r")
    terminal.until(_ASKS)
    terminal.press("\r")
    terminal.end()
    assert ok(shop, "drafts")


@pytest.mark.parametrize("where", ["pipe", "ci"])
def test_where_nobody_can_answer_it_stays_a_draft_and_says_how_to_keep_it(
    shop: "Checkout", where: str
) -> None:
    if where == "pipe":
        done = run(shop, *_RUN)
        said = done.err
    else:
        done = Terminal(shop, *_RUN, env={"CI": "true"}).end()
        said = done.out
    assert done.code == 0
    assert _ASKS not in said
    (draft,) = [line.split()[0] for line in ok(shop, "drafts").splitlines() if line[0] != " "]
    assert f"kept here as draft {draft}; to share it: gitmem drafts keep {draft}" in said
    assert len(ok(shop, "drafts", "keep", draft).split()) == 2
    assert recorded(shop) == 2


@sampled(1)
@pytest.mark.parametrize("mode", ["auto", "off"])
def test_other_modes_never_ask(shop: "Checkout", mode: str) -> None:
    done = Terminal(shop, *_RUN, env={"GITMEM_CAPTURE_MODE": mode}).end()
    assert _ASKS not in done.out
    assert recorded(shop) == (2 if mode == "auto" else 0)
    assert ok(shop, "drafts") == ""


# --- you already tried this ----------------------------------------------------------------------

_WRONG = "x = 1\ny = x + 1\n1 / 0\n"


def _try(shop: "Checkout", *texts: str) -> str:
    """Run with each text as the code; give what the last run said, before and after."""
    script = "import sys; print('the output', file=sys.stderr, flush=True); import a"
    done = None
    for text in texts:
        shop.add("a.py", text)
        done = run(shop, "run", "--", sys.executable, "-c", script)
        assert done.code == 1
    assert done
    return done.err


@sampled(1)
@pytest.mark.parametrize(
    "again", [_WRONG, _WRONG.replace(" = ", "  =  "), "\n\n" + _WRONG.replace("\n", "\n\n")]
)
def test_an_edit_that_did_not_help_is_warned_of_before_the_output(
    shop: "Checkout", again: str
) -> None:
    said = _try(shop, "1 / 0\n", _WRONG, "1 / 0\n", again)
    assert said.startswith("gitmem: you already tried this  ")
    assert said.index("you already tried this") < said.index("the output")


@sampled(1)
@pytest.mark.parametrize("other", ["z = 3\n1 / 0\n", "x = 1\nz = 3\nw = 4\n1 / 0\n", "1 / 0\n"])
def test_another_edit_is_not_warned_of(shop: "Checkout", other: str) -> None:
    assert "already tried" not in _try(shop, "1 / 0\n", _WRONG, "1 / 0\n", other)


def test_somebody_else_is_warned_of_what_was_written(shop: "Checkout") -> None:
    _try(shop, "1 / 0\n", _WRONG, "1 / 0\n")
    ok(shop, "runs", "attempts", "--record")
    shop.commit("what was tried")
    clone = type(shop)(shop.parent / "clone")
    shop.git("clone", "-q", str(shop), str(clone))
    said = _try(clone, "1 / 0\n", _WRONG)
    assert said.startswith("gitmem: you already tried this  a similar edit did not help before")
    assert "fix-" in said.splitlines()[0]


def test_all_drafts_are_kept_but_those_that_cannot_be_which_say_why(shop: "Checkout") -> None:
    assert run(shop, *_RUN).code == 0
    shop.add("b.py", "int('x')\n")
    assert run(shop, "run", "--", sys.executable, "b.py").code == 1
    shop.add("b.py", "print(2)\n")
    assert run(shop, "run", "--", sys.executable, "b.py").code == 0
    with Memory.open(str(shop)) as memory:
        note = memory.add("note", {"title": "it is there already"})
        memory.failures.drafts.add(Draft(note.id, "", {}, [], [], [], [to_data(note)]))
        ids = [draft.id for draft in memory.failures.drafts.open()]
    assert len(ids) == 3
    for words in (("drafts", "keep"), ("drafts", "keep", ids[0], "--all")):
        assert run(shop, "drafts", *words).code == 2
    assert recorded(shop) == 1

    done = run(shop, "drafts", "keep", "--all")
    assert done.code == ConflictError.exit_code
    assert f"draft {note.id} is not recorded: " in done.err
    assert "note: 2 of 3 drafts recorded" in done.err
    assert len(done.out.split()) == 4
    assert recorded(shop) == 5
    assert ok(shop, "drafts").split()[0] == note.id
    ok(shop, "drafts", "drop", note.id)
    done = run(shop, "drafts", "keep", "--all")
    assert (done.code, done.out, done.err) == (0, "", "note: no drafts\n")


def test_of_two_drafts_of_one_failure_the_later_one_says_that_it_came_back(
    shop: "Checkout",
) -> None:
    assert run(shop, *_RUN).code == 0
    shop.add("a.py", "1 / 0\n")
    assert run(shop, *_RUN).code == 1
    shop.add("a.py", "print(3)\n")
    assert run(shop, *_RUN).code == 0
    ok(shop, "drafts", "keep", "--all")
    later, earlier = (line.split()[0] for line in ok(shop, "list", "kind:error").splitlines())
    assert f"duplicates:\n  - {earlier}\n" in ok(shop, "show", later, "--yaml")


def test_another_name_in_a_compilers_message_was_not_known_already(repo: "Checkout") -> None:
    ok(repo, "init")
    repo.add("check.sh", "cat said; ! grep -q error said\n")
    repo.add("said", "begun\n")
    repo.commit("a check")
    for file, name, kind in (("cart", "items", "Cart"), ("bill", "total", "Bill")):
        said = (
            f"src/{file}.ts(2,42): error TS2339: Property '{name}' does not exist on type '{kind}'."
        )
        repo.add("said", f"{said}\n")
        repo.commit("a slip")
        assert "gitmem: new  Property" in run(repo, "run", "--", "sh", "check.sh").err
        repo.add("said", f"{file} is mended\n")
        assert "gitmem: learnt  Property" in run(repo, "run", "--", "sh", "check.sh").err
