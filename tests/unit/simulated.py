"""A simulated project whose truth is known, for the tests of pairing.

A bug is a line of code in one or two places; a failure shows while one of them is there. The
developer edits, tries, takes back, commits, pulls, changes branches and runs commands; what the
commands show is what real ones would: everything, only the first, nothing but a syntax error,
the first of each test, or what ``make -j`` happened to get to. Some report each test, and skip
one now and then. Runners of tests are also asked for what failed last, for a file, for a test.
A test may be silenced in the code, and what the code runs in may lack something.
"""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from gitmem.capture.cases import Tests, of_report
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.run_coverage import passed
from gitmem.capture.runs import Run
from gitmem.output.cases import FAILED, PASSED, SKIPPED, Case, Report

Code = frozenset[tuple[str, str]]
_BEGAN = datetime(2026, 11, 2, 9, tzinfo=UTC)
SYNTAX = "bug-0"
WRITTEN = "report.out"
"""What commands write, and nobody commits."""


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
QUIET = {"pytest": "-q", "mypy": "--pretty", "make": "-s"}
LAST_FAILED = "--lf"


class Commit(NamedTuple):
    """A commit: its parent, whose it is, and when it was made."""

    parent: str
    own: bool
    at: datetime
    code: Code


def is_narrow(command: tuple[str, ...]) -> bool:
    """Tell whether a command is asked about less than everything."""
    return any(".py" in word or word == LAST_FAILED for word in command)


def skip_line(bug: int) -> str:
    """Give the line that silences the tests of a bug in a file."""
    return f"@pytest.mark.skip(reason='bug-{bug}')"


def file_of(number: int) -> str:
    """Name one of the three files; each holds code and its tests."""
    return f"test_m{number % 3}.py"


def lines_of(bug: int, *, parts: int, fixed: bool) -> list[tuple[str, str]]:
    """Give the lines that make a bug, or that fix it."""
    word = "good" if fixed else "bad"
    return [(file_of(bug + part), f"{word} {bug} {part}") for part in range(parts)]


