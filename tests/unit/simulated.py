"""A simulated project whose truth is known, for the tests of pairing.

A bug is a line of code in one or two places; a failure shows while one of them is there. The
developer edits, tries, takes back, commits, pulls, changes branches and runs commands; what the
commands show is what real ones would: everything, only the first, nothing but a syntax error,
the first of each test, or what ``make -j`` happened to get to. Some report each test, and skip
one now and then.
"""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from gitmem.capture.cases import Tests, of_report
from gitmem.capture.commands import asks
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.run_coverage import passed
from gitmem.capture.runs import Run
from gitmem.matching.cases import FAILED, PASSED, SKIPPED, Case, Report

Code = frozenset[tuple[str, str]]
_BEGAN = datetime(2026, 11, 2, 9, tzinfo=UTC)
SYNTAX = "bug-0"


# How a command hides failures, and what it is.
COMMANDS = {
    "each": ("pytest",),  # one test for each line of a bug
    "test": ("pytest",),  # one test a file: it ends at the first line that is bad
    "first": ("pytest", "-x"),
    "two": ("pytest",),  # --maxfail=2 stands in its settings
    "types": ("mypy", "."),  # a new failure may hide what others say
    "file": ("make",),  # ends after the first file with failures
    "some": ("make", "-j4"),  # shows some of the files with failures, by chance
}
TOOLS = {"types": "mypy", "file": "gcc", "some": "gcc"}


class Commit(NamedTuple):
    """A commit: its parent, whose it is, and when it was made."""

    parent: str
    own: bool
    at: datetime
    code: Code


def narrows(shows: str) -> bool:
    """Tell whether a command can be asked about one file of tests."""
    return COMMANDS[shows][0] == "pytest"


def lines_of(bug: int, *, parts: int, fixed: bool) -> list[tuple[str, str]]:
    """Give the lines that make a bug, or that fix it."""
    word = "good" if fixed else "bad"
    return [(f"m{(bug + part) % 3}.py", f"{word} {bug} {part}") for part in range(parts)]


