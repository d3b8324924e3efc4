"""A memory that git leaves out reaches nobody: whoever begins one is told, and how to mend it."""

import pytest

from tests.scenarios.desk import Desk

RULES = {
    "npm": ("/*\n!/src\n", "!/.memory/"),
    "dotfiles": (".*\n!.gitignore\n", "!/.memory/"),
    "everything": ("*\n", "!/.memory/ and !/.memory/**"),
    "files": ("*.yaml\n", "!/.memory/**"),
    "named": (".memory\n", "!/.memory/"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_memory_that_git_ignores_is_told_of(desk: Desk, name: str) -> None:
    rules, lines = RULES[name]
    desk.write(".gitignore", rules)
    # Of the doctor only the first lines: all that it tries takes long.
    for command in ("init", "check", "status", "doctor | head -n 3"):
        desk.sh(f"gitmem {command}")
        assert "git ignores .memory by .gitignore:1" in desk.said, f"{command}: {desk.said}"
        assert f"add to the end of .gitignore: {lines}" in desk.said
    desk.write(".gitignore", rules + "\n".join(lines.split(" and ")) + "\n")
    desk.sh("gitmem add note --title spam --body eggs")
    for command in ("init", "check", "status"):
        assert desk.sh(f"gitmem {command}") == 0
        assert "git ignores" not in desk.said, f"{command}: {desk.said}"
    desk.repo.commit("a memory")
    assert ".memory/notes/" in desk.repo.git("ls-files")
