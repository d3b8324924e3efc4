"""Decision records and changelogs taken in: once, with their links, and nothing guessed."""

import os
from typing import TYPE_CHECKING

import pytest

from gitmem.errors import NotFoundError, UsageError
from gitmem.memory import Memory
from gitmem.parts.imports.import_adr import import_adr
from gitmem.parts.imports.import_changelog import import_changelog

if TYPE_CHECKING:
    from pathlib import Path

    from gitmem.answers.transfers import ImportResult
    from tests.conftest import Checkout


def adr(number: int, title: str, status: str, date: str = "2024-01-02") -> str:
    told = f"Date: {date}\n\n" if date else ""
    return f"# {number}. {title}\n\n{told}## Status\n\n{status}\n\n## Decision\n\n{title}.\n"


@pytest.fixture
def shop(repo: "Checkout") -> "Checkout":
    Memory.init(str(repo))
    repo.add("docs/adr/0001-one.md", adr(1, "One", "Superseded by [2. Two](0002-two.md)"))
    repo.add("docs/adr/0002-two.md", adr(2, "Two", "Accepted"))
    repo.add("docs/adr/0003-three.md", adr(3, "Three", "Accepted\n\nSupersedes ADR 2"))
    repo.add("docs/adr/0004-four.md", adr(4, "Four", "Superseded by ADR 99"))
    repo.add("docs/adr/README.md", "# Readme\n")
    repo.add("docs/adr/latin.md", "# Caf\xe9\n".encode("latin-1"))
    return repo


def taken(repo: "Path", **options: bool) -> "ImportResult":
    with Memory.open(str(repo)) as memory:
        return import_adr(memory, "docs/adr", **options)


def statuses(repo: "Path") -> dict[str, str]:
    with Memory.open(str(repo)) as memory:
        return {row.title: row.status for row in memory.list()}


def sound(repo: "Path") -> None:
    with Memory.open(str(repo)) as memory:
        assert [one for one in memory.checks.files() if one.severity == "error"] == []


def test_who_supersedes_whom_is_read_from_both_sides(shop: "Checkout") -> None:
    made = taken(shop)
    assert made.records == 4
    assert statuses(shop) == {
        "One": "superseded", "Two": "superseded", "Three": "accepted", "Four": "deprecated",
    }  # fmt: skip
    told = "\n".join(made.notices)
    assert "docs/adr/README.md is left out: it has no section" in told
    assert "docs/adr/latin.md is left out: latin.md is not UTF-8" in told
    assert "0004-four.md says that it is superseded, but not by a decision found here" in told
    sound(shop)


def test_importing_decisions_again_writes_nothing_and_tells_what_changed(shop: "Checkout") -> None:
    first = taken(shop, dry_run=True)
    assert statuses(shop) == {}
    assert taken(shop).new == first.new
    again = taken(shop)
    assert (again.records, again.present) == (0, 4)
    assert not any("changed" in text for text in again.notices)
    shop.add("docs/adr/0002-two.md", adr(2, "Two", "Rejected"))
    shop.add("docs/adr/0005-five.md", adr(5, "Five", "Accepted\n\nSupersedes ADR 3"))
    later = taken(shop)
    assert [one.title for one in later.new] == ["Five"]
    assert any("0002-two.md was changed since it was imported (status)" in text
               for text in later.notices)  # fmt: skip
    assert statuses(shop)["Three"] == "superseded"


def test_a_circle_is_told_and_not_written(shop: "Checkout") -> None:
    shop.add("docs/adr/0002-two.md", adr(2, "Two", "Accepted\n\nSupersedes ADR 3"))
    assert any("each say that they supersede the other" in text for text in taken(shop).notices)
    sound(shop)


def test_a_decision_without_a_date_is_as_old_as_its_file(shop: "Checkout") -> None:
    shop.add("docs/adr/0007-seven.md", adr(7, "Seven", "Accepted", ""))
    assert any("has no date and is in no commit" in text for text in taken(shop).notices)
    shop.commit("Seven", "--date=2022-03-04T05:06:07Z")
    (made,) = taken(shop).new
    assert made.at.isoformat() == "2022-03-04T05:06:07+00:00"