class Project:
    """The code, the commits, and what the developer does."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.at = _BEGAN
        self.parts = [self.chance.choice((1, 1, 2)) for _ in range(self.chance.randint(2, 5))]
        self.flaky = [f"flaky-{n}" for n in range(self.chance.choice((0, 0, 0, 1, 2)))]
        self.shows = self.chance.choice(("each", "each", *COMMANDS))
        self.reports = self.chance.random() < 0.4 and self.shows in {"each", "first", "two"}
        lines = [
            line
            for bug, parts in enumerate(self.parts)
            for line in lines_of(bug, parts=parts, fixed=self.chance.random() < 0.5)
        ]
        self.code: Code = frozenset(lines)
        self.trees: dict[str, Code] = {}
        self._names: dict[Code, str] = {}
        self.commits: dict[str, Commit] = {"": Commit("", own=False, at=self.at, code=self.code)}
        self.head = ""
        self.branch = "main"
        self.branches = {"main": ""}
        self.moves: list[tuple[str, str]] = []
        self._made = 0

    # --- truth ---------------------------------------------------------------------------------

    def bad(self, code: Code, bug: int) -> list[tuple[str, str]]:
        """Give the lines of a bug that are in the code."""
        return [one for one in lines_of(bug, parts=self.parts[bug], fixed=False) if one in code]

    def broken(self, code: Code) -> list[int]:
        """List the bugs in the code."""
        return [bug for bug in range(len(self.parts)) if self.bad(code, bug)]

    # --- what the developer does -----------------------------------------------------------------

    def _new(self, word: str) -> tuple[str, str]:
        self._made += 1
        return (f"m{self.chance.randrange(3)}.py", f"{word} {self._made}")

    def _swap(self, bug: int, *, fixed: bool, part: int | None = None) -> None:
        for place in range(self.parts[bug]) if part is None else (part,):
            old = lines_of(bug, parts=self.parts[bug], fixed=not fixed)[place]
            new = lines_of(bug, parts=self.parts[bug], fixed=fixed)[place]
            self.code = self.code - {old} | {new}

    def fix(self) -> None:
        """Fix a bug, or a part of it."""
        if broken := self.broken(self.code):
            bug = self.chance.choice(broken)
            part = self.chance.choice((None, None, self.chance.randrange(self.parts[bug])))
            self._swap(bug, fixed=True, part=part)

    def break_(self) -> None:
        """Put a bug in, or back in."""
        bug = self.chance.randrange(len(self.parts))
        self._swap(bug, fixed=False, part=self.chance.randrange(self.parts[bug]))

    def note(self) -> None:
        """Edit something that has nothing to do with any bug."""
        self.code |= {self._new("note") for _ in range(self.chance.randint(1, 3))}

    def tinker(self) -> None:
        """Try something that does not help."""
        self.code |= {self._new("wrong") for _ in range(self.chance.randint(1, 3))}

    def take_back(self) -> None:
        """Take back what did not help."""
        self.code = frozenset(one for one in self.code if not one[1].startswith("wrong"))

    def go_back(self) -> None:
        """Restore code that was run before, as ``git stash`` does."""
        if self.trees:
            self.code = self.trees[self.chance.choice(sorted(self.trees))]

    def commit(self, *, own: bool = True) -> None:
        """Commit what there is."""
        self._made += 1
        name = f"c{self._made}"
        self.commits[name] = Commit(self.head, own, self.at, self.code)
        self.head = self.branches[self.branch] = name

    def pull(self) -> None:
        """Get somebody's commit, which may fix or break."""
        self.chance.choice((self.fix, self.fix, self.break_, self.note))()
        self.commit(own=False)

    def checkout(self) -> None:
        """Check out another branch, with a clean work tree."""
        self.commit()
        before = self.head
        if len(self.branches) < 3 and self.chance.random() < 0.6:
            self.branch = f"topic-{len(self.branches)}"
        else:
            self.branch = self.chance.choice(sorted(self.branches))
        self.head = self.branches.setdefault(self.branch, self.head)
        self.code = self.commits[self.head].code
        if self.head != before:
            self.moves.append((before, self.head))

    # --- what git would tell ---------------------------------------------------------------------

    def _line_of(self, head: str) -> list[str]:
        found = []
        while head:
            found.append(head)
            head = self.commits[head].parent
        return found

    def foreign(self, head: str) -> set[str]:
        """Name the commits of others that the code has."""
        return {name for name in self._line_of(head) if not self.commits[name].own}

    def own_work(self, before: str, after: str, since: datetime | None = None) -> bool:
        """Answer as ``WorkTree.own_work`` does."""
        old, new = self._line_of(before), self._line_of(after)
        if set(old) - set(new):
            return False
        came = [self.commits[name] for name in new if name not in old]
        return all(one.own and (since is None or one.at >= since) for one in came)

    def patch(self, before: str, after: str) -> Patch:
        """Give the patch between two snapshots."""
        old, new = self.trees[before], self.trees[after]
        text = ""
        for file in sorted({file for file, _ in old ^ new}):
            text += f"diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n"
            text += "".join(f"-{line}\n" for name, line in sorted(old - new) if name == file)
            text += "".join(f"+{line}\n" for name, line in sorted(new - old) if name == file)
        return parse_patch(text)

    # --- running ---------------------------------------------------------------------------------

    def run(self, command: tuple[str, ...]) -> Run:
        """Run the command, with more arguments, on the code as it is."""
        self.at += timedelta(seconds=self.chance.randint(20, 300))
        tree = self._names.setdefault(self.code, f"t{len(self._names)}")
        self.trees[tree] = self.code
        failing = [(f"bug-{bug}", file) for bug in self.broken(self.code)
                   for file, _ in self.bad(self.code, bug)]  # fmt: skip
        failing += [(one, f"{one}.py") for one in self.flaky if self.chance.random() < 0.4]
        skipped = [one for one in self._tests() if self.reports and self.chance.random() < 0.05]
        failing = [one for one in failing if one not in skipped or one[0] == SYNTAX]
        only = next((one for one in command if one.endswith(".py")), "")
        if only:
            failing = [one for one in failing if one[1] == only or one[0] == SYNTAX]
        shown, stopped = self._shown(failing)
        kind = self.chance.random()
        whole, code = True, 1 if shown else 0
        if SYNTAX in dict(shown) and self.shows not in {"file", "some"}:
            code, stopped = 2, True
        if kind < 0.06:  # interrupted
            whole, code = False, 130
            shown = shown[: self.chance.randint(0, len(shown))]
        elif kind < 0.08:  # contradicts itself
            shown, code = ([], 1) if shown else ([("bug-1", "m0.py")], 0)
        self._made += 1
        tree = tree if self.chance.random() > 0.02 else ""
        return Run(
            id=f"r{self._made}", at=self.at, seconds=1.0,
            command=(*COMMANDS[self.shows], *command), folder=".",
            exit_code=code, tree=tree, head=self.head, whole=whole, stopped=stopped,
            failures=self._seen(shown), tests=self._report(shown, skipped, only, stopped=stopped),
        )  # fmt: skip

    def _tests(self) -> list[tuple[str, str]]:
        """List the tests in the order in which they run: what they test, and their file."""
        bugs = [(f"bug-{bug}", file) for bug, parts in enumerate(self.parts)
                for file, _ in lines_of(bug, parts=parts, fixed=True)]  # fmt: skip
        return bugs + [(one, f"{one}.py") for one in self.flaky]

    def _report(
        self,
        shown: list[tuple[str, str]],
        skipped: list[tuple[str, str]],
        only: str,
        *,
        stopped: bool,
    ) -> Tests | None:
        """Report, as the plugin does, how each test ended that was reached; None without it."""
        if not self.reports or SYNTAX in dict(shown):
            return None
        reached = [one for one in self._tests() if not only or one[1] == only]
        if stopped and shown:
            reached = reached[: reached.index(shown[-1]) + 1]
        cases = [
            Case(f"{file}::{name}", SKIPPED if (name, file) in skipped
                 else FAILED if (name, file) in shown else PASSED)
            for name, file in reached
        ]  # fmt: skip
        return of_report(Report(cases=tuple(cases), complete=True), {}, ())

    def _seen(self, shown: list[tuple[str, str]]) -> tuple[FingerprintedFailure, ...]:
        tool = TOOLS.get(self.shows, "pytest")
        found: dict[str, FingerprintedFailure] = {}
        for name, file in shown:
            test = f"::{file if self.shows == 'test' else name}" if tool == "pytest" else ""
            places = (*found[name].places, file + test) if name in found else (file + test,)
            fields: dict[str, Any] = {"message": name, "tool": tool}
            if test:
                fields["test"] = {"name": file + test}
            found[name] = FingerprintedFailure(name, name, name, name, fields, places)
        return tuple(found.values())

    def _shown(self, failing: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], bool]:
        """Give of the failures that are there those that show, and whether it says it stopped."""
        files = sorted({file for _, file in failing})
        if self.shows in {"file", "some"} and files:
            chosen = files[:1]
            if self.shows == "some":
                chosen = self.chance.sample(files, self.chance.randint(1, len(files)))
            failing = [one for one in failing if one[1] in chosen]
            bad = {file for name, file in failing if name == SYNTAX}
            return [one for one in failing if one[0] == SYNTAX or one[1] not in bad], False
        if SYNTAX in dict(failing):
            return [one for one in failing if one[0] == SYNTAX], False
        if self.shows == "types" and "bug-1" in dict(failing):  # what it names has no type now
            return [one for one in failing if one[0] != "bug-2"], False
        if self.shows == "test":
            return list({file: (name, file) for name, file in reversed(failing)}.values()), False
        most = {"first": 1, "two": 2}.get(self.shows, len(failing) + 1)
        return failing[:most], len(failing) >= most

    def act(self) -> None:
        """Do something by chance."""
        self.at += timedelta(seconds=self.chance.randint(5, 120))
        deeds = {
            self.fix: 30, self.note: 10, self.tinker: 16, self.take_back: 12, self.break_: 7,
            self.go_back: 4, self.commit: 6, self.pull: 4, self.checkout: 4,
        }  # fmt: skip
        (deed,) = self.chance.choices(list(deeds), list(deeds.values()))
        deed()


def seen_on_one_tree(runs: list[Run]) -> set[str]:
    """Name the failures that came and went on the same code, as anybody can see."""
    found: set[str] = set()
    for run in runs:
        for other in runs:
            same = run.tree and run.tree == other.tree
            alike = asks(run.command, ".") == asks(other.command, ".")
            if same and run.evidence and other.exit_code and run.sites < other.sites:
                found |= {
                    seen.site
                    for seen in other.failures
                    if seen.site not in run.sites
                    and (passed(seen, run) is not False if alike else passed(seen, run))
                }
    return found


def total(counts: list[Counter[str]]) -> Counter[str]:
    """Add up."""
    return sum(counts, Counter())
