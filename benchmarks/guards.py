"""How often ``gitmem guard`` is right on the histories of real projects.

The fixes of each repository are imported, and its newest commits held against those that were
there before and still held. What was taken back is told apart without gitmem: the message of a
revert names the fix's commit (looked for in the whole history), or a commit changes all files of
a fix the other way round. What else is told has to be read: ``--json`` writes every telling, and
what was missed. A repository that has a memory is asked with that one.
"""

import argparse
import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from benchmarks.measure import sealed
from benchmarks.replay.clones import MEMORY, Clone, git, named
from gitmem.diffs import ADDED, REMOVED, FileDiff, read_files
from gitmem.exchange.git_messages import read
from gitmem.git.change_text import DIFF_FORM
from gitmem.guards.grams import ChangedPlace, places_of
from gitmem.guards.taken_back import ChangedCode
from gitmem.memory.history.held_fixes import is_code
from gitmem.memory.history.whole_files import MOST_BYTES

_COLUMNS: Final = ("commits", "asked", "taken back", "of them told", "told", "to read")
_IDS: Final = ("rev-list", "--no-merges")
_FORM: Final = "--format=%x01%H%x02%at%x02%B%x03"
_SECONDS: Final = 3_600
_LEAST_TEXT: Final = 12
"""Letters of a file's lines, both ways, below which two commits may agree by chance."""


class Fix(NamedTuple):
    """A fix of the memory, and when it was taken back as the memory says."""

    id: str
    commit: str
    at: float
    until: float
    title: str
    files: tuple[FileDiff, ...]
    places: tuple[ChangedPlace, ...]


class Commit(NamedTuple):
    """A commit of the history, with what it changes."""

    id: str
    at: float
    message: str
    diff: str


