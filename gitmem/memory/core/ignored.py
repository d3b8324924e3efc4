"""Whether git ignores the memory's folder, so that nobody else gets its records."""

from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError
from gitmem.git.ignore_rules import ignoring_rule
from gitmem.records.layout import FOLDERS, MARKER
from gitmem.records.problems import Problem

if TYPE_CHECKING:
    from gitmem.memory.core.site import Site

CODE: Final = "ignored"


def ignored_problem(site: "Site") -> Problem | None:
    """Say by which line git ignores new records, and which line to add; None where it does not."""
    if site.git_dirs is None:
        return None
    folder = site.folder_in_repository
    try:
        rule = ignoring_rule(site.git_dirs, f"{folder}/{FOLDERS['error']}/new.yaml")
        whole = rule and ignoring_rule(site.git_dirs, f"{folder}/")
    except GitmemError:  # git says so itself wherever it is needed
        return None
    if rule is None:
        return None
    message = f"git ignores {folder} by {rule.file}:{rule.line} ({rule.pattern}): its records reach"
    lines = [f"!/{folder}/"] if whole else []
    # Such a pattern matches the files in a folder, too.
    if not whole or rule.pattern in {"*", "**", "**/*"}:
        lines.append(f"!/{folder}/**")
    hint = f"add to the end of .gitignore: {' and '.join(lines)}"
    return Problem(MARKER, CODE, f"{message} nobody else", hint, severity="warning")