def test_links_are_followed_only_inside_of_the_repository(shop: "Checkout") -> None:
    folder = shop / "docs/adr"
    (shop.parent / "secret.md").write_text(adr(7, "Secret", "Accepted"))
    shop.add("elsewhere.md", adr(8, "Inside", "Accepted"))
    links = {
        "0007-out.md": "../../../secret.md",
        "0008-in.md": "../../elsewhere.md",
        "0009-nowhere.md": "nowhere",
    }
    for name, target in links.items():
        (folder / name).symlink_to(target)
    (shop / "CHANGELOG.md").unlink(missing_ok=True)
    (shop / "CHANGELOG.md").symlink_to("../secret.md")
    made = taken(shop)
    told = "\n".join(made.notices)
    assert "docs/adr/0007-out.md is left out: 0007-out.md is outside the repository" in told
    assert "docs/adr/0009-nowhere.md is left out: can't read" in told
    assert "Secret" not in {one.title for one in made.new}
    assert "Inside" in {one.title for one in made.new}
    with Memory.open(str(shop)) as memory, pytest.raises(UsageError, match="is outside"):
        import_changelog(memory)


def test_pipes_odd_names_and_large_files_are_told(shop: "Checkout") -> None:
    folder = shop / "docs/adr"
    os.mkfifo(folder / "pipe.md")
    (folder / "large.md").write_text(adr(8, "Eight", "Accepted") + "x" * 300_000)
    with open(os.fsencode(folder) + b"/bad\xff.md", "wb") as file:
        file.write(adr(9, "Nine", "Accepted").encode())
    told = "\n".join(taken(shop).notices)
    assert "pipe.md is left out: pipe.md is not a file" in told
    assert "large.md is left out: large.md is larger than 256 KiB" in told
    assert "docs/adr/bad\\xff.md is left out: its name is not UTF-8" in told
    sound(shop)


def test_folders_that_are_none_or_elsewhere(shop: "Checkout", tmp_path: "Path") -> None:
    with Memory.open(str(shop)) as memory:
        with pytest.raises(NotFoundError, match="not a folder"):
            import_adr(memory, "nowhere")
        with pytest.raises(UsageError, match="outside the repository"):
            import_adr(memory, str(tmp_path))
        with pytest.raises(NotFoundError, match="no changelog"):
            import_changelog(memory)
        with pytest.raises(UsageError, match="names no version"):
            import_changelog(memory, "docs/adr/README.md")


_LOG = """# Changelog

## [Unreleased]
### Fixed
- later

## 1.2.0
### Fixed
- Crash (#12)
### Changed
- We decided to drop Python 2

## 1.1.0 - 2024-02-03
### Fixed
- Crash in another place
- Crash in another place
### Added
- Doors
"""


def test_a_changelog_becomes_notes_and_stated_decisions(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.add("CHANGELOG.md", _LOG)
    with Memory.open(str(repo)) as memory:
        made = import_changelog(memory)
        assert [one.source for one in made.new] == ["1.1.0"]
        assert any(
            "1 without a date, and git knows no tag or commit of them: 1.2.0" in text
            for text in made.notices
        )
        assert made.passed == {
            "not released yet": 1, "added, or under another heading": 1, "listed twice": 1,
        }  # fmt: skip
    repo.git("add", "CHANGELOG.md")
    repo.git("commit", "-q", "-m", "Log", "--date=2024-03-03T00:00:00Z")
    with Memory.open(str(repo)) as memory:
        made = import_changelog(memory)
        assert [(one.what, one.at.isoformat()[:10]) for one in made.new] == [
            ("note", "2024-03-03"), ("decision", "2024-03-03"),
        ]  # fmt: skip
        assert import_changelog(memory).records == 0
        (note,) = [row for row in memory.list("tag:v1.2.0") if row.kind == "note"]
        record = memory.show(note.id).record
        assert record.tags == ("imported", "changelog", "fixed", "v1.2.0", "#12")
        assert record.author.via == "tool"
        assert note.title == "fixed in 1.2.0: Crash (#12)"
    sound(repo)


def test_a_tag_tells_when_a_version_came(repo: "Checkout") -> None:
    Memory.init(str(repo))
    repo.git("commit", "-q", "--allow-empty", "-m", "x", "--date=2020-05-05T00:00:00Z")
    repo.git("tag", "-a", "v1.2.0", "-m", "1.2.0")
    repo.add("CHANGELOG.md", _LOG)
    repo.commit("Log")
    with Memory.open(str(repo)) as memory:
        made = import_changelog(memory, "CHANGELOG.md")
    assert {one.at.isoformat()[:10] for one in made.new} == {"2024-02-03", "2020-05-05"}
