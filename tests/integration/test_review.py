"""What a branch teaches, and what is known about the files that it changes."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import EnvironmentProblem, NotFoundError
from gitmem.memory import Memory
from gitmem.render import as_json
from gitmem.render.review import counted, markdown, plain
from gitmem.render.text import Painter

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Checkout

_CODE = "".join(f"line {number} of some code\n" for number in range(30))


@pytest.fixture
def written(repo: "Checkout") -> dict[str, str]:
    """Make a main branch that knows something, and a branch that teaches more."""
    Memory.init(str(repo))
    for path in ("src/auth/login.py", "src/pay/card.py", "docs/index.md"):
        repo.add(path, _CODE)
    ids: dict[str, str] = {}

    def add(name: str, kind: str, **fields: object) -> str:
        with Memory.open(str(repo)) as memory:
            ids[name] = memory.add(kind, fields).id
        return ids[name]

    add(
        "rule", "decision", title="Tokens expire", decision="after an hour", governs=["src/auth/**"]
    )
    add("other rule", "decision", title="Cards are masked", decision="x", governs=["src/pay/**"])
    add("old", "error", title="login fails", message="boom", error_type="KeyError",
        location={"file": "src/auth/login.py", "line": 3})  # fmt: skip
    add("open", "error", title="page is empty", message="nothing", error_type="ValueError")
    repo.commit("before")
    repo.git("checkout", "-q", "-b", "work")
    repo.git("mv", "src/auth/login.py", "src/auth/enter.py")
    add("new", "error", title="card is refused", message="refused", error_type="CardError")
    with Memory.open(str(repo)) as memory:
        ids["worked"] = memory.resolve(ids["new"], {"approach": "ask again"}).id
        ids["failed"] = memory.resolve(
            ids["open"], {"approach": "reload it", "outcome": "failed", "why_failed": "the same"}
        ).id
        ids["solved"] = memory.resolve(ids["old"], {"approach": "read the key safely"}).id
        ids["newer"] = memory.supersede(
            ids["rule"], {"title": "Tokens live a day", "decision": "x", "governs": ["src/auth/**"]}
        ).id
    add("note", "note", title="a note", body="words")
    repo.add(".memory/notes/2026/01/broken.yaml", "title: [\n")
    repo.commit("after")
    return ids


def test_a_branch_is_reviewed(repo: "Checkout", written: dict[str, str]) -> None:
    with Memory.open(str(repo)) as memory:
        found = memory.review()
    ids = written
    assert [(one.error.id, [fix.id for fix in one.fixes]) for one in found.errors] == [
        (ids["new"], [ids["worked"]])
    ]
    assert {(one.error.id, *(fix.id for fix in one.fixes)) for one in found.attempts} == {
        (ids["open"], ids["failed"]), (ids["old"], ids["solved"]),
    }  # fmt: skip
    assert [row.id for row in found.decisions] == [ids["newer"]]
    assert [row.id for row in found.others] == [ids["note"]]
    assert {(one.row.id, one.was, one.row.status) for one in found.turned} == {
        (ids["old"], "open", "resolved"), (ids["rule"], "accepted", "superseded"),
    }  # fmt: skip
    assert found.files == 1
    # The decision that governed the file is superseded by one of this very change; the error is
    # known by the name that the file had.
    assert found.governing == []
    assert [(one.row.id, one.paths) for one in found.known] == [
        (ids["old"], ("src/auth/enter.py",))
    ]
    assert [problem.path for problem in found.problems] == ["notes/2026/01/broken.yaml"]
    assert found.broken == 1
    assert found.teaches


def test_decisions_that_govern_changed_files_are_named(
    repo: "Checkout", written: dict[str, str]
) -> None:
    repo.add("src/pay/card.py", _CODE + "more\n")
    repo.add("src/pay/new.py", "x\n")
    repo.add("docs/index.md", "other\n")
    repo.commit("pay")
    with Memory.open(str(repo)) as memory:
        found = memory.review("HEAD~1..HEAD")
    assert [(one.row.id, one.paths) for one in found.governing] == [
        (written["other rule"], ("src/pay/card.py", "src/pay/new.py"))
    ]
    assert not found.teaches
    assert "Cards are masked" in markdown(found)


def test_ranges_are_those_of_git(repo: "Checkout", written: dict[str, str]) -> None:
    repo.git("checkout", "-q", "main")
    repo.add("src/pay/card.py", "rewritten\n")
    main = repo.commit("meanwhile")
    with Memory.open(str(repo)) as memory:
        assert memory.review().files == 0
        assert [one.error.id for one in memory.review("main...work").errors] == [written["new"]]
        assert memory.review("main..work").files == 2
        assert {row.id for row in memory.review("work..main").removed} >= {written["new"]}
        assert memory.review(f"{main}~1").files == 1
        for text in ("nowhere", "main..nowhere", "..-x"):
            with pytest.raises(NotFoundError, match="no revision"):
                memory.review(text)


def test_forms_say_the_same(repo: "Checkout", written: dict[str, str]) -> None:
    with Memory.open(str(repo)) as memory:
        found = memory.review()
        text = "\n".join(plain(found, Painter(), ".memory"))
        comment = markdown(found)
        data = json.loads(as_json.document("review", **as_json.review(found)))
    shown = {name for name, one in written.items() if name != "other rule" and one in text}
    assert shown == written.keys() - {"other rule"}
    for name in shown:
        assert written[name] in comment
    assert counted(found) == (
        "1 error, 3 attempts, 1 decision, 1 other record; 1 file changed outside the memory"
    )
    assert data["errors"][0]["fixes"][0]["id"] == written["worked"]
    assert data["problems"][0]["path"] == "notes/2026/01/broken.yaml"


def test_a_comment_quotes_what_records_say(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.commit("start")
    evil = "@all <img src=x> [click](http://evil) `rm` | \u202e # title"
    with Memory.open(str(repo)) as memory:
        memory.add("note", {"title": evil, "body": "x"})
        memory.add("decision", {"title": "plain", "decision": evil})
        repo.commit("evil")
        comment = markdown(memory.review("HEAD~1"))
    assert "<img" not in comment
    assert "](http" not in comment
    assert "\u202e" not in comment
    assert "\\@all" in comment


def test_a_change_that_teaches_nothing_says_so(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.commit("start")
    repo.add("code.py", "x\n")
    repo.commit("code")
    with Memory.open(str(repo)) as memory:
        found = memory.review("HEAD~1")
    assert markdown(found).endswith(
        "This change teaches the memory nothing, and nothing is known about its files.\n"
    )


def test_the_commit_that_brings_the_memory_can_be_reviewed(repo: "Checkout") -> None:
    repo.add("code.py", "x\n")
    repo.commit("code")
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        memory.add("note", {"title": "first", "body": "x"})
        repo.commit("memory")
        assert [row.title for row in memory.review("HEAD~1").others] == ["first"]


def test_outside_git_there_is_nothing_to_review(tmp_path: "Path", sealed_git: "Path") -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    Memory.init(str(folder))
    with Memory.open(str(folder)) as memory:
        for ask in (memory.review, memory.on_all_branches):
            with pytest.raises(EnvironmentProblem, match="no git repository"):
                ask()


def test_a_clone_that_lacks_commits_says_so(
    make_repo: Callable[..., "Checkout"], written: dict[str, str], repo: "Checkout"
) -> None:
    clone = make_repo("clone", commit=False)
    clone.git("fetch", "-q", "--depth", "1", f"file://{repo}", "work")
    clone.git("checkout", "-q", "FETCH_HEAD")
    with Memory.open(str(clone)) as memory:
        with memory.at("HEAD") as past:
            assert len(past.list()) == len(written)
        with pytest.raises(NotFoundError) as raised:
            memory.review("HEAD~1")
    assert "shallow" in raised.value.hint
