"""The commands that import: what they print, and how they part from the archive's file name."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import NOT_FOUND, USAGE, complains, ok, run, shown_on_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    """Make a repository with a memory, a fix and its revert."""
    ok(repo, "init")
    repo.add("a.py", "a = 1\n")
    repo.commit("Start")
    repo.add("a.py", "a = 2\n")
    repo.commit("Fix crash of\ta (#3)")
    repo.git("revert", "--no-edit", "HEAD")
    return repo


def test_a_dry_run_lists_and_writes_nothing(shop: "Checkout") -> None:
    said = run(shop, "import", "git", "--dry-run")
    assert said.code == 0
    lines = said.out.splitlines()
    assert [line.split("  ", 2)[2] for line in lines] == [
        "fix  crash of a", "taken back  Fix crash of a",
    ]  # fmt: skip
    assert (
        said.notes[-1]
        == "note: 3 records would be imported from 2 new commits; 0 were here already"
    )
    assert ok(shop, "list") == ""
    done = run(shop, "import", "git")
    assert done.out == ""
    assert done.notes[-1] == "note: 3 records imported from 2 new commits; 0 were here already"
    assert len(ok(shop, "list").splitlines()) == 3
    again = run(shop, "import", "git")
    assert again.notes[-1] == "note: 0 records imported from 0 new commits; 2 were here already"
    assert run(shop, "check").code == 0


def test_bounds_are_checked(shop: "Checkout") -> None:
    complains(run(shop, "import", "git", "--since", "sometime"), USAGE, "not a date")
    complains(run(shop, "import", "git", "--max", "0"), USAGE, "--max")
    complains(run(shop, "import", "git", "--limit", "x"), USAGE, "--limit")
    complains(run(shop, "import", "git", "extra"), USAGE, "extra")
    assert (
        run(shop, "import", "git", "--limit", "1")
        .notes[-1]
        .startswith("note: 2 records imported from 1 ")
    )


def test_a_file_alone_is_an_archive(shop: "Checkout", make_repo: "Callable[..., Checkout]") -> None:
    ok(shop, "import", "git")
    data = ok(shop, "backup", "export")
    assert len(json.loads(data)["records"]) == 3
    for number, words in enumerate((["all.json"], ["archive", "all.json"], ["./git"], ["./archive"],
                                    ["--dry-run", "all.json"])):  # fmt: skip
        other = make_repo(f"other-{number}")
        ok(other, "init")
        for name in ("all.json", "git", "archive"):
            other.add(name, data)
        verb = "would be imported" if "--dry-run" in words else "imported"
        assert run(other, "import", *words).notes == [
            f"note: 3 records {verb}, 0 were here already"
        ]
    complains(run(shop, "import", "nowhere.json"), USAGE, "can't read nowhere.json")
    assert run(shop, "import").code == USAGE
    assert "changelog" in ok(shop, "import", "--help")


def test_what_is_missing_is_named(shop: "Checkout") -> None:
    complains(run(shop, "import", "adr", "docs"), NOT_FOUND, "docs is not a folder")
    complains(run(shop, "import", "changelog"), NOT_FOUND, "no changelog", "name the file")
    complains(run(shop, "import", "changelog", "a.py"), USAGE, "a.py names no version")
    complains(run(shop, "import", "changelog", "/etc/hostname"), USAGE, "outside the repository")


def test_a_long_import_draws_a_bar_on_a_terminal(repo: "Checkout") -> None:
    ok(repo, "init")
    lines = [f"x{number} = {number}\n" for number in range(320)]
    blob = "".join(
        "commit refs/heads/long\ncommitter A <a@b.c> {at} +0000\ndata <<E\n{said}\nE\n"
        "M 100644 inline a.py\ndata <<E\n{text}E\n".format(
            at=1_700_000_000 + number, said=f"Fix crash {number}", text="".join(lines[:number])
        )
        for number in range(1, 312)
    )
    repo.git("fast-import", "--quiet", stdin=blob.encode())
    repo.git("checkout", "-q", "long")
    shown = shown_on_terminal(repo, "import", "git", "--dry-run")
    assert shown.code == 0
    assert "importing" in shown.out
    assert "100%" in shown.out