class Project:
    """The code, the commits, and what the developer does."""

    def __init__(self, seed: int, *, untidy: bool = False) -> None:
        self.chance = random.Random(seed)
        self.untidy = untidy
        self.at = _BEGAN
        self.parts = [self.chance.choice((1, 1, 2)) for _ in range(self.chance.randint(2, 5))]
        self.flaky = [f"flaky-{n}" for n in range(self.chance.choice((0, 0, 0, 1, 2)))]
        self.shows = self.chance.choice(("each", "each", *COMMANDS))
        self.lacking = {f"env-{n}" for n in range(self.chance.choice((0, 0, 0, 1)))}
        self.surroundings = sorted(self.lacking)
        self.doers: dict[tuple[str, str], str] = {}
        self._last_failed: list[tuple[str, str]] = []
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
        self.amended: dict[str, str] = {}
        self.writes = untidy and self.chance.random() < 0.5
        self._made = 0

    # --- truth ---------------------------------------------------------------------------------

    def bad(self, code: Code, bug: int) -> list[tuple[str, str]]:
        """Give the lines of a bug that are in the code."""
        return [one for one in lines_of(bug, parts=self.parts[bug], fixed=False) if one in code]

    def broken(self, code: Code) -> list[int]:
        """List the bugs in the code."""
        return [bug for bug in range(len(self.parts)) if self.bad(code, bug)]

    def silenced(self, code: Code, bug: int) -> bool:
        """Tell whether a test that would show a bug is left out."""
        return any((file, skip_line(bug)) in code for file, _ in self.bad(code, bug))

    def by_others(self, bug: int) -> bool:
        """Tell whether a line of a bug went with somebody's commit, or with other code."""
        lines = lines_of(bug, parts=self.parts[bug], fixed=False)
        return any(self.doers.get(line) in {"pull", "checkout"} for line in lines)

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """List what may be added to the command, whole runs most often."""
        quiet = (QUIET[COMMANDS[self.shows][0]],)
        if COMMANDS[self.shows][0] != "pytest":
            return ((), (), (), quiet)
        bug = self.chance.randrange(len(self.parts))
        file = file_of(bug)
        test = file if self.shows == "test" else f"bug-{bug}"
        narrow = ((file_of(0),), (file_of(1),), (f"{file}::{test}",))
        return ((), (), (), (), quiet, (LAST_FAILED,), (LAST_FAILED, *quiet), *narrow)

    # --- what the developer does -----------------------------------------------------------------

    def _new(self, word: str) -> tuple[str, str]:
        self._made += 1
        return (file_of(self.chance.randrange(3)), f"{word} {self._made}")

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

    def silence(self) -> None:
        """Leave out the tests of a bug in a file, or run them again."""
        if COMMANDS[self.shows][0] != "pytest" or self.shows == "test":
            return
        skipped = [one for one in self.code if one[1].startswith("@pytest.mark.skip")]
        if skipped and self.chance.random() < 0.5:
            self.code -= {self.chance.choice(sorted(skipped))}
        elif broken := [bug for bug in self.broken(self.code) if f"bug-{bug}" != SYNTAX]:
            bug = self.chance.choice(broken)
            self.code |= {(file, skip_line(bug)) for file, _ in self.bad(self.code, bug)}

    def install(self) -> None:
        """Install what is lacking, or lose it again."""
        if self.lacking:
            self.lacking.clear()
        elif self.chance.random() < 0.3:
            self.lacking |= set(self.surroundings)

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
        self.commits[name] = Commit(self.head, own, self.at, self._tracked())
        self.head = self.branches[self.branch] = name

    def amend(self) -> None:
        """Put what there is into the own last commit."""
        last = self.head
        if not last or not self.commits[last].own:
            return
        self._made += 1
        name = f"c{self._made}"
        self.commits[name] = self.commits[last]._replace(at=self.at, code=self._tracked())
        self.amended[name] = last
        self.head = self.branches[self.branch] = name

    def _tracked(self) -> Code:
        return frozenset(one for one in self.code if one[0] != WRITTEN)

    def pull(self) -> None:
        """Get somebody's commit, which may fix or break; own edits stay as they are."""
        mine, base = self.code, self.commits[self.head].code
        self.code = base
        self.chance.choice((self.fix, self.fix, self.break_, self.note))()
        gone, came = base - self.code, self.code - base
        self.commit(own=False)
        self.code = mine - gone | came

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
        if set(old) - set(new) - {former for one in new for former in self._formerly(one)}:
            return False
        came = [self.commits[name] for name in new if name not in old]
        return all(one.own and (since is None or one.at >= since) for one in came)

    def _formerly(self, name: str) -> Iterator[str]:
        while name in self.amended:
            name = self.amended[name]
            yield name

    def came(self, before: str, after: str) -> list[str]:
        """Name the commits that a later one has and an older one lacks; none if others are lost."""
        old, new = self._line_of(before), self._line_of(after)
        return [] if set(old) - set(new) else [name for name in new if name not in old]

    def paths_of(self, name: str) -> set[str]:
        """Name the files that a commit changes."""
        commit = self.commits[name]
        return {file for file, _ in commit.code ^ self.commits[commit.parent].code}

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
        failing += [(one, f"{one}.py") for one in sorted(self.lacking)]
        silenced = [one for one in self._tests() if (one[1], _skip(one[0])) in self.code]
        failing = [one for one in failing if one not in silenced]
        skipped += silenced
        asked = self._asked(command)
        failing = [one for one in failing if one in asked or one[0] == SYNTAX]
        shown, stopped = self._shown(failing)
        self._keep_last_failed(shown, asked, stopped=stopped)
        kind = self.chance.random()
        whole, code = True, 1 if shown else 0
        if SYNTAX in dict(shown) and self.shows not in {"file", "some"}:
            code, stopped = 2, True
        if kind < 0.06:  # interrupted
            whole, code = False, 130
            shown = shown[: self.chance.randint(0, len(shown))]
        elif kind < 0.08:  # contradicts itself
            shown, code = ([], 1) if shown else ([("bug-1", file_of(0))], 0)
        self._made += 1
        tree = tree if self.chance.random() > 0.02 else ""
        end = self._written(tree) if self.writes else ""
        return Run(
            id=f"r{self._made}", at=self.at, seconds=1.0,
            command=(*COMMANDS[self.shows], *command), folder=".",
            exit_code=code, tree=tree, end=end, head=self.head, whole=whole, stopped=stopped,
            failures=self._seen(shown), tests=self._report(shown, skipped, asked, stopped=stopped),
        )  # fmt: skip

    def _written(self, tree: str) -> str:
        """Let a command write a file anew; give the code as it is then."""
        self.code = self._tracked() | {(WRITTEN, f"run {self._made}")}
        end = self._names.setdefault(self.code, f"t{len(self._names)}")
        self.trees[end] = self.code
        return end if tree else ""

    def _asked(self, command: tuple[str, ...]) -> list[tuple[str, str]]:
        """List the tests that a command runs."""
        tests = self._tests()
        for word in command:
            if word == LAST_FAILED and self._last_failed:
                failed = [self._test_of(one) for one in self._last_failed]
                tests = [one for one in tests if self._test_of(one) in failed]
            elif "::" in word:
                file, _, name = word.partition("::")
                tests = [one for one in tests if one[1] == file and name in {one[0], file}]
            elif word.endswith(".py"):
                tests = [one for one in tests if one[1] == word]
        return tests

    def _test_of(self, failing: tuple[str, str]) -> object:
        """Give the test that shows a failure: one for each, or one for each file."""
        return failing[1] if self.shows == "test" else failing

    def _keep_last_failed(
        self, shown: list[tuple[str, str]], asked: list[tuple[str, str]], *, stopped: bool
    ) -> None:
        """Keep what pytest keeps: a test that failed, until it runs again and does not."""
        if SYNTAX in dict(shown):
            return
        ran = _reached(shown, asked, stopped=stopped)
        tests = [self._test_of(one) for one in ran]
        left = [one for one in self._last_failed if self._test_of(one) not in tests]
        self._last_failed = left + [one for one in ran if one in shown]

    def _tests(self) -> list[tuple[str, str]]:
        """List the tests in the order in which they run: what they test, and their file."""
        bugs = [(f"bug-{bug}", file) for bug, parts in enumerate(self.parts)
                for file, _ in lines_of(bug, parts=parts, fixed=True)]  # fmt: skip
        return bugs + [(one, f"{one}.py") for one in (*self.flaky, *self.surroundings)]

    def _report(
        self,
        shown: list[tuple[str, str]],
        skipped: list[tuple[str, str]],
        asked: list[tuple[str, str]],
        *,
        stopped: bool,
    ) -> Tests | None:
        """Report, as the plugin does, how each test ended that was reached; None without it."""
        if not self.reports or SYNTAX in dict(shown):
            return None
        reached = _reached(shown, asked, stopped=stopped)
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
            message = f"No module named '{name}'" if name in self.surroundings else name
            fields: dict[str, Any] = {"message": message, "tool": tool}
            if test:
                fields["test"] = {"name": file + test}
            found[name] = FingerprintedFailure(name, name, name, name, name, name, fields, places)
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
            self.go_back: 4, self.commit: 6, self.amend: 3 * self.untidy, self.pull: 4,
            self.checkout: 4, self.silence: 4, self.install: 5,
        }  # fmt: skip
        (deed,) = self.chance.choices(list(deeds), list(deeds.values()))
        before = self.code
        deed()
        self.doers |= dict.fromkeys(before - self.code, deed.__name__)


def _reached(
    shown: list[tuple[str, str]], asked: list[tuple[str, str]], *, stopped: bool
) -> list[tuple[str, str]]:
    """List the tests that a run came to: none after the failure with which it stopped."""
    return asked[: asked.index(shown[-1]) + 1] if stopped and shown else asked


def _skip(name: str) -> str:
    """Give the line that silences a test; empty for one that shows no bug."""
    number = name.removeprefix("bug-")
    return skip_line(int(number)) if number.isdigit() else ""


def _without_quiet(command: tuple[str, ...]) -> list[str]:
    return [word for word in command if word not in QUIET.values()]


def seen_on_one_tree(runs: list[Run]) -> set[str]:
    """Name the failures that came and went on the same code, as anybody can see."""
    found: set[str] = set()
    for run in runs:
        for other in runs:
            same = run.tree and run.tree == other.tree
            alike = _without_quiet(run.command) == _without_quiet(other.command)
            alike = alike and LAST_FAILED not in run.command  # who knows what that ran
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
