"""What runs in our workflows is named by its commit: a tag may be moved to other code."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_USED = re.compile(r"^\s*(?:- )?uses:\s*(?P<what>\S+)(?P<after>.*)$", re.MULTILINE)
_PINNED = re.compile(r"(?:\./|[\w.-]+/[\w./-]+@[0-9a-f]{40}\Z|docker://\S+@sha256:[0-9a-f]{64}\Z)")


def unpinned(workflow: str) -> list[str]:
    return [used["what"] for used in _USED.finditer(workflow) if not _PINNED.match(used["what"])]


def test_our_workflows_name_commits_and_say_which_version_each_is() -> None:
    used = [
        used
        for path in (ROOT / ".github").rglob("*.y*ml")
        for used in _USED.finditer(path.read_text())
    ]
    assert used
    assert [each["what"] for each in used if unpinned(each[0])] == []
    assert [each["what"] for each in used if not re.search(r"# v\d", each["after"])] == []


@pytest.mark.parametrize(
    "action",
    ["actions/checkout@v4", "actions/checkout@main", "actions/checkout@11bd719", "a/b",
     "docker://alpine:3"],
)  # fmt: skip
def test_a_tag_or_a_branch_is_no_pin(action: str) -> None:
    assert unpinned(f"steps:\n  - uses: {action}\n") == [action]
    assert unpinned("  - uses: a/b/c@" + "0f" * 20 + " # v1\n    uses: ./own\n") == []
