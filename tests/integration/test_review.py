"""What a branch teaches, and what is known about the files that it changes."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from gitmem.errors import EnvironmentProblem, NotFoundError, UsageError
from gitmem.memory import Memory
from gitmem.render import as_json
from gitmem.render.review import counted, left_out, markdown, plain
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
        found = memory.history.review()
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


def test_decisions_that_govern_changed_files_are_named(
    repo: "Checkout", written: dict[str, str]
) -> None:
    repo.add("src/pay/card.py", _CODE + "more\n")
    repo.add("src/pay/new.py", "x\n")
    repo.add("docs/index.md", "other\n")
    repo.commit("pay")
    with Memory.open(str(repo)) as memory:
        found = memory.history.review("HEAD~1..HEAD")
    assert [(one.row.id, one.paths) for one in found.governing] == [
        (written["other rule"], ("src/pay/card.py", "src/pay/new.py"))
    ]
    assert "Cards are masked" in markdown(found)


def test_ranges_are_those_of_git(repo: "Checkout", written: dict[str, str]) -> None:
    repo.git("checkout", "-q", "main")
    repo.add("src/pay/card.py", "rewritten\n")
    main = repo.commit("meanwhile")
    with Memory.open(str(repo)) as memory:
        assert memory.history.review().files == 0
        assert [one.error.id for one in memory.history.review("main...work").errors] == [
            written["new"]
        ]
        assert memory.history.review("main..work").files == 2
        assert {row.id for row in memory.history.review("work..main").removed} >= {written["new"]}
        assert memory.history.review(f"{main}~1").files == 1
        for text in ("nowhere", "main..nowhere", "..-x"):
            with pytest.raises(NotFoundError, match="no revision"):
                memory.history.review(text)


def test_what_is_not_committed_yet_is_reviewed_when_asked_for(
    repo: "Checkout", written: dict[str, str]
) -> None:
    repo.git("checkout", "-q", "main")
    repo.git("checkout", "-q", "-b", "more")
    repo.add("src/pay/card.py", _CODE + "committed\n")
    repo.commit("pay")
    with Memory.open(str(repo)) as memory:
        staged = memory.add("note", {"title": "staged", "body": "x"})
        repo.git("add", "-A")
        new = memory.add("note", {"title": "new", "body": "x"})
        ignored = memory.add("note", {"title": "ignored", "body": "x"})
        paths = {name: repo / ".memory" / memory.find(written[name]).path
                 for name in ("rule", "other rule", "old")}  # fmt: skip
        (repo / ".git/info").mkdir(exist_ok=True)
        (repo / ".git/info/exclude").write_text(f"*{ignored.id}.yaml\n")
        paths["rule"].write_text(paths["rule"].read_text().replace("an hour", "a day"))
        paths["other rule"].unlink()
        paths["old"].rename(paths["old"].with_name(f"{written['old']}.yaml"))
        repo.add("src/auth/new.py", "x\n")
        committed, all_of_it = memory.history.review(), memory.history.review(worktree=True)
        only = memory.history.review("HEAD", worktree=True)
        branch = memory.history.changed_on_branch()
        loose = {memory.find(one).path for one in (staged.id, new.id, written["rule"])}
    assert (committed.others, committed.files, committed.uncommitted) == ([], 1, 6)
    assert "6 changed records are in no commit" in left_out(committed)
    for found in (all_of_it, only):
        assert [row.id for row in found.others] == [new.id, staged.id]
        assert {row.id for row in found.edited} == {written["rule"], written["old"]}
        assert [row.id for row in found.removed] == [written["other rule"]]
        assert [(one.row.id, one.paths) for one in found.governing] == [
            (written["rule"], ("src/auth/new.py",))
        ]
        assert (found.uncommitted, found.span.after) == (0, "")
    assert (all_of_it.files, only.files) == (2, 1)
    assert (branch.branch, branch.base) == ("more", "main")
    assert loose < branch.uncommitted
    assert [row.id for row in branch.records.added] == [new.id, staged.id]
    assert branch.records.edited == all_of_it.edited
    assert branch.records.removed == [str(paths["other rule"].relative_to(repo / ".memory"))]


def test_what_a_sparse_checkout_leaves_out_is_not_deleted(
    repo: "Checkout", written: dict[str, str]
) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/.memory/decisions/")
    with Memory.open(str(repo)) as memory:
        assert memory.statistics.count("kind:decision") == 0
        assert memory.history.review("HEAD", worktree=True).removed == []
        assert memory.history.changed_on_branch().records.removed == []


def test_a_file_that_does_not_tell_its_id_is_known_when_it_moves(repo: "Checkout") -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        one = memory.add("note", {"title": "x", "body": "x"})
        path = repo / ".memory" / memory.find(one.id).path
        path.rename(path.with_name("by-hand.yaml"))
        repo.commit("start")
        path.with_name("by-hand.yaml").rename(path)
        found = memory.history.changed_on_branch().records
    assert ([row.id for row in found.edited], found.added, found.removed) == ([one.id], [], [])


def test_one_commit_can_be_reviewed(repo: "Checkout", written: dict[str, str]) -> None:
    repo.git("checkout", "-q", "main")
    repo.add("more.py", "x\n")
    repo.commit("more")
    repo.git("merge", "-q", "--no-edit", "work")
    with Memory.open(str(repo)) as memory:
        assert {one.error.id for one in memory.history.review("work^!").errors} == {written["new"]}
        # Of a merge: what it brings to the branch that it was made on.
        assert {one.error.id for one in memory.history.review("HEAD^!").errors} == {written["new"]}
        with pytest.raises(UsageError, match="names an end"):
            memory.history.review("HEAD^!", worktree=True)
        with pytest.raises(UsageError, match="names an end"):
            memory.history.review("main..work", worktree=True)


def test_before_the_first_commit_there_is_only_the_work_tree(
    make_repo: Callable[..., "Checkout"],
) -> None:
    repo = make_repo("new", commit=False)
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        one = memory.add("note", {"title": "x", "body": "x"})
        with pytest.raises(NotFoundError, match="no commit yet") as raised:
            memory.history.review()
        assert "--worktree" in raised.value.hint
        assert [row.id for row in memory.history.review(worktree=True).others] == [one.id]


def test_the_first_commit_can_be_reviewed_but_not_the_last_of_a_clone(
    make_repo: Callable[..., "Checkout"],
) -> None:
    repo = make_repo("new", commit=False)
    Memory.init(str(repo))
    repo.add("code.py", "x\n")
    with Memory.open(str(repo)) as memory:
        one = memory.add("note", {"title": "x", "body": "x"})
        repo.commit("first")
        found = memory.history.review("HEAD^!")
    assert ([row.id for row in found.others], found.files, found.span.before) == ([one.id], 1, "")
    repo.add("code.py", "y\n")
    repo.commit("second")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo}", str(repo.parent / "clone"))
    with Memory.open(str(repo.parent / "clone")) as memory, pytest.raises(NotFoundError) as raised:
        memory.history.review("HEAD^!")
    assert "shallow" in raised.value.hint


def test_a_main_branch_of_another_name_is_that_of_new_repositories(
    repo: "Checkout", written: dict[str, str]
) -> None:
    repo.git("branch", "-m", "main", "trunk")
    with Memory.open(str(repo)) as memory:
        assert memory.history.review().errors == []
        repo.git("config", "init.defaultBranch", "trunk")
        assert [one.error.id for one in memory.history.review().errors] == [written["new"]]


def test_forms_say_the_same(repo: "Checkout", written: dict[str, str]) -> None:
    with Memory.open(str(repo)) as memory:
        found = memory.history.review()
        text = "\n".join(plain(found, Painter(), ".memory"))
        comment = markdown(found)
        data = json.loads(as_json.document("review", **as_json.review(found)))
        nothing = counted(memory.history.review("HEAD..HEAD"))
    assert nothing == "nothing to review: no record and no other file changed"
    shown = {name for name, one in written.items() if name != "other rule" and one in text}
    assert shown == written.keys() - {"other rule"}
    for name in shown:
        assert written[name] in comment
    assert data["uncommitted"] == 0
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
        comment = markdown(memory.history.review("HEAD~1"))
    assert "\u202e" not in comment
    # Rendered, there is no markup of theirs; and outside of code nothing that a host looks for.
    tokens = MarkdownIt("gfm-like").parse(comment)
    inline = [one for token in tokens for one in token.children or ()]
    assert {one.tag for one in inline} <= {"", "strong", "br", "code"}
    assert not [one for one in inline if one.type != "code_inline" and "@" in one.content]
    assert "`@all`" in comment


def test_a_comment_is_short_and_cuts_no_word(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.add("code.py", "x\n")
    text = "ask the other host, " * 30
    with Memory.open(str(repo)) as memory:
        for number in range(4):
            memory.add("decision", {"title": f"rule {number}", "decision": "x", "governs": ["*"]})
        repo.commit("start")
        error = memory.add("error", {"title": "no answer", "message": "m" * 200})
        memory.resolve(error.id, {"approach": text})
        repo.add("code.py", "y\n")
        repo.commit("work")
        found = memory.history.review("HEAD~1")
        comment = markdown(found)
    # What is known already is folded, with an empty line before the list: it stays a list.
    assert (
        "<details><summary><b>Decisions that govern these files</b> (4)</summary>\n\n- " in comment
    )
    assert "\n\n</details>\n" in comment
    (line,) = [line for line in comment.splitlines() if "**worked**" in line]
    said = line.removeprefix("  - **worked** ").rpartition(" (fix-")[0]
    assert said.startswith("ask the other host, ")
    assert said.endswith("…")
    assert set(said.removesuffix("…").split()) == {"ask", "the", "other", "host,"}
    assert len(said) < 170


def test_a_change_that_teaches_nothing_says_so(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.commit("start")
    repo.add("code.py", "x\n")
    repo.commit("code")
    with Memory.open(str(repo)) as memory:
        found = memory.history.review("HEAD~1")
    assert markdown(found).endswith(
        "This change adds no records, and nothing is recorded about its files.\n"
    )


def test_the_commit_that_brings_the_memory_can_be_reviewed(repo: "Checkout") -> None:
    repo.add("code.py", "x\n")
    repo.commit("code")
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        memory.add("note", {"title": "first", "body": "x"})
        repo.commit("memory")
        assert [row.title for row in memory.history.review("HEAD~1").others] == ["first"]


def test_outside_git_there_is_nothing_to_review(tmp_path: "Path", sealed_git: "Path") -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    Memory.init(str(folder))
    with Memory.open(str(folder)) as memory:
        for ask in (memory.history.review, memory.history.on_all_branches):
            with pytest.raises(EnvironmentProblem, match="needs a git repository"):
                ask()


def test_a_clone_that_lacks_commits_says_so(
    make_repo: Callable[..., "Checkout"], written: dict[str, str], repo: "Checkout"
) -> None:
    clone = make_repo("clone", commit=False)
    clone.git("fetch", "-q", "--depth", "1", f"file://{repo}", "work")
    clone.git("checkout", "-q", "FETCH_HEAD")
    with Memory.open(str(clone)) as memory:
        with memory.history.at("HEAD") as past:
            assert len(past.list()) == len(written)
        with pytest.raises(NotFoundError) as raised:
            memory.history.review("HEAD~1")
    assert "shallow" in raised.value.hint


def test_a_default_branch_whose_commit_is_not_here_is_passed_over(
    repo: "Checkout", written: dict[str, str]
) -> None:
    repo.add(".git/refs/remotes/origin/main", "1" * 40 + "\n")
    with Memory.open(str(repo)) as memory:
        found = memory.history.review()
    assert found.span.before == repo.git("rev-parse", "main")
    assert written["new"] in {one.error.id for one in found.errors}
