"""Unit tests that are not run on Windows, and why."""

import sys
from collections.abc import Mapping
from typing import Final

_CASE: Final = "test_a_file_outside_is_no_place[/repo/b.c--/repo/b.c]"
LEFT_OUT: Final[Mapping[str, str]] = {
    "test_edited.py::test_git_applies_it": (
        "writes a file with the line ends of Windows, of which its patch knows nothing"
    ),
    f"test_matchers.py::{_CASE}": "a path with a stroke in front is not absolute on Windows",
    "test_matchers.py::test_files_lie_in_the_repository_and_are_plain": "makes links and devices",
    "test_mcp_projects.py::test_few_memories_stay_open_and_none_that_is_in_use": (
        "counts open files in /proc"
    ),
    "test_plain_english.py::test_the_list_and_the_search_work": (
        "a script of those who develop gitmem, with paths as the system writes them"
    ),
    "test_sentences.py": "needs numpy, of the extra semantic",
    "test_tool_fields.py::test_the_cause_that_node_wraps_is_moved_to_the_margin": (
        "Python 3.14 takes a carriage return for a blank line"
    ),
    "test_tool_files.py::test_packages_around_a_command": (
        "which packages an environment of Windows holds is not read yet"
    ),
}
"""The end of a file's path, perhaps with a test: the reason."""
OF_WINE: Final[Mapping[str, str]] = {
    "test_commit_subjects.py::test_the_hook_refuses_a_message_and_tells_why": (
        "git runs a hook by its own shell, which wine has not"
    ),
    "test_parts.py::test_the_": "Python copies files by a call (CopyFile2) that wine 8 lacks",
}
"""What a real Windows runs."""


def reason_of(nodeid: str) -> str:
    """Give why a test is left out; empty if it is not."""
    path, separator, test = nodeid.partition("::")  # a test's own name may have strokes, too
    name = path.rpartition("/")[2] + separator + test
    reasons = [*LEFT_OUT.items(), *(OF_WINE.items() if _is_wine() else ())]
    return next((why for what, why in reasons if name.startswith(what)), "")


def _is_wine() -> bool:
    is_wine = False
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415  slow to import, and of no use elsewhere

        is_wine = hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")
    return is_wine
