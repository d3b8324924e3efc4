"""What the messages of our own commits must say first."""

import subprocess
from pathlib import Path

import pytest

from scripts.check_commits import breaches

ROOT = Path(__file__).parents[2]
HOOK = ROOT / "scripts" / "hooks" / "commit-msg"


@pytest.mark.parametrize(
    "message",
    [
        "matching: a name with a slash is a name",
        "docs: how it is tried\n\nWhy it is so.",
        "Merge branch 'main' into next",
        'Revert "matching: a name with a slash is a name that is much longer than that"',
        "fixup! docs: how it is tried",
    ],
)
def test_what_says_the_part_and_what_changes_is_right(message: str) -> None:
    assert list(breaches([("1f2e3d4", message)])) == []


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("matching: " + "x" * 63, "73 characters"),
        ("wip", "part: what changes"),
        (": nothing", "part: what changes"),
        ("docs: how it is tried\nand why", "is empty"),
    ],
)
def test_what_does_not_is_named_with_its_commit(message: str, says: str) -> None:
    (line,) = breaches([("1f2e3d4", message)])
    assert line.startswith("1f2e3d4: ")
    assert says in line


def test_the_hook_refuses_a_message_and_tells_why(tmp_path: Path) -> None:
    message = tmp_path / "COMMIT_EDITMSG"
    message.write_text("# a comment\nfix\n")
    refused = subprocess.run([HOOK, message], cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "this commit: a subject says 'part: what changes': fix" in refused.stdout
    message.write_text("docs: how it is tried\n")
    assert subprocess.run([HOOK, message], cwd=ROOT, check=False).returncode == 0
