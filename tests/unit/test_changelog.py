"""The next section of the changelog, made of the fragments in changes/."""

from pathlib import Path

from scripts import changelog


def test_the_first_release_lists_only_what_was_added(tmp_path: Path) -> None:
    (tmp_path / "run.added.md").write_text("It watches\na command.\n")
    (tmp_path / "slow.fixed.md").write_text("It is quicker.\n")
    found = changelog.fragments(tmp_path)
    first = changelog.section("0.1.0", changelog.to_tell(found, "# Changelog\n"))
    assert first == "## 0.1.0\n\n### Added\n\n- It watches a command.\n"
    later = changelog.section("0.2.0", changelog.to_tell(found, "# Changelog\n\n## 0.1.0 (…)\n"))
    assert "### Fixed\n\n- It is quicker.\n" in later