def main() -> None:
    """Ask the newest commits of repositories; print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guards", description=main.__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=2_500, help="of each, the newest (2500)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what is told and missed")
    given = parser.parse_args()
    cases: list[dict[str, Any]] = []
    together = Counter(dict.fromkeys(_COLUMNS, 0))
    form = "{:20}" + "{:>14}" * len(_COLUMNS)
    print(form.format("", *_COLUMNS))
    for repository in map(named, given.repositories):
        history = _History()
        with tempfile.TemporaryDirectory() as folder:
            history.read(repository, Path(folder), given.commits)
        cases += [{"repository": str(repository), **case} for case in history.cases]
        together.update(history.counts)
        print(form.format(repository.name, *map(history.counts.get, _COLUMNS)), flush=True)
        if given.json:
            given.json.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")
    print(form.format("together", *map(together.get, _COLUMNS)))


class _History:
    """What guards say of one history."""

    def __init__(self) -> None:
        self.counts = Counter(dict.fromkeys(_COLUMNS, 0))
        self.cases: list[dict[str, Any]] = []
        self._by_file: dict[str, list[Fix]] = defaultdict(list)
        self._former: dict[str, frozenset[str]] = {}

    def read(self, repository: Path, folder: Path, most: int) -> None:
        """Import its fixes, and hold its commits against them."""
        clone = Clone(repository, folder / "clone", "", _SECONDS)
        if (repository / MEMORY).exists():
            clone.take_over(repository / MEMORY)
        else:
            clone.begin()
            clone.gitmem("import", "git", "--max", "1000000")
        for fix in _fixes(json.loads(clone.gitmem("backup", "export"))):
            for path in {name for file in fix.files for name in (file.old, file.new) if name}:
                self._by_file[path].append(fix)
        order = ("--topo-order", "--reverse")
        newest = git(clone.folder, *_IDS, *order, f"--max-count={most}", "HEAD").split()
        for commit in _commits(clone.folder, newest):
            cases = self._cases_of(commit)
            self.counts["asked"] += cases is not None
            self.cases += cases or ()
        self.counts["commits"] = len(newest)
        self.counts["told"] = sum(case["told"] is not None for case in self.cases)
        self.counts["to read"] = sum(not case["truth"] for case in self.cases)
        self._former = {}
        reverts = git(clone.folder, *_IDS, "-i", "--grep=^revert", "--grep=^back", "HEAD").split()
        for commit in _commits(clone.folder, sorted(set(reverts) - set(newest))):
            self.cases += [case for case in self._cases_of(commit) or () if case["truth"]]
        back = [case["told"] is not None for case in self.cases if case["truth"]]
        self.counts["taken back"], self.counts["of them told"] = len(back), sum(back)

    def _cases_of(self, commit: Commit) -> list[dict[str, Any]] | None:
        """Give what is told of a commit, and what is missed; None: no fix is in its files."""
        lines = commit.diff.split("\n")
        heads = {line[6:] for line in lines if line.startswith(("--- a/", "+++ b/"))}
        if heads.isdisjoint(self._by_file) and heads.isdisjoint(self._former):
            return None
        files = [file for file in read_files(commit.diff) if is_code(file.path)]
        fixes: dict[str, Fix] = {}
        names_of: dict[str, set[str]] = defaultdict(set)
        for file in files:
            old = file.old or file.new
            names = self._former.get(old, frozenset()) | {old, file.new or old}
            if file.new and file.new != old:
                self._former[file.new] = names
            for fix in (fix for name in names for fix in self._by_file.get(name, ())):
                if fix.at < commit.at <= fix.until and not commit.id.startswith(fix.commit):
                    fixes[fix.id] = fix
                    names_of[fix.id].update(names)
        if not fixes:
            return None
        changed = ChangedCode(places_of(files))
        cases: list[dict[str, Any]] = []
        for fix in fixes.values():
            truth = _truth(commit, fix, files)
            taken = changed.takes_back(fix.places, frozenset(names_of[fix.id]))
            if taken or truth:
                subject = commit.message.partition("\n")[0]
                telling = taken._asdict() if taken else None
                cases.append({"commit": commit.id, "subject": subject, "fix": fix.commit,
                              "title": fix.title, "truth": truth, "told": telling})  # fmt: skip
        # Of each place gitmem tells one fix.
        cases.sort(key=lambda case: (not case["truth"], -(case["told"] or {}).get("sureness", 0)))
        places = [case["told"] and (case["told"]["path"], case["told"]["line"]) for case in cases]
        return [
            case for at, case in enumerate(cases) if case["truth"] or places[at] not in places[:at]
        ]


def _fixes(document: dict[str, Any]) -> Iterator[Fix]:
    records = [each["record"] for each in document["records"] if each["record"]["kind"] == "fix"]
    failed = {
        record.get("reuses"): datetime.fromisoformat(record["created"]).timestamp()
        for record in records
        if record.get("outcome") == "failed"
    }
    for record in records:
        _, source, note = record.get("notes", "").partition("From commit ")
        files = [file for file in read_files(record.get("patch", "")) if is_code(file.path)]
        code = tuple(file for file in files if places_of([file]))
        if source and code and record.get("outcome") != "failed":
            at = datetime.fromisoformat(record["created"]).timestamp()
            until = failed.get(record["id"], float("inf"))
            places = tuple(places_of(code))
            yield Fix(record["id"], note[:12], at, until, record["title"], code, places)


def _truth(commit: Commit, fix: Fix, files: list[FileDiff]) -> str:
    """Tell what says that a commit takes a fix back; empty: nothing."""
    if fix.commit in commit.message and read(commit.message).depth % 2:
        return "message"
    back = {_sides(file, REMOVED, ADDED) for file in files}
    brought = {_sides(file, ADDED, REMOVED) for file in fix.files}
    return "content" if brought <= back and len("".join(max(brought))) >= _LEAST_TEXT else ""


def _sides(file: FileDiff, *signs: str) -> tuple[str, str]:
    lines = [(sign, text.strip()) for hunk in file.hunks for sign, text in hunk.lines]
    first, second = ([text for given, text in lines if text and given == sign] for sign in signs)
    return "\n".join(first), "\n".join(second)


def _commits(folder: Path, ids: list[str]) -> Iterator[Commit]:
    """Give commits with what they change, in their order."""
    command = ("git", "log", "--stdin", "--no-walk=unsorted", "-p", *DIFF_FORM, _FORM)
    with tempfile.TemporaryFile() as stdin:
        stdin.write("\n".join(ids or ["^HEAD"]).encode())
        stdin.seek(0)
        pipe = subprocess.PIPE
        with subprocess.Popen(command, cwd=folder, env=sealed(), stdin=stdin, stdout=pipe) as log:
            lines: list[bytes] = []
            size = 0
            for line in cast("IO[bytes]", log.stdout):
                if line.startswith(b"\x01"):
                    yield from _commit(lines)
                    lines, size = [], 0
                if size < MOST_BYTES:
                    lines.append(line)
                    size += len(line)
            yield from _commit(lines)


def _commit(lines: list[bytes]) -> Iterator[Commit]:
    if lines:
        head, _, diff = b"".join(lines)[1:].decode(errors="replace").partition("\x03")
        id_, at, message = head.split("\x02", 2)
        yield Commit(id_, float(at), message, diff)


if __name__ == "__main__":
    main()
