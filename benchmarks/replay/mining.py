"""Which commits of a history fix a bug: they say so, and touch source and tests."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.replay.clones import MEMORY, git
from gitmem.capture.generated_files import is_generated
from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.roles import is_document, is_test

_SAYS_FIX: Final = re.compile(
    r"\b(fix(es|ed|ing)?|bugs?|bugfix|regress(ion|ed)?|crash(es|ed)?|wrong(ly)?|incorrect(ly)?"
    r"|broken|breaks|correct(s|ed|ly)?)\b",
    re.IGNORECASE,
)
_CLOSES: Final = re.compile(r"\bfix(es|ed)?:? +([\w-]+/[\w-]+)?#[0-9]+", re.IGNORECASE)
_TAKES_BACK: Final = re.compile(r"^(merge|revert)\b", re.IGNORECASE)
_RUNS: Final = re.compile(
    r"(?:.*/)?(?:test_[^/]*|(?:[^/]*[_.-])?(?:tests?|spec)\.\w+|[^/]*(?:Tests?|Spec)\.\w+|[^/]*\.test-\w+"
    r"|(?:tests?|specs?|__tests__)/[^/]+\.(?:rs|[cm]?[jt]sx?|rb|php|java))"
)
"""Files of tests that can be named on a command line; others only help them."""
_MOST_FILES: Final = 8
_MOST_LINES: Final = 300


class Bug(NamedTuple):
    """A commit that fixes something.

    Attributes:
        commit: its full name.
        parent: the code before it.
        subject: what it says.
        tests: the files of tests that it adds or changes and that can be run.
        test_patch: what it does to tests, and to what only they use.
        code_patch: what it does to everything else, documents included.

    """

    commit: str
    parent: str
    subject: str
    tests: tuple[str, ...]
    test_patch: str
    code_patch: str

    @property
    def code(self) -> Patch:
        """What it does to files that run."""
        patch = parse_patch(self.code_patch)
        return patch.only({file for file in patch.files if not is_document(file)})

    @property
    def hunks(self) -> tuple[str, ...]:
        """The code's patch, a hunk each."""
        return tuple(hunks(self.code.text))


def mine(repository: Path, tip: str = "HEAD") -> Iterator[Bug]:
    """Give the fixes that a revision's history holds, newest first, each once.

    Args:
        repository: a clone with its history.
        tip: where to begin.

    """
    changed_lines = set()
    for entry in git(repository, "log", "--no-merges", "--format=%H %P%n%B%x00", tip).split("\0"):
        names, _, message = entry.strip().partition("\n")
        commit, *parents = names.split() or [""]
        if len(parents) == 1 and tells_of_a_fix(message):
            bug = read(repository, commit)
            # What was picked to another branch is the same fix.
            if bug and bug.code.lines not in changed_lines:
                changed_lines.add(bug.code.lines)
                yield bug


def tells_of_a_fix(message: str) -> bool:
    """Tell whether a commit's subject speaks of a bug, or its text closes an issue as fixed."""
    subject = message.partition("\n")[0]
    if _TAKES_BACK.match(subject):
        return False
    return bool(_SAYS_FIX.search(subject) or _CLOSES.search(message))


def read(repository: Path, commit: str) -> Bug | None:
    """Read a commit as a fix; None where it is none, or one of too much to be of one bug."""
    names, _, subject = git(repository, "log", "-1", "--format=%H %P%x00%s", commit).partition("\0")
    commit, parent = names.split()[:2]
    listed = git(repository, "diff", "--name-status", "--no-renames", "-z", parent, commit)
    fields = listed.split("\0")
    changed = zip(fields[1::2], fields[::2], strict=False)
    files = {file: state for file, state in changed if not file.startswith(f"{MEMORY}/")}
    tests = sorted(file for file in files if is_test(file))
    others = sorted(file for file in files if not is_test(file))
    runnable = tuple(test for test in tests if _RUNS.fullmatch(test) and files[test] != "D")
    code = [file for file in others if not is_document(file) and not is_generated(file)]
    if not runnable or not code or len(code) > _MOST_FILES:
        return None
    bug = Bug(
        commit,
        parent,
        subject.strip(),
        runnable,
        _diff(repository, parent, commit, tests),
        _diff(repository, parent, commit, others),
    )
    return bug if 0 < len(bug.code.lines) <= _MOST_LINES else None


def _diff(repository: Path, parent: str, commit: str, files: list[str]) -> str:
    options = ("diff", "--binary", "--full-index", "--no-renames", "--no-ext-diff", parent, commit)
    return git(repository, *options, "--", *files)


def hunks(patch: str) -> Iterator[str]:
    """Give the hunks of a patch, each as a patch of its own."""
    for part in re.split(r"^(?=diff --git )", patch, flags=re.MULTILINE):
        head, *rest = re.split(r"^(?=@@ )", part, flags=re.MULTILINE)
        yield from (head + hunk for hunk in rest)
