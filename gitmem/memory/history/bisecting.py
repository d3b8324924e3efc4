"""An error that came back after a fix: what became of the fix, and where to search."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final

from gitmem.answers import Regression
from gitmem.capture.applying import PatchRefusedError, read_patch
from gitmem.errors import NotFoundError
from gitmem.git.bisect import BisectResult
from gitmem.git.blame import blame
from gitmem.git.provenance import is_in, origins
from gitmem.git.state import head
from gitmem.matching.relocate import FileText, telling
from gitmem.memory.anchors.anchoring import Anchoring
from gitmem.memory.core.records import read_record
from gitmem.records.kinds import Error, Fix

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.catalog.rows import Row
    from gitmem.git.places import GitDirs
    from gitmem.memory.view import View

_MOST_FILES: Final = 20


def regression_of(memory: "View", reference: str) -> Regression:
    """Tell what became of the fix of an error that came back.

    Args:
        memory: the memory.
        reference: any record of the error.

    Raises:
        NotFoundError: no fix of it worked, or it did not come back.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    row = memory.find(reference, "error")

    def ask() -> "tuple[list[Row], list[Row]]":
        catalog = memory.derived.opened
        errors = list(catalog.by_id(catalog.same_as([row.id])).values())
        fixes = [fix for error in errors for relation, fix in catalog.linking_to(error.id)
                 if relation == "fixes"]  # fmt: skip
        return errors, fixes

    errors, fixes = memory.derived.mended(ask)
    if not any(fix.kind == "fix" and fix.stated == "worked" for fix in fixes):
        hint = f'write one down with: gitmem resolve {row.id} "…"'
        raise NotFoundError(f"no fix of {row.id} is known to have worked", hint)
    found = regression(memory, errors, fixes, now=False)
    if found is None:
        hint = "it did once another record after the fix says that it duplicates this one"
        raise NotFoundError(f"{row.id} did not come back after its fix", hint)
    return found


def regression(
    memory: "View", errors: "Iterable[Row]", fixes: "Iterable[Row]", *, now: bool
) -> Regression | None:
    """Tell what became of the fix of an error; None if it did not come back, or had no fix.

    Args:
        memory: the memory.
        errors: all records of the error.
        fixes: all attempts on it.
        now: it shows at this moment, recorded or not.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    newest = max(errors, key=lambda one: (one.created, one.id))
    worked = [fix for fix in fixes if fix.kind == "fix" and fix.stated == "worked"
              and (now or fix.created < newest.created)]  # fmt: skip
    if not worked:
        return None
    fix = max(worked, key=lambda one: (one.created, one.id))
    places = memory.site.require_git()
    folder = memory.site.folder_in_repository
    record, error = read_record(memory.workspace, fix), read_record(memory.workspace, newest)
    patch = record.patch if isinstance(record, Fix) else ""
    told = _Survivors(memory, places, patch)
    commit, held = _fixing(places, f"{folder}/{fix.path}", folder)
    commit = told.commit or commit
    held = held or bool(told.commit)
    seen = fix.created < newest.created
    added = origins(places, [f"{folder}/{newest.path}"], folder=folder) if seen else {}
    tip = head(places)
    bad = next(iter(added.values()), tip)
    if commit and held and (bad == commit or not is_in(places, commit, bad)):
        bad = tip
    why_not = _why_no_range(commit, bad, held=held)
    good, bad = ("", "") if why_not else (commit, bad)
    return Regression(
        newest, fix, commit, held, told.lines, told.alive, good, bad, why_not,
        _command(record, error),
    )  # fmt: skip


def _fixing(places: "GitDirs", path: str, folder: str) -> tuple[str, bool]:
    """Give the commit that added a fix, and whether it is reached from what is checked out."""
    here = origins(places, [path], folder=folder).get(path, "")
    if here:
        return here, True
    return origins(places, [path], "--all", folder=folder).get(path, ""), False


def _why_no_range(commit: str, bad: str, *, held: bool) -> str:
    if not commit:
        return "the fix is in no commit that is known here"
    if not held:
        return "the commit of the fix is not part of what is checked out"
    if bad == commit:
        return "there is no commit after the fix"
    return ""


def _command(fix: object, error: object) -> str:
    checked = fix.verification if isinstance(fix, Fix) else None
    command = checked.command if checked else ""
    command = command or (error.command if isinstance(error, Error) else "")
    return command.strip() if "\n" not in command.strip() else ""


class _Survivors:
    """The telling lines that a patch added, and those that are still there.

    Attributes:
        lines, alive: how many.
        commit: the one commit that brought those that are left; empty if they are of several.

    """

    def __init__(self, memory: "View", places: "GitDirs", patch: str) -> None:
        self.lines = self.alive = 0
        self.commit = ""
        commits: set[str] = set()
        for path, added in _added(patch):
            self.lines += len(added)
            with closing(Anchoring(memory.workspace)) as anchoring:
                name, text = anchoring.follow_git(path)
            if text is None:
                continue
            numbers = [text.lines.index(line) + 1 for line in added if line in text.counts]
            self.alive += len(numbers)
            commits |= _brought(places, name, text, numbers)
        self.commit = commits.pop() if len(commits) == 1 else ""


def _added(patch: str) -> "list[tuple[str, list[str]]]":
    """Give for each file of a patch the lines that it added, and that mean themselves."""
    try:
        parts = read_patch(patch)[:_MOST_FILES] if patch.strip() else []
    except PatchRefusedError:
        return []
    found = []
    for part in parts:
        gone = {line for hunk in part.hunks for sign, line in hunk.lines if sign == "-"}
        lines = [line for hunk in part.hunks for sign, line in hunk.lines
                 if sign == "+" and telling(line) and line not in gone]  # fmt: skip
        if part.new and lines:
            found.append((part.new, list(dict.fromkeys(lines))))
    return found


def _brought(places: "GitDirs", path: str, text: FileText, numbers: Sequence[int]) -> set[str]:
    """Give the commits that brought lines which are there once."""
    sure = {number for number in numbers if text.counts[text.lines[number - 1]] == 1}
    if not sure:
        return set()
    return {one.commit for one in blame(places, path) if one.number in sure and one.commit}


def bisect(memory: "View", found: Regression, tell: "Callable[[str], None]") -> BisectResult:
    """Search the commit that brought an error back; the work tree is as it was at the end.

    Args:
        memory: the memory.
        found: as ``regression_of`` gives it, with a range and a command.
        tell: is told each line of output.

    Raises:
        NotFoundError: there is no range, or no command.
        ConflictError: the work tree is not clean, or git is in the middle of something.

    """
    from gitmem.git.bisect import bisect as search  # noqa: PLC0415  start-up

    if not found.script:
        raise missing(found)
    return search(memory.site.require_git(), found.bad, found.good, found.command, tell)


def missing(found: Regression) -> NotFoundError:
    """Say what a search lacks."""
    if found.why_not:
        return NotFoundError(f"no range to search: {found.why_not}", "")
    hint = 'name one that fails while the error is there: gitmem bisect ID --command "…"'
    return NotFoundError(f"no command shows {found.error.id}: none was recorded", hint)
