"""What a commit's message says first: ``part: what changes``, in 72 characters at most.

With a file, as git's hook commit-msg: is this message right. Without: those of the commits since
this rule. Merges, reverts and what is to be squashed bear the subjects that git gives them.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
_LONGEST: Final = 72
_SUBJECT: Final = re.compile(r"[^\s:][^:]{0,40}: \S")
_GIVEN: Final = re.compile(r"Merge |Revert \"|(?:fixup|squash|amend)! ")


def breaches(messages: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Name what is wrong with messages, each given with the name of its commit."""
    for name, message in messages:
        subject, _, rest = message.partition("\n")
        if _GIVEN.match(subject):
            continue
        if len(subject) > _LONGEST:
            yield f"{name}: a subject of {len(subject)} characters, at most {_LONGEST}: {subject}"
        if not _SUBJECT.match(subject):
            yield f"{name}: a subject says 'part: what changes': {subject}"
        if rest.strip() and not rest.startswith("\n"):
            yield f"{name}: the line below the subject is empty: {subject}"


def commits(root: Path) -> list[tuple[str, str]]:
    """Give the messages of the commits since the one that brought this rule."""
    if not (root / ".git").exists():
        return []
    rule = ("--", "scripts/check_commits.py")
    begun = _git(root, "log", "--diff-filter=A", "--format=%H", "-1", *rule).strip()
    if not begun:
        return []
    log = _git(root, "log", "-z", "--no-merges", "--format=%h%n%B", f"{begun}..HEAD")
    parts = (each.partition("\n") for each in log.split("\0"))
    return [(name, message) for name, _, message in parts if name]


def _git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
    ).stdout


def main(arguments: list[str]) -> int:
    """Run as a script."""
    if arguments:
        text = Path(arguments[0]).read_text(encoding="utf-8")
        told = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
        messages = [("this commit", told.strip())]
    else:
        messages = commits(ROOT)
    lines = list(breaches(messages))
    print(*lines, sep="\n", end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
