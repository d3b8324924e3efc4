"""Commands where a stranger tries them first: no repository, no commit, an id of another kind."""

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import EnvironmentProblem, NotFoundError, UsageError
from tests.e2e.running import complains, ok, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

pytestmark = pytest.mark.usefixtures("sealed_git")

NOT_FOUND, ENVIRONMENT = NotFoundError.exit_code, EnvironmentProblem.exit_code


@pytest.mark.parametrize("inside", ["bare.git", "work/.git"])
def test_no_memory_is_made_inside_a_git_folder(tmp_path: Path, inside: str) -> None:
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "bare.git"], check=True)
    subprocess.run(["git", "init", "-q", tmp_path / "work"], check=True)
    complains(run(tmp_path / inside, "init"), ENVIRONMENT, "work tree")
    assert not list(tmp_path.rglob(".memory"))


@pytest.mark.parametrize("words", [["why", "a.py"], ["diff"], ["review"], ["list", "--at", "v1"]])
def test_what_needs_git_says_so_where_there_is_none(tmp_path: Path, words: list[str]) -> None:
    ok(tmp_path, "init")
    (tmp_path / "a.py").write_text("one\n")
    complains(run(tmp_path, *words), ENVIRONMENT, "needs a git repository", "git init")


def test_before_the_first_commit_all_records_are_new(
    make_repo: "Callable[..., Checkout]",
) -> None:
    empty_repo = make_repo("new", commit=False)
    ok(empty_repo, "init")
    ok(empty_repo, "add", "note", "--title", "the first one")
    assert "the first one" in ok(empty_repo, "diff")


def test_doctor_tests_gitmem_where_there_is_no_memory(tmp_path: Path) -> None:
    done = run(tmp_path, "doctor", "--json")
    assert "so gitmem is tested with an empty one" in done.err
    states = {check["name"]: check["state"] for check in json.loads(done.out)["checks"]}
    assert states["search"] == "ok"
    assert not (tmp_path / ".memory").exists()


def test_an_id_of_another_kind_is_recognised(repo: "Checkout") -> None:
    ok(repo, "init")
    (repo / "one.py").write_text("print([1][1])\n")
    run(repo, "run", "--", "python3", "one.py")
    (repo / "one.py").write_text("print([1][0])\n")
    run(repo, "run", "--", "python3", "one.py")
    draft, run_id = (ok(repo, words).split()[0] for words in ("drafts", "runs"))
    for words in (["forget"], ["resolve", "--outcome", "failed"], ["undo"], ["runs", "attempts"]):
        complains(run(repo, *words, draft), NOT_FOUND, "is a draft", f"drafts keep {draft}")
    for words in (["show"], ["edit"], ["drafts", "keep"]):
        complains(run(repo, *words, run_id), NOT_FOUND, "is a run", f"gitmem runs {run_id}")
    shown = json.loads(ok(repo, "show", draft, "--json"))
    assert (shown["draft"], shown["error"]["error_type"]) == (draft, "IndexError")
    complains(run(repo, "show", "0000"), NOT_FOUND, "no record 0000")


def test_a_letter_of_an_id_names_no_record_of_a_pack(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_PACKS_OFF", "")
    ok(repo, "init")
    for typed in ("err", "x", "err-m8"):
        complains(run(repo, "show", typed), NOT_FOUND, f"no record {typed}")
    assert "ModuleNotFoundError" in ok(repo, "show", "err-m8d")
    assert run(repo, "search", "x").out == ""


def test_what_can_be_imported_is_named(repo: "Checkout") -> None:
    ok(repo, "init")
    complains(run(repo, "import", "gti"), UsageError.exit_code, "adr, changelog")
